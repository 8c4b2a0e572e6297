"""MCTS-Solver: what it proves is so, on random trees of known value, with chance, for one to four players."""

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import TERMINAL, Game, stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.solver import is_proven, tighten
from oponente.search.mcts.store import add_child
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import TOKENS, children_of, payoff_of, reference_maxn

pytestmark = pytest.mark.compiled


def assert_sound(engine, game, node=0, place=0):
    """Require that what was proven of a node, and of all below it, holds."""
    exact = reference_maxn(game, place)
    lower, upper = engine.bounds(node)
    if (lower >= upper).all():
        np.testing.assert_allclose(lower, exact, atol=1e-9)
    mover = int(game.tables.mover[place])
    if mover >= 0:  # the value of who moves is unique, others' may hang on a tie
        assert lower[mover] <= exact[mover] + 1e-9
        assert upper[mover] >= exact[mover] - 1e-9
    if mover == TERMINAL:
        return
    for child in engine.children(node):
        action = int(engine.tree.stats["action"][child])
        assert_sound(engine, game, child, int(game.tables.first[place]) + action)


@pytest.mark.parametrize("module", [random_tree, random_chance_tree])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_proves_the_exact_value(module, players):
    proven = 0
    for seed in range(12):
        game = Game(module, {"seed": str(seed), "depth": "4", "players": str(players)})
        exact = reference_maxn(game, 0)
        search = MCTS(reward="utility", solver="on", c=8.0, **TOKENS)
        analysis = search.search(game.start(), stream(seed), 6000)
        engine = search.engines[0]
        assert_sound(engine, game)
        if engine.proven:
            proven += 1
            np.testing.assert_allclose(analysis.values, exact, atol=1e-9)
            mover, first = game.start().player, int(game.tables.first[0])
            reached = reference_maxn(game, first + analysis.action)
            assert reached[mover] == pytest.approx(exact[mover])
            assert analysis.nodes <= 6000
    assert proven >= 10


def values_by_ties(game, node):
    """Return all values of a node that max^n can have: of several actions equal for who moves, any may be taken."""
    mover = int(game.tables.mover[node])
    if mover == TERMINAL:
        payoff = payoff_of(game, node)
        best = payoff.max()
        return {tuple(float(p == best) for p in payoff)}
    below = [values_by_ties(game, child) for child in children_of(game, node)]
    sure = [min(value[mover] for value in values) for values in below]
    return {
        value
        for i, values in enumerate(below)
        for value in values
        if all(value[mover] >= least for j, least in enumerate(sure) if j != i)
    }


@pytest.mark.parametrize("players", [3, 4])
def test_is_done_where_many_actions_are_equal(players):
    """With several players, one of them wins: to who has lost all actions are alike, but not to the others."""
    for seed in range(12):
        game = Game(random_tree, {"seed": str(seed), "depth": "4", "players": str(players)})
        search = MCTS(reward="win", solver="on", **TOKENS)
        analysis = search.search(game.start(), stream(seed), 1500)
        assert search.engines[0].proven
        assert analysis.nodes < 1500
        assert analysis.values in values_by_ties(game, 0)


@pytest.mark.parametrize("proven", ["older", "newer"])
def test_of_equal_actions_one_that_is_proven_counts(proven):
    """The player to move gets nothing by either action; what the others get is known of one of them."""
    game = Game(random_tree, {"players": "3"})
    search = MCTS(reward="win", solver="on", **TOKENS)
    search.search(game.start(), stream(1), 0)
    engine = search.engines[0]
    tree, c = engine.tree, engine._packed[0]
    older, newer = (int(add_child(tree, 0, action, 0, 2, c, True, None)) for action in (0, 1))
    tree.nodes[0].mover, tree.nodes[0].listed = 0, 2
    for child, name in ((older, "older"), (newer, "newer")):
        lower, upper = engine.bounds(child)
        upper[0], lower[1], upper[2] = 0.0, float(name == proven), float(name != proven)
    low, high = np.zeros(3), np.zeros(3)
    assert tighten(tree, 0, c, low, high)
    assert is_proven(tree, 0, c)
    assert engine.bounds(0)[0].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("root", ["halving", "gumbel"])
def test_nothing_is_proven_while_actions_are_untried(root):
    proven = 0
    for seed in range(40):
        game = Game(random_tree, {"seed": str(seed), "depth": "4", "players": "2"})
        search = MCTS(reward="utility", solver="on", root=root, **TOKENS)
        for iterations in (1, 2, 5, 500):
            analysis = search.search(game.start(), stream(seed), iterations)
            engine = search.engines[0]
            assert_sound(engine, game)
            if engine.proven:
                proven += 1
                np.testing.assert_allclose(analysis.values, reference_maxn(game, 0), atol=1e-9)
    assert proven > 20


def test_a_proof_that_memory_has_lost_is_sought_again():
    """What is known of a node of an earlier search is no use without the child to be played."""
    game = load_game("tictactoe")
    kept = lost = 0
    for seed in range(4):
        search = MCTS(reuse=True, recycle=True, solver="on", capacity=150)
        start = game.position("15")
        search.search(start, stream(seed), 1500)
        engine = search.engines[0]
        held = [
            (
                first,
                second,
                not engine.children(node) and bool((engine.bounds(node)[0] >= engine.bounds(node)[1]).all()),
            )
            for first, second, node in (
                (int(engine.tree.stats["action"][c]), int(engine.tree.stats["action"][d]), d)
                for c in engine.children(0)
                for d in engine.children(c)
            )
        ]
        for first, second, bare in held:
            state = start.copy()
            state.apply(first)
            state.apply(second)
            if state.is_terminal:
                continue
            again = MCTS(reuse=True, recycle=True, solver="on", capacity=150)
            again.search(start, stream(seed), 1500)
            found = again.search(state, stream(seed), 1000)
            exact = MCTS(solver="on").search(state, stream(seed), 20_000)
            best = [move.action for move in exact.moves if move.value == max(m.value for m in exact.moves if m.visits)]
            assert found.nodes > 0 or found.action in best
            lost += bare
            kept += again.kept > 0
            if bare:
                assert found.action in best
    assert lost > 0
    assert kept > 0


def test_bounds_grow_with_the_search():
    """Half-way nothing is proven wrongly either."""
    for seed in range(6):
        game = Game(random_chance_tree, {"seed": str(seed), "depth": "5", "players": "3"})
        search = MCTS(reward="utility", solver="on", **TOKENS)
        for iterations in (3, 10, 40, 150):
            search.search(game.start(), stream(seed), iterations)
            assert_sound(search.engines[0], game)


def test_outcomes_that_can_not_happen_need_not_be_seen():
    """Chance nodes are proven all the same, and with them the root."""
    impossible = 0
    for seed in range(60):
        game = Game(random_chance_tree, {"seed": str(seed), "depth": "3", "players": "1"})
        impossible += bool((game.tables.weight[: len(game.tables.mover)] == 0.0).any())
        search = MCTS(reward="utility", solver="on", c=8.0, **TOKENS)
        analysis = search.search(game.start(), stream(seed), 20_000)
        assert search.engines[0].proven
        np.testing.assert_allclose(analysis.values, reference_maxn(game, 0), atol=1e-9)
    assert impossible > 5


@pytest.mark.parametrize("moves", ["414243", "4142434", "112233"])
def test_a_win_in_connect_four_is_proven(moves):
    game = load_game("connect4")
    state = game.position(moves[:6])
    search = MCTS(solver="on")
    analysis = search.search(state, stream(1), 5000)
    assert analysis.values[state.player] == 1.0
    assert analysis.nodes < 5000
    state.apply(analysis.action)
    assert state.is_terminal


@pytest.mark.parametrize("settings", [{"expectimax": True}, {"normalise": True}, {"backup": "paranoid"}])
def test_nothing_is_proven_of_what_is_no_plain_mean(settings):
    search = MCTS(solver="auto", **settings)
    search.search(load_game("connect4").start(), stream(1), 10)
    assert not search.engines[0].config.solver


def test_what_judges_finished_games_judges_others_on_the_same_scale():
    evaluator = TOKENS["evaluator"]
    search = MCTS(reward="value", judge=evaluator, evaluator=evaluator, cutoff=2)
    search.check_game(Game(random_tree, {"seed": "1", "depth": "4", "players": "2"}))
    search.search(Game(random_tree, {"seed": "1", "depth": "4", "players": "2"}).start(), stream(1), 50)
    assert search.engines[0].config.scale == 0.0


def test_only_what_max_n_finds_can_be_proven():
    with pytest.raises(ValueError, match="solver=on proves"):
        MCTS(solver="on", backup="paranoid")
    with pytest.raises(ValueError, match="solver=on needs nodes that are states"):
        MCTS(solver="on", loop="open").search(load_game("connect4").start(), stream(1), 10)
