"""Games and agents in a user's own files."""

import json


def test_own_game_and_agent_in_every_command(ok, files, tmp_path):
    game = ("--game-file", files / "nim.py")
    agent = ("--agent-file", files / "mine.py")
    assert "nim" in ok("games", *game)
    assert "last" in ok("agents", "nim", *game, *agent)
    summary = json.loads(ok("match", "nim", "last", "uct:200", *game, *agent, "--games", 4, "--json"))
    assert summary["agents"][1]["wins"] >= 2
    assert "plays 1" in ok("analyse", "nim", "", "--agent", "alphabeta:9", *game)
    assert ok("draw", "nim", "3 2", *game).startswith("<svg")
    assert "nim" in ok("bench", "nim", *game, "--seconds", 0.01)
    assert "Result: " in ok("replay", "--game", 0, *game)


def test_own_files_are_found_from_other_folders(ok, files, tmp_path, monkeypatch):
    arguments = ("nim", "last", "random", "--games", 2, "--json")
    monkeypatch.chdir(files)
    ok("match", *arguments, "--game-file", "nim.py", "--agent-file", "mine.py")
    assert json.loads(ok("replay", "--json"))["matches"][0]["game_file"] == str(files / "nim.py")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    there = ("--game-file", "../nim.py", "--agent-file", "../mine.py")
    assert json.loads(ok("match", *arguments, *there, "--resume"))["games_per_s"] is None
