"""The searches as agents: budgets, seeds, refusals, hidden information."""

import threading
import time

import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.agents.base import SearchAgent
from oponente.agents.registry import GENERIC
from oponente.kernel import Control, Game
from tests.search import random_chance_tree, random_tree
from toy_games import toy

SPECS = [
    "minimax:depth=3",
    "alphabeta:depth=5",
    "alphabeta:nodes=3000",
    "expectiminimax:depth=4",
    "paranoid:depth=4",
    "maxn:depth=4",
    "best-reply:depth=4",
    "one-step",
    "flat-mc:200",
    "random-search:200",
    "rhea:200",
    "rhea:200,variant=1+1",
    "uct:500",
]


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


@pytest.mark.parametrize("spec", SPECS)
def test_same_seed_same_choice(game, spec):
    state = game.position("4435")
    agent, other = make_agent(spec, game), make_agent(spec, game)
    assert isinstance(agent, SearchAgent)
    first = agent.analyse(View(state, state.player, seed=9), Budget())
    again = other.analyse(View(state, state.player, seed=9), Budget())
    assert (first.action, first.moves, first.nodes) == (again.action, again.moves, again.nodes)
    assert state.is_legal(first.action)
    assert agent.reproducible
    agent.begin_game(game, state.player)  # so that no plan is left of the first time
    assert agent.choose(View(state, state.player, seed=9), Budget()) == first.action
    assert agent.last_analysis is not None
    assert agent.last_analysis.nodes == first.nodes


@pytest.mark.parametrize(
    "spec", ["uct:time=0.05", "flat-mc:time=0.05", "alphabeta:time=0.05", "minimax:time=0.05", "rhea:time=0.05"]
)
def test_time_limits(game, spec):
    agent = make_agent(spec, game)
    agent.prepare(game)
    state = game.start()
    begin = time.monotonic()
    agent.choose(View(state, 0), Budget())
    assert 0.04 < time.monotonic() - begin < 1.0
    assert not agent.reproducible


def test_threads_that_may_share_a_tree_are_not_reproducible(game):
    assert make_agent("uct:100,threads=2,parallel=root", game).reproducible
    for spec in ("uct:100,threads=2", "uct:100,threads=2,observers=pimc"):
        assert not make_agent(spec, game).reproducible


def test_the_tighter_limit_counts(game):
    state = game.start()
    agent = make_agent("uct:500", game)
    assert agent.analyse(View(state, 0), Budget(iterations=50)).nodes == 50
    assert agent.analyse(View(state, 0), Budget(iterations=5000)).nodes == 500
    deep = make_agent("alphabeta:depth=4", game)
    assert deep.analyse(View(state, 0), Budget(depth=2)).depth == 2


def test_a_stopped_budget_stays_stopped(game):
    control = Control()
    control.stop()
    analysis = make_agent("uct:1000000000", game).analyse(View(game.start(), 0), Budget(control=control))
    assert analysis.nodes == 0


def test_another_thread_stops_the_search(game):
    agent = make_agent("uct:2000000000", game)
    agent.prepare(game)
    budget = Budget()
    threading.Timer(0.2, budget.control.stop).start()
    begin = time.monotonic()
    agent.choose(View(game.start(), 0), budget)
    assert time.monotonic() - begin < 5.0


def test_searches_for_two_refuse_more_players():
    game = Game(random_tree, {"players": "3"})
    for spec in ("minimax", "alphabeta"):
        with pytest.raises(ValueError, match=r"plays games for two; random-tree has 3 players here: take paranoid"):
            make_agent(spec, game)


def test_depth_first_agents_have_a_default_depth_where_chance_is():
    game = Game(random_chance_tree, {"players": "3", "depth": "8", "seed": "3"})
    for spec in ("paranoid", "expectiminimax", "maxn", "best-reply"):
        state = game.start()
        assert make_agent(spec, game).analyse(View(state, state.player), Budget()).depth == 3


def test_unlimited_depth_first_agents_have_a_default_depth(game):
    assert make_agent("alphabeta", game).analyse(View(game.start(), 0), Budget()).depth == 6


def test_wins_and_blocks_at_once(game):
    """A few decisive positions that every search must get right."""
    searches = ("minimax:4", "alphabeta:4", "expectiminimax:4", "paranoid:4", "maxn:4", "best-reply:4")
    for spec in (*searches, "uct:2000", "flat-mc:3000"):
        agent = make_agent(spec, game)
        for moves, best in (("414243", 3), ("41424", 3), ("112233", 3), ("71625", 3)):
            state = game.position(moves)
            action = agent.choose(View(state, state.player, seed=1), Budget())
            assert action == best, (spec, moves)


@pytest.mark.parametrize("spec", ["rhea:500,length=2", "rhea:500,variant=1+1,length=2", "random-search:500,length=2"])
def test_plans_that_win_at_once_are_found(game, spec):
    agent = make_agent(spec, game)
    for moves, best in (("414243", 3), ("1727475", 6)):
        state = game.position(moves)
        agent.begin_game(game, state.player)
        chosen = agent.analyse(View(state, state.player, seed=1), Budget())
        assert chosen.action == best, moves
        assert chosen.values[state.player] == 512.0


class TestReportSchedule:
    """The depth schedule of the report."""

    @pytest.mark.parametrize(
        ("moves", "depth"), [("", 0), ("4", 3), ("44", 3), ("443", 3), ("4435", 6), ("44353", 6), ("443532", 8)]
    )
    def test_depths(self, game, moves, depth):
        state = game.position(moves)
        analysis = make_agent("alphabeta:schedule=report", game).analyse(View(state, state.player), Budget())
        assert analysis.depth == depth

    def test_first_move_is_the_centre(self, game):
        analysis = make_agent("minimax:schedule=report", game).analyse(View(game.start(), 0), Budget())
        assert analysis.action == 3


@pytest.mark.parametrize("spec", ["uct:40,cutoff=1", "mcts:40,estimate=default", *SPECS])
def test_nothing_is_left_of_another_game(spec):
    """The evaluators and policies of a game are its own."""
    budget = Budget(iterations=40, depth=2)
    games = [load_game("tictactoe"), load_game("connect4", {"columns": "5", "rows": "4"})]
    for first, second in (games, reversed(games)):
        agent, fresh = make_agent(spec, first), make_agent(spec, second)
        agent.analyse(View(first.start(), 0, seed=1), budget)
        agent.begin_game(second, 0)
        found, expected = (each.analyse(View(second.start(), 0, seed=1), budget) for each in (agent, fresh))
        assert (found.action, found.values, found.moves) == (expected.action, expected.values, expected.moves)


@pytest.mark.parametrize("agent", [agent for agent in GENERIC if issubclass(agent, SearchAgent)])
def test_agents_are_prepared_for_games_in_which_chance_may_go_on(agent):
    """Where it is the first outcome that makes chance go on, nobody may wait for others by taking that one."""
    game = toy("again")
    made = agent()
    made.prepare(game)
    state = game.first_decision()
    assert state.is_legal(made.choose(View(state, state.player), Budget(iterations=20, depth=2)))


def test_chance_that_may_go_on_for_ever_has_an_end_where_it_is_free():
    """One step sees the next decision, but for the chance that the die is thrown for long."""
    game = toy("again")
    state = game.first_decision()
    view = View(state, state.player)
    for spec in ("one-step:evaluation=due", "expectiminimax:depth=1,chance=free,evaluation=due"):
        analysis = make_agent(spec, game).analyse(view, Budget())
        # Each face has a third: what has fewer than one in 10,000 is left after nine throws.
        assert analysis.values[state.player] == pytest.approx(1 - (2 / 3) ** 9)
        assert analysis.nodes < 5000


@pytest.mark.parametrize("spec", ["uct:cutoff=4,evaluation=no-such", "alphabeta:evaluation=no-such"])
def test_who_names_no_evaluator_is_told_which_there_are(spec):
    game = load_game("connect4")
    with pytest.raises(
        ValueError, match=r"has no evaluator 'no-such'; it has report.* \(or give the file of a network"
    ):
        make_agent(spec, game).prepare(game)
