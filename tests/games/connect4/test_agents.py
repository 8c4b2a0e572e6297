"""Agents of Connect Four: perfect play."""

import json
from pathlib import Path

import pytest

from oponente import Budget, SearchAgent, View, load_game, make_agent

POSITIONS = json.loads((Path(__file__).parents[2] / "data" / "connect4-positions.json").read_text())["positions"]


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


@pytest.fixture(scope="module")
def solver(game):
    agent = make_agent("solver", game)
    agent.prepare(game)
    assert isinstance(agent, SearchAgent)
    return agent


def test_findings_are_those_of_solved_positions(game, solver):
    for entry in [entry for entry in POSITIONS if entry["ply"] >= 20][::3]:
        state = game.position(entry["moves"])
        view = View(state, state.player)
        analysis = solver.analyse(view, Budget())
        assert solver.findings(view, analysis) == {"score": entry["score"], "move_scores": entry["move_scores"]}
        assert analysis.action + 1 in entry["best_columns"]
        assert analysis.values[state.player] == entry["score"]
        assert solver.choose(view, Budget()) == analysis.action


def test_other_boards_are_refused():
    with pytest.raises(ValueError, match="standard board only"):
        make_agent("solver", load_game("connect4", {"columns": "6"}))
    with pytest.raises(ValueError, match="no agent 'solver'"):
        make_agent("solver", load_game("tictactoe"))


def test_out_of_time_it_plays_as_alphabeta(game, solver):
    state = game.position("7")
    hurried = make_agent("solver:book=false", game)
    view = View(state, state.player)
    analysis = hurried.analyse(view, Budget(seconds=0.02))
    expected = make_agent("alphabeta:depth=8", game).analyse(view, Budget())
    assert (analysis.action, analysis.depth) == (expected.action, 8)
