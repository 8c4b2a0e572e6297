"""Ratings that are brought up to date as games come in, as servers do it: Glicko-2 and OpenSkill.

Those of :mod:`~oponente.arena.plackett_luce` fit all games at once; these depend on the order of the games.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from oponente.arena.ratings import Glicko2
from oponente.arena.weng_lin import Skill, updated


@dataclass(frozen=True)
class OnlineRating:
    """The rating of an entrant, and its 95 % interval as the system itself gives it."""

    rating: float
    interval: tuple[float, float]


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


SYSTEMS: dict[str, Callable[[Iterable[Sequence[Seated]], int], list[OnlineRating]]] = {
    "glicko-2": glicko2_ratings,
    "openskill": openskill_ratings,
}
"""By the name that the command line gives them."""
