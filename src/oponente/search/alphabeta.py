"""Alpha-beta (D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975), with bounds that fail soft (J. Fishburn,
1983).

The player at the root maximises its own value, whoever else moves minimises it, as in minimax. A frame is asked for a
value between `alpha`, which the root's player is sure of on the way to it, and `beta`, to which the others are sure to
hold it. As soon as the value is known not to lie between them, the rest of the frame is left out.

The value is that of minimax, always, and so is the action chosen at the root, whatever the order in which actions are
tried: the first in the game's order of those with the greatest value. For that, an action at the root that comes before
the best one so far in the game's order, but is tried later, is asked whether it is at least as good, any other whether
it is better.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit
from oponente.search.frames import BETTER, DONE, MAXIMISING, MINIMISING


@njit
def branch_window(frame: Any, branch: Any, settings: Any, ply: Any) -> Any:
    """Return between which bounds the value of a branch matters to a frame."""
    if frame.kind == MAXIMISING:
        if ply == 0 and settings.every_root:
            return -np.inf, np.inf
        if frame.low <= frame.alpha:
            return frame.alpha, frame.beta
        if ply == 0 and branch.index < frame.best_index:
            return np.nextafter(frame.low, -np.inf), frame.beta
        return frame.low, frame.beta
    if frame.kind == MINIMISING:
        return frame.alpha, min(frame.beta, frame.high)
    return frame.alpha, frame.beta


@njit
def back_up_maximising(frame: Any, branch: Any, below: Any, settings: Any, ply: Any) -> int:
    """Let a frame of the root's player take the result of a branch; return the verdict."""
    verdict = 0
    equal_but_earlier = ply == 0 and below.low == frame.low == below.high and branch.index < frame.best_index
    if frame.next == 0 or below.low > frame.low or equal_but_earlier:
        frame.low = below.low
        frame.best_move, frame.best_index = branch.move, branch.index
        verdict = BETTER
    frame.high = max(frame.high, below.high)
    if settings.prune and frame.low >= frame.beta and frame.next + 1 < frame.count:
        frame.high = settings.high
        verdict += DONE
    return verdict


@njit
def back_up_minimising(frame: Any, branch: Any, below: Any, settings: Any) -> int:
    """The same for a frame of somebody else."""
    verdict = 0
    if frame.next == 0 or below.high < frame.high:
        frame.high = below.high
        frame.best_move, frame.best_index = branch.move, branch.index
        verdict = BETTER
    frame.low = min(frame.low, below.low)
    if settings.prune and frame.high <= frame.alpha and frame.next + 1 < frame.count:
        frame.low = settings.low
        verdict += DONE
    return verdict
