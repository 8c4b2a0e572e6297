"""Flame graphs: what the lines and the picture say of samples."""

import re
from xml.etree import ElementTree

import pytest

from oponente.arena.flame_graph import MARGIN, ROW, WIDTH, collapsed, svg

SAMPLES = {("main", "search"): 6, ("main", "search", "rules <a;b>"): 3, ("main",): 1}


def test_lines():
    assert collapsed(SAMPLES) == "main 1\nmain;search 6\nmain;search;rules <a,b> 3\n"


def test_boxes_are_as_wide_as_their_share_and_lie_above_their_callers():
    tree = ElementTree.fromstring(svg(SAMPLES, "three"))
    boxes = {}
    for group in tree.iter("{http://www.w3.org/2000/svg}g"):
        title, box = group[0].text or "", group[1]
        name = title.rpartition(": ")[0]
        boxes[name] = tuple(float(box.get(key) or 0) for key in ("x", "y", "width"))
        assert re.search(r": [\d.]+ %, \d+ samples$", title)
    whole = WIDTH - 2 * MARGIN
    assert {name: round(width / whole, 3) for name, (_, _, width) in boxes.items()} == {
        "main": 1.0,
        "search": 0.9,
        "rules <a;b>": 0.3,
    }
    assert [boxes["main"][1] - boxes[name][1] for name in ("search", "rules <a;b>")] == [ROW, 2 * ROW]
    assert all(x >= MARGIN and x + width <= WIDTH - MARGIN + 0.2 for x, _, width in boxes.values())


def test_nothing_can_not_be_drawn():
    with pytest.raises(ValueError, match="no samples"):
        svg({}, "nothing")
