"""Connect Four: the picture is well-formed and shows the stones."""

from xml.etree import ElementTree

import pytest

from oponente import load_game
from oponente.games.connect4.draw import SEAT_COLOURS, completed_cells


@pytest.mark.parametrize("moves", ["", "4435", "1212121", "446323116125713546635334125521577677446722"])
def test_stones_are_drawn(moves):
    state = load_game("connect4").position(moves)
    root = ElementTree.fromstring(state.svg())
    fills = [element.get("fill") for element in root.iter() if element.tag.endswith("circle")]
    assert fills.count(SEAT_COLOURS[0]) == (len(moves) + 1) // 2
    assert fills.count(SEAT_COLOURS[1]) == len(moves) // 2
    assert state._repr_svg_() == state.svg()


def test_winning_row_is_found():
    state = load_game("connect4").position("1212121")
    assert completed_cells(state) == {(0, 0), (0, 1), (0, 2), (0, 3)}
    assert completed_cells(load_game("connect4").position("444")) == set()
