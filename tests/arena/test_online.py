"""Online ratings: what they make of games, order and copies included."""

import pytest

from oponente.arena.online import SYSTEMS, formula1_ratings, glicko2_ratings, openskill_ratings
from oponente.arena.ratings import Glicko2
from oponente.arena.weng_lin import Skill, updated

GAMES = [((0, 1), (1.0, -1.0)), ((1, 0), (0.0, 0.0)), ((0, 2), (1.0, -1.0))]


def test_glicko_2_counts_a_period_at_once():
    new = Glicko2()
    wanted = [
        new.updated([(new, 1.0), (new, 0.5), (new, 1.0)]),
        new.updated([(new, 0.0), (new, 0.5)]),
        new.updated([(new, 0.0)]),
        new.updated([]),
    ]
    found = glicko2_ratings([GAMES], 4)
    assert [rating.rating for rating in found] == [pytest.approx(one.rating) for one in wanted]
    assert [rating.interval for rating in found] == [pytest.approx(one.interval) for one in wanted]
    apart = glicko2_ratings([[game] for game in GAMES], 4)
    assert apart[0].rating != found[0].rating


def test_glicko_2_takes_a_game_of_three_for_three_games():
    found = glicko2_ratings([[((2, 0, 1), (0.0, 1.0, -1.0))]], 3)
    pairs = glicko2_ratings([[((0, 1), (1.0, 0.0)), ((0, 2), (1.0, 0.0)), ((2, 1), (1.0, 0.0))]], 3)
    assert found == pairs
    assert found[0].rating > found[2].rating == 1500.0 > found[1].rating


def test_openskill_counts_game_by_game():
    first, second = updated([Skill(), Skill()], GAMES[0][1])
    second, first = updated([second, first], GAMES[1][1])
    first, third = updated([first, Skill()], GAMES[2][1])
    for periods in ([GAMES], [[game] for game in GAMES]):
        found = openskill_ratings(periods, 3)
        assert [rating.rating for rating in found] == [first.mean, second.mean, third.mean]
        assert found[0].interval == first.interval


def test_copies_of_an_entrant_share_what_they_gain():
    (found, other) = openskill_ratings([[((0, 1, 1), (-1.0, 1.0, -1.0))]], 2)
    loser, winner, also = updated([Skill()] * 3, (-1.0, 1.0, -1.0))
    assert found.rating == loser.mean
    assert other.rating == pytest.approx((winner.mean + also.mean) / 2)
    assert glicko2_ratings([[((0, 0), (1.0, -1.0))]], 1) == glicko2_ratings([[]], 1), "a game against oneself is none"


def test_formula_1_points_are_added_race_by_race():
    """By hand. Race 1: 0 has 2.5 of 3 games, 1 has 0.5 of 2, 2 lost its only one, 3 is absent.

    Race 2: 1 and 2 share the first two places (25 and 18), 0 comes third.
    """
    second = [((1, 2), (0.0, 0.0)), ((1, 0), (1.0, -1.0)), ((0, 2), (-1.0, 1.0))]
    found = formula1_ratings([GAMES, second], 4)
    assert [rating.rating for rating in found] == [25.0 + 15.0, 18.0 + 21.5, 15.0 + 21.5, 0.0]
    assert {rating.interval for rating in found} == {None}


def test_formula_1_takes_the_utility_where_shares_are_equal():
    # Both 1 and 2 lose; 2 by less.
    assert [r.rating for r in formula1_ratings([[((0, 1, 2), (3.0, 0.0, 2.0))]], 3)] == [25.0, 15.0, 18.0]
    # Copies count by their mean: 1 has a share of 1/2, as 0 has, and the greater mean utility.
    games = [((0, 1, 1), (2.0, 3.0, 1.0)), ((0, 1, 1), (2.0, 1.0, 1.0)), ((2, 1, 1), (0.0, 0.0, 4.0))]
    assert [r.rating for r in formula1_ratings([games], 3)] == [25.0, 18.0, 15.0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_wins_more_is_rated_higher(system):
    games = [((0, 1), (1.0, -1.0)), ((1, 2), (1.0, -1.0)), ((0, 2), (1.0, -1.0))] * 10
    ratings = [found.rating for found in SYSTEMS[system]([games], 3)]
    assert ratings == sorted(ratings, reverse=True)
