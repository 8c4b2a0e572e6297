"""Datasets of positions: each row is what the seat knew, and what came of it; networks learn from them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from learn.test_commands import run
from oponente.arena import MatchSpec, Table
from oponente.games.catalogue import GameSpec, load_game
from oponente.games.catan.network import SHAPES, flat, judge, network
from oponente.games.catan.networks import read_network
from oponente.kernel import Game
from oponente.kernel.arrays import ArrayFileError, write_arrays
from oponente.learn.dataset import DatasetError, Rows, make_dataset, read_dataset, write_rows
from oponente.learn.features import feature_names
from toy_games import heap

GAME = GameSpec("catan", (("players", "2"), ("trade", "false"), ("points", "4")))


@pytest.mark.compiled
def test_rows_are_what_seats_know_and_what_came_of_it(tmp_path):
    spec = MatchSpec(GAME, ("value", "value:road=0"), 3, 7)
    file = tmp_path / "x.parquet"
    rows = make_dataset(spec, file, kind="encoding", evaluation="points", positions=5)
    columns, about = read_dataset(file)
    assert rows == len(columns["game"]) == 3 * 5 * 2
    assert (about["seed"], about["agents"], about["features"]) == (7, ["value", "value:road=0"], "encoding")
    table = Table(spec)
    at = 0
    for index in range(3):
        record = table.play(index)
        for _ in range(5):
            ply = int(columns["ply"][at])
            state = table.game.start(record.start_seed)
            for action in record.actions[:ply]:
                state.apply(action)
            assert state.player >= 0
            for seat in range(2):
                row = {name: column[at] for name, column in columns.items()}
                assert (row["game"], row["seat"], row["ply"]) == (index, seat, ply)
                assert (row["features"] == state.encode(seat)).all()
                assert row["outcome"] == record.returns[seat]
                assert row["agent"] == record.seats[seat].agent
                points = int(state.record.points[seat]) + int(state.record.cards[seat, 4])
                assert row["value"] == pytest.approx(points / 10)
                at += 1
    file = tmp_path / "y.parquet"
    with pytest.raises(ValueError, match="has no features 'x'; it has inputs, encoding"):
        make_dataset(spec, file, kind="x", evaluation="points", positions=5)
    with pytest.raises(ValueError, match="has no evaluator 'x'"):
        make_dataset(spec, file, kind="inputs", evaluation="x", positions=5)


DATA = ("train", "data", "tictactoe", "random", "one-step", "--games", 200, "--positions", 3, "--seed", 4, "--out")


@pytest.mark.compiled
def test_a_dataset_is_the_same_on_two_workers_and_after_a_kill(tmp_path, capsys):
    one, killed, parts = tmp_path / "one.parquet", tmp_path / "two.parquet", tmp_path / "two.parquet.parts"
    status, out, err = run(capsys, *DATA, one)
    assert status == 0, err
    assert out.endswith(f" rows written to {one}\n")
    assert os.listdir(tmp_path) == ["one.parquet"]
    command = [sys.executable, "-m", "oponente", *map(str, DATA), str(killed), "--workers", "2"]
    process = subprocess.Popen(command, env=os.environ, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 240
    while not list(parts.glob("0*.parquet")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {file: file.stat().st_mtime_ns for file in parts.glob("0*.parquet")}
    assert 0 < len(kept) < 100
    assert not killed.exists()
    status, _, err = run(capsys, *DATA, killed)
    assert status == 2
    assert "two.parquet.parts holds parts of a dataset: go on with --resume, or give another file" in err
    status, _, err = run(capsys, *DATA, killed, "--resume", "--games", 300)
    assert status == 2
    assert "two.parquet.parts holds another training (games 200, not 300)" in err
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    status, again, err = run(capsys, *DATA, killed, "--resume", "--workers", 2)
    assert status == 0, err
    assert killed.read_bytes() == one.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["one.parquet", "two.parquet"]
    assert run(capsys, *DATA, killed, "--resume") == (0, again, "")  # it is done


PLAYER = """
from oponente.agents.base import Agent

class Mine(Agent):
    name = "mine"

    def choose(self, view, budget):
        return view.legal_actions[{}]
"""


def test_a_dataset_is_not_gone_on_with_by_an_edited_agent(tmp_path, capsys):
    out, folder, moved = tmp_path / "x.parquet", tmp_path / "mine", tmp_path / "moved"
    folder.mkdir()
    (folder / "player.py").write_text(PLAYER.format(0))
    data = ("train", "data", "tictactoe", "random", "mine", "--games", 200, "--positions", 3, "--out", out)
    assert run(capsys, *data, "--agent-file", folder / "player.py")[0] == 0
    shutil.copytree(folder, moved)
    assert run(capsys, *data, "--agent-file", moved / "player.py", "--resume")[0] == 0
    (moved / "player.py").write_text(PLAYER.format(-1))
    status, _, err = run(capsys, *data, "--agent-file", moved / "player.py", "--resume")
    assert (status, err) == (2, f"oponente: {out} is there already: give another file, or move it away")


@pytest.mark.parametrize("more", [(), ("--resume",)])
def test_a_file_that_is_there_stays(tmp_path, capsys, more):
    file = tmp_path / "x.parquet"
    for content in (b"mine", None):
        if content is None:
            write_rows(file, few_rows(), {"seed": 4})
        else:
            file.write_bytes(content)
        before = file.read_bytes()
        status, out, err = run(capsys, *DATA, file, *more)
        assert (status, out) == (2, "")
        assert err == f"oponente: {file} is there already: give another file, or move it away"
        assert file.read_bytes() == before
        assert os.listdir(tmp_path) == ["x.parquet"]


def test_a_folder_of_parts_with_other_files_stays(tmp_path, capsys):
    (tmp_path / "x.parquet.parts").mkdir()
    (tmp_path / "x.parquet.parts" / "mine.txt").write_text("mine")
    status, _, err = run(capsys, *DATA, tmp_path / "x.parquet", "--resume")
    assert status == 2
    assert "x.parquet.parts holds no training, but other files ('mine.txt')" in err
    assert (tmp_path / "x.parquet.parts" / "mine.txt").read_text() == "mine"


@pytest.mark.compiled
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_says_how_to_go_on(tmp_path, workers):
    command = [sys.executable, "-m", "oponente", *map(str, DATA), str(tmp_path / "x.parquet"), "--games", "1000000"]
    command += ["--workers", workers]
    process = subprocess.Popen(command, env=os.environ, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 240
    while not list(tmp_path.glob("*.parts/0*.parquet")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines()[-1] == "oponente: interrupted; the same command with --resume goes on"
    assert os.listdir(tmp_path) == ["x.parquet.parts"]


def different_positions(file):
    return len(set(map(tuple, pq.read_table(file).column("features").to_pylist())))


def test_agents_without_luck_play_different_games(tmp_path, capsys):
    players = str(Path(__file__).parent / "players.py")
    data = ("train", "data", "tictactoe", "fixed", "fixed:plan=losing", "--agent-file", players, "--games", 60)
    assert run(capsys, *data, "--out", tmp_path / "a.parquet")[0] == 0
    assert run(capsys, *data, "--opening", 0, "--out", tmp_path / "b.parquet")[0] == 0
    assert different_positions(tmp_path / "a.parquet") > 60
    assert different_positions(tmp_path / "b.parquet") < 40


def test_an_agent_that_fails_ends_it_in_one_line(tmp_path, capsys):
    players = str(Path(__file__).parents[1] / "arena" / "players.py")
    command = (
        "train",
        "data",
        "tictactoe",
        "random",
        "raises",
        "--agent-file",
        players,
        "--out",
        tmp_path / "x.parquet",
    )
    status, out, err = run(capsys, *command)
    assert (status, out) == (2, "")
    assert err == "oponente: an agent has failed: raises raised RuntimeError: no idea"
    assert not (tmp_path / "x.parquet").exists()


def test_names_of_features():
    assert feature_names(load_game("catan")) == ["inputs", "encoding"]
    assert feature_names(load_game("tictactoe")) == ["encoding"]
    with pytest.raises(ValueError, match="heap has no features for learning"):
        feature_names(Game(heap))


def test_other_files_are_refused(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"no")
    with pytest.raises(DatasetError, match=r"x\.parquet"):
        read_dataset(tmp_path / "x.parquet")
    rows = few_rows()
    for columns, about, told in (
        ({"features": rows.features.tolist()}, None, "is no dataset"),
        ({"features": rows.features.tolist()}, "[]", "is no dataset"),
        ({"features": rows.features.tolist()}, "{", "Expecting property name"),
        ({"features": rows.features.tolist()}, "[" * 100_000, "x.parquet: "),
        ({"features": [1.0]}, "{}", "has other columns than datasets"),
        ({"features": rows.features.tolist()}, "{}", "has other columns than datasets"),
    ):
        table = pa.table(columns)
        pq.write_table(table.replace_schema_metadata(about and {"oponente": about}), tmp_path / "x.parquet")
        with pytest.raises(DatasetError, match=told) as error:
            read_dataset(tmp_path / "x.parquet")
        assert "\n" not in str(error.value)
    for about in ({"utility": 5}, {"utility": ["a", 1]}, {"utility": [1.0, 1.0]}, {"utility": [0.0]}, {"agents": 5}):
        write_rows(tmp_path / "x.parquet", rows, about)
        with pytest.raises(DatasetError, match="its metadata are not those of a dataset"):
            read_dataset(tmp_path / "x.parquet")
    write_rows(tmp_path / "x.parquet", rows, {"seed": 1})
    assert read_dataset(tmp_path / "x.parquet")[1] == {"seed": 1}
    whole = pq.read_table(tmp_path / "x.parquet")
    missing = whole.set_column(2, "value", pa.array([None] * 20, pa.float64()))
    pq.write_table(missing, tmp_path / "x.parquet")
    with pytest.raises(DatasetError, match="numbers are missing"):
        read_dataset(tmp_path / "x.parquet")


# --- networks ------------------------------------------------------------------------------------------------------


def random_net(seed: int):
    chance = np.random.default_rng(seed)
    net = {name: chance.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}
    net["scale"] = np.abs(net["scale"]) + 0.5
    return net


def test_the_kernel_gives_what_the_layers_give():
    nets = [random_net(seed) for seed in range(4)]
    tables = network(*nets)
    chance = np.random.default_rng(9)
    for seat, net in enumerate(nets):
        for _ in range(5):
            x = chance.normal(size=48) * (chance.random(48) < 0.7)
            hidden = (x - net["mean"]) / net["scale"]
            for layer in "12":
                hidden = np.maximum(net[f"weight{layer}"] @ hidden + net[f"bias{layer}"], 0.0)
            expected = float((net["weight3"] @ hidden + net["bias3"])[0])
            assert judge(tables, seat, x) == pytest.approx(expected, rel=1e-5)
    assert flat(nets[0]).size == 32 * 49 + 16 * 33 + 17


def test_files_that_hold_no_network_are_told(tmp_path):
    good = random_net(1)
    for name, wrong, told in (
        ("weight2", np.zeros((16, 31)), "weight2 has shape"),
        ("bias1", np.full(32, np.nan), "bias1 has numbers that are not finite"),
        ("scale", np.zeros(48), "a scale is 0"),
    ):
        file = tmp_path / f"{name}.npz"
        write_arrays(file, {**good, name: wrong})
        with pytest.raises(ArrayFileError, match=told):
            read_network(str(file))
    write_arrays(tmp_path / "y.npz", {name: array for name, array in good.items() if name != "bias3"})
    with pytest.raises(ArrayFileError, match="lacks bias3"):
        read_network(str(tmp_path / "y.npz"))


def test_training_learns_a_function_and_goes_on_where_it_was():
    pytest.importorskip("torch")
    from oponente.learn.supervised import SupervisedSettings, fit

    chance = np.random.default_rng(0)
    features = chance.normal(size=(3000, 5)).astype(np.float32)
    columns = {
        "features": features,
        "value": 100.0 + 30.0 * np.abs(features[:, 0]) + 10.0 * features[:, 1],
        "game": np.arange(3000) // 20,
    }
    settings = SupervisedSettings((16, 8), epochs=12, batch=100, rate=0.01)
    kept = []
    net, course = fit(columns, settings, 3, lambda state, row: kept.append(state))
    assert course[-1]["explained"] > 0.97
    x = (features[:100] - net["mean"]) / net["scale"]
    for layer in "12":
        x = np.maximum(x @ net[f"weight{layer}"].T + net[f"bias{layer}"], 0.0)
    out = (x @ net["weight3"].T + net["bias3"])[:, 0]
    assert np.corrcoef(out, columns["value"][:100])[0, 1] > 0.98
    assert abs(out.mean() - columns["value"][:100].mean()) < 3.0
    again, _ = fit(columns, settings, 3, state=kept[4])
    assert all((again[name] == net[name]).all() for name in net)


def contests(games: int, seed: int):
    """Return columns of positions of three seats each, of which one wins by the softmax of 2 * first feature."""
    chance = np.random.default_rng(seed)
    features = chance.normal(size=(4 * games, 3, 2)).astype(np.float32)
    features[:, :, 0] = np.repeat(features[::4, :, 0], 4, axis=0)
    likely = np.exp(2.0 * features[::4, :, 0])
    winner = [chance.choice(3, p=row / row.sum()) for row in likely]
    outcome = np.where(np.arange(3) == np.repeat(winner, 4)[:, None], 1.0, -1.0)
    return {
        "features": features.reshape(-1, 2),
        "outcome": outcome.ravel().astype(np.float32),
        "seat": np.tile(np.arange(3), 4 * games),
        "game": np.repeat(np.arange(games), 12),
        "ply": np.repeat(np.arange(4 * games), 3),
    }, likely / likely.sum(axis=1, keepdims=True)


def test_chances_to_win_are_learned_by_likelihood():
    pytest.importorskip("torch")
    from oponente.learn.supervised import SupervisedSettings, fit

    columns, chances = contests(3000, 0)
    columns["outcome"][:12] = -1.0  # nobody wins the first game, which is left out
    settings, kept = SupervisedSettings((8,), "winner", epochs=8, batch=200, rate=0.01), []
    net, course = fit(columns, settings, 3, lambda state, row: kept.append(state), bounds=(-1.0, 1.0))
    assert (net["players"].tolist(), net["range"].tolist()) == ([3], [-1.0, 1.0])
    best = 1.0 + float((chances * np.log(chances)).sum(axis=1).mean()) / np.log(3)
    assert course[-1]["explained"] == pytest.approx(best, abs=0.1)  # 300 games are held out
    x = (columns["features"].reshape(-1, 3, 2)[::4] - net["mean"]) / net["scale"]
    out = np.exp((np.maximum(x @ net["weight1"].T + net["bias1"], 0.0) @ net["weight2"].T)[:, :, 0])
    assert np.abs(out / out.sum(axis=1, keepdims=True) - chances).mean() < 0.03
    again, _ = fit(columns, settings, 3, state=kept[4], bounds=(-1.0, 1.0))
    assert all((again[name] == net[name]).all() for name in net)
    for change, told in (
        ({"outcome": np.zeros(36000)}, "need games with one winner"),
        ({"outcome": np.full(36000, -1.0)}, "need games with one winner"),
        ({"outcome": np.tile([1.0, 0.2, -1.0], 12000)}, "one player wins and all others lose alike"),
        ({"outcome": np.full(36000, np.nan)}, "outcome holds numbers that are not finite"),
        ({"seat": columns["seat"][::-1]}, "need rows of all 3 seats for each position"),
        ({"seat": np.zeros(36000, int)}, "need two players or more"),
        ({"ply": np.arange(36000)}, "some are of other positions"),
        ({"features": np.full((36000, 2), np.nan)}, "features of the dataset are no finite numbers"),
    ):
        with pytest.raises(ValueError, match=told):
            fit({**columns, **change}, settings, 3, bounds=(-1.0, 1.0))
    with pytest.raises(ValueError, match="need the bounds of utilities"):
        fit(columns, settings, 3)
    with pytest.raises(ValueError, match="need rows of all 4 seats"):
        fit(columns, settings, 3, bounds=(-1.0, 1.0), players=4)


def few_rows(value: float = 0.5) -> Rows:
    """Return a row of each of 20 games, with the same value everywhere."""
    ones = np.ones(20)
    columns = {"outcome": np.float32, "value": np.float64, "game": np.int32, "seat": np.int8, "ply": np.int32}
    rest = {name: ones.astype(kind) for name, kind in columns.items()} | {"game": np.arange(20, dtype=np.int32)}
    features = np.random.default_rng(0).random((20, 3)).astype(np.float32)
    return Rows(features, **{**rest, "value": value * ones}, agent=ones.astype(np.int16))


def test_networks_learn_from_datasets_of_self_play(tmp_path, capsys):
    pytest.importorskip("torch")
    file, command = tmp_path / "x.parquet", ("--epochs", 1, "--layers", "", "--json", "--out")
    write_rows(file, few_rows(np.nan), {"utility": [-1.0, 1.0]})
    status, _, err = run(capsys, "train", "network", file, *command, tmp_path / "value")
    assert (status, err) == (2, "oponente: the column value is no finite number in 20 of 20 rows")
    status, out, err = run(capsys, "train", "network", file, *command, tmp_path / "outcome", "--target", "outcome")
    assert status == 0, err
    assert json.loads(out)["rows"] == 20
    write_rows(file, few_rows(), {})
    status, _, err = run(capsys, "train", "network", file, *command, tmp_path / "old", "--target", "outcome")
    assert status == 2
    assert "lacks the bounds of utilities, which --target outcome needs: make it anew" in err
    assert err.count("\n") == 0


def test_a_network_does_not_go_on_with_another_dataset(tmp_path, capsys):
    """Parts of a self-play have the same metadata and, mostly, as many rows."""
    pytest.importorskip("torch")
    for name, value in (("one", 0.1), ("other", 0.2)):
        write_rows(tmp_path / name, few_rows(value), {"seed": 1})
    command = ("--epochs", 1, "--layers", "", "--out", tmp_path / "out")
    assert run(capsys, "train", "network", tmp_path / "one", *command)[0] == 0
    status, _, err = run(capsys, "train", "network", tmp_path / "other", *command, "--resume")
    assert status == 2
    assert "out holds another training (digest " in err
    assert run(capsys, "train", "network", tmp_path / "one", *command, "--resume")[0] == 0


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_of_few_games_some_are_held_out_and_some_learned_from(share):
    from oponente.learn.supervised import held_out_games

    for seed in range(20):
        assert 0 < held_out_games(np.array([3, 5, 9]), share, seed).size < 3
    with pytest.raises(ValueError, match="a dataset of 1 games is too small"):
        held_out_games(np.array([4]), share, 1)


def test_equal_targets_explain_nothing():
    torch = pytest.importorskip("torch")
    from oponente.learn.supervised import SupervisedSettings, fit

    rows = few_rows()
    columns = {"features": rows.features, "value": rows.value, "game": rows.game}
    before = torch.get_rng_state()
    _, course = fit(columns, SupervisedSettings((), epochs=1), 1)
    assert torch.equal(torch.get_rng_state(), before)  # the global stream is the caller's
    assert course[0]["explained"] == 0.0
