"""The engine: what numbers simulations, how many can be counted, what is compiled before a clock runs, threads."""

import threading
import time

import numpy as np
import pytest

from oponente import load_game, make_agent
from oponente.kernel import Control, stream
from oponente.search.mcts import MCTS, engine
from oponente.search.mcts.engine import run_side_by_side
from oponente.search.mcts.store import MAX_VISITS, ROOT
from oponente.search.mcts.work import MAX_TRACE


def newest(made):
    """Return the greatest number that any thread has given a simulation for what is known of all moves as first."""
    return max(int(worker.works["latest"].max()) for worker in made._workers) // MAX_TRACE


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"threads": 2, "parallel": "leaf"}])
def test_numbers_grow_by_the_simulations_that_were_run(settings):
    """Not by those asked for, which a time budget makes ever so many: their numbers would be too great in the end."""
    search = MCTS(amaf="rave", **settings)
    root = load_game("tictactoe").position("5")
    run = 0
    for budget, control in (
        (MAX_VISITS, Control(0.1)),
        (10, Control()),
        (MAX_VISITS, Control(0.1)),
    ):
        search.search(root, stream(1), budget, control)
        run += search.simulations
        assert search.engines[0]._serial == run
        assert newest(search.engines[0]) <= run


def stamps(made):
    """Return for each node the number of the last simulation through it."""
    c, nodes = made.config, [ROOT]
    for node in nodes:
        nodes += made.children(node)  # which are looked at in turn
    return made.tree.values[c.stamp_at :: c.width][nodes]


def test_the_age_of_nodes_does_not_depend_on_the_thread():
    """Simulations that threads ran at about the same time have about the same numbers."""
    search = MCTS(recycle=True, threads=2, capacity=100_000)
    search.search(load_game("tictactoe").position("5"), stream(1), 400)
    assert np.all(stamps(search.engines[0]) < 200)


@pytest.mark.parametrize(("final", "most"), [("robust", 100), ("max-robust", 50)])
def test_no_more_is_searched_than_visits_can_be_counted(final, most):
    """What was kept of an earlier search takes of the same numbers."""
    root = load_game("tictactoe").position("5")
    search = MCTS(reuse=True, final=final)
    search.search(root, stream(1), 10)
    tree = search.engines[0].tree
    tree.stats["visits"][ROOT] = MAX_VISITS - 100
    search.search(root, stream(1), 1000)
    assert most <= search.simulations <= 100
    assert MAX_VISITS - 100 < search.engines[0].visits <= MAX_VISITS


@pytest.mark.parametrize(
    ("spec", "needed"),
    [
        ("uct:5", set()),
        ("mcts:5", {"transplant"}),
        ("uct:5,recycle=true", {"transplant", "age_to_forget"}),
        ("mcts:5,recycle=true,threads=2", {"transplant", "age_to_forget"}),
    ],
)
def test_an_agent_prepares_what_later_decisions_need(monkeypatch, spec, needed):
    game, called = load_game("tictactoe"), set()
    for name in ("transplant", "age_to_forget"):
        original = getattr(engine, name)
        monkeypatch.setattr(engine, name, lambda *args, n=name, f=original: (called.add(n), f(*args))[1])
    make_agent(spec, game).prepare(game)
    assert called == needed


def test_an_interrupted_wait_leaves_no_thread_behind(monkeypatch):
    """The second thread never ends by itself."""
    interrupted = []

    def interrupt(thread, timeout=None):
        interrupted.append(thread)
        monkeypatch.undo()
        raise KeyboardInterrupt

    def work(i, control):
        while i and not control.stopped:
            time.sleep(0.001)

    monkeypatch.setattr(threading.Thread, "join", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_side_by_side(work, 2, Control())
    assert len(interrupted) == 1
    assert not interrupted[0].is_alive()
