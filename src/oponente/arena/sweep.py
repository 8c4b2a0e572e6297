"""Parameter sweeps: an agent at every combination of some values of its parameters, each against the same opponent.

All combinations (*points*) meet the opponent in the same blocks (:mod:`oponente.arena.match`: all seats once, with the
same luck), so they differ in their parameters alone. With a budget of games the points are thinned out by sequential
halving: in each of about log2(points) rounds those that are left share the games of the round alike, and the better
half goes on.

Source of sequential halving: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits"
(ICML 2013).
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oponente.agents.spec import split_spec, with_values
from oponente.arena.elo import BlockScores, WholeBlocks
from oponente.arena.match import MatchSpec
from oponente.arena.play import seat_agent
from oponente.arena.runner import PersonLeft, PlayInterrupted, Progress, run_match, why_ended
from oponente.arena.storage import Store, Unfinished, opened, other_version
from oponente.arena.workers import Workers
from oponente.games.catalogue import GameSpec, agent_classes
from oponente.kernel import Declared, declared

__all__ = [
    "MOST_POINTS",
    "Point",
    "SweepInterrupted",
    "SweepResult",
    "SweepSpec",
    "run_sweep",
    "unfinished_sweep",
]

MOST_POINTS = 2_000


@dataclass(frozen=True)
class SweepSpec:
    """A sweep, as plain values.

    Raises:
        ValueError: there are no values, a value twice, too many combinations, or too few games.
    """

    game: GameSpec
    agent: str
    """Spec of the agent that is varied."""
    grid: Mapping[str, Sequence[str]]
    """The values of each parameter, as text."""
    against: str
    """Spec of the opponent, which has all other seats."""
    blocks: int = 50
    """Blocks that each point plays, of as many games as the game has players; without a budget."""
    budget: int | None = None
    """Games that all points play together, thinned out by sequential halving."""
    seed: int = 0
    agent_files: tuple[str, ...] = ()
    opening_plies: int = 0
    seconds: float | None = None
    max_plies: int | None = None

    def __post_init__(self) -> None:
        if not self.grid:
            raise ValueError("a sweep needs a parameter and its values, such as c=0.5,1,2")
        for name, values in self.grid.items():
            if not values:
                raise ValueError(f"{name} has no value to try")
        if self.size > MOST_POINTS:
            raise ValueError(f"{self.size:,} combinations are too many: at most {MOST_POINTS:,}")
        for name, values in self.grid.items():
            read = [self._read(name, value) for value in values]
            again = next((i for i, value in enumerate(read) if value in read[:i]), None)
            if again is not None:
                first = values[read.index(read[again])]
                same = f" ({values[again]} is {first})" if values[again] != first else ""
                raise ValueError(f"{name}: {', '.join(values)} has a value twice{same}")

    @property
    def size(self) -> int:
        """How many points there are."""
        return math.prod(len(values) for values in self.grid.values())

    def settings(self) -> list[tuple[str, ...]]:
        """Return the values of each point, in the order of the parameters; the last one changes first."""
        return list(itertools.product(*self.grid.values()))

    @functools.cached_property
    def _parameters(self) -> dict[str, Declared]:
        """The agent's parameters by name, in their order; none if there is no such agent."""
        name, _ = split_spec(self.agent)
        classes = {cls.name: cls for cls in agent_classes(self.game.load(), self.agent_files)}
        return {one.name: one for one in declared(classes[name].Parameters)} if name in classes else {}

    def _read(self, name: str, text: str) -> Any:
        """Return the value of a parameter that a text stands for; the text if it is wrong, which seating tells."""
        try:
            return self._parameters[name].parse(text)
        except (KeyError, ValueError):
            return text

    def match(self, setting: Sequence[str], players: int, blocks: int) -> MatchSpec:
        """Return the match of a point, in so many blocks."""
        agent = with_values(self.agent, dict(zip(self.grid, setting, strict=True)), list(self._parameters))
        return MatchSpec(
            self.game,
            (agent, *[self.against] * (players - 1)),
            blocks * players,
            self.seed,
            self.agent_files,
            self.opening_plies,
            self.seconds,
            self.max_plies,
        )

    def rounds(self, players: int) -> list[tuple[int, int]]:
        """Return for each round how many points play in it, and how many blocks each of them plays in it.

        Raises:
            ValueError: the budget is too small.
        """
        if self.budget is None:
            return [(self.size, self.blocks)]
        left = self.size
        counts: list[int] = []
        while left > 1 or not counts:
            counts.append(left)
            left = (left + 1) // 2
        blocks = [self.budget // (len(counts) * count * players) for count in counts]
        if blocks[0] < 1:
            least = len(counts) * self.size * players
            raise ValueError(f"a budget of {self.budget:,} games is too small: {self.size} points need {least:,}")
        return list(zip(counts, blocks, strict=True))


class SweepInterrupted(PlayInterrupted):
    """Ctrl-C ended the sweep; finished games are kept if there is a database. The text says how to go on."""


@dataclass
class Point:
    """A combination of values, and what came of it."""

    setting: tuple[str, ...]
    agent: str
    """Its spec."""
    match_id: int = 0
    """The number of its match in the database."""
    rounds: int = 0
    """In how many rounds it played."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: float = math.nan
    """Mean share of its games: 1 for a win, of a draw its part."""
    interval: tuple[float, float] = (0.0, 1.0)
    """95 %, of the mean over blocks."""
    reproducible: bool = True
    copies: bool = False
    """Whether all its blocks are the same games, so that the interval says nothing."""

    @property
    def games(self) -> int:
        """How many it has played."""
        return self.wins + self.draws + self.losses


@dataclass
class SweepResult:
    """What came of a sweep, or of the part of it that was played."""

    spec: SweepSpec
    players: int
    points: list[Point] = field(default_factory=list)
    """In the order of the grid."""
    games: int = 0
    """Games that the sweep has, all together."""
    playing: Point | None = None
    """The point whose match is running: its own numbers are those of the round before."""
    kept_in: str | None = None

    @property
    def even(self) -> float:
        """The score of an agent that is as good as the opponent."""
        return 1.0 / self.players

    @property
    def finished(self) -> int:
        """Games that were finished."""
        return sum(point.games for point in self.points)

    def progress(self, match: Progress) -> Progress:
        """Return how far the sweep is, given how far the match of the point that plays is."""
        others = self.finished - (self.playing.games if self.playing else 0)
        return dataclasses.replace(match, done=others + match.done, games=self.games, played=others + match.played)

    @property
    def copies(self) -> int:
        """How many points have blocks that are all the same games."""
        return sum(point.copies for point in self.points)

    @property
    def reproducible(self) -> bool:
        """Whether the same sweep gives the same games again."""
        return all(point.reproducible for point in self.points)

    def ranked(self) -> list[Point]:
        """Return the points, the best first: by how many rounds they played, then by score."""
        return sorted(self.points, key=lambda point: (-point.rounds, -point.score))

    def summary(self) -> dict[str, Any]:
        """Return the result as an object for JSON.

        It has ``game``, ``options``, ``against``, ``seed``, ``games`` (finished), ``even`` (the score of an equal
        agent), ``reproducible`` and ``points``, the best first: ``agent``, ``values`` (by parameter), ``rounds``,
        ``games``, ``wins``, ``draws``, ``losses``, ``score``, ``ci95``, ``copies`` (whether all its blocks are the
        same games, so that the interval says nothing).
        """
        return {
            "game": self.spec.game.name,
            "options": dict(self.spec.game.options),
            "against": self.spec.against,
            "seed": self.spec.seed,
            "games": self.finished,
            "even": self.even,
            "reproducible": self.reproducible,
            "points": [
                {
                    "agent": point.agent,
                    "values": dict(zip(self.spec.grid, point.setting, strict=True)),
                    "rounds": point.rounds,
                    "games": point.games,
                    "wins": point.wins,
                    "draws": point.draws,
                    "losses": point.losses,
                    "score": point.score,
                    "ci95": list(point.interval),
                    "copies": point.copies,
                }
                for point in self.ranked()
            ],
        }


def unfinished_sweep(spec: SweepSpec, store: Store) -> Unfinished:
    """Return what a database holds of this sweep, unless it is complete."""
    players = spec.game.load().num_players
    rounds = spec.rounds(players)
    first, most = rounds[0][1], sum(blocks for _, blocks in rounds)
    # How long a point goes on is known only when the others have played: an entry may hold the games of any rounds.
    begun = store.begun([spec.match(setting, players, first) for setting in spec.settings()])
    kept = sum(one.of(first * players, most * players) for one in begun)
    missing = kept < sum(count * blocks for count, blocks in rounds) * players
    return Unfinished(kept, other_version(begun)) if missing else Unfinished()


def run_sweep(
    spec: SweepSpec,
    *,
    workers: Workers = 1,
    store: Store | str | Path | None = None,
    resume: bool = False,
    progress: Callable[[SweepResult, Progress], None] | None = None,
) -> SweepResult:
    """Play a sweep.

    Args:
        spec: the sweep.
        workers: games of a match played at a time; the result does not depend on it.
        store: database that keeps each game as it finishes; a path or URL is opened and closed here. Without one a
            point that goes on into a further round plays its games again.
        resume: keep the games of this sweep that the store holds.
        progress: called in this thread with the points so far and the progress of the one that plays.

    Raises:
        SweepInterrupted: on Ctrl-C; finished games are kept if there is a store.
        MatchError, StorageError, ValueError: see :func:`~oponente.arena.runner.run_match`.
    """
    with opened(store) as kept:
        return _run(spec, workers, kept, resume, progress)


def _run(
    spec: SweepSpec,
    workers: Workers,
    store: Store | None,
    resume: bool,
    progress: Callable[[SweepResult, Progress], None] | None,
) -> SweepResult:
    game = spec.game.load()
    players = game.num_players
    if players < 2:
        raise ValueError("a sweep is for games of at least two players")
    rounds = spec.rounds(players)
    points = [Point(setting, spec.match(setting, players, 1).agents[0]) for setting in spec.settings()]
    for text in (spec.against, *(point.agent for point in points)):
        seat_agent(text, game, spec.agent_files)  # what is wrong with one shows before the first game
    result = SweepResult(spec, players, points, kept_in=store.name if store else None)
    result.games = sum(count * blocks for count, blocks in rounds) * players
    told = 0

    def tell(match: Progress) -> None:
        nonlocal told
        told = match.done
        if progress is not None:
            progress(result, match)

    left, blocks, number = list(points), 0, 0
    try:
        for number, (count, more) in enumerate(rounds):
            left = sorted(left, key=lambda point: -point.score)[:count] if number else left
            blocks += more
            for point in left:
                told = 0
                _play(result, point, blocks, workers, store, resume or number > 0, tell)
    except KeyboardInterrupt as interrupted:  # in a match, or between two
        done = result.finished
        if result.playing is not None:  # what the point played in earlier rounds is part of its match
            done += max(result.playing.games, told) - result.playing.games
        if (resume or number > 0) and store is not None:  # points that come later have games as well
            done = max(done, unfinished_sweep(spec, store).games)
        kept = f" and kept in {result.kept_in}; give --resume to go on" if result.kept_in else ""
        raise SweepInterrupted(
            f"{why_ended(interrupted)}: {done:,} of {result.games:,} games are finished{kept}"
        ) from interrupted
    return result


def _play(
    result: SweepResult,
    point: Point,
    blocks: int,
    workers: Workers,
    store: Store | None,
    resume: bool,
    tell: Callable[[Progress], None],
) -> None:
    """Let a point play until it has played so many blocks in all.

    Raises:
        KeyboardInterrupt: on Ctrl-C, unless all games of the sweep are played.
        PersonLeft: a person has left.
    """
    match = result.spec.match(point.setting, result.players, blocks)
    result.playing = point
    played = run_match(match, workers=workers, store=store, resume=resume and store is not None, progress=tell)
    if played.left:
        raise PersonLeft(played.left)
    scores = BlockScores(result.players)
    scores.add(WholeBlocks(result.players).add(played.results)[1])
    score, low, high = scores.mean()
    tally = played.tally.agents[0]
    point.match_id, point.rounds = played.match_id, point.rounds + 1
    point.wins, point.draws, point.losses = tally.wins, tally.draws, tally.losses
    point.score, point.interval = score, (max(0.0, low), min(1.0, high))
    point.reproducible, point.copies = bool(played.results.reproducible.all()), played.copies
    result.playing = None
    if played.interrupted and result.finished < result.games:
        raise KeyboardInterrupt
