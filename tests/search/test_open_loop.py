"""Open-loop UCT: judges of finished games, and estimates of what was not tried."""

import numpy as np
import pytest

from oponente.kernel import Game, stream
from oponente.search.mcts import MCTS
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import EVALUATORS, TOKENS, reference_maxn

PAYOFF = EVALUATORS["payoff"]


def search(game, iterations, seed=0, exploration=1.0, estimator=None, **settings):
    estimate = "none" if estimator is None else "payoff"
    found = MCTS(c=exploration, loop="open", estimate=estimate, **TOKENS, **{"reward": "utility", **settings})
    return found.search(game.start(), stream(seed, "search"), iterations)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(6))
def test_a_judge_that_gives_the_utility_changes_nothing(seed):
    game = Game(random_chance_tree, {"seed": str(seed), "depth": "5", "players": "3"})
    by_rules, by_judge = search(game, 400), search(game, 400, reward="value")
    assert (by_rules.action, by_rules.values, by_rules.moves) == (by_judge.action, by_judge.values, by_judge.moves)
    closed = [
        MCTS(reward=reward, **TOKENS).search(game.start(), stream(1, "closed"), 400) for reward in ("utility", "value")
    ]
    assert (closed[0].values, closed[0].moves) == (closed[1].values, closed[1].moves)


@pytest.mark.parametrize("seed", range(12))
def test_what_looks_best_is_tried_first(seed):
    game = Game(random_tree, {"seed": str(seed), "depth": "3"})
    first, count = int(game.tables.first[0]), int(game.tables.count[0])
    looks = game.tables.payoff[0, first : first + count, game.start().player]
    for tried in range(1, count + 1):
        analysis = search(game, tried, reward="value", estimator=PAYOFF)
        seen = [looks[move.action] for move in analysis.moves if move.visits]
        assert sorted(seen, reverse=True) == sorted(looks, reverse=True)[:tried]


def greedy_visits(worth, root, iterations):
    """Return how often the greedy tree policy tries actions of each fixed worth, all estimated by what they add."""
    visits, total = [0] * len(worth), 0.0
    for done in range(iterations):
        mean = total / done if done else 0.0
        bounds = [value if tries else mean + value - root for value, tries in zip(worth, visits, strict=True)]
        best = int(np.argmax(bounds))
        visits[best] += 1
        total += worth[best]
    return by_worth(worth, visits)


def by_worth(worth, visits):
    """Return the visits of all actions of each worth: which of equal ones is tried is left open."""
    return {value: sum(n for w, n in zip(worth, visits, strict=True) if w == value) for value in worth}


@pytest.mark.parametrize("seed", range(8))
def test_without_exploration_only_an_estimate_above_the_means_is_tried(seed):
    game = Game(random_tree, {"seed": str(seed), "depth": "1"})
    me = game.start().player
    # At depth 1 the value of an action is what the evaluator says after it.
    root, worth = game.tables.payoff[0, 0, me], game.tables.payoff[0, 1:, me]
    for iterations in (1, 2, 3, 50):
        analysis = search(game, iterations, reward="value", estimator=PAYOFF, exploration=0.0)
        assert by_worth(worth, [move.visits for move in analysis.moves]) == greedy_visits(worth, root, iterations)


@pytest.mark.compiled
def test_estimates_do_not_change_what_is_found_in_the_end():
    for seed in range(5):
        game = Game(random_chance_tree, {"seed": str(seed), "depth": "3", "players": "2"})
        value = reference_maxn(game, 0)
        root = game.start()
        first = int(game.tables.first[0])
        worth = [reference_maxn(game, first + action)[root.player] for action in root.legal_actions]
        gap = sorted(worth)[-1] - sorted(worth)[-2] if len(worth) > 1 else 1.0
        analysis = search(game, 20_000, reward="value", estimator=PAYOFF, exploration=20.0)
        if gap > 1.0:
            assert analysis.action == int(np.argmax(worth))
            assert analysis.values[root.player] == pytest.approx(value[root.player], abs=1.0)
