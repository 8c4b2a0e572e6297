"""Ratings by Bayesian approximation, updated game by game, for any number of players: what OpenSkill computes.

Source: R. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4, which
takes ranks to be drawn as Plackett and Luce say; each player is a team of its own. The numbers that start it, and how
fast deviations shrink, are those of the OpenSkill libraries (V. Joshy, JOSS 9 (2024) 5901).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MEAN = 25.0
DEVIATION = MEAN / 3.0
BETA = DEVIATION / 2.0
"""Standard deviation of how well somebody plays from game to game."""
DRIFT = MEAN / 300.0
"""By how much a player may change from game to game: its square is added to the variance first."""
KAPPA = 1e-4
"""What a game leaves of a variance at least, as a share."""


@dataclass(frozen=True)
class Skill:
    """What is believed of a player: a normal distribution."""

    mean: float = MEAN
    deviation: float = DEVIATION

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - 1.96 * self.deviation, self.mean + 1.96 * self.deviation


def updated(skills: Sequence[Skill], results: Sequence[float]) -> list[Skill]:
    """Return what is believed of the players of a game after it.

    Args:
        skills: of each player before the game.
        results: of each, the better the greater; equals are drawn.

    >>> [round(skill.mean, 3) for skill in updated([Skill(), Skill()], [1.0, -1.0])]
    [27.635, 22.365]
    """
    variances = [skill.deviation**2 + DRIFT**2 for skill in skills]
    scale = math.sqrt(sum(variance + BETA**2 for variance in variances))
    weights = [math.exp(skill.mean / scale) for skill in skills]
    seats = range(len(skills))
    # Of everybody: how many have the same result, and the weight of all that came no better.
    alike = [sum(results[other] == results[one] for other in seats) for one in seats]
    total = [sum(weights[other] for other in seats if results[other] <= results[one]) for one in seats]
    after = []
    for one in seats:
        surplus = certainty = 0.0
        for ahead in seats:
            if results[ahead] < results[one]:
                continue
            chance = weights[one] / total[ahead]
            surplus += ((1.0 if ahead == one else 0.0) - chance) / alike[ahead]
            certainty += chance * (1.0 - chance) / alike[ahead]
        shrink = certainty * (variances[one] / scale**2) ** 1.5
        after.append(
            Skill(
                skills[one].mean + variances[one] / scale * surplus,
                math.sqrt(variances[one] * max(1.0 - shrink, KAPPA)),
            )
        )
    return after
