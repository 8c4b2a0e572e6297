"""Self-play: a tiny game is learned, the same on any number of workers and after a kill; mistakes in one line."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet as pq
import pytest

from learn.test_commands import run, timeless
from oponente.agents.base import Budget
from oponente.agents.view import View
from oponente.arena import MatchSpec, Table
from oponente.arena.play import StoppedError
from oponente.games.catalogue import GameSpec, load_game, make_agent
from oponente.kernel import Control
from oponente.kernel.arrays import write_arrays
from oponente.learn import self_play
from oponente.learn.dataset import Rows, read_dataset
from oponente.learn.features import feature_names
from oponente.learn.gate import verdict
from oponente.learn.self_play import (
    BEGINNER,
    SelfPlay,
    SelfPlayGames,
    SelfPlaySettings,
    check_agent,
    check_evaluating,
    mixed,
    play_games,
    utilities,
)
from oponente.learn.symmetry import feature_symmetries
from oponente.learn.training import Training
from oponente.search.analysis import Analysis

TICTACTOE = GameSpec("tictactoe")
LEARNING = (
    *("train", "self-play", "tictactoe", "one-step:outcome", "--generations", "2", "--games", "90", "--mix", "0"),
    *("--explore", "0.2", "--opening", "2", "--epochs", "10", "--batch", "32", "--gate-games", "60", "--seed", "1"),
    *("--duel-games", "200"),
)


def of(agent, game=TICTACTOE, kind="encoding", indices=range(6), **settings):
    """Return what is learned of some games."""
    s = SelfPlaySettings(games=10, **{"positions": 4, "opening": 1, "explore": 0.1, **settings})
    return play_games(SelfPlayGames(game, (agent, agent), (0, 3), (), kind, s, 7, 1, tuple(indices)))


def known_best(file, better):
    """Return the share of games that an agent with a network gets against another one."""
    agents = (f"one-step:evaluation={file}", better)
    table, total = Table(MatchSpec(TICTACTOE, agents, 100, 3, opening_plies=0)), 0.0
    for index in range(100):
        record = table.play(index)
        total += next(value for seat, value in zip(record.seats, record.returns, strict=True) if seat.agent == 0)
    return total / 100


@pytest.mark.compiled
def test_it_learns_tictactoe_and_is_the_same_after_a_kill_and_on_two_workers(tmp_path, capsys):
    pytest.importorskip("torch")
    status, out, err = run(capsys, *LEARNING, "--out", tmp_path / "one", "--json")
    assert status == 0, err
    result = json.loads(out)
    assert result["best"]["generation"] >= 1
    assert result["match_with_start"]["ci95"][0] > 0.5
    assert known_best(tmp_path / "one" / "network.safetensors", "random") > 0.6
    killed = tmp_path / "two"
    process = subprocess.Popen(
        [sys.executable, "-m", "oponente", *LEARNING, "--out", str(killed), "--workers", "2"],
        env=os.environ,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 240
    while not list(killed.glob("positions-002/*")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert json.loads((killed / "state.json").read_text())["state"]["generation"] == 1
    assert not (killed / "result.json").exists()
    status, out, err = run(capsys, *LEARNING, "--out", killed)
    assert (status, "holds a training already" in err) == (2, True)
    status, out, err = run(capsys, *LEARNING, "--out", killed, "--resume", "--workers", "2")
    assert status == 0, err
    one, two = timeless(tmp_path / "one"), timeless(killed)
    for _, _, found in (one, two):  # these name the folder
        found.pop("spec")
        found["best"].pop("evaluation")
    assert one == two
    for name in ("network.safetensors", "generation-002.safetensors"):
        assert (killed / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    files = {"metrics.csv", "metrics.parquet", "progress.png", "progress.svg", "best.json", "result.json"}
    assert files <= set(os.listdir(killed))
    rows = pq.read_table(killed / "metrics.parquet").to_pylist()
    assert [row["generation"] for row in rows] == [1, 2]
    for row in rows:
        assert row["accepted"] == (row["superiority"] >= 0.95)
        assert row["gate_low"] <= row["gate_score"] <= row["gate_high"]


@pytest.mark.compiled
def test_rows_are_what_seats_know_and_what_came_of_it():
    found = of("one-step:outcome", explore=0.5)
    again = of("one-step:outcome", explore=0.5, indices=(3, 4))
    assert set(found.game.tolist()) == set(range(6))
    assert set(found.agent.tolist()) == {0, 3}
    part = np.isin(found.game, (3, 4))
    assert all((getattr(found, name)[part] == getattr(again, name)).all() for name in ("features", "outcome", "ply"))
    for one, two in zip(range(0, len(found.seat), 2), range(1, len(found.seat), 2), strict=True):
        assert (found.game[one], found.ply[one], found.seat[one]) == (found.game[two], found.ply[two], 0)
        assert found.seat[two] == 1
        assert found.outcome[one] == -found.outcome[two]
        assert (found.features[one][:9] == found.features[two][9:]).all()
        assert found.features[one].sum() == found.ply[one]


@pytest.mark.parametrize(
    ("game", "spec", "values", "expected"),
    [
        ("tictactoe", "mcts:200", (1.0, 0.25), (1.0, -0.5)),
        ("tictactoe", "uct:500,reward=utility", (0.5, -0.5), (0.5, -0.5)),
        ("tictactoe", "maxn:depth=3", (0.5, -0.5), (0.5, -0.5)),
        ("tictactoe", "uct:100,reward=win", (0.5, 0.5), None),
        ("tictactoe", "alphabeta:depth=3,objective=lead", (0.5, -0.5), None),
        ("tictactoe", "maxn:depth=3", (), None),
        ("connect4", "maxn:depth=1,evaluation=report", (0.5, -0.5), None),
    ],
)
def test_what_searches_expect_counts_as_utilities(game, spec, values, expected):
    loaded = load_game(game)
    found = utilities(make_agent(spec, loaded), Analysis(0, values=values), loaded)
    assert found == expected if expected else all(math.isnan(value) for value in found)
    assert all(math.isnan(value) for value in utilities(make_agent(spec, loaded), None, loaded))


@pytest.mark.compiled
def test_what_a_search_expects_of_a_won_position():
    game = load_game("tictactoe")
    won = game.position("1 4 2 5")  # the first player marks 3 and wins
    agent = make_agent("maxn:depth=2", game)
    agent.choose(View(won, 0, 1), Budget())
    assert utilities(agent, agent.last_analysis, game) == (1.0, -1.0)


def test_games_heed_the_stop_flag():
    control = Control()
    control.stop()
    s = SelfPlaySettings(games=10)
    task = SelfPlayGames(TICTACTOE, ("random", "random"), (0, 0), (), "encoding", s, 7, 1, (0,))
    with pytest.raises(StoppedError):
        play_games(task, control)


def fake_rows(task, control=None):
    """Return a row for each game of a task, as if it had been played."""
    ones, games = np.ones(len(task.indices)), np.array(task.indices, np.int32)
    games += (task.generation - 1) * task.settings.games
    features = np.random.default_rng(games).random((len(games), 18)).astype(np.float32)
    seats, plies, agents = ones.astype(np.int8), ones.astype(np.int32), ones.astype(np.int16)
    return Rows(features, ones.astype(np.float32), ones, games, seats, plies, agents)


def learner(monkeypatch, crew=map, **settings):
    """Return a self-play of tic-tac-toe whose games are not played."""
    monkeypatch.setattr(self_play, "play_games", fake_rows)
    chosen = SelfPlaySettings(**{"games": 32, "layers": (2,), "epochs": 1, **settings})
    return SelfPlay(TICTACTOE, "one-step", "encoding", chosen, 1, crew)


def test_datasets_tell_the_bounds_of_utilities(tmp_path, monkeypatch):
    learner(monkeypatch)._play(tmp_path, 1, (0, 0), lambda word: None)
    files = sorted((tmp_path / "positions-001").iterdir())
    assert len(files) == 16
    assert all(read_dataset(file)[1]["utility"] == [-1.0, 1.0] for file in files)


def test_each_part_is_kept_as_soon_as_it_is_played(tmp_path, monkeypatch):
    def killed(work, tasks):
        work(tasks[-1])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learner(monkeypatch, killed)._play(tmp_path, 1, (0, 0), lambda word: None)
    place = tmp_path / "positions-001"
    assert [file.name for file in place.iterdir()] == ["15.parquet"]


def test_the_positions_of_the_window_stay(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    one = learner(monkeypatch, generations=4, window=2)
    monkeypatch.setattr(SelfPlay, "compared", lambda *_, **__: verdict([0.5], 2))
    training = Training(tmp_path / "x", {}, resume=False)
    (tmp_path / "x" / "positions-001").mkdir()
    (tmp_path / "x" / "positions-001" / "part-03.parquet").write_bytes(b"unfinished")
    one.run(training, lambda *word: None)
    left = tmp_path / "x" / "positions-002"
    assert [path.name for path in sorted(left.parent.glob("positions-*"))] == ["positions-003", "positions-004"]
    left.mkdir()  # as if killed before it was removed
    one.run(Training(tmp_path / "x", {}, resume=True), lambda *word: None)
    assert not left.exists()


def test_games_validated_on_were_never_learned_from(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from oponente.learn import supervised

    held, chosen = [], supervised.held_out_games

    def noted(games, share, seed):
        held.append((set(games.tolist()), set(chosen(games, share, seed).tolist())))
        return chosen(games, share, seed)

    monkeypatch.setattr(supervised, "held_out_games", noted)
    monkeypatch.setattr(SelfPlay, "compared", lambda *_, **__: verdict([0.5], 2))
    one = learner(monkeypatch, generations=4, window=3)
    one.run(Training(tmp_path / "x", {}, resume=False), lambda *word: None)
    learned = set()
    for games, out in held:
        assert 0 < len(out) < len(games) / 3
        assert not out & learned
        learned |= games - out
    assert len(learned) > 100


HABITS = """
import dataclasses
from oponente.agents.base import Agent
from oponente.kernel import option

@dataclasses.dataclass(frozen=True)
class Parameters:
    fault: str = option("", meaning="where it goes wrong")

class Habits(Agent):
    name = "habits"
    Parameters = Parameters

    def begin_game(self, game, seat):
        if self.parameters.fault == "begin":
            raise ValueError("not\\nnow")

    def choose(self, view, budget):
        if self.parameters.fault == "choose":
            raise SystemExit("no idea")
        return 99 if self.parameters.fault == "illegal" else view.legal_actions[0]

    def end_game(self, returns, reason):
        print("it was", list(returns), reason)
        if self.parameters.fault == "end":
            raise ValueError("too late")

    def close(self):
        if self.parameters.fault == "close":
            raise ValueError("not mine")
"""


def with_habits(tmp_path, fault, **settings):
    """Let an agent of the user play two games by itself."""
    (tmp_path / "habits.py").write_text(HABITS)
    chosen = SelfPlaySettings(games=2, opening=0, explore=0.0, **settings)
    agents, files = (f"habits:fault={fault}",) * 2, (str(tmp_path / "habits.py"),)
    return play_games(SelfPlayGames(TICTACTOE, agents, (0, 0), files, "encoding", chosen, 7, 1, (0, 1)))


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("begin", "habits:fault=begin failed: ValueError: not now"),
        ("choose", "habits:fault=choose raised SystemExit: no idea"),
        ("illegal", "habits:fault=illegal returned 99, which is not legal"),
    ],
)
def test_an_agent_that_fails_is_told_in_one_line(tmp_path, fault, told):
    with pytest.raises(RuntimeError) as failed:
        with_habits(tmp_path, fault)
    assert str(failed.value) == f"an agent has failed: {told}"


@pytest.mark.compiled
def test_agents_hear_how_games_end(tmp_path, capsys):
    with_habits(tmp_path, "end")
    out, err = capsys.readouterr()
    assert out == "it was [1.0, -1.0] \n" * 4  # the first player has 1, 3, 5, 7
    assert "note: habits:fault=end raised ValueError when game 1 was over: too late" in err
    with_habits(tmp_path, "", max_plies=3)
    assert capsys.readouterr().out == "it was [0.0, 0.0] after 3 plies\n" * 4


def test_an_agent_that_raises_as_it_is_closed_is_noted(tmp_path, capsys):
    assert with_habits(tmp_path, "close")
    err = capsys.readouterr().err
    assert err.count("note: habits:fault=close raised ValueError at the end: not mine") == 4  # all were closed


def test_targets_mix_outcomes_and_values():
    found = mixed(np.array([1.0, 1.0, -1.0]), np.array([0.0, np.nan, 0.5]), 0.25)
    assert found.tolist() == [0.75, 1.0, -0.625]


def test_rows_are_seen_through_the_symmetries_of_the_encoding():
    assert len(feature_symmetries(load_game("tictactoe"), "encoding")) == 8
    assert len(feature_symmetries(load_game("connect4"), "encoding")) == 2
    catan = load_game("catan")
    assert len(feature_symmetries(catan, "encoding")) == 6
    assert [one.tolist() for one in feature_symmetries(catan, "inputs")] == [list(range(48))]
    assert feature_symmetries(load_game("tictactoe"), "encoding")[0].tolist() == list(range(18))


def test_a_network_that_sees_symmetries_learns_one_side_from_the_other():
    pytest.importorskip("torch")
    from oponente.learn.supervised import SupervisedSettings, fit

    chance = np.random.default_rng(3)
    features = np.zeros((600, 4), np.float32)
    features[:, 0] = chance.random(600)  # only the left side is ever seen
    columns = {"features": features, "target": np.where(features[:, 0] > 0.5, 0.8, -0.8), "game": np.arange(600) // 2}
    settings = SupervisedSettings((16,), "target", epochs=30, batch=50, rate=0.01)
    mirror = [np.arange(4), np.array([3, 2, 1, 0])]
    right = np.array([[0.0, 0.0, 0.0, 0.9], [0.0, 0.0, 0.0, 0.1]], np.float32)

    def seen(net, x):
        hidden = np.maximum(((x - net["mean"]) / net["scale"]) @ net["weight1"].T + net["bias1"], 0.0)
        return np.tanh(hidden @ net["weight2"].T + net["bias2"])[:, 0]

    with_mirror, _ = fit(columns, settings, 1, bounds=(-1.0, 1.0), symmetries=mirror)
    assert np.allclose(seen(with_mirror, right), [0.8, -0.8], atol=0.25)
    without, _ = fit(columns, settings, 1, bounds=(-1.0, 1.0))
    assert not np.allclose(seen(without, right), [0.8, -0.8], atol=0.25)
    on, course = fit(columns, settings, 2, bounds=(-1.0, 1.0), symmetries=mirror, start=with_mirror)
    assert course[0]["validation"] < 0.1  # begins where the other one ended
    assert (on["mean"] == with_mirror["mean"]).all()
    wide = {name: array.astype(np.float64) for name, array in with_mirror.items()}  # as NumPy writes by itself
    same, _ = fit(columns, settings, 2, bounds=(-1.0, 1.0), symmetries=mirror, start=wide)
    assert all((same[name] == on[name]).all() for name in on)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tictactoe", "random"), "agent random evaluates by nothing that could be learned"),
        (("tictactoe", "mcts:100"), "plays all games to the end: give cutoff=0"),
        (("tictactoe", "uct:time=1,cutoff=0"), "is not reproducible"),
        (("tictactoe", "one-step", "--features", "x"), "has no features 'x'; it has encoding"),
        (("tictactoe", "one-step", "--layers", "a"), "expected numbers of neurons, such as 32,16"),
        (("tictactoe", "one-step", "--layers", "300"), "searches evaluate 256 at most"),
        (("tictactoe", "one-step", "--mix", "2"), "0<=x<=1"),
        (("tictactoe", "one-step", "--network", "none.npz"), "none.npz: No such file"),
        (("vgdl", "one-step", "--option", "game=shepherds"), "vgdl has no features for learning"),
        (("catan", "mcts:100,cutoff=0,reward=unit"), "estimate=potential and evaluation=FILE: a search has one"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, capsys, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "train", "self-play", *arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 0
    assert not list(tmp_path.iterdir())  # before a training begins


def test_a_network_that_claims_to_be_huge_is_told_in_one_line(tmp_path, capsys):
    file = tmp_path / "x.safetensors"
    header = json.dumps({"mean": {"dtype": "F32", "shape": [10**30], "data_offsets": [0, 4]}}).encode()
    file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    status, out, err = run(capsys, "train", "self-play", "connect4", "--network", file, "--out", tmp_path / "out")
    assert (status, out) == (2, "")
    assert f"{file} holds no arrays: " in err
    assert err.count("\n") == 0


def test_a_network_of_chances_is_no_beginning(tmp_path, capsys):
    pytest.importorskip("torch")
    from oponente.learn.supervised import random_network

    file = tmp_path / "chances.npz"
    write_arrays(file, {**random_network(18, (4,), (-1.0, 1.0), 1), "players": np.array([2])})
    out = tmp_path / "out"
    given = ("train", "self-play", "tictactoe", "one-step", "--layers", "4", "--network", file, "--out", out)
    status, _, err = run(capsys, *given)
    assert status == 2
    assert "tells chances to win; begin with one of --target outcome" in err
    assert not out.exists()


@pytest.mark.parametrize("name", ["tictactoe", "catan", "risk"])
def test_the_agent_that_begins_by_default_can_evaluate_by_networks(name):
    game = load_game(name)
    check_agent(make_agent(BEGINNER, game), game)
    check_evaluating(BEGINNER, game, feature_names(game)[0], (4,))


def test_more_features_than_searches_take_are_refused_before_the_training(monkeypatch):
    game = load_game("tictactoe")
    monkeypatch.setattr(game, "feature_count", lambda kind: 4097)
    with pytest.raises(ValueError, match="tictactoe has 4097 features encoding: searches evaluate 4096 at most"):
        check_evaluating("one-step", game, "encoding", ())


def test_without_pytorch_it_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "train", "self-play", "tictactoe", "one-step:outcome")
    assert (status, out) == (2, "")
    assert "training networks needs PyTorch: pip install 'oponente[learn]'" in err
    assert err.count("\n") == 0
    assert not list(tmp_path.iterdir())
