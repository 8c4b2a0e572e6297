"""Max^n: each player maximises the own value (C. Luckhardt, K. Irani, "An algorithmic solution of n-person games",
1986).

Every position has a value for each player; who moves takes the branch whose value is best for the mover, the first of
equals in the game's order.

Where the sum of all values and the value of a single player are bounded, *shallow pruning* is possible (R. Korf,
"Multi-player alpha-beta pruning", 1991). Let player P move at a node and Q at the one below. Once Q is sure of q there,
P can get no more than ``most - q - (n - 2) low`` by going there; if P already has as much elsewhere, the rest of Q's
branches don't matter. *Immediate pruning*: nobody can do better than the greatest value. Bounds from further above
(deep pruning) do not hold for three and more players, as Korf shows, and none pass a chance node.
"""

from __future__ import annotations

from typing import Any

from oponente.kernel import njit
from oponente.search.frames import BETTER, DONE, OWN


@njit
def back_up_own(frame: Any, branch: Any, below: Any, above: Any, settings: Any, values: Any, ply: Any) -> int:
    """Let a frame take the result of the frame below if its mover likes it better; return the verdict.

    Args:
        frame: where a player moves; its `low` is what the player has so far.
        branch: what was searched.
        below, above: the frames below and above; `above` is of no account at the root.
        settings: of the search.
        values: see :class:`~oponente.search.frames.Work`.
        ply: of the frame.
    """
    verdict = 0
    value = values[ply + 1, frame.mover]
    if below.exact and (frame.next == 0 or value > frame.low):
        frame.low = value
        frame.best_move = branch.move
        verdict = BETTER
    if settings.prune and frame.next + 1 < frame.count:
        if shallow_cut(frame, above, settings, ply):
            frame.exact = 0
            return verdict + DONE
        if frame.low >= settings.high and not (ply == 0 and settings.every_root):
            return verdict + DONE
    return verdict


@njit
def shallow_cut(frame: Any, above: Any, settings: Any, ply: Any) -> bool:
    """Tell whether the player who moves above has something as good as all that can be gained at a frame."""
    if ply == 0 or above.kind != OWN or above.mover == frame.mover or above.next == 0:
        return False
    if ply == 1 and settings.every_root:
        return False
    return settings.most - frame.low - (settings.players - 2) * settings.low <= above.low
