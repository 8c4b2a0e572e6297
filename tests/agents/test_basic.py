"""The random agent and the person at the terminal."""

import io

import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.agents.basic import Resigned


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def test_random_is_uniform_and_seeded(game):
    agent = make_agent("random", game)
    state = game.position("444444")
    choices = [agent.choose(View(state, 0, seed=seed), Budget()) for seed in range(1200)]
    assert choices == [agent.choose(View(state, 0, seed=seed), Budget()) for seed in range(1200)]
    counts = {action: choices.count(action) for action in set(choices)}
    assert sorted(counts) == [0, 1, 2, 4, 5, 6]
    assert all(150 < count < 250 for count in counts.values())


def test_human_reads_until_a_move_is_legal(game, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("9\n\n?\n4\n2\n"))
    agent = make_agent("human", game)
    assert agent.choose(View(game.position("444444"), 0), Budget()) == 1
    shown = capsys.readouterr().err
    assert "there is no column 9" in shown
    assert "1 2 3 5 6 7" in shown
    assert "column 4 is full" in shown
    assert not agent.reproducible


@pytest.mark.parametrize("line", ["quit\n", "EXIT\n", ""])
def test_human_leaves(game, monkeypatch, line):
    monkeypatch.setattr("sys.stdin", io.StringIO(line))
    with pytest.raises(Resigned):
        make_agent("human", game).choose(View(game.start(), 0), Budget())
