"""Contests: small matches whose results are fitness. Many at a time, with the same results on any number of workers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from oponente.arena import MatchSpec, Table, wilson_interval
from oponente.arena.processes import process_pool
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed


@dataclass(frozen=True)
class Standing:
    """What a contest says of one of its agents."""

    games: int
    wins: float
    """Games that it alone has won."""
    score: float
    """Mean utility."""

    @property
    def rank(self) -> tuple[float, float]:
        """What ranks agents: share of wins, then mean utility."""
        return (self.wins / self.games if self.games else 0.0, self.score)


@dataclass(frozen=True)
class Contest:
    """Games among some agents; of more agents than the game has seats, all choices of so many take turns."""

    game: GameSpec
    agents: tuple[str, ...]
    """Specs."""
    games: int
    seed: int
    """63 bits."""
    agent_files: tuple[str, ...] = ()
    opening: int = 0
    """Random plies that open each game."""

    def matches(self, players: int) -> list[tuple[tuple[int, ...], MatchSpec]]:
        """Return the matches of the contest, each with the numbers of its agents."""
        choices = list(itertools.combinations(range(len(self.agents)), players))
        shares = [self.games // len(choices) + (i < self.games % len(choices)) for i in range(len(choices))]
        return [
            (
                chosen,
                MatchSpec(
                    self.game,
                    tuple(self.agents[number] for number in chosen),
                    share,
                    derive_seed(self.seed, "match", index) >> 1,
                    self.agent_files,
                    self.opening,
                ),
            )
            for index, (chosen, share) in enumerate(zip(choices, shares, strict=True))
            if share > 0
        ]


def hold(contest: Contest) -> list[Standing]:
    """Play a contest and return the standing of each of its agents."""
    players = contest.game.load().num_players
    games, wins, scores = ([0.0] * len(contest.agents) for _ in range(3))
    for chosen, spec in contest.matches(players):
        table = Table(spec)
        try:
            for index in range(spec.games):
                record = table.play(index)
                best = max(record.returns)
                for seat, value in zip(record.seats, record.returns, strict=True):
                    number = chosen[seat.agent]
                    games[number] += 1
                    wins[number] += value == best and record.returns.count(best) == 1
                    scores[number] += value
        finally:
            table.close()
    return [Standing(int(n), won, score / n if n else 0.0) for n, won, score in zip(games, wins, scores, strict=True)]


Holder = Callable[[Sequence[Contest]], list[list[Standing]]]
"""Holds contests, several at a time, and returns their results in the same order."""


@contextmanager
def executor(
    game: GameSpec, agents: Sequence[str], workers: int, agent_files: tuple[str, ...] = ()
) -> Iterator[Executor | None]:
    """Give what runs several games at a time: threads where all agents work in kernels, else processes.

    None for one worker: the thread that asks.

    Args:
        game: that is played.
        agents: specs of agents such as will play: they are prepared (compiled), and say whether threads will do.
        workers: games at a time.
        agent_files: the user's files with agents.
    """
    players = game.load().num_players
    seated = (list(agents) * players)[:players]
    table = Table(MatchSpec(game, tuple(seated), 1, 0, agent_files))
    table.prepare()
    native = table.native
    table.close()
    if workers == 1:
        yield None
    elif native:
        threads = ThreadPoolExecutor(workers)
        try:
            yield threads
        finally:
            threads.shutdown(cancel_futures=True)
    else:
        with process_pool(workers) as processes:
            yield processes


@contextmanager
def holder(game: GameSpec, agents: Sequence[str], workers: int, agent_files: tuple[str, ...] = ()) -> Iterator[Holder]:
    """Give what holds contests, `workers` at a time; arguments as of :func:`executor`."""
    with executor(game, agents, workers, agent_files) as pool:
        yield lambda contests: [hold(one) for one in contests] if pool is None else list(pool.map(hold, contests))


@dataclass(frozen=True)
class Duel:
    """How often one side of two has won."""

    games: int
    wins: int
    losses: int

    @property
    def rate(self) -> float:
        """Share of wins among games that somebody has won."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the rate (Wilson)."""
        decided = self.wins + self.losses
        return wilson_interval(self.wins, decided) if decided else (0.0, 1.0)

    def values(self) -> dict[str, Any]:
        """Return all as plain values."""
        return {"games": self.games, "wins": self.wins, "losses": self.losses, "rate": self.rate, "ci95": self.interval}


def duel(
    game: GameSpec, one: str, other: str, games: int, seed: int, held: Holder, files: tuple[str, ...] = ()
) -> Duel:
    """Return how often agents of one kind win against as many of another, seats and starts shared fairly.

    With four players it is two against two, who sit side by side in half of the games and face to face in the others.
    """
    players = game.load().num_players
    if players % 2:
        raise ValueError(f"{game.name} has {players} players here: duels need an even number")
    half = players // 2
    layouts = [[True] * half + [False] * half]
    if half > 1:
        layouts.append([True, False] * half)
    parts = 8 * len(layouts)  # so that workers have something each
    contests, sides = [], []
    for part in range(parts):
        share = games // parts + (part < games % parts)
        if share:
            layout = layouts[part % len(layouts)]
            agents = tuple(one if first else other for first in layout)
            contests.append(Contest(game, agents, share, derive_seed(seed, "duel", part) >> 1, files))
            sides.append(layout)
    wins = losses = 0
    for layout, standings in zip(sides, held(contests), strict=True):
        for first, standing in zip(layout, standings, strict=True):
            if first:
                wins += int(standing.wins)
            else:
                losses += int(standing.wins)
    return Duel(games, wins, losses)
