"""The command line: what each command prints, and one line for each mistake of a user's."""

import io
import json
import os
import platform
import re
import subprocess
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from oponente.arena.benchmark import benchmark_options
from oponente.cli.common import table
from oponente.games.catalogue import load_game

NIM = """
from typing import NamedTuple

from oponente.kernel import TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS = "nim", 2, 3
State = record(("stones", "i4"), ("mover", "i4"))


class Tables(NamedTuple):
    token: Token


def tables(options):
    return Tables(Token(__name__))


@njit
def initial(game, state, rng):
    state.stones = 9


@njit
def player(game, state):
    return state.mover if state.stones > 0 else TERMINAL


@njit
def actions(game, state, out):
    count = min(3, state.stones)
    for i in range(count):
        out[i] = i + 1
    return count


@njit
def apply(game, state, action):
    state.stones -= action
    state.mover = 1 - state.mover


@njit
def returns(game, state, out):
    out[state.mover], out[1 - state.mover] = -1.0, 1.0
"""

AGENT = '''
from oponente import Agent


class Last(Agent):
    """Plays the last legal action."""

    name = "last"

    def choose(self, view, budget):
        return view.legal_actions[-1]
'''


@pytest.fixture
def files(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    (tmp_path / "mine.py").write_text(AGENT)
    return tmp_path


def timeless(summary):
    """Return a summary without times."""
    if isinstance(summary, dict):
        return {k: timeless(v) for k, v in summary.items() if not k.endswith(("_ms", "_per_s"))}
    return [timeless(part) for part in summary] if isinstance(summary, list) else summary


# --- what is printed -----------------------------------------------------------------------------------------------


def test_games(ok):
    assert "connect4" in ok("games")
    assert json.loads(ok("games", "--json"))["games"]["tictactoe"]
    assert "columns" in ok("games", "connect4")
    described = json.loads(ok("games", "connect4", "--json"))
    assert described["players"] == 2
    assert [option["name"] for option in described["options"]] == ["columns", "rows", "connect"]


def test_agents(ok):
    shown = ok("agents", "connect4")
    for text in ("alphabeta", "iterations", "int 1..", "selection formula", "schedule"):
        assert text in shown
    listed = json.loads(ok("agents", "connect4", "--json"))["agents"]
    uct = next(agent for agent in listed if agent["agent"] == "uct")
    assert {"name", "kind", "default", "low", "high", "choices", "meaning"} == set(uct["parameters"][0])


def test_agents_are_told_with_their_whole_first_paragraph(ok):
    shown = ok("agents", "catan")
    assert "buying a card 250, playing one 50, all else 1.\n" in shown
    for game in ("catan", "connect4", "tictactoe"):
        for agent in json.loads(ok("agents", game, "--json"))["agents"]:
            assert re.search(r"[.)]$", agent["about"]), agent


def test_agents_that_do_not_play_are_told_with_the_reason(ok):
    shown = ok("agents", "catan")
    assert "\nnot minimax: plays games for two; catan has 4 players here: take paranoid, maxn, best-reply or" in shown
    listed = json.loads(ok("agents", "catan", "--option", "players=2", "--json"))
    assert listed["not_playing"] == {}
    assert {"minimax", "alphabeta"} <= {agent["agent"] for agent in listed["agents"]}


def test_match_json(ok):
    arguments = ("match", "connect4", "uct:iterations=50", "alphabeta:depth=2", "--games", 6, "--seed", 1, "--json")
    first, second = json.loads(ok(*arguments)), json.loads(ok(*arguments, "--workers", 2))
    assert timeless(first) == timeless(second)
    assert {"game", "options", "seed", "games", "games_per_s", "agents"} <= set(first)
    assert [agent["agent"] for agent in first["agents"]] == ["uct:iterations=50", "alphabeta:depth=2"]
    for agent in first["agents"]:
        assert agent["wins"] + agent["draws"] + agent["losses"] == 6
        assert agent["ci95"][0] <= agent["win_rate"] <= agent["ci95"][1]
        assert [seat["games"] for seat in agent["by_seat"]] == [3, 3]
    assert first["blocks"] == 3
    assert 0 < first["los"] < 1


def test_equal_specs_are_not_merged(ok):
    summary = json.loads(ok("match", "tictactoe", "random", "random", "--games", 4, "--json"))
    assert [agent["agent"] for agent in summary["agents"]] == ["random", "random"]


def test_match_table_and_export(ok, tmp_path):
    shown = ok("match", "tictactoe", "random", "flat-mc:20", "--games", 4, "--export", tmp_path / "games.csv")
    assert "win rate" in shown
    assert "Records: match 1" in shown
    assert re.search(
        r"^random beside flat-mc:20: \S+ Elo, 95 % \S+ \.\. \S+; the better one with .* %$", shown, re.MULTILINE
    )
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 5


FACTUAL = Path(__file__).parents[1] / "arena" / "factual.py"


def test_match_shows_the_facts_of_a_game(ok, tmp_path):
    arguments = ("match", "factual", "random", "random", "--game-file", FACTUAL, "--games", 8)
    report = tmp_path / "report.html"
    shown = ok(*arguments, "--report", report)
    agents = json.loads(ok(*arguments, "--json"))["agents"]
    taken = agents[1]["facts"]["taken"]
    assert re.search(r"agent +seat +games +taken +share", shown)
    for fact in (taken, taken["won"], agents[1]["by_seat"][0]["facts"]["taken"]):
        assert f"{fact['mean']:.2f} ± {fact['sd']:.2f}" in shown
    assert report.read_text().startswith("<!DOCTYPE html>")
    assert "oponente match factual random random --games 8" in report.read_text()


def test_tables_leave_out_columns_without_content():
    assert table([["a", "", "1"], ["b", "", ""]], ["agent", "forfeits", "wins"]).splitlines() == [
        "agent  wins",
        "-----  ----",
        "a         1",
        "b",
    ]
    assert table([], ["agent", "wins"]).splitlines()[0] == "agent  wins"


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "catan", "risk", "vgdl"])
def test_parameters_fit_the_width_of_the_terminal(ok, game):
    options = re.findall(r"(?s)\noption .*?(?:\n\n|$)", ok("games", game))
    parameters = re.findall(r"(?s)\n    parameter .*?(?:\n\n|$)", ok("agents", game))
    assert parameters
    for shown in options + parameters:
        assert [line for line in shown.splitlines() if len(line) > 100] == []


def test_tables_of_the_terminal_fit_its_width(ok):
    shown = ok("match", "catan", *["random"] * 4, "--games", 4, "--option", "points=3", "--option", "trade=false")
    # Where the database is, a user decides.
    lines = [line for line in shown.splitlines() if not line.startswith("Records: ")]
    assert [line for line in lines if len(line) > 100] == []
    facts = [line.split()[3:] for line in lines if re.match(r"agent +seat +games +(points|\w+_\w+|\w+)  ", line)]
    assert [name for names in facts if "wins" not in names for name in names] == list(load_game("catan").facts.FACTS)


def test_the_page_of_a_match_is_small_and_its_figures_are_files(ok, tmp_path):
    report, figures = tmp_path / "report.html", tmp_path / "figures"
    match = ("match", "catan", *["random"] * 4, "--games", 4, "--option", "points=3", "--option", "trade=false")
    ok(*match, "--report", report, "--figures", figures)
    html = report.read_text()
    assert html.count("<svg") == 13
    assert len(html) < 400_000
    assert "base64" not in html.replace("data:application/json;base64", "")
    assert f"--report {report} --figures {figures}" in html
    files = sorted(figures.iterdir())
    assert sorted({file.suffix for file in files}) == [".png", ".svg"]
    assert len(files) == 2 * 13
    assert all(file.stat().st_size < 60_000 for file in files)


def test_match_with_fixed_seats(ok):
    arguments = ("match", "tictactoe", "random", "first", "--agent-file", FACTUAL.with_name("players.py"))
    summary = json.loads(ok(*arguments, "--games", 6, "--fixed-seats", "--json"))
    seats = [[seat["games"] for seat in agent["by_seat"]] for agent in summary["agents"]]
    assert seats == [[6, 0], [0, 6]]
    assert summary["blocks"] == 6


def test_a_wrong_report_shows_before_the_match(run, tmp_path):
    for report, message in ((tmp_path, "is a folder"), (tmp_path / "none" / "x.html", "there is no folder")):
        status, out, err = run("match", "tictactoe", "random", "random", "--report", report)
        assert (status, out) == (2, "")
        assert message in err
        assert len(err.splitlines()) == 1


def test_match_resumes(run, ok, tmp_path):
    database = tmp_path / "games.db"
    arguments = ("match", "tictactoe", "random", "random", "--seed", 3, "--out", database, "--json")
    ok(*arguments, "--games", 4)
    status, _, err = run(*arguments, "--games", 10)
    assert (status, err) == (0, "")
    resumed = json.loads(ok(*arguments, "--games", 20, "--resume"))
    assert resumed["games"] == 20
    again = json.loads(ok(*arguments, "--games", 20, "--resume"))
    assert timeless(again) == timeless(resumed)
    assert again["games_per_s"] is None


def test_an_interrupted_match_is_pointed_out(run, ok, tmp_path):
    arguments = ("match", "tictactoe", "random", "random", "--seed", 3, "--json")
    ok(*arguments, "--games", 4)
    ok(*arguments, "--games", 4)
    from oponente.arena import Store, default_records

    with Store(default_records()) as store, store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE matches SET games = 10")
    status, _, err = run(*arguments, "--games", 10)
    assert status == 0
    assert "keeps 4 games of this match" in err
    assert "--resume" in err


@pytest.mark.parametrize("version", [None, "0.0.1"])
@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("match", "tictactoe", "random", "random", "--games", 6), "match"),
        (("tournament", "tictactoe", "random", "one-step", "flat-mc:2", "--games", 2), "tournament"),
        (("sweep", "tictactoe", "uct:5", "--parameter", "c=1,2,3", "--games", 2), "sweep"),
        (("sprt", "tictactoe", "random", "random", "--games", 6), "test"),
    ],
)
def test_what_was_interrupted_is_pointed_out_by_all_that_play_matches(run, arguments, what, version):
    """With how to go on there: not at all with this version, if another one began it."""
    from oponente.arena import Store, default_records

    run(*arguments)
    assert run(*arguments)[2] == "", "a complete run is none to go on with"
    with Store(default_records()) as store, store._engine.begin() as connection:
        # As if the last run had been killed before its last two games.
        last = connection.exec_driver_sql("SELECT match_id, number FROM games ORDER BY match_id, number").all()[-2:]
        for match, number in last:
            for table in ("seats", "games"):
                connection.exec_driver_sql(f"DELETE FROM {table} WHERE match_id = {match} AND number = {number}")
    assert run(*arguments, "--resume", "--json")[2] == ""
    with Store(default_records()) as store, store._engine.begin() as connection:
        for match, number in last:
            for table in ("seats", "games"):
                connection.exec_driver_sql(f"DELETE FROM {table} WHERE match_id = {match} AND number = {number}")
        if version:
            connection.exec_driver_sql(f"UPDATE matches SET package_version = '{version}'")
    _, _, err = run(*arguments)
    how = f"begun with oponente {version}: that version goes" if version else "played before; --resume goes"
    assert f"keeps 4 games of this {what}, {how} on there" in err


def test_analyse(ok):
    shown = ok("analyse", "connect4", "414243", "--agent", "alphabeta:4")
    assert "alphabeta:depth=4 plays 4" in shown
    analysis = json.loads(ok("analyse", "connect4", "414243", "--agent", "uct:300", "--json"))
    assert analysis["action"] == "4"
    assert sum(move["visits"] for move in analysis["moves"]) == 300
    assert len(analysis["values"]) == 2


@pytest.mark.parametrize("agent", ["alphabeta:6", "flat-mc:50", "rhea:50", "maxn:3", "solver"])
def test_analyse_draws_the_top_of_the_tree(ok, tmp_path, agent):
    picture = tmp_path / "tree.svg"
    arguments = ("analyse", "connect4", "4435", "--agent", agent, "--tree-depth", 2, "--tree-width", 3)
    analysis = json.loads(ok(*arguments, "--tree", picture, "--json"))
    ElementTree.fromstring(picture.read_text())
    tree = analysis["tree"]
    assert len(tree["children"]) == 3
    assert tree["hidden"] == 4
    assert tree["children"][0]["label"] == analysis["action"]
    assert f">{analysis['action']}<" in picture.read_text()


def test_a_tree_that_cannot_be_written_is_told_before_the_search(run, tmp_path):
    status, _, err = run("analyse", "connect4", "", "--agent", "uct:time=1000", "--tree", tmp_path / "no" / "tree.svg")
    assert status == 2
    assert "tree.svg: there is no folder" in err


@pytest.mark.parametrize(
    ("position", "agent"),
    [("4435", "alphabeat:8"), ("44444444", "alphabeta:1"), ("1212121", "alphabeta:1"), ("4435", "random")],
)
def test_what_goes_wrong_leaves_the_picture_of_a_tree_as_it_was(run, tmp_path, position, agent):
    old, new = tmp_path / "old.svg", tmp_path / "new.svg"
    old.write_text("yesterday's")
    for picture in (old, new):
        status, _, _ = run("analyse", "connect4", position, "--agent", agent, "--tree", picture)
        assert status == 2
    assert [file.name for file in tmp_path.iterdir()] == ["old.svg"]
    assert old.read_text() == "yesterday's"


def test_positions_at_which_nobody_moves_are_told_before_any_is_analysed(run, tmp_path, monkeypatch):
    file = tmp_path / "positions.json"
    file.write_text(json.dumps({"positions": [{"moves": "44"}, {"moves": "1212121"}]}))
    monkeypatch.setattr("oponente.cli.analyse._analyse", None)
    status, out, err = run("analyse", "connect4", "--positions", file, "--agent", "random-search:10")
    assert (status, out) == (2, "")
    assert err == f"oponente: {file}: position 2: the game is over"


def test_what_is_thought_of_a_position_does_not_depend_on_those_before(ok, tmp_path):
    """Neither a tree nor a plan is kept from one position of a file to the next, though the game might have gone so."""
    both, alone = tmp_path / "both.json", tmp_path / "alone.json"
    both.write_text(json.dumps({"positions": [{"moves": "4"}, {"moves": "44"}]}))
    alone.write_text(json.dumps({"positions": [{"moves": "44"}]}))
    for agent in ("uct:200,reuse=true", "rhea:30"):
        after, fresh = (
            json.loads(ok("analyse", "connect4", "--positions", file, "--agent", agent, "--json"))["results"][-1]
            for file in (both, alone)
        )
        assert after["moves_analysed"] == fresh["moves_analysed"]


def test_analyse_positions(ok, tmp_path):
    file = tmp_path / "positions.json"
    file.write_text(json.dumps({"positions": [{"moves": "4"}, {"moves": "44", "score": 1}]}))
    report = json.loads(ok("analyse", "connect4", "--positions", file, "--agent", "uct:50", "--json"))
    assert report["positions"] == 2
    assert "score_errors" not in report
    assert [result["moves"] for result in report["results"]] == ["4", "44"]


def test_draw(ok, tmp_path):
    assert ok("draw", "connect4", "44").startswith("<svg")
    assert ok("draw", "connect4", "44", "-o", tmp_path / "board.svg") == ""
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


def test_a_test_shows_no_number_where_there_is_none(run):
    arguments = ("sprt", "tictactoe", "one-step", "random", "--seed", 8, "--games")
    out = run(*arguments, 1)[1]
    assert "no whole block: 2 games make one\n" in out
    assert "Elo, 95 %" not in out
    assert "inf" not in out
    assert "nan" not in out
    assert re.search(r"difference [-+]\d+ Elo, 95 % [-+]\d+ \.\. ([-+]\d+|-)\n", run(*arguments, 40)[1])
    # Who wins all is infinitely better, with no upper bound.
    assert re.search(r"difference - Elo, 95 % [-+]\d+ \.\. -\n", run(*arguments, 2)[1])


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


def test_why_a_game_was_forfeited_commands_no_terminal(run, tmp_path):
    file = tmp_path / "evil.py"
    file.write_text(
        "from oponente import Agent\n\n\nclass Evil(Agent):\n    name = 'evil'\n\n"
        "    def choose(self, view, budget=None):\n        raise ValueError('\\x1b[2Jgone\\n')\n"
    )
    status, out, err = run("match", "tictactoe", "random", "evil", "--games", 1, "--agent-file", file)
    assert status == 0
    assert r"forfeit in game 0: evil raised ValueError: \x1b[2Jgone" in err
    assert "\x1b" not in out + err


def test_forfeits_are_told_of_the_games_that_count(run, tmp_path):
    file = tmp_path / "raises.py"
    file.write_text(
        "from oponente import Agent\n\n\nclass Raises(Agent):\n    name = 'raises'\n\n"
        "    def choose(self, view, budget=None):\n        raise ValueError('why')\n"
    )
    arguments = ("match", "tictactoe", "random", "raises", "--agent-file", file)
    assert run(*arguments, "--games", 3)[2].count("forfeit in game") == 3
    err = run(*arguments, "--games", 1, "--resume")[2]
    assert "forfeit in game 0" in err
    assert err.count("forfeit in game") == 1


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


def test_an_option_with_its_default_is_no_other_match(ok):
    arguments = ("match", "connect4", "random", "random", "--games", 2, "--resume", "--json")
    first = json.loads(ok(*arguments, "--option", "columns=7"))
    assert first["options"] == {}
    again = json.loads(ok(*arguments))
    assert timeless(again) == timeless(first)
    assert again["games_per_s"] is None  # nothing was played again
    assert json.loads(ok(*arguments, "--option", "columns=6"))["options"] == {"columns": "6"}


def test_games_with_options(ok, run):
    assert json.loads(ok("games", "connect4", "--option", "columns=9", "--json"))["changed_options"] == {"columns": "9"}
    assert "columns=9" in ok("games", "connect4", "--option", "columns=9")
    assert run("games", "--option", "columns=9")[0] == 2


def test_without_arguments_the_help_is_shown(run):
    status, out, err = run()
    assert status in (0, 2)
    assert out.startswith("Usage: oponente")
    assert len(out.splitlines()) > 10
    assert err == ""


def test_bench_measures_with_the_options_that_a_game_names(ok, tmp_path):
    file = tmp_path / "nim.py"
    text = NIM.replace(
        "from typing import NamedTuple", "from dataclasses import dataclass\nfrom typing import NamedTuple"
    )
    text += """

from oponente.kernel import option

BENCHMARK = {"heaps": "2"}


@dataclass(frozen=True)
class Options:
    heaps: int = option(1, meaning="heaps")
    loud: bool = option(False, meaning="nothing")
"""
    file.write_text(text)
    arguments = ("bench", "nim", "--game-file", file, "--seconds", 0.01, "--json")
    assert json.loads(ok(*arguments))["options"] == {"heaps": "2"}
    assert json.loads(ok(*arguments, "--option", "loud=true"))["options"] == {"heaps": "2", "loud": "true"}
    assert json.loads(ok(*arguments, "--option", "heaps=1"))["options"] == {}
    assert "nim   heaps=2 loud=true  " in ok(*arguments[:-1], "--option", "loud=true")


def test_catan_is_measured_without_trade_and_without_a_limit_of_turns():
    game = load_game("catan")
    measured = load_game("catan", benchmark_options(game, {"trade": "true"})).options
    assert (measured.trade, measured.turn_limit) == (True, 0)
    measured = load_game("catan", benchmark_options(game, {})).options
    assert (measured.trade, measured.turn_limit) == (False, 0)


def test_bench(ok):
    result = json.loads(ok("bench", "tictactoe", "--seconds", 0.01, "--seed", 7, "--json"))
    keys = {"playouts_per_s", "actions_per_s", "mean_length", "uct_simulations_per_s", "copy_ns", "state_bytes"}
    assert keys | {"game", "options", "players", "clock"} <= set(result)
    assert all(result[key] > 0 for key in keys)


def test_profile(run):
    status, _, err = run("match", "tictactoe", "uct:20", "random", "--games", 2, "--profile")
    assert status == 0
    assert "search.mcts.kernel.simulate" in err
    assert "tottime" in err


def test_profile_of_python_agents_in_one_process(run, files):
    (files / "slow.py").write_text(AGENT.replace("return view", "sum(i for i in range(20_000)); return view"))
    agent = ("--agent-file", files / "slow.py")
    status, _, err = run("match", "tictactoe", "last", "random", *agent, "--games", 4, "--workers", 2, "--profile")
    assert status == 0
    assert "--workers is ignored" in err
    assert "slow.py" in err  # also that it was played here


def test_bench_beside_an_earlier_one(run, tmp_path):
    history = tmp_path / "history.jsonl"
    arguments = ("bench", "tictactoe", "--seconds", 0.01, "--json")
    status, out, _ = run(*arguments, "--history", history)
    assert status == 0
    slower = {**json.loads(out), "playouts_per_s": 1.0}
    faster = {**json.loads(out), "playouts_per_s": 1e12}
    old = tmp_path / "old.json"
    for earlier, expected in ((slower, 0), (faster, 1)):
        old.write_text(json.dumps(earlier))
        status, out, err = run(*arguments, "--compare", old, "--tolerance", 0.9)
        assert status == expected, err
        assert "playouts_per_s" in err
        assert json.loads(out)["game"] == "tictactoe"
    assert len(history.read_text().splitlines()) == 1
    old.write_text("{}")
    status, _, err = run(*arguments, "--compare", old)
    assert status == 2
    assert "oponente bench --json" in err


def test_profile_of_a_bench(run):
    status, _, err = run("bench", "tictactoe", "--seconds", 0.01, "--profile")
    assert status == 0
    assert "search.playout.playouts" in err
    assert "tottime" in err


@pytest.mark.compiled
@pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64"), reason="--flame needs Linux on x86-64"
)
def test_flame_graph_of_a_bench(tmp_path):
    # In a process of its own: samples are taken of kernels that are loaded meanwhile.
    file = tmp_path / "flame.txt"
    command = [sys.executable, "-m", "oponente", "bench", "tictactoe", "--seconds", "0.3", "--flame", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    stacks = {}
    for line in file.read_text().splitlines():
        stack, _, count = line.rpartition(" ")
        stacks[tuple(stack.split(";"))] = int(count)
    assert {stack[:2] for stack in stacks} == {("tictactoe", part) for part in ("playouts", "simulations", "copies")}
    playouts = {stack[2:]: count for stack, count in stacks.items() if stack[1] == "playouts"}
    within = ("search.playout.playouts", "search.playout.play_out")
    assert sum(count for stack, count in playouts.items() if stack[:2] == within) > 0.5 * sum(playouts.values())


def test_flame_graph_that_can_not_be(run):
    status, _, err = run("bench", "tictactoe", "--flame", "flame.pdf")
    assert status == 2
    assert "flame.pdf should end in .svg" in err
    status, _, err = run("bench", "vgdl", "--flame", "flame.pdf")
    assert status == 2
    assert "flame.pdf should end in .svg" in err


def test_profile_measures_this_thread_alone():
    from tqdm import tqdm

    from oponente.cli.profile import profiled

    before, threads = tqdm.monitor_interval, threading.active_count()
    with profiled(True):
        list(tqdm(range(3)))
        assert threading.active_count() == threads
    assert tqdm.monitor_interval == before


def test_compilation_is_announced_in_whole_lines(capsys):
    from oponente.cli.common import announce_compilation, load
    from oponente.kernel import compilation

    load("tictactoe", (), None)
    with announce_compilation():
        compilation._announce_start("oponente.search.mcts.kernel.simulate")
        started = capsys.readouterr().err
        compilation._announce_end("oponente.search.mcts.kernel.simulate")
    assert started == "compiling search.mcts.kernel.simulate for tictactoe (once; kept for the next time) ...\n"
    assert re.fullmatch(r"compiled search\.mcts\.kernel\.simulate in \d\.\d s\n", capsys.readouterr().err)


def test_play(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n6\n"))
    status, out, err = run("play", "tictactoe", "human", "alphabeta:9", "--position", "5142")
    assert status == 0
    assert "is not legal here" in out + err  # wherever the person is asked
    assert "Player 1 (human)" in out


def test_play_until_the_person_leaves(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nquit\n"))
    status, out, _ = run("play", "connect4", "human", "random")
    assert status == 0
    assert "has left" in out


def test_a_match_that_a_person_leaves_at_once_has_no_table(run, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setenv("OPONENTE_RECORDS", str(tmp_path / "records.db"))
    status, out, err = run("match", "tictactoe", "human", "random", "--games", 3)
    assert status == 0
    assert "has left: 0 of 3 games are finished" in err
    assert "win rate" not in out
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 3))
    status, out, err = run("match", "tictactoe", "human", "random", "--games", 30, "--seed", 2)
    assert status == 0
    assert "has left" in err
    assert "win rate" in out


def test_secret_moves_are_shown_to_nobody_at_a_shared_terminal(run, monkeypatch):
    clash = Path(__file__).parents[1] / "toy_games" / "clash.py"
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n2\n" * 40))
    _, out, _ = run("play", "clash", "human", "human", "--game-file", clash)
    assert "Player 1 (human) acts unseen" in out
    assert out.count("Player 1 (human): ") == 1  # the result


# --- a user's own files --------------------------------------------------------------------------------------------


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


def test_a_recording_does_not_run_the_file_that_it_names(run, ok, files):
    export = files / "games.json"
    ok("match", "nim", "random", "random", "--games", 1, "--game-file", files / "nim.py", "--export", export)
    (files / "nim.py").write_text("raise SystemExit('the trap was run')")
    for source in ([], [export]):
        status, out, err = run("replay", *source, "--game", 0)
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert f"{files / 'nim.py'}: give it with --game-file" in err


# --- mistakes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frob"], "there is no command 'frob'; there are games, agents"),
        (["games", "chess"], "there is no game 'chess'; there are tictactoe, connect4"),
        (["match", "connect4", "uct:10"], "connect4 is played by 2 agents"),
        (["match", "connect4", "uct:10", "nope"], "there is no agent 'nope'; there are"),
        (["match", "connect4", "uct:c=x", "random"], "c=x: expected float"),
        (["match", "connect4", "random", "random", "--option", "columns"], "write --option KEY=VALUE"),
        (["match", "connect4", "random", "random", "--option", "columns=99"], "columns=99: expected int 1..10"),
        (["match", "connect4", "random", "random", "--games", "0"], "--games"),
        (["match", "connect4", "random", "random", "--out", "/no/such/folder/x.db"], "there is no folder"),
        (["match", "connect4", "random", "random", "--export", "games.xyz"], ".csv, .parquet, .json"),
        (["match", "connect4", "random", "random", "--agent-file", "/no/such.py"], "/no/such.py can't be read"),
        (["match", "nim", "random", "random", "--game-file", "/no/such.py"], "there is no file /no/such.py"),
        (["analyse", "connect4"], "give a POSITION"),
        (["analyse", "connect4", "48"], "there is no column 8"),
        (["analyse", "connect4", "44", "--agent", "random"], "can't explain itself"),
        (["analyse", "connect4", "1212121"], "the game is over"),
        (["analyse", "connect4", "--positions", "/no/such.json"], "can't be read"),
        (["draw", "connect4", "4x"], "'x' is no column"),
        (["draw", "connect4", "4", "-o", "/no/such/folder/x.svg"], "there is no folder /no/such/folder"),
        (["replay", "such.db"], "there is no file such.db"),
        (["replay", "~nosuchuser/x.db"], "there is no file ~nosuchuser/x.db"),
        (["match", "tictactoe", "random", "random", "--out", "~nosuchuser/x.db"], "there is no folder ~nosuchuser"),
        (["games", "--game-file", "~nosuchuser/x.py"], "there is no file ~nosuchuser/x.py"),
        (["games", "catan", "--option", "board=~nosuchuser/x.json"], "board=~nosuchuser/x.json: expected variable"),
        (["games", "catan", "--option", "turn_limit=x"], "turn_limit=x: expected int 0..1000000000"),
        (
            ["games", "catan", "--option", "board=beginner", "--option", "numbers=spiral"],
            "numbers=spiral has no effect",
        ),
        (["play", "connect4", "human"], "has 2 seats, but 1 agents"),
        (["bench", "chess"], "there is no game 'chess'"),
        (["experiment", "nope"], "nope"),
    ],
)
def test_mistakes_get_one_line(run, arguments, message):
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("oponente: ")
    assert message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1 +", "line 1: SyntaxError"),
        ("import nothing_of_this_name", "line 1: ModuleNotFoundError"),
        ("NAME = 'nim'", "lacks State"),
        (NIM.replace("PLAYERS, ", "").replace(", 2, 3", ", 3"), "lacks PLAYERS"),
        (NIM.replace("def returns", "def payoff"), "lacks returns"),
        (NIM.replace("state.stones -= action", "state.stonez -= action"), "can't be compiled"),
        (NIM.replace("state.stones = 9", "state.stones = 'nine'"), "line 20 can't be compiled: Cannot cast"),
        (NIM.replace("min(3, state", "least(3, state"), "NameError: name 'least' is not defined"),
    ],
)
def test_broken_game_files_get_one_line(run, tmp_path, text, message):
    file = tmp_path / "broken.py"
    file.write_text(text)
    status, _, err = run("match", "nim", "random", "random", "--game-file", file, "--games", 2)
    assert status == 2
    assert len(err.splitlines()) == 1
    assert message in err
    assert "broken.py" in err or "user_broken" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nothing", "is no JSON file"),
        ("{}", 'holds no list "positions"'),
        ('{"positions": [{"move": "4"}]}', 'position 1 has no text "moves"'),
        ('{"positions": [{"moves": "4"}, {"moves": "49"}]}', "position 2: move 2 (9)"),
    ],
)
def test_broken_position_files_get_one_line(run, tmp_path, content, message):
    file = tmp_path / "positions.json"
    file.write_text(content)
    status, _, err = run("analyse", "connect4", "--positions", file, "--agent", "alphabeta:2")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert message in err


BAD_AGENTS = (
    AGENT.replace('"last"', '"lost"').replace("view.legal_actions[-1]", "77")
    + '''

class Fails(Agent):
    """Fails."""

    name = "fails"

    def choose(self, view, budget):
        raise KeyError("nothing")
'''
)
ABSTRACT = AGENT.replace("def choose", "def chose")
THINKER = '''
from oponente import SearchAgent


class Thinker(SearchAgent):
    """Fails to think."""

    name = "thinker"

    def analyse(self, view, budget):
        raise KeyError("nothing")
'''


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (BAD_AGENTS, ["play", "connect4", "lost", "random"], "lost returned 77, which is not legal"),
        (BAD_AGENTS, ["play", "connect4", "fails", "random"], "fails raised KeyError: 'nothing'"),
        (BAD_AGENTS, ["play", "connect4", "lost", "random", "--position", "48"], "there is no column 8"),
        (ABSTRACT, ["play", "connect4", "last", "random"], "Last lacks choose"),
        (ABSTRACT, ["match", "connect4", "last", "random"], "Last lacks choose"),
        (ABSTRACT, ["analyse", "connect4", "", "--agent", "last"], "Last lacks choose"),
        (THINKER, ["analyse", "connect4", "", "--agent", "thinker"], "thinker raised KeyError: 'nothing'"),
    ],
)
def test_bad_agents_get_one_line(run, tmp_path, text, arguments, message):
    (tmp_path / "bad.py").write_text(text)
    status, _, err = run(*arguments, "--agent-file", tmp_path / "bad.py")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert err.startswith("oponente: ")
    assert message in err


def test_an_agent_that_raises_as_it_is_closed_hides_no_mistake(run, tmp_path):
    (tmp_path / "bad.py").write_text(f"{THINKER}\n    def close(self):\n        raise OSError('no longer there')\n")
    status, _, err = run("analyse", "connect4", "", "--agent", "thinker", "--agent-file", tmp_path / "bad.py")
    assert status == 2
    note, mistake = err.splitlines()
    assert note == "note: thinker raised OSError at the end: no longer there"
    assert "thinker raised KeyError: 'nothing'" in mistake


def test_damaged_database_gets_one_line(run, tmp_path):
    file = tmp_path / "damaged.db"
    file.write_bytes(b"this is no database at all, but long enough to be taken for one" * 40)
    for arguments in (["match", "connect4", "random", "random", "--out", file], ["replay", file]):
        status, _, err = run(*arguments)
        assert status == 2
        assert len(err.splitlines()) == 1


def test_module_and_version():
    shown = subprocess.run([sys.executable, "-m", "oponente", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("oponente, version ")


def test_a_closed_pipe_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m oponente agents connect4 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr


BAD_RULES = {
    "a utility that is no number": ("= -1.0, 1.0", "= np.nan, 1.0", "every utility must be a finite number"),
    "too many actions": ('PLAYERS, MAX_ACTIONS = "nim", 2, 3', 'PLAYERS, MAX_ACTIONS = "nim", 2, 1', "MAX_ACTIONS = 1"),
    "no action": ("    return count", "    return 0", "0 actions or outcomes are listed"),
    "no such player": ("return state.mover if", "return state.mover + 7 if", "player returned 7; expected 0 to 1"),
    "players as text": ('"nim", 2, 3', '"nim", "2", 3', "PLAYERS is '2'; expected int"),
}


@pytest.mark.parametrize("name", BAD_RULES)
def test_rules_that_can_not_be_get_one_line(tmp_path, name):
    old, new, message = BAD_RULES[name]
    assert old in NIM
    (tmp_path / "broken.py").write_text("import numpy as np\n" + NIM.replace(old, new))
    match = ("match", "nim", "random", "random", "--games", "2", "--json", "--game-file", tmp_path / "broken.py")
    # In the interpreter, where nothing compiles, but for one of them; without asserts, which guard nothing of a user's.
    compiled = "0" if name == "no action" else "1"
    done = subprocess.run(
        [sys.executable, "-O", "-m", "oponente", *map(str, match)],
        env={**os.environ, "NUMBA_DISABLE_JIT": compiled},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    said = [line for line in done.stderr.splitlines() if not line.startswith("compil")]
    assert len(said) == 1
    assert message in said[0]


MISTAKES = [
    ["experiment", "connect4-report", "--out", "missing/report.html"],
    ["experiment", "catan-pucrs", "--figures", __file__],
    ["match", "tictactoe", "random", "random", "--figures", __file__],
    ["match", "tictactoe", "random"],
    ["conform", "catanatron", "nowhere"],
    ["replay", "--match", "7"],
]


def test_mistakes_get_one_line_also_without_asserts():
    program = """
import json, sys
from oponente.cli.main import main
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as end:
        print(end.code, flush=True)
"""
    command = [sys.executable, "-O", "-c", program, json.dumps(MISTAKES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["2"] * len(MISTAKES)
    lines = done.stderr.splitlines()
    assert len(lines) == len(MISTAKES)
    assert all(line.startswith("oponente: ") for line in lines)


def test_reasons_of_forfeits_and_prints_of_agents_go_to_standard_error(run, tmp_path):
    (tmp_path / "loud.py").write_text(
        BAD_AGENTS.replace('raise KeyError("nothing")', 'print("hello"); raise KeyError("nothing")')
    )
    arguments = ("match", "connect4", "fails", "random", "--games", 2, "--json", "--agent-file", tmp_path / "loud.py")
    for workers in (1, 2):
        status, out, err = run(*arguments, "--workers", workers)
        assert status == 0
        assert json.loads(out)["agents"][0]["forfeits"] == 2
        assert "forfeit in game 0: " in err
        assert "KeyError: 'nothing'" in err


def test_numbers_too_large_get_one_line(run):
    status, _, err = run("replay", "--match", 1, "--game", 10**20)
    assert status == 2
    assert len(err.splitlines()) == 1
