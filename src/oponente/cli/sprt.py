"""``oponente sprt``: a match that goes on until it is clear which agent is better."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

import click

from oponente.arena import MatchSpec, Progress
from oponente.arena.cells import elo
from oponente.arena.elo import finite
from oponente.arena.sprt import H0, H1, Sprt, SprtResult, run_sprt
from oponente.cli import completion
from oponente.cli.common import (
    game_arguments,
    json_option,
    print_json,
    users_mistakes,
)
from oponente.cli.matches import Playing, arena_mistakes, match_options, match_progress
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game


@click.command("sprt")
@game_arguments
@click.argument("a", metavar="A", shell_complete=completion.agents)
@click.argument("b", metavar="B", shell_complete=completion.agents)
@click.option("--elo0", type=float, default=0.0, show_default=True, help="Difference under H0: A is no better than it.")
@click.option("--elo1", type=float, default=10.0, show_default=True, help="Difference under H1: A is at least as good.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often H1 may be accepted by mistake.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often H0 may be accepted by mistake.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**9),
    default=100_000,
    show_default=True,
    help="How many at most, then it is open.",
)
@match_options
@json_option
def command(
    game: Game,
    game_spec: GameSpec,
    a: str,
    b: str,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    games: int,
    playing: Playing,
    as_json: bool,
) -> None:
    """Test whether agent A is better than agent B at GAME: play until it is clear, and no longer.

    H0 says that A is --elo0 better than B (or less), H1 that it is --elo1 better (or more). A sits in one seat and B in
    all others, in all seats in turn. The exit status is 0 whichever is accepted, 3 if neither is. Where all blocks are
    the same games, as agents without luck play one without chance, nothing is decided: give --opening-plies.
    """
    with users_mistakes(), arena_mistakes():
        test = Sprt(game.num_players, elo0, elo1, alpha, beta)
        agents = (a, *[b] * (game.num_players - 1))
        spec = MatchSpec(game_spec, agents, games, **playing.settings)

        def tell(_: Progress) -> str:
            return f"LLR {test.ratio:+.2f} in {test.lower:.2f} .. {test.upper:.2f}"

        with playing.store() as store:
            playing.point_out(store, "test", lambda: store.unfinished(spec))
            with (
                playing.workforce() as workers,
                match_progress(None, tell) as show,
                redirect_stdout(sys.stderr),
            ):
                result = run_sprt(spec, test, workers=workers, store=store, resume=playing.resume, progress=show)
    if result.match.copies:
        playing.point_out_copies()
    if as_json:
        print_json(result.summary())
    else:
        _print_result(result)
    if result.match.left:
        click.echo(f"{result.match.left}: {result.match.how_to_resume()}", err=True)
    if test.decision is None:
        sys.exit(3)


def _print_result(result: SprtResult) -> None:
    test, spec = result.test, result.match.spec
    says = {
        H0: f"H0: {spec.agents[0]} is no better than {spec.agents[1]} by more than {test.elo0:g} Elo",
        H1: f"H1: {spec.agents[0]} is better than {spec.agents[1]} by {test.elo1:g} Elo or more",
        None: f"open: {result.match.left or 'all games are played'}, and neither hypothesis is accepted",
    }[test.decision]
    if result.match.copies:
        says = "open: all blocks are the same games, which decide nothing however many there are: give --opening-plies"
    click.echo(says)
    click.echo(
        f"{spec.game.name}: {test.blocks} blocks of {test.players} games, seed {spec.seed}; "
        f"LLR {test.ratio:+.2f}, bounds {test.lower:.2f} and {test.upper:.2f}"
    )
    if test.blocks:
        scores = ", ".join(f"{one['score']:.3g}: {one['blocks']}" for one in test.scores.listed())
        click.echo(f"blocks by mean score of {spec.agents[0]}: {scores}")
        difference, low, high = (elo(finite(one)) for one in test.estimate())
        click.echo(f"difference {difference} Elo, 95 % {low} .. {high}")
    else:
        click.echo(f"no whole block: {test.players} games make one")
    click.echo(f"\nRecords: match {result.match.match_id} in {result.match.kept_in}")
