"""Catan: colours and SVG elements that the pictures of board and players share."""

from __future__ import annotations

from html import escape

from oponente.games.catan.cards import RESOURCES

INK, PAPER, QUIET = "#22303c", "#fff", "#5b6b78"
RESOURCE_COLOURS = ("#23734b", "#c25e33", "#a9d36e", "#f0c23b", "#8b95a1")
DESERT_COLOUR = "#e6d6a4"
RESOURCE_INKS = ("#fff", "#fff", INK, INK, INK)
"""Colours of writing on the colours of resources."""
SEAT_COLOURS = ("#1f5fd0", "#ff9a1f", "#ffffff", "#8f1029")
"""Blue, orange, white and dark red: they differ in lightness or in blue, so also without red-green vision."""
SEAT_INKS = ("#fff", INK, INK, "#fff")


def text(
    x: float, y: float, content: str, size: float = 13, *, fill: str = "", bold: bool = False, anchor: str = ""
) -> str:
    """Return a line of text, escaped.

    Args:
        x, y: where it begins (or has its middle or end, by `anchor`), and its base line.
        content: the text as it is read.
        size: height of the type.
        fill: colour; empty: that of what it is in.
        bold: whether the type is bold.
        anchor: ``middle`` or ``end``; empty: the beginning.
    """
    given = (("font-weight", "bold" if bold else ""), ("fill", fill), ("text-anchor", anchor))
    more = "".join(f' {name}="{value}"' for name, value in given if value)
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{more}>{escape(content)}</text>'


def middle(x: float, y: float, content: str, size: float = 13, *, fill: str = "", bold: bool = False) -> str:
    """Return a line of text around a point on its base line."""
    return text(x, y, content, size, fill=fill, bold=bold, anchor="middle")


def title(content: str) -> str:
    """Return what a reader sees of an element when pointing at it."""
    return f"<title>{escape(content)}</title>"


def card(x: float, y: float, kind: int | None, count: int) -> str:
    """Return a resource card (None: one not known) with how many there are of it, 34 wide and 24 high."""
    fill, ink, name = (
        (PAPER, INK, "not known") if kind is None else (RESOURCE_COLOURS[kind], RESOURCE_INKS[kind], RESOURCES[kind])
    )
    dash = ' stroke-dasharray="3 2"' if kind is None else ""
    label = f"{count} ?" if kind is None else str(count)
    return (
        f'<g data-card="{name}" data-count="{count}">{title(f"{count} {name}")}'
        f'<rect x="{x:g}" y="{y:g}" width="34" height="24" rx="4" fill="{fill}" stroke="{INK}"{dash}/>'
        f"{middle(x + 17, y + 17, label, 14, fill=ink, bold=True)}</g>"
    )
