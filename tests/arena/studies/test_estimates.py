"""Intervals agree with published tables."""

from __future__ import annotations

import math

import pytest

from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.estimates import (
    difference_interval,
    mean_estimate,
    mean_rate_interval,
    slope,
    student_t95,
)


@pytest.mark.parametrize(
    ("freedom", "point"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423), (1000, 1.9623)],
)
def test_points_of_students_distribution(freedom: int, point: float) -> None:
    assert student_t95(freedom) == pytest.approx(point, rel=0.004 if freedom == 3 else 0.0012)


def test_mean_with_interval() -> None:
    estimate = mean_estimate([2.0, 4.0, 6.0, 8.0])
    assert estimate.value == 5.0
    reach = 3.1824 * math.sqrt(20 / 3 / 4)
    assert (estimate.low, estimate.high) == (pytest.approx(5 - reach, rel=0.02), pytest.approx(5 + reach, rel=0.02))


def test_the_mean_of_rates_has_an_interval() -> None:
    assert mean_rate_interval([(56, 70)]) == pytest.approx(wilson_interval(56, 70)), "one alone has that of Wilson"
    low, high = mean_rate_interval([(50, 100)] * 4)
    reach = 1.96 * math.sqrt(4 * 0.25 / 100) / 4
    assert (low, high) == (pytest.approx(0.5 - reach, abs=0.002), pytest.approx(0.5 + reach, abs=0.002))
    low, high = mean_rate_interval([(0, 10), (10, 10)])
    assert 0.3 < low < 0.5 < high < 0.7, "rates at the ends are no certain ones"


def test_too_few_values_bound_nothing() -> None:
    one, none = mean_estimate([3.0]), mean_estimate([])
    assert (one.value, one.low, one.high) == (3.0, -math.inf, math.inf)
    assert none.count == 0
    assert math.isnan(none.value)


def test_slope() -> None:
    assert slope([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("a", "b", "interval"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table II, method 10.
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((10, 10), (0, 20), (0.6791, 1.0)),
    ],
)
def test_the_interval_of_a_difference_is_the_published_one(
    a: tuple[int, int], b: tuple[int, int], interval: tuple[float, float]
) -> None:
    assert difference_interval(*a, *b) == pytest.approx(interval, abs=5e-5)
