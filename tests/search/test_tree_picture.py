"""The picture of a search tree: all that is known is in it, nothing overlaps."""

from __future__ import annotations

from xml.etree import ElementTree

from oponente.kernel import CHANCE, TERMINAL
from oponente.search.analysis import TreeNode
from oponente.search.tree_picture import BOX, HEIGHT, svg

SVG = "{http://www.w3.org/2000/svg}"
TREE = TreeNode(
    "",
    0,
    value=0.25,
    values=(0.25, -0.25),
    visits=1200,
    bound="=",
    best=True,
    hidden=5,
    children=(
        TreeNode(
            "road A<B",
            CHANCE,
            value=0.25,
            values=(0.25, -0.25),
            bound="=",
            best=True,
            children=(
                TreeNode("7", 1, value=0.5, probability=1 / 6, bound=">="),
                TreeNode("11", TERMINAL, value=-1.0, values=(-1.0, 1.0), probability=1 / 18),
            ),
        ),
        TreeNode("an action with a very long description", 1, value=0.1, bound="<=", prior=0.125),
        TreeNode("unknown", None),
    ),
)


def texts(picture):
    return [element.text for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def boxes(picture):
    rects = ElementTree.fromstring(picture).iter(f"{SVG}rect")
    return [(float(r.get("x", 0)), float(r.get("y", 0))) for r in rects if r.get("height") == str(HEIGHT)]


def test_all_nodes_are_drawn_with_what_is_known():
    picture = svg(TREE, "agent on a game: <move>")
    shown = texts(picture)
    assert len(boxes(picture)) == 6
    for text in ("agent on a game: <move>", "road A<B", "+5", "16.7 %", "5.56 %", "1,200", "prior 0.125", "?"):
        assert text in shown, text
    assert "≤ 0.1" in shown
    assert "≥ 0.5" in shown
    assert any(text.startswith("an action with") and text.endswith("…") for text in shown)
    assert {"player 1 to move", "player 2 to move", "chance", "the game is over"} <= set(shown)


def test_no_two_boxes_overlap():
    wide = TreeNode("", 0, best=True, children=tuple(
        TreeNode(str(i), 1, children=tuple(TreeNode(str(j), 0) for j in range(i % 4))) for i in range(9)
    ))  # fmt: skip
    placed = boxes(svg(wide, "wide"))
    assert len(placed) == len(set(placed)) == 1 + 9 + sum(i % 4 for i in range(9))
    for i, (x, y) in enumerate(placed):
        for other_x, other_y in placed[i + 1 :]:
            assert abs(x - other_x) >= BOX or abs(y - other_y) >= HEIGHT


def test_values_of_many_players_are_all_shown():
    tree = TreeNode("", 0, value=0.5, values=(0.5, 0.25, 0.25), best=True)
    assert "0.5 0.25 0.25" in texts(svg(tree, "three"))
