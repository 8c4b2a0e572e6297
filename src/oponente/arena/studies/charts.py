"""Figures for pages, drawn by matplotlib: readable in print, on a phone and in dark mode, without colour vision too."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, NullFormatter
from PIL import Image

from oponente.arena.studies.document import Figure

STYLES: tuple[tuple[str, str, str], ...] = (
    ("#0072B2", "o", "-"),
    ("#D55E00", "s", "--"),
    ("#009E73", "^", "-."),
    ("#CC79A7", "D", ":"),
    ("#56B4E9", "v", "-"),
    ("#E69F00", "P", "--"),
)
"""Colour (of Okabe and Ito's palette for all kinds of colour vision), marker and line of each series."""

_TEXT = "#010203"
"""Stands for the text colour of the page; practically black where a picture is looked at alone."""
_GRID = "#8a8f98"
_SIZE = (5.6, 4.1)
"""Inches: small, so that letters stay legible when the figure is as wide as a phone."""
_DOTS_PER_INCH, _COLOURS = 160, 64
"""Of PNG files: sharp on a screen of twice the usual density; enough shades for smooth edges of six colours."""
_SETTINGS: Any = {
    "font.size": 10,
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "oponente",
    "text.color": _TEXT,
    "axes.labelcolor": _TEXT,
    "axes.edgecolor": _TEXT,
    "xtick.color": _TEXT,
    "ytick.color": _TEXT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": _GRID,
    "grid.alpha": 0.35,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.5,
}


@dataclass(frozen=True)
class Series:
    """One line of a chart."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    """Lower edge of a band around the line."""
    high: Sequence[float] | None = None
    style: int = 0
    """Index into `STYLES`, so that a thing looks the same in all figures."""
    marked: bool = True
    """Whether its points have markers."""


@dataclass(frozen=True)
class Interval:
    """One row of an interval chart."""

    label: str
    value: float
    low: float
    high: float


def line_chart(
    name: str,
    title: str,
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    caption: str = "",
    alt: str,
    log: bool = False,
    log_x: bool = False,
    from_zero: bool = True,
) -> Figure:
    """Return a figure with one line for each series.

    With `log`, on a logarithmic vertical axis, with `log_x` on a horizontal one; otherwise the vertical one begins at 0
    if it is to.
    """
    with mpl.rc_context(_SETTINGS):
        canvas = Canvas(figsize=_SIZE, layout="constrained")
        axes = canvas.add_subplot()
        for one in series:
            colour, marker, line = STYLES[one.style]
            if one.low is not None and one.high is not None:
                axes.fill_between(one.x, one.low, one.high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(one.x, one.y, color=colour, linestyle=line, marker=marker if one.marked else "", label=one.label)
        if log:
            axes.set_yscale("log")
            axes.yaxis.set_minor_formatter(NullFormatter())
        elif from_zero:
            axes.set_ylim(bottom=0)
        if log_x:
            axes.set_xscale("log")
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(axis="y")
        canvas.legend(loc="outside upper center", ncols=2, frameon=False)
        return _figure(canvas, name, title, caption, alt)


def interval_chart(
    name: str,
    title: str,
    rows: Sequence[Interval],
    *,
    x_label: str,
    reference: float,
    limits: tuple[float, float] | None = (0.0, 1.0),
    caption: str = "",
    alt: str,
) -> Figure:
    """Return a figure with a point and its interval in each row, and a line at the value that would decide nothing.

    The axis shows what is within the limits; with None, all that there is.
    """
    with mpl.rc_context(_SETTINGS):
        canvas = Canvas(figsize=(_SIZE[0], 1.2 + 0.75 * len(rows)), layout="constrained")
        axes = canvas.add_subplot()
        axes.axvline(reference, color=_GRID, linestyle="--", linewidth=1.2)
        for place, row in enumerate(reversed(rows)):
            colour = STYLES[0][0]
            axes.plot([row.low, row.high], [place, place], color=colour, linewidth=2)
            axes.plot([row.low, row.high], [place, place], color=colour, linestyle="", marker="|", markersize=10)
            axes.plot([row.value], [place], color=colour, marker="o", markersize=7)
            axes.annotate(
                row.label,
                (0, place),
                xycoords=("axes fraction", "data"),
                xytext=(0, 11),
                textcoords="offset points",
                ha="left",
            )
        if limits is not None:
            axes.set_xlim(*limits)
        axes.set_ylim(-0.5, len(rows) - 0.2)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(x_label)
        return _figure(canvas, name, title, caption, alt)


def heat_map(
    name: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    caption: str = "",
    alt: str,
) -> Figure:
    """Return a figure with a square for each share: blue above a half, orange below, its number in it.

    Where there is none, the square is empty.
    """
    low, high = STYLES[1][0], STYLES[0][0]
    colours = LinearSegmentedColormap.from_list("shares", [low, "#f4f4f4", high])
    with mpl.rc_context(_SETTINGS):
        side = 0.42 * max(len(rows), 2)
        canvas = Canvas(figsize=(_SIZE[0], 1.4 + side), layout="constrained")
        axes = canvas.add_subplot()
        for y, row in enumerate(values):
            for x, value in enumerate(row):
                if value is None:
                    continue
                square = Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colours(value), edgecolor="white")
                axes.add_patch(square)
                ink = "#ffffff" if abs(value - 0.5) > 0.3 else "#111111"
                axes.text(x, y, f"{100 * value:.0f}", ha="center", va="center", color=ink, fontsize=9)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xticks(range(len(columns)), columns)
        axes.set_yticks(range(len(rows)), rows)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return _figure(canvas, name, title, caption, alt)


def _figure(canvas: Any, name: str, title: str, caption: str, alt: str) -> Figure:
    FigureCanvasAgg(canvas)
    canvas.draw_without_rendering()
    canvas.set_layout_engine("none")  # what was laid out now holds for all pictures
    text = io.StringIO()
    canvas.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    drawing = _clean(text.getvalue())
    on_white = re.sub(r"(<svg[^>]*>)", r'\1<rect width="100%" height="100%" fill="#ffffff"/>', drawing, count=1)
    return Figure(name, title, caption, alt, on_white, _inline(drawing, name, title, alt), partial(_png, canvas))


def _png(canvas: Any) -> bytes:
    """Return a figure as a PNG file. Its few colours take a palette, a fourth of the size."""
    pixels = io.BytesIO()
    canvas.savefig(pixels, format="png", dpi=_DOTS_PER_INCH, facecolor="white")
    png = io.BytesIO()
    Image.open(pixels).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(png, "png", optimize=True)
    return png.getvalue()


def _clean(svg: str) -> str:
    """Return the ``svg`` element without what a reader can't see.

    That is its prologue, metadata that name other places, decimals below a hundredth of a point, and the list of fonts
    that each text has: the root names one for all.
    """
    svg = re.sub(r"\s*<metadata>.*?</metadata>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r"<[^>]*>", _shorten, svg)
    return re.sub(r"\n\s*(?=<)", "", svg).replace("<svg", '<svg font-family="sans-serif"', 1)


def _shorten(tag: re.Match[str]) -> str:
    """Return a tag with fewer decimals and line breaks, and without a list of fonts."""
    text = re.sub(r" font-family: [^;\"]*;", "", tag[0])
    text = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text)
    return re.sub(r" ?\n", " ", text)


def _inline(svg: str, name: str, title: str, alt: str) -> str:
    """Return the element as part of a page: names are unique there, and colours follow the page."""
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'href="#', f'href="#{name}-', svg)
    svg = re.sub(r"url\(#", f"url(#{name}-", svg)
    svg = svg.replace(_TEXT, "currentColor")
    # The page decides on the size; the view box keeps the proportions.
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    described = (
        rf'\1 role="img" aria-labelledby="{name}-title {name}-alt">'
        rf'<title id="{name}-title">{_literal(title)}</title><desc id="{name}-alt">{_literal(alt)}</desc>'
    )
    return re.sub(r"(<svg[^>]*)>", described, svg, count=1)


def _literal(text: str) -> str:
    """Return a text for markup in which backslashes mean themselves to `re.sub`."""
    return escape(text).replace("\\", r"\\")
