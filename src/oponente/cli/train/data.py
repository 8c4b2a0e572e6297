"""``oponente train data``: positions of played games, to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from oponente.arena import MatchSpec
from oponente.cli import completion
from oponente.cli.common import agent_file_option, check_file, game_arguments, seed_option
from oponente.cli.train.common import mistakes, opening_option, opening_plies, progress_bar, workers_option
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, absolute


@click.command("data")
@game_arguments
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", shell_complete=completion.agents)
@agent_file_option
@click.option("--games", type=click.IntRange(1, 10**8), default=1000, show_default=True, help="How many.")
@click.option("--positions", type=click.IntRange(1, 10**6), default=40, show_default=True, help="Of each game.")
@click.option("--features", default=None, help="What is written of a position.  [default: the game's own, or encoding]")
@click.option("--evaluation", default="outcome", show_default=True, help="Evaluator for the column value.")
@opening_option
@workers_option
@seed_option
@click.option("--out", metavar="FILE", required=True, help="The Parquet file, which is not there yet.")
@click.option("--resume", is_flag=True, help="Go on with a dataset that was interrupted.")
def data(
    game: Game,
    game_spec: GameSpec,
    agents: Sequence[str],
    agent_files: Sequence[str],
    games: int,
    positions: int,
    features: str | None,
    evaluation: str,
    opening: int | None,
    workers: int,
    seed: int,
    out: str,
    resume: bool,
) -> None:
    """Let agents play GAME, one AGENT for each player, and write positions for learning to a Parquet file.

    Until the file is whole, what is played is kept in the folder FILE.parts beside it.
    """
    from oponente.learn.dataset import make_dataset
    from oponente.learn.features import feature_names

    with mistakes():
        check_file("--out", Path(out))
        files = tuple(map(absolute, agent_files))
        spec = MatchSpec(game_spec, tuple(agents), games, seed, files, opening_plies(opening, game))
        spec.check_players(game)
        kind = features or feature_names(game)[0]
        with progress_bar(games) as progress:
            rows = make_dataset(
                spec,
                out,
                kind=kind,
                evaluation=evaluation,
                positions=positions,
                workers=workers,
                resume=resume,
                progress=lambda done, total: progress(done, total, ""),
            )
    click.echo(f"{rows} rows written to {out}")
