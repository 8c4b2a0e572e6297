"""Connect Four: the rules.

Players take turns to drop a stone into a column; the first with four of the own stones in a row (across, down or
diagonally) wins, and a full board without such a row is a draw. 7 columns and 6 rows, four to connect, as sold by
Milton Bradley since 1974; columns, rows and the length to connect are options.

Actions are columns, 0 to ``columns - 1``, listed from left to right.

The board is a bit mask per player. Column c takes the bits from ``c * (rows + 1)`` upwards, lowest cell first, and one
spare bit on top that is never set, so that a row of bits never runs on into the next column (the layout of Fhourstones,
J. Tromp).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import TERMINAL, Symmetry, Token, bits_moved, njit, places_from, random_below, record
from oponente.kernel.options import option

NAME = "connect4"
PLAYERS = 2
UTILITY_SUM = 0.0
MAX_COLUMNS = 10
MAX_ACTIONS = MAX_COLUMNS
ENCODING = 2 * 64

ONE, TWO = np.uint64(1), np.uint64(2)

# --- components ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """Board size and length of a winning row. The board with its spare row must fit into 64 cells."""

    columns: int = option(7, low=1, high=MAX_COLUMNS, meaning="columns of the board")
    rows: int = option(6, low=1, high=15, meaning="rows of the board")
    connect: int = option(4, low=2, high=10, meaning="stones in a row that win")

    def __post_init__(self) -> None:
        if self.columns * (self.rows + 1) > 64:
            raise ValueError(
                f"a board of {self.columns} columns by {self.rows} rows is too large: columns * (rows + 1) may be 64"
            )


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    columns: int
    rows: int
    connect: int


State = record(
    ("stones", "u8", 2),  # cells of each player
    ("ply", "i1"),  # stones on the board
    ("winner", "i1"),  # -1: none yet; 0 or 1; 2: draw
)
NOBODY, DRAW = -1, 2


def tables(options: Options) -> Tables:
    """Return the tables of a board."""
    return Tables(Token(__name__), options.columns, options.rows, options.connect)


# --- the board -----------------------------------------------------------------------------------------------------


@njit
def column_bottom(game: Any, column: Any) -> Any:
    """Return the lowest cell of a column, as a bit."""
    return ONE << np.uint64(column * (game.rows + 1))


@njit
def column_top(game: Any, column: Any) -> Any:
    """Return the highest cell of a column, as a bit."""
    return ONE << np.uint64(column * (game.rows + 1) + game.rows - 1)


@njit
def has_row(game: Any, stones: Any) -> bool:
    """Tell whether the stones hold a winning row.

    Steps from a cell to its neighbour above, and to the right: one row lower, level, and one row higher.
    """
    low = np.uint64(game.rows)
    if game.connect == 4:
        return (four(stones, ONE) | four(stones, low) | four(stones, low + ONE) | four(stones, low + TWO)) != 0
    length = game.connect
    found = run_of(stones, ONE, length) | run_of(stones, low, length)
    return (found | run_of(stones, low + ONE, length) | run_of(stones, low + TWO, length)) != 0


@njit
def four(stones: Any, step: Any) -> Any:
    """Return the cells from which four stones follow each other at `step`."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (step + step))


@njit
def run_of(stones: Any, step: Any, length: Any) -> Any:
    """Return the cells from which `length` stones follow each other at `step`."""
    run = stones
    for _ in range(length - 1):
        run &= stones >> step
        stones >>= step
    return run


# --- play ----------------------------------------------------------------------------------------------------------


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Start with an empty board; the first player moves."""
    state.winner = NOBODY


@njit
def player(game: Any, state: Any) -> int:
    """Players alternate until somebody has won or the board is full."""
    return TERMINAL if state.winner != NOBODY else state.ply & 1


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List the columns with room, from left to right."""
    full = state.stones[0] | state.stones[1]
    count = 0
    for column in range(game.columns):
        if full & column_top(game, column) == 0:
            out[count] = column
            count += 1
    return count


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """A stone may be dropped into any column with room."""
    if state.winner != NOBODY or action < 0 or action >= game.columns:
        return False
    return (state.stones[0] | state.stones[1]) & column_top(game, action) == 0


@njit
def sample_action(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw a column with room: draw from all columns until one has room."""
    full = state.stones[0] | state.stones[1]
    while True:
        column = random_below(rng, game.columns)
        if full & column_top(game, column) == 0:
            return column


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Drop a stone of the player to move into a column; it falls onto the lowest free cell."""
    full = state.stones[0] | state.stones[1]
    mover = state.ply & 1
    # Adding the bottom bit to a column of ones carries into its lowest free cell.
    stones = state.stones[mover] | ((full + column_bottom(game, action)) & ~full & column_mask(game, action))
    state.stones[mover] = stones
    state.ply += 1
    if has_row(game, stones):
        state.winner = mover
    elif state.ply == game.columns * game.rows:
        state.winner = DRAW


@njit
def column_mask(game: Any, column: Any) -> Any:
    """Return all cells of a column."""
    return ((ONE << np.uint64(game.rows)) - ONE) << np.uint64(column * (game.rows + 1))


# --- the end -------------------------------------------------------------------------------------------------------


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """1 for the winner, -1 for the loser, 0 for both in a draw."""
    out[0] = out[1] = 0.0
    if state.winner != DRAW:
        out[state.winner] = 1.0
        out[1 - state.winner] = -1.0


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """64 features for the stones of `player`, then 64 for the opponent's, in the bits' order: 1 where there is one."""
    for cell in range(64):
        out[cell] = state.stones[player] >> np.uint64(cell) & ONE
        out[64 + cell] = state.stones[1 - player] >> np.uint64(cell) & ONE


def symmetries(tables: Tables) -> list[Symmetry]:
    """Mirror the board: west for east."""
    height, used = tables.rows + 1, tables.columns * (tables.rows + 1)
    places = np.arange(64)
    places[:used] = np.arange(used).reshape(tables.columns, height)[::-1].ravel()

    def moved(array: Any) -> Any:
        other = array.copy()
        for seat in range(PLAYERS):
            other[0].stones[seat] = bits_moved(int(array[0].stones[seat]), places)
        return other

    features = np.concatenate([places_from(places), places_from(places, 64)])
    return [Symmetry(features, lambda action: tables.columns - 1 - action, moved)]
