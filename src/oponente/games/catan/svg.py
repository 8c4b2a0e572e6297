"""Catan: colours, symbols and SVG elements that the pictures of board and players share."""

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
_ICONS = (
    '<path d="M-14 12L-5-12L4 12zM2 14L12-9L22 14zM-24 14L-16-4L-8 14z" fill="#0f4a2e"/>',
    '<path d="M-20-2h12v6h-12zM-6-2h12v6h-12zM8-2h12v6h-12z'
    'M-13 6h12v6h-12zM1 6h12v6h-12zM-13-10h12v6h-12zM1-10h12v6h-12z" fill="#7d3216"/>',
    '<path d="M-8 6v8M7 6v8" stroke="#333" stroke-width="3"/><ellipse cy="2" rx="15" ry="9" fill="#fff" stroke="#667"/>'
    '<circle cx="-15" cy="-3" r="5" fill="#333"/>',
    '<path d="M-14 14V-6M0 14V-10M14 14V-6" stroke="#8a6508" stroke-width="2.5"/><path d="M-14-12l4 7-4 7-4-7z'
    'M0-16l4 7-4 7-4-7zM14-12l4 7-4 7-4-7z" fill="#a87a0a"/>',
    '<path d="M-26 14L-8-12L4 6L10-3L24 14z" fill="#4d5661"/><path d="M-8-12l-7 10 5-2 3 3 5-3z" fill="#fff"/>',
    '<path d="M0 14V-12M-10-4v7h10M10-7v7H0" fill="none" stroke="#6d8a3a" stroke-width="5" stroke-linecap="round"/>',
)
"""Pictures of the terrains around a point, about 48 wide and 28 high, the desert's last."""


def icons() -> str:
    """Return the definitions that :func:`icon` refers to: once in a picture."""
    shapes = "".join(f'<g id="catan-{kind}">{shape}</g>' for kind, shape in enumerate(_ICONS))
    return f"<defs>{shapes}</defs>"


def icon(x: float, y: float, kind: int, scale: float = 1.0) -> str:
    """Return the picture of a resource's terrain, or of the desert, around a point."""
    size = f" scale({scale:g})" if scale != 1.0 else ""
    drawn = kind % len(_ICONS)  # the desert is -1
    return f'<use href="#catan-{drawn}" transform="translate({x:g} {y:g}){size}"/>'


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
    """Return a resource card (None: one not known) with how many there are of it, 44 wide and 24 high."""
    fill, ink, name = (
        (PAPER, INK, "not known") if kind is None else (RESOURCE_COLOURS[kind], RESOURCE_INKS[kind], RESOURCES[kind])
    )
    dash = ' stroke-dasharray="3 2"' if kind is None else ""
    mark = middle(x + 13, y + 17, "?", 14, fill=ink, bold=True) if kind is None else icon(x + 13, y + 12, kind, 0.4)
    return (
        f'<g data-card="{name}" data-count="{count}">{title(f"{count} {name}")}'
        f'<rect x="{x:g}" y="{y:g}" width="44" height="24" rx="4" fill="{fill}" stroke="{INK}"{dash}/>'
        f"{mark}{middle(x + 33, y + 17, str(count), 13.5 if count < 100 else 10, fill=ink, bold=True)}</g>"
    )
