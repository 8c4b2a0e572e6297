"""Minimax and alpha-beta: exact values, the same moves, budgets."""

import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oponente import load_game
from oponente.kernel import OUTCOME, Control, Game
from oponente.search.deepening import search_to_depth
from oponente.search.methods import ALPHABETA, MINIMAX, Method
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import inner_nodes, reference_minimax

PAYOFF = random_tree.EVALUATORS["payoff"]
minimax, alphabeta = MINIMAX, Method()


@pytest.fixture(scope="module")
def connect4():
    return load_game("connect4")


def tree(seed, depth=5):
    return Game(random_tree, {"seed": str(seed), "depth": str(depth)})


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_minimax_finds_the_exact_value_and_expands_every_node(seed, depth):
    game = tree(seed)
    root = game.start()
    analysis = search_to_depth(minimax, PAYOFF, root, depth=depth)
    me = root.player
    assert analysis.values[me] == reference_minimax(game, 0, depth, me)
    assert analysis.values[1 - me] == -analysis.values[me]
    assert analysis.nodes == inner_nodes(game, 0, depth)
    first = int(game.tables.first[0])
    expected = [reference_minimax(game, first + move.action, depth - 1, me) for move in analysis.moves]
    assert [move.value for move in analysis.moves] == expected
    assert analysis.action == int(np.argmax(expected))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6])
def test_alphabeta_plays_as_minimax_and_expands_no_more(seed, depth):
    root = tree(seed, 6).start()
    full = search_to_depth(minimax, PAYOFF, root, depth=depth)
    pruned = search_to_depth(alphabeta, PAYOFF, root, depth=depth)
    assert (pruned.action, pruned.values) == (full.action, full.values)
    assert pruned.principal_variation == full.principal_variation
    assert pruned.nodes <= full.nodes
    known = [(p, f) for p, f in zip(pruned.moves, full.moves, strict=True) if p.value is not None]
    assert all(p.value == f.value for p, f in known)
    assert any(p.action == full.action for p, _ in known)


def chance_tree(seed, depth):
    return Game(random_chance_tree, {"seed": str(seed), "depth": str(depth)})


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_chance_counts_with_its_mean(seed, depth):
    game = chance_tree(seed, 5)
    root = game.start()
    me = root.player
    expected = reference_minimax(game, 0, depth, me)
    full = search_to_depth(minimax, PAYOFF, root, depth=depth)
    pruned = search_to_depth(alphabeta, PAYOFF, root, depth=depth)
    assert full.values[me] == pytest.approx(expected, abs=1e-12)
    assert full.values[1 - me] == pytest.approx(-expected, abs=1e-12)
    assert full.nodes == inner_nodes(game, 0, depth)
    assert (pruned.action, pruned.principal_variation) == (full.action, full.principal_variation)
    assert pruned.values == pytest.approx(full.values, abs=1e-12)
    assert pruned.nodes <= full.nodes


def test_a_principal_variation_ends_at_a_chance_event():
    for seed in range(20):
        game = chance_tree(seed, 5)
        root = game.start()
        analysis = search_to_depth(minimax, PAYOFF, root, depth=5)
        for action in analysis.principal_variation:
            assert not root.is_chance
            root.apply(action)


def test_alphabeta_prunes():
    full = pruned = 0
    for seed in range(20):
        root = tree(seed, 6).start()
        full += search_to_depth(minimax, PAYOFF, root, depth=6).nodes
        pruned += search_to_depth(alphabeta, PAYOFF, root, depth=6).nodes
    assert pruned < 0.7 * full


@pytest.mark.compiled
@settings(max_examples=60, deadline=None)
@given(moves=st.lists(st.integers(0, 6), max_size=36), depth=st.integers(1, 5))
def test_alphabeta_plays_as_minimax_in_connect_four(connect4, moves, depth):
    state = connect4.start()
    for move in moves:
        if state.is_legal(move):
            state.apply(move)
    if state.is_terminal:
        return
    evaluator = connect4.evaluators["report"]
    full = search_to_depth(minimax, evaluator, state, depth=depth)
    pruned = search_to_depth(alphabeta, evaluator, state, depth=depth)
    assert (pruned.action, pruned.values, pruned.depth) == (full.action, full.values, full.depth)
    assert pruned.nodes <= full.nodes


def test_the_whole_of_tic_tac_toe_is_a_draw():
    root = load_game("tictactoe").start()
    analysis = search_to_depth(alphabeta, OUTCOME, root, depth=9)
    assert analysis.values == (0.0, 0.0)
    assert len(analysis.principal_variation) == 9


def test_principal_variation_leads_to_the_value(connect4):
    evaluator = connect4.evaluators["report"]
    root = connect4.position("4435")
    analysis = search_to_depth(alphabeta, evaluator, root, depth=6)
    for action in analysis.principal_variation:
        root.apply(action)
    again = search_to_depth(minimax, evaluator, connect4.position("4435"), depth=6)
    assert analysis.principal_variation == again.principal_variation
    assert len(analysis.principal_variation) == 6


@pytest.mark.parametrize("kernel", [minimax, alphabeta])
def test_node_budget_is_kept_and_the_last_full_depth_counts(connect4, kernel):
    evaluator = connect4.evaluators["report"]
    root = connect4.start()
    for nodes in (10, 500, 5000):
        limited = search_to_depth(kernel, evaluator, root, depth=None, nodes=nodes)
        assert limited.nodes <= nodes
        if limited.depth:
            same = search_to_depth(kernel, evaluator, root, depth=limited.depth)
            assert (same.action, same.values) == (limited.action, limited.values)


def test_deepening_ends_when_nothing_is_cut_off():
    root = load_game("tictactoe").position("51")
    analysis = search_to_depth(alphabeta, OUTCOME, root, depth=None, nodes=10**9)
    assert analysis.depth == 7


@pytest.mark.parametrize("kernel", [minimax, alphabeta])
def test_time_budget(connect4, kernel):
    evaluator = connect4.evaluators["report"]
    search_to_depth(kernel, evaluator, connect4.start(), depth=1)
    begin = time.monotonic()
    analysis = search_to_depth(kernel, evaluator, connect4.start(), depth=None, control=Control(0.1))
    assert time.monotonic() - begin < 1.0
    assert analysis.depth >= 1


def test_stop_flag_ends_a_long_search(connect4):
    evaluator = connect4.evaluators["report"]
    search_to_depth(minimax, evaluator, connect4.start(), depth=1)
    control = Control()
    threading.Timer(0.2, control.stop).start()
    begin = time.monotonic()
    analysis = search_to_depth(minimax, evaluator, connect4.start(), depth=30, control=control)
    assert time.monotonic() - begin < 5.0
    assert analysis.depth == 0
    assert analysis.action in connect4.start().legal_actions


def test_unlimited_and_finished_searches_are_refused(connect4):
    with pytest.raises(ValueError, match="nothing limits"):
        search_to_depth(minimax, OUTCOME, connect4.start(), depth=None)
    with pytest.raises(ValueError, match="no player"):
        search_to_depth(minimax, OUTCOME, connect4.position("1212121"), depth=2)
