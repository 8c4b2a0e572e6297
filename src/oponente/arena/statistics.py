"""What the games of a match say about its agents.

A game is a *win* of the agent with the greatest utility if it is the only one with it, a *draw* of those who share
it, and a *loss* of all others. In a game of one player a positive utility is a win, 0 a draw, less a loss.

Times go under keys whose names end in ``_ms`` or ``_per_s``. All else is the same whenever the same match is played
(by reproducible agents): no sum here depends on the order in which games finish.

Facts (:mod:`oponente.arena.facts`) are counted value by value, over all games in which they were noted and over those
that the agent won; their standard deviation is that of a sample (n - 1).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.arena.columns import GameColumns, game_columns
from oponente.arena.elo import Z95, BlockScores, WholeBlocks, finite
from oponente.arena.match import MatchSpec
from oponente.arena.record import FORFEIT, STATUSES, GameRecord


def wilson_interval(successes: float, trials: int, z: float = Z95) -> tuple[float, float]:
    """Return the score interval of Wilson (1927) for a rate.

    Unlike the textbook interval it stays between 0 and 1 and holds its confidence for small samples.

    Args:
        successes: how many of the trials succeeded.
        trials: how many there were; with none, the rate may be anything from 0 to 1.
        z: standard deviations; the default gives 95 % confidence.

    >>> [round(bound, 4) for bound in wilson_interval(8, 10)]
    [0.4902, 0.9433]
    """
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    scale = 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / scale
    reach = z / scale * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    # At the ends of the range the bound is exact; rounding must not push the rate out of its own interval.
    return (0.0 if successes == 0 else centre - reach), (1.0 if successes == trials else centre + reach)


def outcomes(returns: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return for each seat 1 for a win, 0 for a draw, -1 for a loss, by the rule of this module.

    Args:
        returns: (..., players): the utility of each seat; each leading index is a game of its own.

    Returns:
        int64, (..., players).
    """
    values = np.asarray(returns, np.float64)
    if values.shape[-1] == 1:
        return np.sign(values).astype(np.int64)
    best = values == values.max(axis=-1, keepdims=True)
    shared = best.sum(axis=-1, keepdims=True) > 1
    return np.where(best, np.where(shared, 0, 1), -1)


Values = dict[str, Counter[float]]
"""For each fact how often each value occurred."""


@dataclass
class SeatTally:
    """What an agent did in one seat."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    facts: Values = field(default_factory=dict)
    """Over all games whose facts were noted."""
    facts_won: Values = field(default_factory=dict)
    """Over those of them that were won."""

    def add(self, outcomes: npt.NDArray[np.int64], facts: Mapping[str, npt.NDArray[np.float64]]) -> None:
        """Count games.

        Args:
            outcomes: (games,), see :func:`outcomes`.
            facts: of each fact the value in each game, (games,); not a number where it was not noted.
        """
        won = outcomes > 0
        self.games += outcomes.size
        self.wins += int(won.sum())
        self.draws += int((outcomes == 0).sum())
        for name, values in facts.items():
            noted = ~np.isnan(values)
            if noted.any():
                _count(self.facts.setdefault(name, Counter()), values[noted])
                _count(self.facts_won.setdefault(name, Counter()), values[noted & won])


def _count(counts: Counter[float], values: npt.NDArray[np.float64]) -> None:
    """Count values, (n,)."""
    for value, count in zip(*(found.tolist() for found in np.unique(values, return_counts=True)), strict=True):
        counts[value] += count


@dataclass
class AgentTally:
    """What one agent of a match did."""

    by_seat: list[SeatTally]
    forfeits: int = 0
    scores: array[float] = field(default_factory=lambda: array("d"))
    decision_ms: array[float] = field(default_factory=lambda: array("f"))
    nodes: int = 0
    decisions_with_nodes: int = 0

    @property
    def games(self) -> int:
        """How many games it finished."""
        return sum(seat.games for seat in self.by_seat)

    @property
    def wins(self) -> int:
        """How many it won."""
        return sum(seat.wins for seat in self.by_seat)

    @property
    def draws(self) -> int:
        """How many it drew."""
        return sum(seat.draws for seat in self.by_seat)

    @property
    def losses(self) -> int:
        """How many it lost."""
        return self.games - self.wins - self.draws

    @property
    def facts(self) -> Values:
        """How often each value of each fact occurred, in all seats together."""
        return _together(seat.facts for seat in self.by_seat)

    @property
    def facts_won(self) -> Values:
        """The same over the games that it won."""
        return _together(seat.facts_won for seat in self.by_seat)


def _together(parts: Iterable[Values]) -> Values:
    result: Values = {}
    for part in parts:
        for name, counts in part.items():
            result.setdefault(name, Counter()).update(counts)
    return result


class Tally:
    """The running statistics of a match. Games may be added in any order.

    Args:
        players: how many agents, and seats, there are.
        records: games to begin with.
        rotate: whether the agents change seats: if not, each game is a block.
    """

    def __init__(self, players: int, records: Iterable[GameRecord] = (), *, rotate: bool = True) -> None:
        self._whole = WholeBlocks(players if rotate else 1)
        self.scores = BlockScores(players) if players == 2 else None
        """Of the first of two agents, over whole blocks; None if there aren't two."""
        self.agents = [AgentTally([SeatTally() for _ in range(players)]) for _ in range(players)]
        self.lengths: Counter[int] = Counter()
        """How many games have each number of actions and chance outcomes."""
        self.endings: Counter[str] = Counter()
        """How many ended in each way, :data:`~oponente.arena.record.STATUSES`."""
        self.reproducible = True
        if found := list(records):
            self.add(game_columns(found))

    @property
    def games(self) -> int:
        """How many were counted."""
        return self.lengths.total()

    @property
    def plies(self) -> int:
        """How many actions and chance outcomes they had together."""
        return sum(length * count for length, count in self.lengths.items())

    def add(self, games: GameColumns) -> None:
        """Count games."""
        results = games.results
        self.lengths.update(games.length.tolist())
        self.endings.update(
            dict(zip(STATUSES, np.bincount(games.status, minlength=len(STATUSES)).tolist(), strict=True))
        )
        self.reproducible &= bool(results.reproducible.all())
        if self.scores is not None:
            self.scores.add(self._whole.add(results)[1])
        outcome = outcomes(results.returns)
        forfeits = (games.status == STATUSES.index(FORFEIT))[:, None] & (
            games.forfeited_by[:, None] == np.arange(results.agents.shape[1])
        )
        decided_by = np.repeat(results.agents.ravel(), games.decisions.ravel())
        for number, agent in enumerate(self.agents):
            there = results.agents == number  # in one seat of each game
            told = there & (games.nodes >= 0)
            agent.scores.frombytes(results.returns[there].tobytes())
            agent.decision_ms.frombytes(games.decision_ms[decided_by == number].tobytes())
            agent.forfeits += int((there & forfeits).sum())
            agent.nodes += sum(games.nodes[told].tolist())
            agent.decisions_with_nodes += int(games.decisions[told].sum())
            for seat, tally in enumerate(agent.by_seat):
                rows = there[:, seat]
                facts = {name: values[rows, seat] for name, values in games.facts.items()}
                tally.add(outcome[rows, seat], facts)


def summary_json(
    spec: MatchSpec, tally: Tally, games_per_s: float | None = None, *, copies: bool | None = None
) -> dict[str, Any]:
    """Return the results of a match as one object for JSON.

    Args:
        spec: the match.
        tally: of its games.
        games_per_s: games by seconds on the clock; None if none was played just now.
        copies: whether all blocks are the same games (:mod:`oponente.arena.copies`), which a tally can't tell; None if
            nobody has looked.

    Returns:
        ``game``, ``options``, ``seed``, ``games`` (finished), ``games_per_s``, ``mean_length`` (actions and chance
        outcomes), ``reproducible``, ``copies`` (so that intervals say nothing; null if unknown), and ``agents``: one
        object per agent of the match, in its order, with ``agent`` (its spec as given), ``wins``, ``draws``,
        ``losses``, ``win_rate`` (wins by games), ``ci95`` (Wilson interval of the win rate), ``mean_score`` (mean
        utility), ``mean_decision_ms``, ``p95_decision_ms``, ``mean_nodes`` (per decision; null if the agent does not
        tell), ``forfeits``, ``by_seat``. Means of nothing are null.
        Where games have facts, each agent, and each of its seats, has them under ``facts``, see :func:`facts_json`.
        With two agents also ``elo``, the difference of the first to the second that its mean share of whole blocks
        shows, ``elo_ci95`` (each null where infinite, or where there is no block), ``los``, how likely the first one is
        the better one (null without a block), ``blocks``, and ``block_scores``, how often each score of a block
        occurred; see :class:`~oponente.arena.elo.BlockScores`.
    """
    return {
        "game": spec.game.name,
        "options": dict(spec.game.options),
        "seed": spec.seed,
        "games": tally.games,
        "games_per_s": games_per_s,
        "mean_length": tally.plies / tally.games if tally.games else None,
        "reproducible": tally.reproducible,
        "copies": copies,
        **({} if tally.scores is None else _elo_json(tally.scores)),
        "agents": [_agent_json(text, agent) for text, agent in zip(spec.agents, tally.agents, strict=True)],
    }


def _elo_json(scores: BlockScores) -> dict[str, Any]:
    elo, low, high = scores.elo()
    return {
        "elo": finite(elo),
        "elo_ci95": [finite(low), finite(high)],
        "los": scores.superiority(),
        "blocks": scores.blocks,
        "block_scores": scores.listed(),
    }


def _agent_json(text: str, agent: AgentTally) -> dict[str, Any]:
    games = agent.games
    times = np.frombuffer(agent.decision_ms, np.float32) if agent.decision_ms else None
    result = {
        "agent": text,
        "wins": agent.wins,
        "draws": agent.draws,
        "losses": agent.losses,
        "win_rate": agent.wins / games if games else None,
        "ci95": list(wilson_interval(agent.wins, games)),
        # fsum rounds once, so the order of the games does not show in the last digit.
        "mean_score": math.fsum(agent.scores) / games if games else None,
        "mean_decision_ms": None if times is None else float(times.mean(dtype=np.float64)),
        "p95_decision_ms": None if times is None else float(np.percentile(times, 95)),
        "mean_nodes": agent.nodes / agent.decisions_with_nodes if agent.decisions_with_nodes else None,
        "forfeits": agent.forfeits,
        "by_seat": [
            {
                "seat": number,
                "games": seat.games,
                "wins": seat.wins,
                "draws": seat.draws,
                "ci95": list(wilson_interval(seat.wins, seat.games)),
                **({"facts": facts_json(seat.facts, seat.facts_won)} if agent.facts else {}),
            }
            for number, seat in enumerate(agent.by_seat)
        ],
    }
    return {**result, "facts": facts_json(agent.facts, agent.facts_won)} if agent.facts else result


def facts_json(facts: Values, won: Values) -> dict[str, Any]:
    """Return the statistics of facts by name: those of :func:`describe`, and under ``won`` those of games won."""
    return {name: {**describe(counts), "won": describe(won[name])} for name, counts in facts.items()}


def describe(counts: Mapping[float, int]) -> dict[str, Any]:
    """Return ``games``, ``mean``, ``sd`` (of a sample) and ``histogram`` of values that occurred so often.

    The mean of nothing and the deviation of fewer than two values are null. The histogram says how many games have each
    value, least first, the values as texts; it is null unless all are integers.

    >>> describe({2.0: 1, 4.0: 1})
    {'games': 2, 'mean': 3.0, 'sd': 1.414..., 'histogram': {'2': 1, '4': 1}}
    """
    games = sum(counts.values())
    mean = _sum(counts.items()) / games if games else None
    sd = None
    if mean is not None and games > 1:
        squares = _sum(((value - mean) ** 2, count) for value, count in counts.items())
        sd = math.sqrt(squares / (games - 1))
    whole = all(value.is_integer() for value in counts)
    histogram = {str(int(value)): counts[value] for value in sorted(counts)} if whole else None
    return {"games": games, "mean": mean, "sd": sd, "histogram": histogram}


def _sum(counted: Iterable[tuple[float, int]]) -> float:
    """Return the exact sum of values that occurred so often, rounded once: no order of the games shows."""
    # A value times a power of two is exact, so each binary digit of its count is a term.
    return math.fsum(
        math.ldexp(value, digit)
        for value, count in counted
        for digit in range(count.bit_length())
        if count >> digit & 1
    )
