"""The scores of blocks, and the difference in Elo that they show between one agent and the others.

The games of a block (:mod:`oponente.arena.match`) share their luck and are not independent of each other; blocks are.
So what is counted is how often each mean share of an agent over the games of a block occurred: with two players who
change seats that is the pentanomial count of chess engines (a pair of games is worth 0, 1/2, 1, 3/2 or 2 points).

Sources: A. Elo, "The Rating of Chessplayers" (1978), and R. D. Luce, "Individual choice behavior" (1959), for scores
and differences; M. Van den Bergh, "A practical introduction to the GSPRT" (2020), for pairs as the unit; the Chess
Programming Wiki, "Match Statistics", for the likelihood of superiority. Both the interval and that likelihood take the
mean of the blocks for normally distributed.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.arena.columns import GameResults

__all__ = ["Z95", "BlockScores", "WholeBlocks", "block_scores", "elo_of_score", "expected_score", "finite", "shares"]

Z95 = 1.959963984540054
"""Within how many standard deviations of the mean 95 % of a normal distribution lie."""
_FARTHEST = 1e5
"""Differences in Elo beyond this are all alike: a double holds no greater odds."""


def expected_score(elo: float, players: int = 2) -> float:
    """Return A's expected share of a game against as many B's as there are other players.

    The odds of A against each B are ``10 ** (elo / 400)``, and the share of a player is its part of the sum of all
    strengths (Luce 1959); with two players that is Elo's formula.

    >>> expected_score(0.0, players=4), round(expected_score(100.0), 4)
    (0.25, 0.6401)
    """
    strength: float = 10.0 ** (min(max(elo, -_FARTHEST), _FARTHEST) / 400.0)
    return strength / (strength + players - 1)


def elo_of_score(score: float, players: int = 2) -> float:
    """Return the difference in Elo that an expected share belongs to; infinite for 0 and 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score * (players - 1) / (1.0 - score))


def finite(value: float) -> float | None:
    """Return a number for JSON, which knows neither infinite ones nor none: null then."""
    return value if math.isfinite(value) else None


def shares(returns: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the share of each seat of a game: 1 for a win, its part if several have the most, else 0.

    Args:
        returns: (..., players): the utility of each seat; each leading index is a game of its own.

    Returns:
        float64, (..., players).

    >>> shares([3.0, 3.0, 1.0])
    array([0.5, 0.5, 0. ])
    """
    values = np.asarray(returns, np.float64)
    best = values == values.max(axis=-1, keepdims=True)
    found: npt.NDArray[np.float64] = best / best.sum(axis=-1, keepdims=True)
    return found


def block_scores(players: int) -> npt.NDArray[np.float64]:
    """Return what A's mean share over the games of a block can be, least first.

    >>> block_scores(2)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    shares = {Fraction(0), *(Fraction(1, n) for n in range(1, players + 1))}
    sums = {Fraction(0)}
    for _ in range(players):
        sums = {total + one for total in sums for one in shares}
    return np.array([float(total / players) for total in sorted(sums)])


class WholeBlocks:
    """Puts games together to whole blocks, in whatever order they finish.

    Args:
        games: how many a block has.
        agent: whose share counts, by its number in the match.
    """

    def __init__(self, games: int, agent: int = 0) -> None:
        self.games, self.agent = games, agent
        self._waiting = np.zeros(0, np.int64), np.zeros(0)
        """Block and share of each game whose block is not whole."""

    def add(self, games: GameResults) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Count games.

        Returns:
            int64, (blocks,), and float64, (blocks,): the number of each block that is whole now, and the agent's mean
            share over it.
        """
        own = shares(games.returns)[games.agents == self.agent]
        blocks, found = np.concatenate([self._waiting[0], games.block]), np.concatenate([self._waiting[1], own])
        numbers, which, counts = np.unique(blocks, return_inverse=True, return_counts=True)
        whole = counts == self.games
        left = ~whole[which]
        self._waiting = blocks[left], found[left]
        return numbers[whole], np.bincount(which, found, numbers.size)[whole] / self.games


class BlockScores:
    """How often each mean share of an agent over a block occurred, and what that says of its strength.

    Args:
        players: of the game.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.values = block_scores(players)
        """float64, (k,): the scores that a block can have, least first."""
        self.counts = np.zeros(self.values.size)
        """float64, (k,): how often each occurred."""

    @property
    def blocks(self) -> int:
        """How many there are."""
        return int(self.counts.sum())

    def add(self, scores: npt.ArrayLike) -> None:
        """Count blocks with these scores, (blocks,), or one with this score."""
        self.counts += np.bincount(self.places(scores), minlength=self.values.size)

    def places(self, scores: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return for each score, (blocks,) or one, which of `values` it is: int64, (blocks,)."""
        away = np.abs(self.values - np.asarray(scores, np.float64).reshape(-1, 1))
        found: npt.NDArray[np.int64] = away.argmin(axis=1)
        return found

    def listed(self) -> list[dict[str, Any]]:
        """Return ``score`` and ``blocks`` of each score that occurred, least first, for JSON."""
        counted = zip(self.values, self.counts, strict=True)
        return [{"score": float(value), "blocks": int(count)} for value, count in counted if count]

    def mean(self) -> tuple[float, float, float]:
        """Return the mean score and its 95 % interval, which may reach beyond 0 and 1; there must be a block."""
        mean = float(self.counts @ self.values / self.counts.sum())
        centre, error = self._normal()
        reach = Z95 * error
        return mean, min(centre - reach, mean), max(centre + reach, mean)

    def elo(self) -> tuple[float, float, float]:
        """Return the difference in Elo that the mean score shows, and the bounds of its 95 % interval.

        Infinite where a score is 0 or 1, or beyond. Without a block: not a number, and anything.
        """
        if not self.blocks:
            return math.nan, -math.inf, math.inf
        score, low, high = (elo_of_score(one, self.players) for one in self.mean())
        return score, low, high

    def superiority(self) -> float | None:
        """Return how likely the agent is better than an equal one: that its mean is over 1 / players; None: no block.

        It is 0.975 or more where the 95 % interval is all above that, and 1/2 for equal results. Near 0 and 1 the
        normal distribution is surer than the games are.
        """
        if not self.blocks:
            return None
        centre, error = self._normal()
        return NormalDist().cdf((centre - 1.0 / self.players) / error)

    def _normal(self) -> tuple[float, float]:
        """Return mean and standard error, with half a block more at each end of the scale.

        These keep a few equal blocks from seeming certain.
        """
        padded = self.counts.copy()
        padded[[0, -1]] += 0.5
        total = padded.sum()
        centre = float(padded @ self.values / total)
        return centre, math.sqrt(float(padded @ (self.values - centre) ** 2)) / float(total)
