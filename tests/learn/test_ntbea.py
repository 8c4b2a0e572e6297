"""The n-tuple bandit: its model, and that it finds what wins in spite of noise; CMA-ES likewise."""

from __future__ import annotations

import itertools
import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

from oponente import load_game, make_agent
from oponente.agents.search_agents import UCTAgent, UCTParameters
from oponente.learn.evolution_strategy import run_cma
from oponente.learn.ntbea import TupleModel, beginning, neighbour, run_ntbea, values_of
from oponente.learn.space import Parameter, Space
from oponente.learn.training import Training, TrainingError


class Noisy:
    """A fitness whose best point is known: c = 2 and solver on."""

    def __init__(self, names, noise):
        self.space = Space(UCTAgent(), names, mixed=True)
        self.noise = noise

    def allows(self, values):
        return self.space.allows(values, load_game("tictactoe"))

    def measure(self, candidates, *path):
        result = []
        for values in candidates:
            known = dict(zip(self.space.names, values, strict=True))
            share = 0.8 - 0.2 * abs(known["c"] - 2.0) - 0.1 * abs(known.get("epsilon", 0.5) - 0.5)
            share -= 0.15 * (known.get("solver", "on") != "on")
            result.append(share + random.Random(str((values, path))).uniform(-self.noise, self.noise))
        return result


def test_the_model_means_over_tuples():
    model = TupleModel([2, 3])
    model.add((0, 0), 1.0)
    model.add((0, 1), 0.0)
    assert model.mean((0, 0)) == pytest.approx((0.5 + 1.0 + 1.0) / 3)
    assert model.mean((0, 2)) == 0.5  # of the first value only
    assert model.mean((1, 2)) == 0.0
    assert model.bound((1, 2)) > model.bound((0, 2)) - 0.5
    assert model.bound((0, 1)) > model.mean((0, 1))


def test_values_to_choose_from():
    space = Space(UCTAgent(), ["c", "solver", "cheat"], mixed=True)
    c, solver, cheat = space.parameters
    assert values_of(c, 5, 1000.0) == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert values_of(solver, 5, 1.0) == ["off", "on", "auto"]
    assert values_of(cheat, 5, 1.0) == [False, True]


@pytest.mark.parametrize("count", [3, 5, 9])
@pytest.mark.parametrize("start", [1.0, 0.4])
def test_values_are_even_on_both_sides_and_within_reach(count, start):
    (c,) = Space(UCTAgent(UCTParameters(c=start)), ["c"]).parameters
    values = values_of(c, count, 200.0)
    assert len(values) == count
    assert values[count // 2] == start
    assert [round(value - start, 9) for value in values] == [round(start - value, 9) for value in reversed(values)]
    assert values[-1] - start == pytest.approx(200.0 * c.unit)
    assert {round(b - a, 9) for a, b in itertools.pairwise(values)} == {round(400.0 * c.unit / (count - 1), 9)}


@pytest.mark.parametrize(
    ("start", "unit", "expected"),
    [(100, 1.0, [98, 99, 100, 101, 102]), (1, 0.75, [-1, 0, 1, 2, 3]), (5, 0.1, [5]), (9, 1.0, [7, 8, 9, 10])],
)
def test_whole_numbers_are_even_on_both_sides(start, unit, expected):
    parameter = Parameter("x", "int", -math.inf, 10 if start == 9 else math.inf, (), start, unit)
    assert values_of(parameter, 5, 2.0) == expected


@pytest.mark.parametrize("count", [2, 4])
def test_an_even_number_of_values_has_no_middle(count):
    (c,) = Space(UCTAgent(), ["c"]).parameters
    with pytest.raises(ValueError, match="expected an odd number"):
        values_of(c, count, 200.0)


def test_neighbours_differ():
    chance = random.Random(2)
    for _ in range(50):
        assert neighbour((1, 0, 0), [[1, 2, 3], [5], [7, 8]], chance, lambda point: True) != (1, 0, 0)


def test_neighbours_are_allowed_or_there_is_none():
    chance = random.Random(2)
    grid = [[1, 2, 3], [5], [7, 8]]
    for _ in range(50):
        assert neighbour((1, 0, 0), grid, chance, lambda point: point[0] == 2)[0] == 2
    assert neighbour((1, 0, 0), grid, chance, lambda point: False) == (1, 0, 0)


def test_what_is_begun_with_is_allowed_and_next_to_the_start():
    grid = [["x", "y"], [1, 2, 3], [5]]
    assert beginning(grid, ["y", 2, 5], lambda point: True) == (1, 1, 0)
    assert beginning(grid, ["z", 2, 5], lambda point: True) == (0, 1, 0)
    assert beginning(grid, ["z", 2, 5], lambda point: point[0] == 1) == (1, 1, 0)
    assert beginning(grid, ["y", 2, 5], lambda point: point[:2] == (0, 2)) == (0, 2, 0)
    with pytest.raises(ValueError, match="no values to try were found that go together"):
        beginning(grid, ["y", 2, 5], lambda point: False)


class Worthless:
    """A fitness that is nothing for any agent."""

    def __init__(self, agent, values):
        self.game = load_game("connect4")
        self.space = Space(make_agent(agent, self.game), list(values), mixed=True, values=values)

    def allows(self, values):
        return self.space.allows(values, self.game)

    def measure(self, candidates, *path):
        assert all(self.allows(values) for values in candidates)
        return [0.0] * len(candidates)


def test_what_is_refused_is_no_result(tmp_path):
    options = {"steps": 4, "values": 5, "reach": 200.0, "neighbours": 5, "seed": 1, "progress": lambda *word: None}
    fitness = Worthless("uct:100", {"early": ["true"], "final": ["max", "robust"]})
    assert run_ntbea(fitness, Training(tmp_path / "a", {}, resume=False), **options) == [True, "robust"]
    fitness = Worthless("uct:100", {"early": ["true"], "final": ["max"]})
    with pytest.raises(ValueError, match="go together"):
        run_ntbea(fitness, Training(tmp_path / "b", {}, resume=False), **options)


class Playing:
    """A fitness that makes the agents, as a match does, and then draws lots."""

    def __init__(self, agent, game):
        self.game = game
        self.space = Space(make_agent(agent, game), mixed=True)

    def allows(self, values):
        return self.space.allows(values, self.game)

    def measure(self, candidates, *path):
        for values in candidates:
            make_agent(self.space.spec(values), self.game)
        return [random.Random(str((values, path))).random() for values in candidates]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("agent", ["strong:5", "uct:5", "expectiminimax"])
def test_ntbea_measures_only_what_is_an_agent(tmp_path, agent, seed):
    options = {"values": 5, "reach": 200.0, "neighbours": 10, "seed": seed, "progress": lambda *word: None}
    training = Training(tmp_path / "a", {}, resume=False)
    run_ntbea(Playing(agent, load_game("catan")), training, steps=30, **options)
    assert len({tuple(at) for at, _ in training.state["measured"]}) > 20


def test_ntbea_finds_the_best_in_noise_and_goes_on_where_it_was(tmp_path):
    options = {"values": 5, "reach": 2000.0, "neighbours": 20, "seed": 4, "progress": lambda *word: None}
    fitness = Noisy(["c", "solver", "cheat"], 0.2)
    whole = Training(tmp_path / "a", {}, resume=False)
    best = run_ntbea(fitness, whole, steps=150, **options)
    assert best[:2] == [2.0, "on"]
    run_ntbea(fitness, Training(tmp_path / "b", {}, resume=False), steps=60, **options)
    again = Training(tmp_path / "b", {}, resume=True)
    assert run_ntbea(fitness, again, steps=150, **options) == best
    assert again.state["measured"] == whole.state["measured"]


def test_cma_finds_the_best_in_noise_and_goes_on_where_it_was(tmp_path):
    pytest.importorskip("cma")
    options = {"sigma": 200.0, "population": None, "seed": 4, "progress": lambda *word: None}
    fitness = Noisy(["c", "epsilon"], 0.02)
    whole = Training(tmp_path / "a", {}, resume=False)
    best = run_cma(fitness, whole, generations=30, **options)
    assert best[0] == pytest.approx(2.0, abs=0.3)
    run_cma(fitness, Training(tmp_path / "b", {}, resume=False), generations=7, **options)
    assert run_cma(fitness, Training(tmp_path / "b", {}, resume=True), generations=30, **options) == best


class Reseeding(Noisy):
    """The same, in games that use NumPy's global stream."""

    def measure(self, candidates, *path):
        np.random.seed(0)
        np.random.rand(3)
        return super().measure(candidates, *path)


def test_cma_draws_from_a_stream_of_its_own(tmp_path):
    pytest.importorskip("cma")
    options = {"sigma": 200.0, "population": None, "seed": 4, "progress": lambda *word: None}
    names = ["c", "epsilon"]
    best = run_cma(Noisy(names, 0.02), Training(tmp_path / "a", {}, resume=False), generations=9, **options)
    whole = Training(tmp_path / "b", {}, resume=False)
    assert run_cma(Reseeding(names, 0.02), whole, generations=9, **options) == best
    run_cma(Reseeding(names, 0.02), Training(tmp_path / "c", {}, resume=False), generations=5, **options)
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()
    again = Training(tmp_path / "c", {}, resume=True)
    assert run_cma(Noisy(names, 0.02), again, generations=9, **options) == best
    assert again.state == whole.state
    assert np.random.get_state()[1].tolist() == before


def test_cma_does_not_tell_what_was_measured_of_other_candidates(tmp_path):
    pytest.importorskip("cma")
    options = {"sigma": 200.0, "population": None, "progress": lambda *word: None}
    fitness = Noisy(["c", "epsilon"], 0.02)
    run_cma(fitness, Training(tmp_path / "a", {}, resume=False), generations=3, seed=4, **options)
    with pytest.raises(TrainingError, match="not those that were measured"):
        run_cma(fitness, Training(tmp_path / "a", {}, resume=True), generations=5, seed=5, **options)


class Crowded(Playing):
    """More plans that survive are better, as far as they are fewer than there are plans."""

    def __init__(self):
        self.game = load_game("tictactoe")
        self.space = Space(make_agent("rhea", self.game), ["population", "elites"])

    def measure(self, candidates, *path):
        return [values[1] / (values[0] + values[1]) if self.allows(values) else 0.0 for values in candidates]


def test_cma_ends_with_what_is_an_agent(tmp_path):
    pytest.importorskip("cma")
    options = {"sigma": 200.0, "population": None, "seed": 4, "progress": lambda *word: None}
    fitness = Crowded()
    training = Training(tmp_path / "a", {}, resume=False)
    best = run_cma(fitness, training, generations=10, **options)
    assert fitness.allows(best)
    assert any(1.0 in kept["losses"] for kept in training.state["history"])


def test_the_way_from_the_mean_of_cma_to_the_start_goes_by_factors(tmp_path, monkeypatch):
    fitness = Crowded()
    fitness.space = Space(make_agent("rhea", fitness.game), ["population"])
    fitness.allows = lambda values: values[0] < 100
    (population,) = fitness.space.parameters
    strategy = SimpleNamespace(mean=[population.place(160)])
    monkeypatch.setattr("oponente.learn.evolution_strategy.new_strategy", lambda *given: strategy)
    options = {"generations": 0, "sigma": 1.0, "population": None, "seed": 1, "progress": lambda *word: None}
    assert run_cma(fitness, Training(tmp_path, {}, resume=False), **options) == [80]
