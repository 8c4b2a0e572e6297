"""The genetic algorithm, on contests whose results are known, and the folder of a training."""

from __future__ import annotations

import dataclasses
import json
import math
import random

import pyarrow.parquet as pq
import pytest

from oponente import load_game, make_agent
from oponente.agents.search_agents import UCTAgent, UCTParameters
from oponente.agents.spec import parse_spec
from oponente.games.catalogue import GameSpec
from oponente.games.catan.agents import NeuralAgent, ValueAgent
from oponente.games.catan.networks import read_network
from oponente.learn.contest import Duel, Standing
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


def test_individuals_are_agents_whose_values_go_together(tmp_path):
    """More plans that survive are better here, as far as they are fewer than there are plans."""
    game = load_game("tictactoe")
    played = set()

    def held(contests):
        for contest in contests:
            played.update(contest.agents)
        return [
            [
                Standing(contest.games, (p := make_agent(text, game).parameters).elites / p.population, 0.0)
                for text in contest.agents
            ]
            for contest in contests
        ]

    space = Space(make_agent("rhea", game), ["population", "elites"])
    settings = dataclasses.replace(SETTINGS, iterations=10, gauge=2, spread=200.0, mutation=200.0)
    ga = Genetic(space, GameSpec("tictactoe"), settings, 3, held)
    assert space.allows(ga.best(ga.run(Training(tmp_path / "t", {}, resume=False), lambda *word: None)), game)
    assert any("elites=" in text for text in played)


def test_who_loses_every_game_is_told(tmp_path):
    def held(contests):
        start = ga.space.spec(ga.space.start)
        return [
            [Standing(contest.games, float(contest.games if text == start else 0), 0.0) for text in contest.agents]
            for contest in contests
        ]

    words = []
    ga = evolution(dataclasses.replace(SETTINGS, iterations=1, gauge=1), held)
    ga.run(Training(tmp_path / "t", {}, resume=False), lambda *word: words.append(word))
    assert words == [(1, 1, "against the start 0.000")]


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


MEAN, LAST, LUCKY = [1000.0, 700.0, -200.0], [1200.0, 500.0, 50.0], [900.0, 900.0, -100.0]
BEYOND = {far: [a + far * (b - a) for a, b in zip([1500.0, 400.0, 150.0], MEAN, strict=True)] for far in (1.25, 1.5)}
REST = [(4 * last - lucky) / 3 for last, lucky in zip(LAST, LUCKY, strict=True)]
EVOLVED = Evolved([REST, REST, REST, LUCKY], MEAN)
"""A population whose mean is LAST, and of which LUCKY does best."""


def last_choice(rates, final_games=100, game=GAME):
    """Return what is chosen by duels with known rates, in which all else draws level, and the contests of the duels."""
    ga = Genetic(Space(ValueAgent(), list(AIM)), game, dataclasses.replace(SETTINGS, final_games=final_games), 3, None)
    known = {ga.space.spec(ga.space.fitted(values)): rate for values, rate in rates}
    start, lucky, duels = ga.space.spec(ga.space.start), ga.space.spec(LUCKY), []

    def held(contests):
        results = []
        for contest in contests:
            if start not in contest.agents:
                results.append([Standing(contest.games, float(text == lucky), 0.0) for text in contest.agents])
                continue
            duels.append(contest)
            rate = next(known.get(text, 0.5) for text in contest.agents if text != start)
            share = {True: contest.games * (1.0 - rate), False: contest.games * rate}
            results.append([Standing(contest.games, share[text == start] / 2, 0.0) for text in contest.agents])
        return results

    ga.held = held
    return ga.best(EVOLVED), duels


def test_the_mean_of_the_second_half_is_the_best_unless_others_do_better():
    assert last_choice([])[0] == MEAN
    assert last_choice([(MEAN, 0.6), (LUCKY, 0.55)])[0] == MEAN
    assert last_choice([(LAST, 0.55)])[0] == LAST
    assert last_choice([(BEYOND[1.25], 0.55)])[0] == BEYOND[1.25]
    assert last_choice([(BEYOND[1.25], 0.55), (BEYOND[1.5], 0.57)])[0] == BEYOND[1.5]


def test_an_individual_must_be_better_than_luck_explains():
    rates = [(MEAN, 0.6), (LUCKY, 0.62)]
    assert last_choice(rates, 100)[0] == MEAN  # 0.02, a standard error of 0.012
    assert last_choice(rates, 400)[0] == LUCKY
    assert last_choice([(LAST, 0.6), (LUCKY, 0.61)], 100)[0] == LAST
    assert last_choice([(LUCKY, 0.6)], 100)[0] == LUCKY


def test_candidates_of_the_last_choice_play_the_same_games():
    _, duels = last_choice([])
    games = {}
    for contest in duels:
        games.setdefault(contest.seed, []).append((contest.games, frozenset(contest.agents)))
    assert sorted({len(same) for same in games.values()}) == [2, 3, 5]
    for same in games.values():
        assert len({agents for _, agents in same}) == len(same)
        assert len({number for number, _ in same}) == 1
    assert sum(contest.games for contest in duels) == 9600


def test_equal_candidates_play_once():
    ga = evolution(held=fake_results)
    start = ga.space.fitted(ga.space.start)
    ga.held = lambda contests: [[Standing(c.games, 0.0, 0.0)] * len(c.agents) for c in contests]
    ga.against_start = None
    assert ga.best(Evolved([start] * 4, start)) == start


def test_with_an_odd_number_of_players_the_mean_of_the_second_half_is_the_best():
    assert last_choice([(LUCKY, 1.0)], game=GameSpec("catan", (("players", "3"),))) == (MEAN, [])


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


class Half(random.Random):
    """Chance that always says a half."""

    def random(self):
        return 0.5


def by_factors(start=0.2):
    """Return the algorithm for a number on a log scale."""
    space = Space(UCTAgent(UCTParameters(temperature=start)), ["temperature"])
    return Genetic(space, GameSpec("tictactoe"), dataclasses.replace(SETTINGS, rate=0.0), 3, fake_results)


def test_children_of_numbers_tuned_by_factors_are_on_the_line_of_factors():
    people = [[0.2], [0.8], [7.0], [9.0]]
    by_factors()._replace(people, [0, 1, 2, 3], Half())
    assert people[:2] == [[0.2], [0.8]]
    assert [value for (value,) in people[2:]] == pytest.approx([0.4, 0.1])


def test_candidates_for_the_best_are_on_the_line_of_factors():
    ga, seen = by_factors(), []

    def against_start(values, games, *path):
        seen.append(values[0])
        return Duel(games, games / 2)

    ga.against_start = against_start
    ga._narrowed = lambda population: [5.0]
    ga.best(Evolved([[0.1], [0.4], [1.6]], [math.log(0.8)]))
    assert seen[:5] == pytest.approx([0.8, 0.4, 0.2 * 4**1.25, 1.6, 5.0])


def test_the_course_of_numbers_tuned_by_factors_is_one_of_factors(tmp_path):
    ga, populations = by_factors(), []
    ga.settings = dataclasses.replace(SETTINGS, iterations=2, population=4, tournaments=1)
    ga.held = lambda contests: [[Standing(2, float(i == 0), 0.0) for i in range(4)] for _ in contests]
    training = Training(tmp_path / "a", {}, resume=False)
    evolved = ga.run(training, lambda *_: populations.append(training.state["population"]))
    assert evolved.course == pytest.approx([sum(math.log(value) for (value,) in populations[1]) / 4])
    assert training.metrics[1]["temperature_mean"] == pytest.approx(math.exp(evolved.course[0]))


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
