"""Ratings of more than two agents: Glicko-2, and Formula-1 points over several games.

Sources: M. Glickman, "Example of the Glicko-2 system" (2013 edition, glicko.net/glicko/glicko2.pdf), steps 1 to 8; the
rules of the General Video Game AI competition (D. Perez-Liebana et al., IEEE TCIAIG 2016), which ranks controllers in
each game and adds the points of these ranks.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

SCALE = 173.7178
"""Points of a rating that are one unit of the system's own scale."""
CENTRE = 1500.0
TAU = 0.5
"""Default of how much volatility may change."""
TOLERANCE = 1e-6
FORMULA_1 = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""Points of the first ten."""


@dataclass(frozen=True)
class Glicko2:
    """What the system knows of a player."""

    rating: float = CENTRE
    deviation: float = 350.0
    """Standard deviation of the rating."""
    volatility: float = 0.06

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rating."""
        return self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation

    def updated(self, results: Sequence[tuple[Glicko2, float]], tau: float = TAU) -> Glicko2:
        """Return what is known after a rating period.

        Args:
            results: opponents as they were before the period, and one's score against each: 1, 1/2 or 0.
            tau: how much volatility may change, 0.3 to 1.2.
        """
        phi = self.deviation / SCALE
        if not results:
            return Glicko2(self.rating, SCALE * math.hypot(phi, self.volatility), self.volatility)
        mu = (self.rating - CENTRE) / SCALE
        # Steps 3 and 4
        precision = surplus = 0.0
        for other, score in results:
            g = 1.0 / math.sqrt(1.0 + 3.0 * (other.deviation / SCALE / math.pi) ** 2)
            expected = 1.0 / (1.0 + math.exp(-g * (mu - (other.rating - CENTRE) / SCALE)))
            precision += g * g * expected * (1.0 - expected)
            surplus += g * (score - expected)
        variance = 1.0 / precision
        sigma = self._volatility(phi, variance, variance * surplus, tau)
        # Steps 6 to 8
        phi = 1.0 / math.sqrt(1.0 / (phi * phi + sigma * sigma) + precision)
        return Glicko2(SCALE * (mu + phi * phi * surplus) + CENTRE, SCALE * phi, sigma)

    def _volatility(self, phi: float, variance: float, delta: float, tau: float) -> float:
        """Return the new volatility: step 5, by the Illinois variant of regula falsi."""
        start = math.log(self.volatility**2)

        def f(x: float) -> float:
            e = math.exp(x)
            total = phi * phi + variance + e
            return e * (delta * delta - total) / (2.0 * total * total) - (x - start) / (tau * tau)

        a = start
        if delta * delta > phi * phi + variance:
            b = math.log(delta * delta - phi * phi - variance)
        else:
            k = 1
            while f(start - k * tau) < 0.0:
                k += 1
            b = start - k * tau
        at_a, at_b = f(a), f(b)
        while abs(b - a) > TOLERANCE:
            c = a + (a - b) * at_a / (at_b - at_a)
            at_c = f(c)
            if at_c * at_b <= 0.0:
                a, at_a = b, at_b
            else:
                at_a /= 2.0
            b, at_b = c, at_c
        return math.exp(a / 2.0)


def glicko2(players: Sequence[K], results: Sequence[tuple[K, K, float]], tau: float = TAU) -> dict[K, Glicko2]:
    """Return the ratings after one rating period in which all were unknown before.

    Args:
        players: by what the results name them.
        results: pairs, and the score of the first: 1, 1/2 or 0.
        tau: see :meth:`Glicko2.updated`.
    """
    new = Glicko2()
    against: dict[K, list[tuple[Glicko2, float]]] = {player: [] for player in players}
    for first, second, score in results:
        against[first].append((new, score))
        against[second].append((new, 1.0 - score))
    return {player: new.updated(played, tau) for player, played in against.items()}


def formula1_points(performance: Mapping[K, Sequence[float]]) -> dict[K, float]:
    """Return the points of one game: of those who did equally well each gets the mean of the points of their places.

    Args:
        performance: of each what decides, greatest first: in the competition wins, score, and less time.

    >>> formula1_points({"a": (3, 10), "b": (3, 12), "c": (1, 90)})
    {'a': 18.0, 'b': 25.0, 'c': 15.0}
    """
    order = sorted(performance, key=lambda player: tuple(performance[player]), reverse=True)
    points: dict[K, float] = {}
    first = 0
    while first < len(order):
        last = first
        while last < len(order) and tuple(performance[order[last]]) == tuple(performance[order[first]]):
            last += 1
        share = sum(FORMULA_1[place] for place in range(first, min(last, len(FORMULA_1)))) / (last - first)
        for place in range(first, last):
            points[order[place]] = share
        first = last
    return {player: points[player] for player in performance}
