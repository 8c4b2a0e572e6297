"""Agents of Lux: how each attacks, moves in, and moves at the end of a turn, where its description leaves no choice."""

import json

import pytest

from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.moves import ATTACKING, OCCUPYING, THROWING
from oponente.games.risk.state import NEUTRAL
from tests.games.risk.lux_turns import CLUSTER_KIN, PIXIES, Turn, attacks, every, ground, moved_in, moves
from tests.games.risk.positions import Position

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


@pytest.mark.parametrize("name", ["vulture", "killbot"])
def test_all_move_along_the_path_of_a_kill(name):
    position = ground(30)
    position.hold(1, Madagascar=2).hold(0, East_Africa=20).hold(2, Japan=90)
    assert moved_in(position, name, placing=5) == (1, 24)


def test_the_default_for_dead_ends_is_the_least_but_all_on_the_path_of_a_kill(tmp_path):
    territories = [
        {"name": "End", "neighbours": ["North"]},
        {"name": "North", "neighbours": ["End", "Middle"]},
        {"name": "Middle", "neighbours": ["North", "South"]},
        {"name": "South", "neighbours": ["Middle"]},
    ]
    path = tmp_path / "line.json"
    path.write_text(json.dumps({"name": "line", "territories": territories, "continents": []}))
    position = Position(map=path).hold(0, Middle=20).hold(1, South=2).hold(2, North=50, End=50)
    assert moved_in(position, "vulture", placing=3) == (1, 22)
    position = Position(map=path).hold(0, Middle=20, North=1).hold(1, South=2).hold(2, End=50)
    assert moved_in(position, "cluster") == (17, 3)


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
