"""Catan: development cards (ruling 5)."""

import pytest

from oponente.games.catan.cards import (
    DECK,
    KNIGHT,
    MONOPOLY,
    ORE,
    ROAD_BUILDING,
    VICTORY_POINT,
    WOOL,
    YEAR_OF_PLENTY,
)
from oponente.games.catan.moves import (
    BEFORE_ROLL,
    BUILD_ROAD,
    BUY_CARD,
    DRAW_CARD,
    END_TURN,
    MAIN,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    ROLL,
    UNSEEN,
)
from oponente.kernel import CHANCE
from tests.games.catan.positions import Position, cards_in, edge, may_have_more, plenty, robber

PLAYS = {
    KNIGHT: PLAY_KNIGHT,
    ROAD_BUILDING: PLAY_ROAD_BUILDING,
    MONOPOLY: PLAY_MONOPOLY + WOOL,
    YEAR_OF_PLENTY: plenty("wool", "ore"),
}


@pytest.mark.parametrize("phase", [BEFORE_ROLL, MAIN])
@pytest.mark.parametrize("card", PLAYS)
def test_any_card_may_be_played_before_and_after_the_roll(card, phase):
    position = Position().settlement(0, "c4").turn(0, phase).develop(0, card)
    assert position.can(PLAYS[card])


@pytest.mark.parametrize("card", PLAYS)
def test_no_card_may_be_played_in_the_turn_it_was_bought(card):
    position = Position().settlement(0, "c4").develop(0, card, fresh=True)
    assert not position.can(PLAYS[card])
    position.develop(0, card)  # an older one of the kind may be
    assert position.can(PLAYS[card])


@pytest.mark.parametrize("card", PLAYS)
def test_one_card_a_turn(card):
    position = Position().settlement(0, "c4").develop(0, card, KNIGHT).do(PLAY_KNIGHT, robber(0))
    assert not position.can(PLAYS[card])


def test_one_card_a_turn_before_and_after_the_roll_together():
    position = Position().turn(0, BEFORE_ROLL).develop(0, KNIGHT, KNIGHT).do(PLAY_KNIGHT, robber(0), ROLL, 512 + 9)
    assert not position.can(PLAY_KNIGHT)


def test_in_the_next_turn_a_card_may_be_played_again():
    position = Position(players=2).develop(0, KNIGHT, KNIGHT).do(PLAY_KNIGHT, robber(0), END_TURN)
    position.do(ROLL, 512 + 9, END_TURN)
    assert position.can(PLAY_KNIGHT)


def test_a_bought_card_may_be_played_in_the_next_turn():
    position = Position(players=2).give_for(0, cards=1).do(BUY_CARD, DRAW_CARD + KNIGHT)
    assert not position.can(PLAY_KNIGHT)
    position.do(END_TURN, ROLL, 512 + 9, END_TURN)
    assert position.can(PLAY_KNIGHT)


# --- buying ----------------------------------------------------------------------------------------------------------


def test_a_draw_is_by_chance_over_the_cards_left():
    position = Position().develop(1, *[KNIGHT] * 10, MONOPOLY, MONOPOLY).give_for(0, cards=1).do(BUY_CARD)
    assert position.state.player == CHANCE
    assert dict(position.state.chance_outcomes) == pytest.approx(
        {DRAW_CARD + KNIGHT: 4 / 13, DRAW_CARD + 1: 2 / 13, DRAW_CARD + 3: 2 / 13, DRAW_CARD + 4: 5 / 13}
    )


def test_only_the_buyer_sees_the_card():
    position = Position().give_for(0, cards=1).do(BUY_CARD)
    assert [position.state.observed(DRAW_CARD + MONOPOLY, seat) for seat in range(4)] == [
        DRAW_CARD + MONOPOLY,
        *[DRAW_CARD + UNSEEN] * 3,
    ]


def test_no_card_can_be_bought_from_an_empty_deck():
    position = Position(points=20).give_for(0, cards=1)
    for card, count in enumerate(DECK):
        position.develop(1, *[card] * count)
    assert not position.can(BUY_CARD)


def test_several_cards_may_be_bought_in_a_turn():
    position = Position().give_for(0, cards=2).do(BUY_CARD, DRAW_CARD, BUY_CARD, DRAW_CARD)
    assert position.record.cards[0][KNIGHT] == 2


# --- knights ---------------------------------------------------------------------------------------------------------


def knights(position, seat, count):
    for _ in range(count):
        position.turn(seat).develop(seat, KNIGHT).do(PLAY_KNIGHT, robber(0 if position.record.robber else 1))
    return position


def test_third_knight_takes_the_largest_army():
    position = knights(Position(), 0, 2)
    assert position.record.army_holder == -1
    knights(position, 0, 1)
    assert position.record.army_holder == 0
    assert position.record.points[0] == 2


def test_largest_army_goes_to_who_has_more_knights_only():
    position = knights(knights(Position(), 0, 3), 1, 3)
    assert position.record.army_holder == 0
    knights(position, 1, 1)
    assert position.record.army_holder == 1
    assert list(position.record.points) == [0, 2, 0, 0]


# --- road building ---------------------------------------------------------------------------------------------------


def test_road_building_places_two_roads_for_nothing():
    position = Position().settlement(0, "c4").develop(0, ROAD_BUILDING).do(PLAY_ROAD_BUILDING)
    assert all(BUILD_ROAD <= action < BUILD_ROAD + 128 for action in position.listed())
    position.do(BUILD_ROAD + edge("c4-c5"), BUILD_ROAD + edge("c5-c6"))
    assert position.listed() == [END_TURN]
    assert position.hand(0) == {}


def test_road_building_before_the_roll_goes_on_with_the_roll():
    position = Position().settlement(0, "c4").turn(0, BEFORE_ROLL).develop(0, ROAD_BUILDING)
    position.do(PLAY_ROAD_BUILDING, BUILD_ROAD + edge("c4-c5"), BUILD_ROAD + edge("c5-c6"))
    assert position.listed() == [ROLL]


FOURTEEN = "a3-a4-a5-a6-a7-a8-a9-b9-b10-c10-c11-d11-d10-e10-e9"


def test_road_building_with_one_piece_left_builds_one():
    position = Position().road(0, FOURTEEN).holder(0).develop(0, ROAD_BUILDING)
    position.do(PLAY_ROAD_BUILDING, BUILD_ROAD + edge("e8-e9"))
    assert position.record.phase == MAIN


def test_road_building_with_one_place_left_builds_one():
    # All around the settlement at the corner a3 is taken but one edge, which leads to an opponent's settlement.
    position = Position().settlement(0, "a3").road(1, "a3-b3").settlement(1, "a4").develop(0, ROAD_BUILDING)
    position.record.settlements[1] = 1 << 1
    position.do(PLAY_ROAD_BUILDING, BUILD_ROAD + edge("a3-a4"))
    assert position.record.phase == MAIN


def test_road_building_without_a_piece_or_place_is_unplayable():
    position = Position().road(0, FOURTEEN, "e8-e9").holder(0).develop(0, ROAD_BUILDING)
    assert not position.can(PLAY_ROAD_BUILDING)
    position = Position().settlement(0, "a3").road(1, "b3-a3-a4").develop(0, ROAD_BUILDING)
    assert not position.can(PLAY_ROAD_BUILDING)


# --- monopoly --------------------------------------------------------------------------------------------------------


def test_monopoly_takes_all_cards_of_a_resource():
    position = Position().give(0, wool=1).give(1, wool=2, ore=1).give(2, ore=2).give(3, wool=4).develop(0, MONOPOLY)
    position.do(PLAY_MONOPOLY + WOOL)
    assert position.hand(0) == {"wool": 7}
    assert [position.hand(seat) for seat in (1, 2, 3)] == [{"ore": 1}, {"ore": 2}, {}]


def test_monopoly_may_take_nothing():
    position = Position().develop(0, MONOPOLY).do(PLAY_MONOPOLY + WOOL)
    assert position.hand(0) == {}


def test_all_see_what_monopoly_takes():
    position = Position().settlement(1, "a5").give(1, wool=1, ore=1).turn(2, 5, rolled=7)
    position.do(robber(0, 1), 528 + WOOL)  # seat 0 does not see it
    assert cards_in(position.record.known[2, 0]) == {}
    position.turn(3).develop(3, MONOPOLY).do(PLAY_MONOPOLY + WOOL)
    assert cards_in(position.record.known[3, 0]) == {"wool": 1}
    assert [may_have_more(position.record, seat, 0, WOOL) for seat in (1, 2)] == [False, False]
    assert may_have_more(position.record, 2, 0, ORE)


# --- year of plenty --------------------------------------------------------------------------------------------------


def plenty_with_bank(counts, **options):
    """Return the position in which the bank has these counts, the rest is in another hand."""
    position = Position(**options).develop(0, YEAR_OF_PLENTY)
    names = ("lumber", "brick", "wool", "grain", "ore")
    return position.give(1, **{name: 19 - count for name, count in zip(names, counts, strict=True)})


def test_year_of_plenty_takes_any_two_cards():
    position = plenty_with_bank((19, 19, 19, 19, 19))
    assert len(position.listed_in(PLAY_YEAR_OF_PLENTY, 30)) == 15
    position.do(plenty("ore", "wool"))
    assert position.hand(0) == {"wool": 1, "ore": 1}
    assert position.bank()["ore"] == 18


def test_year_of_plenty_takes_two_if_the_bank_has_two_of_any_kinds():
    position = plenty_with_bank((1, 0, 0, 1, 0))
    assert position.listed_in(PLAY_YEAR_OF_PLENTY, 30) == [3]
    position = plenty_with_bank((2, 0, 0, 0, 0))
    assert position.listed_in(PLAY_YEAR_OF_PLENTY, 30) == [0]


def test_year_of_plenty_takes_one_if_the_bank_has_one():
    position = plenty_with_bank((0, 0, 0, 1, 0))
    assert position.listed() == [plenty("grain"), END_TURN]
    position.do(plenty("grain"))
    assert position.hand(0) == {"grain": 1}


def test_year_of_plenty_is_unplayable_with_an_empty_bank():
    assert plenty_with_bank((0, 0, 0, 0, 0)).listed() == [END_TURN]


def test_switch_year_of_plenty_one_allows_one_card_whose_pair_is_short():
    def singles(*counts):
        position = plenty_with_bank(counts, year_of_plenty_one=True)
        return [action - 25 for action in position.listed_in(PLAY_YEAR_OF_PLENTY, 30) if action >= 25]

    assert singles(19, 19, 19, 19, 19) == []
    assert singles(19, 1, 19, 19, 19) == [1]  # two of it can't be taken
    assert singles(19, 0, 19, 19, 19) == [0, 2, 3, 4]  # any with the one that is gone
    assert singles(0, 0, 0, 0, 0) == []


def test_victory_points_are_never_played():
    position = Position().develop(0, VICTORY_POINT)
    assert position.listed() == [END_TURN]
