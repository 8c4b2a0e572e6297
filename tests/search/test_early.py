"""Searches that end when they are settled: the same decision with less of the budget."""

import math
import time

import pytest

from oponente import load_game
from oponente.kernel import Control, stream
from oponente.search.early import lead_of, run_until_settled
from oponente.search.mcts.search import MCTS


@pytest.mark.parametrize(
    ("visits", "lead"), [([], math.inf), ([5], math.inf), ([5, 9, 2], 4), ([9, 5, 9], 0), ([0, 3], 3)]
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


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"final": "max"}, "goes with final=robust"),
        ({"root": "halving"}, "goes with final=robust and root=bandit"),
        ({"observers": "pimc"}, "single tree"),
        ({"threads": 2, "parallel": "root"}, "single tree"),
    ],
)
def test_what_it_does_not_go_with(changes, said):
    with pytest.raises(ValueError, match=said):
        MCTS(early=True, **changes)
