"""VGDL: what each sprite looks like: a few coloured shapes, by its class and colour.

Nothing here knows of files: the shapes become an SVG or pixels in :mod:`oponente.games.vgdl.draw`.
"""

from __future__ import annotations

import colorsys
import math
import zlib
from dataclasses import dataclass
from functools import lru_cache

from oponente.games.vgdl.classes import FACTS
from oponente.games.vgdl.ontology import COLOURS

INK = "#1b2530"
LIGHT = "#f6f7f9"


@dataclass(frozen=True)
class Shape:
    """A filled polygon or, with a radius, circle. Places are parts of the sprite's width and height, from 0 to 1."""

    points: tuple[tuple[float, float], ...]
    colour: str
    radius: float = 0.0


def box(left: float, top: float, right: float, bottom: float, colour: str) -> Shape:
    """Return a rectangle."""
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), colour)


def disc(x: float, y: float, radius: float, colour: str) -> Shape:
    """Return a circle."""
    return Shape(((x, y),), colour, radius)


def colour_of(name: str, given: str | None) -> str:
    """Return the colour of a type: the one that the description names, else one that its name decides."""
    if given in COLOURS:
        return COLOURS[given]
    hue = zlib.crc32(name.encode()) % 360 / 360.0
    red, green, blue = colorsys.hls_to_rgb(hue, 0.5, 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def mixed(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another one."""
    parts = zip((1, 3, 5), (1, 3, 5), strict=True)
    return "#" + "".join(
        f"{round(int(colour[i : i + 2], 16) * (1 - share) + int(other[j : j + 2], 16) * share):02x}" for i, j in parts
    )


@lru_cache(maxsize=1024)
def tile(kind: str, colour: str, facing: tuple[float, float], *, floor: bool, solid: bool) -> tuple[Shape, ...]:
    """Return the shapes of a sprite, those behind first.

    Args:
        kind: its class.
        colour: as ``#rrggbb``.
        facing: its orientation; (0, 0): none.
        floor: whether it is part of the ground, on which others stand.
        solid: whether it fills its cell, as a wall does.
    """
    return tuple(_shapes(kind, colour, facing, floor=floor, solid=solid))


def _shapes(kind: str, colour: str, facing: tuple[float, float], *, floor: bool, solid: bool) -> list[Shape]:
    dark, bright = mixed(colour, INK, 0.45), mixed(colour, LIGHT, 0.45)
    if floor:
        return [box(0, 0, 1, 1, mixed(colour, LIGHT, 0.55))]
    if FACTS[kind].avatar:
        return _person(colour, dark, facing)
    if "Missile" in kind:
        return _dart(colour, dark, facing)
    if FACTS[kind].npc:
        return _creature(colour, dark, kind)
    if FACTS[kind].resource:
        return [
            Shape(((0.5, 0.14), (0.86, 0.5), (0.5, 0.86), (0.14, 0.5)), dark),
            Shape(((0.5, 0.22), (0.78, 0.5), (0.5, 0.78), (0.22, 0.5)), colour),
            Shape(((0.5, 0.22), (0.64, 0.36), (0.5, 0.5), (0.36, 0.36)), bright),
        ]
    if kind in ("Portal", "Door"):
        return [
            Shape(((0.16, 1), (0.16, 0.4), (0.32, 0.14), (0.68, 0.14), (0.84, 0.4), (0.84, 1)), dark),
            Shape(((0.26, 1), (0.26, 0.44), (0.38, 0.24), (0.62, 0.24), (0.74, 0.44), (0.74, 1)), colour),
            disc(0.64, 0.64, 0.06, INK),
        ]
    if kind.startswith("SpawnPoint"):
        return [disc(0.5, 0.5, 0.4, dark), disc(0.5, 0.5, 0.3, colour), disc(0.5, 0.5, 0.16, INK)]
    if FACTS[kind].lingers:
        return [Shape(_star(0.48, 0.2), dark), Shape(_star(0.4, 0.15), bright)]
    if kind == "Passive":
        return [
            box(0.06, 0.06, 0.94, 0.94, dark),
            box(0.14, 0.14, 0.86, 0.86, colour),
            Shape(((0.14, 0.24), (0.24, 0.14), (0.86, 0.76), (0.76, 0.86)), dark),
        ]
    if solid:
        return [
            box(0, 0, 1, 1, dark),
            box(0.02, 0.03, 0.6, 0.47, colour),
            box(0.64, 0.03, 0.98, 0.47, colour),
            box(0.02, 0.53, 0.34, 0.97, colour),
            box(0.38, 0.53, 0.98, 0.97, colour),
        ]
    return [box(0.08, 0.08, 0.92, 0.92, dark), box(0.13, 0.13, 0.87, 0.87, colour)]


def _star(outer: float, inner: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (0.5 + radius * math.sin(i * math.pi / 8), 0.5 - radius * math.cos(i * math.pi / 8))
        for i in range(16)
        for radius in ((outer if i % 2 == 0 else inner),)
    )


def _person(colour: str, dark: str, facing: tuple[float, float]) -> list[Shape]:
    shapes = [
        Shape(((0.2, 0.96), (0.28, 0.5), (0.72, 0.5), (0.8, 0.96)), dark),
        Shape(((0.26, 0.92), (0.33, 0.55), (0.67, 0.55), (0.74, 0.92)), colour),
        disc(0.5, 0.3, 0.23, dark),
        disc(0.5, 0.3, 0.18, mixed(colour, LIGHT, 0.65)),
    ]
    size = math.hypot(*facing)
    if size > 0:
        x, y = facing[0] / size, facing[1] / size
        tip, left, right = (x, y), (-y, x), (y, -x)
        shapes.append(
            Shape(tuple((0.5 + dx, 0.5 + dy) for dx, dy in (_scaled(tip, 0.5), *_sides(tip, left, right))), INK)
        )
    return shapes


def _scaled(vector: tuple[float, float], by: float) -> tuple[float, float]:
    return vector[0] * by, vector[1] * by


def _sides(
    tip: tuple[float, float], left: tuple[float, float], right: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    return (
        (tip[0] * 0.34 + left[0] * 0.12, tip[1] * 0.34 + left[1] * 0.12),
        (tip[0] * 0.34 + right[0] * 0.12, tip[1] * 0.34 + right[1] * 0.12),
    )


def _dart(colour: str, dark: str, facing: tuple[float, float]) -> list[Shape]:
    size = math.hypot(*facing)
    x, y = (facing[0] / size, facing[1] / size) if size > 0 else (1.0, 0.0)

    def turned(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple((0.5 + a * x - b * y, 0.5 + a * y + b * x) for a, b in points)

    return [
        Shape(
            turned(((0.46, 0), (0.05, -0.3), (0.05, -0.14), (-0.44, -0.14), (-0.44, 0.14), (0.05, 0.14), (0.05, 0.3))),
            dark,
        ),
        Shape(
            turned(
                ((0.36, 0), (0.11, -0.19), (0.11, -0.08), (-0.37, -0.08), (-0.37, 0.08), (0.11, 0.08), (0.11, 0.19))
            ),
            colour,
        ),
    ]


def _creature(colour: str, dark: str, kind: str) -> list[Shape]:
    ears = kind in ("Chaser", "LOSChaser", "PathChaser", "PathAltChaser", "RandomPathAltChaser")
    shapes = [disc(0.5, 0.52, 0.4, dark), disc(0.5, 0.52, 0.34, colour)]
    if ears:
        shapes = [
            Shape(((0.12, 0.06), (0.44, 0.2), (0.18, 0.46)), dark),
            Shape(((0.88, 0.06), (0.56, 0.2), (0.82, 0.46)), dark),
            *shapes,
        ]
    for x in (0.36, 0.64):
        shapes += [disc(x, 0.46, 0.1, LIGHT), disc(x, 0.48, 0.05, INK)]
    return shapes
