"""The command `oponente match`: what it prints, writes, goes on with, and tells of agents that fail."""

import io
import json
import re
from pathlib import Path

import pytest

from cli.users_files import BAD_AGENTS
from oponente.games.catalogue import load_game


def timeless(summary):
    """Return a summary without times."""
    if isinstance(summary, dict):
        return {k: timeless(v) for k, v in summary.items() if not k.endswith(("_ms", "_per_s"))}
    return [timeless(part) for part in summary] if isinstance(summary, list) else summary


FACTUAL = Path(__file__).parents[1] / "arena" / "factual.py"


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


def test_an_option_with_its_default_is_no_other_match(ok):
    arguments = ("match", "connect4", "random", "random", "--games", 2, "--resume", "--json")
    first = json.loads(ok(*arguments, "--option", "columns=7"))
    assert first["options"] == {}
    again = json.loads(ok(*arguments))
    assert timeless(again) == timeless(first)
    assert again["games_per_s"] is None  # nothing was played again
    assert json.loads(ok(*arguments, "--option", "columns=6"))["options"] == {"columns": "6"}


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


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("tournament", "tictactoe", "human", "random", "one-step"), 130, "has left: 0 of "),
        (("sweep", "tictactoe", "uct:5", "--parameter", "c=1,2", "--against", "human"), 130, "has left: 0 of "),
        (("sprt", "tictactoe", "human", "random"), 3, "has left: 0 of "),
    ],
)
def test_a_person_who_leaves_ends_all_that_was_to_be_played(run, monkeypatch, tmp_path, arguments, status, told):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    monkeypatch.setenv("OPONENTE_RECORDS", str(tmp_path / "records.db"))
    found, out, err = run(*arguments)
    assert found == status
    assert told in err
    assert "give --resume to go on" in err
    assert "all games are played" not in out


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
