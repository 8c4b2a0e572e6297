"""Online ratings: what they make of games, order and copies included."""

import pytest

from oponente.arena.online import SYSTEMS, glicko2_ratings, openskill_ratings
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


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_wins_more_is_rated_higher(system):
    games = [((0, 1), (1.0, -1.0)), ((1, 2), (1.0, -1.0)), ((0, 2), (1.0, -1.0))] * 10
    ratings = [found.rating for found in SYSTEMS[system]([games], 3)]
    assert ratings == sorted(ratings, reverse=True)
