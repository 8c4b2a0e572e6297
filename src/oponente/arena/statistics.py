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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oponente.arena.elo import Z95, BlockScores, WholeBlocks, finite
from oponente.arena.match import MatchSpec
from oponente.arena.record import FORFEIT, GameRecord


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


def outcomes(returns: Sequence[float]) -> tuple[int, ...]:
    """Return for each seat 1 for a win, 0 for a draw, -1 for a loss, by the rule of this module."""
    if len(returns) == 1:
        return ((returns[0] > 0) - (returns[0] < 0),)
    best = max(returns)
    shared = sum(value == best for value in returns) > 1
    return tuple(-1 if value < best else 0 if shared else 1 for value in returns)


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

    def add(self, outcome: int, facts: Mapping[str, float] | None = None) -> None:
        """Count a game."""
        self.games += 1
        self.wins += outcome > 0
        self.draws += outcome == 0
        for name, value in (facts or {}).items():
            counts = self.facts.get(name)
            if counts is None:
                counts, self.facts_won[name] = self.facts.setdefault(name, Counter()), Counter()
            counts[value] += 1
            if outcome > 0:
                self.facts_won[name][value] += 1


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
        self.games = 0
        self.plies = 0
        self.reproducible = True
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Count a game."""
        self.games += 1
        self.plies += record.length
        self.reproducible &= record.reproducible
        if self.scores is not None and (score := self._whole.add(record)) is not None:
            self.scores.add(score)
        for number, (seat, outcome) in enumerate(zip(record.seats, outcomes(record.returns), strict=True)):
            agent = self.agents[seat.agent]
            agent.by_seat[number].add(outcome, seat.facts)
            agent.scores.append(record.returns[number])
            agent.decision_ms.extend(seat.decision_ms)
            agent.forfeits += record.status == FORFEIT and record.forfeited_by == number
            if seat.nodes is not None:
                agent.nodes += seat.nodes
                agent.decisions_with_nodes += seat.decisions


def summary_json(spec: MatchSpec, tally: Tally, games_per_s: float | None = None) -> dict[str, Any]:
    """Return the results of a match as one object for JSON.

    Args:
        spec: the match.
        tally: of its games.
        games_per_s: games by seconds on the clock; None if none was played just now.

    Returns:
        ``game``, ``options``, ``seed``, ``games`` (finished), ``games_per_s``, ``mean_length`` (actions and chance
        outcomes), ``reproducible``, and ``agents``: one object per agent of the match, in its order, with ``agent``
        (its spec as given), ``wins``, ``draws``, ``losses``, ``win_rate`` (wins by games), ``ci95`` (Wilson interval
        of the win rate), ``mean_score`` (mean utility), ``mean_decision_ms``, ``p95_decision_ms``, ``mean_nodes``
        (per decision; null if the agent does not tell), ``forfeits``, ``by_seat``. Means of nothing are null.
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
    # The exact sum, rounded once: no order of the games shows.
    mean = math.fsum(value for value, count in counts.items() for _ in range(count)) / games if games else None
    sd = None
    if mean is not None and games > 1:
        squares = math.fsum((value - mean) ** 2 for value, count in counts.items() for _ in range(count))
        sd = math.sqrt(squares / (games - 1))
    whole = all(value.is_integer() for value in counts)
    histogram = {str(int(value)): counts[value] for value in sorted(counts)} if whole else None
    return {"games": games, "mean": mean, "sd": sd, "histogram": histogram}
