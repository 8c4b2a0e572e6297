"""Pruning at chance nodes: Star1 and Star2 (B. Ballard, "The *-minimax search procedure for trees containing chance
nodes", 1983; T. Hauk, M. Buro, J. Schaeffer, "Rediscovering *-minimax search", 2004).

The value of a chance node is the mean of its outcomes' values, each of which lies between known bounds: the least and
the greatest value that the evaluator can give, or closer ones once something of the outcome was searched. So the sums
of the lower and of the upper bounds enclose the value of the node. An outcome's value matters only as far as it could
still bring the node between `alpha` and `beta`: with the other outcomes at their upper bounds it would have to exceed

    A = (alpha - sum over the others of p * high) / p

and with the others at their lower bounds stay below

    B = (beta - sum over the others of p * low) / p.

*Star1* searches each outcome with this window, and leaves the node as soon as the sum of the upper bounds falls to
`alpha` or that of the lower bounds rises to `beta`. *Star2* first probes each outcome: it searches one action there,
the most promising one, which gives a lower bound where the root's player moves next, and an upper one where others do.
Often that suffices; if not, all outcomes are searched with the closer bounds.

With both, outcomes are taken in order of their probability.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit
from oponente.search.frames import DONE, FULL


@njit
def outcome_window(frame: Any, branch: Any) -> Any:
    """Return the window with which an outcome of a chance node is searched."""
    above = frame.high - branch.prob * branch.high
    below = frame.low - branch.prob * branch.low
    return (frame.alpha - above) / branch.prob, (frame.beta - below) / branch.prob


@njit
def back_up_outcome(frame: Any, branch: Any, below: Any, settings: Any) -> int:
    """Let a chance node take the result of an outcome; return the verdict."""
    if frame.phase == FULL:
        frame.expected += branch.prob * below.low
    if not settings.star or not settings.prune:
        return 0
    narrow_outcome(frame, branch, below)
    return DONE if star_cuts(frame, below, settings) else 0


@njit
def is_idle_probe(frame: Any, settings: Any, drawing: Any) -> bool:
    """Tell whether Star2's probe of a frame would tell nothing: it goes no deeper than to a decision, and one action
    of the root's player gives a lower bound, which is of use below a finite `beta` only; of others, the reverse.
    """
    if drawing:
        return True
    return frame.beta == np.inf if frame.mover == settings.me else frame.alpha == -np.inf


@njit
def narrow_outcome(frame: Any, branch: Any, below: Any) -> None:
    """Let the result of the frame below narrow the bounds of the outcome that led there, and those of the node."""
    low, high = max(branch.low, below.low), min(branch.high, below.high)
    frame.low += branch.prob * (low - branch.low)
    frame.high += branch.prob * (high - branch.high)
    branch.low, branch.high = low, high


@njit
def star_cuts(frame: Any, below: Any, settings: Any) -> bool:
    """Tell whether the outcome just searched or probed settles the node, and complete the node's bounds if it does."""
    if frame.phase == FULL and below.low < below.high:
        # It lies beyond its window, so the node lies beyond its own: the rounding of sums must not blur that.
        if below.high <= below.alpha:
            frame.high = min(frame.high, frame.alpha)
        else:
            frame.low = max(frame.low, frame.beta)
    elif frame.phase == FULL and frame.next + 1 == frame.count:
        return False
    if frame.high <= frame.alpha:
        if frame.low == frame.high:  # only a node that was searched to its end is exact
            frame.low = settings.low
        return True
    if frame.low >= frame.beta:
        if frame.low == frame.high:
            frame.high = settings.high
        return True
    return False
