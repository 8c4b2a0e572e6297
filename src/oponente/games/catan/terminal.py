"""Catan: the board and what a seat knows, as text for a terminal."""

from __future__ import annotations

from oponente.games.catan.asking import status_lines
from oponente.games.catan.board import (
    DOWN,
    EDGES,
    HARBOUR_ENDS,
    NODES,
    TILES,
    bits,
    edge_ends,
    node_place,
    tile_corners,
    tile_place,
)
from oponente.games.catan.building import CITIES, ROADS, SETTLEMENTS
from oponente.games.catan.cards import DESERT, DEVELOPMENT_CARDS, RESOURCES, VICTORY_POINT, unpack
from oponente.games.catan.layout import ANY
from oponente.games.catan.moves import (
    OFFER,
    offered,
)
from oponente.games.catan.names import (
    SIMPLE,
    board_of,
    cards_text,
    count_text,
    node_text,
    roads_of,
    wrapped,
)
from oponente.kernel import State


def offer_lines(state: State) -> list[str]:
    """Return the pending offer and the answers to it."""
    record = state.record
    if not record.offer:
        return []
    give, want = offered(int(record.offer))
    lines = [f"player {record.mover + 1} offers {cards_text(give)} for {cards_text(want)}"]
    for seat in range(state.game.num_players):
        answer = int(record.answer[seat])
        if answer >= OFFER:
            give, want = offered(answer)
            lines.append(f"player {seat + 1} counters: gives {cards_text(give)} for {cards_text(want)}")
        elif answer:
            lines.append(f"player {seat + 1}: {SIMPLE[answer]}")
    return lines


def hand_text(state: State, holder: int, seat: int | None) -> str:
    """Return a player's resource cards as a seat knows them."""
    record = state.record
    size = sum(unpack(record.known[holder, holder]))
    known = unpack(record.known[holder, holder if seat is None else seat])
    unknown = size - sum(known)
    listed = cards_text(known) + (f" {unknown} unknown" if unknown else "")
    return count_text(size, "card") + (f" ({listed.strip()})" if size else "")


def development_text(state: State, holder: int, seat: int | None) -> str:
    """Return a player's development cards as a seat knows them, those bought this turn marked."""
    record = state.record
    cards = [int(count) for count in record.cards[holder]]
    fresh = [int(count) if holder == record.mover else 0 for count in record.fresh]
    text = count_text(sum(cards), "development card")
    if seat not in (None, holder):
        return text + _bought(sum(fresh), sum(cards))
    listed = [
        count_text(count, DEVELOPMENT_CARDS[i]) + _bought(fresh[i], count) for i, count in enumerate(cards) if count
    ]
    return f"{text}: {', '.join(listed)}" if listed else text


def _bought(fresh: int, cards: int) -> str:
    """Return a note of how many of some cards were bought this turn."""
    if not fresh:
        return ""
    return " (bought this turn)" if fresh == cards else f" ({fresh} bought this turn)"


def player_lines(state: State, holder: int, seat: int | None) -> list[str]:
    """Return all that a seat knows of a player."""
    record = state.record
    points = count_text(int(record.points[holder]), "point")
    if seat in (None, holder) and record.cards[holder, VICTORY_POINT]:
        points += f" (with hidden cards {int(record.points[holder]) + int(record.cards[holder, VICTORY_POINT])})"
    settlements, cities = bits(record.settlements[holder]), bits(record.cities[holder])
    left = ", ".join(
        count_text(most - used, piece)
        for piece, most, used in (
            ("road", ROADS, len(roads_of(state, holder))),
            ("settlement", SETTLEMENTS, len(settlements)),
            ("city", CITIES, len(cities)),
        )
    )
    awards = [
        f"has the {name}"
        for name, who in (("longest road", record.road_holder), ("largest army", record.army_holder))
        if who == holder
    ]
    played = [count_text(int(n), DEVELOPMENT_CARDS[i]) for i, n in enumerate(record.played[holder]) if n]
    reach = int(record.reach[holder])
    harbours = [harbour_text(kind) for kind in range(6) if reach >> kind & 1]
    return [
        *wrapped(
            f"player {holder + 1}:", [points, hand_text(state, holder, seat), development_text(state, holder, seat)]
        ),
        *wrapped(
            " ",
            [
                f"settlements {' '.join(map(node_text, settlements)) or '-'}",
                f"cities {' '.join(map(node_text, cities)) or '-'}",
                f"longest road {record.road_length[holder]}",
                *awards,
                f"pieces left: {left}",
                *(["played " + ", ".join(played)] if played else []),
                *(["harbours " + ", ".join(harbours)] if harbours else []),
            ],
        ),
    ]


def harbour_text(kind: int) -> str:
    """Return what a harbour trades: ``wool 2:1``, or ``any 3:1``."""
    return "any 3:1" if kind == ANY else f"{RESOURCES[kind]} 2:1"


def state_text(state: State, seat: int | None = None) -> str:
    """Return the board and all that a seat knows (None: everything).

    Roads are the digit of their player; ``S1`` is a settlement, ``C1`` a city of player 1.
    """
    record = state.record
    harbours = [
        f"{harbour_text(kind)} at {' '.join(map(node_text, ends))}"
        for ends, kind in zip(HARBOUR_ENDS, board_of(state).harbours, strict=True)
    ]
    lines = [*board_lines(state), "", *wrapped("harbours:", harbours)]
    deck = sum(int(count) for count in record.deck)
    lines.append(
        f"bank: {cards_text(unpack(record.bank)) or 'no resource cards'}; {count_text(deck, 'development card')}"
    )
    for holder in range(state.game.num_players):
        lines += player_lines(state, holder, seat)
    for line in offer_lines(state):
        lines += wrapped("", [line])
    return "\n".join([*lines, *status_lines(state, seat)])


# --- the board -------------------------------------------------------------------------------------------------------

_LEFT, _TOP = 16, 4
"""Column and line of the corner of the island's box; around it is room for harbours."""
_WIDTH, _HEIGHT = _LEFT + 80, _TOP + 39


def board_lines(state: State) -> list[str]:
    """Return the island, line by line."""
    canvas = [[" "] * _WIDTH for _ in range(_HEIGHT)]

    def put(x: float, y: float, text: str) -> None:
        start = round(x - len(text) / 2 + 0.01)
        for i, letter in enumerate(text):
            canvas[round(y)][start + i] = letter

    places = [_place(node) for node in range(NODES)]
    owners = {edge: str(seat + 1) for seat in range(state.game.num_players) for edge in roads_of(state, seat)}
    for edge in EDGES:
        (x1, y1), (x2, y2) = (places[end] for end in edge_ends(edge))
        if edge >= DOWN:
            for y in range(y1 + 1, y2):
                put(x1, y, owners.get(edge, "|"))
        else:
            put((x1 + x2) / 2, (y1 + y2) / 2, owners.get(edge, "\\" if y2 > y1 else "/"))
    names = {node: node_text(node) for node in range(NODES)}
    for seat in range(state.game.num_players):
        names |= dict.fromkeys(bits(state.record.settlements[seat]), f"S{seat + 1}")
        names |= dict.fromkeys(bits(state.record.cities[seat]), f"C{seat + 1}")
    for node, name in names.items():
        put(*places[node], name)
    board = board_of(state)
    for tile in range(TILES):
        x, y = _peak(tile)
        put(x, y + 3, f"#{tile + 1}")
        terrain = "desert" if board.terrain[tile] == DESERT else RESOURCES[board.terrain[tile]]
        put(x, y + 4, f"{terrain} {board.numbers[tile] or ''}".strip())
        if board.robber == tile:
            put(x, y + 5, "ROBBER")
    for ends, kind in zip(HARBOUR_ENDS, board.harbours, strict=True):
        _put_harbour(canvas, [places[end] for end in ends], _sea(ends), harbour_text(kind))
    return ["".join(line).rstrip() for line in canvas if "".join(line).strip()]


def _put_harbour(canvas: list[list[str]], ends: list[tuple[int, int]], sea: tuple[int, int], label: str) -> None:
    """Write a harbour's label into the sea beside its path, as near as it fits without touching anything else.

    Args:
        canvas: the letters of the board.
        ends: column and line of the path's two ends.
        sea: in which direction the sea is, to the right and down, each -1, 0 or 1.
        label: what to write.
    """
    x, y = sum(end[0] for end in ends) // 2, sum(end[1] for end in ends) // 2
    across, down = sea
    for away in range(_TOP):
        line = y + away * down
        for gap in range(2, 8):
            start = x - len(label) // 2 if not across else x + gap if across > 0 else x - gap - len(label) + 1
            cells = canvas[line][start - 1 : start + len(label) + 1]
            if all(cell == " " for cell in cells):
                canvas[line][start : start + len(label)] = label
                return
    raise AssertionError(f"there is no room for the harbour {label}")


def _sea(ends: tuple[int, int]) -> tuple[int, int]:
    """Return in which direction from a harbour's path the sea is: to the right and down, each -1, 0 or 1."""
    tile = next(t for t in range(TILES) if set(ends) <= set(tile_corners(t)))
    x, y = _peak(tile)
    middle_x, middle_y = (sum(_place(end)[axis] for end in ends) / 2 for axis in (0, 1))
    return _sign(middle_x - x), _sign(middle_y - (y + 4))


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _peak(tile: int) -> tuple[int, int]:
    """Return column and line of the northern corner of a hex on the terminal."""
    row, column = tile_place(tile)
    return _LEFT + 6 * (column - 1), _TOP + 6 * row


def _place(node: int) -> tuple[int, int]:
    """Return column and line of an intersection on the terminal."""
    row, column = node_place(node)
    peak = (column - (4, 3, 2, 3, 4, 5)[row]) % 2 == 0
    return _LEFT + 6 * (column - 1), _TOP + 6 * row + (0 if peak else 2)
