import json

import pytest

from oponente.arena import FORFEIT, ReplayError, Store, export_games, load_recording, run_match, stored_matches

from .helpers import CONNECT4, TRIO, a_match


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "games.db"
    run_match(a_match("random", "first", game=CONNECT4, games=4, opening_plies=2), store=path)
    return path


@pytest.fixture
def exported(database, tmp_path):
    with Store(database) as store:
        export_games(stored_matches(store), tmp_path / "games.json")
    return tmp_path / "games.json"


def test_a_database_and_its_export_hold_the_same_games(database, exported):
    for index in range(4):
        recording = load_recording(database, index)
        assert load_recording(exported, index, 1) == recording
        assert recording.agents == (("random", "first"), ("first", "random"))[index % 2]
        positions = [state.to_bytes() for state in recording.states()]
        assert len(set(positions)) == len(recording.actions) + 1
        assert recording.final_state().history == list(recording.actions)
        assert recording.opening == 2


def test_games_that_did_not_end_by_their_rules(tmp_path):
    path = tmp_path / "games.db"
    run_match(a_match("random", "first", "raises:ply=2", game=TRIO, games=1), store=path)
    recording = load_recording(path)
    assert recording.status == FORFEIT
    assert not recording.final_state().is_terminal


def _spoiled(exported, change):
    content = json.loads(exported.read_text())
    change(content["matches"][0]["records"][0])
    exported.write_text(json.dumps(content))
    return load_recording(exported)


def test_an_impossible_action(exported):
    def change(record):
        record["actions"][3] = 9

    with pytest.raises(ReplayError, match=r"game 0 of match 1, action 4 of \d+: 9 is not legal here"):
        _spoiled(exported, change).final_state()


def test_another_outcome(exported):
    def change(record):
        record["seats"][0]["return"] *= -1

    with pytest.raises(ReplayError, match=r"ends with utilities .*; the record says"):
        _spoiled(exported, change).final_state()


def test_a_game_that_is_not_over(exported):
    def change(record):
        record["actions"].pop()

    with pytest.raises(ReplayError, match="is not over"):
        _spoiled(exported, change).final_state()


def test_a_record_that_lacks_something(exported):
    def change(record):
        del record["start_seed"]

    with pytest.raises(ReplayError, match="is damaged"):
        _spoiled(exported, change)


def test_what_is_not_there(database, exported, tmp_path):
    with pytest.raises(ReplayError, match="there is no file"):
        load_recording(tmp_path / "missing.db")
    for source in (database, exported):
        with pytest.raises(ReplayError, match="no finished game 4; 4 games are there, counted from 0"):
            load_recording(source, 4)
        with pytest.raises(ReplayError, match="holds no match 2; it holds 1"):
            load_recording(source, 0, 2)
    run_match(a_match("random", "random", games=1), store=database)
    with pytest.raises(ReplayError, match=r"holds 2 matches \(1, 2\): say which one"):
        load_recording(database)
    assert len(load_recording(database, 0, 2).actions) > 0


@pytest.mark.parametrize(
    ("content", "message"), [('{"format": 1}', "holds no games"), ("{", "no JSON file"), ("[]", "not a database")]
)
def test_other_files(content, message, tmp_path):
    path = tmp_path / "file"
    path.write_text(content * 100 if message == "not a database" else content)
    with pytest.raises(Exception, match=message):
        load_recording(path)
