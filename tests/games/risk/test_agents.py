"""Agents for Risk: games of one family in one kernel are the games asked for one by one; what each does."""

import json

import numpy as np
import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.arena.match import MatchSpec
from oponente.arena.play import Table
from oponente.arena.runner import run_match
from oponente.arena.studies.risk_ufsm_tables import AGENTS, RERUN_FIRST
from oponente.games.catalogue import GameSpec
from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.moves import MOVING
from oponente.games.risk.plans import ATTACK, KEEP, MOVE, PLACE
from oponente.games.risk.rollouts import plan_text
from oponente.games.risk.thesis.tree import Tree, TreeFileError
from oponente.games.risk.world import classic
from oponente.kernel import stream
from tests.games.risk.positions import FEW, Position, game_of

pytestmark = pytest.mark.compiled

THESIS = GameSpec("risk", (("dice", "thesis"), ("rules", "thesis-2022")))


def both_ways(spec, games):
    together, asked = Table(spec), Table(spec)
    assert together.ensemble is not None
    asked.ensemble = None
    for index in range(games):
        one, other = together.play(index), asked.play(index)
        assert one.without_times() == other.without_times()
        assert one.status == "played"
    together.close()
    asked.close()


@pytest.mark.skipif(FEW, reason="compiles for long; the agents' decisions are checked in test_recorded")
@pytest.mark.parametrize(
    "agents",
    [("thesis-random", "thesis-cluster"), ("thesis-montecarlo", "thesis-angry"), ("thesis-montecarlo",) * 2],
    ids=str,
)
def test_games_in_one_kernel_are_those_asked_for(agents):
    both_ways(MatchSpec(THESIS, agents, games=4, seed=3), 4)


@pytest.mark.compiled
@pytest.mark.skipif(FEW, reason="many games")
@pytest.mark.parametrize("first", AGENTS)
def test_win_rates_are_those_of_the_original_programs(first):
    """1,000 games a pairing against 60 to 70 of the programs, whose interval reaches 12 points to both sides."""
    for column, second in enumerate(AGENTS):
        agents = (f"thesis-{first}", f"thesis-{second}")
        records = run_match(MatchSpec(THESIS, agents, games=1000, seed=5, rotate=False)).records
        rate = 100 * sum(record.returns[0] > 0 for record in records) / len(records)
        assert abs(rate - RERUN_FIRST[AGENTS.index(first)][column]) <= 15, agents


@pytest.mark.long
def test_games_of_lux_in_one_kernel_are_those_asked_for():
    agents = ("lux-quo", "lux-boscoe", "lux-killbot", "lux-pixie", "lux-yakool", "lux-stinky")
    both_ways(MatchSpec(GameSpec("risk", (("fortify", "unlimited"),)), agents, games=2, seed=3), 2)


@pytest.mark.long
@pytest.mark.parametrize("fortify", ["adjacent", "connected", "unlimited", "steps"])
def test_all_agents_of_lux_play_legally(fortify):
    names = [f"lux-{name}" for name in PROFILES]
    for first in range(0, len(names), 5):
        agents = tuple((names + names)[first : first + 6])
        table = Table(MatchSpec(GameSpec("risk", (("fortify", fortify),)), agents, games=6, seed=first))
        for index in range(3):
            assert table.play(index).status == "played"


def test_the_thesis_agents_refuse_other_rules():
    with pytest.raises(ValueError, match="give --option rules=thesis-2022"):
        make_agent("thesis-angry", load_game("risk", {"players": "2"}))


def test_the_thesis_agents_know_no_limit_of_armies():
    game = load_game("risk", {"rules": "thesis-2022", "army_limit": "12"})
    with pytest.raises(ValueError, match="leave out --option army_limit"):
        make_agent("thesis-angry", game)


def test_the_tree_is_kept_and_merged(tmp_path):
    path = tmp_path / "tree.json"
    agents = (f'thesis-montecarlo:tree="{path}"', "thesis-cluster")
    fixed = GameSpec("risk", (*THESIS.options, ("start", "thesis")))
    for run in range(2):
        table = Table(MatchSpec(fixed, agents, games=6, seed=run))
        table.prepare()
        for index in range(6):
            assert not table.play(index).reproducible
        table.close()
    data = json.loads(path.read_text())
    tree = Tree()
    tree.load(path, classic())
    assert len(tree) == len(data) > 6
    assert tree.to_json(classic()) == data
    roots = [node for node in data.values() if node["visits"] >= 6]
    assert sum(node["visits"] for node in data.values()) >= 12
    assert roots or max(node["visits"] for node in data.values()) >= 1
    path.write_text('{"0": {}}')
    with pytest.raises(TreeFileError, match="is no tree of thesis-montecarlo on this map"):
        Tree().load(path, classic())
    path.write_text("{")
    with pytest.raises(TreeFileError, match="is no JSON"):
        Tree().load(path, classic())


def test_a_tree_of_exact_positions_is_none_of_coarse_ones(tmp_path):
    path, world = tmp_path / "tree.json", classic()
    for coarse, other in ((False, True), (True, False)):
        tree = Tree(coarse=coarse)
        tree.save(path, world)
        Tree(coarse=other).load(path, world)
        armies = np.zeros_like(tree.arrays.nodes[0]["armies"])
        armies[: len(world.territories)] = 7
        tree._add_node(armies, 1, 1)
        tree.save(path, world)
        again = Tree(coarse=coarse)
        again.load(path, world)
        assert again.to_json(world) == tree.to_json(world) == json.loads(path.read_text())
        with pytest.raises(TreeFileError, match=f"is a tree of states='{tree.states}', not of states="):
            Tree(coarse=other).load(path, world)
        path.unlink()
    tree.arrays.nodes[0]["armies"][0] = 8
    path.write_text(json.dumps(tree.to_json(world)))
    with pytest.raises(TreeFileError, match="8 is no number from 1 to 7"):
        Tree(coarse=True).load(path, world)


def test_a_tree_that_could_not_be_written_is_refused_before_a_match(tmp_path):
    game = load_game("risk", {"rules": "thesis-2022"})
    with pytest.raises(ValueError, match="can't be written: No such file or directory"):
        make_agent(f'thesis-montecarlo:tree="{tmp_path}/nowhere/tree.json"', game)


def test_trees_grow_beyond_their_first_size():
    tree = Tree()
    rng = np.random.default_rng(1)
    keys = rng.integers(-9, 9, (1000, 60)).astype(np.int16)
    for number, key in enumerate(keys):
        assert tree._add_node(key, number, -number) == number
    tree._add_child(3, 0, 999)
    tree._add_child(3, 0, 999)
    assert tree.children(3) == [(999, 0)]
    assert tree.arrays.nodes[777]["visits"] == 777


@pytest.mark.long
def test_strong_wins_what_is_won_and_carries_plans_out():
    position = Position(players=2, setup="bare", turn_limit=1)  # else it may win later as well
    world = position.game.options.world
    position.hold(0, **{t.name.replace(" ", "_"): 3 for t in world.territories if t.name != "Japan"})
    state = position.hold(0, Kamchatka=30).state
    agent = make_agent("strong:iterations=60", position.game)
    agent.begin_game(position.game, 0)
    action = agent.choose(View(state, 0, 1), Budget())
    assert "> Japan" in state.action_text(action)
    assert state.is_legal(action)


@pytest.mark.long
def test_strong_goes_on_where_its_time_was_divided():
    game = load_game("risk", {"rules": "thesis-2022"})
    agent = make_agent("strong:time=0.01", game)
    for number in range(50):  # in most of them a part of the time ends within the first rollout of a plan
        assert agent.search_plans(View(game.start(), 0, number), Budget()).nodes > 0, number


@pytest.mark.long
@pytest.mark.parametrize("iterations", [10, 31])
def test_strong_tries_more_than_one_plan(iterations):
    """The first part of so small a budget is a single rollout: other plans can still get more."""
    game = load_game("risk", {"players": "2", "setup": "dealt"})
    state, rng = game.start(3), stream(1)
    while state.is_chance:
        state.apply_chance(rng)
    agent = make_agent(f"strong:iterations={iterations},horizon=0", game)
    assert agent.search_plans(View(state, state.player), Budget()).nodes > iterations // 2


def first_turn(**options):
    """Return the position in which the first turn after the set-up begins."""
    state, rng = game_of(**options).start(1), stream(1)
    while int(state.record.turn) == 0:
        state.apply(state.sample_action(rng))
    return state


@pytest.mark.parametrize("players", range(2, 7))
def test_strong_tells_what_each_player_can_expect(players):
    state = first_turn(players=players, setup="dealt", turn_limit=40)
    agent = make_agent("strong:iterations=6,horizon=0", state.game)
    values = agent.analyse(View(state, state.player, 0), Budget()).values
    assert sum(values) == pytest.approx(2 - players)
    even = 2 / players - 1
    assert values == pytest.approx([even] * players, abs=0.35)  # but for what the first turn is worth


def test_strong_tells_who_has_won():
    position = Position(players=2, setup="dealt", cards=False)
    names = [territory.name.replace(" ", "_") for territory in position.game.options.world.territories]
    position.hold(0, **dict.fromkeys(names, 5)).hold(1, South_Africa=1)
    agent = make_agent("strong:iterations=40,horizon=1", position.game)
    values = agent.analyse(View(position.state, 0, 0), Budget()).values
    assert values == pytest.approx((1.0, -1.0), abs=0.1)


def test_strong_tells_nothing_of_what_it_did_not_search():
    position = Position(players=2, setup="dealt").hold(0, Alaska=1).set(moves_left=1).phase(MOVING)
    agent = make_agent("strong:iterations=4", position.game)
    forced = agent.analyse(View(position.state, 0, 0), Budget())  # nothing can be moved
    begun = game_of(players=2, setup="dealt").start(1)
    while begun.is_chance:
        begun.apply(begun.sample_action(stream(1)))
    set_up = agent.analyse(View(begun, begun.player, 0), Budget())
    for analysis in (forced, set_up):
        assert (analysis.values, analysis.nodes) == ((), 0)


def test_strong_plays_each_game_as_if_it_were_the_first():
    two, six = first_turn(players=2, setup="dealt"), first_turn(players=6, setup="dealt")
    used, fresh = (make_agent("strong:iterations=20", six.game) for _ in range(2))
    used.begin_game(two.game, two.player)
    used.analyse(View(two, two.player, 0), Budget())
    analyses = []
    for agent in (used, fresh):
        agent.begin_game(six.game, six.player)
        analyses.append(agent.analyse(View(six, six.player, 0), Budget()))
    assert analyses[0].moves == analyses[1].moves
    assert analyses[0].values == analyses[1].values


def test_rounds_of_a_rollout_are_those_of_the_players_left():
    """Rollouts of two rounds, four turns, do not reach the limit of turns, at which who is out would share a draw."""
    position = Position(players=6, setup="dealt", turn_limit=6)
    names = [territory.name.replace(" ", "_") for territory in position.game.options.world.territories]
    position.hold(0, **dict.fromkeys(names[::2], 3)).hold(5, **dict.fromkeys(names[1::2], 3))
    agent = make_agent("strong:iterations=20", position.game)
    values = agent.analyse(View(position.state, 0, 0), Budget()).values
    assert values[1:5] == (-1.0,) * 4


def test_moves_that_strong_tells_of_are_in_the_order_of_the_game():
    state = first_turn(players=3, setup="dealt")
    agent = make_agent("strong:iterations=30,horizon=0", state.game)
    analysed = [move.action for move in agent.analyse(View(state, state.player, 0), Budget()).moves]
    assert len(analysed) > 2
    assert analysed == [action for action in state.legal_actions if action in analysed]


def test_plans_have_texts():
    state = load_game("risk").start()
    assert plan_text(state, PLACE + 0) == "place all Alaska"
    assert plan_text(state, ATTACK + 64 * 0 + 26) == "attack Alaska > Kamchatka to the end, move all in"
    assert plan_text(state, KEEP + 64 * 0 + 26).endswith("move the least in")
    assert plan_text(state, MOVE + 64 * 0 + 1) == "move all Alaska > Alberta"
