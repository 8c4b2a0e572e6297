"""Time management: a search ends when nothing that is left of its budget can change what it plays.

Sources: H. Baier, M. Winands, "Time management for Monte Carlo tree search" (IEEE TCIAIG 8, 2016), the strategy STOP;
S.-C. Huang, R. Coulom, S.-S. Lin, "Time management for Monte-Carlo tree search applied to the game of Go" (TAAI 2010).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from oponente.kernel import Control

PARTS = 16
"""Parts of the budget after each of which a search looks whether it may end."""


def run_until_settled(
    run: Callable[[int], int], lead: Callable[[], float], simulations: int, control: Control, parts: int = PARTS
) -> int:
    """Run simulations until the rest of them could not give any other action as many visits; return how many were run.

    How many the rest of the time allows is reckoned from how many its beginning allowed.

    Args:
        run: runs as many simulations as it is given, fewer where its time ends; returns how many.
        lead: by how many visits the action visited most is ahead; infinite where the search is over.
        simulations: how many at most.
        control: stops the search; its deadline is the end of the search.
        parts: of the budget, after each of which it is asked for the lead.
    """
    done, timed = 0, control.has_deadline
    for part in range(1, parts + 1):
        if timed:
            control.part(part, parts)
        done += run((simulations if timed else simulations * part // parts) - done)
        left = float(simulations - done)
        if timed:
            left = min(left, done * (parts - part) / part)
        if control.stopped or left <= 0 or (done > 0 and lead() > left):
            break
    return done


def lead_of(visits: Iterable[int]) -> float:
    """Return by how much the greatest of some numbers exceeds the next one; infinite if there are not two.

    Args:
        visits: of every action that may still be played: what was not tried counts, with 0.
    """
    first, second = -math.inf, -math.inf
    for count in visits:
        first, second = (count, first) if count > first else (first, max(second, count))
    return first - second if second > -math.inf else math.inf
