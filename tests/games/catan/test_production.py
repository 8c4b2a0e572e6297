"""Catan: what the dice bring, and a bank that is short (ruling 3)."""

import pytest

from oponente.games.catan.moves import BANK_TRADE, DICE, END_TURN, MAIN, ROLL, ROLLING
from oponente.kernel import CHANCE
from tests.games.catan.positions import Position, cards_in


def before_roll(**options):
    position = Position(**options)
    position.turn(0, phase=2)
    return position


def roll(position, number):
    return position.do(ROLL, DICE + number)


def test_dice_are_the_sum_of_two():
    position = before_roll().do(ROLL)
    assert position.state.player == CHANCE
    assert position.record.phase == ROLLING
    outcomes = dict(position.state.chance_outcomes)
    assert outcomes == pytest.approx({DICE + a: min(a - 1, 13 - a) / 36 for a in range(2, 13)})


def test_settlement_brings_one_card_and_city_two():
    position = before_roll().settlement(0, "a3").city(1, "a5")  # both at tile 0: ore, 10
    roll(position, 10)
    assert position.hand(0) == {"ore": 1}
    assert position.hand(1) == {"ore": 2}
    assert position.bank()["ore"] == 16


def test_all_hexes_of_a_number_bring_cards():
    position = before_roll().settlement(0, "a3", "b9")  # ore, 10; wool, 4 and brick, 10
    roll(position, 10)
    assert position.hand(0) == {"brick": 1, "ore": 1}


def test_another_number_brings_nothing():
    position = before_roll().settlement(0, "a3")
    roll(position, 9)
    assert position.hand(0) == {}


def test_robber_blocks_its_hex():
    position = before_roll().settlement(0, "a3", "b9")
    position.record.robber = 0
    roll(position, 10)
    assert position.hand(0) == {"brick": 1}


def test_after_the_roll_comes_trade_and_building_and_no_second_roll():
    position = roll(before_roll(), 9)
    assert position.record.phase == MAIN
    assert not position.can(ROLL)
    assert position.can(END_TURN)


def test_turn_cannot_end_before_the_roll():
    assert before_roll().listed() == [ROLL]


def test_all_see_what_is_produced():
    position = roll(before_roll().settlement(1, "a3"), 10)
    assert [cards_in(position.record.known[1, observer]) for observer in range(5)] == [{"ore": 1}] * 5


def short_of_ore(left):
    return before_roll().give(3, ore=19 - left).settlement(3)


def test_bank_short_for_more_than_one_player_pays_nobody():
    position = roll(short_of_ore(2).city(0, "a3").settlement(1, "a5"), 10)
    assert position.hand(0) == position.hand(1) == {}
    assert position.bank()["ore"] == 2


def test_bank_short_for_one_player_pays_what_is_left():
    position = roll(short_of_ore(1).city(0, "a3"), 10)
    assert position.hand(0) == {"ore": 1}
    assert "ore" not in position.bank()


def test_bank_with_just_enough_pays_all():
    position = roll(short_of_ore(3).city(0, "a3").settlement(1, "a5"), 10)
    assert position.hand(0) == {"ore": 2}
    assert position.hand(1) == {"ore": 1}


def test_bank_short_of_one_resource_pays_the_others():
    position = roll(short_of_ore(1).settlement(0, "a3", "b9").settlement(1, "a5"), 10)
    assert position.hand(0) == {"brick": 1}
    assert position.hand(1) == {}


def test_bank_short_of_one_resource_pays_the_last_of_another():
    position = roll(short_of_ore(1).give(3, brick=18).settlement(0, "a3", "b9").settlement(1, "a5"), 10)
    assert position.hand(0) == {"brick": 1}
    assert "brick" not in position.bank()


def test_one_player_due_at_two_hexes_is_still_one_player():
    position = roll(short_of_ore(1).settlement(0, "a3", "a5"), 10)
    assert position.hand(0) == {"ore": 1}


def test_switch_lone_claimant_unpaid():
    position = before_roll(lone_claimant_unpaid=True).give(3, ore=18).city(0, "a3")
    roll(position, 10)
    assert position.hand(0) == {}


def test_bank_without_limit_pays_on():
    position = before_roll(bank="unlimited").give(3, ore=40).city(0, "a3").settlement(1, "a5")
    roll(position, 10)
    assert position.hand(0) == {"ore": 2}
    assert position.bank()["ore"] == 120 - 43


def test_empty_bank_sells_nothing():
    position = Position().give(1, ore=19).give(0, wool=4)
    assert sorted(position.listed_in(BANK_TRADE, 25)) == [10, 11, 13]
