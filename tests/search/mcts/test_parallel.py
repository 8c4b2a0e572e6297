"""Several threads: the budget is split exactly, no visit is lost, leaf and root parallel do not depend on timing."""

import sys
import threading

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import Control, Game, stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.averages import action_key, find
from oponente.search.mcts.kernel import ENDED, RESULT_STRIDE, RESULTS, await_results
from tests.search import random_chance_tree, random_tree
from tests.search.mcts import endless
from tests.search.mcts.test_solver import assert_sound
from tests.search.random_tree import TOKENS

pytestmark = pytest.mark.compiled
PARALLEL = ["tree", "root", "leaf"]


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def search(game, parallel, threads=3, iterations=3001, seed=1, **settings):
    found = MCTS(threads=threads, parallel=parallel, **settings)
    return found, found.search(game.position("4435"), stream(seed, "parallel"), iterations)


@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("iterations", [1, 2, 7, 3001])
def test_every_simulation_is_run_once_and_counted_once(game, parallel, iterations):
    found, analysis = search(game, parallel, iterations=iterations)
    assert analysis.nodes == iterations
    total = sum(engine.visits for engine in found.engines if engine.tree is not None)
    assert total == iterations
    if parallel != "tree":
        assert sum(move.visits for move in analysis.moves) == iterations
    else:  # one that found its node busy may have played from the root
        assert 0.95 * iterations - 3 <= sum(move.visits for move in analysis.moves) <= iterations


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("connect4", {"loop": "open"}),
        ("connect4", {"amaf": "rave", "guide": "mast"}),
        ("connect4", {"formula": "tuned", "solver": "on", "loop": "closed"}),
        ("catan", {}),
        ("catan", {"loop": "closed", "cheat": True}),
        ("catan", {"observers": "multiple"}),
        ("catan", {"amaf": "rave", "recycle": True, "capacity": 1000}),
    ],
)
def test_threads_of_one_tree_lose_no_visit_whatever_the_tree(name, settings):
    played = load_game(name)
    state = played.start(3)
    while state.is_chance:
        state.apply(state.chance_outcomes[0][0])
    found = MCTS(threads=2, parallel="tree", **settings)
    analysis = found.search(state, stream(1), 400)
    assert analysis.nodes == 400 or found.engines[0].proven
    assert found.engines[0].visits == analysis.nodes
    assert sum(move.visits for move in analysis.moves) <= analysis.nodes


@pytest.mark.parametrize("pending", ["loss", "unobserved"])
def test_nothing_stays_on_its_way(game, pending):
    found, _ = search(game, "tree", pending=pending)
    tree = found.engines[0].tree
    used = int(tree.used[0])
    reachable, stack = [], [0]
    while stack:
        node = stack.pop()
        reachable.append(node)
        stack.extend(found.engines[0].children(node))
    assert len(reachable) <= used
    assert not tree.nodes["pending"][reachable].any()
    assert not tree.nodes["lock"][reachable].any()
    for node in reachable:
        assert found.engines[0].values(node).sum() == pytest.approx(tree.stats["visits"][node])
        below = sum(int(tree.stats["visits"][child]) for child in found.engines[0].children(node))
        assert below <= tree.stats["visits"][node]
        actions = [int(tree.stats["action"][child]) for child in found.engines[0].children(node)]
        assert len(actions) == len(set(actions))


@pytest.mark.parametrize("parallel", ["root", "leaf"])
def test_timing_of_threads_changes_nothing(game, parallel):
    """Threads are disturbed by others and by frequent switches."""
    first = search(game, parallel)[1]
    stop = threading.Event()

    def disturb():
        while not stop.is_set():
            sum(range(1000))

    others = [threading.Thread(target=disturb) for _ in range(2)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for other in others:
            other.start()
        again = [search(game, parallel)[1] for _ in range(2)]
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        for other in others:
            other.join()
    for analysis in again:
        assert (analysis.action, analysis.moves, analysis.values) == (first.action, first.moves, first.values)
    assert search(game, parallel, seed=2)[1].moves != first.moves


def test_a_vote_and_a_sum(game):
    found, by_sum = search(game, "root", threads=4, combine="sum")
    _, by_vote = search(game, "root", threads=4, combine="vote")
    assert by_sum.moves == by_vote.moves
    assert by_sum.action == max(by_sum.moves, key=lambda move: move.visits).action
    assert len(found.engines) == 4


@pytest.mark.parametrize("iterations", [0, 1, 2, 3])
def test_trees_without_simulations_do_not_count(game, iterations):
    """What they found in an earlier search is of another position."""
    fresh, used = (MCTS(threads=4, parallel="root") for _ in range(2))
    used.search(game.position("1122"), stream(7), 400)
    one, other = (found.search(game.position("4435"), stream(1), iterations) for found in (fresh, used))
    assert (one.values, one.moves, one.depth) == (other.values, other.moves, other.depth)
    assert fresh.used == used.used
    assert fresh.expanded == used.expanded


def test_trees_that_decide_themselves_vote(game):
    found = MCTS(threads=4, parallel="root", root="halving")
    analysis = found.search(game.position("4435"), stream(1), 400)
    votes = []
    for i in range(4):
        seed = int.from_bytes(stream(1).tobytes(), "little")
        tree = MCTS(root="halving").search(game.position("4435"), stream(seed, "tree", i), 100)
        votes.append(tree.action)
    assert votes.count(analysis.action) == max(votes.count(action) for action in votes)


@pytest.mark.parametrize("threads", [1, 3])
def test_playouts_of_one_leaf_teach_alike(threads):
    """Each of them counts once, for all that was played in it: here one action, which ends the game."""
    game = Game(random_tree, {"seed": "1", "depth": "1", "players": "2"})
    found = MCTS(threads=threads, parallel="leaf", guide="mast", amaf="rave", **TOKENS)
    analysis = found.search(game.start(), stream(1), 301)
    memory, mover = found.engines[0]._workers[0].memory, game.start().player
    for move in analysis.moves:
        slot = find(memory, np.uint64(action_key(mover, move.action)))
        assert int(memory["visits"][slot]) == move.visits
        assert float(memory["total"][slot]) == pytest.approx(move.visits * move.value)


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_playouts_of_one_leaf_have_one_horizon(horizon):
    """With horizon 1 each move is worth the evaluation after it, whoever plays on."""
    game = Game(random_tree, {"seed": "3", "depth": "6", "players": "1"})
    settings = {"loop": "open", "reward": "value", "evaluation_scale": 0.0, **TOKENS}
    one, three = (
        MCTS(threads=threads, parallel="leaf", horizon=horizon, **settings).search(game.start(), stream(1), 300)
        for threads in (1, 3)
    )
    if horizon == 1:
        assert [move.value for move in one.moves] == pytest.approx([move.value for move in three.moves])
    for analysis in (one, three):
        assert analysis.depth <= horizon


@pytest.mark.parametrize("seed", range(6))
def test_threads_prove_only_what_is_so(seed):
    """Many threads at once, in small trees where nearly every simulation proves something."""
    game = Game(random_chance_tree, {"seed": str(seed), "depth": "5", "players": "2"})
    for round_ in range(20):
        search = MCTS(reward="utility", solver="on", threads=4, parallel="tree", **TOKENS)
        search.search(game.start(), stream(seed, round_), 2000)
        assert_sound(search.engines[0], game)


@pytest.mark.parametrize("parallel", PARALLEL)
def test_a_stopped_search_ends_in_all_threads(game, parallel):
    control = Control()
    timer = threading.Timer(0.1, control.stop)
    timer.start()
    before = threading.active_count()
    analysis = MCTS(threads=2, parallel=parallel, capacity=100_000).search(
        game.start(), stream(1), 2_000_000_000, control
    )
    timer.join()
    assert threading.active_count() <= before
    assert 0 < analysis.nodes < 2_000_000_000


@pytest.mark.parametrize("parallel", PARALLEL)
def test_a_deadline_ends_all_threads(game, parallel):
    search(game, parallel, threads=2, iterations=10)
    analysis = MCTS(threads=2, parallel=parallel, capacity=100_000).search(
        game.start(), stream(1), 2_000_000_000, Control(0.05)
    )
    assert 0 < analysis.nodes < 2_000_000_000


@pytest.mark.parametrize("threads", [1, 2])
def test_a_deadline_ends_what_others_do_without_end(threads):
    """The others' actions are drawn, and they never let the player move again."""
    control = Control()
    control.start(0.3)
    search = MCTS(loop="open", opponents="policy", threads=threads)
    analysis = search.search(Game(endless).start(), stream(1), 10**6, control)
    assert analysis.nodes <= 2 * threads  # one simulation is broken off in each thread
    if threads > 1:
        tree = search.engines[0].tree
        assert not tree.nodes["pending"][: int(tree.used[0])].any()


def test_nobody_waits_for_a_thread_that_has_failed():
    results, mailbox = np.ones((3, 3)), np.zeros(RESULTS + 3 * RESULT_STRIDE, np.int64)
    mailbox[RESULTS + RESULT_STRIDE] = 1  # the first one has finished, the second one never will
    mailbox[ENDED] = 1
    assert not await_results(results, mailbox, 3, 1)
    assert await_results(results, mailbox, 2, 1)


def test_controls_are_forked_and_joined():
    control = Control()
    fork = control.fork()
    control.stop()
    assert fork.stopped
    assert control.fork().stopped
    control.join(fork)
