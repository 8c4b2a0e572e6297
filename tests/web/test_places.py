"""What games tell the page: where actions lie in pictures; and every position of a game."""

import pytest

from oponente import load_game
from oponente.web.line import Line
from web.placing import placed


@pytest.mark.parametrize(
    ("name", "options", "kinds"),
    [("tictactoe", {}, {"cell"}), ("connect4", {"columns": "10", "rows": "4"}, {"column", "slot"})],
)
def test_places_are_in_the_picture(name, options, kinds):
    assert placed(name, options, 40) == kinds


def test_a_line_gives_every_position_again():
    state = load_game("connect4").start()
    line = Line(state)
    pictures = [state.svg()]
    for move in "4455":
        state.apply(state.parse_action(move))
        line.append(state)
        pictures.append(state.svg())
    assert [line.state(ply).svg() for ply in range(5)] == pictures
    assert [(told.seat, told.text) for told in (line.told(ply, 0) for ply in range(4))] == [
        (0, "4"),
        (1, "4"),
        (0, "5"),
        (1, "5"),
    ]
    line.cut(2)
    assert len(line) == 2
    assert line.state(2).svg() == pictures[2]
