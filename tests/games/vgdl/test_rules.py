"""What sprites, effects and terminations do, in worlds of a few cells."""

from __future__ import annotations

from typing import Any

import pytest

from oponente.games.vgdl import compiler
from oponente.games.vgdl.facts import facts
from oponente.kernel import IllegalActionError
from tests.games.vgdl.worlds import World

WALKER = "avatar > MovingAvatar"


def test_an_avatar_moves_by_its_speed_in_whole_pixels() -> None:
    world = World("avatar > MovingAvatar speed=0.37", "avatar wall > stepBack", "....\n.A..\n....")
    assert world.tick("RIGHT").places("avatar") == [(13, 10)]
    assert world.tick("UP").tick("LEFT").places("avatar") == [(10, 7)]


def test_an_avatar_that_is_stepped_back_keeps_its_place() -> None:
    world = World(WALKER, "avatar wall EOS > stepBack", "Aw\n..")
    assert world.tick("RIGHT").places("avatar") == [(0, 0)]
    assert world.tick("UP").places("avatar") == [(0, 0)]
    assert world.tick("DOWN").places("avatar") == [(0, 10)]


def test_touching_edges_do_not_collide() -> None:
    world = World(f"{WALKER}\nthing > Immovable", "avatar thing > killSprite", "At.", mapping="t > thing")
    assert world.tick().count("avatar") == 1
    assert world.tick("RIGHT").count("avatar") == 0


def test_cooldown_is_ticks_between_moves() -> None:
    world = World(
        f"{WALKER}\nball > Missile orientation=RIGHT cooldown=3", "", "b.......\nA.......", mapping="b > ball"
    )
    # The first update only ends that it is fresh.
    assert [world.tick().places("ball")[0][0] // 10 for _ in range(9)] == [0, 0, 1, 1, 1, 2, 2, 2, 3]


def test_fractions_of_pixels_are_lost_not_kept() -> None:
    world = World(f"{WALKER}\nball > Missile orientation=RIGHT speed=0.19", "", "b....\nA....", mapping="b > ball")
    assert world.ticks(11).places("ball") == [(10, 0)]


def test_a_sprite_without_a_whole_pixel_of_speed_stays() -> None:
    world = World(f"{WALKER}\nball > Missile orientation=RIGHT speed=0.09", "", "b....\nA....", mapping="b > ball")
    assert world.ticks(50).places("ball") == [(0, 0)]


def test_both_of_two_mutual_killers_die() -> None:
    world = World(
        f"{WALKER}\na > Immovable\nb > Immovable",
        "a b > killSprite scoreChange=1\nb a > killSprite scoreChange=10",
        "x.\nA.",
        mapping="x > a b",
    )
    world.tick()
    assert (world.count("a"), world.count("b"), world.score) == (0, 0, 11.0)


def test_a_killed_avatar_collides_until_the_tick_ends() -> None:
    world = World(
        f"{WALKER}\nfoe > Immovable",
        "avatar foe > killSprite scoreChange=-1",
        ".x\nA.",
        mapping="x > foe foe",
        endings="SpriteCounter stype=avatar limit=0 win=False",
    )
    world.tick("UP").tick("RIGHT")
    assert (world.score, world.wins, world.state.is_terminal) == (-2.0, [0], True)


def test_pairs_run_in_the_order_of_their_first_lines() -> None:
    interactions = (
        "avatar gem > killSprite scoreChange=5\ngem avatar > killSprite scoreChange=1\navatar gem > spawn stype=ghost"
    )
    world = World(f"{WALKER}\ngem > Immovable\nghost > Immovable", interactions, "Ag", mapping="g > gem")
    # All effects of a pair run together, at the place of its first line, also on an avatar that is disabled.
    world.tick("RIGHT")
    assert (world.score, world.count("ghost"), world.count("gem")) == (6.0, 1, 0)


def test_pushing_a_box_and_a_chain_that_is_stuck() -> None:
    sprites = f"{WALKER}\nbox > Passive"
    interactions = "avatar wall > stepBack\nbox avatar > bounceForward\nbox wall > undoAll\nbox box > undoAll"
    world = World(sprites, interactions, "A.b..w", mapping="b > box")
    for _ in range(4):
        world.tick("RIGHT")
    assert (world.places("avatar"), world.places("box")) == ([(30, 0)], [(40, 0)])
    world = World(sprites, interactions, "Abb.w", mapping="b > box")
    world.tick("RIGHT")
    assert (world.places("avatar"), world.places("box")) == ([(0, 0)], [(10, 0), (20, 0)])


def test_resources_are_collected_up_to_their_limit() -> None:
    sprites = f"{WALKER}\ngold > Resource limit=3 value=2"
    world = World(sprites, "gold avatar > collectResource scoreChange=1", "Aggg", mapping="g > gold")
    held = []
    for _ in range(3):
        world.tick("RIGHT")
        held.append(int(world.sprite("avatar").amounts[0]))
    assert (held, world.count("gold"), world.score) == ([2, 3, 3], 1, 2.0)


def test_more_kinds_of_resources_than_fit_in_a_sprite() -> None:
    names = [f"r{number}" for number in range(12)]
    sprites = "\n".join([WALKER, *(f"{name} > Resource limit=9 value={i + 1}" for i, name in enumerate(names))])
    mapping = "\n".join(f"{chr(ord('a') + i)} > {name}" for i, name in enumerate(names))
    interactions = "\n".join(f"{name} avatar > collectResource" for name in names)
    world = World(sprites, interactions, "Aabcdefghijkl", mapping=mapping)
    for _ in names:
        world.tick("RIGHT")
    from oponente.games.vgdl.scene import resources_of

    assert resources_of(world.state, 0) == {name: min(9, i + 1) for i, name in enumerate(names)}
    twin = world.game.from_bytes(world.state.to_bytes())
    assert resources_of(twin, 0) == resources_of(world.state, 0)


def test_shots_fly_in_the_direction_of_the_shooter_and_cost_ammunition() -> None:
    sprites = "avatar > ShootAvatar stype=shot ammo=arrow\nshot > Missile\narrow > Resource limit=5"
    world = World(sprites, "arrow avatar > collectResource", "....\nAa..\n....", mapping="a > arrow")
    assert world.tick("USE").count("shot") == 0
    world.tick("RIGHT").tick("DOWN").tick("USE")
    assert world.places("shot") == [(10, 20)]
    shot = world.sprite("shot")
    assert ((float(shot.ox), float(shot.oy)), int(shot.shot)) == ((0.0, 1.0), 1)
    assert world.tick("USE").count("shot") == 1


def test_a_singleton_is_there_once() -> None:
    sprites = "avatar > FlakAvatar stype=shot\nshot > Missile orientation=UP speed=0.1 singleton=True"
    world = World(sprites, "", "...\n...\n.A.")
    assert world.tick("USE").tick("USE").count("shot") == 1


def test_spawners_fire_when_the_tick_is_a_multiple_of_their_cooldown() -> None:
    sprites = f"{WALKER}\nnest > SpawnPoint stype=egg cooldown=4 total=3\negg > Immovable"
    world = World(sprites, "", "n.\nA.", mapping="n > nest")
    assert [world.tick().count("egg") for _ in range(10)] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]
    assert world.count("nest") == 0


def test_flickers_live_for_two_updates_more_than_their_limit() -> None:
    sprites = f"{WALKER}\nspark > Flicker limit=2"
    world = World(sprites, "", "s.\nA.", mapping="s > spark")
    assert [world.tick().count("spark") for _ in range(5)] == [1, 1, 1, 0, 0]


def test_time_to_live() -> None:
    world = World(f"{WALKER}\nball > Missile timeToLive=2", "", "b.\nA.", mapping="b > ball")
    assert [world.tick().count("ball") for _ in range(4)] == [1, 1, 0, 0]


def test_effects_of_time_fire_in_tick_0_and_then_every_so_often() -> None:
    sprites = "avatar > MovingAvatar healthPoints=9"
    world = World(sprites, "avatar TIME > subtractHealthPoints timer=3 repeating=True", "A.")
    assert [int(world.tick().sprite("avatar").health) for _ in range(7)] == [8, 8, 8, 7, 7, 7, 6]


def test_a_queued_effect_runs_once() -> None:
    sprites = f"{WALKER}\nseed > Immovable\ntree > Immovable\nwater > Immovable"
    interactions = (
        "water avatar > killSprite\navatar water > addTimer timer=2 ftype=transformToAll stype=seed stypeTo=tree"
    )
    world = World(sprites, "\n".join(reversed(interactions.splitlines())), "Aw\ns.", mapping="w > water\ns > seed")
    assert [world.tick("RIGHT").count("tree") for _ in range(4)] == [0, 0, 1, 1]


def test_transforming_keeps_health_and_resources_and_the_player() -> None:
    sprites = "avatar > MovingAvatar healthPoints=4\n  plain >\n  rich >\ngold > Resource\nshrine > Immovable"
    interactions = "gold plain > collectResource\nplain shrine > transformTo stype=rich"
    world = World(sprites, interactions, "Ags", mapping="A > plain\ng > gold\ns > shrine")
    world.tick("RIGHT").tick("RIGHT")
    rich = world.sprite("rich")
    assert (int(rich.health), int(rich.amounts[0]), int(rich.player), world.count("plain")) == (4, 1, 0, 0)
    assert world.tick("LEFT").places("rich") == [(10, 0)]


def test_an_avatar_that_becomes_something_else_is_disabled() -> None:
    world = World(
        f"{WALKER}\ngoal > Immovable\nflag > Immovable",
        "avatar goal > transformTo stype=flag",
        "Ag",
        mapping="g > goal",
    )
    world.tick("RIGHT")
    assert (world.count("avatar"), world.count("flag")) == (0, 1)
    assert [world.state.action_text(action) for action in world.state.legal_actions] == ["NIL"]


def test_wrapping_round_the_screen() -> None:
    world = World(
        f"{WALKER}\nball > Missile orientation=RIGHT", "ball EOS > wrapAround", "..b\nA..", mapping="b > ball"
    )
    assert [world.tick().places("ball")[0][0] for _ in range(4)] == [20, 0, 10, 20]


def test_teleporting_goes_to_an_exit_or_kills() -> None:
    sprites = f"{WALKER}\nin > Portal stype=out\nout > Immovable"
    world = World(sprites, "avatar in > teleportToExit", "Ai.o", mapping="i > in\no > out")
    assert world.tick("RIGHT").places("avatar") == [(30, 0)]
    world = World(sprites, "avatar in > teleportToExit", "Ai..", mapping="i > in\no > out")
    assert world.tick("RIGHT").count("avatar") == 0


def test_a_shield_wards_off_one_effect_for_a_tick() -> None:
    sprites = f"{WALKER}\nfire > Immovable\ncloak > Immovable"
    interactions = "avatar cloak > shieldFrom stype=fire ftype=killSprite\navatar fire > killSprite"
    world = World(sprites, interactions, "Axf", mapping="x > cloak fire\nf > fire")
    assert world.tick("RIGHT").count("avatar") == 1
    assert world.tick("RIGHT").count("avatar") == 0


def test_chasers_take_the_way_that_shortens_the_distance() -> None:
    sprites = f"{WALKER}\nwolf > Chaser stype=avatar\ndeer > Fleeing stype=avatar"
    world = World(
        sprites, "wolf wall EOS > stepBack\ndeer wall EOS > stepBack", "A..w.x\n......", mapping="x > wolf deer"
    )
    world.tick()
    assert world.places("wolf") == [(40, 0)]
    assert world.places("deer") in ([(50, 0)], [(50, 10)])


def test_events_of_the_avatar_are_recorded_once_a_kind() -> None:
    sprites = f"{WALKER}\ngem > Immovable"
    world = World(sprites, "gem avatar > killSprite", "A.g\n.g.", mapping="g > gem")
    assert world.tick().state.record.n_events == 0
    world.tick("DOWN").tick("RIGHT")
    event = world.state.record.events[0]
    assert (int(world.state.record.n_events), world.names[int(event.active)], world.names[int(event.passive)]) == (
        1,
        "avatar",
        "gem",
    )


@pytest.mark.parametrize(("limit", "ticks"), [(0, 1), (3, 4)])
def test_a_time_limit_fires_in_the_tick_of_its_number(limit: int, ticks: int) -> None:
    world = World(WALKER, "", "A.", endings=f"Timeout limit={limit} win=True")
    for _ in range(ticks):
        assert not world.state.is_terminal
        world.tick()
    assert world.state.is_terminal
    assert world.wins == [1]


def test_the_first_termination_that_fires_decides() -> None:
    endings = "SpriteCounter stype=avatar win=False\nSpriteCounter stype=goal win=True"
    interactions = "avatar goal > killSprite\ngoal avatar > killSprite"
    world = World(f"{WALKER}\ngoal > Immovable", interactions, "Ag", mapping="g > goal", endings=endings)
    assert world.tick("RIGHT").wins == [0]


def test_the_last_tick_loses() -> None:
    from tests.games.vgdl.worlds import describe, make_game, play

    game = make_game(describe(WALKER, "", endings="SpriteCounter stype=avatar win=True"), "A.", ticks="20")
    state = play(game.start(), [0] * 30)
    assert (int(state.record.tick), state.is_terminal, state.returns) == (20, True, [-1.0])


TWO = "avatar > MovingAvatar\n  first >\n  second >"


def two_players(interactions: str, endings: str, level: str = "1..2") -> World:
    return World(
        TWO, interactions, level, header="square_size=10 no_players=2", mapping="1 > first\n2 > second", endings=endings
    )


def test_players_choose_in_turn_and_the_tick_passes_with_the_last_choice() -> None:
    world = two_players("", "Timeout limit=9 win=False")
    world.state.apply(4)
    assert (world.state.player, world.places("first")) == (1, [(0, 0)])
    assert world.state.observed(2, 0) != 2
    world.state.apply(2)
    assert (world.state.player, world.places("first"), world.places("second")) == (0, [(10, 0)], [(20, 0)])


def test_scores_and_wins_of_each_player() -> None:
    world = two_players("first second > killSprite scoreChange=-1,3", "SpriteCounter stype=first win=False,True")
    world.tick("RIGHT", "LEFT").tick("RIGHT", "NIL")
    assert ([float(score) for score in world.state.record.score[:2]], world.wins) == ([-1.0, 3.0], [0, 1])
    assert world.state.returns == [-1.0, 1.0]


def test_points_decide_if_the_description_says_so() -> None:
    world = two_players("first second > stepBack scoreChange=0,1", "Timeout limit=2 count_score=True", "12..")
    world.tick("RIGHT", "NIL").ticks(2)
    assert world.wins == [0, 1]
    assert two_players("", "Timeout limit=0 count_score=True").tick().wins == [0, 0]


@pytest.mark.parametrize(
    ("won", "points", "noted"), [(True, 0, 1), (True, -4, 1), (True, 3, 3), (False, -4, -4), (False, 0, 0)]
)
def test_a_winner_has_a_point_at_least_in_what_is_noted(won: bool, points: int, noted: float) -> None:
    interactions = f"avatar gem > undoAll scoreChange={points}"
    endings = f"Timeout limit=1 win={won}"
    world = (
        World(f"{WALKER}\ngem > Immovable", interactions, "Ag", mapping="g > gem", endings=endings).tick("RIGHT").tick()
    )
    assert world.state.is_terminal
    assert (world.score, facts(world.state)) == (points, [{"score": noted, "ticks": 2.0}])


@pytest.mark.compiled
def test_creation_is_refused_with_more_than_ten_thousand_sprites_and_nothing_is_lost() -> None:
    sprites = f"{WALKER}\nnest > SpawnPointMultiSprite stypes={','.join(['egg'] * 8)}\negg > Passive"
    level = "A" + "n" * 49 + ("\n" + "n" * 50) * 3
    world = World(sprites, "", level, mapping="n > nest", header="square_size=2")
    twin = world.tick().game.from_bytes(world.state.to_bytes())
    while not world.state.is_terminal:
        world.tick()
        twin.apply(0)
        assert twin == world.state
    # The framework gives up after 25 warnings, and nobody wins.
    assert (int(world.state.record.count), world.count("egg"), world.wins) == (10_001, 10_001 - 200, [-1])


def test_a_bomber_that_holds_resources_still_makes_its_own_missiles() -> None:
    sprites = (
        f"{WALKER}\nnest > BomberRandomMissile stypeMissile=fly,bee\nfly > Passive\nbee > Passive\n"
        "coin > Resource limit=1000000 value=500"
    )
    world = World(sprites, "coin nest > collectResource", "n.\nA.", mapping="n > nest coin")
    world.ticks(9)
    assert (world.count("coin"), int(world.sprite("nest").amounts[0])) == (0, 500)
    assert (world.count("fly") + world.count("bee"), world.count("avatar"), world.count("wall")) == (9, 1, 0)


def test_what_an_effect_lets_a_bomber_make_is_no_resource_of_what_it_becomes() -> None:
    sprites = (
        f"{WALKER}\nnest > BomberRandomMissile stypeMissile=fly\nfly > Passive\nbee > Passive\n"
        "coin > Resource limit=9\nshell > Passive\nmud > Immovable"
    )
    interactions = "avatar fly > updateSpawnType stype=bee spawnPoint=nest\nnest mud > transformTo stype=shell"
    world = World(sprites, interactions, "A.n", mapping="A > avatar fly\nn > nest").ticks(2)
    assert (world.count("fly"), world.count("bee")) == (2, 1)
    world = World(sprites, interactions, "A.n", mapping="A > avatar fly\nn > nest mud").tick()
    assert set(world.sprite("shell").amounts) == {0}


def test_a_shield_of_what_never_moves() -> None:
    sprites = f"{WALKER}\nbox > Immovable"
    shielded = "box avatar > shieldFrom stype=avatar ftype=killSprite scoreChange=3\nbox avatar > killSprite"
    for interactions in (shielded, f"{shielded}\nbox EOS > wrapAround"):
        world = World(sprites, interactions, "Ab", mapping="b > box").tick("RIGHT")
        assert (world.count("box"), world.score) == (1, 3.0)


EFFECTS_ON_WHAT_RESTS = [
    *("stepBack", "killSprite", "killBoth", "killAll stype=box", "killIfAlive", "killIfHasMore resource=box limit=1"),
    *("killIfHasLess resource=box", "killIfOtherHasMore resource=box", "killIfFromAbove", "killIfFrontal"),
    *("killIfNotFrontal", "killIfSlow limspeed=2", "killIfFast", "transformTo stype=ball killSecond=True"),
    *("transformToAll stype=box stypeTo=gem", "transformToSingleton stype=gem stype_other=jewel takeOrientation=True"),
    *("transformToRandomChild stype=group", "transformIfCount stype=gem stypeCount=box geq=1", "cloneSprite"),
    *("spawn stype=gem", "spawnAbove stype=gem", "spawnBehind stype=gem", "spawnIfHasMore resource=box stype=gem"),
    *("spawnIfHasLess resource=box stype=gem", "undoAll", "undoAll notStype=avatar", "bounceForward", "pullWithIt"),
    *("wrapAround", "turnAround", "reverseDirection", "flipDirection", "attractGaze", "align", "teleportToExit"),
    *("collectResource", "collectResource killResource=False", "collectResourceIfHeld heldResource=box"),
    *("changeResource resource=box killResource=True", "addHealthPoints killSecond=True", "addHealthPointsToMax"),
    *("subtractHealthPoints", "subtractHealthPoints stype=box", "subtractHealthPoints stype=ball", "removeScore"),
    *("removeScore stype=avatar killSecond=True", "addTimer timer=1 ftype=killAll stype=box"),
    *("addTimer timer=1 ftype=setSpeedForAll stype=box value=1", "shieldFrom stype=avatar ftype=killSprite"),
    *("updateSpawnType stype=gem spawnPoint=nest", "setSpeedForAll stype=box value=1", "halfSpeed"),
    *("increaseSpeedToAll stype=gem value=0.5", "decreaseSpeedToAll stype=box", "killIfNotUpright", "waterPhysics"),
]


@pytest.mark.parametrize("effect", EFFECTS_ON_WHAT_RESTS)
def test_what_never_moves_acts_as_if_it_could(monkeypatch: pytest.MonkeyPatch, effect: str) -> None:
    sprites = (
        f"{WALKER} healthPoints=3\nbox > Immovable orientation=RIGHT healthPoints=1\ncoin > Resource limit=3\n"
        "ball > Missile orientation=LEFT\nnest > SpawnPoint stype=ball cooldown=4\n"
        "group >\n  gem > Passive\n  jewel > Immovable"
    )
    lines = (
        f"box avatar > {effect} scoreChange=1\navatar box > {effect} scoreChange=10\ncoin avatar > {effect}\n"
        f"avatar coin > {effect} scoreChange=100\nbox coin ball > {effect}\nball box coin > {effect} scoreChange=1000\n"
        "box coin avatar ball > killSprite scoreChange=10000"
    )
    if not effect.startswith("killIf"):
        lines += f"\nbox coin TIME > {effect} timer=6 scoreChange=100000"
    mapping = "b > box\nc > coin\ng > gem\nj > jewel\nx > ball\nn > nest"

    def course(header: str) -> list[Any]:
        world, seen = World(sprites, lines, "bc.n\nAb.x\n.c.x\ngj.b", mapping=mapping, header=header), []
        for action in ["RIGHT", "UP", "DOWN", "DOWN", "RIGHT", "DOWN", "LEFT"]:
            world.tick(action if action in map(world.state.action_text, world.state.legal_actions) else "NIL")
            places = [sorted(world.places(name)) for name in world.names]
            seen.append((places, [float(score) for score in world.state.record.score], int(world.state.record.rng)))
            if int(world.state.record.count) > 40:
                break  # some effects make ever more
        return seen

    usual = course("square_size=10")
    monkeypatch.setattr(compiler, "fixed_types", lambda *_: set())
    # Another text, since what is compiled is kept by the text.
    assert course("square_size=10 key_handler=Pulse") == usual


def test_an_effect_that_is_due_later_than_any_tick_never_runs() -> None:
    sprites = f"{WALKER}\nbox > Immovable"
    for repeating in (False, True):
        timer = f"addTimer timer=2147483647 ftype=killAll stype=box scoreChange=1 repeating={repeating}"
        world = World(sprites, f"avatar box > {timer}", "Ab", mapping="b > box").tick("RIGHT").ticks(5)
        assert (world.count("box"), world.score, int(world.state.record.tick)) == (1, 0.0, 5)


def test_a_speed_that_a_queued_effect_gives_moves_what_stood_still() -> None:
    sprites = f"{WALKER}\nball > Missile speed=0 orientation=RIGHT\nbox > Immovable"
    interactions = "avatar box > addTimer timer=1 ftype=setSpeedForAll stype=ball value=1"
    world = World(sprites, interactions, "Ab..\no...", mapping="b > box\no > ball")
    assert [world.tick("RIGHT").places("ball")[0][0] for _ in range(4)] == [0, 0, 10, 20]


@pytest.mark.parametrize(("second", "score"), [("EOS", -5.0), ("box", -5.0), ("TIME", 1.0)])
def test_points_for_killing_count_but_for_effects_of_time(second: str, score: float) -> None:
    sprites = "avatar > MovingAvatar healthPoints=1\nbox > Immovable"
    hurt = f"avatar {second} > subtractHealthPoints scoreChange=1 scoreChangeIfKilled=-5"
    world = World(sprites, hurt, "bA", mapping="b > box").tick("LEFT" if second == "box" else "RIGHT")
    assert (world.score, world.count("avatar")) == (score, 0)


def test_a_transformation_that_a_singleton_prevents_kills_nobody() -> None:
    sprites = f"{WALKER}\npawn > Passive\nking > Passive singleton=True\ngem > Immovable"
    interactions = "pawn gem > transformTo stype=king killSecond=True"
    mapping = "x > pawn gem\nk > king"
    world = World(sprites, interactions, "xk\nA.", mapping=mapping).tick()
    assert [world.count(name) for name in ("pawn", "king", "gem")] == [1, 1, 1]
    world = World(sprites, interactions, "x.\nA.", mapping=mapping).tick()
    assert [world.count(name) for name in ("pawn", "king", "gem")] == [0, 1, 0]


def test_a_chaser_walks_at_random_as_often_as_epsilon_says() -> None:
    def ways(epsilon: float) -> set[tuple[int, int]]:
        sprites = f"{WALKER}\nfox > RandomAltChaser stype1=avatar epsilon={epsilon}"
        worlds = [World(sprites, "", "...\n.f.\n..A", mapping="f > fox", seed=seed) for seed in range(30)]
        return {world.tick().places("fox")[0] for world in worlds}

    assert ways(0) == {(20, 10), (10, 20)}
    assert ways(1) == {(20, 10), (10, 20), (0, 10), (10, 0)}


@pytest.mark.parametrize("effect", ["killAll stype=gem", "spawn stype=gem", "killIfHasMore resource=gem", "stepBack"])
def test_a_queued_effect_scores_once_whatever_it_does(effect: str) -> None:
    sprites = f"{WALKER}\nbox > Immovable\ngem > Resource"
    interactions = f"avatar box > addTimer timer=2 ftype={effect} scoreChange=2\nbox avatar > killSprite"
    world = World(sprites, interactions, "Ab.", mapping="b > box\ng > gem")
    assert [world.tick("RIGHT").score for _ in range(4)] == [0.0, 0.0, 2.0, 2.0]


def test_a_stop_counter_stops_the_terminations_above_it_too() -> None:
    lines = ["SpriteCounter stype=gem limit=0 win=True", "StopCounter stype1=box limit=0"]
    for endings in (lines, lines[::-1], [lines[1], "StopCounter stype1=gem limit=0", lines[0]]):
        world = World(
            f"{WALKER}\nbox > Immovable\ngem > Immovable",
            "box avatar > killSprite",
            ".Ab",
            mapping="b > box",
            endings="\n".join(endings),
        )
        assert not world.tick("LEFT").state.is_terminal
        world.tick("RIGHT").tick("RIGHT")
        assert world.wins == [1]


def test_becoming_a_child_of_no_type_is_nothing() -> None:
    sprites = "\n".join([f"{WALKER}\nbox > Immovable", "group >", *(f"  g{i} > Immovable" for i in range(187))])
    world = World(f"{sprites}\nlast >\n  g0 >", "box avatar > transformToRandomChild", "Ab", mapping="b > box")
    before = int(world.state.record.rng)
    world.tick("RIGHT")
    assert (world.count("box"), int(world.state.record.rng)) == (1, before)


def test_a_path_chaser_that_is_pulled_along_keeps_its_target() -> None:
    sprites = (
        f"{WALKER}\nfox > PathAltChaser stype1=hen randomTarget=True speed=0.1\nhen > Missile speed=0\n"
        "log > Missile orientation=RIGHT speed=0.1"
    )
    level = "x.....h\n......h\nA......"
    world = World(
        sprites, "fox log > pullWithIt", level, mapping="x > fox log\nh > hen", header="square_size=10 obs=wall"
    )
    drawn = []
    for _ in range(5):
        before = int(world.state.record.rng)
        world.tick()
        drawn.append(int(world.state.record.rng) != before)
    assert drawn == [True, False, False, False, False]


def test_each_form_of_an_action_is_read_as_that_action() -> None:
    state = World("avatar > ShootAvatar stype=ball\nball > Missile", "", "A.").state
    forms = {"NIL": "n N .", "UP": "u U Up", "LEFT": "l L", "DOWN": "d D", "RIGHT": "r R", "USE": "use Use USE"}
    for name, written in forms.items():
        for text in (name, name.lower(), *written.split()):
            assert state.action_text(state.parse_action(text)) == name
    with pytest.raises(IllegalActionError, match="or the first letter, but for USE"):
        state.parse_action("x")
