"""What agents learn in play: what collisions bring and what is in the way. So they go where something is to be had."""

from __future__ import annotations

import pytest

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.view import View
from oponente.games.catalogue import load_game, make_agent
from oponente.games.vgdl.heuristics import IGNORANCE
from oponente.games.vgdl.kinds import LEFT
from oponente.games.vgdl.knowledge import (
    BOUND,
    CURIOSITY,
    GAINED,
    NOBODY,
    Knowledge,
    forget,
    learn,
    new_knowledge,
    worth_of_nearness,
)
from oponente.kernel import Game, stream
from tests.games.vgdl.worlds import World

pytestmark = pytest.mark.compiled

SPRITES = """gem > Immovable
thorn > Immovable
pit > Immovable
door > Immovable
rock > Immovable
moss > Immovable
hidden > Immovable hidden=True
avatar > MovingAvatar"""
INTERACTIONS = """gem avatar > killSprite scoreChange=2
avatar thorn > stepBack scoreChange=-1
avatar pit > killSprite
avatar rock > stepBack
moss avatar > killSprite
hidden avatar > killSprite scoreChange=1
avatar EOS > stepBack"""
MAPPING = "g > gem\nt > thorn\np > pit\nd > door\nw > rock\nm > moss\nh > hidden"


def field(level: str) -> World:
    """Return a world: gems bring 2, thorns cost 1, pits lose, doors win, rocks are in the way, moss is nothing."""
    endings = "SpriteCounter stype=avatar limit=0 win=False"
    if "d" in level:
        endings += "\nSpriteCounter stype=door limit=0 win=True"
    return World(SPRITES, INTERACTIONS + "\ndoor avatar > killSprite", level, mapping=MAPPING, endings=endings)


def learnt(world: World, courses: int = 400, seed: int = 1) -> Knowledge:
    """Return what is learnt at a position."""
    knowledge = new_knowledge()
    learn(knowledge, world.state, 0, courses, stream(seed, "test"))
    return knowledge


def weight(knowledge: Knowledge, world: World, name: str) -> float:
    """Return the weight of a type."""
    return float(knowledge.subjects[world.names.index(name)].weight)


def worth_at(knowledge: Knowledge, world: World, column: int, row: int) -> float:
    """Return what it would be worth if the avatar were in a cell."""
    state = world.state.copy()
    avatar = state.record.sprites[int(state.record.avatar[0])]
    avatar.x, avatar.y = 10 * column, 10 * row
    return float(worth_of_nearness(knowledge, world.game.tables, state.record, 0))


NEAR = """...........d
.g.t........
...Aw.......
.m.p.......g
............"""


def test_collisions_teach_what_types_bring() -> None:
    world = field(NEAR)
    knowledge = learnt(world)
    assert weight(knowledge, world, "gem") > 0.5
    assert -0.6 < weight(knowledge, world, "thorn") < -0.4
    assert weight(knowledge, world, "pit") < -0.9
    assert abs(weight(knowledge, world, "rock")) < 0.1
    # Too far away: it was never met.
    assert weight(knowledge, world, "door") == pytest.approx(CURIOSITY)
    rock, moss = (knowledge.subjects[world.names.index(name)] for name in ("rock", "moss"))
    assert rock.blocked > 0.5 * rock.met
    assert moss.met > 0.0
    assert moss.blocked == 0.0


def test_curiosity_fades_where_nothing_comes_of_it() -> None:
    world = field("A.m\n...\n...")
    curious = [weight(learnt(world, courses), world, "moss") for courses in (0, 3, 30, 300)]
    assert curious[0] == pytest.approx(CURIOSITY)
    assert curious == sorted(curious, reverse=True)
    assert curious[-1] < 0.1 * CURIOSITY


def test_a_win_is_worth_as_much_as_the_most_points() -> None:
    world = field("..d\n.A.\n...")
    assert weight(learnt(world), world, "door") > 0.9


def test_what_heals_or_can_be_kept_stays_worth_something() -> None:
    world = World(
        "coin > Resource limit=9\nherb > Immovable\navatar > MovingAvatar healthPoints=1 limitHealthPoints=9",
        "coin avatar > collectResource\navatar herb > addHealthPoints value=2 killSecond=True\navatar EOS > stepBack",
        ".c.\n.A.\n.h.",
        mapping="c > coin\nh > herb",
    )
    knowledge = learnt(world)
    assert [weight(knowledge, world, name) for name in ("coin", "herb")] == pytest.approx([GAINED, GAINED], rel=0.1)


def test_nothing_is_learnt_of_what_is_hidden() -> None:
    world = field(".h.\n.A.\n...")
    knowledge = learnt(world)
    assert knowledge.subjects[world.names.index("hidden")].met == 0.0
    assert knowledge.root[0].considered == 0


def test_a_shot_that_is_hidden_teaches_nothing() -> None:
    shown, hidden = (
        World(
            f"gem > Immovable\nbolt > Missile orientation=UP hidden={hide}\navatar > FlakAvatar stype=bolt",
            "gem bolt > killSprite scoreChange=1",
            "g\n.\n.\nA",
            mapping="g > gem",
        )
        for hide in ("False", "True")
    )
    assert learnt(shown).subjects[shown.names.index("gem")].met > 0.0
    assert learnt(hidden).subjects[hidden.names.index("gem")].met == 0.0


def test_near_is_good_where_something_is_to_be_had_and_bad_where_a_moving_sprite_costs() -> None:
    world = World(
        "gem > Immovable\nwasp > RandomNPC cons=1000\navatar > MovingAvatar",
        "gem avatar > killSprite scoreChange=1\nwasp avatar > killSprite scoreChange=-1\navatar EOS > stepBack",
        ".................\ng...............s\n......g.A.s......",
        mapping="g > gem\ns > wasp",
    )
    knowledge = learnt(world)
    assert weight(knowledge, world, "wasp") < -0.5
    places = [worth_at(knowledge, world, column, 0) for column in range(10)]
    assert places[6:] == sorted(places[6:], reverse=True)
    assert all(0.0 < place < BOUND for place in places)
    # Both are four steps from the nearest gem, the second is nearer to a wasp.
    assert worth_at(knowledge, world, 3, 0) > worth_at(knowledge, world, 8, 0)


def test_what_harms_and_stays_where_it_is_does_not_repel() -> None:
    world = field("......g.A.t......")
    knowledge = learnt(world)
    assert weight(knowledge, world, "thorn") < -0.4
    assert knowledge.root[0].considered == 1


def test_what_was_taken_since_counts_as_reached() -> None:
    world = field("g..........m\n.....A......")
    knowledge = learnt(world, 0)
    before = worth_at(knowledge, world, 11, 1)
    while world.count("moss"):
        world.tick("RIGHT" if world.places("avatar")[0][0] < 110 else "UP")
    world.tick("DOWN")
    assert worth_at(knowledge, world, 11, 1) > before


def test_ways_lead_around_obstacles() -> None:
    world = field("g.w.......\n..w.......\n..wA......\n..w.......\n..........\n..........")
    straight, around = learnt(world, 0), learnt(world)
    # Beside the wall it is nearer as the crow flies, below it by the way.
    assert worth_at(straight, world, 3, 0) > worth_at(straight, world, 3, 4)
    assert worth_at(around, world, 3, 0) < worth_at(around, world, 3, 4)


def test_moving_sprites_are_where_they_are_now() -> None:
    world = World(
        "cat > RandomNPC cons=1000\navatar > MovingAvatar", "avatar EOS > stepBack", "c.........A", mapping="c > cat"
    )
    knowledge = learnt(world, 0)
    before = worth_at(knowledge, world, 9, 0)
    world.sprite("cat").x = 80
    assert worth_at(knowledge, world, 9, 0) > before


def test_the_game_itself_teaches() -> None:
    world = field("..Ag....\n........")
    knowledge = learnt(world, 0)
    world.tick("RIGHT")
    learn(knowledge, world.state, 0, 0, stream(1, "test"))
    gem = knowledge.subjects[world.names.index("gem")]
    assert (gem.met, gem.gain, gem.lost) == (1.0, 2.0, 0.0)
    # The same position teaches nothing twice, and after a gap it is not known what the score was.
    learn(knowledge, world.state, 0, 0, stream(1, "test"))
    assert gem.met == 1.0
    forget(knowledge)
    learn(knowledge, world.state, 0, 0, stream(1, "test"))
    assert gem.met == 0.0


SIGNATURE = [2, 4, 5, 5, 3, 4, 4, 3, 4, 2, 3, 4, 5, 1, 5, 1, 5, 1, 3, 3]
"""Of `mcts:iterations=40,noise=0,final=robust` in catacombs."""

# --- agents ----------------------------------------------------------------------------------------------------------


def moves(agent_spec: str, game: Game, count: int, *, games: int = 1) -> list[list[int]]:
    """Return the first moves of an agent in some games in a row."""
    agent, found = make_agent(agent_spec, game), []
    for _ in range(games):
        agent.begin_game(game, 0)
        state, played = game.start(1), list[int]()
        while not state.is_terminal and len(played) < count:
            played.append(int(agent.choose(View(state, 0, len(played)), Budget())))
            state.apply(played[-1])
        found.append(played)
    return found


@pytest.mark.parametrize("name", ["mcts", "mr+nd", "olets"])
def test_controllers_go_for_what_is_beyond_their_horizon(name: str) -> None:
    world = field("." * 15 + "A" + "." * 24 + "g\n" + "." * 41)
    agent = make_agent(f"{name}:iterations=200,knowledge=20", world.game)
    agent.begin_game(world.game, 0)
    for seed in range(40):
        if world.score:
            break
        world.state.apply(agent.choose(View(world.state, 0, seed), Budget()))
    assert world.score == 2.0


def test_the_same_seed_gives_the_same_moves_in_every_game() -> None:
    game = load_game("vgdl", {"game": "catacombs"})
    spec = "mcts:iterations=40,knowledge=10"
    assert make_agent(spec, game).reproducible
    first, second = moves(spec, game, 15, games=2)
    assert first == second == moves(spec, game, 15)[0]


def test_who_learns_nothing_plays_as_before() -> None:
    game = load_game("vgdl", {"game": "catacombs"})
    moves("mcts:iterations=10,knowledge=5", game, 3)
    assert IGNORANCE.root[0].seat == NOBODY
    assert moves("mcts:iterations=40,noise=0,final=robust", game, 20)[0] == SIGNATURE


def test_courses_are_part_of_the_budget() -> None:
    game = load_game("vgdl", {"game": "harvest"})
    state = game.start(1)
    for spec, left in (("mcts:iterations=40,knowledge=10", 30), ("mcts:iterations=40,knowledge=1000", 20)):
        agent = make_agent(spec, game)
        agent.begin_game(game, 0)
        assert isinstance(agent, SearchAgent)
        assert agent.analyse(View(state, 0, 1), Budget()).nodes == left


def test_two_players_learn_each_for_themselves() -> None:
    game = load_game("vgdl", {"game": "lancers"})
    for seat in range(2):
        state = game.start(1)
        if seat:
            state.apply(LEFT)
        agent = make_agent("mcts:iterations=20,knowledge=10", game)
        agent.begin_game(game, seat)
        assert agent.choose(View(state, seat, 3), Budget()) in state.legal_actions


def test_knowledge_needs_evaluations() -> None:
    game = load_game("vgdl", {"game": "harvest"})
    with pytest.raises(ValueError, match="horizon or a cutoff"):
        make_agent("mcts:iterations=10,knowledge=5,horizon=none", game)
