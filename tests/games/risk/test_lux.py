"""Agents of Lux: what each does on positions where the description of it leaves no choice."""

import pytest

from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.moves import ATTACKING, DEPLOYING, OCCUPYING, PLACING, PLACING_AMOUNT, THROWING, TRADING
from oponente.games.risk.state import NEUTRAL
from tests.games.risk.lux_turns import Turn, attacks, claims, every, ground, moved_in, moves, placed

CLUSTER_KIN = ("cluster", "shaft", "quo", "yakool", "boscoe", "vulture")
PIXIES = ("pixie", "betterpixie", "evilpixie", "killbot")
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


@pytest.mark.parametrize("name", ["vulture", "killbot"])
def test_all_move_along_the_path_of_a_kill(name):
    position = ground(30)
    position.hold(1, Madagascar=2).hold(0, East_Africa=20).hold(2, Japan=90)
    assert moved_in(position, name, placing=5) == (1, 24)


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


# --- attacks ---------------------------------------------------------------------------------------------------------


def test_angry_attacks_weaker_neighbours_only_though_it_has_most_armies():
    strong = {"Kamchatka": 950, "Alberta": 950, "Northwest_Territory": 950}
    assert attacks(ground(1).hold(0, Alaska=900).hold(NEUTRAL, **strong), "angry") == []
    position = ground(1).hold(0, Alaska=900).hold(NEUTRAL, **{**strong, "Alberta": 899})
    assert attacks(position, "angry", lucky=False) == ["Alaska > Alberta"]


def test_angry_goes_on_until_a_pass_without_attack():
    position = ground(9).hold(0, Alaska=20, Siam=4).hold(NEUTRAL, Indonesia=3)
    assert attacks(position, "angry", lucky=False) == ["Alaska > Alberta", "Siam > Indonesia"]
    position = ground(9).hold(0, Western_Australia=12).hold(NEUTRAL, Indonesia=2, New_Guinea=3)
    fights = attacks(position, "angry")
    assert fights[:2] == ["Western Australia > Indonesia", "Indonesia > New Guinea"]
    assert fights[2] == "New Guinea > Eastern Australia"  # with nine left of ten, after another pass


def test_stinky_attacks_if_half_as_strong_again_or_with_everything():
    position = ground(9).hold(0, Siam=5, Alaska=4).hold(NEUTRAL, Indonesia=3, Alberta=3)
    assert attacks(position, "stinky") == ["Siam > Indonesia"]
    position = ground(9).hold(0, Siam=2, Brazil=300)
    assert attacks(position, "stinky", lucky=False) == ["Brazil > Venezuela", "Siam > Indonesia"]


def test_communist_attacks_the_weakest_neighbour_of_all_once():
    weak = {"Indonesia": 3, "Kamchatka": 2}
    position = ground(9).hold(0, Siam=5, Alaska=4, Brazil=9).hold(NEUTRAL, **weak)
    assert attacks(position, "communist") == ["Alaska > Kamchatka"]
    position = ground(9).hold(0, Siam=5, Alaska=2, Brazil=9).hold(NEUTRAL, **weak)
    assert attacks(position, "communist") == []


def test_cluster_attacks_from_its_cluster_only():
    position = ground(50).hold(0, Siam=60, Greenland=30, Iceland=1, Great_Britain=30)
    position.hold(NEUTRAL, Scandinavia=1)
    assert not any("Scandinavia" in text for text in attacks(position, "cluster"))


def test_all_fronts_of_a_territory_attack_in_turn():
    position = ground(50).hold(0, Eastern_Australia=5, New_Guinea=5, Indonesia=3).hold(NEUTRAL, Western_Australia=8)
    assert attacks(position, "cluster", lucky=False) == [
        "Eastern Australia > Western Australia", "New Guinea > Western Australia",
    ]  # fmt: skip
    position = ground(50).hold(0, Eastern_Australia=4, New_Guinea=4, Indonesia=3).hold(NEUTRAL, Western_Australia=8)
    assert attacks(position, "cluster") == []


@pytest.mark.parametrize(("name", "again"), [("cluster", False), ("boscoe", True), ("yakool", True)])
def test_holes_are_filled_once_but_for_who_repeats_all(name, again):
    # The conquest of Kamchatka makes Japan a hole.
    position = ground(50).hold(0, Yakutsk=4, Irkutsk=4, Mongolia=1, Siberia=1).hold(NEUTRAL, Kamchatka=5, Japan=1)
    fights = attacks(position, name)
    assert fights[0] == "Yakutsk > Kamchatka"
    assert ("Kamchatka > Japan" in fights) == again


def test_splitting_moves_an_equal_share_into_each():
    position = ground(50).hold(0, Indonesia=37, Great_Britain=3).hold(NEUTRAL, Siam=10, New_Guinea=10)
    position.hold(NEUTRAL, Western_Australia=10)
    turn = Turn(position.phase(ATTACKING), "cluster")
    turn.during(ATTACKING, THROWING, OCCUPYING)
    assert turn.armies() == {"Great Britain": 3, "Indonesia": 1, "Siam": 12, "New Guinea": 12, "Western Australia": 12}


@pytest.mark.parametrize("name", ["boscoe", "shaft", "quo"])
def test_who_never_splits_does_not_attack_two(name):
    position = ground(50).hold(0, Indonesia=37).hold(NEUTRAL, Siam=10, New_Guinea=10, Western_Australia=10)
    assert attacks(position.set(conquered=1), name) == []


def test_shaft_expands_once_or_fills_out():
    position = ground(50).hold(0, **every(ground(), "South America", 9)).hold(2, Japan=50)
    position.hold(NEUTRAL, Central_America=2, North_Africa=3)
    assert attacks(position, "shaft") == ["Brazil > North Africa"]
    position = ground(50).hold(0, Kamchatka=9, Mongolia=9).hold(NEUTRAL, Japan=3)
    assert attacks(position, "shaft") == ["Kamchatka > Japan"]
    position = ground(50).hold(0, Kamchatka=9, Mongolia=9, Irkutsk=9, Yakutsk=1).hold(NEUTRAL, Japan=3, Siberia=3)
    assert attacks(position, "shaft") == ["Irkutsk > Siberia"]


@pytest.mark.parametrize("name", ["shaft", "quo"])
def test_a_sweep_shrinks_the_front_to_one_territory_if_nothing_was_taken(name):
    for conquered in (0, 1):
        position = ground(50).hold(0, Indonesia=2, New_Guinea=20)
        position.hold(NEUTRAL, Western_Australia=3, Eastern_Australia=3).set(conquered=conquered)
        sweep = ["New Guinea > Western Australia", "Western Australia > Eastern Australia"]
        assert attacks(position, name) == ([] if conquered else sweep)


def test_yakool_splits_only_if_weak_or_far_ahead():
    for rival, splits in (("North America", False), ("Australia", True)):
        position = ground(50)
        position.hold(0, **every(position, "Africa", 1)).hold(0, North_Africa=40).hold(2, Argentina=50)
        position.hold(NEUTRAL, Brazil=5, Western_Europe=5, Southern_Europe=5).hold(1, **every(position, rival, 60))
        # income 6; the others have 8 and 3, or 5 and 3
        assert bool(attacks(position.set(conquered=1), "yakool")) == splits, rival


@pytest.mark.parametrize("name", ["quo", "yakool", "boscoe", *PIXIES])
def test_who_has_taken_nothing_attacks_once_for_a_card(name):
    position = ground(9).hold(0, Venezuela=8, Indonesia=2).hold(NEUTRAL, Central_America=1, Peru=20, Brazil=20)
    assert attacks(position, name, lucky=False, placing=1)[-1:] == ["Venezuela > Central America"]
    position = ground(9, cards=False).hold(0, Venezuela=8).hold(NEUTRAL, Central_America=1, Peru=20, Brazil=20)
    assert attacks(position, name, lucky=False) == []


@pytest.mark.parametrize("name", ["cluster", "shaft", "vulture"])
def test_others_do_not_attack_for_a_card(name):
    position = ground(9).hold(0, Indonesia=8).hold(NEUTRAL, New_Guinea=7)
    assert attacks(position, name) == []


def test_evilpixie_attacks_for_a_card_only_if_more_than_five_times_as_strong():
    for armies, due in ((10, False), (11, True)):
        position = ground(50).hold(0, Indonesia=armies).hold(NEUTRAL, Siam=2)
        assert (attacks(position, "evilpixie") == ["Indonesia > Siam"]) == due


@pytest.mark.parametrize("name", ["yakool", "boscoe", "evilpixie"])
def test_continents_of_a_player_who_dominates_fall_from_the_most_valuable_down(name):
    position = ground(60)
    position.hold(1, **every(position, "Australia", 2), **every(position, "Africa", 3)).hold(2, Iceland=1)
    position.hold(0, Siam=20, Brazil=20)
    assert attacks(position, name, placing=1)[:2] == ["Brazil > North Africa", "Siam > Indonesia"]


def test_paths_to_a_player_who_dominates_cost_less_than_the_stack():
    position = ground(60)
    position.hold(1, **every(position, "Australia", 2), **every(position, "Africa", 30)).hold(2, Iceland=1)
    position.hold(0, Siam=3, Brazil=20)
    assert attacks(position, "boscoe", placing=1)[:1] == ["Siam > Indonesia"]


def test_pixie_attacks_in_wanted_continents_only():
    position = ground(9).hold(0, Brazil=20).hold(NEUTRAL, Venezuela=2, Peru=2, Argentina=2)
    position.hold(2, Japan=9).set(conquered=1)
    fights = attacks(position, "pixie", placing=1)
    assert {text.split(" > ")[1] for text in fights} == {"Venezuela", "Peru", "Argentina"}


@pytest.mark.parametrize("name", ["betterpixie", "killbot"])
def test_betterpixie_is_sure_of_what_it_attacks(name):
    for stack, due in ((7, False), (8, True)):
        position = ground(50)
        position.hold(NEUTRAL, **every(position, "Australia", 2)).hold(0, Siam=2, Indonesia=stack)
        # three others with two each: 6 * 1.3 + 3 = 10.8; a new army comes to Indonesia
        assert bool(attacks(position.set(conquered=1), name, placing=1)) == due


def test_betterpixie_attacks_first_from_where_there_is_one_way():
    position = ground(50).hold(0, Brazil=20, Venezuela=20).hold(NEUTRAL, Peru=2, Argentina=2)
    assert attacks(position.set(conquered=1), "betterpixie", placing=1)[0] == "Venezuela > Peru"


def test_betterpixie_breaks_continents_from_more_than_twice_as_strong():
    for stack, better, evil in ((10, False, False), (11, False, True), (20, False, True), (21, True, True)):
        for name, due in (("betterpixie", better), ("evilpixie", evil)):
            position = ground(50)
            position.hold(1, **every(position, "Australia", 10)).hold(0, Siam=stack).set(conquered=1)
            assert ("Siam > Indonesia" in attacks(position, name)) == due, (name, stack)


def test_evilpixie_preys_on_the_very_weak_everywhere():
    position = ground(80).hold(NEUTRAL, Argentina=80, Madagascar=80)
    position.hold(1, Japan=2, Iceland=2).hold(2, Peru=99).hold(0, Kamchatka=60, Greenland=60).set(conquered=1)
    assert {"Kamchatka > Japan", "Greenland > Iceland"} <= set(attacks(position, "evilpixie"))


@pytest.mark.parametrize("name", sorted(set(PROFILES) - {"angry", "stinky", "evilpixie", "vulture", "killbot"}))
def test_who_has_most_armies_goes_wild(name):
    position = ground(1).hold(0, Ontario=400)
    turn = Turn(position.phase(ATTACKING), name)
    turn.during(ATTACKING, THROWING, OCCUPYING)
    assert len(turn.armies()) > 20


def test_who_has_over_1500_armies_goes_wild():
    for armies, wild in ((1500, False), (1501, True)):
        position = ground(100).hold(0, Ontario=armies).set(conquered=1)
        assert (len(attacks(position, "boscoe", lucky=False)) > 0) == wild


# --- move in ---------------------------------------------------------------------------------------------------------


def test_angry_moves_on_if_there_are_as_many_enemies():
    assert moved_in(ground(9).hold(0, Alaska=20).hold(NEUTRAL, Alberta=1), "angry") == (1, 19)
    assert moved_in(ground(9).hold(0, Alberta=20).hold(NEUTRAL, Alaska=1), "angry") == (17, 3)


def test_stinky_moves_to_the_weaker_enemy():
    weak = {"New_Guinea": 1, "Eastern_Australia": 5}
    assert moved_in(ground(9).hold(0, Indonesia=20).hold(NEUTRAL, **weak), "stinky") == (1, 19)
    assert moved_in(ground(9).hold(0, Indonesia=20).hold(NEUTRAL, **weak, Siam=4), "stinky") == (17, 3)


def test_communist_moves_half():
    assert moved_in(ground(9).hold(0, Indonesia=20).hold(NEUTRAL, New_Guinea=1), "communist") == (10, 10)


@pytest.mark.parametrize(
    ("name", "peru", "ends"),
    [("yakool", 9, (6, 3)), ("yakool", 2, (1, 8)), ("quo", 9, (5, 4)), ("boscoe", 2, (6, 3))],
)
def test_what_moves_in_after_an_attack_for_a_card(name, peru, ends):
    # Argentina falls; Venezuela's three are the weakest beside Brazil in the goal continent, unless Peru's are.
    position = ground(9).hold(0, Brazil=8).hold(NEUTRAL, Argentina=1, Venezuela=3, Peru=peru).hold(2, Japan=9)
    assert moved_in(position, name, placing=1) == ends


@pytest.mark.parametrize("name", ["pixie", "evilpixie"])
def test_pixie_moves_to_where_more_enemies_are(name):
    # Venezuela falls; Peru and Central America are beside it.
    for own, ends in (({}, (18, 3)), ({"North_Africa": 1}, (11, 10)), ({"North_Africa": 1, "Argentina": 1}, (1, 20))):
        position = ground(9).hold(2, Japan=9).hold(NEUTRAL, Argentina=2).hold(0, Brazil=20, **own)
        assert moved_in(position.hold(NEUTRAL, Venezuela=1, Peru=2), name, placing=1)[1] in (ends[1], ends[1] - 1)


def test_betterpixie_moves_all_if_the_wanted_enemies_hang_together():
    position = ground(9).hold(2, Japan=9).hold(0, Brazil=20).hold(NEUTRAL, Venezuela=1, Peru=2, Argentina=2)
    assert moved_in(position, "betterpixie", placing=1) == (1, 20)
    position = ground(99)
    position.hold(0, **every(position, "Asia", 17)).hold(0, China=15).hold(NEUTRAL, Siam=1, India=18, Siberia=18)
    assert moved_in(position, "betterpixie", placing=1) == (8, 8)


# --- moves at the end of a turn --------------------------------------------------------------------------------------


def australia(armies=5, **options):
    position = ground(fortify="unlimited", **options)
    return position.hold(0, **every(position, "Australia", armies))


def test_angry_moves_to_more_enemies_and_else_at_random():
    ways = {tuple(moves(australia(), "angry", seed=seed)) for seed in range(9)}
    assert {way[:2] for way in ways} == {("Western Australia > Indonesia 4", "New Guinea > Indonesia 4")}
    assert {way[2:] for way in ways} == {
        ("Eastern Australia > Western Australia 4",), ("Eastern Australia > New Guinea 4",),
    }  # fmt: skip


def test_stinky_does_not_move():
    assert moves(australia(), "stinky") == []


def test_communist_equalises():
    position = ground(fortify="unlimited").hold(0, Alaska=9, Alberta=1, Kamchatka=2)
    moves(position, "communist")
    assert Turn(position, "communist").armies() == {"Alaska": 4, "Alberta": 5, "Kamchatka": 3}


@pytest.mark.parametrize("name", CLUSTER_KIN)
def test_cluster_moves_from_the_borders_inward(name):
    assert moves(australia(), name) == [
        "Western Australia > Indonesia 4", "New Guinea > Indonesia 4", "Eastern Australia > Western Australia 4",
    ]  # fmt: skip
    position = australia().hold(0, Yakutsk=1, Irkutsk=5, Siberia=1, Kamchatka=1, Mongolia=1)
    assert not any(move.startswith("Irkutsk") for move in moves(position, name))


@pytest.mark.parametrize("name", PIXIES)
def test_pixies_move_outward_to_the_borders_of_their_continents(name):
    position = australia().hold(0, Siam=5)
    turn = moves(position, name)
    assert turn[:3] == [
        "Western Australia > Indonesia 4", "New Guinea > Indonesia 4", "Eastern Australia > Western Australia 4",
    ]  # fmt: skip
    again = ["Western Australia > Indonesia 4"] if name in ("betterpixie", "killbot") else []
    assert turn[3:] == again


@pytest.mark.parametrize("name", ["pixie", "betterpixie"])
def test_pixies_move_towards_the_weakest_enemy_outside_their_continents(name):
    position = ground(fortify="unlimited").hold(0, Alaska=6, Alberta=2).hold(NEUTRAL, Ontario=3)
    assert moves(position, name) == ["Alaska > Alberta 5"]


def test_evilpixie_helps_a_continent_then_balances_borders():
    position = ground(fortify="unlimited")
    position.hold(0, **every(position, "Africa", 3)).hold(0, Egypt=2, Southern_Europe=9)
    assert moves(position, "evilpixie")[:2] == ["Southern Europe > Egypt 8", "Egypt > East Africa 3"]
