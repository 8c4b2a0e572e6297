"""What numbers simulations: it grows by what was run, in every thread."""

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import Control, stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.work import MAX_TRACE

AS_MANY_AS_THERE_ARE = 2**31 - 1


def newest(engine):
    """Return the greatest number that any thread has given a simulation for what is known of all moves as first."""
    return max(int(worker.works["latest"].max()) for worker in engine._workers) // MAX_TRACE


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"threads": 2, "parallel": "leaf"}])
def test_numbers_grow_by_the_simulations_that_were_run(settings):
    """Not by those asked for, which a time budget makes ever so many: their numbers would be too great in the end."""
    search = MCTS(amaf="rave", **settings)
    root = load_game("tictactoe").position("5")
    run = 0
    for budget, control in (
        (AS_MANY_AS_THERE_ARE, Control(0.1)),
        (10, Control()),
        (AS_MANY_AS_THERE_ARE, Control(0.1)),
    ):
        search.search(root, stream(1), budget, control)
        run += search.simulations
        engine = search.engines[0]
        assert engine._serial == run
        assert newest(engine) <= run


def stamps(engine):
    """Return for each node the number of the last simulation through it."""
    c, nodes = engine.config, int(engine.tree.used[0])
    return engine.tree.values[c.stamp_at :: c.width][:nodes].astype(int)


def test_the_age_of_nodes_does_not_depend_on_the_thread():
    """Simulations that threads ran at about the same time have about the same numbers."""
    search = MCTS(recycle=True, threads=2, capacity=100_000)
    search.search(load_game("tictactoe").position("5"), stream(1), 400)
    assert np.all(stamps(search.engines[0]) < 200)
