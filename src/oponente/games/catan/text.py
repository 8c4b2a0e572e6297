"""Catan: notation and the board for a terminal.

Nodes are ``c4`` (row and column), edges two of them (``c4-c5``), tiles 1 to 19 in reading order, seats ``player 1`` on.
Moves of a position stand apart by ``;``, commas or line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from oponente.games.catan.board import (
    ACROSS_FROM,
    DOWN,
    DOWN_FROM,
    EDGE_IDS,
    HARBOUR_ENDS,
    NODES,
    ROWS,
    TILES,
    edge_ends,
    node_place,
    tile_corners,
    tile_place,
)
from oponente.games.catan.cards import DESERT, DEVELOPMENT_CARDS, RESOURCES, VICTORY_POINT, unpack
from oponente.games.catan.layout import ANY, Board
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BANK_TRADE,
    BEFORE_ROLL,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    CONFIRMING,
    DICE,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    END_TURN,
    FREE_ROADS,
    MAIN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    OFFER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    REJECT,
    ROBBING,
    ROLL,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
    STEAL,
    UNSEEN,
    WITHDRAW,
    offer_id,
    offered,
)
from oponente.games.catan.state import DRAW
from oponente.kernel import IllegalActionError, State

SYNONYMS = {
    "wood": 0, "log": 0, "clay": 1, "sheep": 2, "wheat": 3, "corn": 3, "stone": 4, "rock": 4,
    **{name: resource for resource, name in enumerate(RESOURCES)},
}  # fmt: skip
"""Resources by the words that people use for them."""

_SIMPLE = {
    ROLL: "roll",
    END_TURN: "end",
    BUY_CARD: "buy card",
    PLAY_KNIGHT: "knight",
    PLAY_ROAD_BUILDING: "road building",
    ACCEPT: "accept",
    REJECT: "reject",
    WITHDRAW: "withdraw",
}
_BY_WORD = {text: action for action, text in _SIMPLE.items()} | {
    "end turn": END_TURN,
    "buy": BUY_CARD,
    "buy development card": BUY_CARD,
    "play knight": PLAY_KNIGHT,
    "play road building": PLAY_ROAD_BUILDING,
}
_HELP = {
    SETTING_SETTLEMENT: "settlement c4",
    SETTING_ROAD: "road c4-c5",
    FREE_ROADS: "road c4-c5",
    BEFORE_ROLL: "roll; knight; road building; monopoly wool; year of plenty ore grain",
    DISCARDING: "discard wool",
    ROBBING: "robber 7; robber 7 player 2",
    MAIN: "road c4-c5; settlement c4; city c4; buy card; bank 4 wool for ore; offer 1 wool for 1 grain; knight; end",
    ANSWERING: "accept; reject; counter 1 ore for 1 wool",
    CONFIRMING: "confirm player 2; withdraw",
}
"""What one may type, by phase."""

# --- names -----------------------------------------------------------------------------------------------------------


def node_text(node: int) -> str:
    """Return the name of a node: ``c4``."""
    row, column = node_place(node)
    return f"{ROWS[row]}{column}"


def edge_text(edge: int) -> str:
    """Return the name of an edge: ``c4-c5``."""
    near, far = edge_ends(edge)
    return f"{node_text(near)}-{node_text(far)}"


_NODES = {node_text(node): node for node in range(NODES)}
EDGES = tuple(
    edge
    for edge in range(EDGE_IDS)
    if (int(ACROSS_FROM) >> edge if edge < DOWN else int(DOWN_FROM) >> (edge - DOWN)) & 1
)
"""All edges of the island."""
_EDGES = {frozenset(edge_ends(edge)): edge for edge in EDGES}


def cards_text(cards: tuple[int, ...]) -> str:
    """Return a set of cards: ``1 wool 2 ore``."""
    return " ".join(f"{count} {RESOURCES[i]}" for i, count in enumerate(cards) if count)


def action_text(state: State, action: int) -> str:
    """Return what one types for an action, or what a chance outcome is called."""
    if action >= OFFER:
        give, want = offered(action)
        word = "counter" if int(state.record.phase) == ANSWERING else "offer"
        return f"{word} {cards_text(give)} for {cards_text(want)}"
    if action in _SIMPLE:
        return _SIMPLE[action]
    if action >= DRAW_CARD:
        card = action - DRAW_CARD
        return "draws a card" if card == UNSEEN else f"draws {DEVELOPMENT_CARDS[card]}"
    if action >= STEAL:
        resource = action - STEAL
        return "steals a card" if resource == UNSEEN else f"steals {RESOURCES[resource]}"
    if action >= DICE:
        return f"dice {action - DICE}"
    if action >= BANK_TRADE:
        given, taken = divmod(action - BANK_TRADE, 5)
        return f"bank {_rate(state, given)} {RESOURCES[given]} for {RESOURCES[taken]}"
    if action >= BUILD_CITY:
        return f"city {node_text(action - BUILD_CITY)}"
    if action >= BUILD_SETTLEMENT:
        return f"settlement {node_text(action - BUILD_SETTLEMENT)}"
    if action >= BUILD_ROAD:
        return f"road {edge_text(action - BUILD_ROAD)}"
    if action >= MOVE_ROBBER:
        tile, victim = divmod(action - MOVE_ROBBER, 5)
        return f"robber {tile + 1}" + ("" if victim == NOBODY_ROBBED else f" player {victim + 1}")
    if action >= CONFIRM:
        return f"confirm player {action - CONFIRM + 1}"
    if action >= DISCARD:
        return f"discard {RESOURCES[action - DISCARD]}"
    if action >= PLAY_YEAR_OF_PLENTY + 25:
        return f"year of plenty {RESOURCES[action - PLAY_YEAR_OF_PLENTY - 25]}"
    if action >= PLAY_YEAR_OF_PLENTY:
        first, second = divmod(action - PLAY_YEAR_OF_PLENTY, 5)
        return f"year of plenty {RESOURCES[first]} {RESOURCES[second]}"
    return f"monopoly {RESOURCES[action - PLAY_MONOPOLY]}"


def _rate(state: State, resource: int) -> int:
    reach = int(state.record.reach[int(state.record.mover)])
    return 2 if reach >> resource & 1 else 3 if reach >> ANY & 1 else 4


# --- parsing ---------------------------------------------------------------------------------------------------------


def split_position(text: str) -> list[str]:
    """Return the moves in the text of a position."""
    return [move.strip() for move in re.split(r"[;,\n]", text) if move.strip()]


def parse_action(state: State, text: str) -> int:
    """Return the action or chance outcome that a text denotes; case, plurals and common synonyms don't matter.

    Raises:
        IllegalActionError: with one line that says what would be right.
    """
    words = " ".join(text.lower().split())
    if words in _BY_WORD:
        return _BY_WORD[words]
    words = words.removeprefix("play ").removeprefix("build ")
    head, _, rest = words.partition(" ")
    if words.startswith("year of plenty"):
        return _year_of_plenty(rest.removeprefix("of plenty"))
    if head in ("settlement", "city"):
        node = _node(rest)
        if head == "settlement":
            _require_distance(state, node)
        return (BUILD_SETTLEMENT if head == "settlement" else BUILD_CITY) + node
    if head == "road":
        return BUILD_ROAD + _edge(rest)
    if head == "robber":
        return _robber(state, rest)
    if head == "monopoly":
        return PLAY_MONOPOLY + _resource(rest)
    if head == "discard":
        resource = _resource(rest.removeprefix("1 "))
        _require_cards(state, tuple(int(i == resource) for i in range(5)))
        return DISCARD + resource
    if head == "bank":
        return _bank(state, rest)
    if head in ("offer", "counter"):
        return _offer(state, rest)
    if head == "confirm":
        return CONFIRM + _seat(state, rest)
    if head == "dice" and rest.isdecimal() and 2 <= int(rest) <= 12:
        return DICE + int(rest)
    if head == "steals":
        return STEAL + (UNSEEN if rest == "a card" else _resource(rest))
    if head == "draws":
        if rest == "a card":
            return DRAW_CARD + UNSEEN
        if rest in DEVELOPMENT_CARDS:
            return DRAW_CARD + DEVELOPMENT_CARDS.index(rest)
    raise IllegalActionError(f"{text!r} is no move here: write {help_text(state)}")


def help_text(state: State) -> str:
    """Return examples of what can be typed in this phase."""
    return _HELP.get(int(state.record.phase), "dice 8, steals ore or draws knight")


def _resource(word: str) -> int:
    word = word.strip()
    for name in (word, word.removesuffix("s")):
        if name in SYNONYMS:
            return SYNONYMS[name]
    raise IllegalActionError(f"{word!r} is no resource: write {', '.join(RESOURCES)}")


def _node(text: str) -> int:
    name = text.replace(" ", "")
    if name not in _NODES:
        raise IllegalActionError(f"{text!r} is no node: write a row from a to f and a column, as in c4")
    return _NODES[name]


def _edge(text: str) -> int:
    ends = re.findall(r"[a-f]\d+", text.replace(" ", ""))
    edge = _EDGES.get(frozenset(_node(end) for end in ends)) if len(ends) == 2 else None
    if edge is None:
        raise IllegalActionError(f"{text!r} is no edge: write two neighbouring nodes, as in c4-c5")
    return edge


def _seat(state: State, text: str) -> int:
    number = text.removeprefix("player").strip()
    if not number.isdecimal() or not 1 <= int(number) <= state.game.num_players:
        raise IllegalActionError(f"{text!r} is no player: write player 1 to player {state.game.num_players}")
    return int(number) - 1


def _robber(state: State, text: str) -> int:
    tile, _, victim = text.partition(" ")
    if not tile.isdecimal() or not 1 <= int(tile) <= TILES:
        raise IllegalActionError(f"{tile!r} is no tile: write a number from 1 to {TILES}, as in robber 7")
    first = MOVE_ROBBER + 5 * (int(tile) - 1)
    if victim:
        return first + _seat(state, victim)
    moves = [] if state.is_terminal else [a for a in state.legal_actions if first <= a < first + 5]
    if len(moves) > 1:
        raise IllegalActionError(f"say whom to rob: {' or '.join(action_text(state, a) for a in moves)}")
    return int(moves[0]) if moves else first + NOBODY_ROBBED


def _year_of_plenty(text: str) -> int:
    cards = _cards(text)
    picked = [resource for resource, count in enumerate(cards) for _ in range(count)]
    if len(picked) == 1:
        return PLAY_YEAR_OF_PLENTY + 25 + picked[0]
    if len(picked) != 2:
        raise IllegalActionError("year of plenty takes two cards: year of plenty ore grain")
    return PLAY_YEAR_OF_PLENTY + 5 * picked[0] + picked[1]


def _bank(state: State, text: str) -> int:
    given, taken = _sides(text, "bank 4 wool for ore")
    if sum(1 for count in given if count) != 1 or sum(taken) != 1:
        raise IllegalActionError("the bank gives one card for cards of one resource: bank 4 wool for ore")
    resource = next(i for i, count in enumerate(given) if count)
    rate = _rate(state, resource)
    if given[resource] != rate and re.match(r"\d", text):
        raise IllegalActionError(f"the bank takes {rate} {RESOURCES[resource]} for one card from you")
    _require_cards(state, tuple(rate * (i == resource) for i in range(5)))
    return BANK_TRADE + 5 * resource + taken.index(1)


def _offer(state: State, text: str) -> int:
    give, want = _sides(text, "offer 1 wool for 1 grain")
    try:
        action = offer_id(give, want)
    except ValueError:
        raise IllegalActionError("no resource on both sides of an offer, and at most 31 of each") from None
    _require_cards(state, give)
    return action


def _sides(text: str, example: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    left, word, right = f" {text} ".partition(" for ")
    if not word or not left.strip() or not right.strip():
        raise IllegalActionError(f"say what for what: {example}")
    return _cards(left), _cards(right)


def _cards(text: str) -> tuple[int, ...]:
    counts = [0] * 5
    amount = None
    for word in re.findall(r"\d+|[^\d\s+]+", text):
        if word.isdecimal():
            amount = int(word)
        elif word != "and":
            counts[_resource(word)] += 1 if amount is None else amount
            amount = None
    if amount is not None:
        raise IllegalActionError(f"{text.strip()!r}: say which resource the {amount} are")
    return tuple(counts)


def _require_cards(state: State, cards: tuple[int, ...]) -> None:
    """Raise an error if the player to move lacks cards."""
    if state.is_chance or state.is_terminal:
        return
    held = unpack(state.record.known[state.player, state.player])
    for resource, count in enumerate(cards):
        if held[resource] < count:
            have = held[resource] or "no"
            raise IllegalActionError(f"that takes {count} {RESOURCES[resource]}: you have {have} {RESOURCES[resource]}")


def _require_distance(state: State, node: int) -> None:
    for seat in range(state.game.num_players):
        for other in nodes_of(int(state.record.settlements[seat]) | int(state.record.cities[seat])):
            if other == node or frozenset((node, other)) in _EDGES:
                where = "on" if other == node else "next to"
                raise IllegalActionError(f"there is a building {where} {node_text(node)}")


def open_actions(state: State) -> Iterator[int]:
    """Yield some legal offers that are not listed: two cards for one, and in answers also one card for one."""
    record = state.record
    phase = int(record.phase)
    rules = state.game.tables.rules
    if phase != ANSWERING and not (phase == MAIN and rules.trade and record.offers < rules.offers):
        return
    held = unpack(record.known[state.player, state.player])
    for given, count in enumerate(held):
        wanted = (given + 1) % 5
        for amount in (1, 2) if phase == ANSWERING else (2,):
            if count >= amount:
                yield offer_id([amount * (i == given) for i in range(5)], [int(i == wanted) for i in range(5)])


# --- boards and states -----------------------------------------------------------------------------------------------


def nodes_of(mask: int) -> list[int]:
    """Return the nodes in a mask."""
    return [node for node in range(NODES) if mask >> node & 1]


def roads_of(state: State, seat: int) -> list[int]:
    """Return the edges with a road of a player."""
    across, down = int(state.record.across[seat]), int(state.record.down[seat])
    return [edge for edge in EDGES if (across >> edge if edge < DOWN else down >> (edge - DOWN)) & 1]


def board_of(state: State) -> Board:
    """Return the board of a state, the robber where it stands now."""
    record = state.record
    return Board(
        tuple(int(t) for t in record.terrain),
        tuple(int(n) for n in record.number),
        tuple(int(h) for h in record.harbour),
        int(record.robber),
    )


def status_text(state: State) -> str:
    """Return whose turn it is and what happens."""
    record = state.record
    if state.is_terminal:
        return "draw: the limit of turns is reached" if record.winner == DRAW else f"player {record.winner + 1} has won"
    parts = [f"turn {record.turn} of player {record.mover + 1}" if record.turn else "set-up"]
    if record.rolled:
        parts.append(f"rolled {record.rolled}")
    if not state.is_chance:
        parts.append(f"player {state.player + 1}: {help_text(state)}")
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
            lines.append(f"player {seat + 1}: {_SIMPLE[answer]}")
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
        x, y = (sum(places[end][axis] for end in ends) / 2 for axis in (0, 1))
        label = "3:1" if kind == ANY else f"{RESOURCES[kind]} 2:1"
        dx, dy = x - (8 + 6 * column), y - (3 + 6 * row + 4)
        put(x + (dx * 0.5 if dy else dx * 0.9), y + dy * 0.5, label)
    return ["".join(line).rstrip() for line in canvas if "".join(line).strip()]


def _place(node: int) -> tuple[int, int]:
    """Return column and line of a node on the terminal."""
    row, column = node_place(node)
    peak = (column - (4, 3, 2, 3, 4, 5)[row]) % 2 == 0
    return 8 + 6 * column, 3 + 6 * row + (0 if peak else 2)
