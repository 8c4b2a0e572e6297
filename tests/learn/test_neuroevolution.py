"""Neuroevolution: weights evolve towards what wins; the same on any number of workers and after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from learn.test_commands import reached, run, timeless
from oponente.cli.train.common import training_result
from oponente.games.catalogue import GameSpec, load_game, make_agent
from oponente.games.catan.agents import NeuralAgent
from oponente.kernel import arrays as arrays_module
from oponente.kernel.arrays import read_arrays, write_arrays
from oponente.learn.contest import Standing
from oponente.learn.features import feature_scales
from oponente.learn.fitness import Fitness
from oponente.learn.gate import verdict
from oponente.learn.network_space import NetworkSpace, fresh_network, has_network, network_of
from oponente.learn.neuroevolution import run_neuroevolution
from oponente.learn.training import Training, TrainingError
from oponente.search.network_files import evaluation_text, network_evaluator

TICTACTOE = GameSpec("tictactoe")
SMALL = (
    *("train", "neuroevolution", "tictactoe", "one-step:samples=2", "--layers", "3", "--population", "6"),
    *("--games", "6", "--generations", "8", "--gauge", "3", "--gauge-games", "8", "--duel-games", "20", "--seed", "4"),
)


def one_step(tmp_path, layers=(2,)):
    """Return an agent for tic-tac-toe, and a space of weights of a network for it."""
    game = load_game("tictactoe")
    agent = make_agent("one-step", game)
    return agent, NetworkSpace(agent, tmp_path / "individuals", fresh_network(agent, game, "encoding", layers, 1))


def run_fake(tmp_path, name, generations, seed=1):
    """Evolve towards biases of 1, by contests without luck; return what was found, and the training."""
    _, space = one_step(tmp_path, ())

    def held(contests):
        found = []
        for contest in contests:
            bias = [float(network_of(make_agent(text, load_game("tictactoe")))["bias1"][0]) for text in contest.agents]
            near = [-abs(1.0 - value) for value in bias]
            found.append([Standing(contest.games, 0.0, max(-1.0, min(1.0, n - near[1]))) for n in near])
        return found

    training = Training(tmp_path / name, {}, resume=(tmp_path / name).exists())
    best = run_neuroevolution(
        space,
        Fitness(space, TICTACTOE, "", 4, seed, held),
        training,
        generations=generations,
        sigma=0.3,
        population=8,
        opponent=None,
        gauge=5,
        compared=lambda spec, number: verdict([0.5, 0.75], 2),
        seed=seed,
        progress=lambda *word: None,
    )
    return space, best, training


def test_it_finds_what_wins_and_goes_on_where_it_was(tmp_path):
    pytest.importorskip("cma")
    space, best, training = run_fake(tmp_path, "a", 18)
    assert space.arrays(best)["bias1"][0] == pytest.approx(1.0, abs=0.1)
    assert [row["gauge"] for row in training.metrics[:6]] == [None, None, None, None, 0.625, None]
    assert training.metrics[-1]["distance"] > training.metrics[0]["distance"] > 0.0
    assert (read_arrays(tmp_path / "a" / "network.safetensors")["weight1"] == space.arrays(best)["weight1"]).all()
    run_fake(tmp_path, "b", 7)
    _, again, _ = run_fake(tmp_path, "b", 18)
    assert again == best
    assert run_fake(tmp_path, "c", 18, seed=2)[1] != best
    assert not list((tmp_path / "individuals").iterdir())


def test_a_new_network_sees_scaled_features(tmp_path):
    agent, space = one_step(tmp_path, (5, 4))
    assert len(space.names) == 18 * 5 + 5 + 5 * 4 + 4 + 4 + 1
    assert not has_network(agent)
    net = space.arrays(space.start)
    mean, scale = feature_scales(load_game("tictactoe"), "encoding", 1)
    assert (net["mean"] == mean).all()
    assert 0.1 < mean.mean() < 0.4
    assert (scale > 0.2).all()
    assert net["range"].tolist() == [-1.0, 1.0]
    assert {parameter.unit for parameter in space.parameters if parameter.name.startswith("bias1")} == {
        float(net["weight1"].std())
    }
    player = make_agent(space.spec(space.start), load_game("tictactoe"))
    assert has_network(player)
    assert all((array == net[name]).all() for name, array in network_of(player).items())
    network_evaluator(player.parameters.evaluation, load_game("tictactoe"))


def test_a_network_with_a_form_of_its_own_keeps_it():
    agent, game = NeuralAgent(), load_game("catan")
    old, new = network_of(agent), fresh_network(NeuralAgent(), game, "inputs", (7,), 3)
    assert {name: array.shape for name, array in new.items()} == {name: array.shape for name, array in old.items()}
    assert (new["mean"] == old["mean"]).all()
    assert not np.allclose(new["weight2"], old["weight2"])
    assert has_network(agent)


@pytest.mark.compiled
def test_a_training_is_the_same_on_two_workers_and_after_a_kill(tmp_path, capsys):
    pytest.importorskip("cma")
    status, out, err = run(capsys, *SMALL, "--out", tmp_path / "one", "--json")
    assert status == 0, err
    result = json.loads(out)
    assert result["match_with_start"]["games"] == 20
    assert result["best"]["evaluation"] == str(tmp_path / "one" / "network.safetensors")
    found = make_agent(result["spec"], load_game("tictactoe")).parameters
    assert (found.samples, found.evaluation) == (2, evaluation_text(result["best"]["evaluation"]))
    killed = tmp_path / "two"
    process = subprocess.Popen(
        [sys.executable, "-m", "oponente", *SMALL, "--out", str(killed), "--workers", "2"],
        env=os.environ,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 240
    while not reached(killed) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 1 <= len(reached(killed)["history"]) < 8
    status, out, err = run(capsys, *SMALL, "--out", killed, "--resume", "--workers", "2")
    assert status == 0, err
    one, two = timeless(tmp_path / "one"), timeless(killed)
    for _, _, found in (one, two):  # these name the folder
        found.pop("spec")
        found.pop("best")
    assert one == two
    network = "network.safetensors"
    assert (killed / network).read_bytes() == (tmp_path / "one" / network).read_bytes()
    assert {"metrics.csv", "metrics.parquet", "progress.png", "progress.svg", "best.json"} <= set(os.listdir(killed))


def test_the_result_keeps_the_agents_other_parameters(tmp_path):
    game, (_, fresh) = load_game("tictactoe"), one_step(tmp_path)
    write_arrays(tmp_path / "x.npz", fresh.arrays(fresh.start))
    agent = make_agent(f"mcts:200,cutoff=0,c=0.5,evaluation={tmp_path / 'x.npz'}", game)
    space = NetworkSpace(agent, tmp_path / "individuals")
    result = training_result({}, {}, space, space.start, Training(tmp_path / "out", {}, resume=False), {})
    file = str(tmp_path / "out" / "network.safetensors")
    assert result["best"] == {"evaluation": file}
    expected = replace(agent.parameters, evaluation=evaluation_text(file))
    assert make_agent(result["spec"], game).parameters == expected


def test_features_are_for_new_networks(tmp_path, capsys):
    _, space = one_step(tmp_path)
    write_arrays(tmp_path / "x.npz", space.arrays(space.start))
    command = ("train", "neuroevolution", "tictactoe", f"one-step:{tmp_path / 'x.npz'}", "--features", "encoding")
    for more in ((), ("--random",)):
        status, out, err = run(capsys, *command, *more, "--out", tmp_path / "out")
        assert (status, out) == (2, "")
        assert "--features is for a new network: one-step has one" in err
        assert err.count("\n") == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tictactoe", "random"), "agent random evaluates by nothing that could be learned"),
        (("tictactoe", "mcts:10"), "give cutoff=0"),
        (("tictactoe", "one-step:none.npz"), "none.npz: No such file"),
        (("tictactoe", "one-step", "--features", "x"), "has no features 'x'"),
        (("tictactoe", "one-step", "--against", "nobody"), "there is no agent 'nobody'"),
        (("tictactoe", "one-step", "--sigma", "0"), "1e-09<=x<=1000000000.0"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, capsys, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "train", "neuroevolution", *arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 0


@pytest.mark.parametrize(
    ("arguments", "plies"),
    [
        (("tictactoe", "one-step"), 2),
        (("catan", "neural"), 0),
        (("catan", "neural", "--opening", "3"), 3),
    ],
)
def test_only_games_without_chance_open_at_random(tmp_path, capsys, monkeypatch, arguments, plies):
    pytest.importorskip("cma")

    def training(self, folder, identity, *, resume):
        raise TrainingError(f"the opening is {identity['settings']['opening']}")

    monkeypatch.setattr(Training, "__init__", training)
    status, _, err = run(capsys, "train", "neuroevolution", *arguments, "--out", tmp_path / "a")
    assert status != 0
    assert f"the opening is {plies}" in err


def test_without_pycma_it_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    status, out, err = run(capsys, *SMALL, "--out", tmp_path / "x")
    assert (status, out) == (2, "")
    assert "CMA-ES needs the package cma: pip install 'oponente[learn]'" in err


def test_a_network_for_another_game_is_told(tmp_path, capsys):
    write_arrays(
        tmp_path / "x.npz",
        fresh_network(make_agent("one-step", load_game("connect4")), load_game("connect4"), "encoding", (), 1),
    )
    status, _, err = run(capsys, "train", "neuroevolution", "tictactoe", f"one-step:{tmp_path / 'x.npz'}")
    assert status == 2
    assert "has 128 inputs; tictactoe has so many features: 18 (encoding)" in err


def test_a_final_network_takes_the_place_of_another_in_one_step(tmp_path, monkeypatch):
    _, space = one_step(tmp_path)
    training = Training(tmp_path / "out", {}, resume=False)
    file = training.folder / "network.safetensors"
    training_result({}, {}, space, space.start, training, {})
    before = file.read_bytes()

    def half(path, arrays):
        path.write_bytes(before[:50])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(arrays_module, "write_arrays", half)
    with pytest.raises(OSError, match="No space left"):
        training_result({}, {}, space, [0.0 for _ in space.start], training, {})
    assert file.read_bytes() == before
