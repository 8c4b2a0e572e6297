"""Flame graphs (B. Gregg, "The flame graph", 2016): stacks of functions as boxes as wide as the time spent there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

Stack = tuple[str, ...]

WIDTH, ROW, MARGIN = 1200, 20, 12
_LETTER = 6.6
"""Mean width of a letter."""
_NARROWEST = 0.3
"""Boxes that are narrower are left out."""


def collapsed(samples: Mapping[Stack, int]) -> str:
    """Return a line for each stack, ``outermost;...;innermost count``, as other tools for flame graphs read it."""
    return "".join(
        f"{';'.join(name.replace(';', ',') for name in stack)} {n}\n" for stack, n in sorted(samples.items())
    )


@dataclass
class _Box:
    """A function where it is called from one stack."""

    count: int = 0
    inner: dict[str, _Box] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        return 1 + max((box.depth for box in self.inner.values()), default=0)


def svg(samples: Mapping[Stack, int], title: str) -> str:
    """Return the graph as an SVG picture: the outermost function below; a box tells its share when pointed at.

    Raises:
        ValueError: there are no samples.
    """
    root = _Box()
    for stack, count in samples.items():
        box = root
        box.count += count
        for name in stack:
            box = box.inner.setdefault(name, _Box())
            box.count += count
    if not root.count:
        raise ValueError("there are no samples")
    height = (root.depth - 1) * ROW + 2 * MARGIN + 2 * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" font-family="ui-monospace, monospace" font-size="11">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="{MARGIN + 12}" font-size="14" fill="#22303c">{escape(title)}</text>',
    ]
    scale = (WIDTH - 2 * MARGIN) / root.count
    waiting = [(root, float(MARGIN), height - MARGIN - ROW)]
    while waiting:
        outer, x, y = waiting.pop()
        for name, box in sorted(outer.inner.items()):
            width = box.count * scale
            if width >= _NARROWEST:
                parts.append(_drawn(name, box.count, root.count, x, y, width))
                waiting.append((box, x, y - ROW))
            x += width
    return "".join([*parts, "</svg>"])


def _drawn(name: str, count: int, total: int, x: float, y: int, width: float) -> str:
    """Return a box, in a colour of its name's own, with the last parts of the name that fit."""
    hue = 10 + hashlib.blake2b(name.encode(), digest_size=1).digest()[0] * 45 // 255
    fits = int((width - 6) / _LETTER)
    parts = name.split(".")
    shown = next((part for i in range(len(parts)) if len(part := ".".join(parts[i:])) <= fits), "")
    text = f'<text x="{x + 3:.1f}" y="{y + 14}" fill="#22303c">{escape(shown)}</text>' if shown else ""
    return (
        f"<g><title>{escape(name)}: {100 * count / total:.1f} %, {count:,} samples</title>"
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" rx="2" fill="hsl({hue} 85% 68%)"/>{text}</g>'
    )
