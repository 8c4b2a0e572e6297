"""What the commands that play matches share: options, a bar of progress, and errors in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from tqdm import tqdm

from oponente.arena import MatchError, MatchInterrupted, Progress, StorageError

F = TypeVar("F", bound=Callable[..., Any])


def match_options(function: F) -> F:
    """Add options to a command that plays matches.

    It receives `workers`, `opening_plies`, `seconds`, `max_plies`, `out` and `resume`.
    """
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
            "--opening-plies", type=click.IntRange(0, 1000), default=0, help="Random actions that open each game."
        ),
        click.option(
            "--workers", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games played at a time."
        ),
    ):
        function = option(function)
    return function


@contextmanager
def arena_mistakes() -> Iterator[None]:
    """Turn what goes wrong around a match into one line."""
    try:
        yield
    except MatchInterrupted as interrupted:
        print(f"\noponente: {interrupted}", file=sys.stderr)
        sys.exit(130)
    except (MatchError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error


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
