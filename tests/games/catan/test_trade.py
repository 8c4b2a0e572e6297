"""Catan: trade with the bank and between players (ruling 7)."""

import pytest

from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BEFORE_ROLL,
    BUILD_SETTLEMENT,
    CONFIRM,
    CONFIRMING,
    DICE,
    END_TURN,
    MAIN,
    OFFER,
    REJECT,
    ROLL,
    WITHDRAW,
    offer_id,
    offered,
)
from tests.games.catan.positions import Position, bank_trade, cards_in, node, offer, robber

WOOL_FOR_ORE = offer({"wool": 1}, {"ore": 1})


def two_hands(**options):
    return Position(**options).give(0, wool=3).give(1, ore=3).give(2, ore=1, grain=2)


# --- maritime trade --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("harbour", "wool", "ore"),
    [
        (None, 4, 4),
        ("a3", 3, 3),  # any three for one
        ("e9", 2, 4),  # wool
        ("b10", 4, 2),  # ore
    ],
)
def test_rates(harbour, wool, ore):
    for resource, rate in (("wool", wool), ("ore", ore)):
        for count in (rate - 1, rate):
            position = Position().give(0, **{resource: count})
            if harbour:
                position.settlement(0, harbour)
            assert position.can(bank_trade(resource, "grain")) == (count == rate)
            if count == rate:
                position.do(bank_trade(resource, "grain"))
                assert position.hand(0) == {"grain": 1}
                assert position.bank()[resource] == 19


def test_best_rate_of_several_harbours_is_taken():
    position = Position().settlement(0, "a3", "e9").give(0, wool=3)
    position.do(bank_trade("wool", "ore"))
    assert position.hand(0) == {"wool": 1, "ore": 1}


def test_a_city_at_a_harbour_serves_too():
    assert Position().city(0, "e9").give(0, wool=2).can(bank_trade("wool", "ore"))


def test_anothers_harbour_does_not_serve():
    assert not Position().settlement(1, "e9").give(0, wool=2).can(bank_trade("wool", "ore"))


def test_a_new_harbour_may_be_used_at_once():
    position = Position().road(0, "e7-e8-e9").give_for(0, settlements=1).give(0, wool=2)
    assert not position.can(bank_trade("wool", "ore"))
    position.do(BUILD_SETTLEMENT + node("e9"), bank_trade("wool", "ore"))
    assert position.hand(0) == {"ore": 1}


def test_trade_and_building_mix_in_any_order():
    position = Position().settlement(0, "c4").road(0, "c4-c5-c6").give_for(0, settlements=1).give(0, ore=4)
    position.do(BUILD_SETTLEMENT + node("c6"), bank_trade("ore", "wool"))
    assert position.record.phase == MAIN
    assert position.hand(0) == {"wool": 1}


def test_no_trade_before_the_roll():
    position = two_hands().turn(0, BEFORE_ROLL)
    assert position.listed() == [ROLL]
    assert not position.can(WOOL_FOR_ORE)


# --- domestic trade: the offer ---------------------------------------------------------------------------------------


def test_offers_are_only_of_cards_one_has():
    position = two_hands()
    assert position.can(offer({"wool": 3}, {"ore": 1}))
    assert not position.can(offer({"wool": 4}, {"ore": 1}))
    assert not position.can(offer({"wool": 1, "grain": 1}, {"ore": 1}))


def test_any_amounts_may_be_offered_and_wanted():
    position = two_hands().give(0, grain=1)
    assert position.can(offer({"wool": 2, "grain": 1}, {"ore": 2, "brick": 1}))
    assert position.can(offer({"wool": 1}, {"ore": 15}))  # whether anyone has them is for the others to say


def test_no_gifts():
    position = two_hands()
    assert not position.can(offer({"wool": 1}, {}))
    assert not position.can(offer({}, {"ore": 1}))
    assert not position.can(offer({}, {}))


def test_nothing_for_the_same():
    with pytest.raises(ValueError, match="none on both sides"):
        offer_id((0, 0, 2, 0, 0), (0, 0, 1, 0, 0))


def test_offers_read_back():
    assert offered(offer_id((0, 1, 2, 0, 0), (3, 0, 0, 0, 31))) == ((0, 1, 2, 0, 0), (3, 0, 0, 0, 31))


def test_numbers_beyond_all_offers_are_none():
    assert not two_hands().can(OFFER + 63**5)


def test_listed_are_the_offers_of_one_card_for_one_other():
    position = two_hands().give(0, ore=1)
    listed = [offered(action) for action in position.listed() if action >= OFFER]
    assert len(listed) == 8
    assert all(sum(give) == sum(want) == 1 for give, want in listed)
    assert {give.index(1) for give, _ in listed} == {2, 4}


def test_only_the_player_on_turn_makes_offers_and_the_others_answer_in_ascending_order():
    position = Position().give(2, wool=1).turn(2).do(WOOL_FOR_ORE)
    asked = []
    while position.record.phase == ANSWERING:
        asked.append(position.state.player)
        position.do(REJECT)
    assert asked == [0, 1, 3]


def test_trade_may_be_switched_off():
    position = two_hands(trade=False)
    assert not position.can(WOOL_FOR_ORE)
    assert all(action < OFFER for action in position.listed())


def test_offers_in_a_turn_are_limited():
    position = two_hands(offers=2)
    for _ in range(2):
        position.do(WOOL_FOR_ORE, REJECT, REJECT, REJECT)
    assert not position.can(WOOL_FOR_ORE)
    position.do(END_TURN, ROLL, DICE + 2)
    assert position.can(offer({"ore": 1}, {"wool": 1}))


# --- the answers -----------------------------------------------------------------------------------------------------


def test_only_who_has_the_cards_may_accept():
    position = two_hands().do(offer({"wool": 1}, {"ore": 2}))
    assert position.listed() == [ACCEPT, REJECT]
    position.do(REJECT)
    assert position.listed() == [REJECT]


def test_all_answer_before_the_offerer_confirms():
    position = two_hands().do(WOOL_FOR_ORE, ACCEPT)
    assert position.state.player == 2
    position.do(ACCEPT)
    assert position.state.player == 3
    position.do(REJECT)
    assert position.state.player == 0
    assert position.record.phase == CONFIRMING
    assert position.listed() == [CONFIRM + 1, CONFIRM + 2, WITHDRAW]


def test_a_trade_moves_the_cards():
    position = two_hands().do(offer({"wool": 2}, {"ore": 1}), ACCEPT, ACCEPT, REJECT, CONFIRM + 2)
    assert position.hand(0) == {"wool": 1, "ore": 1}
    assert position.hand(1) == {"ore": 3}
    assert position.hand(2) == {"wool": 2, "grain": 2}
    assert position.record.phase == MAIN
    assert position.state.player == 0


def test_the_offerer_may_withdraw():
    position = two_hands().do(WOOL_FOR_ORE, ACCEPT, REJECT, REJECT, WITHDRAW)
    assert position.hand(0) == {"wool": 3}
    assert position.record.phase == MAIN


def test_an_offer_that_all_reject_is_off_at_once():
    position = two_hands().do(WOOL_FOR_ORE, REJECT, REJECT, REJECT)
    assert position.record.phase == MAIN
    assert position.record.offer == 0


# --- counter-offers --------------------------------------------------------------------------------------------------


def test_counter_offers_are_legal_but_not_listed():
    position = two_hands().do(WOOL_FOR_ORE)
    counter = offer({"ore": 1}, {"wool": 2})
    assert position.can(counter)
    assert counter not in position.listed()


def test_counter_offers_are_of_cards_one_has_and_no_gifts():
    position = two_hands().do(WOOL_FOR_ORE)
    assert not position.can(offer({"grain": 1}, {"wool": 1}))
    assert not position.can(offer({"ore": 1}, {}))
    assert not position.can(offer({}, {"wool": 1}))


def test_a_counter_offer_that_is_taken_trades_on_its_terms():
    position = two_hands().do(WOOL_FOR_ORE, offer({"ore": 2}, {"wool": 3}), REJECT, REJECT)
    assert position.listed() == [CONFIRM + 1, WITHDRAW]
    position.do(CONFIRM + 1)
    assert position.hand(0) == {"ore": 2}
    assert position.hand(1) == {"wool": 3, "ore": 1}


def test_a_counter_offer_that_cannot_be_paid_cannot_be_confirmed():
    position = two_hands().do(WOOL_FOR_ORE, offer({"ore": 1}, {"wool": 4}), ACCEPT, REJECT)
    assert position.listed() == [CONFIRM + 2, WITHDRAW]


def test_a_counter_offer_that_cannot_be_paid_can_only_be_withdrawn_from():
    position = two_hands().do(WOOL_FOR_ORE, offer({"ore": 1}, {"wool": 4}), REJECT, REJECT)
    assert position.record.phase == CONFIRMING
    assert position.listed_in(0, 1 << 30) == [WITHDRAW]
    assert position.do(WITHDRAW).record.phase == MAIN


def test_an_answer_to_a_counter_offer_does_not_tell_an_unseen_card():
    phases = set()
    for stolen in (2, 4):
        position = Position(players=3).give(0, lumber=1).give(1, wool=1, ore=1).give(2, brick=1).settlement(1, "a5")
        position.turn(0, 5, rolled=7).do(robber(0, 1), 528 + stolen)
        position.do(offer({"lumber": 1}, {"grain": 1}), REJECT, offer({"brick": 1}, {"ore": 1}))
        phases.add((int(position.record.phase), int(position.record.actor)))
    assert phases == {(CONFIRMING, 0)}


def test_a_counter_offer_is_no_offer_of_the_turn():
    position = two_hands(offers=1).do(WOOL_FOR_ORE, offer({"ore": 1}, {"wool": 2}), REJECT, REJECT, WITHDRAW)
    assert position.record.offers == 1
    assert not position.can(WOOL_FOR_ORE)


# --- what trade shows ------------------------------------------------------------------------------------------------


def after_a_theft():
    """Seat 0 stole one of wool and ore from seat 1; seats 2 and 3 don't know which."""
    position = Position().settlement(1, "a5").give(1, wool=1, ore=1).turn(0, 5, rolled=7)
    return position.do(64 + 1, 528 + 2)


def test_an_offer_shows_that_one_has_the_cards():
    position = after_a_theft()
    assert cards_in(position.record.known[0, 3]) == {}
    position.do(WOOL_FOR_ORE)
    assert cards_in(position.record.known[0, 3]) == {"wool": 1}


def test_accepting_shows_that_one_has_the_cards():
    position = after_a_theft().turn(2).give(2, grain=1).do(offer({"grain": 1}, {"wool": 1}), ACCEPT)
    assert cards_in(position.record.known[0, 3]) == {"wool": 1}


def test_rejecting_shows_nothing():
    position = after_a_theft().turn(2).give(2, grain=1).do(offer({"grain": 1}, {"wool": 1}), REJECT)
    assert cards_in(position.record.known[0, 3]) == {}


def test_discarded_cards_are_shown():
    position = after_a_theft().turn(2)
    position.record.phase, position.record.actor, position.record.owed[0] = 4, 0, 1
    position.do(48 + 2)
    assert cards_in(position.record.known[0, 3]) == {}
    assert not position.record.known[0, 0]
