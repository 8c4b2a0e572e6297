"""Catan: how games end (ruling 4)."""

import pytest

from oponente.games.catan.cards import KNIGHT, MONOPOLY, ROAD_BUILDING, VICTORY_POINT
from oponente.games.catan.moves import (
    BEFORE_ROLL,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    DICE,
    DRAW_CARD,
    END_TURN,
    PLAY_KNIGHT,
    PLAY_ROAD_BUILDING,
    ROLL,
)
from tests.games.catan.positions import Position, edge, node, robber


def nine_points(seat, **options):
    return Position(**options).city(seat, "a3", "a5", "a7", "a9").settlement(seat, "c4")


def assert_won(position, seat):
    assert position.state.is_terminal
    assert position.record.winner == seat
    players = position.game.num_players
    assert position.state.returns == [1.0 if s == seat else -1.0 for s in range(players)]


def test_tenth_point_by_building_wins_at_once():
    position = nine_points(0).road(0, "c4-c5-c6").give_for(0, settlements=1)
    assert not position.state.is_terminal
    assert_won(position.do(BUILD_SETTLEMENT + node("c6")), 0)


def test_tenth_point_by_a_city_wins():
    position = Position().city(0, "a3", "a5", "a7").settlement(0, "c4", "c6", "e4").give_for(0, cities=1)
    assert_won(position.do(BUILD_CITY + node("c4")), 0)


def test_points_to_win_are_an_option():
    position = Position(points=3).settlement(0, "c4", "e4").give_for(0, cities=1)
    assert_won(position.do(BUILD_CITY + node("c4")), 0)


def test_drawing_a_victory_point_wins_at_once():
    assert_won(nine_points(0).give_for(0, cards=1).do(BUY_CARD, DRAW_CARD + VICTORY_POINT), 0)


def test_drawing_another_card_does_not():
    assert not nine_points(0).give_for(0, cards=1).do(BUY_CARD, DRAW_CARD + MONOPOLY).state.is_terminal


def test_hidden_victory_points_count():
    position = Position().city(0, "a3", "a5", "a7").settlement(0, "c4").develop(0, VICTORY_POINT, VICTORY_POINT)
    position.road(0, "c4-c5-c6").give_for(0, settlements=1)
    assert_won(position.do(BUILD_SETTLEMENT + node("c6")), 0)


def test_largest_army_wins():
    position = nine_points(0).develop(0, KNIGHT)
    position.record.played[0][KNIGHT] = 2
    position.record.deck[KNIGHT] -= 2
    assert_won(position.do(PLAY_KNIGHT), 0)


def test_longest_road_from_road_building_wins_before_the_roll():
    position = nine_points(0).road(0, "c4-c5-c6-c7-c8").develop(0, ROAD_BUILDING).turn(0, BEFORE_ROLL)
    assert_won(position.do(PLAY_ROAD_BUILDING, BUILD_ROAD + edge("c8-c9")), 0)


def cut_for_another():
    """Seat 3 is about to cut the longest road, which makes seat 1 the holder, with 11 points."""
    position = nine_points(1).road(0, "d3-d4-d5-d6-d7-d8-d9").holder(0).road(1, "e2-e3-e4-e5-e6-e7")
    return position.road(3, "c5-d5").turn(3).give_for(3, settlements=1)


def test_nobody_wins_on_anothers_turn():
    position = cut_for_another().do(BUILD_SETTLEMENT + node("d5"))
    assert position.record.road_holder == 1
    assert position.record.points[1] == 11
    assert not position.state.is_terminal


def test_who_has_enough_wins_at_once_when_the_own_turn_begins():
    position = cut_for_another().do(BUILD_SETTLEMENT + node("d5"), END_TURN)
    assert not position.state.is_terminal  # it is the turn of seat 0
    position.do(ROLL, DICE + 12, END_TURN)
    assert_won(position, 1)


def test_points_lost_before_the_own_turn_do_not_win():
    position = cut_for_another().do(BUILD_SETTLEMENT + node("d5"), END_TURN)
    position.record.road_holder, position.record.points[1] = -1, 9
    assert not position.do(ROLL, DICE + 12, END_TURN).state.is_terminal


def test_switch_win_on_any_turn():
    position = Position(win_on_any_turn=True).city(1, "a3", "a5", "a7", "a9").settlement(1, "c4")
    position.road(0, "d3-d4-d5-d6-d7-d8-d9").holder(0).road(1, "e2-e3-e4-e5-e6-e7")
    position.road(3, "c5-d5").turn(3).give_for(3, settlements=1).do(BUILD_SETTLEMENT + node("d5"))
    assert_won(position, 1)


def test_nothing_is_possible_after_the_end():
    position = nine_points(0).give_for(0, cards=1).do(BUY_CARD, DRAW_CARD + VICTORY_POINT)
    assert position.listed() == []
    assert not position.can(END_TURN)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_game_that_reaches_the_limit_of_turns_is_a_draw(players):
    position = Position(players=players, turn_limit=2)
    position.do(END_TURN)
    assert not position.state.is_terminal
    position.do(ROLL, DICE + 2, END_TURN)
    assert position.state.is_terminal
    assert position.record.winner == 4
    assert position.state.returns == pytest.approx([(2 - players) / players] * players)


def test_limit_of_zero_turns_is_none():
    position = Position(players=2, turn_limit=0)
    position.record.turn = 5000
    assert not position.do(END_TURN).state.is_terminal


def test_turns_pass_to_the_left():
    position = Position(players=3)
    order = []
    for _ in range(4):
        order.append(position.state.player)
        position.do(END_TURN, ROLL, DICE + 2)
    assert order == [0, 1, 2, 0]


def test_a_knight_that_makes_no_largest_army_wins_nothing():
    position = nine_points(0).develop(0, KNIGHT)
    assert not position.do(PLAY_KNIGHT, robber(0)).state.is_terminal
