"""``oponente sweep``: an agent at many values of its parameters, and how well each does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import click

from oponente.arena import Progress
from oponente.arena.cells import reproducibility
from oponente.arena.sweep import SweepResult, SweepSpec, run_sweep, unfinished_sweep
from oponente.arena.sweep_table import header, rows
from oponente.cli import completion
from oponente.cli.common import (
    check_file,
    game_arguments,
    json_option,
    print_json,
    table,
    users_mistakes,
)
from oponente.cli.matches import Playing, arena_mistakes, command_line, match_options, match_progress, write_page
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game


@click.command("sweep")
@game_arguments
@click.argument("agent", metavar="AGENT", shell_complete=completion.agents)
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    required=True,
    metavar="NAME=V,V,...",
    help="A parameter and its values; may be repeated: all combinations are tried.",
)
@click.option(
    "--against", metavar="SPEC", help="The opponent.  [default: AGENT as it is]", shell_complete=completion.agents
)
@click.option("--games", type=click.IntRange(1, 10**9), default=None, help="Of each combination.  [default: 100]")
@click.option(
    "--budget", type=click.IntRange(1, 10**9), help="Games of all together: the better half goes on, round by round."
)
@match_options
@click.option("--report", metavar="FILE", help="Also write a page with a table and figures, one HTML file.")
@json_option
def command(
    game: Game,
    game_spec: GameSpec,
    agent: str,
    parameters: Sequence[str],
    against: str | None,
    games: int | None,
    budget: int | None,
    playing: Playing,
    report: str | None,
    as_json: bool,
) -> None:
    """Try AGENT at GAME with each combination of some values of its parameters.

    Each combination plays the same starts with the same luck, in one seat in turn, the opponent in all others:
    oponente sweep connect4 uct:iterations=300 --parameter c=0.5,1,1.4,2. To search a large space rather than try all of
    a small one, see oponente train.
    """
    if games is not None and budget is not None:
        raise click.UsageError("--games is for each combination and --budget for all together: give one of them")
    with users_mistakes(), arena_mistakes():
        spec = SweepSpec(
            game_spec,
            agent,
            _grid(parameters),
            against or agent,
            -(-(games or 100) // game.num_players),
            budget,
            **playing.settings,
        )
        if report is not None:
            check_file("--report", Path(report))

        def tell(_: Progress) -> str:
            return f"{spec.size} combinations"

        with playing.store() as store:
            playing.point_out(store, "sweep", lambda: unfinished_sweep(spec, store))
            with (
                playing.workforce() as workers,
                match_progress(None, tell) as show,
                redirect_stdout(sys.stderr),
            ):
                result = run_sweep(
                    spec,
                    workers=workers,
                    store=store,
                    resume=playing.resume,
                    progress=lambda sweep, match: show(sweep.progress(match)),
                )
        if result.copies:
            playing.point_out_copies(f"with {result.copies} of {spec.size} combinations ")
        if report is not None:
            # Loaded when it is wanted: matplotlib alone takes a second.
            from oponente.arena.sweep_report import sweep_page

            own = [
                *(("--parameter", parameter) for parameter in parameters),
                ("--against", against),
                ("--games", games),
                ("--budget", budget),
                ("--report", report),
            ]
            write_page(sweep_page(result, command_line("sweep", spec, [agent], own)), report)
    if as_json:
        print_json(result.summary())
    else:
        _print_result(result)


def _grid(parameters: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each parameter."""
    grid: dict[str, list[str]] = {}
    for text in parameters:
        name, equals, values = text.partition("=")
        if not equals or not name.strip() or not values.strip():
            raise click.UsageError(f"--parameter {text}: write a name and its values, such as c=0.5,1,2")
        if name.strip() in grid:
            raise click.UsageError(f"--parameter {name.strip()} is given twice: write all its values in one")
        grid[name.strip()] = [value.strip() for value in values.split(",")]
    return grid


def _print_result(result: SweepResult) -> None:
    spec = result.spec
    click.echo(
        f"{spec.game.name}: {spec.agent} against {spec.against}, {spec.size:,} combinations, {result.finished:,} games,"
        f" seed {spec.seed}; as good as the opponent is {result.even:.3g}{reproducibility(result.reproducible)}"
    )
    click.echo()
    click.echo(table(rows(result), header(result), keys=len(spec.grid)))
    click.echo(f"\nBest: {result.ranked()[0].agent}")
    click.echo(f"Records: {spec.size} matches in {result.kept_in}")
