"""Catan: where hexes, number tokens and harbours lie, and how a board is drawn, written and read.

Sources: the rules of the 5th edition, Illustration A (beginners' board), and its almanac under "Set-up, Variable",
"Number Tokens" and "Harbors".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.games.catan.board import HARBOURS, TILE_ROW_START, TILES
from oponente.games.catan.cards import BRICK, DESERT, GRAIN, LUMBER, ORE, RESOURCES, WOOL
from oponente.kernel import home_path, njit, parse_json, random_below
from oponente.kernel.notation import escaped, quoted, shortened

ANY = 5
"""The kind of a harbour that takes three cards of any resource; the others take two of the resource they name."""

TERRAIN = (LUMBER,) * 4 + (BRICK,) * 3 + (WOOL,) * 4 + (GRAIN,) * 4 + (ORE,) * 3 + (DESERT,)
NUMBER_TOKENS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
"""The tokens A to R in alphabetical order."""
HARBOUR_KINDS = (ANY, GRAIN, ORE, ANY, WOOL, ANY, ANY, BRICK, LUMBER)
"""The harbours of the frame, clockwise from the north-west."""

OUTER_RING = (0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1)
"""The tiles at the coast, counter-clockwise; every other one is a corner of the island."""
INNER_RING = (4, 8, 13, 14, 10, 5)
CENTRE = 9

BEGINNER_TILES = (
    (ORE, 10), (WOOL, 2), (LUMBER, 9),
    (GRAIN, 12), (BRICK, 6), (WOOL, 4), (BRICK, 10),
    (GRAIN, 9), (LUMBER, 11), (DESERT, 0), (LUMBER, 3), (ORE, 8),
    (LUMBER, 8), (ORE, 3), (GRAIN, 4), (WOOL, 5),
    (BRICK, 5), (GRAIN, 6), (WOOL, 11),
)  # fmt: skip


def spiral(corner: int, *, clockwise: bool) -> tuple[int, ...]:
    """Return all tiles in the order in which the number tokens are laid, from a corner of the island inwards.

    Args:
        corner: which of the six, counter-clockwise from the north-west.
        clockwise: instead of counter-clockwise.
    """
    step = -1 if clockwise else 1
    outer = [OUTER_RING[(2 * corner + step * i) % 12] for i in range(12)]
    inner = [INNER_RING[(corner + step * i) % 6] for i in range(6)]
    return (*outer, *inner, CENTRE)


SPIRALS = np.array([[spiral(corner, clockwise=turn) for corner in range(6)] for turn in (False, True)], np.int8)
"""Tiles by direction (0: counter-clockwise), corner and place in the spiral."""

NEIGHBOUR_TILES = np.zeros((TILES, TILES), np.bool_)
"""Which tiles share an edge."""
for _row in range(5):
    for _tile in range(TILE_ROW_START[_row], TILE_ROW_START[_row + 1]):
        if _tile + 1 < TILE_ROW_START[_row + 1]:
            NEIGHBOUR_TILES[_tile, _tile + 1] = True
        if _row < 4:
            # Rows grow towards the middle: the tile south-west has the same place from there on, one further before.
            _west = TILE_ROW_START[_row + 1] + _tile - TILE_ROW_START[_row] - (_row >= 2)
            for _south in (_west, _west + 1):
                if TILE_ROW_START[_row + 1] <= _south < TILE_ROW_START[_row + 2]:
                    NEIGHBOUR_TILES[_tile, _south] = True
NEIGHBOUR_TILES |= NEIGHBOUR_TILES.T

_TERRAIN = np.array(TERRAIN, np.int8)
_TOKENS = np.array(NUMBER_TOKENS, np.int8)
_HARBOURS = np.array(HARBOUR_KINDS, np.int8)

# --- boards in Python ----------------------------------------------------------------------------------------------


BOARD_WORDS = ("variable", "beginner")
"""The boards that the option ``board`` knows by name: drawn for each game, and the fixed one for beginners."""

_KEYS = "tiles, harbours and (if it is not the desert) robber"


@dataclass(frozen=True)
class Board:
    """A board: terrain and number of each tile (number 0: none), kind of each harbour, tile of the robber from 0."""

    terrain: tuple[int, ...]
    numbers: tuple[int, ...]
    harbours: tuple[int, ...]
    robber: int

    def to_json(self) -> str:
        """Return the board as JSON that :func:`read_board` reads: for equal boards the same text."""
        tiles = [
            [None if terrain == DESERT else RESOURCES[terrain], number or None]
            for terrain, number in zip(self.terrain, self.numbers, strict=True)
        ]
        harbours = [None if kind == ANY else RESOURCES[kind] for kind in self.harbours]
        return json.dumps({"tiles": tiles, "harbours": harbours, "robber": self.robber + 1})


BEGINNER = Board(
    tuple(terrain for terrain, _ in BEGINNER_TILES),
    tuple(number for _, number in BEGINNER_TILES),
    HARBOUR_KINDS,
    next(tile for tile, (terrain, _) in enumerate(BEGINNER_TILES) if terrain == DESERT),
)
"""The fixed board for beginners."""


def board_text(given: str) -> str:
    """Return what stands for the board that a user gives: a word as it is, a board as :meth:`Board.to_json` writes it.

    Args:
        given: ``variable``, ``beginner``, a board as JSON, or the path of a file that holds one.

    Raises:
        ValueError: with one line that says what is wrong.
    """
    if given in BOARD_WORDS:
        return given
    if given.lstrip().startswith("{"):
        return read_board(given).to_json()
    try:
        text = home_path(given).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # the latter: no text, or a path that can't be one
        raise ValueError(
            f"board={printable(given)}: expected variable, beginner, JSON or the path of a JSON file ({_reason(error)})"
        ) from None
    return read_board(text, printable(given)).to_json()


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text"
    return getattr(error, "strerror", None) or printable(str(error))


LONGEST_PATH = 160
"""Characters of a path that a message repeats at most."""


def printable(text: str) -> str:
    """Return a path or what was given for one, shortened, with all that no line can show written as escapes."""
    return shortened(escaped(text), LONGEST_PATH)


def read_board(text: str, source: str = "board") -> Board:
    """Return the board in a JSON text.

    The object has ``tiles``, 19 pairs of a resource (null: desert) and a number (null: none, as on every desert) in
    reading order; ``harbours``, 9 resources (null: three of any for one) clockwise from the north-west; and ``robber``,
    the hex where the robber starts, from 1 as the notation counts (left out: the first desert, or hex 1 without one).

    Args:
        text: the JSON.
        source: where it comes from, for error messages.

    Raises:
        ValueError: with one line that says what is wrong.
    """
    try:
        data = parse_json(text)
    except ValueError as error:
        raise ValueError(f"{source} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{source}: expected an object with {_KEYS}")
    for key in data:
        if key not in ("tiles", "harbours", "robber"):
            raise ValueError(f"{source} has an unknown key {quoted(key)}; expected {_KEYS}")
    terrain, numbers = [], []
    for tile, pair in enumerate(_list(data, "tiles", TILES, source), 1):
        if not isinstance(pair, list) or len(pair) != 2:
            raise ValueError(f"{source}: {quoted(pair)} in tiles is no pair of a resource and a number")
        resource, number = pair
        if number is not None and not (_is_int(number) and 2 <= number <= 12 and number != 7):
            raise ValueError(f"{source}: {quoted(number)} is no number token: expected 2 to 6, 8 to 12, or null")
        terrain.append(_resource(resource, source, DESERT))
        if terrain[-1] == DESERT and number is not None:
            raise ValueError(
                f"{source}: hex {tile} is a desert with the number {quoted(number)}: expected [null, null]"
            )
        numbers.append(number or 0)
    if not any(numbers):
        raise ValueError(f"{source}: no hex has a number, so nothing would ever be produced")
    harbours = [_resource(kind, source, ANY) for kind in _list(data, "harbours", HARBOURS, source)]
    robber = data.get("robber", 1 + (terrain.index(DESERT) if DESERT in terrain else 0))
    if not _is_int(robber) or not 1 <= robber <= TILES:
        raise ValueError(f"{source}: robber is {quoted(robber)}; expected a hex, 1 to {TILES} in reading order")
    return Board(tuple(terrain), tuple(numbers), tuple(harbours), robber - 1)


def _list(data: dict[str, Any], name: str, size: int, source: str) -> list[Any]:
    values = data.get(name)
    if not isinstance(values, list) or len(values) != size:
        raise ValueError(f"{source}: {name} must be a list of {size}")
    return values


def _resource(name: Any, source: str, none: int) -> int:
    if name is None:
        return none
    if not isinstance(name, str) or name not in RESOURCES:
        raise ValueError(f"{source}: {quoted(name)} is no resource: expected {', '.join(RESOURCES)} or null")
    return RESOURCES.index(name)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# --- drawing a board (kernels) -------------------------------------------------------------------------------------

SPIRAL, SPIRAL_CLOCKWISE, APART = range(3)
"""How number tokens are laid: along the spiral either way, or at random with no two of 6 and 8 side by side."""


@njit
def shuffle(values: Any, count: Any, rng: Any) -> None:
    """Put the first `count` values into random order (Fisher and Yates)."""
    for i in range(count - 1, 0, -1):
        j = random_below(rng, i + 1)
        values[i], values[j] = values[j], values[i]


@njit
def lay_tiles(terrain: Any, rng: Any) -> int:
    """Shuffle the hexes; return the desert."""
    for tile in range(TILES):
        terrain[tile] = _TERRAIN[tile]
    shuffle(terrain, TILES, rng)
    desert = 0
    while terrain[desert] != DESERT:
        desert += 1
    return desert


@njit
def lay_tokens(terrain: Any, numbers: Any, way: Any, rng: Any) -> None:
    """Lay the number tokens; the desert gets none."""
    if way == APART:
        while True:
            lay_shuffled_tokens(terrain, numbers, rng)
            if not reds_touch(numbers):
                return
    corner = random_below(rng, 6)
    token = 0
    for i in range(TILES):
        tile = SPIRALS[way, corner, i]
        if terrain[tile] == DESERT:
            numbers[tile] = 0
        else:
            numbers[tile] = _TOKENS[token]
            token += 1


@njit
def lay_shuffled_tokens(terrain: Any, numbers: Any, rng: Any) -> None:
    """Lay the number tokens in random order."""
    # The tiles before the desert hold the first tokens; the desert's 0 is kept out of the shuffle by laying it last.
    token = 0
    for tile in range(TILES):
        if terrain[tile] != DESERT:
            numbers[token] = _TOKENS[token]
            token += 1
    shuffle(numbers, token, rng)
    for tile in range(TILES - 1, -1, -1):
        if terrain[tile] == DESERT:
            numbers[tile] = 0
        else:
            token -= 1
            numbers[tile] = numbers[token]


@njit
def reds_touch(numbers: Any) -> bool:
    """Tell whether a 6 or 8 lies beside another 6 or 8."""
    for a in range(TILES):
        if numbers[a] == 6 or numbers[a] == 8:
            for b in range(a + 1, TILES):
                if (numbers[b] == 6 or numbers[b] == 8) and NEIGHBOUR_TILES[a, b]:
                    return True
    return False


@njit
def lay_harbours(kinds: Any, shuffled: Any, rng: Any) -> None:
    """Lay the harbours as printed, or shuffle them over their nine places."""
    for i in range(HARBOURS):
        kinds[i] = _HARBOURS[i]
    if shuffled:
        shuffle(kinds, HARBOURS, rng)
