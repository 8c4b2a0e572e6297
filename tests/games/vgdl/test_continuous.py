"""Continuous physics: velocities, gravity, standing on the ground, walls and rackets, in worlds of a few cells."""

from __future__ import annotations

import math
from typing import Any

import pytest

from oponente.games.vgdl.continuous_effects import rotation_of
from oponente.games.vgdl.layout import FARTHEST
from oponente.games.vgdl.scene import loaded
from oponente.kernel import COMPILED, Game, random_below, stream
from tests.games.vgdl.worlds import World, describe, make_game, own_texts

WALKER = "avatar > MovingAvatar"
OPEN = "\n".join(["..........", "b.........", *[".........."] * 8, "A........."])
"""Ten cells of 10 pixels each way; `b` is at (0, 10)."""


def velocity(sprite: Any) -> tuple[float, float]:
    """Return a sprite's velocity in pixels a tick."""
    return float(sprite.ox * sprite.speed), float(sprite.oy * sprite.speed)


def flying(keys: str, ticks: int, interactions: str = "", level: str = OPEN) -> World:
    """Return a world in which a missile of continuous physics has flown for some ticks."""
    world = World(f"{WALKER}\nball > Missile physicstype=CONT {keys}", interactions, level, mapping="b > ball")
    return world.ticks(ticks)


# --- motion ----------------------------------------------------------------------------------------------------------


def test_gravity_changes_the_velocity_after_the_move_and_pixels_are_whole() -> None:
    # The speed is cut to whole pixels first, then each part of the move: of (3, 1), 3 pixels long, (2, 0) is left.
    places = [flying("orientation=RIGHT speed=3 gravity=1", ticks).places("ball")[0] for ticks in range(1, 5)]
    assert places == [(0, 10), (3, 10), (5, 10), (7, 11)]
    assert velocity(flying("orientation=RIGHT speed=3 gravity=1", 4).sprite("ball")) == pytest.approx((3, 3))


@pytest.mark.compiled
def test_what_falls_without_end_stays_where_places_can_be_told() -> None:
    # A field of 32 bits would wrap round.
    assert flying("orientation=DOWN speed=1 gravity=100000000", 990).places("ball") == [(0, FARTHEST)]
    assert flying("orientation=UP speed=900000000", 990).places("ball") == [(0, -FARTHEST)]


@pytest.mark.compiled
def test_a_walker_on_the_grid_does_not_glide() -> None:
    world = World(f"{WALKER}\nw > Walker only_active=True speed=3 max_speed=3", "", OPEN, mapping="b > w")
    assert world.ticks(6).places("w") == [(0, 10)]


def test_friction_takes_a_share_of_the_speed_in_each_tick() -> None:
    places = [flying("orientation=RIGHT speed=10 friction=0.5", ticks).places("ball")[0][0] for ticks in range(2, 7)]
    assert places == [10, 15, 17, 18, 18]


def test_a_sprite_at_rest_does_not_fall() -> None:
    # As the recordings show; so a jump by a whole number of pixels ends in the air.
    assert flying("orientation=RIGHT speed=0 gravity=1", 20).places("ball") == [(0, 10)]


def test_a_push_counts_less_with_more_mass() -> None:
    world = World("avatar > MovingAvatar physicstype=CONT mass=2", "", OPEN)
    assert velocity(world.tick("RIGHT").sprite("avatar")) == (0.5, 0.0)
    assert velocity(world.tick("RIGHT").tick("UP").sprite("avatar")) == pytest.approx((1.0, -0.5))


def test_mass_is_kept_in_single_precision() -> None:
    world = World("avatar > MovingAvatar physicstype=CONT mass=0.2", "", OPEN)
    assert world.tick("RIGHT").tick().places("avatar") == [(4, 100)]


def test_nothing_gets_faster_than_its_greatest_speed() -> None:
    world = World("avatar > MovingAvatar physicstype=CONT max_speed=2", "", OPEN)
    for _ in range(6):
        world.tick("RIGHT")
    assert velocity(world.sprite("avatar")) == pytest.approx((2.0, 0.0))


def test_a_mass_of_nothing_is_no_mass() -> None:
    world = World("avatar > MovingAvatar physicstype=CONT mass=0", "", OPEN)
    assert velocity(world.tick("RIGHT").sprite("avatar")) == (1.0, 0.0)
    warnings = loaded(world.state).compiled.warnings
    assert any(line.endswith("mass=0 is ignored: expected a number above 0") for line in warnings), warnings


def test_water_leaves_little_gravity() -> None:
    sprites = f"{WALKER}\nball > Missile physicstype=CONT orientation=DOWN speed=5 gravity=1\nwater > Immovable"
    world = World(sprites, "ball water > waterPhysics", "b.\n..\n~.\n..\nA.", mapping="b > ball\n~ > water")
    speeds = [velocity(world.tick().sprite("ball"))[1] for _ in range(4)]
    assert speeds == pytest.approx([5.0, 6.0, 7.0, 7.2])


def test_an_effect_pushes_with_the_speed_of_the_other_sprite() -> None:
    sprites = f"{WALKER}\nball > Missile physicstype=CONT orientation=RIGHT speed=6\nbox > Passive physicstype=CONT"
    world = World(sprites, "box ball > bounceForward", "b.x.......\nA", mapping="b > ball\nx > box")
    # The box has no orientation, so nothing comes of the ball's speed; the push itself is 1.
    assert velocity(world.ticks(3).sprite("box")) == (1.0, 0.0)


# --- walls and rackets -----------------------------------------------------------------------------------------------


def test_a_wall_stops_a_sprite_flush() -> None:
    world = flying("orientation=RIGHT speed=7", 3, "ball wall > wallStop", "b.w\nA..")
    assert (world.places("ball"), velocity(world.sprite("ball"))) == ([(10, 0)], (0.0, 0.0))


def test_on_the_ground_a_sprite_goes_on_and_is_as_fast_as_its_gravity_at_least() -> None:
    level = "b.........\nwwwwwwwwww\nA"
    world = flying("orientation=RIGHT speed=5 gravity=2", 3, "ball wall > wallStop", level)
    assert (world.places("ball"), velocity(world.sprite("ball"))) == ([(5, 0)], pytest.approx((5.0, 0.0)))
    slow = flying("orientation=RIGHT speed=1 gravity=2", 3, "ball wall > wallStop", level)
    assert velocity(slow.sprite("ball")) == (2.0, 0.0)


def test_bouncing_off_a_wall_and_off_two_in_a_line() -> None:
    world = flying("orientation=LEFT speed=6", 2, "ball wall > wallBounce", "wb..\n....\nA...")
    assert (world.places("ball"), velocity(world.sprite("ball"))) == ([(10, 0)], (6.0, 0.0))
    # At (15, 14) the ball touches two walls below that make one floor.
    world = World(
        f"{WALKER}\nball > Missile physicstype=CONT orientation=RIGHT speed=7",
        "ball wall > wallBounce",
        ".b..\n....\nwwww\nA...",
        mapping="b > ball",
    )
    ball = world.tick().sprite("ball")
    ball.x, ball.y, ball.ox, ball.oy = 11, 8, 0.8, 0.6
    assert velocity(world.tick().sprite("ball")) == pytest.approx((5.6, -4.2))
    assert world.places("ball") == [(11, 8)]


def test_at_a_corner_both_parts_of_the_velocity_turn_round() -> None:
    world = flying("orientation=RIGHT speed=10", 1, "ball wall > wallBounce", "b..\n.w.\nA..")
    ball = world.sprite("ball")
    ball.ox, ball.oy = 0.6, 0.8
    assert velocity(world.tick().sprite("ball")) == pytest.approx((-6.0, -8.0))


def test_reversing_at_walls_keeps_to_the_level() -> None:
    level = "wb......\nwwwwwwww\nA......."
    world = flying("orientation=LEFT speed=4 gravity=0.5", 2, "ball wall > wallReverse", level)
    assert (world.places("ball"), velocity(world.sprite("ball"))) == ([(10, 0)], pytest.approx((4.0, 0.0)))
    # The ground only takes what is downwards.
    world.ticks(6)
    assert velocity(world.sprite("ball"))[0] == pytest.approx(4.0)
    assert world.places("ball")[0][1] == 0


@pytest.mark.parametrize(("row", "degrees"), [(0, -40.0), (1, 0.0), (2, 40.0)])
def test_a_racket_sends_the_ball_off_by_where_it_was_hit(row: int, degrees: float) -> None:
    level = "\n".join(("b" if i == row else ".") + "..." + ("r" if i == 0 else ".") for i in range(3)) + "\nA...."
    sprites = f"{WALKER}\nball > Missile physicstype=CONT orientation=RIGHT speed=16\nracket > Passive hMult=3"
    world = World(sprites, "ball racket > bounceDirection", level, mapping="b > ball\nr > racket").ticks(3)
    angle = math.radians(degrees)
    assert world.places("ball") == [(32, 10 * row)]
    assert velocity(world.sprite("ball")) == pytest.approx((-16 * math.cos(angle), 16 * math.sin(angle)))


# --- avatars ---------------------------------------------------------------------------------------------------------

GROUND = "moving > physicstype=CONT gravity=1\n  avatar > {keys}\nground > Immovable solid=True"
FLOOR = "\n".join([*["............"] * 8, "A...........", "gggggggggggg"])
"""A floor at y = 90; the avatar stands on it."""


def grounded(keys: str) -> World:
    return World(GROUND.format(keys=keys), "avatar ground > wallStop", FLOOR, mapping="g > ground")


def test_an_avatar_jumps_from_the_ground_only() -> None:
    world = grounded("PlatformerAvatar jump_strength=8.5")
    # Nothing has fallen yet: the avatar does not know that it stands on the ground.
    assert world.tick("USE").places("avatar") == [(0, 80)]
    while not world.sprite("avatar").grounded:
        world.tick()
    assert (world.tick("USE").places("avatar"), velocity(world.sprite("avatar"))) == ([(0, 75)], (0.0, -8.5))
    assert velocity(world.tick("USE").sprite("avatar")) == (0.0, -7.5)
    heights = [world.tick().places("avatar")[0][1] for _ in range(20)]
    assert (min(heights), heights[-1]) == (75 - 36, 80)


def test_running_is_harder_in_the_air() -> None:
    world = grounded("PlatformerAvatar ground_speedup_factor=3 air_slowdown_factor=4")
    assert velocity(world.tick("RIGHT").sprite("avatar"))[0] == 0.25
    world.tick("LEFT")
    while not world.sprite("avatar").grounded:
        world.tick()
    before = velocity(world.sprite("avatar"))[0]
    assert velocity(world.tick("RIGHT").sprite("avatar"))[0] == pytest.approx(before + 3.0)


def test_a_sprite_that_is_not_solid_is_no_ground() -> None:
    sprites = GROUND.format(keys="PlatformerAvatar").replace("solid=True", "solid=False")
    world = World(sprites, "avatar ground > wallStop", FLOOR, mapping="g > ground").ticks(6)
    assert not world.sprite("avatar").grounded
    assert world.tick("USE").places("avatar") == [(0, 80)]


def test_a_wizard_makes_blocks_in_front_and_floats_when_the_last_one_is_too_recent() -> None:
    world = grounded("WizardAvatar stype=block\nblock > Immovable solid=True")
    world.tick("LEFT").tick("RIGHT").ticks(3)
    # It has fallen by a pixel when it makes the block; then the ground puts it back.
    assert world.tick("UP").places("block") == [(12, 81)]
    assert world.places("avatar") == [(0, 80)]
    before = velocity(world.tick().sprite("avatar"))[1]
    assert velocity(world.tick("UP").sprite("avatar"))[1] == pytest.approx(before)
    assert world.count("block") == 1


def test_a_bird_flaps_at_any_time_and_leans_forward() -> None:
    world = World("avatar > BirdAvatar gravity=1", "", OPEN)
    assert velocity(world.tick("USE").sprite("avatar")) == pytest.approx((1.0, -10.0))
    assert velocity(world.tick().sprite("avatar")) == pytest.approx((2.0, -9.0))
    assert velocity(world.tick("USE").sprite("avatar")) == pytest.approx((3.0, -10.0))


def test_a_car_accelerates_all_the_time_forward_or_back() -> None:
    world = World("avatar > CarAvatar", "", OPEN)
    assert velocity(world.tick().sprite("avatar")) == (6.0, 0.0)
    assert velocity(world.tick().sprite("avatar")) == (6.0, 0.0)
    assert velocity(world.tick("DOWN").sprite("avatar")) == pytest.approx((4.0, 0.0))
    assert velocity(world.tick("UP").sprite("avatar")) == pytest.approx((6.0, 0.0))
    assert velocity(world.tick("RIGHT").sprite("avatar")) == pytest.approx((5 + math.cos(0.15), math.sin(0.15)))


def test_a_spaceship_thrusts_and_shoots_where_it_heads() -> None:
    quarter = math.pi / 2
    sprites = f"avatar > SpaceshipAvatar stype=shot angle_diff={quarter} physicstype=CONT\nshot > Missile speed=1"
    world = World(sprites, "", "....\n.A..\n....\n....")
    world.tick("RIGHT").tick("USE")
    assert world.places("shot") == [(10, 20)]
    assert (float(world.sprite("shot").ox), float(world.sprite("shot").oy)) == pytest.approx((0.0, 1.0))
    assert velocity(world.tick("UP").sprite("avatar")) == pytest.approx((0.0, 1.0))
    assert velocity(world.tick("DOWN").tick("DOWN").sprite("avatar")) == pytest.approx((0.0, -1.0))


def test_an_aim_turns_and_stays() -> None:
    world = World("avatar > AimedAvatar stype=shot angle_diff=0.5\nshot > Missile", "", OPEN)
    avatar = world.tick("DOWN").tick("DOWN").tick("UP").sprite("avatar")
    assert (float(avatar.ox), float(avatar.oy)) == pytest.approx((math.cos(0.5), math.sin(0.5)))
    assert world.tick("USE").places("shot") == [(8, 104)]
    assert world.ticks(3).places("avatar") == [(0, 100)]


@pytest.mark.parametrize(("turns", "left"), [(0, 0), (1, 1), (2, 0)])
def test_a_lander_has_to_be_upright(turns: int, left: int) -> None:
    sprites = f"avatar > LanderAvatar physicstype=CONT angle_diff={math.pi / 2}\npad > Immovable"
    world = World(sprites, "avatar pad > killIfNotUpright", "P.", mapping="P > pad avatar", header="square_size=10")
    avatar = world.sprite("avatar")
    avatar.x = 10
    for _ in range(turns):
        world.tick("LEFT")
    assert rotation_of(world.game.tables, world.state.record, avatar) == pytest.approx(
        (-turns * math.pi / 2) % math.tau
    )
    avatar.x = 0
    assert world.tick().count("avatar") == left


# --- others ----------------------------------------------------------------------------------------------------------


def test_a_walker_goes_to_and_fro_and_draws_its_way_at_walls() -> None:
    level = "wb....w\nwwwwwww\nA......"
    sprites = f"{WALKER}\nball > Walker max_speed=4 gravity=1 orientation=RIGHT"
    world = World(sprites, "ball wall > wallStop", level, mapping="b > ball")
    places = {world.tick().places("ball")[0] for _ in range(120)}
    assert {y for _, y in places} == {0}
    assert (min(x for x, _ in places), max(x for x, _ in places)) == (10, 50)


def test_a_walker_may_jump() -> None:
    level = "\n".join(["w....w"] * 4 + ["w.b..w", "gggggg", "A....."])
    sprites = (
        f"{WALKER}\nball > WalkerJumper max_speed=4 gravity=1 jump_strength=9 probability=1 orientation=RIGHT\n"
        "ground > Immovable solid=True"
    )
    world = World(sprites, "ball wall ground > wallReverse", level, mapping="b > ball\ng > ground")
    assert min(world.tick().places("ball")[0][1] for _ in range(60)) < 35


def test_chasers_of_continuous_physics_measure_straight_lines() -> None:
    sprites = f"{WALKER}\nwolf > Chaser stype=deer physicstype={{physics}} speed=1\ndeer > Immovable"
    # Across and down one is nearer, in a straight line the other.
    level = "w......d\n........\n........\n........\n........\n.....d..\nA......."
    steps = []
    for physics in ("GRID", "CONT"):
        world = World(sprites.replace("{physics}", physics), "", level, mapping="w > wolf\nd > deer").ticks(3)
        steps.append(world.places("wolf")[0][1] > 0)
    assert steps[0] is False


# --- states ----------------------------------------------------------------------------------------------------------


def play(game: Game, seed: int, ticks: int) -> None:
    """Play at random; what a copy does is what the original does, and leaves the original alone."""
    state, rng = game.start(seed), stream(seed, "continuous")
    for tick in range(ticks):
        if state.is_terminal:
            return
        listed = list(state.legal_actions)
        action = listed[int(random_below(rng, len(listed)))]
        twin, kept = state.copy(), game.from_bytes(state.to_bytes())
        twin.apply(action)
        if tick % 7 == 0:
            assert kept == state
        state.apply(action)
        assert twin == state
        assert hash(twin) == hash(state)


@pytest.mark.parametrize("avatar", ["SpaceshipAvatar stype=ball", "CarAvatar", "WizardAvatar stype=ball", "BirdAvatar"])
def test_copies_are_complete_and_independent(avatar: str) -> None:
    sprites = (
        f"moving > physicstype=CONT gravity=0.7 friction=0.03\n  avatar > {avatar}\n  ball > Missile speed=9\n"
        "ground > Immovable solid=True"
    )
    interactions = "avatar wall ground > wallStop\nball wall ground > wallBounce\nball avatar > bounceDirection"
    level = "wwwwwwwww\nw.......w\nw.b.A...w\nw.......w\nwgggggggw"
    game = make_game(describe(sprites, interactions, mapping="b > ball\ng > ground"), level)
    for seed in range(4 if COMPILED else 1):
        play(game, seed, 80 if COMPILED else 10)


def test_copies_of_the_platform_game_of_the_package() -> None:
    play(make_game(*own_texts("hedgehog")), 3, 200 if COMPILED else 10)
