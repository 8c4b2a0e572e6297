"""Searches that end when they are settled: the same decision with less of the budget."""

import math
import time
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import Control, stream
from oponente.search.early import lead_of, run_until_settled
from oponente.search.mcts import search
from oponente.search.mcts.decision import RootMove
from oponente.search.mcts.search import MCTS


@pytest.mark.parametrize(
    ("visits", "lead"), [([], math.inf), ([5], math.inf), ([5, 0], 5), ([5, 9, 2], 4), ([9, 5, 9], 0), ([0, 3], 3)]
)
def test_lead(visits, lead):
    assert lead_of(visits) == lead


def counted(lead, simulations, control, parts):
    asked = []

    def run(count):
        asked.append(count)
        return count

    return run_until_settled(run, lambda: lead(sum(asked)), simulations, control, parts), asked


@pytest.mark.parametrize(
    ("share", "done"),
    [
        (0.0, 1000),  # never ahead: all of the budget
        (1.0, 600),  # all go to one: after six tenths it is ahead by more than what is left
        (0.5, 700),
    ],
)
def test_a_search_ends_when_the_rest_is_less_than_the_lead(share, done):
    assert counted(lambda count: share * count, 1000, Control(), 10)[0] == done


def test_a_stopped_search_asks_for_nothing_more():
    control = Control()
    control.stop()
    assert counted(lambda count: 0, 1000, control, 10) == (100, [100])


def test_of_time_the_rest_is_reckoned_from_its_beginning():
    control = Control(0.4)

    def run(count):
        while not control.late:
            time.sleep(0.001)
        return 100  # in each part

    begin = time.monotonic()
    assert run_until_settled(run, lambda: 450, 1 << 40, control, 8) == 400
    assert time.monotonic() - begin < 0.35


@pytest.mark.compiled
@pytest.mark.parametrize("position", ["", "4435", "444333"])
def test_the_decision_is_that_of_the_whole_search(position):
    root = load_game("connect4").position(position)
    for seed in range(5):
        whole, early = MCTS(), MCTS(early=True)
        expected = whole.search(root, stream(seed), 2000)
        assert early.search(root, stream(seed), 2000).action == expected.action
        assert whole.simulations == 2000
        assert early.simulations % 125 == 0
    assert early.simulations < 2000 or position == ""


@pytest.mark.parametrize("simulations", [10, 16, 31])
def test_actions_not_yet_tried_can_still_get_visits(simulations):
    """The first part of the budget is a single simulation: the only action tried so far is not the only one."""
    root = load_game("tictactoe").position("152")
    for seed in range(5):
        whole, early = MCTS(), MCTS(early=True)
        expected = whole.search(root, stream(seed), simulations)
        assert early.search(root, stream(seed), simulations).action == expected.action
        assert early.simulations > simulations // 2


def test_one_action_alone_is_ahead_after_half_of_the_budget():
    """An action that counts with less than any reward before it is tried gets no visit, but may yet get some."""
    early = MCTS(early=True, first_play="fixed", fpu=-1.0)
    early.search(load_game("tictactoe").position("152"), stream(1), 160)
    assert early.simulations == 90  # after nine parts of sixteen 90 are more than what is left


def test_an_untried_action_decides_where_all_that_was_tried_loses(monkeypatch):
    tried = [RootMove(4, 62, np.zeros(2), 0, lost=True)]
    monkeypatch.setattr(search, "root_moves", lambda engine: tried)
    engine: Any = SimpleNamespace(proven=False)
    leads = [search._lead(engine, cast(Any, SimpleNamespace(legal_actions=a))) for a in ((4, 5), (4,))]
    assert leads == [-math.inf, math.inf]


def test_a_sole_action_needs_no_search():
    early = MCTS(early=True)
    early.search(load_game("tictactoe").position("12354687"), stream(1), 160)
    assert early.simulations == 10


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"final": "max"}, "goes with final=robust"),
        ({"root": "halving"}, "goes with final=robust or sample and root=bandit"),
        ({"observers": "pimc"}, "single tree"),
        ({"threads": 2, "parallel": "root"}, "single tree"),
    ],
)
def test_what_it_does_not_go_with(changes, said):
    with pytest.raises(ValueError, match=said):
        MCTS(early=True, **changes)
