"""``oponente tournament``: many agents, all their matches, and ratings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import click
from tqdm import tqdm

from oponente.arena import Progress
from oponente.arena.cells import reproducibility
from oponente.arena.online import SYSTEMS
from oponente.arena.tournament import (
    FORMATS,
    TournamentResult,
    TournamentSpec,
    run_tournament,
    unfinished_tournament,
)
from oponente.arena.tournament_tables import HEADER, cross_rows, online_header, online_rows, standing_rows
from oponente.cli import completion
from oponente.cli.common import (
    check_file,
    game_arguments,
    json_option,
    print_json,
    table,
    users_mistakes,
)
from oponente.cli.matches import Playing, arena_mistakes, command_line, match_options, write_page
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game

PLACE = "{}"
"""Stands for the budget in the agents of a ladder."""


@click.command("tournament")
@game_arguments
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", shell_complete=completion.agents)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="Who meets whom."
)
@click.option("--games", type=click.IntRange(1, 10**9), default=100, show_default=True, help="Of each match, at least.")
@click.option("--rounds", type=click.IntRange(1, 10_000), help="Of format swiss.")
@click.option("--ladder", metavar="N,N,...", help="Enter each AGENT with a {} once for each budget, put in its place.")
@click.option(
    "--online",
    "systems",
    type=click.Choice(list(SYSTEMS)),
    multiple=True,
    help="Also rate as servers do, game by game, or by points; may be repeated.",
)
@match_options
@click.option("--report", metavar="FILE", help="Also write a page with tables and figures, one HTML file.")
@json_option
def command(
    game: Game,
    game_spec: GameSpec,
    agents: Sequence[str],
    form: str,
    games: int,
    rounds: int | None,
    ladder: str | None,
    systems: Sequence[str],
    playing: Playing,
    report: str | None,
    as_json: bool,
) -> None:
    """Let AGENTs play a tournament of GAME and rate them.

    All matches are made of blocks, in which the agents change seats and have the same luck. Every game is kept in a
    database as it finishes, so that a tournament that was interrupted, even killed, goes on with --resume. A ladder
    enters one agent at several budgets: oponente tournament connect4 'uct:iterations={}' --ladder 100,300,1000
    """
    systems = list(dict.fromkeys(systems))
    with users_mistakes(), arena_mistakes():
        ladders = _ladders(agents, ladder)
        entrants = [
            spec for text in agents for spec in ([one for _, one in ladders[text]] if text in ladders else [text])
        ]
        blocks = -(-games // game.num_players)
        spec = TournamentSpec(game_spec, tuple(entrants), blocks, form, rounds, **playing.settings)
        if report is not None:
            check_file("--report", Path(report))
        with playing.store() as store:
            playing.point_out(store, "tournament", lambda: unfinished_tournament(spec, store))
            with (
                playing.workforce() as workers,
                _progress() as show,
                redirect_stdout(sys.stderr),
            ):
                result = run_tournament(spec, workers=workers, store=store, resume=playing.resume, progress=show)
        if result.copies:
            playing.point_out_copies(f"in {result.copies} of {len(result.matches)} matches ")
        if report is not None:
            # Loaded when it is wanted: matplotlib alone takes a second.
            from oponente.arena.tournament_report import tournament_page

            own = [
                ("--format", None if form == FORMATS[0] else form),
                ("--games", games),
                ("--rounds", rounds),
                ("--ladder", ladder),
                *(("--online", system) for system in systems),
                ("--report", report),
            ]
            line = command_line("tournament", spec, agents, own)
            write_page(tournament_page(result, line, ladders, systems), report)
    if as_json:
        print_json(result.summary(systems, ladders))
    else:
        _print_result(result, systems)


def _ladders(agents: Sequence[str], ladder: str | None) -> dict[str, list[tuple[float, str]]]:
    """Return the budgets and specs of each agent that is entered once for each budget."""
    with_place = [text for text in agents if PLACE in text]
    if ladder is None:
        if with_place:
            raise click.UsageError(f"{with_place[0]} has a {PLACE}: say with --ladder 100,1000 what stands there")
        return {}
    if not with_place:
        raise click.UsageError(
            f"--ladder needs an agent with a {PLACE} where the budget stands, such as uct:iterations={PLACE}"
        )
    steps = [step.strip() for step in ladder.split(",")]
    try:
        budgets = [float(step) for step in steps]
    except ValueError:
        raise click.UsageError(f"--ladder {ladder}: write numbers with commas between them") from None
    if len(set(budgets)) < len(budgets) or min(budgets) <= 0:
        raise click.UsageError(f"--ladder {ladder}: write different numbers greater than 0")
    return {
        text: [(budget, text.replace(PLACE, step)) for budget, step in zip(budgets, steps, strict=True)]
        for text in with_place
    }


@contextmanager
def _progress() -> Iterator[Callable[[TournamentResult, Progress], None]]:
    """Show a bar on a terminal: all games, and who is ahead."""
    with tqdm(unit="game", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True) as bar:
        over = -1

        def show(result: TournamentResult, match: Progress) -> None:
            nonlocal over
            bar.total = result.games
            bar.update(result.finished + match.done - bar.n)
            if over != len(result.matches) and not bar.disable:
                over = len(result.matches)
                points = result.points()
                best = max(range(len(points)), key=points.__getitem__)
                bar.set_postfix_str(f"{over} matches; ahead: {result.spec.entrants[best]}, {points[best]:g} points")

        yield show


def _print_result(result: TournamentResult, systems: Sequence[str]) -> None:
    spec = result.spec
    options = "".join(f", {key}={value}" for key, value in spec.game.shown_options.items())
    click.echo(
        f"{spec.game.name}{options}: {spec.form}, {len(result.matches)} matches, {result.finished:,} games, "
        f"seed {spec.seed}{reproducibility(result.reproducible)}"
    )
    click.echo()
    standings = result.standings()
    click.echo(table(standing_rows(result, standings), HEADER, keys=2))
    if systems:
        click.echo()
        click.echo(table(online_rows(result, standings, systems), online_header(systems), keys=2))
    click.echo()
    header = ("", "better than, %", *(str(place) for place in range(1, len(standings) + 1)))
    click.echo(table(cross_rows(result, standings), header, keys=2))
    click.echo(f"\nRecords: {len(result.matches)} matches in {result.kept_in}")
