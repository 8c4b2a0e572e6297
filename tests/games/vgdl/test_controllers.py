"""The controllers: which actions undo others, what loses is not played, plans are found, others are learnt."""

from __future__ import annotations

import json
import math
from statistics import fmean

import numpy as np
import pytest

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.view import View
from oponente.games.catalogue import load_game, make_agent
from oponente.games.vgdl.controllers import EvolutionParameters, OletsAgent, SamplePlansParameters
from oponente.games.vgdl.exploring import Explorer
from oponente.games.vgdl.kinds import ACTION_NAMES, DOWN, LEFT, NIL, RIGHT, UP, USE
from oponente.games.vgdl.portfolio import observe
from oponente.games.vgdl.redundancy import found_by_trial
from oponente.kernel import Control, Game, State, derive_seed, stream
from oponente.search.analysis import TreeShape
from tests.games.vgdl.worlds import World, games_folder, traces_folder

pytestmark = pytest.mark.compiled

OPEN_FIELD = """.....
..A..
....."""


def undone(world: World, seat: int = 0) -> set[tuple[int, int]]:
    """Return the pairs of an action and one that undoes it."""
    table = found_by_trial(world.state, seat)
    return {(int(first), int(second)) for first, second in zip(*np.nonzero(table), strict=True)}


def test_who_moves_is_brought_back_by_the_opposite_direction() -> None:
    world = World("avatar > MovingAvatar", "avatar EOS > stepBack", OPEN_FIELD)
    assert undone(world) == {(UP, DOWN), (DOWN, UP), (LEFT, RIGHT), (RIGHT, LEFT)}


def test_agents_that_search_by_another_one_show_its_tree() -> None:
    world = World("avatar > MovingAvatar", "avatar EOS > stepBack", OPEN_FIELD)
    agent = make_agent("one-step", world.game)
    assert isinstance(agent, SearchAgent)
    agent.tree_shape = TreeShape()
    assert agent.analyse(View(world.state, 0), Budget()).tree is not None


def test_who_only_turns_undoes_that_by_turning_again() -> None:
    world = World("avatar > ShootAvatar stype=bolt\nbolt > Missile", "avatar EOS > stepBack", OPEN_FIELD)
    pairs = undone(world)
    # It faces right: another direction turns, so any other direction than that turns again.
    assert {pair for pair in pairs if pair[0] == UP} == {(UP, LEFT), (UP, DOWN), (UP, RIGHT)}
    # To the right it moves at once; no single action brings it back, as the first one to the left only turns.
    assert not {pair for pair in pairs if pair[0] == RIGHT}
    # A shot leaves a sprite: what creates none and leaves the avatar as it is. The next shot creates another.
    assert not {pair for pair in pairs if pair[0] == USE}


def test_an_action_with_an_event_is_not_judged() -> None:
    world = World(
        "gem > Resource limit=9\navatar > MovingAvatar",
        "gem avatar > collectResource",
        "..gA.\n.....",
        mapping="g > gem",
    )
    assert not {pair for pair in undone(world) if pair[0] == LEFT}
    assert (RIGHT, LEFT) in undone(world)


def test_what_is_hidden_does_not_count_for_what_undoes_what() -> None:
    veil = World(
        "veil > Immovable hidden=True\navatar > MovingAvatar",
        "veil avatar > killSprite\navatar EOS > stepBack",
        "..vA.\n.....",
        mapping="v > veil",
    )
    assert (LEFT, RIGHT) in undone(veil)
    shown, hidden = (
        World(
            f"ray > Missile orientation=UP hidden={hide}\navatar > FlakAvatar stype=ray",
            "avatar EOS > stepBack",
            ".\n.\nA",
        )
        for hide in ("False", "True")
    )
    assert undone(shown) == {(USE, LEFT), (USE, RIGHT)}
    assert undone(hidden) == set()


def chosen(spec: str, game: Game, state: State, seeds: range = range(20)) -> set[int]:
    """Return what a controller does in a position, with several seeds."""
    agent = make_agent(spec, game)
    found = set()
    for seed in seeds:
        agent.begin_game(game, 0)
        found.add(agent.choose(View(state, state.player, seed), Budget()))
    return found


def beside_a_pit() -> World:
    """Return a world in which a step to the left loses, and nothing else matters for 10 ticks."""
    return World(
        "pit > Immovable\navatar > MovingAvatar",
        "avatar pit > killSprite\navatar EOS > stepBack",
        "pA...",
        mapping="p > pit",
        endings="SpriteCounter stype=avatar limit=0 win=False",
    )


def test_what_loses_at_once_is_not_played() -> None:
    world = beside_a_pit()
    assert LEFT not in chosen("nd:iterations=40", world.game, world.state)
    # With a single simulation of each action it is excluded, too, and the others are drawn.
    assert chosen("nd:iterations=4", world.game, world.state) == {UP, DOWN, RIGHT}


def test_controllers_do_not_consider_doing_nothing_alone() -> None:
    world = World("avatar > MovingAvatar", "avatar EOS > stepBack", OPEN_FIELD)
    for spec in ("mcts:iterations=8", "random", "one-step"):
        assert chosen(spec, world.game, world.state, range(60)) == {UP, DOWN, LEFT, RIGHT}
    assert chosen("rs:iterations=5", world.game, world.state, range(60)) == {UP, DOWN, LEFT, RIGHT, NIL}


def treasure() -> World:
    """Return a world with points two steps to the right, that are gone after two ticks, and an NPC to the left."""
    return World(
        "gem > Flicker limit=1\ncat > RandomNPC cons=1000\navatar > MovingAvatar",
        "gem avatar > killSprite scoreChange=5\navatar EOS > stepBack",
        "c..A.g..",
        mapping="g > gem\nc > cat",
    )


@pytest.mark.parametrize("name", ["mcts", "mr", "mr+nd", "rhea", "rs", "olets"])
def test_controllers_that_look_ahead_go_for_points_in_reach(name: str) -> None:
    world = treasure()
    assert chosen(f"{name}:iterations=2000", world.game, world.state, range(6)) == {RIGHT}
    world.tick("RIGHT")
    assert chosen(f"{name}:iterations=2000", world.game, world.state, range(6)) == {RIGHT}


def test_one_step_goes_for_the_nearest_npc() -> None:
    world = treasure()
    assert chosen("one-step", world.game, world.state) == {LEFT}


def test_olets_keeps_its_tree_where_one_player_plays() -> None:
    world = World("avatar > MovingAvatar", "avatar EOS > stepBack", OPEN_FIELD)
    agent = make_agent("olets:iterations=60", world.game)
    assert isinstance(agent, OletsAgent)
    agent.begin_game(world.game, 0)
    first = agent.analyse(View(world.state, 0), Budget())
    visits = {move.action: move.visits for move in first.moves}
    world.tick(ACTION_NAMES[first.action])
    assert agent.analyse(View(world.state, 0), Budget()).nodes == 60
    assert agent.search is not None
    assert agent.search.kept == visits[first.action] > 5
    tree = agent.search.engines[0].tree
    assert tree is not None
    assert tree.stats["visits"][0] == 61, "the root counts as one simulation"


@pytest.mark.parametrize(("spec", "kept"), [("olets", False), ("olets:opponents=tree", True)])
def test_olets_keeps_a_tree_with_the_others_in_it_alone(spec: str, kept: bool) -> None:
    agent = make_agent(spec, load_game("vgdl:lancers"))
    assert isinstance(agent, OletsAgent)
    assert agent._new_search(load_game("vgdl:lancers")).parameters.reuse is kept


def test_samples_play_each_plan_once() -> None:
    assert not SamplePlansParameters().replay
    assert (EvolutionParameters().replay, EvolutionParameters().distinct) == (False, True)


def test_redundant_actions_are_counted_and_become_fewer() -> None:
    world = World("avatar > MovingAvatar", "avatar EOS > stepBack", "\n".join(["." * 31] * 15 + ["." * 15 + "A"]))
    counts = {}
    for spec in ("mcts:iterations=2000,count_redundant=true", "mr:iterations=2000,count_redundant=true"):
        agent = make_agent(spec, world.game)
        agent.begin_game(world.game, 0)
        agent.choose(View(world.state, 0, 1), Budget())
        counts[spec.partition(":")[0]] = agent.redundant / 2000  # type: ignore[attr-defined]
    # Of four actions one undoes the last: of about 8 playout steps a quarter, with p = 1/2 an eighth.
    assert counts["mr"] == pytest.approx(counts["mcts"] / 2, rel=0.1)


# --- planning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["warehouse", "ferryman"])
def test_plans_win_in_the_future_in_which_they_were_found(name: str) -> None:
    game = load_game("vgdl", {"game": name, "level": "0"})
    state = game.start(1).determinize(0, stream(1, "future"))
    explorer = Explorer()
    explorer.begin(state, 0, long=True)
    plan = explorer.search(Control(), 300_000)
    assert plan.value == math.inf
    for action in plan.actions:
        state.apply(action)
    assert tuple(state.returns) == (1.0,)


def test_a_search_that_goes_on_finds_what_one_in_a_piece_does() -> None:
    game = load_game("vgdl", {"game": "warehouse", "level": "0"})
    root = game.start(1)
    whole, parts = Explorer(), Explorer()
    whole.begin(root, 0)
    parts.begin(root, 0, long=True)
    found = whole.search(Control(), 300_000)
    while (plan := parts.search(Control(), 1000)).value != math.inf:
        assert not plan.exhausted
    assert plan.actions == found.actions
    assert parts.try_plan(plan.actions, 3, stream(1, "try")).wins == 1.0


@pytest.mark.parametrize(
    ("sprites", "interactions", "endings", "ticks"),
    [
        # Nothing but a counter changes.
        ("plate > Immovable", "avatar plate > stepBack counter=1,", "Timeout limit=1 use_counter=True limits=2,", 2),
        # Nothing happens until what was queued is due.
        (
            "plate > Immovable\ngem > Passive",
            "avatar plate > addTimer timer=4 ftype=transformToAll stype=plate stypeTo=gem",
            "SpriteCounter stype=plate win=True",
            5,
        ),
        # What was shot has to grow old.
        (
            "plate > Immovable\nspark > Flicker limit=4",
            "plate avatar > transformTo stype=spark\navatar plate > stepBack",
            "MultiSpriteCounter stype1=plate stype2=spark win=True",
            7,
        ),
    ],
)
def test_what_can_not_be_seen_makes_states_differ(sprites: str, interactions: str, endings: str, ticks: int) -> None:
    world = World(
        f"avatar > MovingAvatar\n{sprites}",
        f"avatar EOS > stepBack\n{interactions}",
        "Ap",
        header="square_size=10 no_counters=1",
        mapping="p > plate",
        endings=endings,
    )
    explorer = Explorer()
    explorer.begin(world.state, 0)
    plan = explorer.search(Control(), 5_000)
    assert (plan.value, len(plan.actions)) == (math.inf, ticks)


def test_games_are_seen_to_be_deterministic_and_patient() -> None:
    def nature(name: str) -> tuple[bool, bool]:
        state = load_game("vgdl", {"game": name}).start(1)
        found = observe(state, View(state, 0, 5))
        return found.deterministic, found.patient

    assert nature("warehouse") == (True, True)
    assert nature("meteors")[0] is False


@pytest.mark.parametrize("level", [0, 1, 2])
def test_strong_solves_the_puzzle(level: int) -> None:
    game = load_game("vgdl", {"game": "warehouse", "level": str(level)})
    agent = make_agent("strong:iterations=20,ticks=20000", game)
    assert agent.reproducible
    state = game.start(1)
    agent.begin_game(game, 0)
    while not state.is_terminal:
        state.apply(agent.choose(View(state, 0, len(state.history)), Budget()))
    assert tuple(state.returns) == (1.0,)


def test_without_planning_the_tree_search_decides_alone() -> None:
    game = load_game("vgdl", {"game": "warehouse"})
    strong = make_agent("strong:iterations=20,planning=0", game)
    tree = make_agent("nd:iterations=20,noise=0,final=robust", game)
    assert strong.reproducible
    state = game.start(1)
    for agent in (strong, tree):
        agent.begin_game(game, 0)
    for number in range(3):
        answers = {agent.choose(View(state, 0, number), Budget()) for agent in (strong, tree)}
        assert len(answers) == 1
        state.apply(answers.pop())


@pytest.mark.parametrize(("novelty", "widths"), [("true", [1, 0]), ("false", [0])])
def test_what_is_not_novel_is_left_out_first_if_that_is_wanted(
    novelty: str, widths: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def begin(explorer: Explorer, state: object, width: int, *, long: bool = False) -> None:
        begun.append(width)
        original(explorer, state, width, long=long)  # type: ignore[arg-type]

    original = Explorer.begin
    monkeypatch.setattr(Explorer, "begin", begin)
    game = load_game("vgdl", {"game": "meteors"})
    agent = make_agent(f"strong:iterations=5,ticks=50,novelty={novelty}", game)
    agent.begin_game(game, 0)
    agent.choose(View(game.start(1), 0, 1), Budget())
    assert begun == widths


@pytest.mark.parametrize(("wish", "found"), [("auto", True), ("yes", True), ("no", False)])
def test_a_game_is_taken_for_deterministic_as_found_or_as_said(wish: str, found: bool) -> None:
    game = load_game("vgdl", {"game": "warehouse"})
    agent = make_agent(f"strong:iterations=5,ticks=50,deterministic={wish}", game)
    agent.begin_game(game, 0)
    agent.choose(View(game.start(1), 0, 1), Budget())
    assert agent._nature.deterministic is found  # type: ignore[attr-defined]


# --- two players -----------------------------------------------------------------------------------------------------


def test_habits_of_the_other_player_are_learnt() -> None:
    game = load_game("vgdl", {"game": "lancers"})
    agent = make_agent("mcts:iterations=4,others=learned", game)
    agent.begin_game(game, 0)
    state = game.start(1)
    for seed in range(3):
        agent.choose(View(state, 0, seed), Budget())
        state.apply(NIL)
        state.apply(LEFT)
    agent.choose(View(state, 0, 9), Budget())
    habits = agent._playouts.habits  # type: ignore[attr-defined]
    assert habits[1].tolist() == [0.0, 0.0, 3.0, 0.0, 0.0, 0.0]
    assert habits[0].sum() == 0.0


@pytest.mark.parametrize(
    "spec", ["mcts:iterations=4", "mcts:iterations=4,opponents=tree,reward=lead", "mr+nd:iterations=4"]
)
def test_a_decision_does_not_depend_on_the_secret_choice_of_the_other(spec: str) -> None:
    game = load_game("vgdl", {"game": "lancers"})
    answers = set()
    for secret in (LEFT, RIGHT, NIL):
        state = game.start(1)
        state.apply(secret)
        agent = make_agent(spec, game)
        agent.begin_game(game, 1)
        answers.add(agent.choose(View(state, 1, 7), Budget(iterations=4)))
    assert len(answers) == 1


PLANE_AND_TANK = """
wall > Immovable
plane > MovingAvatar
tank > ShootAvatar stype=shell
shell > Missile
"""


@pytest.mark.parametrize("first_choice", [None, "LEFT", "NIL"])
def test_what_undoes_what_is_tried_with_ones_own_avatar(first_choice: str | None) -> None:
    world = World(
        PLANE_AND_TANK,
        "plane EOS > stepBack\ntank EOS > stepBack",
        "...........\n.P.......T.\n...........",
        header="square_size=10 no_players=2",
        mapping="P > plane\nT > tank",
    )
    if first_choice is not None:
        world.state.apply(ACTION_NAMES.index(first_choice))
    assert undone(world, 0) == {(UP, DOWN), (DOWN, UP), (LEFT, RIGHT), (RIGHT, LEFT)}
    assert {pair for pair in undone(world, 1) if pair[0] == UP} == {(UP, LEFT), (UP, DOWN), (UP, RIGHT)}


def test_evaluators_for_two() -> None:
    game = load_game("vgdl", {"game": "shepherds"})
    state = game.start(1)
    state.record.score[:2] = 3.0, 1.0
    out = np.zeros(2)
    for name, expected in (("score", [3.0, 1.0]), ("lead", [2.0, -2.0]), ("team", [4.0, 4.0])):
        evaluator = game.evaluators[name]
        evaluator.token.module.evaluate(evaluator, game.tables, state.record, out)
        assert out.tolist() == expected


# --- the framework's results -----------------------------------------------------------------------------------------

FURTHEST = 3.5
"""Standard errors by which the number of wins may be off."""


@pytest.mark.long
def test_tree_search_with_30_iterations_wins_as_often_as_the_framework() -> None:
    rows = json.loads((traces_folder() / "mcts-fixed-iterations.json").read_text())["rows"]
    agent, expected, variance, recorded = None, 0.0, 0.0, 0
    for row in rows:
        if row["iterations"] != 30 or not row["finished"]:
            continue
        options = {"game": f"single/{row['game']}", "level": str(row["level"]), "games": str(games_folder())}
        game = load_game("vgdl", options)
        agent = agent or make_agent("mcts:iterations=30", game)
        wins = []
        for run in range(4):
            state = game.start(derive_seed(1, row["game"], row["level"], run) >> 1)
            state.undoable = False
            agent.begin_game(game, 0)
            while not state.is_terminal:
                seed = derive_seed(2, row["game"], row["level"], run, len(state.history))
                state.apply(agent.choose(View(state, 0, seed), Budget()))
            wins.append(state.returns[0] > 0)
        rate = (sum(wins) + 0.5) / (len(wins) + 1)  # Jeffreys
        expected += row["finished"] * fmean(wins)
        recorded += row["wins"]
        spread = rate * (1.0 - rate)
        variance += row["finished"] * spread + row["finished"] ** 2 * spread / len(wins)
    assert abs(expected - recorded) <= FURTHEST * math.sqrt(variance)
