"""What a study is, and how one is run: what was finished before is kept, and where and when it ran is noted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from oponente.arena import MatchError, MatchInterrupted, MatchResult, MatchSpec, run_match
from oponente.arena.provenance import provenance
from oponente.arena.studies.document import Page
from oponente.arena.studies.keeping import Keep
from oponente.arena.workers import Workers

Progress = Callable[[str, float, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

SCALES = ("quick", "standard", "full")
"""Sizes that every study offers: less than a minute, some minutes, and as long as it takes to be sure."""


class Server(Protocol):
    """A server of another program, on which a study's agents play against that program's own players.

    Its text says where it is.
    """

    def check(self) -> None:
        """Raise MatchError unless something answers there: else that would be told when all else is played."""

    def play(
        self, name: str, agent: str, games: int, settings: Settings, keep: Keep, progress: Progress
    ) -> dict[str, Any]:
        """Play games of an agent that `keep` does not hold yet; return their statistics.

        Raises:
            KeyboardInterrupt: on Ctrl-C.
            MatchError: the server can't be reached, or wants nothing of us.
        """


@dataclass(frozen=True)
class Settings:
    """How much a study shall measure, and from which seed."""

    scale: str = "standard"
    """One of `SCALES`."""
    seed: int = 1
    """Of everything random."""
    games: int | None = None
    """Games that are measured decision by decision; None: as the scale says."""
    match_games: int | None = None
    """Games of each match; None: as the scale says."""
    workers: Workers = 1
    """Who plays the games of a match: so many workers, or a cluster. Times are always measured here, one at a time."""
    server: Server | None = None
    """Where a study plays that can do so on a server as well."""


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a study. The text says what is kept and how to go on."""


class Study(ABC):
    """A published study that can be repeated."""

    name: ClassVar[str]
    """By which it is called."""
    title: ClassVar[str]
    source: ClassVar[str]
    """The publication."""
    games: ClassVar[tuple[str, ...]] = ()
    """Of which games it can be made, if there are several."""
    of_matches: ClassVar[bool] = True
    """Whether it plays matches, which a cluster can play."""

    def for_game(self, game: str) -> Study:
        """Return the study of another game.

        Raises:
            ValueError: it is of one game only, or not of that one.
        """
        raise ValueError(f"{self.name} is of one game only: leave out {game!r}")

    def missing(self) -> str | None:
        """Return what must be there for the study and is not, and how it is had, in one line; None if nothing is."""
        return None

    def left_out(self, settings: Settings) -> str | None:
        """Return which parts of the study will not be measured for want of something, and how it is had, in one line.

        None: nothing is left out, or nothing that could be there.
        """
        return None

    @abstractmethod
    def scale_lines(self) -> Mapping[str, str]:
        """Return a line about the size of each scale."""

    @abstractmethod
    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what two runs must have in common for one to go on where the other was interrupted."""

    @abstractmethod
    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Return all that was measured, and the verdicts on it, as plain data for JSON.

        What `keep` holds already is not measured again, and what takes long goes there as it is finished.

        Raises:
            KeyboardInterrupt: on Ctrl-C.
        """

    @abstractmethod
    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows what :func:`run_study` returned."""


def play_match(spec: MatchSpec, label: str, settings: Settings, keep: Keep, progress: Progress) -> MatchResult:
    """Play a match of a study; games that `keep` holds are not played again.

    Args:
        spec: the match.
        label: what `progress` is told of it.
        settings: of the study.
        keep: where games are kept as they finish.
        progress: called as they do.

    Raises:
        KeyboardInterrupt: on Ctrl-C; the study says itself how to go on.
        MatchError: an agent has failed, so that its games measure nothing; or see :func:`oponente.arena.run_match`.
        StorageError: see there.
    """
    try:
        result = run_match(
            spec,
            workers=settings.workers,
            store=keep.database,
            resume=True,
            progress=lambda state: progress(label, state.done, state.games),
        )
    except MatchInterrupted:
        raise KeyboardInterrupt from None
    if result.interrupted:
        raise KeyboardInterrupt
    for agent, tally in zip(spec.agents, result.tally.agents, strict=True):
        if tally.forfeits:
            raise MatchError(f"{label}: {agent} has failed in {tally.forfeits} of {spec.games} games")
    return result


def run_study(
    study: Study, settings: Settings, keep: Keep, *, command: str, progress: Progress | None = None
) -> dict[str, Any]:
    """Run a study and return its data: provenance, settings, measurements and verdicts, and what was left out.

    Args:
        study: the study.
        settings: how much of it.
        keep: what an earlier run has finished, and where this one keeps what it finishes.
        command: the command line that does this, to be stated with the figures.
        progress: called now and then.

    Raises:
        StudyInterrupted: on Ctrl-C; what was finished is kept.
        KeepError: `keep` belongs to another run, or can't be written.
        MatchError, StorageError: see :func:`oponente.arena.run_match`.
    """
    try:
        keep.open(study.identity(settings))
        left_out = study.left_out(settings)
        measured = study.measure(settings, keep, progress or (lambda what, done, total: None))
    except KeyboardInterrupt:
        raise StudyInterrupted(f"interrupted: {keep.how_to_resume()}") from None
    finally:
        keep.close()
    return {
        "study": study.name,
        "title": study.title,
        "source": study.source,
        **provenance(command),
        "seed": settings.seed,
        "scale": settings.scale,
        **({"left_out": left_out} if left_out else {}),
        **measured,
    }
