"""Risk: the thesis's agents as one policy, so that whole games between them run in one kernel.

Which agent plays is chosen by the seat; what it remembers, and its tree, are arrays that the policy changes. So it is no
playout policy for searches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.risk.state import SEATS
from oponente.games.risk.thesis.angry import angry_step
from oponente.games.risk.thesis.cluster import cluster_step
from oponente.games.risk.thesis.random import random_step
from oponente.kernel import Token, njit

OWN_KNOWLEDGE = True
RANDOM, ANGRY, CLUSTER, MONTE_CARLO = range(4)
MEMORY = 8


class Script(NamedTuple):
    """Which agent plays each seat, and what it remembers."""

    token: Token
    kinds: npt.NDArray[np.int8]
    """One per seat."""
    memory: npt.NDArray[np.int32]
    """A row per seat."""


def new_script() -> Script:
    """Return a script whose agents remember nothing."""
    return Script(Token(__name__), np.zeros(SEATS, np.int8), np.zeros((SEATS, MEMORY), np.int32))


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the agent in the seat of the player on turn does."""
    seat = np.int64(state.mover)
    kind = policy.kinds[seat]
    if kind == RANDOM:
        return random_step(game, state, rng)
    if kind == ANGRY:
        return angry_step(game, state)
    return cluster_step(game, state, policy.memory[seat])
