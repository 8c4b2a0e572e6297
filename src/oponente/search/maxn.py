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
from oponente.search.frames import OWN


@njit
def back_up_own(frame: Any, branch: Any, below: Any, values: Any, lines: Any, ply: Any) -> None:
    """Take the result of the frame below if the mover likes it better."""
    value = values[ply + 1, frame.mover]
    if below.exact and (frame.next == 0 or value > frame.low):
        frame.low = value
        frame.best_move = branch.move
        adopt(branch, lines, values, ply)


@njit
def shallow_cut(frame: Any, above: Any, settings: Any, ply: Any) -> bool:
    """Tell whether a frame's other branches can't matter, and complete its result if so.

    Args:
        frame: where player Q moves.
        above: the frame above it.
        settings: of the search.
        ply: of the frame, at least 1.
    """
    if not settings.prune or frame.next + 1 == frame.count:
        return False
    if frame.low >= settings.high:
        return True
    if above.kind != OWN or above.mover == frame.mover or above.next == 0 or (ply == 1 and settings.every_root):
        return False
    if settings.most - frame.low - (settings.players - 2) * settings.low > above.low:
        return False
    frame.exact = 0
    return True


@njit
def adopt(branch: Any, lines: Any, values: Any, ply: Any) -> None:
    """Make the branch, and the line and the values of the frame below, those of the frame at `ply`."""
    lines[ply, ply] = branch.move
    i = ply + 1
    while True:
        lines[ply, i] = lines[ply + 1, i]
        if lines[ply, i] < 0:
            break
        i += 1
    for p in range(values.shape[1]):
        values[ply, p] = values[ply + 1, p]
