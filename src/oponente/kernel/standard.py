"""The evaluator, the playout policy and the features that exist for every game.

As an evaluator, `OUTCOME` gives the utility at terminal states and 0 elsewhere. As a playout policy, `UNIFORM` plays
each listed legal action with equal probability. As features, `ENCODED` are the game's encoding: the contract's default.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oponente.kernel.compilation import njit
from oponente.kernel.rules import TERMINAL, player, returns, sample_action
from oponente.kernel.tokens import Token


class Standard(NamedTuple):
    """Has no tables."""

    token: Token


OUTCOME = Standard(Token(__name__))
UNIFORM = Standard(Token(__name__))
ENCODED = Standard(Token(__name__))


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give the utility at terminal states and 0 elsewhere."""
    if player(game, state) == TERMINAL:
        returns(game, state, out)
    else:
        out[:] = 0.0


def value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:
    """Return the bounds of the game's utilities, with the 0 that stands for unfinished games among them."""
    rules = game.token.module
    low, high = getattr(rules, "UTILITY", (-1.0, 1.0))
    return min(low, 0.0), max(high, 0.0), max(getattr(rules, "UTILITY_SUM", math.inf), 0.0)


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw from the listed legal actions, each equally likely."""
    return sample_action(game, state, rng, buffer)
