"""Tables of means beside published ones."""

import pytest

from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED
from oponente.arena.studies.estimates import Sample
from oponente.arena.studies.means import Cell, cell, judge_means, share_cell


def fact(mean, sd, games):
    return {"games": games, "mean": mean, "sd": sd, "histogram": None}


def test_a_mean_is_compared_by_both_samples():
    near = cell("points", fact(8.0, 2.0, 200), 8.3, 200)
    assert near.agrees
    assert near.shown() == ("8.00", "7.72 .. 8.28", "8.30")
    assert not cell("points", fact(8.0, 2.0, 200), 8.3, 200, sd=0.1).agrees
    assert not cell("points", fact(8.0, 2.0, 200), 8.5, 200).agrees
    low, high = near.difference
    assert low == pytest.approx(-0.3 - 1.966 * 0.2, abs=0.001)
    assert high == pytest.approx(-0.3 + 1.966 * 0.2, abs=0.001)


def test_a_share_has_the_intervals_of_rates():
    found = share_cell("longest road", fact(0.5, 0.5, 100), 0.6, 100)
    assert found.agrees
    assert found.shown() == ("50.0 %", "40.4 .. 59.6 %", "60.0 %")
    assert not share_cell("longest road", fact(0.5, 0.5, 100), 0.7, 100).agrees


def cells(near, far, games=100):
    of = [Cell("near", Sample(1.0, 1.0, games), Sample(1.0, 1.0, 100)) for _ in range(near)]
    return of + [Cell("far", Sample(1.0, 1.0, games), Sample(2.0, 1.0, 100)) for _ in range(far)]


@pytest.mark.parametrize(
    ("near", "far", "finding"),
    [(1, 0, REPRODUCED), (0, 1, DIFFERS), (3, 1, DIFFERS), (5, 1, REPRODUCED), (4, 2, DIFFERS), (22, 2, REPRODUCED)],
)
def test_of_many_cells_some_may_be_off_by_chance(near, far, finding):
    assert judge_means("key", "claim", cells(near, far), "").finding == finding


def test_few_games_decide_nothing():
    verdict = judge_means("key", "claim", cells(6, 0, games=99), "")
    assert verdict.finding == UNDECIDED
    assert verdict.evidence == "6 of 6 agree."


def test_one_game_has_no_interval():
    one = cell("points", fact(8.0, None, 1), 8.3, 200)
    assert one.shown() == ("8.00", "-", "8.30")
    assert judge_means("key", "claim", [one], "").numbers == {"points": [8.0, 8.3, None, None]}


def test_what_is_off_is_named():
    assert judge_means("key", "claim", cells(5, 1), "").evidence == "5 of 6 agree; others: far 1.00 (thesis 2.00)."
