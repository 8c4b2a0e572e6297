"""What benchmarks/scaling.py computes from costs that are known, and how long the calls of a crew are."""

import importlib.util
import sys
import time
from pathlib import Path

import pytest

from oponente.arena.ray_crew import LEAST_CALL_SECONDS, MOST_CALL_SECONDS, RayCrew

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def scaling():
    name = "benchmarks_scaling"
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / "scaling.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


def test_cores_set_the_pace_until_the_driver_does(scaling):
    costs = scaling.Costs(game=0.02, call=0.002, driver_call=0.001, driver_game=90e-6)
    few, many = (scaling.scaling(costs, 1_000_000, cores, 2.0) for cores in (10, 1000))
    # 100 games a call: 20.02 ms of a core and 100 us of the driver a game.
    assert (few.games_a_call, many.games_a_call) == (100, 100)
    assert few.wall == pytest.approx(2002.0)
    assert few.efficiency == pytest.approx(20 / 20.02)
    assert few.driver == pytest.approx(100 / 2002)
    assert many.wall == pytest.approx(100.0)
    assert many.efficiency == pytest.approx(0.2)
    assert many.driver == pytest.approx(1.0)
    assert scaling.limit(costs, 1_000_000, 2.0) == 200


def test_calls_are_short_where_few_games_are_left_for_each(scaling):
    costs = scaling.Costs(game=1e-4, call=0.0, driver_call=0.0, driver_game=1e-9)
    assert scaling.per_call(costs, 1_000_000, 1, 2.0) == 1000
    assert scaling.per_call(costs, 4_000, 100, 2.0) == 10
    assert scaling.per_call(scaling.Costs(60.0, 0.0, 0.0, 0.0), 4_000, 1, 2.0) == 1


def test_calls_of_a_crew_last_longer_as_a_match_goes_on():
    crew = RayCrew.__new__(RayCrew)  # without a cluster
    assert crew._call_seconds() == LEAST_CALL_SECONDS
    crew.began = time.perf_counter() - 20.0
    assert crew._call_seconds() == pytest.approx(1.0, abs=0.2)
    crew.began = time.perf_counter() - 1e4
    assert crew._call_seconds() == MOST_CALL_SECONDS
