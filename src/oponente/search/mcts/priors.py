"""Priors of actions for Python code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from oponente.kernel import State, entry, prior_weights


@entry
def weigh(game: Any, prior: Any, states: Any, actions: Any, out: Any) -> Any:
    """Write the weights of actions in ``states[0]`` to `out`."""
    prior_weights(prior, game, states[0], actions, actions.size, out)
    return 0


def action_priors(state: State, prior: Any, actions: Sequence[int]) -> list[float]:
    """Return the prior probabilities of legal actions; all alike if all have weight 0."""
    out = np.zeros(len(actions))
    weigh(state.game.tables, prior, state.array, np.array(actions, np.int32), out)
    total = float(out.sum())
    return [float(weight) / total if total > 0.0 else 1.0 / len(actions) for weight in out]
