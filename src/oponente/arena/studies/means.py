"""Tables of means beside published ones: each cell with the interval of its difference, and a verdict on the table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oponente.arena.cells import bounds
from oponente.arena.elo import finite
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED, Verdict
from oponente.arena.studies.estimates import Sample, difference_interval, mean_difference, mean_interval

FEWEST = 100
"""Games without which a table of means is not judged."""
CHANCE_HITS = 20
"""Of so many cells one lies outside a 95 % interval by chance."""
MANY = 5
"""Cells of which one outside of its interval is no surprise."""


@dataclass(frozen=True)
class Cell:
    """A mean of ours beside a published one."""

    label: str
    ours: Sample
    theirs: Sample
    """A standard deviation that was not published counts as ours."""
    share: bool = False
    """Whether it is the share of games in which something was so."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of our mean: Student's, of shares Wilson's."""
        if self.share:
            return wilson_interval(self.ours.mean * self.ours.count, self.ours.count)
        return mean_interval(self.ours)

    @property
    def difference(self) -> tuple[float, float]:
        """The 95 % interval of our mean less theirs: Welch's, of shares Newcombe's."""
        a, b = self.ours, self.theirs
        if self.share:
            return difference_interval(a.mean * a.count, a.count, b.mean * b.count, b.count)
        return mean_difference(a, b)

    @property
    def agrees(self) -> bool:
        """Whether 0 lies in that interval."""
        low, high = self.difference
        return low <= 0.0 <= high

    def shown(self) -> tuple[str, str, str]:
        """Return our mean, its interval (a dash if it is unbounded), and theirs, as words."""
        low, high = self.interval
        if self.share:
            return f"{100 * self.ours.mean:.1f} %", bounds((low, high)), f"{100 * self.theirs.mean:.1f} %"
        interval = f"{low:.2f} .. {high:.2f}" if math.isfinite(low) else "-"
        return f"{self.ours.mean:.2f}", interval, f"{self.theirs.mean:.2f}"


def cell(label: str, fact: Mapping[str, Any], theirs: float, games: int, sd: float | None = None) -> Cell:
    """Return a mean of a fact (see :func:`oponente.arena.summary_json`) beside a published one of `games` games."""
    ours = Sample(fact["mean"], fact["sd"] or 0.0, fact["games"])
    return Cell(label, ours, Sample(theirs, ours.sd if sd is None else sd, games))


def share_cell(label: str, fact: Mapping[str, Any], theirs: float, games: int) -> Cell:
    """Return the share of games in which a fact was 1 beside a published one of `games` games."""
    return Cell(label, Sample(fact["mean"], 0.0, fact["games"]), Sample(theirs, 0.0, games), share=True)


def judge_means(key: str, claim: str, cells: Sequence[Cell], remark: str) -> Verdict:
    """Judge whether a table of means is as published."""
    allowed = 0 if len(cells) < MANY else 1 + len(cells) // CHANCE_HITS
    off = [c for c in cells if not c.agrees]
    few = min(c.ours.count for c in cells) < FEWEST
    others = "; ".join(f"{c.label} {c.shown()[0]} (thesis {c.shown()[2]})" for c in off)
    return Verdict(
        key=key,
        claim=claim,
        finding=UNDECIDED if few else REPRODUCED if len(off) <= allowed else DIFFERS,
        criterion="95 % interval of each mean less the thesis's (Welch's, of shares Newcombe's; deviations that are not"
        f" printed count as ours): reproduced if 0 lies outside of {allowed} of {len(cells)} at most, else differs;"
        f" undecided below {FEWEST} games",
        evidence=f"{len(cells) - len(off)} of {len(cells)} agree" + (f"; others: {others}." if off else "."),
        remark=remark,
        numbers={c.label: [c.ours.mean, c.theirs.mean, *map(finite, c.difference)] for c in cells},
    )
