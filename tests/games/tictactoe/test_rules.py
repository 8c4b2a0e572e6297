"""Tic-tac-toe: written cases, notation, picture."""

from xml.etree import ElementTree

import pytest

from oponente import load_game
from oponente.kernel import IllegalActionError


@pytest.fixture(scope="module")
def game():
    return load_game("tictactoe")


@pytest.mark.parametrize(
    ("moves", "returns"),
    [
        ("14253", [1.0, -1.0]),  # row
        ("12457", [1.0, -1.0]),  # column
        ("12539", [1.0, -1.0]),  # diagonal
        ("1524", None),
        ("125374698", [0.0, 0.0]),
        ("415293", [-1.0, 1.0]),
        ("41526", [1.0, -1.0]),
    ],
)
def test_outcomes(game, moves, returns):
    if returns is None:
        assert not game.position(moves).is_terminal
    else:
        assert game.position(moves).returns == returns


def test_cells_are_listed_in_order(game):
    assert list(game.position("519").legal_actions) == [1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize("text", ["0", "55", "x", "142536"])
def test_wrong_positions(game, text):
    with pytest.raises(IllegalActionError) as error:
        game.position(text)
    assert "\n" not in str(error.value)


def test_picture(game):
    for moves in ("", "519", "14253"):
        ElementTree.fromstring(game.position(moves).svg())


def test_text(game):
    assert game.position("51").text() == "O 2 3\n4 X 6\n7 8 9\nX to move"


def test_encoding(game):
    features = game.position("51").encode(1)
    assert features.tolist() == [1.0] + [0.0] * 12 + [1.0] + [0.0] * 4
