"""The command `oponente export`, and the option of a match that does the same."""

import json

import pytest


def test_kept_games_are_exported_without_playing(run, ok, tmp_path):
    database = tmp_path / "games.db"
    for seed, games in ((1, 2), (2, 3), (3, 1)):
        ok("match", "tictactoe", "random", "random", "--games", games, "--seed", seed, "--out", database)
    before = database.read_bytes()
    told = ok("export", tmp_path / "all.csv", "--from", database)
    assert told == f"6 games of 3 matches written to {tmp_path / 'all.csv'}\n"
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 1 + 6
    some = ("export", tmp_path / "some.json", "--from", database, "--match", 3, "--match", 2, "--match", 3)
    assert json.loads(ok(*some, "--json")) == {"file": str(tmp_path / "some.json"), "matches": [3, 2], "games": 4}
    assert [m["seed"] for m in json.loads((tmp_path / "some.json").read_text())["matches"]] == [3, 2]
    assert "Result: " in ok("replay", tmp_path / "some.json", "--match", 2, "--game", 2)
    assert database.read_bytes() == before
    for arguments, message in (
        ((tmp_path / "x.xlsx", "--from", database), ".csv, .parquet, .json"),
        ((tmp_path / "none" / "x.csv", "--from", database), "there is no folder"),
        ((tmp_path / "x.csv", "--from", tmp_path / "none.db"), "there is no file"),
        ((tmp_path / "x.csv", "--from", database, "--match", 9), "no match 9; it holds 1, 2, 3"),
    ):
        status, out, err = run("export", *arguments)
        assert (status, out) == (2, "")
        assert message in err
        assert err.count("\n") == 0


def test_an_export_holds_what_was_asked_for(ok, tmp_path):
    arguments = ("match", "tictactoe", "random", "random", "--resume")
    ok("match", "connect4", "random", "random", "--games", 1)
    ok(*arguments, "--games", 4)
    ok(*arguments, "--games", 2, "--export", tmp_path / "games.json")
    (match,) = json.loads((tmp_path / "games.json").read_text())["matches"]
    assert match["match"] == 2
    assert [record["number"] for record in match["records"]] == [0, 1]


@pytest.mark.parametrize("name", ["games.xyz", "missing/games.csv"])
def test_a_wrong_export_shows_before_the_match(run, tmp_path, name):
    status, _, err = run("match", "tictactoe", "random", "random", "--export", tmp_path / name)
    assert status == 2
    assert name in err
    assert not (tmp_path / "records.db").exists()
