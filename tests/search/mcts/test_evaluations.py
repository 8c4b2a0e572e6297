"""How values of evaluators become rewards."""

import math
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from oponente import load_game
from oponente.kernel import OUTCOME, Game, Token, stream
from oponente.search.mcts import MCTS, MCTSParameters
from oponente.search.mcts.parameters import Evaluations, new_config, pack
from oponente.search.mcts.rewards import evaluations_of, on_reward_scale
from tests.search import random_tree
from tests.search.random_tree import TOKENS


class Bounded:
    """Stands for an evaluator of which only the bounds are of interest."""

    def __init__(self, low, high):
        module = SimpleNamespace(value_bounds=lambda evaluator, game: (low, high, math.inf))
        self.token = SimpleNamespace(module=module)


class Silent(NamedTuple):
    """An evaluator that tells no bounds."""

    token: Token


SILENT = Silent(Token(__name__))


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def found(game, evaluator, judge=OUTCOME, **settings):
    return evaluations_of(MCTSParameters(**settings), judge, evaluator, game)


def as_reward(game, value, evaluations, reward="unit"):
    config = new_config(
        MCTSParameters(reward=reward, cutoff=0), game, is_open=False, honest=True, seat=0, evaluations=evaluations
    )
    return on_reward_scale(value, pack(config)[0])


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (-1.0, 1.0, {-1.0: 0.0, 0.0: 0.5, 0.5: 0.75, 1.0: 1.0}),  # utilities
        (0.0, 1.0, {0.0: 0.5, 1.0: 1.0}),  # likewise: nobody is known to lose
        (0.0, 4.0, {0.0: 0.0, 1.0: 0.25, 4.0: 1.0}),  # of one sign
        (-10.0, -2.0, {-10.0: 0.0, -4.0: 0.75, -2.0: 1.0}),
        (-30.0, 10.0, {0.0: 0.5, 2.0: 0.5 + 0.5 * math.tanh(1.0), -30.0: 0.0}),  # of both
    ],
)
def test_bounds_say_what_values_mean(game, low, high, values):
    evaluations = found(game, Bounded(low, high))
    for value, share in values.items():
        assert as_reward(game, value, evaluations) == pytest.approx(share, abs=1e-6)
        assert as_reward(game, value, evaluations, "utility") == pytest.approx(2.0 * share - 1.0, abs=1e-6)


def test_a_scale_that_is_given_counts(game):
    assert found(game, SILENT, evaluation_scale=3.0) == Evaluations(3.0)
    assert found(game, SILENT, evaluation_scale=0.0) == Evaluations(0.0, -1.0, 1.0)
    assert as_reward(game, 5.0, Evaluations(0.0, -1.0, 1.0)) == 1.0


def test_the_judge_s_values_are_rewards(game):
    assert found(game, SILENT, judge=SILENT, reward="value").as_reward
    assert found(game, Bounded(0.0, 9.0), judge=SILENT, reward="value", evaluation_scale=0.0).as_reward
    assert as_reward(game, 123.0, Evaluations(as_reward=True), "value") == 123.0


@pytest.mark.parametrize("settings", [{}, {"evaluation_scale": 2.0}])
def test_what_the_judge_does_not_measure_is_refused(game, settings):
    with pytest.raises(ValueError, match="by the same"):
        found(game, Bounded(0.0, 9.0), judge=SILENT, reward="value", **settings)


@pytest.mark.parametrize("evaluator", [SILENT, Bounded(0.0, math.inf), Bounded(-math.inf, 1.0), Bounded(1.0, 1.0)])
def test_values_without_bounds_need_a_scale(game, evaluator):
    with pytest.raises(ValueError, match="evaluation_scale"):
        found(game, evaluator)


def test_an_evaluator_that_is_not_used_needs_no_scale(game):
    MCTS(evaluator=SILENT).check_game(game)
    with pytest.raises(ValueError, match="no bounds"):
        MCTS(evaluator=SILENT, cutoff=3).check_game(game)
    with pytest.raises(ValueError, match="no bounds"):
        MCTS(evaluator=SILENT, cutoff=3).search(game.start(), stream(1), 10)


@pytest.mark.compiled
def test_each_game_has_its_own_scale():
    """One search is used for two games, in which an evaluator's values differ in size."""
    games = [load_game("connect4", {"rows": str(size), "columns": str(size)}) for size in (4, 7)]
    search = MCTS(cutoff=0, evaluator=games[0].evaluators["report"])
    scales = []
    for game in games:
        search.search(game.start(), stream(1), 20)
        scales.append(search.engines[0].config.scale)
        assert scales[-1] == found(game, games[0].evaluators["report"]).scale
    assert scales[0] != scales[1]


@pytest.mark.compiled
def test_history_counts_alike_on_any_scale():
    """Rewards of -10 to 10, and 20 times the constant of the formula, are the same search."""
    for seed in range(4):
        game = Game(random_tree, {"seed": str(seed), "depth": "5", "players": "2"})
        unit, utility = (
            MCTS(**TOKENS, reward=reward, c=c, history=1.5).search(game.start(), stream(seed), 800)
            for reward, c in (("unit", 0.5), ("utility", 10.0))
        )
        assert [move.visits for move in unit.moves] == [move.visits for move in utility.moves]
