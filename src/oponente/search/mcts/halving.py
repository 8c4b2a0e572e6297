"""Pure exploration at the root: sequential halving, and Gumbel with sequential halving.

Sources: Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits" (ICML 2013); T. Pepels et
al., "Minimizing simple and cumulative regret in Monte-Carlo tree search" (2014), which keeps UCT below the root, as
here; I. Danihelka, A. Guez, J. Schrittwieser, D. Silver, "Policy improvement by planning with Gumbel" (ICLR 2022), for
the root only. Differences: a budget that can't try all actions in every round tries some, drawn at random; the first
source assumes that it can.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from oponente.kernel import Control, Stream
from oponente.kernel.random import generator
from oponente.search.mcts.decision import RootMove, root_moves
from oponente.search.mcts.engine import Engine

GUMBEL_VISITS, GUMBEL_SCALE = 50.0, 1.0
"""c_visit and c_scale of the paper, section 3.4."""

Score = Callable[[RootMove, int], float]
"""How good an arm is, of which the one visited most was visited so often."""


def rounds(count: int, budget: int) -> list[int]:
    """Return how many simulations each round of sequential halving of `count` arms gets; they sum to `budget`.

    >>> rounds(7, 100)
    [33, 33, 34]
    """
    number = max(1, math.ceil(math.log2(count))) if count > 1 else 1
    ends = [budget * (i + 1) // number for i in range(number)]
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]


def most_arms(count: int, budget: int) -> int:
    """Return how many of `count` arms a budget can try: as many as get a simulation each in every round, at least one.

    That is the condition of Karnin et al., ``budget >= arms * ceil(log2 arms)``. With more arms some would never be
    tried, and those that are would be the ones that come first.

    >>> most_arms(7, 100), most_arms(54, 100), most_arms(9, 16)
    (7, 20, 5)
    """
    low, high = 1, max(1, count)
    while low < high:
        middle = (low + high + 1) // 2
        if middle * math.ceil(math.log2(middle)) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def halve(
    engine: Engine,
    arms: Sequence[int],
    budget: int,
    control: Control,
    score: Score,
    slot: tuple[int, int] = (0, 1),
) -> tuple[int, int]:
    """Search the arms, after each round only the better half of them; return the simulations run and the best action.

    Where the time is limited all rounds get the same part of it.

    Args:
        engine: the tree, begun.
        arms: actions at the root, no more than :func:`most_arms`; of equals the earlier one stays.
        budget: simulations.
        control: stops the search.
        score: by which arms are compared.
        slot: which part of the time it has, and of how many.
    """
    left, done = list(arms), 0
    sizes = rounds(len(arms), budget)
    for number, size in enumerate(sizes, 1):
        if control.has_deadline:
            control.part(slot[0] * len(sizes) + number, slot[1] * len(sizes))
        done += engine.run(size, control, left)
        moves = root_moves(engine)
        most = max((move.visits for move in moves), default=0)
        known = {move.action: score(move, most) for move in moves}
        left.sort(key=lambda action: known.get(action, -math.inf), reverse=True)  # stable: of equals the earlier
        if control.stopped or engine.proven:
            break
        if len(left) > 1:
            left = left[: (len(left) + 1) // 2]
    return done, left[0]


def by_mean(move: RootMove, most: int) -> float:
    """Compare by the mean reward."""
    return move.mean


class Gumbel:
    """Samples the actions to be considered without replacement, and scores them as the paper does.

    Args:
        actions: the legal actions.
        logits: logarithms of their priors.
        considered: how many to sample at most.
        span: the difference between the greatest and the least reward.
        rng: stream.
    """

    def __init__(
        self, actions: Sequence[int], logits: Sequence[float], considered: int, span: float, rng: Stream
    ) -> None:
        uniform = generator(rng).random(len(actions))
        noise = -np.log(-np.log(np.maximum(uniform, 1e-300)))
        self._bias = {a: float(g + logit) for a, g, logit in zip(actions, noise, logits, strict=True)}
        self._span = span
        self.actions = sorted(actions, key=lambda action: -self._bias[action])[:considered]

    def score(self, move: RootMove, most: int) -> float:
        """Return Gumbel noise and logit of an action, and how good it proved."""
        if move.value is None:
            return -math.inf
        value = move.mean / self._span
        return self._bias[move.action] + (GUMBEL_VISITS + most) * GUMBEL_SCALE * value
