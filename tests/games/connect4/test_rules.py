"""Connect Four: written cases, and the bit board against a plain one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oponente import load_game
from oponente.kernel import IllegalActionError, stream

SIZES = [(7, 6, 4), (5, 4, 3), (10, 5, 4), (4, 15, 5), (8, 7, 4), (3, 3, 2), (1, 6, 4), (9, 6, 6)]


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def options(columns, rows, connect):
    return {"columns": str(columns), "rows": str(rows), "connect": str(connect)}


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("1212121", 0),  # a column
        ("1122334", 0),  # a row
        ("1223334544", None),
        ("12233434464", 0),  # rising diagonal
        ("76655454424", 0),  # falling diagonal
        ("71212121", 1),  # the second player
        ("4444447777775555553", None),
    ],
)
def test_rows_that_win(game, moves, winner):
    state = game.position(moves)
    if winner is None:
        assert not state.is_terminal
    else:
        assert state.is_terminal
        assert state.returns == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])


def test_three_in_a_row_do_not_win(game):
    assert not game.position("112233").is_terminal


def test_a_row_does_not_go_around_the_edge(game):
    # Top cells of a column and bottom cells of the next are neighbours in the mask, but not on the board.
    state = game.position("21316117171")
    assert [state.record.stones[0] >> np.uint64(bit) & np.uint64(1) for bit in (3, 4, 5, 7)] == [1, 1, 1, 1]
    assert not state.is_terminal


def test_full_board_is_a_draw(game):
    state = game.position("446323116125713546635334125521577677446722")
    assert state.is_terminal
    assert state.returns == [0.0, 0.0]


def test_full_column_is_closed(game):
    state = game.position("444444")
    assert list(state.legal_actions) == [0, 1, 2, 4, 5, 6]
    with pytest.raises(IllegalActionError, match="legal: 1, 2, 3, 5, 6, 7"):
        state.apply(3)
    assert state.history == [3] * 6


@pytest.mark.parametrize("size", SIZES)
def test_random_games_against_a_plain_board(size):
    columns, rows, connect = size
    game = load_game("connect4", options(*size))
    rng = np.random.default_rng(7)
    for _ in range(25):
        state = game.start()
        board = np.full((rows, columns), -1)
        ply = 0
        while not state.is_terminal:
            free = [c for c in range(columns) if board[rows - 1, c] < 0]
            assert list(state.legal_actions) == free
            column = int(rng.choice(free))
            row = int(np.argmax(board[:, column] < 0))
            board[row, column] = ply % 2
            state.apply(column)
            ply += 1
            assert state.is_terminal == (plain_row(board, connect) or ply == columns * rows)
        if plain_row(board, connect):
            assert state.returns[(ply - 1) % 2] == 1.0
        else:
            assert state.returns == [0.0, 0.0]


def plain_row(board, connect):
    rows, columns = board.shape
    for r in range(rows):
        for c in range(columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                cells = [(r + i * dr, c + i * dc) for i in range(connect)]
                if all(0 <= y < rows and 0 <= x < columns for y, x in cells) and (
                    len({board[y, x] for y, x in cells}) == 1 and board[r, c] >= 0
                ):
                    return True
    return False


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sampled_actions_are_legal(game, seed):
    rng = stream(seed)
    state = game.start()
    while not state.is_terminal:
        action = state.sample_action(rng)
        assert action in state.legal_actions
        state.apply(action)


@pytest.mark.parametrize(
    ("given_options", "message"),
    [
        ({"columns": "11"}, "columns=11: expected int 1..10"),
        ({"columns": "x"}, "columns=x: expected int"),
        ({"columns": "9", "rows": "7"}, "too large"),
        ({"width": "7"}, "no option 'width'; it has columns, rows, connect"),
    ],
)
def test_wrong_options(given_options, message):
    with pytest.raises(ValueError, match=message.replace(".", r"\.").replace("*", r"\*")):
        load_game("connect4", given_options)


def test_encoding_is_from_the_seats_side(game):
    state = game.position("44")
    first, second = state.encode(0), state.encode(1)
    assert first.sum() == second.sum() == 2.0
    assert (first[:64] == second[64:]).all()
    assert first[21] == 1.0
    assert second[22] == 1.0
