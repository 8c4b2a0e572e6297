"""Players can be told apart with any kind of colour vision: by lightness and hue, and also by a number and a shape."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import oponente.web
from oponente.games.catalogue import load_game

VISION = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What is seen of linear light in red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""
TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
WHITE = [0.95047, 1.0, 1.08883]
LEAST = 30.0
"""Distance of two colours at least, in CIELAB; 2.3 is what is just noticed."""
GAMES = ["connect4", "catan", "risk", "vgdl"]
STATIC = Path(oponente.web.__file__).parent / "static"


def linear(colour):
    """Return the linear light of a colour such as ``#1f5fd0``."""
    if len(colour) == 4:
        colour = "#" + "".join(2 * digit for digit in colour[1:])
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(light):
    """Return the place of a colour in CIELAB."""
    x = np.clip(TO_XYZ @ np.clip(light, 0, 1) / WHITE, 0, None)
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def closest(colours, vision):
    """Return the least distance of two colours, and which they are."""
    seen = {colour: lab(np.array(VISION[vision]) @ linear(colour)) for colour in colours}
    return min(
        (float(np.linalg.norm(seen[one] - seen[other])), one, other)
        for one, other in itertools.combinations(colours, 2)
    )


def test_distances_are_those_of_the_standard():
    assert lab(linear("#ffffff")) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    # What red-green blindness makes alike, and the eye does not.
    assert closest(["#d02020", "#207020"], "usual")[0] > 100
    assert closest(["#a06000", "#708000"], "deuteranopia")[0] < closest(["#a06000", "#708000"], "usual")[0]


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("name", GAMES)
def test_seats_differ(name, vision):
    distance, *pair = closest(load_game(name).draw.SEAT_COLOURS, vision)
    assert distance >= LEAST, pair


@pytest.mark.parametrize("vision", VISION)
def test_seats_of_own_games_differ(vision):
    colours = re.search(r"const COLOURS = \[(.*?)\]", (STATIC / "badge.js").read_text())[1]
    distance, *pair = closest(re.findall(r"#\w+", colours), vision)
    assert distance >= LEAST, pair


def test_curves_are_broken_differently():
    style = (STATIC / "room.css").read_text()
    assert len(set(re.findall(r"\.curve \.curve-\d { stroke-dasharray: ([\d ]+)", style))) == 5


def test_shapes_and_numbers_differ():
    style = (STATIC / "room.css").read_text()
    shapes = [re.findall(rf"\.badge\.shape-{seat} {{(.*?)}}", style) for seat in range(1, 6)]
    assert all(len(one) == 1 for one in shapes)
    assert len({one[0] for one in shapes}) == 5
    state = load_game("catan").start(1)
    for _ in range(8):
        state.apply(next(iter(state.legal_actions)))
    picture = state.svg()
    for seat in "1234":
        assert re.search(rf'data-seat="{seat}" data-piece="settlement".*?>{seat}</text>', picture)
