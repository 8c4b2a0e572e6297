"""What controllers may see: categories, the grid, events, the avatar, and nothing that is hidden."""

from __future__ import annotations

import pytest

from oponente.games.vgdl.kinds import LEFT, NIL, RIGHT, USE
from oponente.games.vgdl.observation import Category, History, StateObservation, Winner
from tests.games.vgdl.worlds import World

SPRITES = """
gem > Resource limit=3
gate > Door
bat > RandomNPC cons=9
rock > Immovable
crate > Passive
ghost > Immovable hidden=True
bolt > Missile orientation=UP
avatar > FlakAvatar stype=bolt healthPoints=5 limitHealthPoints=9
"""
GEMS = "g > gem\nc > crate"
LEVEL = """g.d.b
r.c.h
..A.g"""


def world() -> World:
    mapping = "g > gem\nd > gate\nb > bat\nr > rock\nc > crate\nh > ghost"
    return World(SPRITES, "gem avatar > collectResource\ncrate bolt > killBoth scoreChange=2", LEVEL, mapping=mapping)


def seen(observation: StateObservation, category: Category) -> dict[str, list[tuple[int, int]]]:
    """Return the places of the sprites of a category by the name of their type."""
    lists = observation.positions(category) or []
    return {observation.type_name(found[0].type): [one.position for one in found] for found in lists if found}


def test_every_sprite_is_in_the_category_of_its_class() -> None:
    observation = StateObservation(world().tick("USE").state)
    assert seen(observation, Category.AVATAR) == {"avatar": [(20, 20)]}
    assert seen(observation, Category.RESOURCE) == {"gem": [(0, 0), (40, 20)]}
    assert seen(observation, Category.PORTAL) == {"gate": [(20, 0)]}
    assert seen(observation, Category.NPC) == {"bat": [(40, 0)]}
    assert seen(observation, Category.IMMOVABLE) == {"rock": [(0, 10)]}
    assert seen(observation, Category.FROM_AVATAR) == {"bolt": [(20, 20)]}
    assert seen(observation, Category.MOVABLE) == {"crate": [(20, 10)]}


def test_no_list_where_no_type_of_a_category_was_seen() -> None:
    assert StateObservation(world().state).positions(Category.FROM_AVATAR) is None


def test_an_empty_list_for_a_type_that_was_there_at_the_start() -> None:
    place = World(
        "gem > Resource\ncrate > Passive", "gem avatar > killSprite\ncrate avatar > killSprite", "gcA", mapping=GEMS
    )
    place.tick("LEFT")
    observation = StateObservation(place.tick("LEFT").state)
    assert observation.positions(Category.MOVABLE) == [[]]
    assert observation.positions(Category.RESOURCE) == [[]]
    assert observation.positions(Category.RESOURCE, (0, 0)) == [[]]
    assert observation.positions(Category.NPC) is None


def test_an_empty_list_for_a_type_that_the_history_has_seen() -> None:
    place, history = world(), History()
    history.look(StateObservation(place.state))
    later = history.copy()
    for action in ("USE", "NIL", "NIL", "NIL"):
        observation = StateObservation(place.tick(action).state, 0, later)
        later.look(observation)
    assert observation.positions(Category.FROM_AVATAR) == [[]]
    assert StateObservation(place.state, 0, history).positions(Category.FROM_AVATAR) is None, "a copy goes on by itself"
    assert StateObservation(place.state, 0, later).positions(Category.MOVABLE) == [[]], "the crate was hit"


def test_hidden_types_are_known_to_nobody_who_does_not_see_them() -> None:
    place, history = world(), History()
    history.look(StateObservation(place.state))
    names = {StateObservation(place.state).type_name(number) for _, number in history.known}
    assert names == {"gem", "gate", "bat", "rock", "crate", "avatar"}


def test_the_last_action_of_an_avatar_is_seen() -> None:
    place = world()
    assert StateObservation(place.state).avatar().last_action == NIL
    assert StateObservation(place.tick("RIGHT").state).avatar().last_action == RIGHT
    assert StateObservation(place.tick("NIL").state).avatar().last_action == NIL


def test_who_was_disqualified_has_lost_a_thousand_points() -> None:
    place = world().tick("RIGHT")
    observation = StateObservation(place.state, disqualified=0)
    assert (observation.winner(), observation.score(), observation.is_over) == (Winner.DISQUALIFIED, -1000.0, True)
    assert (observation.avatar().position, observation.available_actions()) == ((-1, -1), [])


def test_the_nearest_comes_first_if_a_place_is_given() -> None:
    observation = StateObservation(world().state)
    lists = observation.positions(Category.RESOURCE, (40, 10))
    assert lists is not None
    assert [(one.position, one.reference, one.squared_distance) for one in lists[0]] == [
        ((40, 20), (40, 10), 100),
        ((0, 0), (40, 10), 1700),
    ]


def test_the_grid_holds_each_sprite_in_every_cell_that_it_lies_in() -> None:
    turtle = World("avatar > MovingAvatar speed=0.5", "", "A..\n...").tick("RIGHT")
    cells = StateObservation(turtle.state).grid()
    assert (len(cells), len(cells[0])) == (3, 2)
    assert [[len(cell) for cell in column] for column in cells] == [[1, 0], [1, 0], [0, 0]]


def test_hidden_sprites_are_seen_nowhere() -> None:
    observation = StateObservation(world().state)
    number = [observation.type_name(i) for i in range(9)].index("ghost")
    everything = [one for category in Category for found in observation.positions(category) or [] for one in found]
    assert len(everything) == 7
    assert all(one.type != number for one in everything)
    assert all(one.type != number for column in observation.grid() for cell in column for one in cell)
    assert len({one.id for one in everything}) == 7


def test_events_with_what_is_hidden_are_not_told() -> None:
    place, history = (
        World(
            "ghost > Immovable hidden=True\nrock > Immovable\nray > Missile orientation=UP hidden=True\n"
            "avatar > FlakAvatar stype=ray",
            "ghost avatar > killSprite\nrock ray > killSprite",
            "r..\nA.g",
            mapping="g > ghost\nr > rock",
        ),
        History(),
    )
    happened = 0
    for action in ("USE", "RIGHT", "RIGHT"):
        history.look(StateObservation(place.tick(action).state))
        happened += int(place.state.record.n_events)
    assert happened == 2
    assert history.events == ()


def test_ones_own_avatar_has_events_even_if_it_is_hidden() -> None:
    place = World(
        "gem > Resource limit=3\nveil > Resource hidden=True\navatar > MovingAvatar hidden=True",
        "gem avatar > collectResource\nveil avatar > collectResource",
        "Agv",
        mapping="g > gem\nv > veil",
    ).tick("RIGHT")
    gem = place.names.index("gem")
    observation = StateObservation(place.state)
    assert [event.passive_type for event in observation.events()] == [gem]
    observation = StateObservation(place.tick("RIGHT").state)
    assert observation.events() == []
    assert observation.avatar().resources == {gem: 1}, "a resource that is hidden isn't told"
    assert observation.avatar().position == (20, 0)


def test_an_opponents_avatar_that_is_hidden_is_not_seen() -> None:
    place = World(
        "gem > Resource limit=3\navatar > MovingAvatar healthPoints=4\n  first > hidden=False,True\n  second >",
        "gem avatar > collectResource",
        "1g.\n2..",
        header="square_size=10 no_players=2",
        mapping="1 > first\n2 > second\ng > gem",
    ).tick("RIGHT", "NIL")
    own, others = StateObservation(place.state, 0), StateObservation(place.state, 1)
    gem = place.names.index("gem")
    assert [event.passive_type for event in own.events()] == [gem]
    assert others.events() == []
    assert own.avatar() == own.avatar(0)
    assert (own.avatar().position, own.avatar().health, own.avatar().resources) == ((10, 0), 4, {gem: 1})
    assert own.avatar(1).position == (0, 10), "the second is hidden from nobody"
    hidden = others.avatar(0)
    assert (hidden.position, hidden.orientation, hidden.speed, hidden.type) == ((-1, -1), (-1.0, -1.0), 0.0, -1)
    assert (hidden.health, hidden.max_health, hidden.limit_health, hidden.resources) == (0, 0, 0, {})
    assert (hidden.last_action, hidden.alive) == (RIGHT, True)


def test_events_are_collected_over_the_ticks() -> None:
    place, history = world(), History()
    for action in ("USE", "NIL", "RIGHT", "RIGHT"):
        history.look(StateObservation(place.tick(action).state))
        history.look(StateObservation(place.state))
    names = StateObservation(place.state).type_name
    assert [(e.tick, e.from_avatar, names(e.active_type), names(e.passive_type)) for e in history.events] == [
        (1, True, "bolt", "crate"),
        (3, False, "avatar", "gem"),
    ]


def test_the_avatar_and_the_game() -> None:
    place = world().tick("RIGHT").tick("RIGHT")
    observation = StateObservation(place.state)
    avatar = observation.avatar()
    gem = [observation.type_name(i) for i in range(9)].index("gem")
    assert (avatar.position, avatar.health, avatar.limit_health, avatar.alive) == ((40, 20), 5, 9, True)
    assert avatar.resources == {gem: 1}
    assert (observation.tick, observation.world_size, observation.block_size) == (2, (50, 30), 10)
    assert (observation.score(), observation.winner(), observation.is_over) == (0.0, Winner.NO_WINNER, False)
    assert observation.available_actions() == [USE, LEFT, RIGHT]
    assert observation.available_actions(with_nil=True) == [USE, LEFT, RIGHT, NIL]


def test_an_ended_game_has_no_place_and_no_actions() -> None:
    ended = World("avatar > MovingAvatar", "", "A.", endings="Timeout limit=0 win=True").tick()
    observation = StateObservation(ended.state)
    avatar = observation.avatar()
    assert (avatar.position, avatar.orientation, avatar.speed) == ((-1, -1), (-1.0, -1.0), 0.0)
    assert (observation.available_actions(), observation.winner()) == ([], Winner.WINS)


@pytest.mark.parametrize("seat", [0, 1])
def test_each_of_two_players_has_actions_of_its_own_doing_nothing_too(seat: int) -> None:
    two = World(
        "avatar > MovingAvatar\n  first > HorizontalAvatar\n  second >\nfog > Immovable hidden=True,False",
        "",
        "1f2",
        header="square_size=10 no_players=2",
        mapping="1 > first\n2 > second\nf > fog",
    )
    observation = StateObservation(two.state, seat)
    assert observation.available_actions()[-1] == NIL
    assert len(observation.available_actions(1 - seat)) == 5
    assert ("fog" in seen(observation, Category.IMMOVABLE)) == (seat == 1)
