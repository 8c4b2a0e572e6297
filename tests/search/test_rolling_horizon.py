"""Rolling horizon evolution: budgets, convergence to the best plan, the shift buffer, variants."""

from __future__ import annotations

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import CHANCE, TERMINAL, Control, Game, stream
from oponente.search import rolling_horizon
from oponente.search.analysis import TreeShape
from oponente.search.rolling_horizon import RollingHorizon
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import children_of, payoff_of
from toy_games import toy

PAYOFF = random_tree.EVALUATORS["payoff"]


def best_leaf(game, node):
    """Return the greatest payoff that a single player can reach."""
    if game.tables.mover[node] == TERMINAL:
        return float(payoff_of(game, node)[0])
    return max(best_leaf(game, child) for child in children_of(game, node))


@pytest.mark.compiled
@pytest.mark.parametrize("variant", ["evolution", "1+1", "flat"])
def test_a_single_player_finds_the_best_leaf(variant):
    found = 0
    for seed in range(12):
        game = Game(random_tree, {"seed": str(seed), "depth": "4", "players": "1"})
        search = RollingHorizon(game, PAYOFF, length=4, variant=variant, mutation=0.3)
        analysis = search.search(game.start(), stream(seed), 3000)
        assert analysis.nodes == 3000
        assert sum(move.visits for move in analysis.moves) == 3000
        found += analysis.values[0] == best_leaf(game, 0)
        root = game.start()
        for action in analysis.principal_variation:
            root.apply(action)
        assert root.is_terminal
        assert analysis.values[0] == payoff_of(game, int(root.record.node))[0], "nothing is left to chance here"
    assert found >= 11


@pytest.mark.compiled
def test_chance_counts_with_its_mean():
    """What comes of an action is chance's business: with a rollout to the end the worth of a plan is its mean."""
    compared = 0
    for seed in range(20):
        game = Game(random_chance_tree, {"seed": str(seed), "depth": "2", "players": "1"})
        tables = game.tables
        search = RollingHorizon(game, PAYOFF, length=1, rollout=1, variant="flat")
        analysis = search.search(game.start(), stream(seed), 20_000)
        for move in analysis.moves:
            child = children_of(game, 0)[move.action]
            if tables.mover[child] != CHANCE:
                continue
            compared += 1
            exact = sum(tables.weight[leaf] * payoff_of(game, leaf)[0] for leaf in children_of(game, child))
            assert move.value == pytest.approx(exact, abs=0.6)
    assert compared >= 5


def test_the_plan_of_the_last_decision_goes_on():
    game = toy("heap")
    search = RollingHorizon(game, game.evaluators["outcome"], length=6)
    root = game.start()
    search.search(root, stream(1), 200)
    kept = search._kept.copy()
    search.search(root, stream(2), 1)
    assert search._plans[0].tolist() == np.roll(kept, -1).tolist()
    search.forget()
    assert search._kept is None
    other = RollingHorizon(game, game.evaluators["outcome"], length=6, shift=False)
    other.search(root, stream(1), 200)
    first = other._kept.copy()
    other.search(root, stream(2), 1)
    assert other._plans[0].tolist() != np.roll(first, -1).tolist()


@pytest.fixture
def evolved(monkeypatch):
    """Return a function that searches and returns the plans and how often each was played."""
    evolve, found = rolling_horizon.evolve, []

    def noting(*arguments):
        found[:] = arguments[5], arguments[8]
        return evolve(*arguments)

    def search(iterations, **settings):
        game = Game(random_tree, {"seed": "1", "depth": "6", "players": "1"})
        RollingHorizon(game, PAYOFF, length=6, **settings).search(game.start(), stream(1), iterations)
        return found

    monkeypatch.setattr(rolling_horizon, "evolve", noting)
    return search


def test_plans_that_survive_are_played_again_unless_that_is_not_wanted(evolved):
    _, played = evolved(4 + 10 * 4, population=4, elites=2)
    assert played.max() > 1
    for variant in ("evolution", "flat", "1+1"):
        _, played = evolved(44, population=4, elites=2, variant=variant, replay=False)
        assert played.tolist() == len(played) * [1]


def test_a_tournament_of_all_plans_is_won_by_the_best_if_they_are_distinct(evolved):
    alike = []
    for distinct in (True, False):
        settings = {"population": 6, "tournament": 6, "mutation": 0.0, "replay": False, "distinct": distinct}
        plans, _ = evolved(6 + 5, **settings)
        alike.append(sum(int((plan != plans[0]).sum()) == 1 for plan in plans[1:]))
    assert alike[0] == 5, "all children have both parents of the best, and one gene drawn anew"
    assert alike[1] < 5


def test_one_seed_gives_one_search():
    game = load_game("connect4")
    root = game.position("44")
    one, other = (RollingHorizon(game, game.evaluators["report"]).search(root, stream(5), 500) for _ in range(2))
    assert (one.moves, one.values, one.principal_variation) == (other.moves, other.values, other.principal_variation)
    assert RollingHorizon(game, game.evaluators["report"]).search(root, stream(6), 500).moves != one.moves


def test_stopped_before_it_begins():
    game = load_game("connect4")
    control = Control()
    control.stop()
    analysis = RollingHorizon(game, game.evaluators["report"]).search(game.start(), stream(1), 500, control)
    assert analysis.nodes == 0
    assert analysis.values == ()
    assert all(move.value is None for move in analysis.moves)
    assert analysis.action in game.start().legal_actions


def test_the_tree_shows_the_actions():
    game = load_game("connect4")
    search = RollingHorizon(game, game.evaluators["report"])
    analysis = search.search(game.start(), stream(1), 300, shape=TreeShape(3, 4))
    assert len(analysis.tree.children) == 4
    assert analysis.tree.hidden == 3
    assert analysis.tree.children[0].label == str(analysis.action + 1)
    assert analysis.tree.visits == 300


def test_finished_games_are_refused():
    game = load_game("connect4")
    with pytest.raises(ValueError, match="no player"):
        RollingHorizon(game, game.evaluators["report"]).search(game.position("1212121"), stream(1), 10)
