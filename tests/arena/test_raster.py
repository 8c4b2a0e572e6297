"""Pictures in pixels of what games draw."""

import io
import math

import numpy as np
import pytest
from PIL import Image

from oponente import load_game
from oponente.arena.raster import gif, path_outlines, raster


def drawn(content, width=100):
    """Return the pixels of a picture of 100 by 100 units."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{content}</svg>'
    return np.asarray(raster(svg, width)).astype(int)


def area(pixels):
    """Return how many pixels are black."""
    return (255 - pixels[:, :, 0]).sum() / 255


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<circle cx="50" cy="50" r="30"/>', math.pi * 900),
        ('<ellipse cx="50" cy="50" rx="30" ry="20"/>', math.pi * 600),
        ('<rect x="10" y="20" width="40" height="30"/>', 1200),
        ('<rect x="10" y="20" width="40" height="30" rx="10"/>', 1200 - 400 + math.pi * 100),
        ('<g transform="translate(10 10) scale(2)"><rect width="20" height="10"/></g>', 800),
        ('<path d="M10 10h40v30H10z"/>', 1200),
        ('<path d="M20 50a30 30 0 0 1 60 0z"/>', math.pi * 450),
        ('<path d="M20 50a30 30 0 1 0 60 0z"/>', math.pi * 450),
        ('<path d="M10 10L60 10M10 30h50" stroke="#000" stroke-width="4"/>', 400),
        ('<path d="M0 50H100" stroke="#000" stroke-width="4" stroke-dasharray="10 10"/>', 200),
        ('<polygon points="10,10 60,10 10,60"/>', 1250),
        ('<rect width="100" height="100" fill-opacity="0.5"/>', 5000),
        ('<defs><g id="a"><rect width="10" height="10"/></g></defs><use href="#a" transform="translate(50 50)"/>', 100),
        ("<title>nothing</title>", 0),
    ],
)
def test_shapes_have_their_area(content, expected):
    assert area(drawn(content)) == pytest.approx(expected, rel=0.06, abs=25)


def test_curves_begin_and_end_where_they_say():
    ((points, closed),) = path_outlines("M0 0C0 10 10 10 10 0Q15-5 20 0")
    assert not closed
    assert points[0] == (0, 0)
    assert points[12] == pytest.approx((10, 0))
    assert points[-1] == pytest.approx((20, 0))
    assert points[6] == pytest.approx((5, 7.5))
    assert path_outlines("M1-2.5.5 3") == [([(1, -2.5), (0.5, 3)], False)]


def test_text_is_where_its_anchor_says():
    for anchor, left, right in (("start", 50, 100), ("middle", 25, 75), ("end", 0, 51)):
        columns = np.flatnonzero(
            (drawn(f'<text x="50" y="60" font-size="20" text-anchor="{anchor}">abc</text>') < 128).any(axis=(0, 2))
        )
        assert left <= columns.min()
        assert columns.max() <= right


@pytest.mark.parametrize(
    "content",
    ['<image href="x"/>', '<path d="M0 0T5 5"/>', '<g transform="rotate(5)"/>', '<path d="M0 0a1 2 0 0 1 1 1"/>'],
)
def test_what_is_not_known_is_refused(content):
    with pytest.raises(ValueError, match="known"):
        drawn(content)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "vgdl"])
def test_games_move(name):
    state = load_game(name).start(1)
    pictures = [state.svg()]
    state.apply(state.legal_actions[0])
    pictures.append(state.svg())
    image = Image.open(io.BytesIO(gif(pictures, 40, 200)))
    assert (image.n_frames, image.width) == (2, 200)
    with pytest.raises(ValueError, match="at least one"):
        gif([], 40)
