"""Evaluators and playout policies: the two things a search can be given besides a game.

Both are named tuples with a token, like a game's tables, so a user's own run at the same speed as the package's.

An *evaluator* module provides ``evaluate(evaluator, game, state, out)``; a *playout policy* module provides
``playout_action(policy, game, state, rng, buffer)``. The module may be any, also the one that holds the rules; one
module holds at most one evaluator and one policy.

The module of a policy may declare ``OWN_KNOWLEDGE = True``: the policy reads nothing of a state that the player to move
does not know. An agent that plays such a policy needs no sample of what is hidden. The conformance checks see to it
that this is true.

The module of an evaluator may hold a plain function ``value_bounds(evaluator, game)``, which returns the least and the
greatest value of a player and the greatest sum of the values of all players; `game` are the game's tables. Some
searches leave out much more when they know them, and are wrong when these are.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oponente.kernel.tokens import generic


@generic(required=True)
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Write to `out` (float64, one per player) how good the state is for each player, terminal states included.

    `state` is not at a chance node unless the search cuts off there.
    """


@generic(required=True)
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return the action of the player to move in a playout. `buffer` is int32, `MAX_ACTIONS` long."""


class ValueBounds(NamedTuple):
    """What limits the values that an evaluator gives."""

    low: float = -math.inf
    """The least value of a player."""
    high: float = math.inf
    """The greatest value of a player."""
    most: float = math.inf
    """The greatest sum of the values of all players."""


def value_bounds(evaluator: Any, game: Any) -> ValueBounds:
    """Return what the module of an evaluator says of its values; no limits if it says nothing.

    Args:
        evaluator: tables with a token.
        game: the tables of the game.
    """
    declared = getattr(evaluator.token.module, "value_bounds", None)
    return ValueBounds(*declared(evaluator, game)) if declared else ValueBounds()
