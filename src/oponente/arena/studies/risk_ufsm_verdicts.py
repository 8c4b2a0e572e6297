"""What became of the findings of Ferrari (2022) in the repeated experiments: verdicts and their criteria."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

from oponente.arena.elo import Z95
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.document import DIFFERS, EXCEEDED, REPRODUCED, UNDECIDED, Verdict
from oponente.arena.studies.means import FEWEST
from oponente.arena.studies.risk_ufsm_tables import (
    AGENTS,
    ARMIES_FIRST,
    ARMIES_SECOND,
    INVALID,
    LABELS,
    MESSAGES,
    RERUN_FIRST,
    SECONDS,
    WINS_FIRST,
    WINS_SECOND,
    Table,
)

NEAR = 15.0
"""Points of per cent within which a win rate counts as that of the thesis, or of its programs."""
NEAR_SHARE = 0.25
"""Of a published mean, within which ours counts as the same."""


def judge(pairings: Sequence[Mapping[str, Any]], training: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    """Return what became of the thesis's findings."""
    table = {(row["first"], row["second"]): row for row in pairings}
    return [
        *_tables(table),
        _time(table),
        _rates_again(table),
        _first_player(table),
        _best(table),
        *_curves(training),
    ]


def _cell(table: Mapping[tuple[str, str], Mapping[str, Any]], first: str, second: str) -> Mapping[str, Any]:
    return table[f"thesis-{first}", f"thesis-{second}"]


Cells = Callable[[str, str], float | None]
"""What was measured with a first and a second player, None: nothing."""


def _far(
    measured: Cells,
    published: Table,
    agree: Callable[[float, float], bool],
    whose: str,
    unit: str,
    left_out: Collection[Any] = (),
) -> tuple[list[str], int, str]:
    """Return which cells are far from the published ones, of how many, and that in words.

    Args:
        measured: by first and second player.
        published: rows and columns in the order of the agents, first players down.
        agree: says of a measured and a published value whether they agree.
        whose: the published values are.
        unit: of the values.
        left_out: cells that don't count.
    """
    far, total = [], 0
    for (row, first), (column, second) in product(enumerate(AGENTS), enumerate(AGENTS)):
        if (first, second) in left_out:
            continue
        total += 1
        ours, theirs = measured(first, second), published[row][column]
        if ours is None or not agree(ours, theirs):
            shown = "none" if ours is None else f"{ours:.0f}{unit}"
            far.append(f"{LABELS[first]} v {LABELS[second]} {shown} ({whose} {theirs:.0f}{unit})")
    others = f"; others: {'; '.join(far)}." if far else "."
    return far, total, f"{total - len(far)} of {total} cells agree{others}"


def _within_points(ours: float, theirs: float) -> bool:
    return abs(ours - theirs) <= NEAR


def _within_share(ours: float, theirs: float) -> bool:
    return abs(ours - theirs) <= NEAR_SHARE * theirs


def _transposed(table: Table) -> Table:
    """Return a table of second players with the first players down."""
    return tuple(zip(*table, strict=True))


def _rate(table: Mapping[tuple[str, str], Mapping[str, Any]], seat: int) -> Cells:
    """Return the win rates, in per cent, of the player in a seat."""

    def rate(first: str, second: str) -> float:
        cell = _cell(table, first, second)
        return float(100 * cell["wins"][seat] / cell["games"])

    return rate


def _few(table: Mapping[tuple[str, str], Mapping[str, Any]]) -> bool:
    """Return whether a pairing has too few games for its cells: by chance alone some would be far off."""
    return any(_cell(table, *pair)["games"] < FEWEST for pair in product(AGENTS, AGENTS))


def _as_published(
    key: str, claim: str, found: tuple[list[str], int, str], few: bool, within: str, remark: str
) -> Verdict:
    """Return the verdict on a table of the thesis, of which one cell may be far off."""
    far, total, evidence = found
    return Verdict(
        key=key,
        claim=claim,
        finding=UNDECIDED if few else REPRODUCED if len(far) <= 1 else UNDECIDED if 2 * len(far) <= total else DIFFERS,
        criterion=f"A cell agrees if it is within {within}. Reproduced if at most one of {total} does not,"
        f" differs if more than half do not; undecided below {FEWEST} games a pairing. The cell Random v Random is left"
        " out: it holds another batch by mistake",
        evidence=evidence,
        remark=remark,
        numbers={"far": far, "cells": total},
    )


def _tables(table: Mapping[tuple[str, str], Mapping[str, Any]]) -> list[Verdict]:
    """Return the verdicts on the tables 5.1, 5.2, 5.5, 5.6 and 5.8."""
    points, share = f"{NEAR:.0f} points", f"{100 * NEAR_SHARE:.0f} % of the thesis's"
    theirs = "The thesis played about 50 games a pairing and gives no interval"
    decided = f"{theirs}; undecided games are left out there."
    few = _few(table)

    def wins(seat: int, published: Table) -> tuple[list[str], int, str]:
        return _far(_rate(table, seat), published, _within_points, "thesis", " %", INVALID)

    def armies(seat: int, published: Table) -> tuple[list[str], int, str]:
        def mean(first: str, second: str) -> float | None:
            value: float | None = _cell(table, first, second)["armies"][seat][0]
            return value

        return _far(mean, published, _within_share, "thesis", "", INVALID)

    def messages(first: str, second: str) -> float:
        return float(_cell(table, first, second)["messages"][0])

    claim = "Mean armies at the end of the {} player, where it wins (table {})"
    return [
        _as_published(
            "win-rates", "The first player's win rates of table 5.1", wins(0, WINS_FIRST), few, points, decided
        ),
        _as_published(
            "win-rates-second",
            "The second player's win rates of table 5.2",
            wins(1, _transposed(WINS_SECOND)),
            few,
            points,
            decided,
        ),
        _as_published("armies-first", claim.format("first", "5.5"), armies(0, ARMIES_FIRST), few, share, f"{theirs}."),
        _as_published(
            "armies-second",
            claim.format("second", "5.6"),
            armies(1, _transposed(ARMIES_SECOND)),
            few,
            share,
            f"{theirs}; Random wins 2 to 8 % of its games as second player there, one to four.",
        ),
        _as_published(
            "messages",
            "Messages a game (table 5.8)",
            _far(messages, MESSAGES, _within_share, "thesis", "", INVALID),
            few,
            share,
            f"{theirs}.",
        ),
    ]


def _rates_again(table: Mapping[tuple[str, str], Mapping[str, Any]]) -> Verdict:
    far, total, evidence = _far(_rate(table, 0), RERUN_FIRST, _within_points, "programs", " %")
    return Verdict(
        key="win-rates-again",
        claim="The first player's win rates of the thesis's own programs, run again",
        finding=UNDECIDED if _few(table) else DIFFERS if far else REPRODUCED,
        criterion=f"Reproduced if every cell, Random v Random too, is within {NEAR:.0f} points; undecided below"
        f" {FEWEST} games a pairing",
        evidence=evidence,
        remark="The programs played 60 to 70 games a pairing: 12 points are within their chance.",
        numbers={"far": far, "cells": total},
    )


def _time(table: Mapping[tuple[str, str], Mapping[str, Any]]) -> Verdict:
    """Return the verdict on the seconds a game takes."""
    ratios = [
        1000 * SECONDS[row][column] / _cell(table, first, second)["milliseconds"][0]
        for (row, first), (column, second) in product(enumerate(AGENTS), enumerate(AGENTS))
    ]
    return Verdict(
        key="seconds",
        claim="A game takes 5 to 12 seconds (table 5.7)",
        finding=EXCEEDED if min(ratios) > 1 else DIFFERS,
        criterion="Exceeded if every pairing takes less time: here the decisions and rules of a game, there two"
        " programs that exchange files",
        evidence=f"{min(ratios):,.0f} to {max(ratios):,.0f} times as fast.",
        numbers={"least": min(ratios), "greatest": max(ratios)},
    )


def _seats_apart(
    table: Mapping[tuple[str, str], Mapping[str, Any]], name: str
) -> tuple[float, float, tuple[float, float]]:
    """Return an agent's mean win rates over the four opponents as first and as second player, and the 95 % interval of
    the first less the second: that of a mean of independent pairings, of which its own gives both rates at once.
    """
    first = [_cell(table, name, other)["wins"][0] / _cell(table, name, other)["games"] for other in AGENTS]
    second = [_cell(table, other, name)["wins"][1] / _cell(table, other, name)["games"] for other in AGENTS]
    variance = 0.0
    # With Laplace's estimate, so that a pairing of one result is not taken for certain.
    for other in AGENTS:
        if other != name:
            for cell, seat in ((_cell(table, name, other), 0), (_cell(table, other, name), 1)):
                p = (cell["wins"][seat] + 1) / (cell["games"] + 2)
                variance += p * (1 - p) / cell["games"]
    own = _cell(table, name, name)
    a, b = ((won + 1) / (own["games"] + 3) for won in own["wins"])  # won by the first, by the second, or drawn
    variance += (a + b - (a - b) ** 2) / own["games"]
    mean_first, mean_second = sum(first) / len(AGENTS), sum(second) / len(AGENTS)
    reach = Z95 * math.sqrt(variance) / len(AGENTS)
    return mean_first, mean_second, (mean_first - mean_second - reach, mean_first - mean_second + reach)


def _first_player(table: Mapping[tuple[str, str], Mapping[str, Any]]) -> Verdict:
    found = {name: _seats_apart(table, name) for name in AGENTS}
    better = [name for name, (_, _, (low, _)) in found.items() if low > 0.0]
    worse = [name for name, (_, _, (_, high)) in found.items() if high < 0.0]
    said = "; ".join(
        f"{LABELS[name]} {100 * first:.0f} % and {100 * second:.0f} % ({100 * low:+.1f} to {100 * high:+.1f} points)"
        for name, (first, second, (low, high)) in found.items()
    )
    return Verdict(
        key="first-player",
        claim="Whoever plays first wins more often",
        finding=REPRODUCED if len(better) == len(AGENTS) else DIFFERS if worse else UNDECIDED,
        criterion="The 95 % interval of the mean win rate over the four opponents as first player less that as second:"
        " reproduced if it lies above 0 for every agent, differs if below 0 for one, else undecided",
        evidence=f"As first and as second player: {said}.",
        remark="Whoever moves first attacks before the other one has placed an army more."
        if len(better) == len(AGENTS)
        else f"Not so: {', '.join(LABELS[name] for name in worse)}."
        if worse
        else f"Not clear: {', '.join(LABELS[name] for name in AGENTS if name not in better)}.",
        numbers={
            "means": {name: (first, second) for name, (first, second, _) in found.items()},
            "ci95": {name: list(interval) for name, (_, _, interval) in found.items()},
        },
    )


def _best(table: Mapping[tuple[str, str], Mapping[str, Any]]) -> Verdict:
    rates = {
        name: (
            sum(_cell(table, name, other)["wins"][0] + _cell(table, other, name)["wins"][1] for other in AGENTS),
            2 * sum(_cell(table, name, other)["games"] for other in AGENTS),
        )
        for name in AGENTS
    }
    low, high = wilson_interval(*rates["angry"])
    others = [wilson_interval(*rates[name]) for name in AGENTS if name != "angry"]
    said = "; ".join(f"{LABELS[name]} {100 * won / games:.1f} %" for name, (won, games) in rates.items())
    return Verdict(
        key="best",
        claim="Angry wins most often of the four",
        finding=REPRODUCED
        if low > max(most for _, most in others)
        else DIFFERS
        if high < max(least for least, _ in others)
        else UNDECIDED,
        criterion="Win rates over both seats and the four opponents: reproduced if Angry's 95 % interval (Wilson)"
        " lies above all others, differs if it lies below another one, else undecided",
        evidence=f"{said}.",
        numbers={"wins": {name: list(rate) for name, rate in rates.items()}},
    )


def _curves(training: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    verdicts = []
    for curve in training:
        half = len(curve["wins"]) // 2
        parts = [
            (sum(curve["wins"][:half]), sum(curve["of"][:half])),
            (sum(curve["wins"][half:]), sum(curve["of"][half:])),
        ]
        (low_a, high_a), (low_b, high_b) = (wilson_interval(*part) for part in parts)
        falls = curve["player"] == 1
        if half:
            before, after = (won / games for won, games in parts)
            rates = f"{100 * before:.1f} % and {100 * after:.1f} % of {parts[0][1]:,} games each"
        else:
            rates = "1 game has no halves"
        as_claimed = high_b < low_a if falls else low_b > high_a
        against = low_b > high_a if falls else high_b < low_a
        verdicts.append(
            Verdict(
                key=f"training-{curve['start']}-{curve['player']}",
                claim=f"In training from {curve['start']} starts Monte Carlo's win rate as player {curve['player']} "
                + ("falls" if falls else "rises"),
                finding=REPRODUCED if as_claimed else DIFFERS if against else UNDECIDED,
                criterion="The 95 % intervals (Wilson) of the first and of the second half of the games: reproduced if"
                " they lie apart in that direction, differs if in the other, undecided if they overlap",
                evidence=f"{rates}; the tree has {curve['nodes']:,} positions.",
                remark="A position hardly ever comes up twice, so that the tree decides next to nothing.",
                numbers={"halves": [list(part) for part in parts]},
            )
        )
    return verdicts
