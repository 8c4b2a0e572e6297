"""Contests: small matches whose results are fitness. Many at a time, with the same results on any number of workers.

All is played in whole *blocks* of as many games as there are players (:mod:`oponente.arena.match`), in which everyone
sits in every seat once: a part of a block would give some the better seats. Numbers of games are rounded up.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from oponente.arena import MatchSpec, Table, wilson_interval
from oponente.arena.elo import shares
from oponente.arena.processes import process_pool
from oponente.arena.record import FORFEIT
from oponente.games.catalogue import GameSpec
from oponente.kernel import Control, derive_seed


@dataclass(frozen=True)
class Standing:
    """What a contest says of one of its agents."""

    games: int
    won: float
    """Games that it has won; of one that several have won or drawn, its part. In a game for one these are all."""
    score: float
    """Mean utility."""

    @property
    def rank(self) -> tuple[float, float]:
        """What ranks agents: mean share of the games, then mean utility."""
        return (self.won / self.games if self.games else 0.0, self.score)


def whole(games: int, block: int) -> int:
    """Return a number of games rounded up to whole blocks.

    >>> whole(20, 4), whole(21, 4), whole(1, 8)
    (20, 24, 8)
    """
    return -(-games // block) * block


@dataclass(frozen=True)
class Contest:
    """Games among some agents; of more agents than the game has seats, some play each block.

    Who plays a block are those who have played least so far, and of them those who have met each other least. Who sits
    after whom is drawn anew for each block: else, as agents only move round the seats, everyone would sit after the
    same one in all games. In a game for one each agent plays alone, all of them the same games.
    """

    game: GameSpec
    agents: tuple[str, ...]
    """Specs."""
    games: int
    """Rounded up to whole blocks."""
    seed: int
    """63 bits."""
    agent_files: tuple[str, ...] = ()
    opening: int = 0
    """Random plies that open each game: of agents without luck all games without chance would be the same ones."""
    drawn: bool = True
    """Whether it is drawn who sits after whom; if not, agents, as many as the game has seats, sit as they are given."""

    def matches(self, players: int) -> list[tuple[tuple[int, ...], MatchSpec]]:
        """Return the matches of the contest, each of whole blocks, with the numbers of its agents in their order."""
        blocks = whole(self.games, players) // players
        if not self.drawn:
            return [self._match(tuple(range(players)), blocks * players, 0)]
        orders = Counter(_orders(len(self.agents), players, blocks, random.Random(derive_seed(self.seed, "orders"))))
        return [
            self._match(order, count * players, number if players > 1 else 0)
            for number, (order, count) in enumerate(orders.items())
        ]

    def _match(self, order: tuple[int, ...], games: int, number: int) -> tuple[tuple[int, ...], MatchSpec]:
        agents = tuple(self.agents[one] for one in order)
        seed = derive_seed(self.seed, "match", number) >> 1
        return order, MatchSpec(self.game, agents, games, seed, self.agent_files, self.opening)


def _orders(agents: int, players: int, blocks: int, chance: random.Random) -> list[tuple[int, ...]]:
    """Return who plays each block, and in which order, that with the lowest number first; see :class:`Contest`."""
    played = [0] * agents
    met = [[0] * agents for _ in range(agents)]
    orders = []
    for _ in range(blocks):
        order: list[int] = []
        others = list(range(agents))
        while len(order) < players:
            chance.shuffle(others)
            others.sort(key=lambda one: (played[one], sum(met[one][other] for other in order)))
            order.append(others.pop(0))
        for one in order:
            played[one] += 1
            for other in order:
                met[one][other] += 1
        first = min(order)  # all sit in every seat: where an order begins makes no difference
        order.remove(first)
        chance.shuffle(order)
        orders.append((first, *order))
    return orders


def hold(contest: Contest, control: Control | None = None) -> list[Standing]:
    """Play a contest and return the standing of each of its agents.

    Args:
        contest: what is played.
        control: carries the stop flag.

    Raises:
        RuntimeError: an agent has failed; the message is one line.
        StoppedError: the stop flag was set.
    """
    players = contest.game.load().num_players
    games, won, scores = ([0.0] * len(contest.agents) for _ in range(3))
    for order, spec in contest.matches(players):
        table = Table(spec, control)
        try:
            for index in range(spec.games):
                record = table.play(index)
                if record.status == FORFEIT:
                    raise RuntimeError(f"an agent has failed: {record.reason}")
                parts = shares(record.returns).tolist()
                for seat, value, part in zip(record.seats, record.returns, parts, strict=True):
                    number = order[seat.agent]
                    games[number] += 1
                    won[number] += part
                    scores[number] += value
        finally:
            table.close()
    return [Standing(int(n), part, score / n if n else 0.0) for n, part, score in zip(games, won, scores, strict=True)]


Task = TypeVar("Task")
Result = TypeVar("Result")
Crew = Callable[[Callable[..., Result], Sequence[Task]], Iterator[Result]]
"""Does tasks, several at a time, and gives their results in the same order.

The function is called with a task, and with a :class:`~oponente.kernel.Control`, too, where tasks can be stopped.
"""
Holder = Callable[[Sequence[Contest]], list[list[Standing]]]
"""Holds contests, several at a time, and returns their results in the same order."""


@contextmanager
def crew(
    game: GameSpec, agents: Sequence[str], workers: int, agent_files: tuple[str, ...] = ()
) -> Iterator[Crew[Any, Any]]:
    """Give what does several tasks at a time: threads where all agents work in kernels, else processes.

    For one worker it is the thread that asks. Tasks that are not done when the block is left are stopped.

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
        yield map
    elif native:
        control, threads = Control(), ThreadPoolExecutor(workers)
        try:
            yield lambda work, tasks: threads.map(partial(_stoppable, control, work), tasks)
        finally:
            control.stop()
            threads.shutdown(cancel_futures=True)
    else:
        with process_pool(workers) as processes:
            yield processes.map


def _stoppable(control: Control, work: Callable[..., Any], task: Any) -> Any:
    """Do a task in a thread, which needs a control of its own."""
    own = control.fork()
    try:
        return work(task, own)
    finally:
        control.join(own)


@contextmanager
def holder(game: GameSpec, agents: Sequence[str], workers: int, agent_files: tuple[str, ...] = ()) -> Iterator[Holder]:
    """Give what holds contests, `workers` at a time; arguments as of :func:`crew`."""
    with crew(game, agents, workers, agent_files) as playing:
        yield lambda contests: list(playing(hold, contests))


@dataclass(frozen=True)
class Duel:
    """How one side of two did.

    Interval and error are those of independent games that are won or lost. Games that are drawn differ less, so that
    they are too wide then. But they are too narrow where games are repeated, as those of agents without luck that open
    with a few random plies: tic-tac-toe has 72 openings of two. And the games of a block share start, opening and
    chance, which they leave out of account; :class:`oponente.learn.gate.Verdict` goes by the means of blocks.
    """

    games: int
    won: float
    """Games that it has won; of one that several have won or drawn, its part."""

    def __add__(self, other: Duel) -> Duel:
        """Return what both say together."""
        return Duel(self.games + other.games, self.won + other.won)

    @property
    def score(self) -> float:
        """Mean share of the games."""
        return min(1.0, self.won / self.games) if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the score (Wilson)."""
        return wilson_interval(min(self.won, self.games), self.games)

    @property
    def error(self) -> float:
        """Standard error of the score."""
        return math.sqrt(self.score * (1.0 - self.score) / self.games) if self.games else 0.5

    def values(self) -> dict[str, Any]:
        """Return all as plain values; ``even`` is the score of an equal side."""
        return {"games": self.games, "score": self.score, "ci95": self.interval, "even": 0.5}


PARTS = 8
"""Contests of a duel for each layout, so that workers have something each."""


def own_seats(players: int) -> int:
    """Return how many seats the first of two sides has: half of them, rounded down but at least one."""
    return max(1, players // 2)


def layouts(players: int) -> list[list[bool]]:
    """Return how two sides sit at first: whether each seat is the first one's.

    >>> layouts(2), layouts(3), layouts(4)
    ([[True, False]], [[True, False, False]], [[True, True, False, False], [True, False, True, False]])
    """
    own = own_seats(players)
    if own == 1:
        return [[seat == 0 for seat in range(players)]]
    return [[seat < own for seat in range(players)], [seat % 2 == 0 and seat < 2 * own for seat in range(players)]]


def duel(
    game: GameSpec,
    one: str,
    other: str,
    games: int,
    seed: int,
    held: Holder,
    files: tuple[str, ...] = (),
    opening: int = 0,
) -> Duel:
    """Return how agents of one kind do against as many of another, seats and starts shared fairly.

    With four players it is two against two, who sit side by side in half of the games and face to face in the others.
    So many games are rounded up to whole blocks, as many of each layout: to a multiple of two with two players, of
    eight with four. Duels with the same seed and number of games have the same starts and chance, and the same
    `opening` random plies at the beginning.
    """
    players = game.load().num_players
    if players % 2:
        raise ValueError(f"{game.name} has {players} players here: duels need an even number")
    kinds = layouts(players)
    blocks = whole(games, players * len(kinds)) // (players * len(kinds))
    contests, sides = [], []
    for part in range(min(PARTS, blocks)):
        share = players * (blocks // PARTS + (part < blocks % PARTS))
        for number, layout in enumerate(kinds):
            agents = tuple(one if first else other for first in layout)
            part_seed = derive_seed(seed, "duel", part, number) >> 1
            contests.append(Contest(game, agents, share, part_seed, files, opening, drawn=False))
            sides.append(layout)
    won = math.fsum(
        standing.won
        for layout, standings in zip(sides, held(contests), strict=True)
        for first, standing in zip(layout, standings, strict=True)
        if first
    )
    return Duel(sum(contest.games for contest in contests), won)
