import json
from html import unescape
from pathlib import Path

import pytest

PLAYERS = str(Path(__file__).parents[1] / "learn" / "players.py")


def test_tournament(run, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("tournament", "tictactoe", "random", "one-step", "--games", 7, "--report", page)
    arguments += ("--out", tmp_path / "secret.db")
    status, out, _ = run(*arguments)
    assert status == 0
    assert "1 matches, 8 games" in out
    assert "one-step" in out.split("random")[0]
    html = unescape(page.read_text(encoding="utf-8"))
    assert "<svg" in html
    line = f"oponente tournament tictactoe random one-step --games 7 --report {page} --seed 1"
    assert line in html, "whoever called it"
    assert "secret.db" not in html, "the database may be a URL with a password"
    status, out, _ = run(*arguments, "--resume", "--json")
    result = json.loads(out)
    assert status == 0
    assert [entrant["agent"] for entrant in result["entrants"]] == ["one-step", "random"]
    assert result["cross"][0][1] + result["cross"][1][0] == pytest.approx(1)
    assert "glicko-2" not in result["entrants"][0]
    assert "ladders" not in result


def test_online_ratings(run, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("tournament", "tictactoe", "random", "one-step", "--games", 10, "--online", "openskill")
    arguments += ("--online", "glicko-2", "--online", "openskill")
    arguments += ("--online", "formula-1")
    status, out, _ = run(*arguments, "--report", page)
    assert status == 0
    assert out.count("openskill") == 1  # a column
    assert out.count("formula-1") == 1
    assert "Online ratings" in page.read_text(encoding="utf-8")
    best, other = json.loads(run(*arguments, "--resume", "--json")[1])["entrants"]
    assert best["agent"] == "one-step"
    assert best["glicko-2"]["rating"] > 1500 > other["glicko-2"]["rating"]
    assert best["openskill"]["rating"] > 25 > other["openskill"]["rating"]
    assert best["formula-1"]["rating"] + other["formula-1"]["rating"] == 5 * (25 + 18)
    assert best["formula-1"]["rating"] > other["formula-1"]["rating"]
    assert best["formula-1"]["ci95"] is None
    low, high = best["openskill"]["ci95"]
    assert low < best["openskill"]["rating"] < high
    status, _, error = run(*arguments, "--online", "elo")
    assert status == 2
    assert "glicko-2" in error


def test_a_ladder_is_played_and_drawn(run, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("tournament", "tictactoe", "random", "uct:iterations={}", "--ladder", "20,5,10", "--games", 4)
    status, out, _ = run(*arguments, "--report", page)
    assert status == 0
    assert "6 matches, 24 games" in out
    html = page.read_text(encoding="utf-8")
    assert "Strength by budget" in html
    result = json.loads(run(*arguments, "--resume", "--json")[1])
    ratings = {one["agent"]: (one["rating"], one["ci95"]) for one in result["entrants"]}
    (curve,) = result["ladders"]
    assert curve["agent"] == "uct:iterations={}"
    assert [(step["budget"], step["agent"]) for step in curve["steps"]] == [
        (budget, f"uct:iterations={budget}") for budget in (5, 10, 20)
    ]
    assert [(step["rating"], step["ci95"]) for step in curve["steps"]] == [
        ratings[step["agent"]] for step in curve["steps"]
    ]
    # From 5 to 20 is two doublings.
    assert curve["gain"] == pytest.approx((curve["steps"][2]["rating"] - curve["steps"][0]["rating"]) / 2)
    assert f"{curve['gain']:+.0f} points a doubling" in html


def test_a_ladder_of_one_rung_has_no_slope(run, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("tournament", "tictactoe", "random", "uct:iterations={}", "--ladder", "5", "--games", 2)
    status, out, _ = run(*arguments, "--report", page, "--json")
    assert status == 0
    assert json.loads(out)["ladders"][0]["gain"] is None
    assert "of one budget" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("random",), "two entrants"),
        (("random", "random"), "twice"),
        (("random", "uct:{}"), "--ladder"),
        (("random", "one-step", "--ladder", "1,2"), "{}"),
        (("random", "uct:{}", "--ladder", "1,x"), "numbers"),
        (("random", "uct:{}", "--ladder", "1,1"), "different"),
        (("random", "nobody"), "nobody"),
        (("random", "one-step", "--rounds", "2"), "swiss"),
    ],
)
def test_mistakes(run, arguments, says):
    status, _, error = run("tournament", "tictactoe", *arguments)
    assert status == 2
    assert says in error
    assert error.count("\n") == 0


def test_sprt(run):
    status, out, _ = run("sprt", "tictactoe", "one-step", "random", "--elo1", 60, "--json")
    result = json.loads(out)
    assert status == 0
    assert result["decision"] == "H1"
    assert result["agents"] == ["one-step", "random"]
    status, out, _ = run("sprt", "tictactoe", "one-step", "random", "--games", 4)
    assert status == 3
    assert out.startswith("open")
    status, _, error = run("sprt", "tictactoe", "one-step", "random", "--elo0", 5, "--elo1", 5)
    assert status == 2
    assert "less than" in error


@pytest.mark.parametrize(
    ("command", "more", "where", "expected"),
    [
        ("match", (), "", 0),
        ("tournament", (), "in 1 of 1 matches ", 0),
        ("sprt", (), "", 3),
        ("sweep", ("--parameter", "taste=0.2,0.8", "--against", "fixed:plan=level"), "with 2 of 2 combinations ", 0),
    ],
)
def test_games_that_are_played_again_and_again_are_pointed_out(run, command, more, where, expected):
    agents = ("fixed",) if more else ("fixed", "fixed:plan=losing")
    arguments = (command, "tictactoe", *agents, "--agent-file", PLAYERS, "--games", 24, *more)
    status, out, error = run(*arguments)
    assert status == expected
    assert f"note: {where}all blocks are the same games" in error
    assert "--opening-plies 4" in error
    assert ("open: all blocks are the same games" in out) == (command == "sprt")
    _, _, error = run(*arguments, "--opening-plies", 2)
    assert "same games" not in error


@pytest.mark.parametrize(
    ("command", "more", "where", "found"),
    [
        ("match", (), "", lambda result: result["copies"] is True),
        ("tournament", (), "in 1 of 1 matches ", lambda result: result["copies"] == 1),
        (
            "sweep",
            ("--parameter", "taste=0.2,0.8", "--against", "fixed:plan=level"),
            "with 2 of 2 combinations ",
            lambda result: [point["copies"] for point in result["points"]] == [True, True],
        ),
    ],
)
def test_pages_and_data_say_that_games_are_played_again_and_again(run, tmp_path, command, more, where, found):
    page = tmp_path / "page.html"
    agents = ("fixed",) if more else ("fixed", "fixed:plan=losing")
    arguments = (command, "tictactoe", *agents, "--agent-file", PLAYERS, "--games", 24, *more)
    arguments += ("--json", "--report", page)
    status, out, _ = run(*arguments)
    assert status == 0
    assert found(json.loads(out))
    assert f"Note: {where}all blocks are the same games" in unescape(page.read_text(encoding="utf-8"))
    _, out, _ = run(*arguments, "--opening-plies", 2)
    assert not found(json.loads(out))
    assert "same games" not in page.read_text(encoding="utf-8")
