"""Catan: what is told of each move."""

import pytest

from oponente.games.catan import moves
from oponente.games.catan.events import event_text
from oponente.games.catan.moves import offer_id
from tests.games.catan.positions import Position, bank_trade, edge, node, robber

KNIGHT, _, MONOPOLY, ROADS, _ = range(5)


def told(position, action, seen=None):
    """Take an action and return what is told of it to somebody who saw `seen` (None: all of it)."""
    position.state._cache = None
    before = position.state.copy()
    position.do(action)
    return event_text(before, action if seen is None else seen, position.state)


def rolling(position):
    """Return the position before the dice fall."""
    return position.turn(0, moves.BEFORE_ROLL).do(moves.ROLL)


def test_production_says_who_gets_what():
    position = Position()
    record = position.record
    number = int(record.number[0])
    resource = ("lumber", "brick", "wool", "grain", "ore")[int(record.terrain[0])]
    position.settlement(0, "a4").city(2, "b3")
    assert told(rolling(position), moves.DICE + number) == (
        f"dice {number}; player 1 gets 1 {resource}; player 3 gets 2 {resource}"
    )
    assert told(rolling(Position()), moves.DICE + 5) == "dice 5; nobody gets anything"


def test_production_says_what_was_due_and_not_paid():
    """Hex 1 of the beginner's board yields ore for a 10, hex 7 brick; hex 2 yields wool for a 2."""
    dice = moves.DICE + 10

    def due(*seats, ore=0):
        position = Position(players=3)
        for seat, place in zip(seats, ("a4", "a3", "b3"), strict=False):
            position.city(seat, place)
        return rolling(position.give(2, ore=19 - ore))

    assert told(due(0, ore=2), dice) == "dice 10; player 1 gets 2 ore"
    assert told(due(0, ore=1), dice) == "dice 10; player 1 gets 1 ore; the bank had only 1 of the 2 ore due to player 1"
    assert told(due(0), dice) == "dice 10; nobody gets anything; the bank had none of the 2 ore due to player 1"
    assert told(due(0, 1, ore=3), dice) == (
        "dice 10; nobody gets anything; "
        "the bank had only 3 of the 4 ore due to player 1 and player 2, so nobody gets any"
    )
    assert told(due(0, 1, ore=0), dice) == (
        "dice 10; nobody gets anything; the bank had none of the 4 ore due to player 1 and player 2"
    )
    unpaid = Position(players=3, preset="catanatron").city(0, "a4").give(2, ore=18)
    assert told(rolling(unpaid), dice) == (
        "dice 10; nobody gets anything; the bank had only 1 of the 2 ore due to player 1, so nobody gets any"
    )


def test_production_says_what_the_robber_keeps():
    position = Position().settlement(0, "a4").city(1, "a3")
    position.record.robber = 0
    assert told(rolling(position), moves.DICE + 10) == (
        "dice 10; nobody gets anything; the robber keeps 1 ore from player 1; the robber keeps 2 ore from player 2"
    )


def test_a_seven_says_who_must_discard():
    position = Position().give(0, ore=7).give(1, wool=9).give(3, grain=8)
    assert told(rolling(position), moves.DICE + 7) == (
        "dice 7; player 2 must discard 4 cards; player 4 must discard 4 cards"
    )
    assert told(rolling(Position()), moves.DICE + 7) == "dice 7"
    position = Position(discard_limit=1).give(1, wool=2)
    assert told(rolling(position), moves.DICE + 7) == "dice 7; player 2 must discard 1 card"


def theft():
    """Return a position in which player 1 is about to steal from player 2."""
    position = Position().settlement(1, "a4").give(1, ore=1, wool=1).turn(0, moves.ROBBING)
    return position.do(robber(0, 1))


def test_a_theft_names_both_and_the_card_only_to_who_saw_it():
    assert told(theft(), moves.STEAL + 4) == "player 1 steals ore from player 2"
    assert told(theft(), moves.STEAL + 4, moves.STEAL + moves.UNSEEN) == "player 1 steals a card from player 2"


def test_a_draw_names_the_card_only_to_who_saw_it():
    def drawing():
        return Position().give_for(0, cards=1).do(moves.BUY_CARD)

    assert told(drawing(), moves.DRAW_CARD + KNIGHT) == "player 1 draws knight"
    assert told(drawing(), moves.DRAW_CARD + KNIGHT, moves.DRAW_CARD + moves.UNSEEN) == "player 1 draws a card"


def test_monopoly_says_from_whom():
    position = Position().develop(0, MONOPOLY, MONOPOLY).give(1, ore=2).give(3, ore=1, wool=1)
    assert told(position, moves.PLAY_MONOPOLY + 4) == (
        "monopoly ore; player 1 takes 2 ore from player 2 and 1 ore from player 4"
    )
    assert told(position.turn(0), moves.PLAY_MONOPOLY + 0) == "monopoly lumber; nobody has any"


def test_the_second_settlement_says_what_it_brings():
    position = Position()
    position.state = position.game.start(0)
    assert told(position, moves.BUILD_SETTLEMENT + node("a4")) == "settlement a4"
    position = Position()
    record = position.record
    record.placed, record.phase, record.turn = 7, moves.SETTING_SETTLEMENT, 0
    assert told(position, moves.BUILD_SETTLEMENT + node("a4")).startswith("settlement a4; player 1 gets 1 ")


def test_awards_are_told():
    position = Position().settlement(0, "c4").road(0, "c4-c5-c6-c7-c8").give_for(0, roads=1)
    assert told(position, moves.BUILD_ROAD + edge("c8-c9")) == "road c8-c9; player 1 now has the longest road"
    position = Position().develop(0, KNIGHT)
    position.record.played[0, KNIGHT] = 2
    position.record.deck[KNIGHT] -= 2
    assert told(position, moves.PLAY_KNIGHT) == "knight; player 1 now has the largest army"
    position = Position().road(1, "c1-c2-c3-c4-c5-c6").holder(1).road(0, "b4-c4").give_for(0, settlements=1)
    assert told(position, moves.BUILD_SETTLEMENT + node("c4")) == "settlement c4; nobody has the longest road now"


def offering():
    """Return a position in which player 1 offers ore for wool, of which player 2 has some."""
    position = Position(players=3).give(0, ore=1, grain=1).give(1, wool=1, lumber=2)
    return position.do(offer_id((0, 0, 0, 0, 1), (0, 0, 1, 0, 0)))


def test_a_trade_says_what_goes_where():
    position = offering().do(moves.ACCEPT, moves.REJECT)
    assert told(position, moves.CONFIRM + 1) == "confirm player 2; player 1 gives 1 ore for 1 wool"
    assert told(Position().give(0, ore=4), bank_trade("ore", "wool")) == "bank 4 ore for wool"


def test_an_offer_that_comes_to_nothing_is_off():
    position = offering()
    assert told(position, moves.REJECT) == "reject"
    assert told(position, moves.REJECT) == "reject; the offer is off: nobody accepts"
    position = offering().do(moves.ACCEPT, moves.REJECT)
    assert told(position, moves.WITHDRAW) == "withdraw; the offer is off"


def test_a_counter_offer_that_is_not_to_be_paid():
    """The offerer is asked all the same, and has but to withdraw."""
    position = offering()
    counter = offer_id((1, 0, 0, 0, 0), (0, 0, 0, 0, 3))
    assert told(position, counter) == "counter 1 lumber for 3 ore"
    assert told(position, moves.REJECT) == "reject"
    assert position.record.phase == moves.CONFIRMING
    assert told(position, moves.WITHDRAW) == "withdraw; the offer is off"


@pytest.mark.parametrize("action", [moves.END_TURN, moves.PLAY_KNIGHT])
def test_nothing_is_added_where_a_move_says_all(action):
    assert told(Position().develop(0, KNIGHT), action) in ("end", "knight")
