"""``oponente draw``: a position as an SVG picture."""

from __future__ import annotations

from pathlib import Path

import click

from oponente.agents.view import View
from oponente.cli.common import checked_seat, game_arguments, parse_position, seat_option, seed_option
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game


@click.command("draw")
@game_arguments
@click.argument("position", default="")
@seed_option
@seat_option
@click.option("-o", "--out", metavar="FILE", help="Where to write the picture; - or nothing: standard output.")
def command(game: Game, game_spec: GameSpec, position: str, seed: int, seat: int | None, out: str | None) -> None:
    """Draw POSITION (the moves from the start; empty: the start) as an SVG picture.

    What varies from start to start, as the board of Catan, is decided by --seed, as in `oponente play`.
    """
    viewer = checked_seat(game, seat)
    state = parse_position(game, position, seed)
    picture = state.svg() if viewer is None else View(state, viewer).svg()
    if out in (None, "-"):
        click.echo(picture)
        return
    try:
        Path(out).write_text(picture + "\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{out} can't be written: {error.strerror}") from error
