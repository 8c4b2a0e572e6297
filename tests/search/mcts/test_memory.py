"""The bound on memory, forgetting, and reuse of the tree."""

import numpy as np
import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.kernel import Game, stream
from oponente.search.mcts import MCTS
from tests.search import random_card_tree, random_tree

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def nodes_below(engine, node=0):
    return 1 + sum(nodes_below(engine, child) for child in engine.children(node))


@pytest.mark.parametrize("settings", [{}, {"solver": "on"}, {"amaf": "rave"}, {"recycle": True}, {"threads": 2}])
def test_the_tree_keeps_to_its_capacity(game, settings):
    search = MCTS(capacity=1000, **settings)
    analysis = search.search(game.start(), stream(1), 20_000)
    assert analysis.nodes == 20_000
    engine = search.engines[0]
    assert engine.tree.stats.size == 1000
    assert nodes_below(engine) <= 1000
    assert engine.visits == 20_000


@pytest.mark.parametrize("settings", [{}, {"history": 0.5}, {"formula": "puct"}])
def test_a_full_tree_in_an_open_loop_is_still_searched(settings):
    """Simulations go on with the actions that have nodes, not with those for which there is no room."""
    game = Game(random_tree, {"seed": "1", "depth": "4", "players": "2"})
    assert len(game.start().legal_actions) > 1
    search = MCTS(loop="open", capacity=2, **settings)
    search.search(game.start(), stream(1), 500)
    engine = search.engines[0]
    (child,) = engine.children(engine.root)
    assert engine.tree.stats["visits"][child] >= 499


@pytest.mark.parametrize("settings", [{}, {"loop": "open"}, {"amaf": "rave"}, {"guide": "nst"}])
def test_a_longer_search_before_changes_nothing(game, settings):
    """Neither by the room that the tree has, nor by that for what is learnt."""
    fresh, used = MCTS(**settings), MCTS(**settings)
    used.search(game.position("44"), stream(2), 5000)
    one, other = (search.search(game.start(), stream(3), 300) for search in (fresh, used))
    assert (one.action, one.moves, one.values) == (other.action, other.moves, other.values)
    room = [(e.tree.stats.size, e._workers[0].memory.size) for e in (fresh.engines[0], used.engines[0])]
    assert room[0] == room[1]


def test_many_small_trees_learn_in_little_memory():
    """Each world has a table of what its playouts teach: together they take no more than their simulations need."""
    game = Game(random_card_tree, {"players": "2", "cards": "3"})
    search = MCTS(observers="pimc", worlds=20, guide="nst")
    search.search(game.start(), stream(1), 40)
    assert sum(worker.room.nbytes for engine in search.engines for worker in engine._workers) < 2**24


def test_forgetting_makes_room_for_what_counts(game):
    """With little memory, a search that forgets goes on growing where it looks; one that does not, does not."""
    deep, stopped = (MCTS(capacity=1000, recycle=recycle) for recycle in (True, False))
    root = game.position("444444")
    assert deep.search(root, stream(1), 60_000).depth > stopped.search(root, stream(1), 60_000).depth


def test_what_is_kept_is_kept_with_its_counts(game):
    search = MCTS(recycle=True, capacity=2000)
    search.search(game.start(), stream(1), 1500)
    engine = search.engines[0]
    before = {int(engine.tree.stats["action"][c]): int(engine.tree.stats["visits"][c]) for c in engine.children(0)}
    engine._forget_oldest()
    after = {int(engine.tree.stats["action"][c]): int(engine.tree.stats["visits"][c]) for c in engine.children(0)}
    assert after == before
    assert nodes_below(engine) <= 1000


@pytest.mark.parametrize("settings", [{}, {"solver": "on"}, {"loop": "open"}, {"bias": 0.1, "evaluation_scale": 50.0}])
def test_reuse_keeps_counts_and_means(game, settings):
    search = MCTS(reuse=True, **settings)
    state = game.position("4")
    search.search(state, stream(1), 4000)
    engine = search.engines[0]
    node = 0
    for action in (3, 2):
        node = next(c for c in engine.children(node) if engine.tree.stats["action"][c] == action)
        state.apply(action)
    visits, total = int(engine.tree.stats["visits"][node]), engine.values(node).copy()
    size = nodes_below(engine, node)
    assert visits > 20
    search.search(state, stream(2), 0)
    assert search.kept == visits
    assert nodes_below(search.engines[0]) == size
    np.testing.assert_array_equal(search.engines[0].values(0), total)
    analysis = search.search(state, stream(2), 500)
    assert analysis.nodes == 500
    assert sum(move.visits for move in analysis.moves) in (visits - 1 + 500, visits + 500)


@pytest.mark.parametrize("settings", [{}, {"expectimax": True, "loop": "open"}, {"formula": "tuned"}])
def test_a_root_that_is_squashed_counts_once_with_its_means(game, settings):
    found = []
    for squash in (False, True):
        search = MCTS(reuse=True, squash=squash, solver="off", **settings)
        state = game.position("4")
        search.search(state, stream(1), 1000)
        state.apply(3)
        search.search(state, stream(2), 0)
        engine = search.engines[0]
        values, visits = engine.values(0, 0), int(engine.tree.stats["visits"][0])
        below = [int(engine.tree.stats["visits"][child]) for child in engine.children(0)]
        kinds = [engine.values(0)]
        if settings.get("expectimax"):
            at = int(engine.config.ended_at)
            kinds += [engine.values(0, at), engine.values(0, at + 1)]
            expected = engine.values(0, int(engine.config.expected_at)).copy()
        found.append((visits, below, [kind / visits for kind in kinds]))
        if settings.get("expectimax"):
            found[-1] += (expected.tolist(),)
        assert len(values) == 2
        assert search.search(state, stream(2), 10).nodes == 10
        assert int(engine.tree.stats["visits"][0]) == visits + 10
    full, once = found
    assert (full[0] > 20, once[0]) == (True, 1)
    assert once[1] == full[1]
    np.testing.assert_allclose(once[2], full[2])
    assert once[3:] == full[3:]


def test_another_game_is_not_reused(game):
    search = MCTS(reuse=True)
    search.search(game.position("44"), stream(1), 500)
    search.search(game.position("4"), stream(1), 500)
    assert search.kept == 0
    search.search(game.position("51"), stream(1), 500)
    assert search.kept == 0
    other = Game(random_tree, {"seed": "1"})
    search.search(other.start(), stream(1), 50)
    assert search.kept == 0


def test_an_agent_reuses_within_a_game_only(game):
    agent = make_agent("uct:2000,reuse=true", game)
    state = game.position("44")
    agent.begin_game(game, 0)
    agent.analyse(View(state, 0, seed=1), Budget())
    for move in (3, 3):
        state.apply(move)
    second = agent.analyse(View(state, 0, seed=2), Budget())
    assert agent.search.kept > 0
    agent.begin_game(game, 0)
    fresh = agent.analyse(View(state, 0, seed=2), Budget())
    assert agent.search.kept == 0
    assert second.moves != fresh.moves
