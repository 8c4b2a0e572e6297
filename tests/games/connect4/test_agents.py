"""Agents of Connect Four: perfect play."""

import json
from pathlib import Path

import pytest

from oponente import Budget, SearchAgent, View, load_game, make_agent
from oponente.kernel import Control

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


def test_out_of_time_alphabeta_steps_in(game, solver):
    state = game.position("7")
    hurried = make_agent("solver:book=false", game)
    hurried.prepare(game)
    view = View(state, state.player)
    analysis = hurried.analyse(view, Budget(seconds=0.3))
    assert 1 <= analysis.depth <= 8
    expected = make_agent(f"alphabeta:depth={analysis.depth}", game).analyse(view, Budget())
    assert (analysis.action, analysis.values) == (expected.action, expected.values)
    found = hurried.findings(view, analysis)
    assert not {"score", "move_scores"} & found.keys()
    assert found["values"] == list(analysis.values)


def test_stopped_before_anything_is_known(game):
    hurried, state = make_agent("solver:book=false", game), game.position("7")
    view, budget = View(state, state.player), Budget(control=Control())
    budget.control.stop()
    assert "score" not in hurried.findings(view, hurried.analyse(view, budget))


def test_it_does_not_matter_what_was_solved_before(game):
    fresh, used = make_agent("solver:book=false", game), make_agent("solver:book=false", game)
    views = [View(game.position(entry["moves"]), entry["ply"] % 2) for entry in POSITIONS if entry["ply"] >= 24][:6]
    for view in views[:5]:
        used.analyse(view, Budget())
    assert used.analyse(views[5], Budget()).nodes == fresh.analyse(views[5], Budget()).nodes
