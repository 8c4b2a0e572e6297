"""The command `oponente analyse`: one position, many of a file, and the picture of a tree."""

import json
from xml.etree import ElementTree

import pytest


def test_analyse(ok):
    shown = ok("analyse", "connect4", "414243", "--agent", "alphabeta:4")
    assert "alphabeta:depth=4 plays 4" in shown
    analysis = json.loads(ok("analyse", "connect4", "414243", "--agent", "uct:300", "--json"))
    assert analysis["action"] == "4"
    assert sum(move["visits"] for move in analysis["moves"]) == 300
    assert len(analysis["values"]) == 2


@pytest.mark.parametrize("agent", ["alphabeta:6", "flat-mc:50", "rhea:50", "maxn:3", "solver", "uct:50"])
def test_analyse_draws_the_top_of_the_tree(ok, tmp_path, agent):
    picture = tmp_path / "tree.svg"
    arguments = ("analyse", "connect4", "4435", "--agent", agent, "--tree-depth", 2, "--tree-width", 3)
    analysis = json.loads(ok(*arguments, "--tree", picture, "--json"))
    ElementTree.fromstring(picture.read_text())
    tree = analysis["tree"]
    assert len(tree["children"]) == 3
    assert tree["hidden"] == 4
    assert tree["children"][0]["label"] == analysis["action"]
    assert None not in [tree["value"], tree["children"][0]["value"]]
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
