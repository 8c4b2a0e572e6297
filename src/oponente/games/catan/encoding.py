"""Catan: the feature vector of what a seat knows.

Seats are in the order of play from the one that looks on, which is seat 0. The parts, one after the other, each from
its offset on (:data:`PARTS` has them by name):

==========  ======  ========  =======================================================================================
part        offset  shape     features
==========  ======  ========  =======================================================================================
tiles       0       19 x 8    one-hot terrain (five resources, desert), chance of the number in 36ths / 5, robber
harbours    152     9 x 6     one-hot kind
nodes       206     54 x 8    of each seat: a settlement, a city
edges       638     108 x 4   of each seat: a road, first across from each node, then down from each
seats       1070    4 x 32    see :func:`encode_seat`; zeros beyond the number of players, and in the last of each
own cards   1198    2 x 5     development cards in hand, and those of them that were bought this turn
bank        1208    6         resource cards / 19, and development cards / 25
turn        1214    20        one-hot phase (13), turn / 100, sum rolled / 12, card played, roads free, offers made
                              this turn, cards owed, and whether the seat decides
offer       1234    11        whether one is pending (it is of the seat whose turn it is), resource cards that it
                              gives (5) and wants (5)
answers     1245    4 x 13    of each seat to that offer: accepted, rejected, countered; resource cards that the
                              counter-offer gives (5) and wants (5). Zeros: not asked yet, or it is its own
==========  ======  ========  =======================================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import HARBOURS, NODES, ONE, TILES
from oponente.games.catan.cards import DESERT, VICTORY_POINT, count_of
from oponente.games.catan.development import deck_size
from oponente.games.catan.knowledge import hand_size, pool, share, share_weight, unknown_cards
from oponente.games.catan.moves import ACCEPT, OFFER, REJECT
from oponente.games.catan.trade import given_in, wanted_in
from oponente.kernel import njit

PHASES, SEAT_FEATURES, ANSWER_FEATURES = 13, 32, 13
_HARBOURS = TILES * 8
_NODES = _HARBOURS + HARBOURS * 6
_EDGES = _NODES + NODES * 8
_SEATS = _EDGES + 2 * NODES * 4
_CARDS = _SEATS + 4 * SEAT_FEATURES
_BANK = _CARDS + 10
_TURN = _BANK + 6
_OFFER = _TURN + PHASES + 7
_ANSWERS = _OFFER + 11
ENCODING = _ANSWERS + 4 * ANSWER_FEATURES

PARTS: dict[str, tuple[int, tuple[int, ...]]] = {
    "tiles": (0, (TILES, 8)),
    "harbours": (_HARBOURS, (HARBOURS, 6)),
    "nodes": (_NODES, (NODES, 8)),
    "edges": (_EDGES, (2 * NODES, 4)),
    "seats": (_SEATS, (4, SEAT_FEATURES)),
    "own cards": (_CARDS, (2, 5)),
    "bank": (_BANK, (6,)),
    "turn": (_TURN, (PHASES + 7,)),
    "offer": (_OFFER, (11,)),
    "answers": (_ANSWERS, (4, ANSWER_FEATURES)),
}
"""Offset and shape of each part."""


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """Write the features of the state, as far as `player` knows it."""
    for i in range(ENCODING):
        out[i] = 0.0
    for tile in range(TILES):
        at = tile * 8
        out[at + (5 if state.terrain[tile] == DESERT else np.int64(state.terrain[tile]))] = 1.0
        number = np.int64(state.number[tile])
        if number > 0:
            out[at + 6] = (number - 1 if number < 7 else 13 - number) / 5.0
        out[at + 7] = state.robber == tile
    for i in range(HARBOURS):
        out[_HARBOURS + i * 6 + np.int64(state.harbour[i])] = 1.0
    for k in range(game.rules.players):
        seat = (player + k) % game.rules.players
        for node in range(NODES):
            place = ONE << np.uint64(node)
            out[_NODES + node * 8 + 2 * k] = state.settlements[seat] & place != 0
            out[_NODES + node * 8 + 2 * k + 1] = state.cities[seat] & place != 0
            out[_EDGES + node * 4 + k] = state.across[seat] & place != 0
            out[_EDGES + (NODES + node) * 4 + k] = state.down[seat] & place != 0
        encode_seat(game, state, player, seat, out, _SEATS + k * SEAT_FEATURES)
        encode_answer(state, seat, out, _ANSWERS + k * ANSWER_FEATURES)
    for card in range(5):
        out[_CARDS + card] = state.cards[player, card]
        out[_CARDS + 5 + card] = state.fresh[card] if state.mover == player else 0
        out[_BANK + card] = count_of(state.bank, card) / 19.0
    out[_BANK + 5] = deck_size(state) / 25.0
    out[_TURN + np.int64(state.phase)] = 1.0
    rest = _TURN + PHASES
    out[rest] = state.turn / 100.0
    out[rest + 1] = state.rolled / 12.0
    out[rest + 2] = state.card_played
    out[rest + 3] = state.free_roads
    out[rest + 4] = state.offers
    out[rest + 5] = state.owed[player]
    out[rest + 6] = state.actor == player
    if state.offer:
        out[_OFFER] = 1.0
        encode_terms(state.offer, out, _OFFER + 1)


@njit
def encode_terms(offer: Any, out: Any, at: Any) -> None:
    """Write the resource cards that an offer gives (5) and wants (5)."""
    give, want = given_in(offer), wanted_in(offer)
    for i in range(5):
        out[at + i] = count_of(give, i)
        out[at + 5 + i] = count_of(want, i)


@njit
def encode_answer(state: Any, seat: Any, out: Any, at: Any) -> None:
    """Write what a seat answers to the pending offer, zeros if nothing yet: all have heard it."""
    answer = state.answer[seat]
    out[at] = answer == ACCEPT
    out[at + 1] = answer == REJECT
    if answer >= OFFER:
        out[at + 2] = 1.0
        encode_terms(answer, out, at + 3)


@njit
def encode_seat(game: Any, state: Any, player: Any, seat: Any, out: Any, at: Any) -> None:
    """Write the features of a player, as another one knows it.

    Cards of each resource known for certain (5) and expected beyond those (5), resource cards, development cards,
    those played by kind (5), public points / 10, road length, whether it holds the longest road and the largest army,
    harbours by kind (6), cards owed, whether it is its turn and its decision; the own points with hidden cards / 10.
    """
    size = np.int64(0)
    cards = pool(game, state, player)
    weight = share_weight(state, seat, player, cards)
    unknown = unknown_cards(state, seat, player)
    for i in range(5):
        out[at + i] = count_of(state.known[seat, player], i)
        there = count_of(cards, i) > 0
        out[at + 5 + i] = unknown * weight * share(state, seat, player, i) if there else 0.0
        out[at + 12 + i] = state.played[seat, i]
        size += np.int64(state.cards[seat, i])
    out[at + 10] = hand_size(state, seat)
    out[at + 11] = size
    out[at + 17] = state.points[seat] / 10.0
    out[at + 18] = state.road_length[seat]
    out[at + 19] = state.road_holder == seat
    out[at + 20] = state.army_holder == seat
    for kind in range(6):
        out[at + 21 + kind] = np.int64(state.reach[seat]) >> kind & 1
    out[at + 27] = state.owed[seat]
    out[at + 28] = state.mover == seat
    out[at + 29] = state.actor == seat
    if seat == player:
        out[at + 30] = (state.points[seat] + np.int64(state.cards[seat, VICTORY_POINT])) / 10.0
