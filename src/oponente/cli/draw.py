"""``oponente draw``: a position as an SVG picture."""

from __future__ import annotations

from pathlib import Path

import click

from oponente.cli.common import game_arguments, parse_position
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game


@click.command("draw")
@game_arguments
@click.argument("position", default="")
@click.option("-o", "--out", metavar="FILE", help="Where to write the picture; standard output if not given.")
def command(game: Game, game_spec: GameSpec, position: str, out: str | None) -> None:
    """Draw POSITION (the moves from the start; empty: the start) as an SVG picture."""
    picture = parse_position(game, position).svg()
    if out is None:
        click.echo(picture)
        return
    try:
        Path(out).write_text(picture + "\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{out} can't be written: {error.strerror}") from error
