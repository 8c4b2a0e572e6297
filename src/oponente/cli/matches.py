"""What the commands that play matches share: options, a bar of progress, and errors in one line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from tqdm import tqdm

from oponente import __version__
from oponente.arena import MatchError, Progress, StorageError, Store, default_records
from oponente.arena.copies import copies_note
from oponente.arena.runner import PlayInterrupted
from oponente.arena.storage import Unfinished
from oponente.arena.workers import Workers
from oponente.cli.common import agent_file_option, escaped_lines, seed_option
from oponente.kernel import absolute

if TYPE_CHECKING:
    from oponente.arena import MatchSpec
    from oponente.arena.studies.document import Page
    from oponente.arena.sweep import SweepSpec
    from oponente.arena.tournament import TournamentSpec


@dataclass(frozen=True)
class Playing:
    """How matches are played: what stands in the options that all commands which play some have."""

    agent_files: tuple[str, ...]
    seed: int
    workers: int | None
    ray: str | None
    opening_plies: int
    seconds: float | None
    max_plies: int | None
    out: str | None
    resume: bool

    @property
    def settings(self) -> dict[str, Any]:
        """What a match, a sweep and a tournament are told alike when they are made."""
        names = ("seed", "agent_files", "opening_plies", "seconds", "max_plies")
        return {name: getattr(self, name) for name in names}

    @contextmanager
    def workforce(self) -> Iterator[Workers]:
        """Have who plays the games; see :func:`workforce`."""
        with workforce(self.ray, self.workers) as workers:
            yield workers

    def point_out(self, store: Store, what: str, unfinished: Callable[[], Unfinished]) -> None:
        """Say on standard error if games are going to be played again that are kept already, and how to go on there.

        Args:
            store: where they are.
            what: is going to be played.
            unfinished: tells what is kept of it that an earlier run has not finished.
        """
        games, version = Unfinished() if self.resume else unfinished()
        if games:
            how = "played before; --resume goes on there"
            if version != __version__:
                how = f"begun with oponente {version}: that version goes on there, this one ({__version__}) begins anew"
            click.echo(f"note: {store.name} keeps {games} games of this {what}, {how}", err=True)

    def point_out_copies(self, where: str = "") -> None:
        """Say on standard error that blocks are the same games, `where` not all are."""
        click.echo(f"note: {copies_note(self.opening_plies, where)}", err=True)

    def store(self) -> Store:
        """Return the database for the records, to be entered as a context."""
        return Store(self.out or default_records())


@contextmanager
def workforce(ray: str | None, workers: int | None) -> Iterator[Workers]:
    """Have who plays games: workers on this machine or, if its address is given, a Ray cluster.

    Raises:
        ValueError: there is no such cluster.
    """
    if ray is None:
        yield workers or 1
        return
    from oponente.arena.ray_crew import RayCluster

    cluster = RayCluster(ray, workers)
    try:
        yield cluster
    finally:
        cluster.close()


ray_option = click.option(
    "--ray",
    metavar="ADDRESS",
    help="Play on the Ray cluster whose head is there (host:port), auto for the one that this machine is in,"
    " local for one on this machine.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 100_000),
    help="Games played at a time.  [default: 1, with --ray one for each CPU of the cluster]",
)


def match_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add options to a command that plays matches; it receives `playing`, a :class:`Playing`."""

    @wraps(function)
    def command(**given: Any) -> None:
        own = {field.name: given.pop(field.name) for field in fields(Playing)}
        own["agent_files"] = tuple(map(absolute, own["agent_files"]))
        function(playing=Playing(**own), **given)

    with_options: Any = command
    for option in (
        click.option("--resume", is_flag=True, help="Go on with what was interrupted."),
        click.option(
            "--out", metavar="FILE|URL", help="Database for the records: an SQLite file or an SQLAlchemy URL."
        ),
        click.option("--max-plies", type=click.IntRange(1), help="After so many actions a game is a draw."),
        click.option(
            "--seconds", type=click.FloatRange(0.001), help="Time for each decision, for agents that heed it."
        ),
        click.option(
            "--opening-plies",
            type=click.IntRange(0, 1000),
            default=0,
            help="Random actions that open each game; without them agents without luck repeat one without chance.",
        ),
        ray_option,
        workers_option,
    ):
        with_options = option(with_options)
    return cast(Callable[..., None], agent_file_option(seed_option(with_options)))


@contextmanager
def arena_mistakes() -> Iterator[None]:
    """Turn what goes wrong around a match into one line."""
    try:
        yield
    except PlayInterrupted as interrupted:
        print(f"\noponente: {interrupted}", file=sys.stderr)
        sys.exit(130)
    except (MatchError, StorageError) as error:
        raise click.ClickException(escaped_lines(str(error))) from error
    except OSError as error:
        raise click.ClickException(": ".join(filter(None, (error.filename, error.strerror or str(error))))) from error


@contextmanager
def match_progress(games: int | None, tell: Callable[[Progress], str]) -> Iterator[Callable[[Progress], None]]:
    """Show a bar on a terminal: games done, what `tell` says of them, time left if the number of games is known."""
    with tqdm(total=games, unit="game", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True) as bar:

        def show(progress: Progress) -> None:
            if bar.n == 0 and progress.played == 0:
                bar.initial = progress.done
            bar.update(progress.done - bar.n)
            bar.set_postfix_str(tell(progress))

        yield show


def command_line(
    name: str, spec: MatchSpec | SweepSpec | TournamentSpec, words: Iterable[str], options: Iterable[tuple[str, Any]]
) -> str:
    """Return the command that plays the same again, on any machine, for its page.

    Without what changes no result: who plays, and the database, whose URL may hold a password.

    Args:
        name: of the command.
        spec: what is played.
        words: that follow the game.
        options: of this command alone, with their values; those whose value is None are left out.
    """
    line = ["oponente", name, spec.game.name, *words]
    for option, value in (
        *options,
        ("--seed", spec.seed),
        *(("--option", f"{key}={value}") for key, value in spec.game.options),
        ("--game-file", spec.game.file),
        *(("--agent-file", file) for file in spec.agent_files),
        ("--opening-plies", spec.opening_plies or None),
        ("--seconds", spec.seconds),
        ("--max-plies", spec.max_plies),
    ):
        if value is not None:
            line += [option, str(value)]
    return shlex.join(line)


def write_page(page: Page, file: str) -> None:
    """Write the page of a report to a file, and say so."""
    from oponente.arena.studies.html_report import render_html

    Path(file).write_text(render_html(page, downloads=False), encoding="utf-8")
    click.echo(f"Report written to {file}", err=True)
