"""Catan: the linear evaluation term by term, its weights as parameters and files, and the choice one step ahead."""

from __future__ import annotations

import json

import numpy as np
import pytest

from oponente.agents.base import Budget
from oponente.agents.spec import parse_spec
from oponente.agents.view import View
from oponente.arena import MatchSpec, Table
from oponente.games.catalogue import GameSpec, load_game
from oponente.games.catan import inputs as i
from oponente.games.catan.agents import TreeAgent, ValueAgent
from oponente.games.catan.evaluating import TreeLimits, TreeParameters
from oponente.games.catan.linear import LEARNED, SETS, START, THESIS, WEIGHTS, corrected, judge, linear
from oponente.games.catan.moves import BUY_CARD, PLAY_MONOPOLY
from oponente.games.catan.network import SHAPES, network
from oponente.games.catan.network import judge as judge_by_network
from oponente.games.catan.onestep import WON, choose_action
from oponente.games.catan.weights import LinearParameters
from oponente.kernel import declared, stream
from tests.games.catan.test_inputs import random_state


def value(inputs: dict[int, float], **weights: float) -> float:
    """Return the value of a position with the given inputs, all others 0, by the given weights, all others 0."""
    array = np.zeros(i.INPUTS)
    for at, number in inputs.items():
        array[at] = number
    return judge(linear({**dict.fromkeys(WEIGHTS, 0.0), **weights}), 0, array)


@pytest.mark.parametrize(
    ("inputs", "weights", "expected"),
    [
        ({i.POINTS: 3}, {"points": 1500}, 4500),
        ({i.CITIES: 2}, {"cities": 400}, 800),
        ({i.TOWNS: 3}, {"settlements": 250}, 750),
        ({i.ROAD: 4}, {"road": 150}, 600),
        ({i.KNIGHTS: 2}, {"knights": 80}, 160),
        ({i.CARDS: 1, i.CARDS + 4: 2}, {"cards": 40}, 120),
        ({i.MAKES: 0.25, i.MAKES + 4: 0.5}, {"types": 120}, 240),
        ({i.MAKES + 2: 0.25, i.PORTS + 2: 1}, {"ports": 100}, 25),  # of its resource
        ({i.MAKES + 1: 0.25, i.PORTS + 2: 1}, {"ports": 100}, 0),
        ({i.MAKES + 1: 0.25, i.MAKES + 3: 1.0, i.PORTS + 5: 1}, {"ports": 100}, 25),  # the mean of five
        ({i.NODES: 2}, {"free_nodes": 120}, 240),
        ({i.EDGES: 5}, {"free_edges": 80}, 400),
        ({i.FULL: 1}, {"discard": -100}, -100),
        ({i.POINTS_: 7}, {"enemy_points": -200}, -1400),
        ({i.MAKES_: 0.5, i.MAKES_ + 3: 0.25}, {"enemy_production": -100}, -75),
        ({i.TYPES_: 6}, {"enemy_types": -50}, -300),
        ({i.NODES_: 2}, {"enemy_nodes": -100}, -200),
        ({i.EDGES_: 9}, {"enemy_edges": -50}, -450),
        ({i.HAND + 3: 1, i.HAND + 4: 6}, {"for_city": 100}, 75),  # half of the grain, all of the ore
        ({i.HAND: 1, i.HAND + 1: 9, i.HAND + 3: 1}, {"for_settlement": 100}, 75),
        ({i.HAND: 3}, {"for_road": 20}, 10),
        ({i.HAND + 2: 1, i.HAND + 4: 2}, {"for_card": 30}, 20),
        ({i.MAKES + 1: 0.5}, {"brick": 100, "ore": 7}, 50),
        ({i.MAKES + 4: 0.5}, {"brick": 100, "ore": 7}, 3.5),
    ],
)
def test_each_term(inputs, weights, expected):
    assert value(inputs, **weights) == pytest.approx(expected)


def test_the_sets_are_complete_and_the_theses_are_as_printed():
    assert len(WEIGHTS) == 25
    assert all(set(weights) == set(WEIGHTS) for weights in SETS.values())
    assert (START["points"], START["enemy_edges"], START["for_card"], START["ore"]) == (1500, -50, 20, 100)
    assert (THESIS["cards"], THESIS["enemy_edges"], THESIS["for_city"], THESIS["lumber"]) == (-1136, 717, 298, 430)
    assert LEARNED is SETS["learned"]


def test_corrected_weights():
    assert corrected(THESIS) == {**THESIS, "enemy_points": -10, "enemy_production": -10, "enemy_edges": -10}
    assert corrected(START) == START


# --- parameters ----------------------------------------------------------------------------------------------------


def test_weights_are_parameters_and_files(tmp_path):
    agent = parse_spec("value:learned,points=1,ore=-2.5", [ValueAgent])
    assert agent.parameters.effective == {**LEARNED, "points": 1.0, "ore": -2.5}
    assert parse_spec(agent.spec, [ValueAgent]).parameters == agent.parameters
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({**START, "road": 7}))
    agent = parse_spec(f'value:weights="{file}"', [ValueAgent])
    file.unlink()  # its content was kept
    assert parse_spec(agent.spec, [ValueAgent]).parameters.effective == {**START, "road": 7}
    tree = parse_spec("tree:2,weights=thesis", [TreeAgent])
    assert (tree.parameters.depth, tree.parameters.effective) == (2, THESIS)


def test_no_limit_of_the_search_has_the_name_of_a_weight():
    limits, weights = ({field.name for field in declared(cls)} for cls in (TreeLimits, LinearParameters))
    assert not limits & weights
    assert {field.name for field in declared(TreeParameters)} == limits | weights


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("value:none-such", "expected start, thesis, learned, or a JSON file"),
        ('value:"{""points"": 1}"', "cities is None; expected a number"),
        ("value:points=1e9", "expected float -1000000..1000000"),
    ],
)
def test_wrong_weights_are_told_in_one_line(text, told):
    with pytest.raises(ValueError, match=told) as error:
        parse_spec(text, [ValueAgent])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (json.dumps({**START, "road": int("9" * 400)}), "weights: road is 9{57}\\.\\.\\.; expected a number"),
        (json.dumps({**START, "road": "9" * 400}), "weights: road is '9{57}\\.\\.\\.'; expected a number"),
        (json.dumps({**START, "r" * 400: 1}), "weights: 'r{57}\\.\\.\\.' is no weight"),
        (json.dumps({**START, "road": float("nan")}), "weights are no JSON: NaN is no number"),
        ('{"road": 1, "road": 1}', "weights are no JSON: an object has the key 'road' twice"),
        ("[" * 100_000, "weights are no JSON: it is nested too deep"),
        ("[1]", "weights are no JSON object"),
    ],
)
def test_files_of_no_weights_are_told_by_name_in_one_short_line(tmp_path, content, told):
    file = tmp_path / "weights.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=f"{file}: {told}") as error:
        parse_spec(f'value:weights="{file}"', [ValueAgent])
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 700


@pytest.mark.parametrize("name", ["~nobody-of-that-name/x.json", "x" * 5000])
def test_what_can_be_no_file_of_weights_is_told(name):
    with pytest.raises(ValueError, match="or a JSON file of weights by name") as error:
        parse_spec(f"value:weights={name}", [ValueAgent])
    assert len(str(error.value)) < 400


def test_a_weight_with_many_digits_is_told_shortly():
    with pytest.raises(ValueError, match="expected float -1000000") as error:
        parse_spec(f"value:points={'9' * 400}", [ValueAgent])
    assert len(str(error.value)) < 200


# --- one step ahead ------------------------------------------------------------------------------------------------


def hands_alone():
    """Return a network that tells how many cards the opponents have, and which ones the seat itself has."""
    net = {name: np.zeros(shape) for name, shape in SHAPES.items()} | {"scale": np.ones(i.INPUTS)}
    net["weight1"][0, i.HAND_] = net["weight2"][0, 0] = net["weight3"][0, 0] = 1.0
    net["weight1"][0, i.HAND : i.HAND + 5] = 1000.0 + np.arange(5.0)
    return network(net)


EVALUATION = linear(START)
EVALUATIONS = {"linear": (EVALUATION, judge), "network": (hands_alone(), judge_by_network)}


def worths(state, evaluation=EVALUATION):
    """Return the listed actions, and what each is worth."""
    actions, values = np.zeros(state.game.max_actions, np.int32), np.zeros(state.game.max_actions)
    count, chosen = choose_action(state.game.tables, evaluation, state.array, stream(1), actions, values)
    best = max(values[:count]) if count > 1 else values[0]
    assert chosen in (actions[values == best] if count > 1 else actions[:1])
    return actions[:count].tolist(), values[:count].tolist()


def worth(state, seat, evaluation, judge):
    """Return what a state is worth to a seat."""
    array = np.zeros(i.INPUTS)
    i.fill_inputs(state.game.tables, state.array[0], seat, array)
    return judge(evaluation, seat, array) + WON * (state.record.winner == seat)


@pytest.mark.parametrize("name", EVALUATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_the_worth_of_an_action_is_the_mean_over_what_comes_of_it(seed, name):
    """Compared with doing it, each outcome of chance at its probability; where the seat knows all hands."""
    evaluation, judging = EVALUATIONS[name]
    compared = 0
    for plies in range(0, 400, 13):
        state = random_state(seed, plies, 2)  # with two players all resource cards are known
        if state.player < 0 or state.is_terminal:
            continue
        seat = state.player
        for action, told in zip(*worths(state, evaluation), strict=True):
            if action == BUY_CARD or np.isnan(told):  # the deck is hidden; a single action is not weighed
                continue
            after = state.copy()
            after.apply(action)
            branches = [(after, 1.0)]
            if after.is_chance:
                branches = []
                for outcome, probability in after.chance_outcomes:
                    branch = after.copy()
                    branch.apply(outcome)
                    branches.append((branch, probability))
            mean = sum(probability * worth(branch, seat, evaluation, judging) for branch, probability in branches)
            assert told == pytest.approx(mean), (state.action_text(action), plies)
            compared += 1
    assert compared > 60


def test_the_choice_does_not_depend_on_what_is_hidden():
    hidden = 0
    for seed in range(8):
        for plies in (150, 300, 450):
            state = random_state(seed, plies)
            if state.player < 0:
                continue
            actions, values = worths(state)
            hidden += BUY_CARD in actions or any(PLAY_MONOPOLY <= a < PLAY_MONOPOLY + 5 for a in actions)
            sample = state.determinize(state.player, stream(seed, "sample"), state.history)
            np.testing.assert_equal(worths(sample), (actions, values))
    assert hidden


@pytest.mark.compiled
def test_games_in_one_kernel_are_those_of_agents_that_are_asked():
    agents = ("value", "value:thesis", "value:points=1000", "value:road=0")
    spec = MatchSpec(GameSpec("catan", (("trade", "false"),)), agents, 2, 5)
    together, apart = Table(spec), Table(spec)
    apart.ensemble = None
    for index in range(2):
        a, b = together.play(index), apart.play(index)
        assert (a.actions, a.returns) == (b.actions, b.returns)
        assert len(a.actions) > 100


def test_only_agents_of_one_kind_play_in_one_kernel():
    game = GameSpec("catan", (("players", "2"), ("trade", "false")))
    kinds = [("value", "value"), ("neural", "neural"), ("value", "neural"), ("value", "tree")]
    together = [Table(MatchSpec(game, agents, 1, 5)).ensemble is not None for agents in kinds]
    assert together == [True, True, False, False]


def test_an_analysis_tells_what_actions_are_worth():
    state = load_game("catan", {"trade": "false"}).start(3)
    agent = ValueAgent()
    analysis = agent.analyse(View(state, 0, 1), Budget())
    best = max(move.value for move in analysis.moves)
    assert analysis.values == ()  # of one player's worth the others' does not follow
    assert {move.action for move in analysis.moves} == set(map(int, state.legal_actions))
    assert analysis.action in [move.action for move in analysis.moves if move.value == best]


@pytest.mark.long
@pytest.mark.compiled
def test_a_tree_of_one_action_chooses_what_value_chooses():
    """Where a single action is best; with two players, who know each other's resource cards."""
    compared = 0
    tree, agent = parse_spec("tree:1,cheat=true", [TreeAgent]), ValueAgent()
    for seed in range(12):
        for plies in (0, 1, 40, 120, 250):
            state = random_state(seed, plies, 2)
            if state.player < 0 or len(state.legal_actions) < 2 or BUY_CARD in state.legal_actions:
                continue
            view = View(state, state.player, 1)
            values = sorted(move.value for move in agent.analyse(view, Budget()).moves)
            if values[-1] > values[-2]:
                assert tree.choose(view, Budget()) == agent.choose(view, Budget())
                compared += 1
    assert compared > 15
