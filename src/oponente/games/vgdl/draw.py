"""VGDL: the screen as an SVG picture, as pixels, and as a moving picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Any

from oponente.games.vgdl.kinds import DOWN, LEFT, NIL, RIGHT, UP, USE
from oponente.games.vgdl.ontology import COLOURS
from oponente.games.vgdl.scene import Drawn, floors, loaded, sprites, status
from oponente.games.vgdl.tiles import INK, LIGHT, Shape, colour_of, tile
from oponente.kernel import State

CELL = 24
"""Size of a drawn cell."""
FOOT = 26
"""Height of the line below."""
FRAME_MS = 40
"""How long a picture of a moving one is shown: a tick of the framework's clock."""
KEYS = {"ArrowUp": UP, "ArrowLeft": LEFT, "ArrowDown": DOWN, "ArrowRight": RIGHT, "Space": USE}
"""What a player does who holds a key, by its name in browsers."""
IDLE = NIL
"""What a player does who holds none."""
SEAT_COLOURS = ("#2f6fde", "#d9541e")
SIGN = 0.42
"""Size of the sign on an avatar that tells whose it is, as a share of a cell."""


def svg(state: State, seat: int | None = None) -> str:
    """Return the screen, as the player in `seat` sees it; None: all of it."""
    width, height = _size(state)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(_title(state))}</title>",
        f'<rect width="{width}" height="{height}" fill="{LIGHT}"/>',
    ]
    parts += [_svg_shape(shape) for shape in shapes(state, seat)]
    parts += [_number(state, drawn) for drawn in _signed(state, seat)]
    parts.append(f'<text x="6" y="{height - 8}" font-size="13" fill="{INK}">{escape(status(state))}</text></svg>')
    return "".join(parts)


def shapes(state: State, seat: int | None = None) -> list[Shape]:
    """Return all that is drawn, those behind first, in drawn pixels."""
    cell = int(state.game.tables.program.cell)
    ground = floors(loaded(state))
    found = []
    for drawn in sprites(state, seat):
        for shape in (*_tile(state, drawn, drawn.type in ground), *_health_bar(drawn)):
            points = tuple(
                ((drawn.x + x * drawn.w) * CELL / cell, (drawn.y + y * drawn.h) * CELL / cell) for x, y in shape.points
            )
            found.append(Shape(points, shape.colour, shape.radius * min(drawn.w, drawn.h) * CELL / cell))
    return found + [shape for drawn in _signed(state, seat) for shape in _sign(state, drawn)]


def _signed(state: State, seat: int | None) -> list[Drawn]:
    """Return the avatars that bear the sign of a player: those of games with several."""
    return [drawn for drawn in sprites(state, seat) if drawn.player >= 0] if state.game.num_players > 1 else []


def _sign_middle(state: State, drawn: Drawn) -> tuple[float, float]:
    cell = int(state.game.tables.program.cell)
    return (drawn.x + drawn.w / 2) * CELL / cell, drawn.y * CELL / cell + SIGN * CELL / 4


def _sign(state: State, drawn: Drawn) -> list[Shape]:
    """Return the sign of an avatar's player: a square for the first, a disc for the others, edged in white."""
    x, y = _sign_middle(state, drawn)
    found = []
    for half, colour in ((SIGN * CELL / 2 + 1, LIGHT), (SIGN * CELL / 2, SEAT_COLOURS[drawn.player % 2])):
        corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        found.append(Shape(((x, y),), colour, half) if drawn.player else Shape(corners, colour))
    return found


def _number(state: State, drawn: Drawn) -> str:
    x, y = _sign_middle(state, drawn)
    return (
        f'<text x="{decimal(x)}" y="{decimal(y + 3)}" text-anchor="middle" font-size="9" font-weight="bold" '
        f'fill="{LIGHT}">{drawn.player + 1}</text>'
    )


def png(state: State, seat: int | None = None) -> bytes:
    """Return the screen as a PNG file."""
    out = io.BytesIO()
    _picture(state, seat).save(out, "PNG")
    return out.getvalue()


def gif(states: Sequence[State], seat: int | None = None) -> bytes:
    """Return several screens as a moving picture, a GIF file: one for each tick.

    Where several play, a state follows each player's choice, and only the last choice lets the tick pass.

    Raises:
        ValueError: there is no state.
    """
    if not states:
        raise ValueError("a moving picture needs at least one state")
    ticks = (next(group) for _, group in groupby(states, lambda state: int(state.record.tick)))
    first, *others = (_picture(state, seat) for state in ticks)
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=others, duration=FRAME_MS, loop=0)
    return out.getvalue()


def _size(state: State) -> tuple[int, int]:
    program = state.game.tables.program
    return max(int(program.columns) * CELL, 240), int(program.rows) * CELL + FOOT


def _title(state: State) -> str:
    return f"{state.game.options.game}, level {state.game.options.level}: {status(state)}"


def _tile(state: State, drawn: Drawn, floor: bool) -> tuple[Shape, ...]:
    sprite = loaded(state).compiled.description.sprites[drawn.name]
    given = sprite.values.get("color")
    colour = colour_of(drawn.name, given if isinstance(given, str) and given in COLOURS else None)
    solid = drawn.kind == "Immovable" and not floor
    return tile(drawn.kind, colour, drawn.facing, floor=floor, solid=solid)


def _health_bar(drawn: Drawn) -> list[Shape]:
    if drawn.max_health <= 0:
        return []
    share = min(1.0, max(0.0, drawn.health / drawn.max_health))
    return [
        Shape(((0.05, 0.0), (0.95, 0.0), (0.95, 0.1), (0.05, 0.1)), "#7a1f1f"),
        Shape(((0.05, 0.0), (0.05 + 0.9 * share, 0.0), (0.05 + 0.9 * share, 0.1), (0.05, 0.1)), "#2fa84f"),
    ]


def decimal(number: float) -> str:
    """Return a number of pixels with as many decimals as can be seen, two, and none that are 0."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _svg_shape(shape: Shape) -> str:
    if shape.radius:
        x, y = shape.points[0]
        return f'<circle cx="{decimal(x)}" cy="{decimal(y)}" r="{decimal(shape.radius)}" fill="{shape.colour}"/>'
    path = "L".join(f"{decimal(x)} {decimal(y)}" for x, y in shape.points)
    return f'<path d="M{path}Z" fill="{shape.colour}"/>'


def _picture(state: State, seat: int | None) -> Any:
    from PIL import Image, ImageDraw

    scale = 2  # drawn twice as large and reduced, so that slanted edges are smooth
    width, height = _size(state)
    image = Image.new("RGB", (width * scale, height * scale), LIGHT)
    pen = ImageDraw.Draw(image)
    for shape in shapes(state, seat):
        points = [(x * scale, y * scale) for x, y in shape.points]
        if shape.radius:
            (x, y), radius = points[0], shape.radius * scale
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=shape.colour)
        else:
            pen.polygon(points, fill=shape.colour)
    image = image.resize((width, height), Image.Resampling.LANCZOS)
    ImageDraw.Draw(image).text((6, height - FOOT + 6), status(state), fill=INK)
    return image
