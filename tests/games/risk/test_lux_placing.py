"""Agents of Lux: where each claims and places armies, and when it trades, where its description leaves no choice."""

import pytest

from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.moves import ATTACKING, DEPLOYING, OCCUPYING, PLACING, PLACING_AMOUNT, THROWING, TRADING
from oponente.games.risk.state import NEUTRAL
from tests.games.risk.lux_turns import CLUSTER_KIN, PIXIES, Turn, claims, every, ground, placed

TRADERS = ("quo", "boscoe", "betterpixie", "evilpixie", "vulture", "killbot")


# --- start picks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "claim"),
    [
        ("angry", 3, "Argentina"),  # the first of the smallest, of the fewest neighbours
        ("communist", 3, "Argentina"),
        ("cluster", 3, "Japan"),  # the largest of all is smaller than 17.5
        ("yakool", 4, "Japan"),
        ("boscoe", 5, "Quebec"),  # smaller than 10.5: North America
        ("vulture", 6, "Scandinavia"),  # smaller than 8.75: Europe
        ("shaft", 3, "Eastern Australia"),  # one border territory
        ("quo", 3, "Eastern Australia"),
        *((name, 3, "Eastern Australia") for name in PIXIES),
    ],
)
def test_the_first_pick_is_in_the_continent_that_the_agent_prefers(name, players, claim):
    position = ground(players=players)
    position.hold(NEUTRAL, Madagascar=1, Argentina=1)
    picked = claims(position, name)
    continents = position.game.options.world
    index = continents.index
    where = {number for number, c in enumerate(continents.continents) if index(picked) in c.territories}
    assert where == {number for number, c in enumerate(continents.continents) if index(claim) in c.territories}


def test_empty_continents_come_before_those_with_somebody_in_them():
    position = ground().hold(NEUTRAL, Madagascar=1, Argentina=1).hold(1, Siam=1, Peru=1)
    assert claims(position, "angry") in ("Western Australia", "Eastern Australia", "Indonesia", "New Guinea")


def test_who_keeps_its_first_continent_claims_beside_its_own_there():
    for name, inside in (("betterpixie", True), ("killbot", True), ("shaft", False), ("pixie", False)):
        position = ground().hold(NEUTRAL, Madagascar=1, Argentina=1).hold(0, Western_Australia=1)
        assert (claims(position, name) in ("Eastern Australia", "Indonesia", "New Guinea")) == inside, name


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_cards_are_traded_at_once_or_when_forced(name):
    for count, due in ((3, name in TRADERS), (5, True)):
        position = ground().hold(0, Alaska=1)
        infantry = [
            name
            for number, name in enumerate(t.name for t in position.game.options.world.territories)
            if int(position.game.tables.rules.symbols[0]) >> number & 1
        ]
        position.cards(0, *infantry[:count]).phase(TRADING)
        assert Turn(position, name).step().startswith("trade") == due, count


# --- placing ---------------------------------------------------------------------------------------------------------


def test_angry_places_all_beside_the_most_territories_of_others():
    position = ground().hold(0, Alaska=1, Northwest_Territory=1, Alberta=1, Ontario=1, Japan=1)
    assert placed(position, "angry", 6) == {"Ontario": 6}


def test_stinky_places_all_on_one_border():
    position = ground().hold(0, Eastern_Australia=1, Western_Australia=1, New_Guinea=1)
    got = placed(position, "stinky", 6)
    assert list(got.values()) == [6]
    assert set(got) <= {"Western Australia", "New Guinea"}


def test_communist_makes_all_equal():
    position = ground().hold(0, Alaska=1, Alberta=3, Ontario=4)
    assert placed(position, "communist", 4) == {"Alaska": 3, "Alberta": 1}


@pytest.mark.parametrize("name", CLUSTER_KIN)
def test_cluster_and_its_kin_guard_the_cluster_around_their_continent(name):
    position = ground(99)
    position.hold(0, **every(position, "Australia", 2), Siam=3, Brazil=1)
    assert placed(position, name, 4) == {"Siam": 4}


@pytest.mark.parametrize("name", CLUSTER_KIN)
def test_cluster_and_its_kin_place_all_where_most_hostile_neighbours_are_in_the_easiest_continent(name):
    # Venezuela has one neighbour in South America that is hostile, Peru two; North Africa has most of all, elsewhere.
    position = ground(9).hold(0, Venezuela=4, Peru=4, North_Africa=1)
    assert placed(position, name, 5) == {"Peru": 5}
    position = ground(9).hold(0, Brazil=4, Venezuela=4, Peru=4).hold(NEUTRAL, Argentina=20)
    assert placed(position, name, 5) == {"Brazil": 5}  # North Africa does not count for it: the first of equals


def test_who_is_not_there_places_at_the_start_of_the_cheapest_path():
    position = ground(9)
    position.hold(NEUTRAL, **every(position, "Asia", 90), **every(position, "Australia", 1))
    position.hold(0, China=20, India=20, Siam=6)
    assert placed(position, "pixie", 1) == {"Siam": 1}


@pytest.mark.parametrize("name", ["pixie", "evilpixie"])
def test_pixies_give_each_wanted_continent_an_army_in_turn(name):
    position = ground(9)
    position.hold(NEUTRAL, **every(position, "South America", 1), **every(position, "Australia", 1))
    position.hold(0, Brazil=3, Indonesia=3)
    assert placed(position, name, 6) == {"Brazil": 3, "Indonesia": 3}


def test_pixies_give_each_wanted_continent_an_army_in_turn_in_the_set_up():
    position = ground(9)
    position.hold(NEUTRAL, **every(position, "South America", 1), **every(position, "Australia", 1))
    position.hold(0, Brazil=3, Indonesia=3)
    for pool, place in ((6, "Brazil"), (5, "Indonesia"), (4, "Brazil"), (3, "Indonesia")):
        position.state.record.pool[0] = pool
        position.set(turn=0).phase(DEPLOYING)
        assert Turn(position, "pixie").step() == f"place {place}"


def test_pixies_do_not_strengthen_borders_beyond_their_force_and_place_the_rest_evenly():
    position = ground(99)
    position.hold(0, **every(position, "Australia", 1), Brazil=1, Madagascar=1)
    assert placed(position, "pixie", 26) == {"Brazil": 2, "Indonesia": 22, "Madagascar": 2}


def test_the_border_force_of_evilpixie_is_random():
    forces = set()
    for seed in range(9):
        position = ground(99)
        position.hold(0, **every(position, "Australia", 1), Brazil=1)
        turn = Turn(position.place(60), "evilpixie", seed=seed)
        turn.during(PLACING, PLACING_AMOUNT)
        forces.add(turn.armies()["Indonesia"] - turn.armies()["Brazil"])
    assert len(forces) > 1
    assert min(forces) >= 6
    assert max(forces) <= 21


def test_betterpixie_wants_only_the_easiest_continent_while_it_owns_none():
    position = ground(9)
    position.hold(NEUTRAL, **every(position, "South America", 1), **every(position, "Australia", 1))
    position.hold(0, Brazil=3, Indonesia=4)
    assert placed(position, "betterpixie", 6) == {"Indonesia": 6}


def test_a_far_stack_counts_for_betterpixie_after_the_cost_of_its_path():
    for stack, wanted in ((40, True), (9, False)):
        position = ground(9)
        position.hold(NEUTRAL, **every(position, "Africa", 4), **every(position, "Australia", 1))
        position.hold(0, **every(position, "Australia", 30)).hold(NEUTRAL, Brazil=5).hold(0, Venezuela=stack)
        # 6 * 4 * 1.3 = 31.2 armies in Africa; Venezuela has 5 * 1.2 = 6 on its way; the limit is 4 * 3 / 6 = 2
        assert ("Venezuela" in placed(position, "betterpixie", 3)) == wanted, stack


def test_betterpixie_gives_no_armies_to_borders_wrapped_by_own_continents():
    position = ground(99)
    position.hold(0, **every(position, "South America", 5), **every(position, "Africa", 5), Siam=2)
    position.hold(0, **every(position, "Europe", 30), **every(position, "North America", 30), Middle_East=30)
    got = placed(position, "betterpixie", 12)
    assert "Brazil" not in got
    assert "Venezuela" not in got


def test_betterpixie_places_the_rest_beside_the_weakest_cluster_until_it_wins():
    position = ground(99)
    position.hold(0, **every(position, "Australia", 1)).hold(0, Indonesia=25, Venezuela=10, Western_Europe=5)
    position.hold(1, Peru=8).hold(2, Great_Britain=20)
    # Peru: 1.3 * 8 + 1 = 11.4; Great Britain: 1.3 * 20 + 1 = 27
    assert placed(position, "betterpixie", 5) == {"Venezuela": 2, "Western Europe": 3}


def test_evilpixie_outnumbers_each_territory_if_it_outnumbers_all():
    position = ground(1)
    position.hold(0, Alaska=500, Brazil=2).hold(NEUTRAL, Peru=4, Venezuela=1, Argentina=1, North_Africa=6)
    # 6 * 1.3 = 7.8
    assert placed(position, "evilpixie", 6) == {"Brazil": 6}


@pytest.mark.parametrize("name", ["yakool", "boscoe", "evilpixie"])
def test_a_player_who_dominates_gets_all_armies_on_the_way_to_a_continent(name):
    position = ground(9)
    position.hold(1, **every(position, "Australia", 2), **every(position, "Africa", 100))
    position.hold(0, China=3, Alaska=20).hold(NEUTRAL, Siam=4)
    assert placed(position, name, 5) == {"China": 5}


@pytest.mark.parametrize("name", ["vulture", "killbot"])
def test_a_player_to_eliminate_gets_all_armies_at_the_nearer_end_of_a_path(name):
    position = ground(30)
    position.hold(NEUTRAL, Madagascar=30).hold(1, Peru=2, Argentina=2, Brazil=2).hold(0, Central_America=20, Alaska=8)
    position.hold(NEUTRAL, Venezuela=3).hold(2, Japan=90)
    assert placed(position, name, 5) == {"Central America": 5}
    turn = Turn(position, name)
    fights = turn.during(ATTACKING, THROWING, OCCUPYING)
    assert fights[0] == "attack Central America > Venezuela"
    # what came to the last territory left one behind on each before
    assert turn.armies()["Central America"] == turn.armies()["Venezuela"] == 1


def test_what_is_wanted_is_marked_anew_for_armies_in_the_middle_of_a_turn():
    position = ground(9)
    position.hold(NEUTRAL, **every(position, "South America", 1), **every(position, "Australia", 1))
    position.hold(0, Brazil=3, Indonesia=3)
    turn = Turn(position.place(2), "pixie")
    turn.during(PLACING, PLACING_AMOUNT)
    assert (turn.armies()["Brazil"], turn.armies()["Indonesia"]) == (4, 4)
    turn.step()
    turn.step()
    position.hold(NEUTRAL, New_Guinea=90).place(4)
    before = turn.armies()["Indonesia"]
    turn.during(PLACING, PLACING_AMOUNT)
    assert turn.armies()["Indonesia"] == before
