"""The top of a search tree as an SVG picture: the root on the left, one column a ply.

A box shows the action that leads to a position, what the search thinks of it and how much work it did there; its stripe
has the colour of whoever moves next. The principal variation is drawn with thick lines. The fill tells how good a
position is for the player at the root, among those that are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from oponente.kernel import CHANCE, TERMINAL
from oponente.search.analysis import TreeNode

BOX, HEIGHT, GAP, COLUMN, MARGIN = 176, 44, 10, 236, 24
LINE_CHARACTERS = 24
#: Colours of players that also people with red-green blindness tell apart (Okabe and Ito).
PLAYERS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
INK, PALE, NOBODY, DICE, END = "#22303c", "#8a97a3", "#d0d7de", "#6b7280", "#111827"
GOOD, BAD = (0xDC, 0xEE, 0xFB), (0xFD, 0xEC, 0xE2)


@dataclass
class _Placed:
    """A node with the place of its box."""

    node: TreeNode
    x: int
    y: float
    parent: _Placed | None


def svg(tree: TreeNode, title: str) -> str:
    """Return the picture of a tree.

    Args:
        tree: the root.
        title: what the picture is of.
    """
    placed: list[_Placed] = []
    bottom = _place(tree, 0, 0.0, None, placed)
    columns = 1 + max(each.x for each in placed)
    width = 2 * MARGIN + (columns - 1) * COLUMN + BOX + 60
    head, legend = 34, 34
    height = int(head + bottom + legend + 2 * MARGIN)
    values = [each.node.value for each in placed if each.node.value is not None]
    scale = (min(values), max(values)) if values else (0.0, 0.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="{MARGIN + 8}" font-size="16" font-weight="600" fill="{INK}">{escape(title)}</text>',
        f'<g transform="translate({MARGIN} {MARGIN + head})">',
    ]
    for each in sorted(placed, key=lambda one: one.node.best):  # the principal variation on top
        if each.parent is not None:
            parts.append(_edge(each.parent, each))
    for each in placed:
        parts += _box(each, scale)
    parts.append("</g>")
    parts += _legend(placed, MARGIN, height - MARGIN)
    parts.append("</svg>")
    return "".join(parts)


def _place(node: TreeNode, column: int, top: float, parent: _Placed | None, placed: list[_Placed]) -> float:
    """Give a node and all below it their places, from `top` down; return where the next one may begin."""
    own = _Placed(node, column, top, parent)
    placed.append(own)
    bottom = top
    first = len(placed)
    for child in node.children:
        bottom = _place(child, column + 1, bottom, own, placed)
    if not node.children:
        return top + HEIGHT + GAP
    children = [each for each in placed[first:] if each.parent is own]
    own.y = (children[0].y + children[-1].y) / 2
    return bottom


def _edge(parent: _Placed, child: _Placed) -> str:
    x, y = parent.x * COLUMN + BOX, parent.y + HEIGHT / 2
    to_x, to_y = child.x * COLUMN, child.y + HEIGHT / 2
    middle = (x + to_x) / 2
    colour, width = (INK, 3) if child.node.best else (NOBODY, 1.5)
    line = (
        f'<path d="M{x} {y:g}C{middle:g} {y:g} {middle:g} {to_y:g} {to_x} {to_y:g}" fill="none" stroke="{colour}" '
        f'stroke-width="{width}"/>'
    )
    if child.node.probability is None:
        return line
    return line + (
        f'<text x="{to_x - 6}" y="{to_y - 5:g}" text-anchor="end" font-size="11" fill="{DICE}">'
        f"{100 * child.node.probability:.3g} %</text>"
    )


def _box(each: _Placed, scale: tuple[float, float]) -> list[str]:
    node, x, y = each.node, each.x * COLUMN, each.y
    border, width = (INK, 2) if node.best else (PALE, 1)
    dashed = ' stroke-dasharray="4 3"' if node.bound in ("<=", ">=") else ""
    label = node.label or "position"
    work = f"{node.visits:,}" if node.visits else ""
    prior = f"prior {node.prior:.3g}" if node.prior is not None else ""
    parts = [
        "<g>",
        f"<title>{escape(_tip(node))}</title>",
        f'<rect x="{x}" y="{y:g}" width="{BOX}" height="{HEIGHT}" rx="6" fill="{_fill(node, scale)}" '
        f'stroke="{border}" stroke-width="{width}"{dashed}/>',
        f'<rect x="{x + 4}" y="{y + 5:g}" width="5" height="{HEIGHT - 10}" rx="2" fill="{_colour(node.player)}"/>',
        f'<text x="{x + 16}" y="{y + 18:g}" font-size="13" font-weight="600" fill="{INK}">'
        f"{escape(_shortened(label))}</text>",
        f'<text x="{x + 16}" y="{y + 35:g}" font-size="12" fill="{INK}">{escape(_value(node))}</text>',
    ]
    note = " ".join(filter(None, (prior, work)))
    if note:
        parts.append(
            f'<text x="{x + BOX - 8}" y="{y + 35:g}" text-anchor="end" font-size="11" fill="{DICE}">{note}</text>'
        )
    parts.append("</g>")
    if node.hidden > 0:
        parts.append(
            f'<text x="{x + BOX + 5}" y="{y + HEIGHT - 3:g}" font-size="11" fill="{PALE}">+{node.hidden:,}</text>'
        )
    return parts


def _value(node: TreeNode) -> str:
    """Return the value as text: of all players where there are more than two."""
    if len(node.values) > 2:
        return " ".join(f"{value:.2g}" for value in node.values)
    if node.value is None:
        return "?"
    sign = {"<=": "≤ ", ">=": "≥ "}.get(node.bound, "")
    return f"{sign}{node.value:.4g}"


def _tip(node: TreeNode) -> str:
    """Return what a pointer over the box shows: all that is known."""
    who = _name(node.player)
    values = ", ".join(f"player {p + 1}: {value:.4g}" for p, value in enumerate(node.values))
    kind = {"=": "exact", "<=": "at most", ">=": "at least"}.get(node.bound, "estimate")
    value = "no value" if node.value is None else f"{kind} {node.value:.6g}"
    return "; ".join(filter(None, (node.label, who, value, values, f"{node.visits:,} visits" if node.visits else "")))


def _fill(node: TreeNode, scale: tuple[float, float]) -> str:
    """Return a colour between bad and good for the player at the root."""
    low, high = scale
    if node.value is None or high <= low:
        return "#fff"
    share = (node.value - low) / (high - low)
    red, green, blue = (round(bad + share * (good - bad)) for bad, good in zip(BAD, GOOD, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _colour(player: int | None) -> str:
    if player is None:
        return NOBODY
    return {CHANCE: DICE, TERMINAL: END}.get(player) or PLAYERS[player % len(PLAYERS)]


def _name(player: int | None) -> str:
    if player is None:
        return ""
    return {CHANCE: "chance", TERMINAL: "the game is over"}.get(player) or f"player {player + 1} to move"


def _shortened(text: str) -> str:
    return text if len(text) <= LINE_CHARACTERS else text[: LINE_CHARACTERS - 1] + "…"


def _legend(placed: list[_Placed], x: int, y: int) -> Iterator[str]:
    """Yield what the colours of the stripes mean."""
    for player in sorted(
        {each.node.player for each in placed if each.node.player is not None}, key=lambda p: (p < 0, p)
    ):
        name = _name(player)
        yield f'<rect x="{x}" y="{y - 10}" width="5" height="12" rx="2" fill="{_colour(player)}"/>'
        yield f'<text x="{x + 10}" y="{y}" font-size="12" fill="{INK}">{name}</text>'
        x += 30 + 7 * len(name)
    if any(each.node.bound in ("<=", ">=") for each in placed):
        yield f'<text x="{x}" y="{y}" font-size="12" fill="{DICE}">dashed: only a bound is known</text>'
