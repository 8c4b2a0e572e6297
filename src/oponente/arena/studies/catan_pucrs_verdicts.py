"""What the repeated games of Paz and Rubin (2016) say about each finding of theirs, by the criterion stated with it.

The thesis gives rounded rates ("about 60 %") and the number of games, so its figures have an uncertainty of their own:
about 60 % of 100 games are 60 games, whose Wilson interval reaches from 50 to 69 %. Two rates are compared by the
interval of Newcombe (Statistics in Medicine 17, 1998, method 10) for their difference, made of both Wilson intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.catan_pucrs_matches import FOUR, HONEST_MCTS, HONEST_UCT, LABELS, MCTS, UCT
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED, Verdict, beside_published
from oponente.arena.studies.estimates import difference_interval

PUBLISHED: dict[str, tuple[int, int]] = {MCTS: (60, 100), UCT: (90, 100), HONEST_MCTS: (60, 100), HONEST_UCT: (90, 100)}
"""Games won and played in the thesis; for honest agents those with the true state, which are all there are."""
EQUAL_SHARE = 0.25
Z_FOUR = 2.497705474
"""Standard deviations for 95 % confidence in four intervals at once (Bonferroni: 98.75 % each)."""
WIDEST_SEAT = 0.10
"""Of a seat's interval, from end to end, that may still show a rate of about 25 %."""
WIDEST_DIFFERENCE = 0.30
"""Of the interval of a difference, from end to end, that may still show two rates to be about equal, or one greater."""


def judge(matches: Mapping[str, Mapping[str, Any]]) -> list[Verdict]:
    """Return a verdict on each finding.

    Args:
        matches: summaries of the matches by name.
    """
    return [
        equal_seats(matches[FOUR]),
        about_as_published(MCTS, matches[MCTS]),
        about_as_published(UCT, matches[UCT]),
        uct_wins_more("uct-above-mcts", "UCT wins more often than MCTS", matches[MCTS], matches[UCT]),
        about_as_published(HONEST_MCTS, matches[HONEST_MCTS]),
        about_as_published(HONEST_UCT, matches[HONEST_UCT]),
        uct_wins_more(
            "uct-above-mcts-honest",
            "UCT wins more often than MCTS when both play honestly",
            matches[HONEST_MCTS],
            matches[HONEST_UCT],
            "The thesis played with the true state only.",
        ),
    ]


def equal_seats(match: Mapping[str, Any]) -> Verdict:
    """Judge whether four simple agents win about 25 % each."""
    games = match["games"]
    wins = [agent["wins"] for agent in match["agents"]]
    intervals = [wilson_interval(won, games, Z_FOUR) for won in wins]
    outside = [seat for seat, (low, high) in enumerate(intervals) if not low <= EQUAL_SHARE <= high]
    wide = any(high - low > WIDEST_SEAT for low, high in intervals)
    said = "; ".join(
        f"seat {seat + 1}: {won:,} of {games:,}, {_rate(won, games)} ({_bounds(interval)})"
        for seat, (won, interval) in enumerate(zip(wins, intervals, strict=True))
    )
    return Verdict(
        key="equal-seats",
        claim="Four simple agents in fixed seats win about 25 % each",
        finding=DIFFERS if outside else UNDECIDED if wide else REPRODUCED,
        criterion="95 % Wilson intervals of all four seats together (98.75 % each). Differs if 25 % lies outside that"
        " of a seat; else reproduced if none is wider than 10 percentage points, undecided if one is",
        evidence=f"{said}.",
        numbers={"wins": wins, "games": games, "ci": [list(interval) for interval in intervals]},
    )


def about_as_published(name: str, match: Mapping[str, Any]) -> Verdict:
    """Judge whether a search wins about as often against three simple agents as in the thesis."""
    won, games = match["agents"][0]["wins"], match["games"]
    published, of = PUBLISHED[name]
    low, high = difference_interval(won, games, published, of)
    honest = name in (HONEST_MCTS, HONEST_UCT)
    direction = " Ours wins more often." if low > 0 else " Ours wins less often." if high < 0 else ""
    return Verdict(
        key=name,
        claim=f"{LABELS[name]}: wins about {100 * published / of:.0f} % against three simple agents",
        finding=beside_published(low, high, WIDEST_DIFFERENCE),
        criterion=f"95 % interval (Newcombe) of our rate less the thesis's, taken as {published} of {of} games."
        " Exceeded if it lies above 0, differs if below; else reproduced if it is no wider than 30 percentage"
        " points, undecided if it is",
        evidence=f"{won:,} of {games:,} games, {_rate(won, games)} ({_bounds(wilson_interval(won, games))}); difference"
        f" {100 * (won / games - published / of):+.1f} points ({100 * low:+.1f} to {100 * high:+.1f}).{direction}",
        remark="The thesis played with the true state only; its figure for that is compared." if honest else "",
        numbers={"wins": won, "games": games, "published": [published, of], "difference": [low, high]},
    )


def uct_wins_more(key: str, claim: str, mcts: Mapping[str, Any], uct: Mapping[str, Any], remark: str = "") -> Verdict:
    """Judge whether UCT wins more often than MCTS against the same opponents."""
    won_uct, won_mcts = uct["agents"][0]["wins"], mcts["agents"][0]["wins"]
    low, high = difference_interval(won_uct, uct["games"], won_mcts, mcts["games"])
    wide = high - low > WIDEST_DIFFERENCE
    return Verdict(
        key=key,
        claim=claim,
        finding=UNDECIDED if wide else REPRODUCED if low > 0 else DIFFERS if high < 0 else UNDECIDED,
        criterion="95 % interval (Newcombe) of UCT's rate less that of MCTS: undecided if it is wider than 30"
        " percentage points; else reproduced if it lies above 0, differs if below, undecided if 0 lies in it",
        evidence=f"UCT {_rate(won_uct, uct['games'])}, MCTS {_rate(won_mcts, mcts['games'])}; difference"
        f" {100 * low:+.1f} to {100 * high:+.1f} points.",
        remark=remark,
        numbers={"difference": [low, high]},
    )


def _rate(won: int, games: int) -> str:
    return f"{100 * won / games:.1f} %"


def _bounds(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f} %"
