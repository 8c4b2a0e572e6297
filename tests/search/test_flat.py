"""Flat Monte Carlo and playouts: exact means, even shares."""

from collections import Counter

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import TERMINAL, UNIFORM, Control, Game, stream
from oponente.search.flat import search_flat
from oponente.search.playout import playouts
from tests.search import random_chance_tree


def expected_outcome(game, node):
    """Return the mean payoff of uniformly random play below a node."""
    tables = game.tables
    if tables.mover[node] == TERMINAL:
        return np.asarray(tables.payoff[0, node])
    children = range(tables.first[node], tables.first[node] + tables.count[node])
    weights = [tables.weight[child] if tables.mover[node] < 0 else 1.0 for child in children]
    return np.average([expected_outcome(game, child) for child in children], axis=0, weights=weights)


@pytest.mark.parametrize("seed", range(6))
def test_means_are_expected_outcomes(seed):
    game = Game(random_chance_tree, {"seed": str(seed), "depth": "4", "players": "3"})
    root = game.start()
    analysis = search_flat(root, stream(seed), 60_000, reward="utility")
    first = int(game.tables.first[0])
    for move in analysis.moves:
        exact = expected_outcome(game, first + move.action)[root.player]
        assert move.value == pytest.approx(exact, abs=0.35)
    assert analysis.action == max(analysis.moves, key=lambda move: move.value).action


def test_playouts_are_shared_out_evenly():
    analysis = search_flat(load_game("connect4").start(), stream(1), 1003)
    assert sorted(move.visits for move in analysis.moves) == [143] * 5 + [144] * 2
    assert analysis.nodes == 1003


def test_few_playouts_are_for_any_action():
    root, tried = load_game("tictactoe").start(), Counter()
    for seed in range(40):
        moves = search_flat(root, stream(seed), 5).moves
        assert [move.action for move in moves] == list(root.legal_actions)
        tried.update(move.action for move in moves if move.visits)
    assert set(tried) == set(range(9))


def test_playouts_count_games_and_actions():
    game = load_game("tictactoe")
    totals = np.zeros(2)
    done, length = playouts(
        game.tables, UNIFORM, game.new_states(2), stream(3), np.zeros(9, np.int32), 20_000, Control().array, totals
    )
    assert done == 20_000
    assert 5 * done <= length <= 9 * done
    # Of random games the first player wins 58.5 %, the second 28.8 %.
    assert totals[0] / done == pytest.approx(0.297, abs=0.02)
    assert totals[0] == -totals[1]
