"""The command `oponente games`.

Of games of files: what they hold in vain is told once, and what is shown of them is what the user gave.
"""

import json

import pytest

from oponente.cli import bench
from oponente.games.catalogue import GameSpec, load_game
from oponente.games.vgdl import speed

GAME = """
BasicGame square_size=10 quick
  SpriteSet
    avatar > MovingAvatar
    ball > Missile sped=2
  TerminationSet
    Timeout limit=3 win=True
"""
WARNINGS = [
    "warning: ok.txt:2: header: 'quick' is ignored: expected KEY=VALUE without blanks",
    "warning: ok.txt:5: sprite class Missile has no key 'sped': it is ignored",
]


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a game that has two warnings, and one that has many."""
    (tmp_path / "ok.txt").write_text(GAME)
    (tmp_path / "many.txt").write_text(GAME + "    Nonsense\n" * 11)
    for level in ("ok_lvl0", "ok_lvl1", "many_lvl0"):
        (tmp_path / f"{level}.txt").write_text("A \n")
    return tmp_path


def test_warnings_are_told_on_standard_error_once(run, folder):
    status, out, err = run("games", "vgdl:ok", "--option", f"games={folder}", "--json")
    assert (status, err.splitlines()) == (0, WARNINGS)
    assert json.loads(out)["players"] == 1
    status, out, err = run("agents", "vgdl:many", "--option", f"games={folder}")
    lines = err.splitlines()
    assert (status, len(lines)) == (0, 11)
    assert lines[10] == "warning: and 3 more; --strict refuses them"
    assert run("games", "vgdl:harvest")[2] == ""


def test_a_warning_is_one_line_of_a_terminal(run, folder):
    (folder / "ok.txt").write_text(GAME.replace("quick", "q\x1b[2Jk" + 1000 * "x"))
    _, _, err = run("games", "vgdl:ok", "--option", f"games={folder}")
    first = err.splitlines()[0]
    assert "q\\x1b[2Jk" in first
    assert len(first) < 400


def test_strict_refuses_what_only_gets_a_warning_else(run, folder):
    for strict in (("--strict",), ("--option", "strict=true"), ("--strict", "--option", "strict=true")):
        status, out, err = run("games", "vgdl:ok", "--option", f"games={folder}", *strict)
        assert (status, out, err) == (2, "", WARNINGS[0].replace("warning:", "oponente:"))
    status, _, err = run("games", "vgdl:ok", "--option", "strict=false", "--strict")
    assert (status, err.splitlines()[0].startswith("oponente: --option strict is given twice")) == (2, True)
    status, out, err = run("games", "tictactoe", "--strict")
    assert (status, out, err) == (2, "", "oponente: game tictactoe has no option 'strict'; it has none")
    status, _, err = run("games", "--strict")
    assert status == 2
    assert "--option and --strict need a GAME" in err
    assert "strict=true" in run("games", "vgdl:harvest", "--strict")[1].splitlines()[0]


def test_the_listing_names_our_games_and_where_others_are_had(ok, folder):
    listed = ok("games", "vgdl")
    about = "gather five sheaves of ripe wheat before the crows leave too little of it. Arcade, one player."
    assert f"  harvest    0, 1, 2  {about}\n" in listed
    assert "`examples` of https://github.com/GAIGResearch/GVGAI" in listed
    assert "GVGAI" not in ok("games", "vgdl:ok", "--option", f"games={folder}")


def test_name_and_level_are_shown_in_place_of_the_text(ok, folder):
    shown = ok("games", "vgdl:ok", "--option", f"games={folder}", "--option", "level=1", "--option", "ticks=9")
    assert shown.splitlines()[0] == "vgdl, game=ok, level=1, ticks=9: 1 player, chance"
    # What another process or a record needs is all there.
    game = load_game("vgdl:ok", {"games": str(folder)})
    spec = GameSpec(game.name, tuple(game.changed_options.items()))
    assert spec.shown_options == {"game": "ok", "level": "0"}
    assert spec.load() == game
    only_text = GameSpec("vgdl", (("text", game.changed_options["text"]),))
    assert only_text.shown_options == {"game": "ok", "level": "0"}
    assert GameSpec("connect4", (("columns", "8"),)).shown_options == {"columns": "8"}


def test_a_match_is_titled_by_what_the_user_gave(run, folder):
    arguments = ("match", "vgdl:ok", "random", "--games", "1", "--option", f"games={folder}")
    status, out, err = run(*arguments, "--report", folder / "page.html")
    assert status == 0
    assert out.splitlines()[0].startswith("vgdl, game=ok, level=0: 1 games, seed 1")
    assert [line for line in err.splitlines() if line.startswith("warning")] == WARNINGS
    assert "game=ok, level=0" in (folder / "page.html").read_text()
    options = json.loads(run(*arguments, "--json")[1])["options"]
    assert json.loads(options["text"])["description"] == GAME


@pytest.fixture
def framework(tmp_path):
    """Return a folder with games of the names that the framework's figures are known of, in its own layout."""
    (tmp_path / "gridphysics").mkdir()
    (tmp_path / "2player").mkdir()
    for name in speed.JAVA:
        (tmp_path / "gridphysics" / f"{name}.txt").write_text(GAME.replace(" quick", "").replace("sped", "speed"))
        (tmp_path / "gridphysics" / f"{name}_lvl0.txt").write_text("A\n")
    (tmp_path / "2player" / "aliens.txt").write_text("another")
    return tmp_path


@pytest.fixture
def measured(monkeypatch):
    """Let games have the figures that the list returned holds, one after the other, the last one for all others."""
    figures = [dict.fromkeys(("ticks_per_s", "copies_per_s", "mcts_per_40ms"), 1.0)]

    def measure(game, seconds, seed, control, progress):
        for figure in speed.FIGURES:
            progress(figure)
        return figures[0] if len(figures) == 1 else figures.pop(0)

    monkeypatch.setattr(speed, "measure", measure)
    monkeypatch.setattr(bench, "beside_reference", lambda measure, *_: {**measure(), "reference_per_s": 1.0})
    return figures


def test_bench_finds_the_frameworks_games_in_its_own_layout(run, framework, measured):
    arguments = ("bench", "vgdl", "--option", f"games={framework}", "--seconds", 0.01)
    status, out, err = run(*arguments, "--json")
    assert (status, err) == (0, "")
    report = json.loads(out)
    assert list(report["games"]) == list(speed.JAVA)
    assert report["games"]["bait"]["ratio_java"] == pytest.approx(1 / speed.JAVA["bait"])
    assert report["min_ratio"] == pytest.approx(1 / max(speed.JAVA.values()))
    (framework / "gridphysics" / "seaquest.txt").unlink()
    status, _, err = run(*arguments)
    assert status == 2
    assert "expected a file single/seaquest.txt or gridphysics/seaquest.txt" in err


def test_bench_of_video_games_beside_an_earlier_one(run, framework, measured, monkeypatch):
    monkeypatch.setattr(speed, "JAVA", {"aliens": 10, "bait": 20})
    arguments = ("bench", "vgdl", "--option", f"games={framework}", "--seconds", 0.1)
    history = framework / "history.jsonl"
    status, out, _ = run(*arguments, "--history", history, "--json")
    assert status == 0
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    assert [(line["game"], line["options"]) for line in lines] == [("vgdl:single/aliens", {}), ("vgdl:single/bait", {})]
    assert all(line["reference_per_s"] == 1.0 and line["made"]["date"] for line in lines)
    (framework / "old.json").write_text(out)
    fast = {name: 2 * figure for name, figure in measured[0].items()}
    slow = {**fast, "copies_per_s": 0.5}
    for earlier in (history, framework / "old.json"):
        measured[:] = [fast, slow, fast]
        status, out, err = run(*arguments, "--compare", earlier)
        assert status == 1
        assert [line.split()[1] for line in err.splitlines() if line.endswith("slower")] == ["copies_per_s"]
        assert "times Java" in out
    assert run(*arguments, "--compare", history)[0] == 0
    assert "nothing to compare" in run(*arguments, "--option", "level=0", "--compare", history)[2]


@pytest.mark.compiled
def test_profile_of_a_bench_of_video_games(run, framework, monkeypatch):
    monkeypatch.setattr(speed, "JAVA", {"aliens": 10})
    status, out, err = run("bench", "vgdl", "--option", f"games={framework}", "--seconds", 0.01, "--profile")
    assert status == 0
    assert "aliens" in out
    assert "games.vgdl.open_loop.search" in err
    assert "tottime" in err


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("vgdl:/etc/passwd",), "game=/etc/passwd: write where it lies below the folder"),
        (("vgdl", "--option", "text=" + "[" * 100_000), "text=...: expected JSON with description_file"),
    ],
)
def test_what_is_no_game_is_one_line(run, folder, monkeypatch, arguments, error):
    monkeypatch.setenv("OPONENTE_VGDL", str(folder))
    status, out, err = run("games", *arguments)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"oponente: {error}")


def test_games(ok):
    assert "connect4" in ok("games")
    assert json.loads(ok("games", "--json"))["games"]["tictactoe"]
    assert "columns" in ok("games", "connect4")
    described = json.loads(ok("games", "connect4", "--json"))
    assert described["players"] == 2
    assert [option["name"] for option in described["options"]] == ["columns", "rows", "connect"]


def test_games_with_options(ok, run):
    assert json.loads(ok("games", "connect4", "--option", "columns=9", "--json"))["changed_options"] == {"columns": "9"}
    assert "columns=9" in ok("games", "connect4", "--option", "columns=9")
    assert run("games", "--option", "columns=9")[0] == 2
