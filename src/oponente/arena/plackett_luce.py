"""Strengths of any number of agents from games of any number of players: the model of Plackett and Luce.

Each agent has a strength, the exponential of its rating. Who comes first in a game is drawn with the strengths of those
who play; who comes second, with those of the others; and so on. With two players that is the model of Bradley and
Terry, and of Elo. Ratings are those under which what happened is likeliest, their mean is 0, and 400 points stand for
odds of ten to one.

Of those who share places in a game each is taken to be first with equal parts, once for all of them (a draw of two is
half a win for each). Who share the last places behind others are not told apart: in many games only the winner counts.
Where an agent has won, or lost, all its games, no finite rating is likeliest; so each agent is given, besides its
games, a drawn one against an agent of rating 0 (:data:`PRIOR` of it).

Intervals are from drawing *blocks* of games again, since the games of a block are not independent of each other. To
draw n blocks out of n makes sums vary as those of n - 1 do: so n - 1 are drawn, and each counts n / (n - 1) times. A
few equal blocks must not seem certain, and one block says something of the luck that is in a game only by what could
have happened, so, as with the scores of :mod:`oponente.arena.elo`, there is besides what was seen a little that was
not:

- :data:`UNSEEN` of a block in each match, all games of which end alike, as they do among equals: so much of all that is
  drawn;
- the drawn game of each agent is a block here, won and lost by weights of their own that are drawn as well, from the
  Gamma distribution with shape 1/2: where no loss was seen, the share of losses is then that of the Beta distribution
  with which Jeffreys begins. How much better an agent is that always wins is unknown, upwards too.

Among many blocks, not all alike, either makes no difference.

Sources: R. Plackett, "The analysis of permutations" (1975); R. D. Luce, "Individual choice behavior" (1959); D. Hunter,
"MM algorithms for generalized Bradley-Terry models" (2004); B. Efron, "Bootstrap methods" (1979); J. Rao, C. Wu,
"Resampling inference with complex survey data" (1988), for n - 1 out of n; D. Rubin, "The Bayesian bootstrap" (1981),
for weights that are drawn; H. Jeffreys, "An invariant form for the prior probability in estimation problems" (1946).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["PRIOR", "Games", "Ratings", "fit"]

_Integers = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

POINTS = 400.0 / math.log(10.0)
"""Points of a rating that are one unit of the logarithm of a strength."""
PRIOR = 1.0
"""Weight of the drawn game that each agent is given."""

UNSEEN = 0.5
"""Blocks that were not seen, in each match: how much of what is drawn for intervals is not of the games."""
_HALF = 0.5
"""Blocks that an agent has won, and that it has lost, besides its games, on average of what is drawn for intervals."""
_LEAST = 1e-4
"""Of such a half at least, so that ratings are finite."""
_STEPS, _TOLERANCE, _LONGEST = 100, 1e-10, 3.0
"""Of Newton's method: how many steps at most, when it ends, how far a step may go."""


@dataclass(frozen=True)
class Games:
    """Games of agents, as arrays with a row a game."""

    match: npt.NDArray[np.int64]
    """int64, (games,): blocks of the same match are drawn again from among each other."""
    block: npt.NDArray[np.int64]
    """int64, (games,): the games of a match with the same number share their luck."""
    agents: npt.NDArray[np.int64]
    """int64, (games, players): the agent in each seat."""
    returns: npt.NDArray[np.float64]
    """float64, (games, players): the utility of each seat."""


@dataclass(frozen=True)
class Ratings:
    """What games say about agents, by agent, in points."""

    ratings: npt.NDArray[np.float64]
    """float64, (agents,)."""
    samples: npt.NDArray[np.float64]
    """float64, (samples, agents): the ratings of games drawn again."""

    def interval(self, agent: int, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of an agent's rating: percentiles of the samples, and the rating itself."""
        tail = 50.0 * (1.0 - level)
        low, high = np.percentile(self.samples[:, agent], [tail, 100.0 - tail])
        rating = float(self.ratings[agent])
        return min(float(low), rating), max(float(high), rating)

    def superiority(self, a: int, b: int) -> float:
        """Return how likely agent `a` is the stronger one: the share of the samples in which it is; equal ones half."""
        difference = self.samples[:, a] - self.samples[:, b]
        return float(np.mean((difference > 0.0) + 0.5 * (difference == 0.0)))


def fit(games: Games, agents: int, *, samples: int = 1000, seed: int = 0, prior: float = PRIOR) -> Ratings:
    """Return the ratings of `agents` agents and `samples` of them for intervals.

    Args:
        games: what happened.
        agents: how many there are; games name them from 0.
        samples: how often blocks are drawn again.
        seed: of the drawing.
        prior: weight of the drawn game that each agent is given; 0 is for games in which every agent has won against
            others, and lost against them, one with another.

    Raises:
        ValueError: a game names an agent that there is not, or has as many utilities as no seats.
    """
    parts, stages = _counts(games, agents)
    among = _among(stages, agents)
    half = np.full(agents, prior / 2.0)
    ratings = _strongest([part.whole for part in parts], among, half, half)
    rng = np.random.default_rng(seed)
    size = len(games.block) / sum(part.blocks for part in parts) if parts else 1.0
    urn = _Urn(parts, stages, agents, size)
    drawn = np.empty((samples, agents))
    for i in range(samples):
        won, lost = prior * size * np.maximum(rng.gamma(_HALF, size=(2, agents)), _LEAST)
        drawn[i] = _strongest(urn.draw(rng), among, won, lost, ratings)
    return Ratings(POINTS * ratings, POINTS * drawn)


# --- what games say ------------------------------------------------------------------------------------------------


class _Part:
    """The blocks of one match, as weights by block.

    Args:
        block: int64, (games,): the block of each game, by any number.
        wins: game, agent, and how often it was first there, each (n,).
        stages: game, a choice of who is first among some, and 1, each (m,).
    """

    def __init__(
        self,
        block: _Integers,
        wins: tuple[_Integers, _Integers, _Floats],
        stages: tuple[_Integers, _Integers, _Floats],
    ) -> None:
        numbers, blocks = np.unique(block, return_inverse=True)
        self.blocks = numbers.size
        self._agents, won = self._sums(blocks, *wins)
        self._stages, chosen = self._sums(blocks, *stages)
        self.whole = self._weights(np.ones(self.blocks), won, chosen)
        """All blocks together."""
        # Blocks that say the same are drawn together: there are few of these kinds, however many blocks there are.
        firsts, kind = _kinds(np.hstack([won, chosen]))
        self._won, self._chosen = won[firsts], chosen[firsts]
        self._share = np.bincount(kind) / self.blocks

    def again(self, blocks: int, weight: float, rng: np.random.Generator) -> _Weights:
        """Return so many blocks, drawn with equal chances, each counted so many times."""
        times = (weight * rng.multinomial(blocks, self._share)).astype(np.float64)
        return self._weights(times, self._won, self._chosen)

    def _weights(self, times: _Floats | _Integers, won: _Floats, chosen: _Floats) -> _Weights:
        """Return sums over blocks, or kinds of them, each counted so many times."""
        return _Weights(self._agents, times @ won, self._stages, times @ chosen)

    def _sums(
        self, blocks: _Integers, games: _Integers, values: _Integers, weights: _Floats
    ) -> tuple[_Integers, _Floats]:
        """Return the values that occur, and float64, (blocks, values): the weight of each in each block."""
        found, columns = np.unique(values, return_inverse=True)
        matrix = np.zeros((self.blocks, found.size))
        np.add.at(matrix, (blocks[games], columns), weights)  # game by game
        return found, matrix


@dataclass(frozen=True)
class _Weights:
    agents: npt.NDArray[np.int64]
    wins: npt.NDArray[np.float64]
    kinds: npt.NDArray[np.int64]
    stages: npt.NDArray[np.float64]


def _counts(games: Games, agents: int) -> tuple[list[_Part], list[tuple[int, ...]]]:
    """Return what games say, one part a match, and the stages that there are: who is among those of each."""
    if games.agents.shape != games.returns.shape:
        raise ValueError(f"utilities of shape {games.returns.shape} for seats of shape {games.agents.shape}")
    if ((games.agents < 0) | (games.agents >= agents)).any():
        raise ValueError(f"games of agents {games.agents.min()} to {games.agents.max()}: there are {agents} agents")
    # Games with the same agents in the same order say the same: what they say is told once for all of them.
    behind = (games.returns[:, None, :] > games.returns[:, :, None]).sum(axis=2)
    firsts, kind = _kinds(np.hstack([games.agents, behind]))
    stages: dict[tuple[int, ...], int] = {}
    wins, choices = [], []
    for agents_of, returns in zip(games.agents[firsts].tolist(), games.returns[firsts].tolist(), strict=True):
        firsts_of, chosen = _said(agents_of, returns)
        wins.append(firsts_of)
        choices.append([(stages.setdefault(one, len(stages)), 1.0) for one in chosen])
    order = np.argsort(games.match, kind="stable")
    matches = np.split(order, np.flatnonzero(np.diff(games.match[order])) + 1) if order.size else []
    won, chose = _flat(wins), _flat(choices)
    parts = [_Part(games.block[rows], _all(won, kind[rows]), _all(chose, kind[rows])) for rows in matches]
    return parts, list(stages)


def _among(stages: Sequence[Sequence[int]], agents: int) -> _Floats:
    """Return float64, (stages, agents): how often each agent is among those of a stage."""
    among = np.zeros((len(stages), agents))
    for stage, names in enumerate(stages):
        for agent in names:
            among[stage, agent] += 1.0
    return among


def _kinds(rows: npt.NDArray[Any]) -> tuple[_Integers, _Integers]:
    """Return where each different row is met first, in that order, and for each row which of them it is."""
    order = np.lexsort(rows.T)
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[order][1:] != rows[order][:-1]).any(axis=1)
    firsts = order[new]  # the sort keeps the order of equal rows
    place = np.argsort(np.argsort(firsts))
    kinds = np.empty(len(rows), np.int64)
    kinds[order] = place[np.cumsum(new) - 1]
    return np.sort(firsts), kinds


def _said(agents: Sequence[int], returns: Sequence[float]) -> tuple[list[tuple[int, float]], list[tuple[int, ...]]]:
    """Return who was first in a game, with its part of that, and among whom, stage by stage."""
    wins, stages = [], []
    left = sorted(zip(returns, agents, strict=True), key=lambda one: -one[0])
    while len(left) > 1:
        first = [agent for value, agent in left if value == left[0][0]]
        if len(first) == len(left) < len(agents):
            break
        stages.append(tuple(sorted(agent for _, agent in left)))
        wins += [(agent, 1.0 / len(first)) for agent in first]
        left = left[len(first) :]
    return wins, stages


def _flat(said: Sequence[Sequence[tuple[int, float]]]) -> tuple[_Integers, _Floats]:
    """Return how many entries each kind of games has, and all entries one after the other, (entries, 2)."""
    flat = np.array([entry for one in said for entry in one], np.float64).reshape(-1, 2)
    return np.array([len(one) for one in said], np.int64), flat


def _all(said: tuple[_Integers, _Floats], kind: _Integers) -> tuple[_Integers, _Integers, _Floats]:
    """Return what games of these kinds say, (games,), one after the other: the game, and the two values of each."""
    sizes, flat = said
    counts = sizes[kind]
    games = np.repeat(np.arange(kind.size), counts)
    begins = (np.cumsum(sizes) - sizes)[kind] - (np.cumsum(counts) - counts)
    entries = np.arange(games.size) + begins[games]
    return games, flat[entries, 0].astype(np.int64), flat[entries, 1]


class _Urn:
    """What is drawn for intervals: blocks that were seen, match by match, and some that were not.

    Args:
        parts: the matches.
        stages: who is among those of each.
        agents: how many there are.
        size: games of a block.
    """

    def __init__(self, parts: Sequence[_Part], stages: Sequence[Sequence[int]], agents: int, size: float) -> None:
        self._parts, self._agents, self._size = parts, agents, size
        blocks = np.array([part.blocks for part in parts], np.int64)
        self._drawn = np.maximum(blocks - 1, 1)
        """Blocks that are drawn in each match."""
        self._weight = blocks / self._drawn
        """How often each of them counts."""
        self._unseen = UNSEEN / (blocks + UNSEEN)
        """How likely a drawn block is none that was seen."""
        # The stages that the games of each match have, one match after the other.
        nothing: _Integers = np.zeros(0, np.int64)
        self._stages = np.concatenate([nothing, *(part.whole.kinds for part in parts)])
        self._match = np.repeat(np.arange(len(parts)), [part.whole.kinds.size for part in parts])
        times = np.concatenate([nothing, *(part.whole.stages for part in parts)])
        self._often = np.minimum(times / (size * blocks[self._match]), 1.0)
        """How likely a game of the match has the stage."""
        width = max(map(len, stages), default=1)
        names = np.array([(*one, *[0] * (width - len(one))) for one in stages], np.int64).reshape(-1, width)
        sizes = np.array([len(one) for one in stages], np.int64)
        self._names = names[self._stages]
        """int64, (stages of all matches, players at most): who is among those of each; then anybody."""
        self._chances = (np.arange(width) < sizes[:, None])[self._stages] / sizes[self._stages, None]

    def draw(self, rng: np.random.Generator) -> list[_Weights]:
        """Draw the games of all matches."""
        unseen = rng.binomial(self._drawn, self._unseen)
        seen = [
            part.again(blocks, weight, rng)
            for part, blocks, weight in zip(
                self._parts, (self._drawn - unseen).tolist(), self._weight.tolist(), strict=True
            )
        ]
        times = rng.binomial(unseen[self._match], self._often)
        weight = self._size * self._weight[self._match]
        won = weight[:, None] * rng.multinomial(times, self._chances)
        wins = np.bincount(self._names.ravel(), won.ravel(), self._agents).astype(np.float64)
        met = np.bincount(self._stages, weight * times).astype(np.float64)
        return [*seen, _Weights(np.arange(self._agents), wins, np.arange(met.size), met)]


# --- the likeliest ratings -----------------------------------------------------------------------------------------


def _strongest(
    parts: Sequence[_Weights],
    among: npt.NDArray[np.float64],
    won: npt.NDArray[np.float64],
    lost: npt.NDArray[np.float64],
    start: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.float64]:
    """Return the logarithms of the likeliest strengths, by Newton's method: the likelihood has a single summit.

    Args:
        parts: what games say.
        among: of the stages.
        won, lost: float64, (agents,): the games of each against the agent of rating 0.
        start: where the search begins.
    """
    wins, times, prior = won.copy(), np.zeros(len(among)), won + lost
    for part in parts:
        wins[part.agents] += part.wins
        times[part.kinds] += part.stages
    theta = np.zeros(len(won)) if start is None else start.copy()
    value = _log_likelihood(theta, wins, times, among, prior)
    for _ in range(_STEPS):
        strengths = among * np.exp(theta - theta.max())
        chances = strengths / strengths.sum(axis=1, keepdims=True)
        against = 1.0 / (1.0 + np.exp(-theta))  # the agent of rating 0
        slope = wins - times @ chances - prior * against
        curve = (chances * times[:, None]).T @ chances
        diagonal = times @ chances + prior * against * (1.0 - against)
        down = np.diag(diagonal) - curve
        # The mean is free where nothing is given besides the games; else the matrix is regular, which is faster.
        step = np.linalg.solve(down, slope) if prior.all() else np.linalg.lstsq(down, slope, rcond=None)[0]
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
    prior: npt.NDArray[np.float64],
) -> float:
    top = theta.max()
    stages = times @ (np.log(among @ np.exp(theta - top)) + top) if times.size else 0.0
    return float(wins @ theta - stages - prior @ np.logaddexp(0.0, theta))
