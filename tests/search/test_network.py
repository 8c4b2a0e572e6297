"""Networks as evaluators: they give what their layers give, in any search; files that hold none are told in a line."""

from __future__ import annotations

import math
import zipfile
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
import pytest

from oponente.agents.base import Budget
from oponente.agents.view import View
from oponente.games.catalogue import load_game, make_agent
from oponente.games.risk.searches import game_in_plans, position_in_plans
from oponente.kernel import Token, stream, value_bounds
from oponente.kernel.arrays import ArrayFileError, write_arrays
from oponente.search import network_files
from oponente.search.network_files import evaluation_text, names_network, network_evaluator
from oponente.testing.entries import evaluate_one, features_one


def random_network(inputs: int, layers: tuple[int, ...], seed: int = 0, bounds: tuple[float, float] = (-1.0, 1.0)):
    """Return the arrays of a network with random weights."""
    chance = np.random.default_rng(seed)
    net = {"mean": chance.normal(size=inputs), "scale": chance.random(inputs) + 0.5, "range": np.array(bounds)}
    width = inputs
    for number, size in enumerate((*layers, 1), 1):
        net[f"weight{number}"] = chance.normal(size=(size, width)) / np.sqrt(width)
        net[f"bias{number}"] = chance.normal(size=size)
        width = size
    return {name: array.astype(np.float32) for name, array in net.items()}


def expected(net, x):
    """Return what a network gives, in NumPy."""
    hidden, layers = (x - net["mean"]) / net["scale"], sum(name.startswith("bias") for name in net)
    for number in range(1, layers + 1):
        hidden = net[f"weight{number}"] @ hidden + net[f"bias{number}"]
        hidden = np.maximum(hidden, 0.0) if number < layers else np.tanh(hidden)
    return float(hidden[0])


def played(name: str, plies: int, **options: str):
    """Return a position after some random actions."""
    state, rng = load_game(name, options).start(3), stream(5)
    for _ in range(plies):
        if state.is_chance:
            state.apply_chance(rng)
        else:
            state.apply(state.sample_action(rng))
    return state


@pytest.mark.parametrize(
    ("game", "options", "plies", "inputs", "layers"),
    [
        ("tictactoe", {}, 4, 18, ()),
        ("tictactoe", {}, 5, 18, (7, 5, 3)),
        ("connect4", {}, 9, 128, (256,)),
        pytest.param("catan", {"players": "3"}, 150, 48, (9, 4), marks=pytest.mark.compiled),
        pytest.param("catan", {"players": "3"}, 150, 1297, (9, 4), marks=pytest.mark.compiled),
    ],
)
def test_values_are_those_of_the_layers(tmp_path, game, options, plies, inputs, layers):
    state = played(game, plies, **options)
    net = random_network(inputs, layers)
    file = tmp_path / "net.safetensors"
    write_arrays(file, net)
    evaluator = network_evaluator(evaluation_text(str(file)), state.game)
    out = np.zeros(state.game.num_players)
    evaluate_one(evaluator, state.game.tables, state.array, out)
    for seat, value in enumerate(out):
        if inputs == 48:
            x = np.zeros(48, np.float32)
            features_one(state.game.features["inputs"], state.game.tables, state.array, seat, x)
        else:
            x = state.encode(seat)
        assert value == pytest.approx(expected(net, x), abs=1e-5)
    assert len(set(out.tolist())) > 1


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.compiled
def test_outputs_that_compete_are_chances_to_win(tmp_path, players):
    state = played("risk", 60, players=str(players))
    net = random_network(state.encode(0).size, (5,))
    write_arrays(tmp_path / "net.safetensors", {**net, "players": np.array([players])})
    evaluator = network_evaluator(evaluation_text(str(tmp_path / "net.safetensors")), state.game)
    out = np.zeros(players)
    evaluate_one(evaluator, state.game.tables, state.array, out)
    chances = np.exp([np.arctanh(expected(net, state.encode(seat))) for seat in range(players)])
    assert out == pytest.approx(2.0 * chances / chances.sum() - 1.0, abs=1e-4)
    assert len(set(out.tolist())) == players
    assert value_bounds(evaluator, state.game.tables) == (-1.0, 1.0, math.inf)
    with pytest.raises(ValueError, match=f"is for games of {players} players, not 4"):
        network_evaluator(evaluation_text(str(tmp_path / "net.safetensors")), load_game("risk", {"players": "4"}))


def test_a_finished_game_is_worth_its_utilities(tmp_path):
    game = load_game("tictactoe")
    write_arrays(tmp_path / "net.npz", random_network(18, (4,)))
    evaluator, out = network_evaluator(str(tmp_path / "net.npz"), game), np.zeros(2)
    evaluate_one(evaluator, game.tables, game.position("1 4 2 5 3").array, out)
    assert out.tolist() == [1.0, -1.0]


def counting_network():
    """Return a network that expects more the more of the middle and the corners a seat has."""
    net = random_network(18, ())
    net |= {"mean": np.zeros(18, np.float32), "scale": np.ones(18, np.float32)}
    weights = np.array([2, 0, 2, 0, 3, 0, 2, 0, 2], np.float32) / 10
    return {**net, "weight1": np.concatenate([weights, -weights])[None], "bias1": np.zeros(1, np.float32)}


@pytest.mark.parametrize(
    "agent",
    [
        "one-step:evaluation=FILE",
        "alphabeta:depth=1,evaluation=FILE",
        "maxn:depth=1,evaluation=FILE",
        "uct:200,cutoff=0,evaluation=FILE",
        "mcts:200,estimate=FILE,cutoff=0,evaluation=FILE",
        "rhea:200,length=1,evaluation=FILE",
    ],
)
def test_any_search_takes_a_file_for_an_evaluator(tmp_path, agent):
    file = tmp_path / "a b,c.safetensors"
    write_arrays(file, counting_network())
    game = load_game("tictactoe")
    player = make_agent(agent.replace("FILE", f'"{file}"'), game)
    assert make_agent(player.spec, game).spec == player.spec
    assert f"{file}@" in player.spec
    state = game.start()
    assert state.action_text(player.choose(View(state, 0, 1), Budget())) == "5"
    write_arrays(file, random_network(18, ()))
    with pytest.raises(ValueError, match=r"safetensors is not what it was when it was given"):
        make_agent(player.spec, game)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"range": None}, "lacks range, which networks have that predict outcomes"),
        ({"range": np.array([0.0, 1.0])}, "expects utilities of 0 to 1, which are not those of tictactoe"),
        ({"range": np.array([1.0, 1.0])}, "is empty"),
        ({"weight2": np.zeros((1, 5))}, "weight2 has shape"),
        ({"bias1": None}, "lacks bias1"),
        ({"weight1": None}, "lacks weight1"),
        ({"bias2": np.array([np.nan])}, "bias2 has numbers that are not finite"),
        ({"scale": np.zeros(18)}, "a scale is 0"),
        ({"mean": np.array(["a"] * 18)}, "mean holds no real numbers"),
        ({"bias1": np.zeros(4, np.complex64)}, "bias1 holds no real numbers"),
        ({"players": np.array([1])}, "players is no number of players"),
        ({"players": np.array([2.0])}, "players is no number of players"),
        ({"players": np.array([3])}, "is for games of 3 players, not 2"),
    ],
)
def test_files_that_hold_no_network_are_told(tmp_path, change, told):
    net = {name: array for name, array in {**random_network(18, (4,)), **change}.items() if array is not None}
    file = tmp_path / "x.npz"
    write_arrays(file, net)
    with pytest.raises(ValueError, match=told) as error:
        make_agent(f"one-step:evaluation={file}", load_game("tictactoe"))
    assert "\n" not in str(error.value)


def test_networks_for_other_games_are_told(tmp_path):
    write_arrays(tmp_path / "x.npz", random_network(20, ()))
    with pytest.raises(ValueError, match=r"has 20 inputs; tictactoe has so many features: 18 \(encoding\)"):
        make_agent(f"one-step:evaluation={tmp_path / 'x.npz'}", load_game("tictactoe"))
    with pytest.raises(ArrayFileError, match="No such file"):
        evaluation_text(str(tmp_path / "y.npz"))
    write_arrays(tmp_path / "wide.npz", random_network(18, (257,)))
    with pytest.raises(ValueError, match="a layer of more than 256 neurons"):
        make_agent(f"one-step:evaluation={tmp_path / 'wide.npz'}", load_game("tictactoe"))


class Weighted(NamedTuple):
    """Features whose tables hold an array."""

    token: Token
    weights: np.ndarray


FEATURES = 5


def test_features_may_hold_arrays_and_a_file_is_the_same_network_each_time(tmp_path):
    write_arrays(tmp_path / "x.npz", random_network(5, ()))
    write_arrays(tmp_path / "y.npz", random_network(5, ()))
    weighted, other = (Weighted(Token(__name__), np.ones(5)) for _ in range(2))
    games = [load_game("tictactoe") for _ in range(3)]
    for game, kind in zip(games, (weighted, weighted, other), strict=True):
        game.features["weighted"] = kind
    one, same, third = (network_evaluator(str(tmp_path / "x.npz"), game) for game in games)
    assert one is same
    assert one.kind is weighted
    assert third.kind is other
    assert network_evaluator(str(tmp_path / "y.npz"), games[0]) is not one
    assert network_evaluator(str(tmp_path / "x.npz"), games[0]) is one


def test_only_the_files_asked_for_last_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(network_files, "KEPT", 2)
    monkeypatch.setattr(network_files, "_evaluators", OrderedDict())
    game, files = load_game("tictactoe"), [str(tmp_path / f"{name}.npz") for name in "xyz"]
    for file in files:
        write_arrays(file, random_network(18, ()))
    x, y, again, _ = (network_evaluator(file, game) for file in (*files[:2], files[0], files[2]))
    assert x is again is network_evaluator(files[0], game)
    assert network_evaluator(files[1], game) is not y


def test_an_archive_with_what_is_no_array_is_no_network(tmp_path):
    file = tmp_path / "x.npz"
    write_arrays(file, random_network(18, ()))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("weight2", "word")
    with pytest.raises(ArrayFileError, match=r"x\.npz holds no arrays: 'weight2' in it is no array"):
        evaluation_text(str(file))


def test_names_of_evaluators_are_no_files():
    assert [
        name for name in ("default", "report", "x.npz", "dir/x.safetensors@" + "0" * 16) if names_network(name)
    ] == [
        "x.npz",
        "dir/x.safetensors@" + "0" * 16,
    ]


@pytest.mark.compiled
def test_a_search_of_risk_in_plans_sees_what_the_seat_knows(tmp_path):
    state = played("risk", 130, players="3")
    game = state.game
    plans = game_in_plans(game)
    assert plans.feature_count("encoding") == game.feature_count("encoding")
    net, out = random_network(game.encoding, (3,)), np.zeros(3)
    write_arrays(tmp_path / "net.safetensors", net)
    evaluator = network_evaluator(str(tmp_path / "net.safetensors"), plans)
    position = position_in_plans(state, plans)
    evaluate_one(evaluator, plans.tables, position.array, out)
    assert out.tolist() == pytest.approx([expected(net, state.encode(seat)) for seat in range(3)], abs=1e-5)
