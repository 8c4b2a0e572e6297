"""UCT: counts, convergence to known values, formulas, limits."""

import math

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import Control, Game, stream
from oponente.search.mcts import FORMULAS, MCTS, MCTSParameters, to_rewards
from oponente.search.mcts.parameters import Evaluations, new_config
from oponente.search.mcts.selection import select
from oponente.search.mcts.store import new_tree
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import reference_maxn

SCALE = 20.0  # payoffs lie in -10 .. 10, rewards in 0 .. 1


@pytest.fixture(scope="module")
def connect4():
    return load_game("connect4")


def gap(game, node):
    """Return the best action at a node by max^n, and by how much it beats the second for the player to move."""
    tables = game.tables
    children = range(tables.first[node], tables.first[node] + tables.count[node])
    values = [reference_maxn(game, child)[tables.mover[node]] for child in children]
    order = np.argsort(values)
    return int(order[-1]), float(values[order[-1]] - values[order[-2]]) if len(values) > 1 else np.inf


def clear_trees(module, players, count):
    """Yield trees in which the best action is clearly best: at the root, and with three or more players everywhere,
    since there a player who hardly cares decides about the others.
    """
    for seed in range(2000):
        game = Game(module, {"seed": str(seed), "depth": "3", "players": str(players)})
        nodes = np.flatnonzero(game.tables.mover >= 0) if players > 2 else [0]
        if min(gap(game, node)[1] for node in nodes) >= 3.0:
            yield seed, game
            count -= 1
            if count == 0:
                return
    raise AssertionError("too few clear trees")


@pytest.mark.parametrize("module", [random_tree, random_chance_tree])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_converges_to_the_best_action(module, players):
    for seed, game in clear_trees(module, players, 8):
        analysis = MCTS(c=0.7).search(game.start(), stream(seed), 20_000)
        assert analysis.action == gap(game, 0)[0], f"seed {seed}"


def test_values_approach_the_exact_ones():
    for seed, game in clear_trees(random_chance_tree, 3, 5):
        exact = reference_maxn(game, 0)
        analysis = MCTS(c=10.0, reward="utility").search(game.start(), stream(seed), 50_000)
        assert analysis.values == pytest.approx(exact, abs=0.05 * SCALE)


def test_every_simulation_is_counted(connect4):
    analysis = MCTS().search(connect4.position("4435"), stream(1), 5000)
    assert analysis.nodes == 5000
    assert sum(move.visits for move in analysis.moves) == 5000
    assert [move.action for move in analysis.moves] == list(range(7))
    assert analysis.action == max(analysis.moves, key=lambda move: move.visits).action
    assert sum(analysis.values) == pytest.approx(1.0)


def test_one_seed_gives_one_search(connect4):
    root = connect4.position("44")
    search = MCTS()
    first = search.search(root, stream(5), 3000)
    search.search(connect4.position("1"), stream(6), 500)
    again = search.search(root, stream(5), 3000)
    other = MCTS().search(root, stream(7), 3000)
    assert first.moves == again.moves
    assert first.moves != other.moves


def test_finds_a_win_and_a_forced_block(connect4):
    assert MCTS().search(connect4.position("414243"), stream(1), 2000).action == 3
    assert MCTS().search(connect4.position("41424"), stream(1), 2000).action == 3


def test_a_full_tree_still_counts_all_simulations(connect4):
    search = MCTS(capacity=50)
    analysis = search.search(connect4.start(), stream(1), 2000)
    assert analysis.nodes == 2000
    assert search.used <= 50


def test_a_tree_too_small_for_the_root_still_plays(connect4):
    analysis = MCTS(capacity=3).search(connect4.start(), stream(1), 50)
    assert analysis.action in connect4.start().legal_actions


def test_formulas():
    """The bounds that `select` compares are those of the sources, with their constants."""
    config = new_config(
        MCTSParameters(), load_game("connect4"), is_open=False, honest=False, seat=0, evaluations=Evaluations()
    )
    tree = new_tree(8, config)
    visits = np.array([0, 3, 5, 12], np.int32)
    means = np.array([0.0, 0.30, 0.55, 0.61])
    tree.stats["visits"][0], tree.stats["first"][0] = 20, 3
    for child in (1, 2, 3):
        tree.stats["visits"][child] = visits[child]
        tree.stats["average"][child], tree.stats["spread"][child] = means[child], 1 / math.sqrt(visits[child])
        tree.stats["sibling"][child] = child - 1
    sources = {
        "plain": lambda n, mean, c: mean + c * math.sqrt(math.log(20) / n),
        "root2": lambda n, mean, c: mean + c * math.sqrt(2 * math.log(20) / n),
        "uct": lambda n, mean, c: mean + 2 * c * math.sqrt(2 * math.log(20) / n),
    }
    assert set(sources) == set(FORMULAS) - {"tuned", "puct", "greedy"}
    chosen = set()
    for name, bound in sources.items():
        for c in (0.0, 0.05, 0.1, 0.3, 1.0, 5.0):
            expected = max((1, 2, 3), key=lambda child: bound(visits[child], means[child], c))
            assert select(tree, 0, FORMULAS[name] * c) == expected
            chosen.add(expected)
    assert chosen == {1, 2, 3}


@pytest.mark.parametrize(
    ("reward", "utilities", "expected"),
    [
        (0, [1.0, -1.0], [1.0, 0.0]),
        (0, [0.0, 0.0], [0.5, 0.5]),
        (1, [0.3, -0.7], [0.3, -0.7]),
        (2, [1.0, -1.0], [1.0, 0.0]),
        (2, [0.0, 0.0], [0.0, 0.0]),
        (2, [3.0, 7.0, 2.0], [0.0, 1.0, 0.0]),
    ],
)
def test_rewards(reward, utilities, expected):
    values = np.array(utilities)
    to_rewards(values, reward, -1.0, 1.0)
    assert values.tolist() == expected


def test_stopped_before_it_begins(connect4):
    control = Control()
    control.stop()
    analysis = MCTS().search(connect4.start(), stream(1), 1000, control)
    assert analysis.nodes == 0
    assert analysis.action in connect4.start().legal_actions
    assert all(move.value is None and move.visits == 0 for move in analysis.moves)


def test_finished_games_are_refused(connect4):
    with pytest.raises(ValueError, match="no player"):
        MCTS().search(connect4.position("1212121"), stream(1), 10)
