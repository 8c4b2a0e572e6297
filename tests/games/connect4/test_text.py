"""Connect Four: notation both ways, and clear errors."""

import pytest

from oponente import load_game
from oponente.kernel import IllegalActionError


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def test_positions_and_moves(game):
    state = game.position("4 4 3")
    assert state.history == [3, 3, 2]
    assert [state.action_text(action) for action in state.legal_actions] == list("1234567")
    assert state.parse_action(" 7 ") == 6
    assert state.text().splitlines()[-3:] == [". . X X . . .", "1 2 3 4 5 6 7", "O to move"]


def test_the_tenth_column_is_written_0():
    game = load_game("connect4", {"columns": "10", "rows": "5"})
    state = game.position("10")
    assert state.history == [0, 9]
    assert state.action_text(9) == "0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("48", "move 2 (8) of '48': there is no column 8: the board has 7"),
        ("4x", "move 2 (x) of '4x': 'x' is no column: write a digit from 1 to 7"),
        ("4444444", "move 7 (4) of '4444444': column 4 is full"),
        ("12121211", "move 8 (1) of '12121211': '1' is not possible: the game is over"),
        ("0", "move 1 (0) of '0'"),
    ],
)
def test_wrong_positions(game, text, message):
    with pytest.raises(IllegalActionError) as error:
        game.position(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_end_of_the_game_in_words(game):
    assert game.position("1212121").text().endswith("X has won")
