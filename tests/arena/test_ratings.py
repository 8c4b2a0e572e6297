"""Ratings: the published example of Glicko-2, and Formula-1 points with ties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.arena.ratings import FORMULA_1, Glicko2, formula1_points, glicko2


def test_glickmans_example() -> None:
    player = Glicko2(1500.0, 200.0, 0.06)
    results = [(Glicko2(1400.0, 30.0), 1.0), (Glicko2(1550.0, 100.0), 0.0), (Glicko2(1700.0, 300.0), 0.0)]
    after = player.updated(results, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_who_does_not_play_grows_uncertain() -> None:
    after = Glicko2(1600.0, 200.0, 0.06).updated([])
    assert (after.rating, after.volatility) == (1600.0, 0.06)
    assert after.deviation == pytest.approx((200.0**2 + (0.06 * 173.7178) ** 2) ** 0.5)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.sampled_from([0.0, 0.5, 1.0])), max_size=30)
)
def test_each_result_reads_from_both_sides(results: list[tuple[str, str, float]]) -> None:
    played = [result for result in results if result[0] != result[1]]
    ratings = glicko2("abc", played)
    mirrored = glicko2("abc", [(second, first, 1.0 - score) for first, second, score in played])
    for name in "abc":
        assert mirrored[name].rating == pytest.approx(ratings[name].rating)


def test_more_wins_a_higher_rating() -> None:
    ratings = glicko2("abc", [("a", "b", 1.0), ("a", "c", 1.0), ("b", "c", 1.0)] * 5)
    assert ratings["a"].rating > ratings["b"].rating > ratings["c"].rating
    assert ratings["a"].rating - 1500.0 == pytest.approx(1500.0 - ratings["c"].rating)


def test_points_by_place() -> None:
    places = {number: (-number,) for number in range(12)}
    assert formula1_points(places) == {**dict(enumerate(map(float, FORMULA_1))), 10: 0.0, 11: 0.0}


def test_equals_share_points() -> None:
    assert formula1_points({"a": (1, 5), "b": (2, 0), "c": (1, 5)}) == {"a": 16.5, "b": 25.0, "c": 16.5}
