"""Our states and actions in the notation of Catanatron's recordings.

An action is ``[seat, type, value]``, a set of actions is known by its size and a hash, a state by named fields. The
numbers of seats, resources and development cards are the same as ours; of hexes, intersections, paths and harbours see
:mod:`oponente.interop.catanatron.numbering`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from oponente.games.catan.board import bits, edges_in
from oponente.games.catan.cards import VICTORY_POINT, unpack
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    CONFIRMING,
    DISCARD,
    DISCARDING,
    END_TURN,
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
    WITHDRAW,
    offered,
)
from oponente.games.catan.names import bank_rate
from oponente.interop.catanatron.numbering import THEIR_EDGES, THEIR_NODES, THEIR_TILES
from oponente.kernel import State

Action = list[Any]
"""``[seat, type, value]``."""

PROMPTS = {
    SETTING_SETTLEMENT: "BUILD_INITIAL_SETTLEMENT",
    SETTING_ROAD: "BUILD_INITIAL_ROAD",
    DISCARDING: "DISCARD",
    ROBBING: "MOVE_ROBBER",
    ANSWERING: "DECIDE_TRADE",
    CONFIRMING: "DECIDE_ACCEPTEES",
}
"""Their name of each of our phases; the others are ``PLAY_TURN``."""

LENGTH, HOLDER = 8, 9
"""Where the longest road, and who holds the card, are in a seat's list."""


# --- actions -------------------------------------------------------------------------------------------------------


def text(action: Action) -> str:
    """Return an action as the text by which it is compared."""
    return json.dumps(action)


def fingerprint(texts: Iterable[str]) -> str:
    """Return the hash of a set of actions."""
    return hashlib.sha1("\n".join(sorted(texts)).encode(), usedforsecurity=False).hexdigest()[:10]


def offer_counts(state: State) -> list[int]:
    """Return the five counts given and the five wanted of the offer that is answered."""
    give, want = offered(int(state.record.offer))
    return [*give, *want]


def write_action(state: State, action: int) -> Action:
    """Return a listed action, other than an offer, of the player to move in their notation."""
    return [state.player, *_kind_and_value(state, action)]


def _kind_and_value(state: State, action: int) -> tuple[str, Any]:
    simple = {
        ROLL: "ROLL",
        BUY_CARD: "BUY_DEVELOPMENT_CARD",
        PLAY_KNIGHT: "PLAY_KNIGHT_CARD",
        PLAY_ROAD_BUILDING: "PLAY_ROAD_BUILDING",
        WITHDRAW: "CANCEL_TRADE",
        END_TURN: "END_TURN",
    }
    if action in simple:
        return simple[action], None
    if action in (ACCEPT, REJECT):
        return ("ACCEPT_TRADE" if action == ACCEPT else "REJECT_TRADE"), offer_counts(state)
    if action >= BANK_TRADE:
        given, taken = divmod(action - BANK_TRADE, 5)
        return "MARITIME_TRADE", [given, bank_rate(state, given), taken]
    if action >= BUILD_CITY:
        return "BUILD_CITY", THEIR_NODES[action - BUILD_CITY]
    if action >= BUILD_SETTLEMENT:
        return "BUILD_SETTLEMENT", THEIR_NODES[action - BUILD_SETTLEMENT]
    if action >= BUILD_ROAD:
        return "BUILD_ROAD", THEIR_EDGES[action - BUILD_ROAD]
    if action >= MOVE_ROBBER:
        tile, victim = divmod(action - MOVE_ROBBER, 5)
        return "MOVE_ROBBER", [THEIR_TILES[tile], None if victim == NOBODY_ROBBED else victim]
    if action >= CONFIRM:
        return "CONFIRM_TRADE", [*offer_counts(state), action - CONFIRM]
    if action >= DISCARD:
        return "DISCARD_RESOURCE", action - DISCARD
    if action >= PLAY_YEAR_OF_PLENTY + 25:
        return "PLAY_YEAR_OF_PLENTY", [action - PLAY_YEAR_OF_PLENTY - 25]
    if action >= PLAY_YEAR_OF_PLENTY:
        return "PLAY_YEAR_OF_PLENTY", list(divmod(action - PLAY_YEAR_OF_PLENTY, 5))
    return "PLAY_MONOPOLY", action - PLAY_MONOPOLY


def legal_texts(state: State) -> dict[str, int]:
    """Return all listed actions but offers: our number of each by its text in their notation."""
    return {text(write_action(state, action)): action for action in state.legal_actions if action < OFFER}


# --- states --------------------------------------------------------------------------------------------------------


def write_seat(record: Any, seat: int) -> list[Any]:
    """Return what a state tells of a seat."""
    points = int(record.points[seat])
    on_turn = seat == record.mover
    return [
        list(unpack(record.known[seat][seat])),
        record.cards[seat].tolist(),
        record.played[seat].tolist(),
        points,
        points + int(record.cards[seat][VICTORY_POINT]),
        sorted(THEIR_NODES[node] for node in bits(record.settlements[seat])),
        sorted(THEIR_NODES[node] for node in bits(record.cities[seat])),
        sorted(THEIR_EDGES[edge] for edge in edges_in(record.across[seat], record.down[seat])),
        int(record.road_length[seat]),
        int(record.road_holder == seat),
        int(record.army_holder == seat),
        int(on_turn and record.rolled > 0),
        int(on_turn and record.card_played > 0),
    ]


def turns_counted(record: Any, players: int) -> int:
    """Return their count of turns, which rises when the turn passes to another seat, in the set-up, too."""
    if record.turn > 0:
        return 2 * players - 3 + int(record.turn)
    return int(record.placed) - int(record.placed >= players)


def write_state(state: State) -> dict[str, Any]:
    """Return all fields of a state but the set of legal actions and the winner."""
    record, players = state.record, state.game.num_players
    return {
        "p": [write_seat(record, seat) for seat in range(players)],
        "bank": list(unpack(record.bank)),
        "deck": int(record.deck.sum()),
        "robber": THEIR_TILES[int(record.robber)],
        "prompt": PROMPTS.get(int(record.phase), "PLAY_TURN"),
        "actor": state.player,
        "turn": int(record.mover),
        "nturn": turns_counted(record, players),
        "disc": record.owed[:players].tolist(),
        "free": int(record.free_roads),
    }
