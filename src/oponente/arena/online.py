"""Ratings that are brought up to date as games come in, as servers do it: Glicko-2, OpenSkill, and Formula-1 points.

Those of :mod:`~oponente.arena.plackett_luce` fit all games at once; these depend on the order of the games.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from oponente.arena.elo import shares
from oponente.arena.ratings import Glicko2, formula1_points
from oponente.arena.weng_lin import Skill, updated


@dataclass(frozen=True)
class OnlineRating:
    """The rating of an entrant, and its 95 % interval as the system itself gives it."""

    rating: float
    interval: tuple[float, float] | None
    """None of points, which are counted and estimate nothing."""


Seated = tuple[Sequence[int], Sequence[float]]
"""A game: the entrant in each seat, and the utility of each seat."""


def glicko2_ratings(periods: Iterable[Sequence[Seated]], count: int) -> list[OnlineRating]:
    """Return Glicko-2 ratings of entrants 0 to `count` - 1.

    Args:
        periods: the games of each rating period. In a game of more than two each has played against each other one.
        count: how many entrants there are.
    """
    players = [Glicko2() for _ in range(count)]
    for games in periods:
        met: list[list[tuple[Glicko2, float]]] = [[] for _ in range(count)]
        for seats, returns in games:
            for (one, mine), (other, its) in itertools.permutations(list(zip(seats, returns, strict=True)), 2):
                if one != other:
                    met[one].append((players[other], 1.0 if mine > its else 0.5 if mine == its else 0.0))
        players = [player.updated(results) for player, results in zip(players, met, strict=True)]
    return [OnlineRating(player.rating, player.interval) for player in players]


def openskill_ratings(periods: Iterable[Sequence[Seated]], count: int) -> list[OnlineRating]:
    """Return OpenSkill ratings of entrants 0 to `count` - 1, updated after every game.

    Copies of an entrant in a game count as players of their own; it gets the mean of what they gain or lose.
    """
    skills = [Skill() for _ in range(count)]
    for games in periods:
        for seats, returns in games:
            after = updated([skills[entrant] for entrant in seats], returns)
            for entrant in set(seats):
                copies = [skill for seat, skill in zip(seats, after, strict=True) if seat == entrant]
                skills[entrant] = Skill(
                    sum(copy.mean for copy in copies) / len(copies),
                    sum(copy.deviation for copy in copies) / len(copies),
                )
    return [OnlineRating(skill.mean, skill.interval) for skill in skills]


def formula1_ratings(periods: Iterable[Sequence[Seated]], count: int) -> list[OnlineRating]:
    """Return the Formula-1 points of entrants 0 to `count` - 1: each period is a race.

    As in the General Video Game AI competition (:func:`~oponente.arena.ratings.formula1_points`), who does best in a
    race gets 25 points, the next ones 18, 15, 12, 10, 8, 6, 4, 2 and 1. First counts the mean share of the entrant's
    games in it (1 for a win, of a draw its part), then its mean utility. Who has no game in a race gets nothing.
    """
    totals = [0.0] * count
    for games in periods:
        wins: dict[int, list[float]] = {}
        utilities: dict[int, list[float]] = {}
        for seats, returns in games:
            for entrant, share, utility in zip(seats, shares(returns).tolist(), returns, strict=True):
                wins.setdefault(entrant, []).append(share)
                utilities.setdefault(entrant, []).append(utility)
        race = {one: (_mean(wins[one]), _mean(utilities[one])) for one in wins}
        for entrant, points in formula1_points(race).items():
            totals[entrant] += points
    return [OnlineRating(total, None) for total in totals]


def _mean(values: Sequence[float]) -> float:
    """Return the mean, rounded once: equal results are equal in whatever order the games stand."""
    return math.fsum(values) / len(values)


SYSTEMS: dict[str, Callable[[Iterable[Sequence[Seated]], int], list[OnlineRating]]] = {
    "glicko-2": glicko2_ratings,
    "openskill": openskill_ratings,
    "formula-1": formula1_ratings,
}
"""By the name that the command line gives them."""
COUNTED = ("formula-1",)
"""Those of them that count points and have no interval."""
