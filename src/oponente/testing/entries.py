"""Kernels of the suite: what searches do with a game and Python code never does, called as searches call it."""

from __future__ import annotations

from typing import Any

from oponente.kernel import (
    copy_state,
    entry,
    evaluate,
    features,
    hash_state,
    likelihood,
    playout_action,
    prior_weights,
    redundant,
    stale,
)


@entry
def copy_one(game: Any, states: Any, to: Any, origin: Any) -> None:
    """Copy record `origin` of `states` to record `to`."""
    copy_state(game, states, to, origin)


@entry
def evaluate_one(evaluator: Any, game: Any, states: Any, out: Any) -> None:
    """Write the evaluator's values of ``states[0]`` to `out` (float64, one per player)."""
    evaluate(evaluator, game, states[0], out)


@entry
def playout_action_one(policy: Any, game: Any, states: Any, rng: Any, buffer: Any) -> int:
    """Return the policy's action at ``states[0]``; `buffer` is int32, `MAX_ACTIONS` long."""
    return int(playout_action(policy, game, states[0], rng, buffer))


@entry
def hash_one(game: Any, states: Any, words: Any, out: Any) -> None:
    """Write the two words by which ``states[0]`` is known to `out` (uint64); `words` are its bytes."""
    hash_state(game, states[0], words, out)


@entry
def redundant_one(policy: Any, game: Any, states: Any, before: Any, action: Any) -> float:
    """Return whether an action would undo the one before, in the policy's eyes."""
    found: float = 0.0 + redundant(policy, game, states[0], before, action)  # Numba makes no float of a bool
    return found


@entry
def stale_one(policy: Any, game: Any, states: Any) -> float:
    """Return whether the player at the root has been lately where it is in ``states[0]``, in the policy's eyes."""
    found: float = 0.0 + stale(policy, game, states[0])
    return found


@entry
def features_one(kind: Any, game: Any, states: Any, seat: Any, out: Any) -> None:
    """Write the features of ``states[0]`` as a seat knows it to `out`."""
    features(kind, game, states[0], seat, out)


@entry
def prior_weights_one(prior: Any, game: Any, states: Any, actions: Any, count: Any, out: Any) -> None:
    """Write the prior weights of the first `count` of `actions` (int32) in ``states[0]`` to `out` (float64)."""
    prior_weights(prior, game, states[0], actions, count, out)


@entry
def likelihood_one(belief: Any, game: Any, states: Any, seat: Any) -> float:
    """Return how likely it is that what a seat can't see is as in ``states[0]``."""
    return float(likelihood(belief, game, states[0], seat))
