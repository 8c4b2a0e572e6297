"""Greedy one-step search, and single moves of a policy."""

from collections import Counter

import pytest

from oponente import load_game
from oponente.kernel import UNIFORM, Game, stream
from oponente.search.greedy import play_policy, search_greedy
from tests.search import random_tree

PAYOFF = random_tree.EVALUATORS["payoff"]


def test_greedy_takes_the_best_child_and_draws_among_equals():
    for seed in range(30):
        game = Game(random_tree, {"seed": str(seed), "depth": "3"})
        root = game.start()
        tables, me = game.tables, root.player
        first, count = int(tables.first[0]), int(tables.count[0])
        values = [float(tables.payoff[0, first + i, me]) for i in range(count)]
        best = {i for i, value in enumerate(values) if value == max(values)}
        assert {search_greedy(root, PAYOFF, stream(seed, i)) for i in range(60)} == best


@pytest.mark.compiled
def test_equals_are_equally_likely():
    game = load_game("tictactoe")
    root = game.start()
    counts = Counter(search_greedy(root, game.evaluators["outcome"], stream(7, i)) for i in range(9000))
    assert set(counts) == set(range(9))
    assert all(850 < count < 1150 for count in counts.values())


def test_a_policy_plays_one_of_its_moves_and_leaves_the_position_alone():
    root = load_game("connect4").position("44")
    before = root.to_bytes()
    assert {play_policy(root, UNIFORM, stream(3, i)) for i in range(200)} == set(range(7))
    assert root.to_bytes() == before
