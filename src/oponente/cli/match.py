"""``oponente match``: agents play a match."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from oponente.arena import (
    MatchResult,
    MatchSpec,
    PlayedMatch,
    Progress,
    Store,
    check_export,
    export_games,
    run_match,
)
from oponente.arena.cells import bounds, elo, mean_and_sd, number, percent, reproducibility
from oponente.arena.export import StoredGames
from oponente.cli import completion
from oponente.cli.common import (
    check_file,
    check_folder,
    game_arguments,
    json_option,
    print_json,
    table,
    users_mistakes,
)
from oponente.cli.matches import Playing, arena_mistakes, command_line, match_options, match_progress, write_page
from oponente.cli.profile import profiled
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game
from oponente.kernel.notation import escaped, shortened

REASONS_SHOWN = 3


@click.command("match")
@game_arguments
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", shell_complete=completion.agents)
@click.option("--games", type=click.IntRange(1, 10**9), default=100, show_default=True, help="How many.")
@match_options
@click.option("--export", metavar="FILE", help="Also write the games to a .csv, .parquet or .json file.")
@click.option("--fixed-seats", is_flag=True, help="Each agent keeps its seat: the first the first, and so on.")
@click.option("--report", metavar="FILE", help="Also write a page with tables and figures, one HTML file.")
@click.option("--figures", metavar="DIR", help="Also write each figure of the page as a PNG and an SVG file.")
@click.option("--profile", is_flag=True, help="Show where the time goes, in Python and in kernels; one worker.")
@json_option
def command(
    game: Game,
    game_spec: GameSpec,
    agents: Sequence[str],
    games: int,
    playing: Playing,
    export: str | None,
    fixed_seats: bool,
    report: str | None,
    figures: str | None,
    profile: bool,
    as_json: bool,
) -> None:
    """Let agents play a match of GAME, one AGENT for each of its players, and show statistics.

    The agents change seats from game to game; all games of such a round share their start and their luck. With
    --fixed-seats they don't, and every game has luck of its own. Every game is
    kept in a database as it finishes, so that a match that was interrupted, even killed, goes on with --resume.
    """
    with users_mistakes(), arena_mistakes():
        spec = MatchSpec(game_spec, tuple(agents), games, rotate=not fixed_seats, **playing.settings)
        spec.check_players(game)
        if export is not None:
            check_export(export)
        _check_places(report, figures)
        if profile and (playing.ray is not None or (playing.workers or 1) > 1):
            ignored = "--workers" if playing.ray is None else "--ray"
            click.echo(f"note: --profile plays with one worker, in this process; {ignored} is ignored", err=True)
            playing = replace(playing, ray=None, workers=1)
        with playing.store() as store:
            playing.point_out(store, "match", lambda: store.unfinished(spec))
            # What agents print must not mix with the result.
            with (
                playing.workforce() as workers,
                profiled(profile),
                match_progress(games, _standing) as progress,
                redirect_stdout(sys.stderr),
            ):
                result = run_match(
                    spec, workers=workers, store=store, resume=playing.resume, progress=progress, inline=profile
                )
            _explain_forfeits(result, store)
            if result.copies:
                playing.point_out_copies()
            if export is not None:
                # The database may hold more, if more were wanted the last time.
                stored = StoredGames(store, result.match_id, games)
                export_games([PlayedMatch(result.match_id, result.spec, stored)], export)
            if (report is not None or figures is not None) and result.tally.games:
                _write_page(result, game, report, figures)
    if as_json:
        print_json(result.summary())
    elif result.tally.games or not result.left:
        _print_result(result)
    if result.left:
        click.echo(f"{result.left}: {result.how_to_resume()}", err=True)


def _check_places(report: str | None, figures: str | None) -> None:
    """Fail before the match if its page or its figures can't be written."""
    if report is not None:
        check_file("--report", Path(report))
    if figures is not None:
        check_folder("--figures", Path(figures))


def _write_page(result: MatchResult, game: Game, report: str | None, figures: str | None) -> None:
    # Loaded when it is wanted: matplotlib alone takes a second.
    from oponente.arena.match_report import match_page
    from oponente.arena.studies.html_report import write_figures

    spec = result.spec
    line = command_line(
        "match", spec, spec.agents, [("--games", spec.games), ("--report", report), ("--figures", figures)]
    )
    line = line if spec.rotate else f"{line} --fixed-seats"
    page = match_page(spec, result.tally, game, line, copies=result.copies)
    if report is not None:
        write_page(page, report)
    if figures is not None:
        click.echo(f"{len(write_figures(page, figures))} figures written to {figures}", err=True)


def _explain_forfeits(result: MatchResult, store: Store) -> None:
    """Say on standard error why agents have forfeited games: the first reasons of each."""
    shown = [
        forfeit
        for number, agent in enumerate(result.tally.agents)
        if agent.forfeits
        for forfeit in store.forfeits(result.match_id, number, result.spec.games, REASONS_SHOWN)
    ]
    for index, reason in sorted(shown):
        click.echo(f"forfeit in game {index}: {escaped(reason)}", err=True)


def _standing(progress: Progress) -> str:
    return " ".join(f"{agent.wins}-{agent.draws}-{agent.losses}" for agent in progress.tally.agents)


def _print_result(result: MatchResult) -> None:
    summary = result.summary()
    options = "".join(f", {key}={shortened(value)}" for key, value in result.spec.game.shown_options.items())
    speed = f", {summary['games_per_s']:,.3g} games/s" if summary["games_per_s"] else ""
    click.echo(
        f"{summary['game']}{options}: {summary['games']} games, seed {summary['seed']}{speed}, "
        f"{number(summary['mean_length'], '.1f')} actions a game{reproducibility(summary['reproducible'])}"
    )
    click.echo()
    header = ("agent", "wins", "draws", "losses", "win rate", "95 %", "score", "ms", "ms p95", "nodes", "forfeits")
    rows = [
        (
            agent["agent"],
            str(agent["wins"]),
            str(agent["draws"]),
            str(agent["losses"]),
            percent(agent["win_rate"]),
            bounds(agent["ci95"]),
            number(agent["mean_score"], "+.3f"),
            number(agent["mean_decision_ms"], ".3g"),
            number(agent["p95_decision_ms"], ".3g"),
            number(agent["mean_nodes"], ",.0f"),
            str(agent["forfeits"] or ""),
        )
        for agent in summary["agents"]
    ]
    click.echo(table(rows, header))
    click.echo()
    seats = [
        (
            agent["agent"],
            str(seat["seat"] + 1),
            str(seat["games"]),
            str(seat["wins"]),
            str(seat["draws"]),
            percent(seat["wins"] / seat["games"] if seat["games"] else None),
            bounds(seat["ci95"]),
        )
        for agent in summary["agents"]
        for seat in agent["by_seat"]
        if seat["games"] or result.spec.rotate
    ]
    click.echo(table(seats, ("agent", "seat", "games", "wins", "draws", "win rate", "95 %"), keys=2))
    if summary.get("blocks"):
        _print_elo(summary)
    _print_facts(summary["agents"])
    click.echo(f"\nRecords: match {result.match_id} in {result.kept_in}")


def _print_elo(summary: dict[str, Any]) -> None:
    """Print how much better the first of two agents is."""
    first, second = (agent["agent"] for agent in summary["agents"])
    click.echo(
        f"\n{first} beside {second}: {elo(summary['elo'])} Elo, 95 % {' .. '.join(map(elo, summary['elo_ci95']))}; "
        f"the better one with likelihood {percent(summary['los'])}"
    )


def _print_facts(agents: Sequence[dict[str, Any]]) -> None:
    """Print the means of each agent's facts, in all games and in those won, and in each seat; nothing without facts."""
    rows: list[tuple[str, ...]] = []
    for agent in agents:
        seats = [(str(seat["seat"] + 1), seat["facts"]) for seat in agent["by_seat"] if seat.get("facts")]
        for seat, facts in [("all", agent.get("facts", {})), *seats]:
            if facts:
                rows.append((agent["agent"], seat, "all", *(mean_and_sd(fact) for fact in facts.values())))
                rows.append((agent["agent"], seat, "won", *(mean_and_sd(fact["won"]) for fact in facts.values())))
    if rows:
        names = next(agent["facts"] for agent in agents if agent.get("facts"))
        click.echo()
        click.echo(table(rows, ("agent", "seat", "games", *names), keys=3))
