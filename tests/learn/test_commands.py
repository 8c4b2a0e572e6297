"""``oponente train``: the same result on any number of workers, also after a kill; mistakes in one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from oponente.cli.main import main
from oponente.cli.train import command as group

SMALL = (
    *("--option", "trade=false", "--iterations", "14", "--population", "8", "--tournaments", "2", "--games", "4"),
    *("--final-games", "4", "--duel-games", "8", "--parameter", "points", "--parameter", "road", "--seed", "5"),
)


def run(capsys, *arguments):
    """Return exit status, output and error output of a command."""
    try:
        main(list(map(str, arguments)))
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    out, err = capsys.readouterr()
    return status, out, "\n".join(line for line in err.splitlines() if not line.startswith("compil"))


def timeless(folder):
    """Return what a training has found, without times."""
    state = json.loads((folder / "state.json").read_text())
    result = json.loads((folder / "result.json").read_text())
    rows = [{k: v for k, v in row.items() if k != "seconds"} for row in state["metrics"]]
    return state["state"], rows, {k: v for k, v in result.items() if k != "seconds"}


def reached(folder):
    """Return what a training has kept; None before it has reached anything."""
    file = folder / "state.json"
    return json.loads(file.read_text())["state"] if file.exists() else None


@pytest.mark.compiled
def test_a_training_is_the_same_on_two_workers_and_after_a_kill(tmp_path, capsys):
    status, out, err = run(capsys, "train", "ga", "catan", "value", *SMALL, "--out", tmp_path / "one", "--json")
    assert status == 0, err
    result = json.loads(out)
    assert result["seed"] == 5
    assert set(result["best"]) == {"points", "road"}
    assert result["duel_with_start"]["games"] == 8
    killed = tmp_path / "two"
    command = [sys.executable, "-m", "oponente", "train", "ga", "catan", "value", *SMALL, "--out", str(killed)]
    process = subprocess.Popen([*command, "--workers", "2"], env=os.environ, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 240
    while not reached(killed) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    iteration = reached(killed)["iteration"]
    assert 1 <= iteration < 14
    status, out, err = run(capsys, "train", "ga", "catan", "value", *SMALL, "--out", killed)
    assert (status, "holds a training already" in err) == (2, True)
    status, out, err = run(capsys, "train", "ga", "catan", "value", *SMALL, "--out", killed, "--workers", 2, "--resume")
    assert status == 0, err
    assert "Written to" in out
    assert timeless(killed) == timeless(tmp_path / "one")
    assert {"metrics.csv", "metrics.parquet", "progress.png", "progress.svg", "best.json"} <= set(os.listdir(killed))


PLAYER = """
from dataclasses import dataclass
from oponente.agents.base import Agent
from oponente.kernel import option

@dataclass(frozen=True)
class Parameters:
    wish: float = option(0.5, low=0.0, high=1.0, meaning="which of the actions")

class Mine(Agent):
    name = "mine"
    Parameters = Parameters

    def choose(self, view, budget):
        return view.legal_actions[int(self.parameters.wish * (len(view.legal_actions) - {}))]
"""


def test_a_training_is_not_gone_on_with_by_an_edited_agent(tmp_path, capsys):
    out, player, moved = tmp_path / "out", tmp_path / "player.py", tmp_path / "moved.py"
    player.write_text(PLAYER.format(1))
    moved.write_text(PLAYER.format(1))
    ga = ("train", "ga", "tictactoe", "mine", "--population", 4, "--tournaments", 1, "--games", 2, "--final-games", 2)
    ga += ("--iterations", 2, "--duel-games", 0, "--out", out)
    status, _, err = run(capsys, *ga, "--agent-file", player)
    assert status == 0, err
    assert json.loads((out / "result.json").read_text())["agent_files"] == [str(player)]
    status, _, err = run(capsys, *ga, "--agent-file", moved, "--resume")
    assert status == 0, err
    moved.write_text(PLAYER.format(1.5))
    status, _, err = run(capsys, *ga, "--agent-file", moved, "--resume")
    assert status == 2
    assert "out holds another training (agent_file_digests " in err


FLOATS = {
    "ga": ("--spread", "--mutation", "--rate"),
    "cma": ("--sigma",),
    "ntbea": ("--reach",),
    "self-play": ("--explore", "--latest", "--mix", "--superiority", "--learning-rate"),
    "neuroevolution": ("--sigma",),
    "network": ("--learning-rate",),
}


def test_all_options_with_numbers_are_known_here():
    floats = {
        name: {option.opts[0] for option in command.params if "float" in option.type.name}
        for name, command in group.commands.items()
    }
    assert {name: options for name, options in floats.items() if options} == {n: set(o) for n, o in FLOATS.items()}


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e10", "-1"])
@pytest.mark.parametrize(("name", "option"), [(name, option) for name in FLOATS for option in FLOATS[name]])
def test_numbers_are_finite_and_in_a_range(tmp_path, capsys, monkeypatch, name, option, value):
    monkeypatch.chdir(tmp_path)
    arguments = ("none.parquet",) if name == "network" else ("tictactoe", "one-step")
    status, out, err = run(capsys, "train", name, *arguments, option, value)
    assert (status, out) == (2, "")
    assert f"'{option}'" in err
    assert "is no finite number" in err or "is not in the range" in err
    assert err.count("\n") == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ga", "catan", "value", "--size", "3"), "4<=x<=100"),
        (("ga", "catan", "value", "--parameter", "none"), "value has no parameter 'none'"),
        (("ga", "catan", "random"), "agent random has no parameters that can be tuned"),
        (("ntbea", "tictactoe", "uct", "--values", "4"), "--values 4: give an odd number"),
        (("ntbea", "tictactoe", "uct", "--parameter", "c=1,x"), "c=x: expected float"),
        (("ntbea", "tictactoe", "uct", "--parameter", "playouts=typo,uniform"), "no playout policy 'typo'"),
        (("ntbea", "tictactoe", "uct", "--parameter", "c="), "write a name, or a name and the values to try"),
        (("ntbea", "tictactoe", "uct", "--parameter", "c=1", "--parameter", "c"), "--parameter c is given twice"),
        (("ntbea", "tictactoe", "uct", "--parameter", "playouts"), "playouts is a text of any kind"),
        (("ga", "catan", "value", "--parameter", "points=1,2"), "only ntbea chooses among values"),
        (("ga", "risk", "uct", "--option", "players=6"), "give --size 6 or more"),
        (("data", "connect4", "random", "--out", "x"), "connect4 is played by 2 agents"),
        (("network", "none.parquet"), "none.parquet"),
        (("network", "none.parquet", "--layers", "a"), "expected numbers of neurons"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, capsys, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "train", *arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 0
