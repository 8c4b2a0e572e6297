"""How the depth-first searches are driven: budgets, deepening, what they keep, the top of the tree."""

from __future__ import annotations

import dataclasses
import threading
import time

import pytest

from oponente import load_game
from oponente.kernel import OUTCOME, Control, Game, stream
from oponente.search.analysis import TreeShape
from oponente.search.deepening import DepthFirstSearch, search_to_depth
from oponente.search.methods import ALPHABETA, EXPECTIMINIMAX, MAX_N, MINIMAX, Method
from tests.search import random_card_tree, random_chance_tree, random_tree
from tests.search.random_tree import reference_minimax

PAYOFF = random_tree.EVALUATORS["payoff"]
PLAIN = Method()


@pytest.fixture(scope="module")
def connect4():
    return load_game("connect4")


@pytest.mark.compiled
@pytest.mark.parametrize("method", [MINIMAX, PLAIN, ALPHABETA])
def test_node_budget_is_kept_and_the_last_full_depth_counts(connect4, method):
    evaluator = connect4.evaluators["report"]
    root = connect4.start()
    for nodes in (10, 500, 3000):
        limited = search_to_depth(method, evaluator, root, depth=None, nodes=nodes)
        assert limited.nodes <= nodes
        if limited.depth:
            same = search_to_depth(PLAIN, evaluator, root, depth=limited.depth)
            assert (same.action, same.values) == (limited.action, limited.values)


def test_a_window_is_around_the_value_of_the_depth_before():
    """So it makes the search deepen, also where nothing else does; what is found is the same."""
    root = Game(random_tree, {"seed": "3", "depth": "5"}).start()
    plain, narrowed = (
        search_to_depth(dataclasses.replace(PLAIN, aspiration=width), PAYOFF, root, depth=4) for width in (None, 1.0)
    )
    assert (plain.action, plain.values) == (narrowed.action, narrowed.values)
    assert narrowed.nodes != plain.nodes


def test_deepening_ends_when_nothing_is_cut_off():
    root = load_game("tictactoe").position("51")
    for method in (PLAIN, ALPHABETA, MAX_N):
        analysis = search_to_depth(method, OUTCOME, root, depth=None, nodes=10**9)
        assert analysis.depth == 7


@pytest.mark.parametrize("method", [MINIMAX, ALPHABETA])
def test_time_budget(connect4, method):
    evaluator = connect4.evaluators["report"]
    search = DepthFirstSearch(method, evaluator, connect4)
    search.search(connect4.start(), depth=1)
    begin = time.monotonic()
    analysis = search.search(connect4.start(), control=Control(0.1))
    assert time.monotonic() - begin < 1.0
    assert analysis.depth >= 1


def test_stop_flag_ends_a_long_search(connect4):
    evaluator = connect4.evaluators["report"]
    search_to_depth(MINIMAX, evaluator, connect4.start(), depth=1)
    control = Control()
    threading.Timer(0.2, control.stop).start()
    begin = time.monotonic()
    analysis = search_to_depth(MINIMAX, evaluator, connect4.start(), depth=30, control=control)
    assert time.monotonic() - begin < 5.0
    assert analysis.depth == 0
    assert analysis.values == ()
    assert all(move.value is None for move in analysis.moves)
    assert analysis.action in connect4.start().legal_actions


def test_unlimited_and_finished_searches_are_refused(connect4):
    with pytest.raises(ValueError, match="nothing limits"):
        search_to_depth(MINIMAX, OUTCOME, connect4.start(), depth=None)
    with pytest.raises(ValueError, match="no player"):
        search_to_depth(MINIMAX, OUTCOME, connect4.position("1212121"), depth=2)


def test_what_is_found_does_not_depend_on_earlier_searches():
    """The memory is kept, what is in it is not: neither table nor history nor killers."""
    games = [Game(random_chance_tree, {"seed": str(seed), "depth": "6", "players": "3"}) for seed in range(2)]
    search = DepthFirstSearch(EXPECTIMINIMAX, PAYOFF, games[0])
    first = search.search(games[0].start(), depth=5)
    at = games[0].start()
    at.apply(first.action)
    while not at.is_terminal and at.player < 0:
        at.apply(at.chance_outcomes[0][0])
    if not at.is_terminal:
        search.search(at, depth=4)
    again = search.search(games[0].start(), depth=5)
    assert (again.moves, again.nodes, again.principal_variation) == (
        first.moves,
        first.nodes,
        first.principal_variation,
    )


def test_without_bounds_of_the_evaluator_nothing_is_pruned_at_chance_nodes(monkeypatch):
    game = Game(random_chance_tree, {"seed": "3", "depth": "5"})
    bounded = search_to_depth(EXPECTIMINIMAX, PAYOFF, game.start(), depth=5)
    monkeypatch.delattr(random_tree, "value_bounds")
    unbounded = search_to_depth(EXPECTIMINIMAX, PAYOFF, game.start(), depth=5)
    without = search_to_depth(dataclasses.replace(EXPECTIMINIMAX, star="none"), PAYOFF, game.start(), depth=5)
    assert unbounded.nodes == without.nodes
    assert unbounded.values == pytest.approx(bounded.values)


# --- the top of the tree -------------------------------------------------------------------------------------------


def walk(game, node, place, me, depth, check):
    """Visit the nodes that are shown together with their place in the game's tree."""
    check(node, place, depth)
    first = int(game.tables.first[place])
    for child in node.children:
        walk(game, child, first + int(child.label), me, depth - 1, check)


@pytest.mark.parametrize("method", [MINIMAX, PLAIN, ALPHABETA, EXPECTIMINIMAX])
def test_the_tree_tells_the_truth(method):
    for seed in range(12):
        game = Game(random_chance_tree, {"seed": str(seed), "depth": "5"})
        root = game.start()
        me = root.player
        plain = search_to_depth(method, PAYOFF, root, depth=4)
        analysis = search_to_depth(method, PAYOFF, root, depth=4, shape=TreeShape(3, 10))
        assert (analysis.action, analysis.values, analysis.nodes) == (plain.action, plain.values, plain.nodes)
        assert plain.tree is None

        def check(node, place, depth, game=game, me=me):
            exact = reference_minimax(game, place, depth, me)
            assert node.player == game.tables.mover[place]
            if node.bound == "=":
                assert node.value == pytest.approx(exact, abs=1e-12)
                assert node.values[me] == pytest.approx(exact, abs=1e-12)
            elif node.bound == "<=":
                assert node.value >= exact - 1e-12
            elif node.bound == ">=":
                assert node.value <= exact + 1e-12
            assert len(node.children) + node.hidden in (0, int(game.tables.count[place]))

        walk(game, analysis.tree, 0, me, 4, check)
        best, line = analysis.tree, []
        while any(child.best for child in best.children):
            best = next(child for child in best.children if child.best)
            line.append(int(best.label))
        assert tuple(line) == analysis.principal_variation[: len(line)]
        assert line


def test_the_shape_is_kept():
    game = Game(random_tree, {"seed": "4", "depth": "6"})
    analysis = search_to_depth(MINIMAX, PAYOFF, game.start(), depth=5, shape=TreeShape(depth=2, width=2))
    assert len(analysis.tree.children) == 2
    assert all(len(child.children) <= 2 for child in analysis.tree.children)
    assert all(not grandchild.children for child in analysis.tree.children for grandchild in child.children)


def test_the_tree_of_samples_shows_the_means():
    game = Game(random_card_tree, {"seed": "5", "depth": "4", "cards": "4"})
    root = game.start(1)
    samples = [root.determinize(root.player, stream(i)) for i in range(4)]
    analysis = DepthFirstSearch(ALPHABETA, PAYOFF, game).search(samples, depth=3, shape=TreeShape(2, 10))
    assert {child.label: child.value for child in analysis.tree.children} == {
        str(move.action): move.value for move in analysis.moves
    }
    assert analysis.tree.children[0].label == str(analysis.action)
    assert analysis.tree.value == analysis.values[root.player]
