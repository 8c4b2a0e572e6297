"""Goodness of fit, without a dependency: chi-square against given probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping

SMALLEST_EXPECTED = 8.0
"""Outcomes that are expected less often are counted together."""


def deviation(counts: Mapping[int, int], expected: Mapping[int, float]) -> float:
    """Return how far counts lie from expected counts, in standard deviations of a normal variable.

    Pearson's statistic, made normal by the cube root of Wilson and Hilferty (1931). 6 means a chance of 10**-9.
    An outcome that is not expected at all makes it infinite.
    """
    if any(outcome not in expected for outcome in counts):
        return math.inf
    cells: list[tuple[float, float]] = []
    rare_count = rare_expected = 0.0
    for outcome, wanted in expected.items():
        seen = counts.get(outcome, 0)
        if wanted < SMALLEST_EXPECTED:
            rare_count += seen
            rare_expected += wanted
        else:
            cells.append((seen, wanted))
    if rare_expected >= SMALLEST_EXPECTED:
        cells.append((rare_count, rare_expected))
    freedom = len(cells) - 1
    if freedom < 1:
        return 0.0
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in cells)
    spread = 2.0 / (9.0 * freedom)
    return float(((statistic / freedom) ** (1.0 / 3.0) - (1.0 - spread)) / math.sqrt(spread))
