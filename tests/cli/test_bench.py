"""The command `oponente bench`: what is measured, and what it is compared with."""

import json
import platform
import subprocess
import sys

import pytest

from cli.users_files import NIM
from oponente.arena.benchmark import benchmark_options
from oponente.games.catalogue import load_game


def test_bench(ok):
    result = json.loads(ok("bench", "tictactoe", "--seconds", 0.01, "--seed", 7, "--json"))
    keys = {"playouts_per_s", "actions_per_s", "mean_length", "uct_simulations_per_s", "copy_ns", "state_bytes"}
    assert keys | {"game", "options", "players", "clock"} <= set(result)
    assert all(result[key] > 0 for key in keys)


def test_bench_measures_with_the_options_that_a_game_names(ok, tmp_path):
    file = tmp_path / "nim.py"
    text = NIM.replace(
        "from typing import NamedTuple", "from dataclasses import dataclass\nfrom typing import NamedTuple"
    )
    text += """

from oponente.kernel import option

BENCHMARK = {"heaps": "2"}


@dataclass(frozen=True)
class Options:
    heaps: int = option(1, meaning="heaps")
    loud: bool = option(False, meaning="nothing")
"""
    file.write_text(text)
    arguments = ("bench", "nim", "--game-file", file, "--seconds", 0.01, "--json")
    assert json.loads(ok(*arguments))["options"] == {"heaps": "2"}
    assert json.loads(ok(*arguments, "--option", "loud=true"))["options"] == {"heaps": "2", "loud": "true"}
    assert json.loads(ok(*arguments, "--option", "heaps=1"))["options"] == {}
    assert "nim   heaps=2 loud=true  " in ok(*arguments[:-1], "--option", "loud=true")


def test_catan_is_measured_without_trade_and_without_a_limit_of_turns():
    game = load_game("catan")
    measured = load_game("catan", benchmark_options(game, {"trade": "true"})).options
    assert (measured.trade, measured.turn_limit) == (True, 0)
    measured = load_game("catan", benchmark_options(game, {})).options
    assert (measured.trade, measured.turn_limit) == (False, 0)


def test_bench_beside_an_earlier_one(run, tmp_path):
    history = tmp_path / "history.jsonl"
    arguments = ("bench", "tictactoe", "--seconds", 0.01, "--json")
    status, out, _ = run(*arguments, "--history", history)
    assert status == 0
    slower = {**json.loads(out), "playouts_per_s": 1.0}
    faster = {**json.loads(out), "playouts_per_s": 1e12}
    old = tmp_path / "old.json"
    for earlier, expected in ((slower, 0), (faster, 1)):
        old.write_text(json.dumps(earlier))
        status, out, err = run(*arguments, "--compare", old, "--tolerance", 0.9)
        assert status == expected, err
        assert "playouts_per_s" in err
        assert json.loads(out)["game"] == "tictactoe"
    assert len(history.read_text().splitlines()) == 1
    old.write_text("{}")
    status, _, err = run(*arguments, "--compare", old)
    assert status == 2
    assert "oponente bench --json" in err


@pytest.mark.compiled
@pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64"), reason="--flame needs Linux on x86-64"
)
def test_flame_graph_of_a_bench(tmp_path):
    # In a process of its own: samples are taken of kernels that are loaded meanwhile.
    file = tmp_path / "flame.txt"
    command = [sys.executable, "-m", "oponente", "bench", "tictactoe", "--seconds", "0.3", "--flame", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    stacks = {}
    for line in file.read_text().splitlines():
        stack, _, count = line.rpartition(" ")
        stacks[tuple(stack.split(";"))] = int(count)
    assert {stack[:2] for stack in stacks} == {("tictactoe", part) for part in ("playouts", "simulations", "copies")}
    playouts = {stack[2:]: count for stack, count in stacks.items() if stack[1] == "playouts"}
    within = ("search.playout.playouts", "search.playout.play_out")
    assert sum(count for stack, count in playouts.items() if stack[:2] == within) > 0.5 * sum(playouts.values())


def test_flame_graph_that_can_not_be(run):
    status, _, err = run("bench", "tictactoe", "--flame", "flame.pdf")
    assert status == 2
    assert "flame.pdf should end in .svg" in err
    status, _, err = run("bench", "vgdl", "--flame", "flame.pdf")
    assert status == 2
    assert "flame.pdf should end in .svg" in err
