"""Risk: the feature vector of what a seat knows.

Seats are in the order of play from the one that looks on. The parts, one after the other:

======================  ===========================================================================================
territories, 60 x 10    one-hot owner (six seats, neutral, free), armies / 10, whether the attack or move begins or
                        ends there
seats, 6 x 8            territories / 10, armies / 50, income / 10, cards / 5, armies to place / 10, whether it is the
                        seat's turn, whether it is its decision, whether there is a set in hand (own seat)
continents, 16 x 6      share of its territories that each seat holds
capitals, 60            whether each territory is the own capital, or one that is known (0.5)
own cards, 64           one-hot
own mission, 32         one-hot
turn, 22                one-hot phase, turn / 100, sets traded / 10, conquered, dice, moves left, discards / 44
======================  ===========================================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE
from oponente.games.risk.cards import hand_size, has_set
from oponente.games.risk.income import continent_income, due, territory_income
from oponente.games.risk.moves import CHOOSING_CAPITAL
from oponente.games.risk.state import MAX_CONTINENTS, MAX_MISSIONS, MAX_TERRITORIES, NEUTRAL, NONE, SEATS
from oponente.kernel import njit
from oponente.kernel.bits import popcount

PLACE_FEATURES, SEAT_FEATURES, PHASES = 10, 8, 16
_SEATS = MAX_TERRITORIES * PLACE_FEATURES
_CONTINENTS = _SEATS + SEATS * SEAT_FEATURES
_CAPITALS = _CONTINENTS + MAX_CONTINENTS * SEATS
_CARDS = _CAPITALS + MAX_TERRITORIES
_MISSION = _CARDS + 64
_TURN = _MISSION + MAX_MISSIONS
ENCODING = _TURN + PHASES + 6


@njit
def armies_of(game: Any, state: Any, seat: Any) -> int:
    """Return how many armies a player has on the board."""
    total = np.int64(0)
    for territory in range(game.rules.territories):
        if state.owner[territory] == seat:
            total += np.int64(state.armies[territory])
    return total


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """Write the features of the state, as far as `player` knows it."""
    for i in range(ENCODING):
        out[i] = 0.0
    players = np.int64(game.rules.players)
    for territory in range(game.rules.territories):
        at = territory * PLACE_FEATURES
        owner = np.int64(state.owner[territory])
        out[at + (owner if owner >= NEUTRAL else (owner - player + players) % players)] = 1.0
        out[at + 8] = state.armies[territory] / 10.0
        if territory in (state.origin, state.target):
            out[at + 9] = 1.0
    for k in range(players):
        seat = (player + k) % players
        encode_seat(game, state, seat, out, _SEATS + k * SEAT_FEATURES)
        for continent in range(game.rules.continents):
            whole = game.rules.continent[continent]
            out[_CONTINENTS + continent * SEATS + k] = popcount(whole & state.held[seat]) / popcount(whole)
        capital = np.int64(state.capital[seat])
        if capital != NONE and (k == 0 or state.phase != CHOOSING_CAPITAL):
            out[_CAPITALS + capital] = 1.0 if k == 0 else 0.5
    if has_set(game, state.hand[player]):
        out[_SEATS + 7] = 1.0
    for card in range(64):
        out[_CARDS + card] = state.hand[player] >> np.uint64(card) & ONE != NO_TERRITORIES
    if state.mission[player] != NONE:
        out[_MISSION + np.int64(state.mission[player])] = 1.0
    out[_TURN + np.int64(state.phase)] = 1.0
    rest = _TURN + PHASES
    out[rest] = state.turn / 100.0
    out[rest + 1] = state.sets / 10.0
    out[rest + 2] = state.conquered
    out[rest + 3] = state.dice
    out[rest + 4] = state.moves_left
    out[rest + 5] = popcount(state.discard) / 44.0


@njit
def encode_seat(game: Any, state: Any, seat: Any, out: Any, at: Any) -> None:
    """Write what all know of a player."""
    out[at] = popcount(state.held[seat]) / 10.0
    out[at + 1] = armies_of(game, state, seat) / 50.0
    out[at + 2] = (territory_income(game, state, seat) + continent_income(game, state, seat)) / 10.0
    out[at + 3] = hand_size(state, seat) / 5.0
    out[at + 4] = due(game, state, seat) / 10.0
    out[at + 5] = state.mover == seat
    out[at + 6] = state.actor == seat
