"""Catan: the board and what a seat knows, as text for a terminal."""

from __future__ import annotations

from oponente.games.catan.board import (
    DOWN,
    HARBOUR_ENDS,
    NODES,
    TILES,
    edge_ends,
    node_place,
    tile_corners,
    tile_place,
)
from oponente.games.catan.cards import DESERT, DEVELOPMENT_CARDS, RESOURCES, VICTORY_POINT, unpack
from oponente.games.catan.layout import ANY
from oponente.games.catan.moves import (
    OFFER,
    offered,
)
from oponente.games.catan.names import EDGES, SIMPLE, board_of, cards_text, example_text, node_text, nodes_of, roads_of
from oponente.games.catan.state import DRAW
from oponente.kernel import State


def status_text(state: State) -> str:
    """Return whose turn it is and what happens."""
    record = state.record
    if state.is_terminal:
        return "draw: the limit of turns is reached" if record.winner == DRAW else f"player {record.winner + 1} has won"
    parts = [f"turn {record.turn} of player {record.mover + 1}" if record.turn else "set-up"]
    if record.rolled:
        parts.append(f"rolled {record.rolled}")
    if not state.is_chance:
        parts.append(f"player {state.player + 1}: {example_text(state)}")
    return ", ".join(parts)


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
    listed = cards_text(known) + (f" {unknown} ?" if unknown else "")
    return f"{size} cards" + (f" ({listed.strip()})" if size else "")


def development_text(state: State, holder: int, seat: int | None) -> str:
    """Return a player's development cards as a seat knows them."""
    cards = [int(count) for count in state.record.cards[holder]]
    if seat not in (None, holder):
        return f"{sum(cards)} development"
    listed = ", ".join(f"{count} {DEVELOPMENT_CARDS[i]}" for i, count in enumerate(cards) if count)
    return f"{sum(cards)} development" + (f" ({listed})" if listed else "")


def player_lines(state: State, holder: int, seat: int | None) -> list[str]:
    """Return all that a seat knows of a player."""
    record = state.record
    points = str(record.points[holder])
    if seat in (None, holder) and record.cards[holder, VICTORY_POINT]:
        points += f" (with hidden cards {int(record.points[holder]) + int(record.cards[holder, VICTORY_POINT])})"
    awards = [
        name
        for name, who in (("longest road", record.road_holder), ("largest army", record.army_holder))
        if who == holder
    ]
    played = [f"{n} {DEVELOPMENT_CARDS[i]}" for i, n in enumerate(record.played[holder]) if n]
    reach = int(record.reach[holder])
    harbours = [f"{'any 3:1' if i == ANY else RESOURCES[i] + ' 2:1'}" for i in range(6) if reach >> i & 1]
    lines = [
        f"player {holder + 1}: {points} points; {hand_text(state, holder, seat)}; "
        f"{development_text(state, holder, seat)}",
        f"  settlements {' '.join(map(node_text, nodes_of(int(record.settlements[holder])))) or '-'}"
        f"; cities {' '.join(map(node_text, nodes_of(int(record.cities[holder])))) or '-'}"
        f"; road {record.road_length[holder]}",
    ]
    more = [*awards, *(["played " + ", ".join(played)] if played else []), *harbours]
    return lines + (["  " + "; ".join(more)] if more else [])


def state_text(state: State, seat: int | None = None) -> str:
    """Return the board and all that a seat knows (None: everything).

    Roads are the digit of their player; ``S1`` is a settlement, ``C1`` a city of player 1.
    """
    record = state.record
    lines = [*board_lines(state), ""]
    deck = sum(int(count) for count in record.deck)
    lines.append(f"bank: {cards_text(unpack(record.bank)) or 'no cards'}; {deck} development cards")
    for holder in range(state.game.num_players):
        lines += player_lines(state, holder, seat)
    return "\n".join([*lines, *offer_lines(state), status_text(state)])


def board_lines(state: State) -> list[str]:
    """Return the island, line by line."""
    canvas = [[" "] * 88 for _ in range(39)]

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
        names |= dict.fromkeys(nodes_of(int(state.record.settlements[seat])), f"S{seat + 1}")
        names |= dict.fromkeys(nodes_of(int(state.record.cities[seat])), f"C{seat + 1}")
    for node, name in names.items():
        put(*places[node], name)
    board = board_of(state)
    for tile in range(TILES):
        row, column = tile_place(tile)
        x, y = 8 + 6 * column, 3 + 6 * row
        put(x, y + 3, f"#{tile + 1}")
        terrain = "desert" if board.terrain[tile] == DESERT else RESOURCES[board.terrain[tile]]
        put(x, y + 4, f"{terrain} {board.numbers[tile] or ''}".strip())
        if board.robber == tile:
            put(x, y + 5, "ROBBER")
    for ends, kind in zip(HARBOUR_ENDS, board.harbours, strict=True):
        tile = next(t for t in range(TILES) if set(ends) <= set(tile_corners(t)))
        row, column = tile_place(tile)
        middle_x, middle_y = (sum(places[end][axis] for end in ends) / 2 for axis in (0, 1))
        label = "3:1" if kind == ANY else f"{RESOURCES[kind]} 2:1"
        dx, dy = middle_x - (8 + 6 * column), middle_y - (3 + 6 * row + 4)
        put(middle_x + (dx * 0.5 if dy else dx * 0.9), middle_y + dy * 0.5, label)
    return ["".join(line).rstrip() for line in canvas if "".join(line).strip()]


def _place(node: int) -> tuple[int, int]:
    """Return column and line of a node on the terminal."""
    row, column = node_place(node)
    peak = (column - (4, 3, 2, 3, 4, 5)[row]) % 2 == 0
    return 8 + 6 * column, 3 + 6 * row + (0 if peak else 2)
