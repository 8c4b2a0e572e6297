"""Catan: a match on a board from a file holds the board, whatever becomes of the file."""

import json
import sqlite3
import sys

import pytest

from oponente.arena import MatchSpec, ReplayError, Store, export_games, load_recording, run_match, stored_matches
from oponente.games.catalogue import GameSpec
from oponente.games.catan.layout import BEGINNER, board_text, read_board


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "board.json"
    path.write_text(BEGINNER.to_json(), encoding="utf-8")
    return path


def a_match(path, games):
    options = (("board", str(path)), ("players", "2"), ("points", "3"))
    return MatchSpec(GameSpec("catan", options), ("random", "random"), games, seed=4)


def other_board():
    data = json.loads(BEGINNER.to_json())
    data["tiles"].reverse()
    return json.dumps(data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tiles", [["x" * 5000, 6]] * 19),
        ("tiles", [["wool", 10**5000]] * 19),
        ("tiles", [[0] * 5000] * 19),
        ("tiles", [[None, "9" * 5000]] * 19),
        ("robber", "r" * 5000),
        ("robber", [1] * 5000),
        ("h" * 5000, 1),
    ],
)
def test_what_is_wrong_is_told_in_a_short_line(key, value):
    board = {**json.loads(BEGINNER.to_json()), key: value}
    sys_limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        text = json.dumps(board)
    finally:
        sys.set_int_max_str_digits(sys_limit)
    with pytest.raises(ValueError, match="board") as caught:
        read_board(text)
    assert len(str(caught.value)) < 200


def test_a_long_name_of_a_file_is_shortened():
    with pytest.raises(ValueError, match=r"board=x+\.\.\.: expected variable, beginner") as caught:
        board_text("x" * 5000)
    assert len(str(caught.value)) < 300


def test_an_edited_board_is_another_match(path, tmp_path):
    database = tmp_path / "games.db"
    before = a_match(path, 2).digest
    first = run_match(a_match(path, 2), store=database)
    path.write_text(other_board(), encoding="utf-8")
    assert a_match(path, 2).digest != before
    second = run_match(a_match(path, 4), store=database, resume=True)
    assert (first.match_id, second.match_id, second.played) == (1, 2, 4)
    path.write_text(BEGINNER.to_json(), encoding="utf-8")
    third = run_match(a_match(path, 4), store=database, resume=True)
    assert (third.match_id, third.played) == (1, 2)


def test_games_are_replayed_without_the_file(path, tmp_path):
    database = tmp_path / "games.db"
    run_match(a_match(path, 2), store=database)
    with Store(database) as store:
        export_games(stored_matches(store), tmp_path / "games.json")
    path.unlink()
    for source in (database, tmp_path / "games.json"):
        recording = load_recording(source, 1)
        assert dict(recording.game.options)["board"] == BEGINNER.to_json()
        assert recording.final_state().is_terminal


def test_a_record_that_names_a_file_gets_one_line(path, tmp_path):
    database = tmp_path / "games.db"
    run_match(a_match(path, 1), store=database)
    options = json.dumps({"board": str(path), "players": "2", "points": "3"})
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE matches SET options = ?", (options,))
    connection.close()
    with pytest.raises(ReplayError, match=r"game 0 of match 1 can't be played again: .*board\.json: expected") as error:
        load_recording(database).load_game()
    assert "\n" not in str(error.value)
