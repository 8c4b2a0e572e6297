"""Strengths of any number of agents from games of any number of players: the model of Plackett and Luce.

Each agent has a strength, the exponential of its rating. Who comes first in a game is drawn with the strengths of those
who play; who comes second, with those of the others; and so on. With two players that is the model of Bradley and
Terry, and of Elo. Ratings are those under which what happened is likeliest, their mean is 0, and 400 points stand for
odds of ten to one.

Of those who share places in a game each is taken to be first with equal parts, once for all of them (a draw of two is
half a win for each). Who share the last places behind others are not told apart: in many games only the winner counts.
Where an agent has won, or lost, all its games, no finite rating is likeliest; so each agent is given, besides its
games, a drawn one against an agent of rating 0 (:data:`PRIOR` of it).

Sources: R. Plackett, "The analysis of permutations" (1975); R. D. Luce, "Individual choice behavior" (1959); D. Hunter,
"MM algorithms for generalized Bradley-Terry models" (2004); B. Efron, "Bootstrap methods" (1979): intervals are from
drawing *blocks* of games again, since the games of a block are not independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["PRIOR", "PlayedBlock", "Ratings", "fit"]

POINTS = 400.0 / math.log(10.0)
"""Points of a rating that are one unit of the logarithm of a strength."""
PRIOR = 1.0
"""Weight of the drawn game that each agent is given."""

_STEPS, _TOLERANCE, _LONGEST = 100, 1e-10, 3.0
"""Of Newton's method: how many steps at most, when it ends, how far a step may go."""


@dataclass(frozen=True)
class PlayedBlock:
    """The games of a block, which share their luck."""

    match: int
    """Blocks of the same match are drawn again from among each other."""
    games: Sequence[tuple[tuple[int, ...], tuple[float, ...]]]
    """For each game the agent in each seat and the utility of each seat."""


@dataclass(frozen=True)
class Ratings:
    """What games say about agents, by agent, in points."""

    ratings: npt.NDArray[np.float64]
    """float64, (agents,)."""
    samples: npt.NDArray[np.float64]
    """float64, (samples, agents): the ratings of games drawn again."""

    def interval(self, agent: int, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of an agent's rating (percentiles of the samples)."""
        tail = 50.0 * (1.0 - level)
        low, high = np.percentile(self.samples[:, agent], [tail, 100.0 - tail])
        return float(low), float(high)

    def superiority(self, a: int, b: int) -> float:
        """Return how likely agent `a` is the stronger one: the share of the samples in which it is; equal ones half."""
        difference = self.samples[:, a] - self.samples[:, b]
        return float(np.mean((difference > 0.0) + 0.5 * (difference == 0.0)))


def fit(
    blocks: Iterable[PlayedBlock], agents: int, *, samples: int = 1000, seed: int = 0, prior: float = PRIOR
) -> Ratings:
    """Return the ratings of `agents` agents and `samples` of them for intervals.

    Args:
        blocks: the games.
        agents: how many there are; games name them from 0.
        samples: how often blocks are drawn again.
        seed: of the drawing.
        prior: weight of the drawn game that each agent is given; 0 is for games in which every agent has won against
            others, and lost against them, one with another.

    Raises:
        ValueError: a game names an agent that there is not, or has as many utilities as no seats.
    """
    counts = _Counts(agents)
    for block in blocks:
        counts.add(block)
    parts = counts.parts()
    whole = [part.weights(np.ones(part.blocks)) for part in parts]
    ratings = _strongest(whole, counts.stages, agents, prior)
    rng = np.random.default_rng(seed)
    drawn = np.empty((samples, agents))
    for i in range(samples):
        again = [part.weights(rng.multinomial(part.blocks, np.full(part.blocks, 1.0 / part.blocks))) for part in parts]
        drawn[i] = _strongest(again, counts.stages, agents, prior, ratings)
    return Ratings(POINTS * ratings, POINTS * drawn)


# --- what games say ------------------------------------------------------------------------------------------------


class _Part:
    """The blocks of one match, as weights by block."""

    def __init__(self) -> None:
        self.blocks = 0
        self.wins: list[tuple[int, int, float]] = []
        """Block, agent, how often first."""
        self.stages: list[tuple[int, int]] = []
        """Block, stage: a choice of who is first among some."""

    def close(self) -> None:
        """Make arrays of the lists."""
        wins, stages = np.array(self.wins or [(0, 0, 0.0)]), np.array(self.stages or [(0, 0)], np.int64)
        self.agents, win_columns = np.unique(wins[:, 1].astype(np.int64), return_inverse=True)
        self.kinds, stage_columns = np.unique(stages[:, 1], return_inverse=True)
        self.win_matrix = np.zeros((self.blocks, self.agents.size))
        np.add.at(self.win_matrix, (wins[:, 0].astype(np.int64), win_columns), wins[:, 2])
        self.stage_matrix = np.zeros((self.blocks, self.kinds.size))
        np.add.at(self.stage_matrix, (stages[:, 0], stage_columns), 1.0 if self.stages else 0.0)

    def weights(self, times: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> _Weights:
        """Return the sums over blocks, each counted so many times."""
        return _Weights(self.agents, times @ self.win_matrix, self.kinds, times @ self.stage_matrix)


@dataclass(frozen=True)
class _Weights:
    agents: npt.NDArray[np.int64]
    wins: npt.NDArray[np.float64]
    kinds: npt.NDArray[np.int64]
    stages: npt.NDArray[np.float64]


class _Counts:
    def __init__(self, agents: int) -> None:
        self.agents = agents
        self._parts: dict[int, _Part] = {}
        self._stages: dict[tuple[int, ...], int] = {}

    def add(self, block: PlayedBlock) -> None:
        part = self._parts.setdefault(block.match, _Part())
        for seats, returns in block.games:
            if len(seats) != len(returns) or not all(0 <= agent < self.agents for agent in seats):
                raise ValueError(f"a game of agents {seats} with utilities {returns}: there are {self.agents} agents")
            left = sorted(zip(returns, seats, strict=True), key=lambda one: -one[0])
            while len(left) > 1:
                first = [agent for value, agent in left if value == left[0][0]]
                if len(first) == len(left) < len(seats):
                    break
                among = tuple(sorted(agent for _, agent in left))
                stage = self._stages.setdefault(among, len(self._stages))
                part.stages.append((part.blocks, stage))
                part.wins += [(part.blocks, agent, 1.0 / len(first)) for agent in first]
                left = left[len(first) :]
        part.blocks += 1

    def parts(self) -> list[_Part]:
        for part in self._parts.values():
            part.close()
        return list(self._parts.values())

    @property
    def stages(self) -> npt.NDArray[np.float64]:
        """float64, (stages, agents): how often each agent is among those of a stage."""
        among = np.zeros((len(self._stages), self.agents))
        for agents, stage in self._stages.items():
            for agent in agents:
                among[stage, agent] += 1.0
        return among


# --- the likeliest ratings -----------------------------------------------------------------------------------------


def _strongest(
    parts: Sequence[_Weights],
    among: npt.NDArray[np.float64],
    agents: int,
    prior: float,
    start: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.float64]:
    """Return the logarithms of the likeliest strengths, by Newton's method: the likelihood has a single summit."""
    wins, times = np.full(agents, prior / 2.0), np.zeros(len(among))
    for part in parts:
        wins[part.agents] += part.wins
        times[part.kinds] += part.stages
    theta = np.zeros(agents) if start is None else start.copy()
    value = _log_likelihood(theta, wins, times, among, prior)
    for _ in range(_STEPS):
        strengths = among * np.exp(theta - theta.max())
        chances = strengths / strengths.sum(axis=1, keepdims=True)
        against = 1.0 / (1.0 + np.exp(-theta))  # the agent of rating 0
        slope = wins - times @ chances - prior * against
        curve = (chances * times[:, None]).T @ chances
        diagonal = times @ chances + prior * against * (1.0 - against)
        # The mean is free where nothing is given besides the games.
        step = np.linalg.lstsq(np.diag(diagonal) - curve, slope, rcond=None)[0]
        step *= min(1.0, _LONGEST / max(float(np.abs(step).max()), 1e-300))
        while True:
            tried = theta + step
            gained = _log_likelihood(tried, wins, times, among, prior) - value
            if gained >= 0.0 or float(np.abs(step).max()) < _TOLERANCE:
                break
            step /= 2.0
        theta, value = tried, value + gained
        if float(np.abs(step).max()) < _TOLERANCE:
            break
    result: npt.NDArray[np.float64] = theta - theta.mean()
    return result


def _log_likelihood(
    theta: npt.NDArray[np.float64],
    wins: npt.NDArray[np.float64],
    times: npt.NDArray[np.float64],
    among: npt.NDArray[np.float64],
    prior: float,
) -> float:
    top = theta.max()
    stages = times @ (np.log(among @ np.exp(theta - top)) + top) if times.size else 0.0
    return float(wins @ theta - stages - prior * np.logaddexp(0.0, theta).sum())
