"""Catan: building roads, settlements and cities: places, costs, pieces."""

import pytest

from oponente.games.catan.moves import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_CARD
from tests.games.catan.positions import Position, edge, node


def road(name):
    return BUILD_ROAD + edge(name)


def settlement(name):
    return BUILD_SETTLEMENT + node(name)


def city(name):
    return BUILD_CITY + node(name)


@pytest.mark.parametrize(
    ("action", "cost"),
    [
        (road("c5-c6"), {"lumber": 1, "brick": 1}),
        (settlement("c6"), {"lumber": 1, "brick": 1, "wool": 1, "grain": 1}),
        (city("c4"), {"grain": 2, "ore": 3}),
        (BUY_CARD, {"wool": 1, "grain": 1, "ore": 1}),
    ],
)
def test_costs(action, cost):
    position = Position().settlement(0, "c4").road(0, "c4-c5-c6" if action == settlement("c6") else "c4-c5")
    rich = position.give(0, **cost)
    before = rich.bank()
    assert rich.can(action)
    rich.do(action)
    assert rich.hand(0) == {}
    assert rich.bank() == {name: before.get(name, 0) + cost.get(name, 0) for name in before}
    for missing in cost:
        poor = Position().settlement(0, "c4").road(0, "c4-c5-c6" if action == settlement("c6") else "c4-c5")
        poor.give(0, **{name: count - (name == missing) for name, count in cost.items()})
        assert not poor.can(action), f"without a {missing}"


def test_road_joins_an_own_road_or_building():
    position = Position().settlement(0, "c4", "e8").road(0, "c4-c5").give_for(0, roads=1)
    expected = ("c3-c4", "b4-c4", "c5-c6", "c5-d5", "e7-e8", "e8-e9", "d8-e8")
    assert sorted(position.listed_in(BUILD_ROAD, 128)) == sorted(map(edge, expected))


def test_no_road_on_a_road():
    position = Position().settlement(0, "c4").road(0, "c4-c5").road(1, "c5-c6").give_for(0, roads=1)
    assert not position.can(road("c4-c5"))
    assert not position.can(road("c5-c6"))


def test_no_road_onward_through_an_opponents_building():
    position = Position().settlement(0, "c4").road(0, "c4-c5-c6").settlement(1, "c6").give_for(0, roads=1)
    assert not position.can(road("c6-c7"))
    assert not position.can(road("b6-c6"))
    assert position.can(road("c5-d5"))


def test_road_may_end_at_an_opponents_building():
    position = Position().settlement(0, "c4").road(0, "c4-c5").settlement(1, "c6").give_for(0, roads=1)
    assert position.can(road("c5-c6"))


def test_road_onward_through_an_own_building():
    position = Position().settlement(0, "c4", "c6").road(0, "c4-c5-c6").give_for(0, roads=1)
    assert position.can(road("c6-c7"))


def test_settlement_needs_an_own_road():
    position = Position().settlement(0, "c4").road(0, "c4-c5-c6").road(1, "e6-e7").give_for(0, settlements=1)
    assert position.listed_in(BUILD_SETTLEMENT, 54) == [node("c6")]


def test_distance_rule_holds_for_buildings_of_all():
    position = Position().settlement(0, "c4").road(0, "c4-c5-c6-c7").city(1, "c8").give_for(0, settlements=1)
    assert not position.can(settlement("c5"))  # next to the own settlement
    assert not position.can(settlement("c7"))  # next to another's city
    assert position.can(settlement("c6"))


def test_a_city_replaces_an_own_settlement():
    position = Position().settlement(0, "c4").settlement(1, "c6").city(0, "e4").give_for(0, cities=1)
    assert position.listed_in(BUILD_CITY, 54) == [node("c4")]
    position.do(city("c4"))
    assert position.record.points[0] == 4


def test_fifteen_roads_and_no_more():
    position = Position().settlement(0, "a3").road(0, "a3-a4-a5-a6-a7-a8-a9-b9-b10-c10-c11-d11-d10-e10-e9")
    position.give_for(0, roads=3)
    assert position.can(road("e8-e9"))
    position.do(road("e8-e9"))
    assert position.listed_in(BUILD_ROAD, 128) == []


def test_five_settlements_and_no_more_until_a_city_gives_one_back():
    position = (
        Position().settlement(0, "a3", "a5", "a7", "a9", "c1").road(0, "c4-c5").give_for(0, settlements=1, cities=1)
    )
    assert position.listed_in(BUILD_SETTLEMENT, 54) == []
    position.do(city("a3"))
    assert sorted(position.listed_in(BUILD_SETTLEMENT, 54)) == sorted([node("c4"), node("c5")])


def test_four_cities_and_no_more():
    position = Position(points=20).city(0, "a3", "a5", "a7").settlement(0, "c4", "c6").give_for(0, cities=2)
    position.do(city("c4"))
    assert position.listed_in(BUILD_CITY, 54) == []


def test_what_is_built_may_be_built_upon_in_the_same_turn():
    position = Position().settlement(0, "c4").road(0, "c4-c5").give_for(0, roads=1, settlements=1, cities=1)
    position.do(road("c5-c6"), settlement("c6"), city("c6"))
    assert position.record.points[0] == 3


def test_who_pays_shows_the_cards():
    position = Position(players=3).settlement(0, "c4").give_for(0, roads=1)
    position.record.known[0, 1] = position.record.known[0, 4] = 0  # as after a theft that they did not see
    position.record.most[0] = 0o11111  # three bits for each resource
    position.do(road("c4-c5"))
    assert not position.record.known[0].any()
