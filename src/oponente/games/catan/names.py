"""Catan: how nodes, edges, cards and actions are called, and what is on the board, for texts and pictures.

Nodes are ``c4`` (row and column), edges two of them (``c4-c5``), tiles 1 to 19 in reading order, seats ``player 1`` on.
"""

from __future__ import annotations

from oponente.games.catan.board import (
    ACROSS_FROM,
    DOWN,
    DOWN_FROM,
    EDGE_IDS,
    NODES,
    ROWS,
    edge_ends,
    node_place,
)
from oponente.games.catan.cards import DEVELOPMENT_CARDS, RESOURCES
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
    offered,
)
from oponente.kernel import State

SIMPLE = {
    ROLL: "roll",
    END_TURN: "end",
    BUY_CARD: "buy card",
    PLAY_KNIGHT: "knight",
    PLAY_ROAD_BUILDING: "road building",
    ACCEPT: "accept",
    REJECT: "reject",
    WITHDRAW: "withdraw",
}
"""What one types for actions that need no more."""
_EXAMPLES = {
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


def node_text(node: int) -> str:
    """Return the name of a node: ``c4``."""
    row, column = node_place(node)
    return f"{ROWS[row]}{column}"


def edge_text(edge: int) -> str:
    """Return the name of an edge: ``c4-c5``."""
    near, far = edge_ends(edge)
    return f"{node_text(near)}-{node_text(far)}"


NODES_BY_NAME = {node_text(node): node for node in range(NODES)}
EDGES = tuple(
    edge
    for edge in range(EDGE_IDS)
    if (int(ACROSS_FROM) >> edge if edge < DOWN else int(DOWN_FROM) >> (edge - DOWN)) & 1
)
"""All edges of the island."""
EDGES_BY_ENDS = {frozenset(edge_ends(edge)): edge for edge in EDGES}


def cards_text(cards: tuple[int, ...]) -> str:
    """Return a set of cards: ``1 wool 2 ore``."""
    return " ".join(f"{count} {RESOURCES[i]}" for i, count in enumerate(cards) if count)


def action_text(state: State, action: int) -> str:
    """Return what one types for an action, or what a chance outcome is called."""
    if action >= OFFER:
        give, want = offered(action)
        word = "counter" if int(state.record.phase) == ANSWERING else "offer"
        return f"{word} {cards_text(give)} for {cards_text(want)}"
    if action in SIMPLE:
        return SIMPLE[action]
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
        return f"bank {bank_rate(state, given)} {RESOURCES[given]} for {RESOURCES[taken]}"
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


def bank_rate(state: State, resource: int) -> int:
    """Return how many cards of a resource the bank takes for one from the player on turn."""
    reach = int(state.record.reach[int(state.record.mover)])
    return 2 if reach >> resource & 1 else 3 if reach >> ANY & 1 else 4


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


def example_text(state: State) -> str:
    """Return examples of what can be typed in this phase."""
    return _EXAMPLES.get(int(state.record.phase), "dice 8, steals ore or draws knight")
