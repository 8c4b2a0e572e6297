"""Running a match: hand its games to workers, keep what finishes, stop on Ctrl-C, go on where it was left."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oponente.agents.basic import HumanAgent, Resigned
from oponente.arena.columns import GameColumns, GameResults, ResultsCollector, game_columns, no_results
from oponente.arena.copies import are_copies
from oponente.arena.match import MatchSpec
from oponente.arena.missing import MissingGames
from oponente.arena.play import StoppedError, Table
from oponente.arena.record import GameRecord
from oponente.arena.statistics import Tally, summary_json
from oponente.arena.storage import Store, opened
from oponente.arena.workers import Crew, InlineCrew, MatchError, ProcessCrew, ThreadCrew, Workers

_POLL_SECONDS = 0.1
_KEEP_SECONDS = 0.1
"""Games that finish within so short a time are stored in one transaction, which costs as much as a short game."""


@dataclass(frozen=True)
class Progress:
    """How far a running match is."""

    done: int
    """Games finished, those of earlier runs included."""
    games: int
    """Games wanted."""
    played: int
    """Games finished by this run."""
    seconds: float
    """Since this run began to play."""
    tally: Tally
    """Results so far; it changes as the match goes on."""
    results: Callable[[], GameResults]
    """Gives the results of all games so far, by index; each call sorts them."""


@dataclass
class MatchResult:
    """What came of a match, or of the part of it that was played."""

    spec: MatchSpec
    tally: Tally
    results: GameResults
    """Of all games, by index."""
    records: list[GameRecord] = field(default_factory=list)
    """The games by index, if no database keeps them."""
    played: int = 0
    """Games that this run played; the others were in the database."""
    seconds: float = 0.0
    """How long they took together, preparation left out."""
    left: str = ""
    """Who left the match, if a person did."""
    interrupted: bool = False
    """Whether Ctrl-C came as it was played. A match whose last games had finished by then is whole all the same, but
    whoever wants to play more after it is to stop."""
    kept_in: str | None = None
    """The database."""
    match_id: int = 0
    """Its number for the match; 0 without a database."""
    copies: bool = False
    """Whether all blocks are the same games, so that statistics say nothing: :mod:`oponente.arena.copies`."""

    @property
    def complete(self) -> bool:
        """Whether all games were finished."""
        return self.tally.games >= self.spec.games

    def summary(self) -> dict[str, Any]:
        """Return the statistics as an object for JSON; see :func:`~oponente.arena.statistics.summary_json`."""
        games_per_s = self.played / self.seconds if self.seconds else None
        return summary_json(self.spec, self.tally, games_per_s, copies=self.copies)

    def how_to_resume(self) -> str:
        """Return a line on what is kept and how to go on."""
        done = f"{self.tally.games} of {self.spec.games} games are finished"
        return done if self.kept_in is None else f"{done} and kept in {self.kept_in}; give --resume to go on"


class PersonLeft(KeyboardInterrupt):
    """A person has left one of several matches, which ends them all as Ctrl-C does; the text says who."""


def why_ended(interrupted: KeyboardInterrupt) -> str:
    """Return what ended several matches before all were played."""
    return str(interrupted) if isinstance(interrupted, PersonLeft) else "interrupted"


class PlayInterrupted(KeyboardInterrupt):
    """Ctrl-C ended what was played; the text says how much of it is finished, and how to go on."""


class MatchInterrupted(PlayInterrupted):
    """Ctrl-C ended the match. Finished games are kept; the text says how to go on."""

    def __init__(self, result: MatchResult) -> None:
        super().__init__(f"interrupted: {result.how_to_resume()}")
        self.result = result


def run_match(
    spec: MatchSpec,
    *,
    workers: Workers = 1,
    store: Store | str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    inline: bool = False,
    enough: Callable[[GameResults], bool] | None = None,
) -> MatchResult:
    """Play a match.

    Args:
        spec: the match.
        workers: how many games are played at a time: in threads if all agents are native, else in processes; or who
            else plays them (:class:`~oponente.arena.ray_crew.RayCluster`). The results do not depend on it.
        store: database that keeps each game as it finishes; a path or URL is opened and closed here. None: the games
            are in the result.
        resume: keep the games of this match that the store holds, and play those that are missing.
        progress: called in this thread at the beginning and whenever games have finished.
        inline: play in this thread and no other, for profilers and debuggers: one game at a time, whatever `workers`
            says, and Ctrl-C waits for the end of a search.
        enough: called with the results of games as they are kept, at first of those that the store held; once it
            returns true, the match ends, however many games are wanted. Several workers may have finished a few more by
            then.

    Raises:
        MatchInterrupted: on Ctrl-C before the last games have finished; later than that, see
            :attr:`MatchResult.interrupted`. A Ctrl-C before the first game, or a second one, is a KeyboardInterrupt.
        MatchError: the rules fail, or worker processes die again and again. Finished games are kept.
        StorageError: see :class:`~oponente.arena.storage.Store` and its :meth:`~oponente.arena.storage.Store.begin`.
        ValueError: the game or an agent is unknown or has a wrong option, or the number of agents is wrong.
    """
    if isinstance(workers, int) and workers < 1:
        raise ValueError(f"{workers} workers: at least 1 is needed")
    if resume and store is None:
        raise ValueError("to resume a match, say which database holds it")
    table = Table(spec)
    spec = table.spec = spec.normalised(table.game)
    with contextlib.ExitStack() as stack:
        stack.callback(table.close)
        run = _Run(spec, stack.enter_context(opened(store)), resume, progress, enough)
        if run.missing and not run.ended:
            run.play(table, workers, inline)
        block = len(spec.agents) if spec.rotate else 1
        run.result.copies = are_copies(table.game, run.result.results, block, run.records)
        return run.result


class _Run:
    """One run of a match: what is there, what is missing, and how results are kept."""

    def __init__(
        self,
        spec: MatchSpec,
        store: Store | None,
        resume: bool,
        progress: Callable[[Progress], None] | None,
        enough: Callable[[GameResults], bool] | None,
    ) -> None:
        self.store = store
        self.progress = progress
        self.enough = enough or (lambda _: False)
        self.ended = False
        """Whether there are enough games."""
        players = len(spec.agents)
        self.collector = ResultsCollector(players)
        tally = Tally(players, rotate=spec.rotate)
        self.result = MatchResult(spec, tally, no_results(players), kept_in=store.name if store else None)
        if store is not None:
            self.match_id = self.result.match_id = store.begin(spec, resume=resume).id
            for games in store.columns(self.match_id, spec.games):
                self._count(games)
        self.result.results = self.collector.results()
        self.missing = MissingGames(spec.games, self.result.results.index)
        self.waiting: list[GameRecord] = []

    def play(self, table: Table, workers: Workers, inline: bool = False) -> None:
        """Play what is missing; see :func:`run_match`."""
        crew: Crew
        people = any(isinstance(agent, HumanAgent) for agent in table.agents)
        self._report()
        # A person's answer is awaited in this thread, where Ctrl-C must break in at once.
        inline = inline or people
        with _no_interrupts() if inline else _noted_interrupts() as interrupted:
            if inline:
                crew = InlineCrew(table, self.missing)
            elif not isinstance(workers, int):
                crew = workers(table.spec, self.missing)
            elif min(workers, len(self.missing)) == 1 or table.native:
                crew = ThreadCrew(table, self.missing, min(workers, len(self.missing)))
            else:
                crew = ProcessCrew(table.spec, self.missing, min(workers, len(self.missing)))
            failure: MatchError | None = None
            broken = False
            try:
                self._collect(crew, interrupted)
            except Resigned as resigned:
                self.result.left = str(resigned)
            except MatchError as error:
                failure = error
            except KeyboardInterrupt:  # in this thread's own game, or the second one
                broken = True
            finally:
                crew.stop()
                self.waiting += _remaining(crew)
                self._keep()
                self.result.results = self.collector.results()
                self.result.records.sort(key=lambda record: record.index)
        if failure is not None:
            raise MatchError(f"{failure} ({self.result.how_to_resume()})")
        self.result.interrupted = broken or interrupted()
        if self.result.interrupted and not (self.result.complete or self.ended):
            raise MatchInterrupted(self.result)

    def records(self, indices: Sequence[int]) -> list[GameRecord]:
        """Return the games with some indices, wherever they are kept."""
        if self.store is not None:
            return self.store.records(self.match_id, indices)
        wanted = set(indices)
        return [record for record in self.result.records if record.index in wanted]

    def _collect(self, crew: Crew, interrupted: Callable[[], bool]) -> None:
        kept_at = 0.0
        wanted = self.result.spec.games
        while self.result.tally.games + len(self.waiting) < wanted and not self.ended and not interrupted():
            self.waiting += crew.take(_KEEP_SECONDS if self.waiting else _POLL_SECONDS)
            now = time.perf_counter()
            if self.waiting and crew.began is not None:
                self.result.seconds = now - crew.began
            if now - kept_at >= _KEEP_SECONDS:
                kept_at = now
                self._keep()
        self._keep()

    def _keep(self) -> None:
        """Store the waiting games first and count them after, so that nothing is reported that could be lost."""
        records, self.waiting = self.waiting, []
        if not records:
            return
        if self.store is not None:
            self.store.add(self.match_id, records)
        else:
            self.result.records.extend(records)
        self._count(game_columns(records))
        self.result.played += len(records)
        self._report()

    def _count(self, games: GameColumns) -> None:
        self.result.tally.add(games)
        self.collector.add(games.results)
        self.ended = self.enough(games.results) or self.ended

    def _report(self) -> None:
        if self.progress is not None:
            result = self.result
            games = result.tally.games, result.spec.games, result.played
            self.progress(Progress(*games, result.seconds, result.tally, self.collector.results))


@contextlib.contextmanager
def _noted_interrupts() -> Iterator[Callable[[], bool]]:
    """Note a Ctrl-C instead of breaking in anywhere, such as between storing a game and counting it.

    A second one breaks in, for workers that do not end. Outside the main thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    noted = False

    def note(_signal: int, _frame: Any) -> None:
        nonlocal noted
        if noted:
            raise KeyboardInterrupt
        noted = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: noted
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _no_interrupts() -> Iterator[Callable[[], bool]]:
    """Leave Ctrl-C as it is."""
    yield lambda: False


def _remaining(crew: Crew) -> list[GameRecord]:
    """Return the games that had finished before a crew was stopped."""
    records: list[GameRecord] = []
    while True:
        try:
            batch = crew.take(0.0)
        except (MatchError, Resigned, StoppedError):
            continue
        if not batch:
            return records
        records += batch
