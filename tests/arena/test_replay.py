import json
from pathlib import Path

import pytest

from oponente.arena import (
    FORFEIT,
    ReplayError,
    StorageError,
    Store,
    export_games,
    load_recording,
    recorded_matches,
    run_match,
    stored_matches,
)
from oponente.arena.replay import uploaded_recording
from oponente.games.catalogue import GameSpec

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
    assert not recording.final_state(TRIO.load()).is_terminal


def test_a_file_that_a_recording_names_is_not_run_unasked(tmp_path):
    trap = tmp_path / "trio.py"
    trap.write_text(Path(TRIO.file).read_text())
    path = tmp_path / "games.db"
    run_match(a_match("random", "random", "random", game=GameSpec("trio", file=str(trap)), games=1), store=path)
    with Store(path) as store:
        export_games(stored_matches(store), tmp_path / "games.json")
    trap.write_text("raise SystemExit('the trap was run')")
    for source in (path, tmp_path / "games.json"):
        recording = load_recording(source)
        for use in (recording.load_game, recording.final_state):
            with pytest.raises(ReplayError, match=r"a game in the file .*trio\.py: give it with --game-file"):
                use()
        assert recording.final_state(recording.load_game(TRIO.file)).is_terminal


def test_a_built_in_game_needs_no_file(database):
    with pytest.raises(ReplayError, match="a built-in game: leave out"):
        load_recording(database).load_game(TRIO.file)


def test_matches_of_a_database_and_of_its_export(database, exported):
    assert recorded_matches(database) == recorded_matches(exported)
    (found,) = recorded_matches(exported)
    assert (found.match, found.finished, found.spec.game) == (1, 4, CONNECT4)


def test_the_newest_matches(tmp_path):
    with Store(tmp_path / "records.db") as store:
        for seed in (1, 2, 3):
            run_match(a_match("random", "first", games=2, seed=seed), store=store)
    assert [found.match for found in recorded_matches(tmp_path / "records.db", newest=2)] == [2, 3]


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


def test_a_game_of_fewer_agents_than_it_has_players(exported):
    def change(record):
        record["status"] = FORFEIT
        record["seats"].pop()

    with pytest.raises(ReplayError, match="game 0 of match 1 is of 1 agents; connect4 has 2 players here"):
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
    assert load_recording(database) == load_recording(database, 0, 2)  # the latest
    assert load_recording(database, 0, 1).game == CONNECT4
    Store(tmp_path / "empty.db").close()
    with pytest.raises(ReplayError, match="holds no matches"):
        load_recording(tmp_path / "empty.db")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is no JSON file of exported games: "),
        (b"[" * 10_000, "is no JSON file of exported games: "),
        (b'{"format": "\xff"}', "is no JSON file of exported games: "),
        (b'{"format": 1}', "holds no games"),
        (b'{"format": "another"}', "holds no games"),
        (b" [{}]", "holds no games"),
        (b"something else " * 10, "not a database"),
    ],
)
def test_other_files(content, message, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    for read in (load_recording, recorded_matches):
        with pytest.raises((ReplayError, StorageError), match=message) as error:
            read(path)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("start", [b"\n \t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b" " * 500])
def test_what_stands_before_an_export_does_not_matter(exported, start):
    content = exported.read_bytes()
    recording = load_recording(exported, 1)
    exported.write_bytes(start + content)
    assert load_recording(exported, 1) == uploaded_recording(start + content, 1) == recording
    assert len(recorded_matches(exported)) == 1


VALUES = [None, True, -1, 1.5, 2**63, 2**200, "x", "\x00", [], ["x"], [[1]], {}, {"x": 1}]


def test_an_export_with_anything_in_place_of_anything_is_refused_in_a_line(exported):
    """A part that is read is one of another kind: that is told, or all is well."""
    whole, told = exported.read_bytes(), []

    def spoil(part, path, kind=""):
        kind = path[-1] if isinstance(path[-1], str) else kind
        if kind in ("decision_ms", "facts", "package_version"):
            return
        for value in VALUES:
            changed = json.loads(whole)
            at = changed
            for step in path[:-1]:
                at = at[step]
            at[path[-1]] = value
            try:
                recording = uploaded_recording(json.dumps(changed).encode(), 0)
                recording.final_state()
            except ReplayError as error:
                told.append(str(error))
        inside = part.items() if isinstance(part, dict) else enumerate(part[:1]) if isinstance(part, list) else ()
        for step, inner in inside:
            spoil(inner, [*path, step], kind)

    for key, part in json.loads(whole).items():
        spoil(part, [key])
    assert told
    assert not any("\n" in line for line in told)
