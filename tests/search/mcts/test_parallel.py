"""Several threads: the budget is split exactly, no visit is lost, leaf and root parallel do not depend on timing."""

import sys
import threading

import pytest

from oponente import load_game
from oponente.kernel import Control, stream
from oponente.search.mcts import MCTS

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


def test_controls_are_forked_and_joined():
    control = Control()
    fork = control.fork()
    control.stop()
    assert fork.stopped
    assert control.fork().stopped
    control.join(fork)
