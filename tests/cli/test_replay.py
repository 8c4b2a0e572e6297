"""The command `oponente replay`: what it shows of recorded games, and what a recording may not do."""

import json

import pytest
from PIL import Image


def test_replay(ok, run, tmp_path):
    ok("match", "connect4", "uct:20", "random", "--games", 2)
    assert "uct:20 v random" in ok("replay")
    shown = ok("replay", "--match", 1, "--game", 1)
    assert "player 1 (random): " in shown
    recorded = json.loads(ok("replay", "--game", 0, "--json"))
    assert len(recorded["moves"]) == len(recorded["actions"])
    assert ok("replay", "--game", 0, "--ply", 0).endswith("X to move\n")
    ok("replay", "--game", 0, "--gif", tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as moving:
        assert moving.n_frames == len(recorded["actions"]) + 1
    assert json.loads(ok("replay", "--game", 0, "--gif", tmp_path / "game.gif", "--json")) == recorded
    status, _, told = run("replay", "--game", 0, "--gif", tmp_path)
    assert status == 2
    assert "folder" in told
    ok("replay", "--game", 0, "-o", tmp_path / "pictures")
    assert len(list((tmp_path / "pictures").iterdir())) == len(recorded["actions"]) + 1


def test_a_replay_shows_each_tick_once_however_many_play(ok, tmp_path):
    ok("match", "vgdl:lancers", "random", "random", "--games", 1, "--option", "ticks=3")
    shown = ok("replay", "--game", 0)
    assert [shown.count(f"tick {tick};") for tick in range(5)] == [1] * 5
    assert shown.count("player 2 (random): ") == 4
    ok("replay", "--game", 0, "--gif", tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as moving:
        assert moving.n_frames == 5


def test_replay_of_an_exported_file(ok, tmp_path):
    ok("match", "tictactoe", "random", "random", "--games", 2, "--export", tmp_path / "games.json")
    assert "Result: " in ok("replay", tmp_path / "games.json", "--game", 1)


@pytest.mark.parametrize("arguments", [(), ("--match", 1), ("--match", 2)])
def test_what_a_recording_says_commands_no_terminal(run, ok, tmp_path, arguments):
    file = tmp_path / "games.json"
    ok("match", "tictactoe", "random", "random", "--games", 2, "--export", file)
    content = json.loads(file.read_text())
    (match,) = content["matches"]
    evil = "random\x1b]0;owned\x07"
    match["agents"][0] = match["records"][0]["seats"][0]["spec"] = evil
    match["records"][0]["reason"] = "\x1b[2Jgone\nline 2"
    content["matches"].append({**match, "match": 2, "game": evil})
    file.write_text(json.dumps(content))
    status, out, err = run("replay", file, *arguments)
    assert all(sign.isprintable() or sign == "\n" for sign in out + err), (out, err)
    assert status == (0 if arguments in [(), ("--match", 1)] else 2)
    if arguments == ("--match", 1):
        assert r"Result (\x1b[2Jgone\nline 2): " in out


def test_replay_shows_the_latest_match(ok):
    ok("match", "tictactoe", "random", "random", "--games", 1)
    ok("match", "tictactoe", "flat-mc:5", "random", "--games", 1)
    assert json.loads(ok("replay", "--game", 0, "--json"))["match"] == 2
    assert json.loads(ok("replay", "--ply", 1, "--json"))["ply"] == 1
    assert json.loads(ok("replay", "--match", 1, "--json"))["agents"] == ["random", "random"]


def test_replay_lists_as_json(ok, tmp_path):
    ok("match", "tictactoe", "random", "random", "--games", 2, "--export", tmp_path / "games.odd.json")
    listed = json.loads(ok("replay", "--json"))["matches"]
    assert [(m["match"], m["games"], m["finished"], m["agents"]) for m in listed] == [(1, 2, 2, ["random", "random"])]
    assert json.loads(ok("replay", tmp_path / "games.odd.json", "--json"))["matches"] == listed
    (tmp_path / "games.odd.json").rename(tmp_path / "games")  # told by what it holds, not by its name
    assert "random v random" in ok("replay", tmp_path / "games")
    assert "Result: " in ok("replay", tmp_path / "games", "--game", 1)


def test_a_recording_does_not_run_the_file_that_it_names(run, ok, files):
    export = files / "games.json"
    ok("match", "nim", "random", "random", "--games", 1, "--game-file", files / "nim.py", "--export", export)
    (files / "nim.py").write_text("raise SystemExit('the trap was run')")
    for source in ([], [export]):
        status, out, err = run("replay", *source, "--game", 0)
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert f"{files / 'nim.py'}: give it with --game-file" in err
