"""Catan: evaluations by victory points.

``thesis``
    Paz and Rubin (PUCRS 2016), equation 4.1, the worth of a finished game for player i: points / 10, and for the winner
    ``2 * 100 / t`` more, t being the number of turns played.
``points``
    a player's victory points, hidden ones included, / 10.
``potential``
    the same with the points that the player could build at once from the cards in hand: the thesis's quick first
    estimate of a new node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.building import CITIES, SETTLEMENTS, settlement_places
from oponente.games.catan.cards import CARD_COST, CITY_COST, DECK, SETTLEMENT_COST, VICTORY_POINT, holds
from oponente.games.catan.development import deck_size
from oponente.games.catan.knowledge import hand
from oponente.games.catan.turn import all_points
from oponente.kernel import Token, njit
from oponente.kernel.bits import popcount

CHANCE_OF_POINT = DECK[VICTORY_POINT] / sum(DECK)
"""How often a development card is a victory point."""


class PointsValue(NamedTuple):
    """What counts besides the points."""

    token: Token
    winning: float
    """For the winner, divided by the number of turns."""
    possible: float
    """For each point that could be built at once."""


THESIS = PointsValue(Token(__name__), 200.0, 0.0)
POINTS = PointsValue(Token(__name__), 0.0, 0.0)
POTENTIAL = PointsValue(Token(__name__), 0.0, 1.0)


def value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:
    """Return the bounds of the values: nobody has more than all buildings, both titles and all victory point cards."""
    buildings, special = SETTLEMENTS + 2 * CITIES, 2 + 2 + DECK[VICTORY_POINT]
    weight, players = max(1.0, evaluator.possible), int(game.rules["players"])
    high = weight * (buildings + special + 1) / 10.0 + evaluator.winning
    return 0.0, high, weight * (players * (buildings + 1) + special) / 10.0 + evaluator.winning


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player the value."""
    for seat in range(game.rules.players):
        value = np.float64(all_points(state, seat))
        if evaluator.possible != 0.0:
            value += evaluator.possible * possible_points(state, seat)
        out[seat] = value / 10.0
        if state.winner == seat:
            out[seat] += evaluator.winning / (state.turn if state.turn > 0 else 1)


@njit
def possible_points(state: Any, seat: Any) -> float:
    """Return the points that a player can build at once: cities first, then settlements, then development cards."""
    cards = hand(state, seat)
    settlements, cities = popcount(state.settlements[seat]), popcount(state.cities[seat])
    points = 0.0
    while settlements > 0 and cities < CITIES and holds(cards, CITY_COST):
        cards -= CITY_COST
        settlements -= 1
        cities += 1
        points += 1.0
    if settlements < SETTLEMENTS and holds(cards, SETTLEMENT_COST) and settlement_places(state, seat) != 0:
        cards -= SETTLEMENT_COST
        points += 1.0
    if holds(cards, CARD_COST) and deck_size(state) > 0:
        points += CHANCE_OF_POINT
    return points
