"""The genetic algorithm, on contests whose results are known, and the folder of a training."""

from __future__ import annotations

import dataclasses
import json
import random

import pyarrow.parquet as pq
import pytest

from oponente.agents.spec import parse_spec
from oponente.games.catalogue import GameSpec
from oponente.games.catan.agents import NeuralAgent, ValueAgent
from oponente.games.catan.networks import read_network
from oponente.learn.contest import Standing
from oponente.learn.genetic import Evolved, Genetic, GeneticSettings, arithmetic, heuristic
from oponente.learn.network_space import NetworkSpace
from oponente.learn.space import Space
from oponente.learn.training import Training, TrainingError

GAME = GameSpec("catan", (("trade", "false"),))
AIM = {"points": 1000.0, "cities": 700.0, "road": -200.0}
SETTINGS = GeneticSettings(iterations=40, population=20, tournaments=8, gauge=0, final_games=10)


def fake_results(contests):
    """Give each agent as many wins as it is near to the aim: a contest without luck."""
    results = []
    for contest in contests:
        distance = [distance_to_aim(text) for text in contest.agents]
        order = sorted(distance)
        results.append([Standing(contest.games, contest.games - order.index(d), -d) for d in distance])
    return results


def distance_to_aim(text):
    weights = parse_spec(text, [ValueAgent]).parameters.effective
    return sum((weights[name] - aim) ** 2 for name, aim in AIM.items())


def evolution(settings=SETTINGS, held=fake_results, seed=3):
    return Genetic(Space(ValueAgent(), list(AIM)), GAME, settings, seed, held)


def test_it_finds_what_wins(tmp_path):
    training = Training(tmp_path / "t", {"a": 1}, resume=False)
    told = []
    ga = evolution()
    evolved = ga.run(training, lambda *word: told.append(word[:2]))
    best = dict(zip(AIM, ga.best(evolved), strict=True))
    start = ga.first_population()[0]
    assert start == [1500.0, 400.0, 150.0]
    before = sum((a - b) ** 2 for a, b in zip(start, AIM.values(), strict=True))
    after = sum((best[name] - aim) ** 2 for name, aim in AIM.items())
    assert after < before / 50
    assert told == [(i, 40) for i in range(1, 41)]
    distances = [sum((v - a) ** 2 for v, a in zip(one, AIM.values(), strict=True)) for one in evolved.population]
    assert after <= min(distances)  # the last selection finds the best of all, or a mean, which is better


def test_an_interrupted_run_ends_where_one_without_interruption_does(tmp_path):
    settings = dataclasses.replace(SETTINGS, iterations=9)
    whole = evolution(settings).run(Training(tmp_path / "a", {"x": [1, 2]}, resume=False), lambda *word: None)
    for interrupted in (4, 6):

        def interrupt(done, *_, at=interrupted):
            if done == at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            evolution(settings).run(Training(tmp_path / "b", {"x": [1, 2]}, resume=True), interrupt)
    kept = Training(tmp_path / "b", {"x": [1, 2]}, resume=True)
    assert kept.state["iteration"] == 6
    assert evolution(settings).run(kept, lambda *word: None) == whole


def test_the_course_is_the_mean_of_the_populations_of_the_second_half(tmp_path):
    populations = []
    ga = evolution(dataclasses.replace(SETTINGS, iterations=5))
    evolved = ga.run(
        training := Training(tmp_path / "a", {}, resume=False),
        lambda *_: populations.append(training.state["population"]),
    )
    means = [[sum(column) / len(people) for column in zip(*people, strict=True)] for people in populations]
    assert evolved.course == pytest.approx([sum(column) / 3 for column in zip(*means[2:], strict=True)])
    assert evolved.population == populations[-1]


def test_the_best_is_whichever_of_three_does_best_against_the_start():
    def held(contests):
        return [
            [Standing(10**6, 10**6 / (1.0 + distance_to_aim(text)), 0.0) for text in contest.agents]
            for contest in contests
        ]

    ga = evolution(dataclasses.replace(SETTINGS, final_games=10), held)
    aim, far = list(AIM.values()), [5000.0, 5000.0, 5000.0]
    near, below, above = ([value + step for value in aim] for step in (10.0, -500.0, 500.0))
    assert ga.best(Evolved([far, far, far, near], far)) == near
    assert ga.best(Evolved([far, far, far, near], aim)) == aim
    assert ga.best(Evolved([below, above, below, above], far)) == aim


def test_the_two_losers_of_each_tournament_are_replaced_by_children_of_the_winners():
    settings = GeneticSettings(iterations=1, population=8, tournaments=2, rate=0.0, gauge=0)
    ga = evolution(settings)
    before = ga.first_population()
    after, row = ga.iteration(0, before)
    changed = [i for i in range(8) if before[i] != after[i]]
    assert len(changed) == 4
    assert row["games"] == 40
    worst = sorted(range(8), key=lambda i: sum((v - a) ** 2 for v, a in zip(before[i], AIM.values(), strict=True)))
    assert worst[0] not in changed
    assert worst[-1] in changed


def test_tournaments_of_a_wave_share_no_individual():
    seen = []

    def held(contests):
        seen.append([set(contest.agents) for contest in contests])
        return fake_results(contests)

    settings = GeneticSettings(population=22, tournaments=12, gauge=0)
    evolution(settings, held).iteration(0, evolution(settings).first_population())
    assert [len(wave) for wave in seen] == [5, 5, 2]
    for wave in seen:
        assert len(set().union(*wave)) == 4 * len(wave)


def test_crossovers():
    chance = random.Random(1)
    for _ in range(20):
        share = chance.random()
        assert 0.0 <= arithmetic([0.0], [1.0], share)[0] <= 1.0
        assert -1.0 <= heuristic([0.0], [1.0], share)[0] <= 0.0


def test_settings_are_checked():
    with pytest.raises(ValueError, match="at least 4 are needed"):
        GeneticSettings(size=3)
    with pytest.raises(ValueError, match="population of 3"):
        GeneticSettings(population=3)


# --- folders -------------------------------------------------------------------------------------------------------


def test_a_folder_holds_one_training(tmp_path):
    training = Training(tmp_path, {"seed": 1, "agent": "value"}, resume=False)
    training.keep({"n": 1}, {"iteration": 1, "x": 0.1})
    with pytest.raises(TrainingError, match="go on with --resume, or give another folder"):
        Training(tmp_path, {"seed": 1, "agent": "value"}, resume=False)
    with pytest.raises(TrainingError, match="another training \\(seed 1, not 2\\)"):
        Training(tmp_path, {"seed": 2, "agent": "value"}, resume=True)
    again = Training(tmp_path, {"seed": 1, "agent": "value"}, resume=True)
    assert (again.state, again.metrics) == ({"n": 1}, [{"iteration": 1, "x": 0.1}])
    again.finish({"x": 1.0}, {"spec": "value"}, {"x": [0.1, 0.2]})
    assert pq.read_table(tmp_path / "metrics.parquet").to_pylist() == [{"iteration": 1, "x": 0.1}]
    assert json.loads((tmp_path / "best.json").read_text()) == {"x": 1.0}
    assert (tmp_path / "progress.png").read_bytes()[:4] == b"\x89PNG"
    (tmp_path / "state.json").write_text("{")
    with pytest.raises(TrainingError, match="is damaged"):
        Training(tmp_path, {"seed": 1, "agent": "value"}, resume=True)


# --- networks ------------------------------------------------------------------------------------------------------


def test_networks_are_individuals_too(tmp_path):
    space = NetworkSpace(NeuralAgent(), tmp_path / "individuals")
    assert len(space.names) == 48 * 32 + 32 + 32 * 16 + 16 + 16 + 1
    start = read_network("shipped")
    assert all((array == start[name]).all() for name, array in space.arrays(space.fitted(space.start)).items())
    settings = GeneticSettings(iterations=2, population=4, tournaments=1, gauge=0, final_games=1, spread=0.1)
    seen = []

    def held(contests):
        for contest in contests:
            nets = [read_network(parse_spec(text, [NeuralAgent]).parameters.network) for text in contest.agents]
            seen.append([float(net["bias3"][0]) for net in nets])
        return [[Standing(c.games, float(i == 0), 0.0) for i, _ in enumerate(c.agents)] for c in contests]

    ga = Genetic(space, GAME, settings, 1, held)
    training = Training(tmp_path / "t", {}, resume=False)
    evolved = ga.run(training, lambda *word: None)
    assert all(len(set(row)) == 4 for row in seen)
    assert set(training.metrics[0]) == {"iteration", "games", "gauge", "norm", "deviation", "seconds"}
    assert not list((tmp_path / "individuals").iterdir())
    ga.best(evolved)
