"""``oponente draw``: a position as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oponente.agents.view import View, known
from oponente.cli.common import (
    check_file,
    checked_seat,
    game_arguments,
    parse_position,
    seat_option,
    seed_option,
    users_mistakes,
)
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, State


@click.command("draw")
@game_arguments
@click.argument("position", default="")
@seed_option
@seat_option
@click.option("-o", "--out", metavar="FILE", help="Where to write the picture; - or nothing: standard output.")
def command(game: Game, game_spec: GameSpec, position: str, seed: int, seat: int | None, out: str | None) -> None:
    """Draw POSITION (the moves from the start; empty: the start) as an SVG picture.

    What varies from start to start, as the board of Catan, is decided by --seed, as in `oponente play`. Of a game that
    can be drawn in pixels, FILE may end in .png, or in .gif for a moving picture of all positions from the start on.
    """
    viewer = checked_seat(game, seat)
    if out not in (None, "-"):
        with users_mistakes():
            check_file("--out", Path(str(out)))
    state = parse_position(game, position, seed)
    suffix = Path(out or "").suffix.lower()
    if suffix in (".png", ".gif"):
        _write(str(out), _pixels(game, state, seed, viewer, suffix))
        return
    picture = state.svg() if viewer is None else View(state, viewer).svg()
    if out in (None, "-"):
        click.echo(picture)
    else:
        _write(str(out), (picture + "\n").encode())


def _pixels(game: Game, state: State, seed: int, viewer: int | None, suffix: str) -> bytes:
    make: Any = getattr(game.draw, suffix[1:], None)
    if make is None:
        raise click.UsageError(f"{game.name} is drawn as SVG only: name a file that ends in .svg")
    if suffix == ".png":
        return bytes(make(known(state, viewer), viewer))
    current = game.start(seed)
    states = [known(current, viewer)]
    for action in state.history:
        current.apply(action)
        states.append(known(current, viewer))
    return bytes(make(states, viewer))


def _write(path: str, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{path} can't be written: {error.strerror}") from error
