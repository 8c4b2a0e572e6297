"""Evaluators, playout policies, priors, beliefs and features: what a search can be given besides a game.

All are named tuples with a token, like a game's tables, so a user's own run at the same speed as the package's.

An *evaluator* module provides ``evaluate(evaluator, game, state, out)``; a *playout policy* module provides
``playout_action(policy, game, state, rng, buffer)``; a *prior* says before any search how good actions are, a *belief*
how likely what is hidden. The module may be any, also the one that holds the rules; one module holds at most one of
each kind.

The module of a policy may declare ``OWN_KNOWLEDGE = True``: the policy reads nothing of a state that the player to move
does not know. An agent that plays such a policy needs no sample of what is hidden. The conformance checks see to it
that this is true.

*Features* are what a network sees of a state: the encoding of the game, or what a module of features writes, which
holds their number ``FEATURES`` and ``features(kind, game, state, seat, out)``.

The module of an evaluator may hold a plain function ``value_bounds(evaluator, game)``, which returns the least and the
greatest value of a player and the greatest sum of the values of all players; `game` are the game's tables. Some
searches leave out much more when they know them, and are wrong when these are.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oponente.kernel.rules import encode
from oponente.kernel.tokens import generic


@generic(required=True)
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Write to `out` (float64, one per player) how good the state is for each player, terminal states included.

    `state` is not at a chance node unless the search cuts off there.
    """


@generic(required=True)
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return the action of the player to move in a playout. `buffer` is int32, `MAX_ACTIONS` long."""


@generic(required=False)
def redundant(policy: Any, game: Any, state: Any, before: Any, action: Any) -> bool:
    """Tell whether `action` would undo `before`, the last action of the player to move: playouts may avoid it."""
    return False


@generic(required=False)
def stale(policy: Any, game: Any, state: Any) -> bool:
    """Tell whether the player at the root has been lately where it is in `state`: a search may avoid that (`taboo`)."""
    return False


@generic(required=False)
def prior_weights(prior: Any, game: Any, state: Any, actions: Any, count: Any, out: Any) -> None:
    """Write to `out` (float64) how likely each of the first `count` of `actions` (int32) is the best one.

    The actions are legal ones of the player to move. Weights are not negative and need not sum to 1.
    """
    for i in range(count):
        out[i] = 1.0


@generic(required=False)
def likelihood(belief: Any, game: Any, state: Any, player: Any) -> float:
    """Return how likely it is, up to a factor, that what `player` can't see is as in `state`.

    `state` is a sample as ``determinize`` of the game draws it, so this says what speaks for it beyond that: how the
    others have played, for example. Not negative.
    """
    return 1.0


@generic(required=False)
def features(kind: Any, game: Any, state: Any, seat: Any, out: Any) -> None:
    """Write the features of a state, as a seat knows it, to `out` (floats): the game's encoding unless a module says
    else.

    `out` holds zeros, as many as there are features.
    """
    encode(game, state, seat, out)


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
