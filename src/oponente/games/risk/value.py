"""Risk: an evaluation of positions: each player's share of the strength of all.

The strength of a player is what counts in the turns to come: armies on the board and to be placed, the income of some
turns, how near continents are, what the cards in hand are worth at the present value of a set, and how little of the
front is to be guarded.
Strengths are raised to a power, since who is stronger grows stronger; the share is scaled to utilities, -1 to 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at
from oponente.games.risk.cards import hand_size, next_set_value
from oponente.games.risk.income import continent_income, due, territory_income
from oponente.games.risk.moves import OVER
from oponente.games.risk.state import DRAW
from oponente.kernel import Token, njit
from oponente.kernel.bits import lowest_bit, popcount


class Strength(NamedTuple):
    """The weights."""

    token: Token
    territories: float
    """Of a territory, in armies."""
    income: float
    """Of an army of income a turn."""
    continents: float
    """Of an army of the bonus of each continent, by the square of the share of its territories that are held."""
    cards: float
    """Of a third of the value of the next set, for each card."""
    frontier: float
    """Of the share of the own armies that do not stand on borders, which are of less use."""
    power: float
    """To which strengths are raised."""


STRENGTH = Strength(Token(__name__), 0.3, 2.5, 0.0, 0.8, 0.5, 1.6)


def value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:
    """Return the bounds of the values: shares of one whole, scaled."""
    return -1.0, 1.0, 2.0 - int(game.rules["players"])


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player 2 * share - 1, at the end of the game its utility."""
    players = np.int64(out.size)
    if state.phase == OVER:
        for seat in range(players):
            draw = (2.0 - players) / players
            out[seat] = draw if state.winner == DRAW else 1.0 if state.winner == seat else -1.0
        return
    total = 0.0
    for seat in range(players):
        out[seat] = strength_of(evaluator, game, state, seat) ** evaluator.power
        total += out[seat]
    for seat in range(players):
        out[seat] = 2.0 * out[seat] / total - 1.0 if total > 0.0 else 2.0 / players - 1.0


@njit
def strength_of(evaluator: Any, game: Any, state: Any, seat: Any) -> float:
    """Return the strength of a player, 0 for one who is out."""
    own = state.held[seat]
    if own == NO_TERRITORIES:
        return 0.0 if state.turn > 0 else 1.0
    strength = np.float64(due(game, state, seat))
    left = own
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        armies = armies_at(state, territory)
        inside = game.rules.neighbours[territory] & ~own == NO_TERRITORIES
        strength += evaluator.territories + (1.0 - evaluator.frontier * inside) * armies
    income = territory_income(game, state, seat) + continent_income(game, state, seat)
    strength += evaluator.income * income
    if evaluator.continents > 0.0:
        strength += evaluator.continents * continent_shares(game, own)
    if game.rules.cards:
        strength += evaluator.cards * hand_size(state, seat) * next_set_value(game, state) / 3.0
    return strength


@njit
def continent_shares(game: Any, own: Any) -> float:
    """Return the bonuses of all continents, each by the square of the share of its territories that are held."""
    total = 0.0
    for continent in range(game.rules.continents):
        whole = game.rules.continent[continent]
        share = np.float64(popcount(own & whole)) / np.float64(popcount(whole))
        total += np.float64(game.rules.bonus[continent]) * share * share
    return total
