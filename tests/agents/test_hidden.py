"""Agents in games that hide something: honest ones know no more than their seat, cheating ones do."""

import pytest

from oponente import Budget, View, agent_classes, make_agent
from oponente.agents.base import SearchAgent
from oponente.agents.depth_first_agents import DepthFirstAgent
from oponente.agents.playout_agents import RandomSearchAgent, RollingHorizonAgent
from oponente.agents.search_agents import MCTSAgent
from oponente.kernel import CHANCE, stream
from toy_games import TOYS, toy

HIDING = [name for name in TOYS if not toy(name).perfect_information]
SPECS = [
    "random",
    "uct:300",
    "flat-mc:200",
    "rhea:100",
    "one-step",
    "expectiminimax:2",
    "paranoid:2,table=0.1",
    "maxn:2,table=0.1",
    "best-reply:2,table=0.1",
]


def decisions(game, games):
    """Yield states in which a player is to move, from random games."""
    for seed in range(games):
        state, rng = game.start(seed), stream(seed, "play")
        while not state.is_terminal:
            if state.player != CHANCE:
                yield state
            state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("spec", SPECS)
def test_an_honest_choice_does_not_depend_on_what_is_hidden(name, spec):
    """What the seat can't know is filled in otherwise (poisoned): the agent must not notice."""
    game = toy(name)
    agent = make_agent(spec, game)
    differing = 0
    for state in decisions(game, 15):
        seat = state.player
        twin = state.determinize(seat, stream(len(state.history), "twin"))
        differing += twin != state
        views = [View(each, seat, seed=5, history=[0] * len(state.history)) for each in (state, twin)]
        if isinstance(agent, SearchAgent):
            analyses = []
            for view in views:
                agent.begin_game(game, seat)  # so that nothing is left of the other one
                analyses.append(agent.analyse(view, Budget()))
            one, other = analyses
            assert (one.action, one.moves, one.values) == (other.action, other.moves, other.values)
        else:
            assert agent.choose(views[0], Budget()) == agent.choose(views[1], Budget())
        assert views[0].text() == views[1].text()
        assert views[0].determinize(stream(1)) == views[1].determinize(stream(1))
    assert differing > 5


@pytest.mark.parametrize(
    "spec", ["uct:300,cheat=true", "flat-mc:200,cheat=true", "expectiminimax:3,cheat=true", "rhea:200,cheat=true"]
)
def test_a_cheating_agent_sees_the_true_state(spec):
    game = toy("poker")
    agent = make_agent(spec, game)
    different = 0
    for state in decisions(game, 20):
        twin = state.determinize(state.player, stream(len(state.history), "twin"))
        if twin != state:
            analyses = []
            for each in (state, twin):
                agent.begin_game(game, state.player)
                analyses.append(agent.analyse(View(each, state.player, seed=5), Budget()))
            one, other = analyses
            different += one.moves != other.moves
    assert different > 0


@pytest.mark.parametrize(
    ("spec", "cards"),
    [
        ("uct:3000", ((2, 1), (0, 0))),
        ("flat-mc:3000", ((2, 1),)),
        ("maxn:6,samples=50", ((2, 1), (0, 0))),
        ("expectiminimax:6,samples=50", ((2, 1), (0, 0))),
        ("rhea:3000", ((2, 1),)),
    ],
)
def test_the_highest_card_stays_and_the_lowest_folds(spec, cards):
    game = toy("poker")
    agent = make_agent(spec, game)
    for card, best in cards:
        state = game.start()
        state.apply(card)
        state.apply(1)
        assert state.player == 0
        chosen = agent.choose(View(state, 0, seed=2, history=[card, 9]), Budget())
        assert chosen == best


def test_chance_inside_the_state_is_not_foreseen():
    """In the storm nobody can know the wind. A search that kept one stream would steer by it and expect too much."""
    game = toy("storm")
    state = game.start(3)
    played = []
    for seed in range(40):
        at, rng = game.start(seed), stream(seed, "policy")
        agent = make_agent("uct:200", game)
        while not at.is_terminal:
            at.apply(agent.choose(View(at, 0, seed=int(rng[0] >> 1) + len(at.history)), Budget()))
        played.append(at.returns[0])
    reached = sum(played) / len(played)
    analysis = make_agent("uct:20000,reward=utility", game).analyse(View(state, 0, seed=1), Budget())
    assert analysis.values[0] < reached + 1.0


LONG_TO_COMPILE = DepthFirstAgent | RollingHorizonAgent | RandomSearchAgent | MCTSAgent
COMPILED_ELSEWHERE = {"heap": LONG_TO_COMPILE, "coins": LONG_TO_COMPILE, "pig of six": MCTSAgent}
"""Searches by toy game that are not compiled for it, because it is like another one."""


@pytest.mark.parametrize("name", list(TOYS))
def test_agents_play_every_kind_of_game(name):
    game = toy(name)
    for cls in agent_classes(game):
        if issubclass(cls, COMPILED_ELSEWHERE.get(name, ())):
            continue
        agent = cls()
        try:
            agent.check(game)
        except ValueError:
            assert cls.name in ("minimax", "alphabeta", "openspiel")
            continue
        if cls.name in ("human", "openspiel") or cls.required:
            continue
        agent.prepare(game)
        for state in decisions(game, 1):
            assert state.is_legal(agent.choose(View(state, state.player, seed=1), Budget(iterations=30, nodes=300)))


def test_a_view_does_not_show_secret_moves():
    game = toy("clash")
    state = game.start()
    texts = set()
    for choice in (0, 1):
        at = state.copy()
        at.apply(choice)
        texts.add(View(at, at.player, seed=3, history=[3]).text())
        assert View(at, at.player, seed=3).history == ()
    assert len(texts) == 1
