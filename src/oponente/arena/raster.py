"""Pictures in pixels of what games draw, for moving pictures.

This is no general renderer of SVG: it knows the elements that the games of the package draw with (``svg``, ``g``,
``use``, ``rect``, ``circle``, ``ellipse``, ``path``, ``polygon``, ``text``, ``tspan``), with transforms that move and
scale. What it does not know it refuses, rather than leaving it out.
"""

from __future__ import annotations

import functools
import io
import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

from PIL import Image, ImageColor, ImageDraw, ImageFont

Point = tuple[float, float]

OVERSAMPLING = 2
"""Drawn so many times as large and reduced, so that slanted edges are smooth."""
_SILENT = {"title", "defs", "desc"}
_STEPS = 12
"""Straight pieces of a curve."""


@dataclass(frozen=True)
class _Style:
    """What elements inherit, and how their units become pixels."""

    scale: float
    x: float = 0.0
    y: float = 0.0
    fill: str = "#000"
    stroke: str = "none"
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    stroke_width: float = 1.0
    stroke_linecap: str = "butt"
    stroke_dasharray: str = "none"
    font_size: float = 16.0
    font_weight: str = "normal"
    text_anchor: str = "start"

    def point(self, x: float, y: float) -> Point:
        """Return where a point is, in pixels."""
        return self.x + x * self.scale, self.y + y * self.scale


def raster(svg: str, width: int = 800) -> Image.Image:
    """Return a picture in pixels.

    Args:
        svg: a picture that a game of the package has drawn.
        width: of the result; its height follows.

    Raises:
        ValueError: the picture has something in it that is not known here.
    """
    root = ElementTree.fromstring(svg)
    left, top, wide, high = (float(number) for number in root.attrib["viewBox"].split())
    scale = width * OVERSAMPLING / wide
    size = (width * OVERSAMPLING, max(1, round(high * scale)))
    image = Image.new("RGB", size, "#fff")
    # In this mode what is drawn is blended with what is there.
    pen = ImageDraw.Draw(image, "RGBA")
    named = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    _draw(pen, root, _Style(scale, -left * scale, -top * scale), named)
    return image.resize((width, max(1, round(size[1] / OVERSAMPLING))), Image.Resampling.LANCZOS)


def gif(pictures: Iterable[str], frame_ms: int, width: int = 800) -> bytes:
    """Return a moving picture, a GIF file.

    Args:
        pictures: at least one picture that a game has drawn.
        frame_ms: milliseconds that each is shown; the last one four times as long.
        width: in pixels.

    Raises:
        ValueError: there is no picture, or see :func:`raster`.
    """
    frames = [raster(picture, width).quantize(256, dither=Image.Dither.NONE) for picture in pictures]
    if not frames:
        raise ValueError("a moving picture needs at least one picture")
    out = io.BytesIO()
    durations = [frame_ms] * (len(frames) - 1) + [4 * frame_ms]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return out.getvalue()


def _draw(pen: Any, element: ElementTree.Element, style: _Style, named: dict[str, ElementTree.Element]) -> None:
    kind = element.tag.rpartition("}")[2]
    if kind in _SILENT:
        return
    style = _inherited(style, element.attrib)
    if kind in ("svg", "g"):
        for child in element:
            _draw(pen, child, style, named)
    elif kind == "use":
        href = next(value for key, value in element.attrib.items() if key.endswith("href"))
        _draw(pen, named[href.removeprefix("#")], style, named)
    elif kind == "text":
        _text(pen, element, style)
    else:
        for points, closed in _outlines(kind, element.attrib):
            _shape(pen, [style.point(x, y) for x, y in points], closed, style)


def _inherited(style: _Style, given: dict[str, str]) -> _Style:
    values: dict[str, Any] = {}
    for name in ("fill", "stroke", "stroke-linecap", "stroke-dasharray", "font-weight", "text-anchor"):
        if name in given:
            values[name.replace("-", "_")] = given[name]
    for name in ("fill-opacity", "stroke-opacity", "stroke-width", "font-size"):
        if name in given:
            values[name.replace("-", "_")] = float(given[name])
    style = replace(style, **values)
    for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", given.get("transform", "")):
        parts = [float(number) for number in re.split(r"[\s,]+", numbers.strip())]
        if name == "translate":
            x, y = style.point(parts[0], parts[1] if len(parts) > 1 else 0.0)
            style = replace(style, x=x, y=y)
        elif name == "scale" and len(set(parts)) == 1:
            style = replace(style, scale=style.scale * parts[0])
        else:
            raise ValueError(f"the transform {name}({numbers}) is not known here")
    return style


def _outlines(kind: str, given: dict[str, str]) -> list[tuple[list[Point], bool]]:
    """Return the outlines of a shape, each with whether it is closed."""

    def number(name: str) -> float:
        text = given.get(name, "0")
        return 1e5 if text == "100%" else float(text)

    if kind == "rect":
        return [(_rounded(number("x"), number("y"), number("width"), number("height"), number("rx")), True)]
    if kind in ("circle", "ellipse"):
        rx, ry = (number("r"),) * 2 if kind == "circle" else (number("rx"), number("ry"))
        angles = [2 * math.pi * i / 48 for i in range(48)]
        return [([(number("cx") + rx * math.cos(a), number("cy") + ry * math.sin(a)) for a in angles], True)]
    if kind == "polygon":
        values = [float(text) for text in re.split(r"[\s,]+", given["points"].strip())]
        return [(list(zip(values[::2], values[1::2], strict=True)), True)]
    if kind == "path":
        return path_outlines(given["d"])
    raise ValueError(f"the element {kind} is not known here")


def _rounded(x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
    radius = min(radius, width / 2, height / 2)
    points = []
    for centre_x, centre_y, start in (
        (x + width - radius, y + radius, -90),
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
        (x + radius, y + radius, 180),
    ):
        for step in range(_STEPS // 2 + 1 if radius else 1):
            angle = math.radians(start + 90 * step / (_STEPS // 2))
            points.append((centre_x + radius * math.cos(angle), centre_y + radius * math.sin(angle)))
    return points


_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "Z": 0, "Q": 4, "C": 6, "A": 7}
"""Numbers after each command of a path."""


def path_outlines(text: str) -> list[tuple[list[Point], bool]]:
    """Return the outlines that the ``d`` of a path describes, curves as straight pieces.

    Raises:
        ValueError: a command is not known here.
    """
    found: list[tuple[list[Point], bool]] = []
    points: list[Point] = []
    x = y = 0.0
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", re.sub(r"(\d)e([-+]\d)", r"\1E\2", text)):
        upper, relative = command.upper(), command.islower()
        if upper not in _COUNTS:
            raise ValueError(f"the command {command} of a path is not known here")
        numbers = [float(number) for number in re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?", rest)]
        count = _COUNTS[upper]
        if upper == "M" and points:
            found.append((points, False))
            points = []
        for part in [numbers[i : i + count] for i in range(0, len(numbers), count)] if count else [[]]:
            left, top = (x, y) if relative else (0.0, 0.0)
            if upper == "Z":
                if points:
                    found.append((points, True))
                    x, y = points[0]
                points = []
                continue
            if not points and upper != "M":
                points.append((x, y))
            if upper == "H":
                points.append((left + part[0], y))
            elif upper == "V":
                points.append((x, top + part[0]))
            elif upper == "A":
                points += _arc((x, y), part, (left + part[5], top + part[6]))
            else:
                corners = [(left + part[i], top + part[i + 1]) for i in range(0, count, 2)]
                points += _curve([(x, y), *corners]) if upper in ("Q", "C") else corners
            x, y = points[-1]
    return [*found, (points, False)] if points else found


def _curve(corners: list[Point]) -> list[Point]:
    """Return points of a Bézier curve, without its start (de Casteljau)."""
    points = []
    for step in range(1, _STEPS + 1):
        t, level = step / _STEPS, corners
        while len(level) > 1:
            level = [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for a, b in itertools.pairwise(level)]
        points.append(level[0])
    return points


def _arc(start: Point, part: list[float], end: Point) -> list[Point]:
    """Return points of a circle's arc, without its start (SVG 1.1, F.6.5)."""
    radius, large, sweep = part[0], part[3] != 0, part[4] != 0
    if part[0] != part[1]:
        raise ValueError("only arcs of circles are known here")
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    half = math.hypot(dx, dy)
    if half == 0:
        return [end]
    radius = max(radius, half)
    away = math.sqrt(max(0.0, radius * radius - half * half)) / half * (1 if large == sweep else -1)
    cx, cy = (start[0] + end[0]) / 2 - away * -dy, (start[1] + end[1]) / 2 - away * dx
    first = math.atan2(start[1] - cy, start[0] - cx)
    turn = math.atan2(end[1] - cy, end[0] - cx) - first
    if sweep and turn < 0:
        turn += 2 * math.pi
    elif not sweep and turn > 0:
        turn -= 2 * math.pi
    angles = [first + turn * step / (2 * _STEPS) for step in range(1, 2 * _STEPS + 1)]
    return [(cx + radius * math.cos(angle), cy + radius * math.sin(angle)) for angle in angles]


def _shape(pen: Any, points: list[Point], closed: bool, style: _Style) -> None:
    if style.fill != "none" and len(points) > 2:
        pen.polygon(points, fill=_colour(style.fill, style.fill_opacity))
    if style.stroke == "none" or style.stroke_opacity == 0 or len(points) < 2:
        return
    width = max(1, round(style.stroke_width * style.scale))
    colour = _colour(style.stroke, style.stroke_opacity)
    line = [*points, points[0]] if closed else points
    for piece in _dashes(line, style):
        pen.line(piece, fill=colour, width=width, joint="curve")
        if style.stroke_linecap == "round" or closed:
            for x, y in (piece[0], piece[-1]):
                half = (width - 1) / 2
                pen.ellipse((x - half, y - half, x + half, y + half), fill=colour)


def _dashes(line: list[Point], style: _Style) -> list[list[Point]]:
    """Return the pieces of a line that is broken; the line itself if it is not."""
    if style.stroke_dasharray == "none":
        return [line]
    lengths = [float(text) * style.scale for text in re.split(r"[\s,]+", style.stroke_dasharray.strip())]
    pieces: list[list[Point]] = []
    piece, number, left = [line[0]], 0, lengths[0]
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        length, done = math.hypot(bx - ax, by - ay), 0.0
        while length - done > left:
            done += left
            at = (ax + (bx - ax) * done / length, ay + (by - ay) * done / length)
            if number % 2 == 0:
                pieces.append([*piece, at])
            piece, number = [at], number + 1
            left = lengths[number % len(lengths)]
        left -= length - done
        piece.append((bx, by))
    return pieces + [piece] if number % 2 == 0 and len(piece) > 1 else pieces


def _text(pen: Any, element: ElementTree.Element, style: _Style) -> None:
    given = element.attrib
    x, y = float(given.get("x", 0)), float(given.get("y", 0))
    lines = [(x, y, element.text or "")]
    for span in element:
        x, y = float(span.attrib.get("x", x)), y + float(span.attrib.get("dy", 0))
        lines.append((x, y, span.text or ""))
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[style.text_anchor]
    outlined = style.stroke != "none"
    for left, base, text in lines:
        if text:
            pen.text(
                style.point(left, base),
                text,
                font=_font(max(1, round(style.font_size * style.scale))),
                fill=_colour(style.fill, style.fill_opacity),
                anchor=anchor,
                stroke_width=round(style.stroke_width * style.scale / 2) if outlined else _boldness(style),
                stroke_fill=_colour(style.stroke, style.stroke_opacity) if outlined else None,
            )


def _boldness(style: _Style) -> int:
    """Return how much wider bold letters are, in pixels: there is one font only."""
    return round(style.font_size * style.scale / 40) if style.font_weight == "bold" else 0


@functools.cache
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


@functools.cache
def _colour(text: str, opacity: float) -> tuple[int, int, int, int]:
    red, green, blue = ImageColor.getrgb(text)[:3]
    return red, green, blue, round(255 * opacity)
