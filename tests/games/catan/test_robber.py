"""Catan: discarding, moving the robber, stealing (ruling 6), and the friendly robber."""

import pytest

from oponente.games.catan.cards import ORE, VICTORY_POINT, WOOL
from oponente.games.catan.moves import (
    BEFORE_ROLL,
    DICE,
    DISCARD,
    DISCARDING,
    MAIN,
    MOVE_ROBBER,
    PLAY_KNIGHT,
    ROBBING,
    ROLL,
    STEAL,
    UNSEEN,
)
from oponente.kernel import CHANCE
from tests.games.catan.positions import Position, cards_in, robber


def rolled_seven(position):
    return position.turn(position.record.mover, BEFORE_ROLL).do(ROLL, DICE + 7)


def robbing(**options):
    position = Position(**options)
    position.turn(0, ROBBING, rolled=7)
    return position


@pytest.mark.parametrize(("cards", "left"), [(7, 7), (8, 4), (9, 5), (15, 8)])
def test_more_than_seven_cards_cost_half_rounded_down(cards, left):
    position = rolled_seven(Position().give(1, wool=cards))
    while position.record.phase == DISCARDING:
        assert position.state.player == 1
        position.do(DISCARD + WOOL)
    assert position.hand(1) == {"wool": left}
    assert position.bank()["wool"] == 19 - left


def test_all_discard_then_the_player_on_turn_moves_the_robber():
    position = Position().give(0, wool=8).give(2, ore=9)
    rolled_seven(position.turn(1))
    assert position.state.player == 0
    position.do(*[DISCARD + WOOL] * 4)
    assert position.state.player == 2
    position.do(*[DISCARD + ORE] * 4)
    assert position.state.player == 1
    assert position.record.phase == ROBBING


def test_players_choose_what_they_discard_card_by_card():
    position = rolled_seven(Position().give(1, wool=7, ore=1))
    assert position.listed() == [DISCARD + WOOL, DISCARD + ORE]
    position.do(DISCARD + ORE)
    assert position.listed() == [DISCARD + WOOL]


def test_discard_limit_is_an_option():
    assert rolled_seven(Position(discard_limit=9).give(1, wool=9)).record.phase == ROBBING
    assert rolled_seven(Position(discard_limit=9).give(1, wool=10)).record.owed[1] == 5


def test_knight_makes_nobody_discard():
    position = Position().give(1, wool=9).develop(0, 0).do(PLAY_KNIGHT)
    assert position.record.phase == ROBBING


def test_robber_must_move():
    position = robbing()
    tiles = [action // 5 for action in position.listed_in(MOVE_ROBBER, 128)]
    assert sorted(tiles) == [tile for tile in range(19) if tile != 9]
    assert not position.can(robber(9))


def test_robber_may_go_to_the_desert():
    position = robbing()
    position.record.robber = 0
    assert position.can(robber(9))


def test_victim_is_any_opponent_with_cards_at_the_hex():
    position = robbing().settlement(0, "a3").settlement(1, "a5").city(2, "b4").settlement(3, "b10")
    position.give(0, wool=1).give(1, wool=1).give(2, wool=1).give(3, wool=1)
    at_0 = [action % 5 for action in position.listed_in(MOVE_ROBBER, 128) if action // 5 == 0]
    assert at_0 == [1, 2]


def test_somebody_must_be_robbed_if_that_is_possible():
    position = robbing().settlement(1, "a5").give(1, wool=1)
    assert not position.can(robber(0))
    assert position.can(robber(0, 1))


def test_player_without_cards_is_no_victim():
    position = robbing().settlement(1, "a5")
    assert position.can(robber(0))
    assert not position.can(robber(0, 1))


def test_own_settlement_does_not_matter():
    position = robbing().settlement(0, "a3").give(0, wool=2)
    assert position.can(robber(0))
    assert not position.can(robber(0, 0))


def test_theft_is_uniform_over_cards():
    position = robbing().settlement(1, "a5").give(1, wool=3, ore=1).do(robber(0, 1))
    assert position.state.player == CHANCE
    assert dict(position.state.chance_outcomes) == pytest.approx({STEAL + WOOL: 0.75, STEAL + ORE: 0.25})
    position.do(STEAL + ORE)
    assert position.hand(0) == {"ore": 1}
    assert position.hand(1) == {"wool": 3}


def test_only_thief_and_victim_see_the_stolen_card():
    position = robbing().settlement(1, "a5").give(1, wool=3, ore=1).do(robber(0, 1))
    seen = [position.state.observed(STEAL + ORE, seat) for seat in range(4)]
    assert seen == [STEAL + ORE, STEAL + ORE, STEAL + UNSEEN, STEAL + UNSEEN]
    position.do(STEAL + ORE)
    assert [cards_in(position.record.known[0, observer]) for observer in range(5)] == [{"ore": 1}] * 2 + [{}] * 3
    assert cards_in(position.record.known[1, 2]) == {"wool": 2}


def test_a_theft_from_a_hand_of_one_kind_is_no_secret():
    position = robbing().settlement(1, "a5").give(1, wool=3).do(robber(0, 1), STEAL + WOOL)
    assert [cards_in(position.record.known[0, observer]) for observer in range(5)] == [{"wool": 1}] * 5


def test_after_a_seven_the_turn_goes_on():
    position = rolled_seven(Position()).do(robber(0))
    assert position.record.phase == MAIN


def test_after_a_knight_before_the_roll_comes_the_roll():
    position = Position().turn(0, BEFORE_ROLL).develop(0, 0).do(PLAY_KNIGHT, robber(0))
    assert position.listed() == [ROLL]


# --- friendly robber -------------------------------------------------------------------------------------------------


def tiles(position):
    return {action // 5 for action in position.listed_in(MOVE_ROBBER, 128)}


def test_friendly_robber_stays_away_from_players_with_fewer_than_three_points():
    position = robbing(friendly_robber=True).settlement(1, "a5").give(1, wool=1)
    assert tiles(position) == set(range(19)) - {9, 0, 1}
    position.settlement(1, "f3", "f5")
    assert tiles(position) == set(range(19)) - {9}


def test_friendly_robber_may_go_to_the_players_own_hexes():
    position = robbing(friendly_robber=True).settlement(0, "a5")
    assert tiles(position) == set(range(19)) - {9}


def test_friendly_robber_counts_public_points_only():
    position = robbing(friendly_robber=True).settlement(1, "a5", "c1").develop(1, VICTORY_POINT)
    assert 0 not in tiles(position)


def test_switch_friendly_counts_hidden():
    position = robbing(friendly_robber=True, friendly_counts_hidden=True)
    position.settlement(1, "a5", "c1").develop(1, VICTORY_POINT)
    assert 0 in tiles(position)


def test_friendly_robber_with_no_other_hex_may_go_anywhere():
    position = robbing(friendly_robber=True)
    position.record.settlements[1] = (1 << 54) - 1  # at every hex
    position.record.points[1] = 2
    assert tiles(position) == set(range(19)) - {9}
