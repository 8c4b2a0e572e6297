"""Catan, the set-up: order, places, roads, first resources."""

import json

import pytest

from oponente.games.catan.moves import BUILD_ROAD, BUILD_SETTLEMENT, ROLL
from tests.games.catan.positions import Position, cards_in, edge, game_of, node

FIRST = ("c4", "c4-c5")


def place(state, where, road):
    state.apply(BUILD_SETTLEMENT + node(where))
    state.apply(BUILD_ROAD + edge(road))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_settlements_are_placed_once_around_and_back(players):
    state = game_of(players=players).start()
    order = []
    while state.record.turn == 0:
        order.append(state.player)
        state.apply(state.legal_actions[0])
        assert state.player == order[-1]  # the same player places the road
        state.apply(state.legal_actions[0])
    assert order == [*range(players), *reversed(range(players))]
    assert state.player == 0
    assert ROLL in state.legal_actions


def test_first_settlement_may_be_anywhere():
    assert len(game_of().start().legal_actions) == 54


def test_settlements_keep_a_distance_of_two_edges_in_the_setup():
    state = game_of().start()
    place(state, "c4", "c4-c5")
    around = ("c3", "c4", "c5", "b4", "b3", "c6", "b5")
    assert [n for n in around if not state.is_legal(BUILD_SETTLEMENT + node(n))] == ["c3", "c4", "c5", "b4"]


def test_road_is_placed_at_the_settlement_just_placed():
    state = game_of(players=2).start()
    place(state, "c4", "c4-c5")
    place(state, "e6", "e6-e7")
    place(state, "e4", "e4-e5")  # the second player's second settlement
    state.apply(BUILD_SETTLEMENT + node("b8"))
    assert sorted(state.legal_actions) == sorted(BUILD_ROAD + edge(e) for e in ("b7-b8", "b8-b9", "b8-c8"))


def test_second_settlement_brings_a_card_of_each_of_its_hexes():
    state = game_of(players=2).start()
    place(state, "c8", "c8-c9")
    place(state, "e8", "e8-e9")
    assert all(not state.record.known[seat, seat] for seat in (0, 1))
    state.apply(BUILD_SETTLEMENT + node("b4"))
    record = state.record
    assert cards_in(record.known[1, 1]) == {"brick": 1, "grain": 1, "ore": 1}
    assert cards_in(record.bank) == {"lumber": 19, "brick": 18, "wool": 19, "grain": 18, "ore": 18}


def test_second_settlement_at_two_hexes_of_one_kind_brings_two_cards_of_it():
    board = json.dumps({"tiles": [["wool", 5]] * 18 + [[None, None]], "harbours": [None] * 9})
    state = game_of(players=2, board=board).start()
    place(state, "c8", "c8-c9")
    place(state, "e8", "e8-e9")
    state.apply(BUILD_SETTLEMENT + node("b4"))
    assert cards_in(state.record.known[1, 1]) == {"wool": 3}


def test_second_settlement_at_the_coast_brings_what_is_there_and_the_desert_nothing():
    state = game_of(players=2).start()
    place(state, "b4", "b4-b5")
    place(state, "e8", "e8-e9")
    place(state, "a3", "a3-a4")
    assert cards_in(state.record.known[1, 1]) == {"ore": 1}
    place(state, "d6", "d6-d7")  # desert, ore and grain
    assert cards_in(state.record.known[0, 0]) == {"grain": 1, "ore": 1}


def test_all_see_the_first_resources():
    state = game_of(players=2).start()
    place(state, "b4", "b4-b5")
    place(state, "e8", "e8-e9")
    place(state, "a3", "a3-a4")
    assert {cards_in(state.record.known[1, observer])["ore"] for observer in range(5)} == {1}


def test_settlement_in_the_setup_costs_nothing_and_counts_a_point():
    state = game_of().start()
    place(state, *FIRST)
    assert state.record.points[0] == 1
    assert cards_in(state.record.bank) == dict.fromkeys(("lumber", "brick", "wool", "grain", "ore"), 19)


def test_positions_of_the_tests_have_no_pieces():
    position = Position()
    assert not position.record.settlements.any()
    assert position.listed() == [511]
