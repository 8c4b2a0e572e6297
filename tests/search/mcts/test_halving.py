"""Sequential halving with few simulations: what the game lists first is tried no more often than the rest."""

from collections import Counter

import pytest

from oponente import load_game
from oponente.kernel import stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.halving import most_arms, rounds

SEARCHES = 40


@pytest.mark.parametrize(("root", "simulations", "tried"), [("halving", 16, 5), ("gumbel", 10, 4), ("halving", 2, 2)])
def test_every_action_may_be_tried(root, simulations, tried):
    game, found = load_game("tictactoe"), Counter()
    for seed in range(SEARCHES):
        analysis = MCTS(root=root).search(game.start(), stream(seed), simulations)
        visited = [move.action for move in analysis.moves if move.visits]
        assert len(visited) == tried == most_arms(9, simulations)
        found.update(visited)
    assert set(found) == set(range(9))
    assert max(found.values()) < 4 * min(found.values())


@pytest.mark.parametrize("count", [2, 3, 9, 54, 200])
def test_each_of_the_arms_has_its_turn_in_every_round(count):
    for budget in (1, 2, 5, 16, 100, 1000):
        arms = most_arms(count, budget)
        assert 1 <= arms <= count
        assert arms == 1 or min(rounds(arms, budget)) >= arms
        assert arms == count or min(rounds(arms + 1, budget)) <= arms


def test_those_left_get_as_many_in_a_round():
    analysis = MCTS(root="halving").search(load_game("tictactoe").start(), stream(1), 90)
    # Four rounds of 22 or 23 simulations for 9, 5, 3 and 2 actions.
    visits = sorted(move.visits for move in analysis.moves)
    assert set(visits[:4]) <= {2, 3}
    assert set(visits[4:6]) <= {6, 7, 8}
    assert set(visits[6:7]) <= {13, 14, 15, 16}
