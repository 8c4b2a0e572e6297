"""Risk: the thesis's agents as one policy, so that whole games between them run in one kernel.

Which agent plays is chosen by the seat; what it remembers, and its tree, are arrays that the policy changes. So it is
no playout policy for searches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.risk.state import MAX_TERRITORIES, SEATS
from oponente.games.risk.thesis.angry import angry_step
from oponente.games.risk.thesis.cluster import cluster_step
from oponente.games.risk.thesis.common import PATH
from oponente.games.risk.thesis.montecarlo import MOST_STEPS, montecarlo_step
from oponente.games.risk.thesis.random import random_step
from oponente.games.risk.thesis.tree import TreeArrays
from oponente.kernel import Token, njit

OWN_KNOWLEDGE = True
RANDOM, ANGRY, CLUSTER, MONTE_CARLO = range(4)
MEMORY = PATH + 2 * MOST_STEPS


class Script(NamedTuple):
    """Which agent plays each seat, and what it remembers."""

    token: Token
    kinds: npt.NDArray[np.int8]
    """One per seat."""
    memory: npt.NDArray[np.int32]
    """A row per seat."""
    key: npt.NDArray[np.int16]
    """Work space."""
    first: TreeArrays
    """The tree of the first seat, and of the second."""
    second: TreeArrays


def new_memory(size: int = MEMORY) -> npt.NDArray[np.int32]:
    """Return memory for all seats; for seats none of which learns, `PATH` is enough."""
    return np.zeros((SEATS, size), np.int32)


def new_script(
    kinds: npt.NDArray[np.int8], memory: npt.NDArray[np.int32], trees: tuple[TreeArrays, TreeArrays]
) -> Script:
    """Return a script of agents of the given kinds, with their memory (a row per seat) and trees."""
    return Script(Token(__name__), kinds, memory, np.zeros(MAX_TERRITORIES, np.int16), *trees)


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the agent in the seat of the player on turn does."""
    seat = np.int64(state.mover)
    kind = policy.kinds[seat]
    if kind == RANDOM:
        return random_step(game, state, rng)
    if kind == ANGRY:
        return angry_step(game, state)
    memory = policy.memory[seat]
    if kind == CLUSTER:
        return cluster_step(game, state, memory)
    if seat == 0:
        return montecarlo_step(game, state, rng, memory, policy.first, policy.key)
    return montecarlo_step(game, state, rng, memory, policy.second, policy.key)
