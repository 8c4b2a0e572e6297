"""Catan: how intersections, paths, cards and actions are called, and what is on the board, for texts and pictures.

Intersections (nodes in the code) are ``c4`` (row and column), paths (edges) two of them (``c4-c5``), hexes (tiles) 1 to
19 in reading order, seats ``player 1`` on.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from oponente.games.catan.board import EDGES, NODES, ROWS, edge_ends, edges_in, node_place
from oponente.games.catan.cards import DEVELOPMENT_CARDS, RESOURCES
from oponente.games.catan.layout import Board
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    DICE,
    DISCARD,
    DRAW_CARD,
    END_TURN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    OFFER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    REJECT,
    ROLL,
    STEAL,
    UNSEEN,
    WITHDRAW,
    offered,
)
from oponente.games.catan.trade import best_rate
from oponente.kernel import State

COLUMNS = 100
"""Width of texts."""
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


def node_text(node: int) -> str:
    """Return the name of an intersection: ``c4``."""
    row, column = node_place(node)
    return f"{ROWS[row]}{column}"


def edge_text(edge: int) -> str:
    """Return the name of a path: ``c4-c5``."""
    near, far = edge_ends(edge)
    return f"{node_text(near)}-{node_text(far)}"


NODES_BY_NAME = {node_text(node): node for node in range(NODES)}
EDGES_BY_ENDS = {frozenset(edge_ends(edge)): edge for edge in EDGES}


def count_text(count: int, noun: str) -> str:
    """Return a number of things: ``1 card``, ``2 cities``, ``2 years of plenty``."""
    if count == 1:
        return f"1 {noun}"
    head, blank, rest = noun.partition(" of ")
    plural = f"{head[:-1]}ies" if head.endswith("y") else f"{head}s"
    return f"{count} {plural}{blank}{rest}"


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


def kind_of(state: State, action: int) -> tuple[str, str]:
    """Return the kind of an action and what is to be said beyond that, empty if nothing; offers are of one kind."""
    text = action_text(state, action)
    if action >= OFFER:
        return "offer", text.partition(" ")[2]
    if action in SIMPLE:
        return text, ""
    if PLAY_YEAR_OF_PLENTY <= action < DISCARD:
        return "year of plenty", text.removeprefix("year of plenty ")
    if BANK_TRADE <= action < END_TURN:
        head, _, taken = text.rpartition(" for ")
        return f"{head} for", taken
    word, _, rest = text.partition(" ")
    return word, rest


def wrapped(head: str, items: Iterable[str]) -> list[str]:
    """Return lines of at most :data:`COLUMNS` characters: a beginning, then items with ``;`` between them.

    Lines break between items, and inside an item only if it does not fit into a line.
    """
    lines, line = [], head
    for number, item in enumerate(items):
        if number:
            line += ";"
            if len(line) + 1 + len(item) >= COLUMNS:
                lines.append(line)
                line = " "
        line += f" {item}" if line else item
    lines.append(line)
    parts = [textwrap.wrap(one, COLUMNS, subsequent_indent="  ", break_on_hyphens=False) for one in lines]
    return [part for one in parts for part in one]


def bank_rate(state: State, resource: int) -> int:
    """Return how many cards of a resource the bank takes for one from the player on turn."""
    return best_rate(int(state.record.reach[int(state.record.mover)]), resource)


def roads_of(state: State, seat: int) -> list[int]:
    """Return the edges with a road of a player."""
    return edges_in(state.record.across[seat], state.record.down[seat])


def board_of(state: State) -> Board:
    """Return the board of a state, the robber where it stands now."""
    record = state.record
    return Board(
        tuple(int(t) for t in record.terrain),
        tuple(int(n) for n in record.number),
        tuple(int(h) for h in record.harbour),
        int(record.robber),
    )
