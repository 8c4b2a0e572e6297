"""Files of trainings: whole whenever the machine stops, and told if they are damaged or somebody else's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from learn.test_dataset import few_rows
from learn.test_genetic import evolution
from learn.test_neuroevolution import one_step
from learn.test_ntbea import Noisy
from oponente.kernel import in_one_step
from oponente.learn.dataset import write_rows
from oponente.learn.ntbea import run_ntbea
from oponente.learn.training import Training, TrainingError


def text(path: Path) -> None:
    with in_one_step(path) as part:
        part.write_text("new")


def rows(path: Path) -> None:
    write_rows(path, few_rows(), {})


def state(path: Path) -> None:
    Training(path.parent, {}, resume=True).write(path.name, {"a": 1})


def individual(path: Path) -> None:
    _, space = one_step(path.parent)
    space.spec(space.start)


@pytest.mark.parametrize("write", [text, rows, state, individual])
def test_content_reaches_the_disk_before_the_name(tmp_path, monkeypatch, write):
    synced, moved = [], []
    replace, sync = Path.replace, os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.fstat(file).st_ino), sync(file)))
    monkeypatch.setattr(Path, "replace", lambda old, new: (moved.append((old.stat().st_ino, new)), replace(old, new)))
    write(tmp_path / "x.json")
    assert synced == [number for number, _ in moved] != []
    assert all(path.exists() and not path.name.startswith("part-") for _, path in moved)
    assert not list(tmp_path.rglob("part-*"))


# --- folders -------------------------------------------------------------------------------------------------------


def test_a_folder_tells_from_the_beginning_whose_it_is(tmp_path):
    first = Training(tmp_path / "t", {"seed": 1}, resume=False)
    assert (first.state, first.metrics, first.seconds) == (None, [], 0.0)
    with pytest.raises(TrainingError, match="holds a training already"):
        Training(tmp_path / "t", {"seed": 1}, resume=False)
    with pytest.raises(TrainingError, match=r"holds another training \(seed 1, not 2\)"):
        Training(tmp_path / "t", {"seed": 2}, resume=True)
    assert Training(tmp_path / "t", {"seed": 1}, resume=True).state is None


def test_what_differs_is_told_shortly(tmp_path):
    Training(tmp_path, {"settings": {"long": "x" * 500, "games": 4}}, resume=False)
    with pytest.raises(TrainingError, match=r"another training \(settings: games 4, not 8\)"):
        Training(tmp_path, {"settings": {"long": "x" * 500, "games": 8}}, resume=True)


@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_with_the_users_own_files_is_refused(tmp_path, resume):
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "part-0123abcd-state.json").write_text("")  # left by a kill
    Training(tmp_path / "new", {}, resume=resume)
    (tmp_path / "best.json").write_text("mine")
    with pytest.raises(
        TrainingError, match=r"holds no training, but other files \('best\.json'\): give another"
    ) as told:
        Training(tmp_path, {}, resume=resume)
    assert "\n" not in str(told.value)
    assert (tmp_path / "best.json").read_text() == "mine"
    assert not (tmp_path / "state.json").exists()


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "null",
        "{}",
        "[]",
        '"x"',
        "1",
        '{"identity": {"x": 1}}',
        '{"identity": [], "state": {}, "metrics": [{}]}',
        '{"identity": {}, "state": [], "metrics": [{}]}',
        '{"identity": {}, "state": {}, "metrics": {}}',
        '{"identity": {}, "state": {}, "metrics": [1]}',
        '{"identity": {}, "state": {}, "metrics": []}',
        '{"identity": {}, "state": null, "metrics": [{}]}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_damaged_state_is_told(tmp_path, content):
    (tmp_path / "state.json").write_text(content, errors="surrogateescape")
    with pytest.raises(TrainingError, match=r"state\.json is damaged") as told:
        Training(tmp_path, {}, resume=True)
    assert "\n" not in str(told.value)
    with pytest.raises(TrainingError, match="holds a training already"):
        Training(tmp_path, {}, resume=False)


def go_on_with(tmp_path, state, row=None):
    """Return a training that goes on with a state."""
    row = {"seconds": 1.0} if row is None else row
    (tmp_path / "state.json").write_text(json.dumps({"identity": {}, "state": state, "metrics": [row]}))
    return Training(tmp_path, {}, resume=True)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"iteration": 1, "population": [], "total": [0.0, 0.0, 0.0]},
        {"iteration": 1, "population": [[1.0, 2.0]] * 20, "total": [0.0, 0.0, 0.0]},
        {"iteration": 1, "population": [["a", 1.0, 2.0]] * 20, "total": [0.0, 0.0, 0.0]},
        {"iteration": 1, "population": [[3.0, 1.0, 2.0]] * 20, "total": [0.0]},
    ],
)
def test_a_state_that_is_none_of_the_genetic_algorithm_is_told(tmp_path, state):
    with pytest.raises(TrainingError, match=r"state\.json is damaged"):
        evolution().run(go_on_with(tmp_path, state), lambda *word: None)


@pytest.mark.parametrize(
    ("state", "row"),
    [
        ({}, None),
        ({"measured": [[[0, 0], 0.5]], "next": [0]}, None),
        ({"measured": [[[0, 99], 0.5]], "next": [0, 0]}, None),
        ({"measured": [[[0, 0], "a"]], "next": [0, 0]}, None),
        ({"measured": 1, "next": [0, 0]}, None),
        ({"measured": [[[0, 0], 0.5]], "next": [0, 0]}, {"seconds": "a"}),
    ],
)
def test_a_state_that_is_none_of_the_bandit_is_told(tmp_path, state, row):
    training, fitness = go_on_with(tmp_path, state, row), Noisy(["c", "solver"], 0.0)
    options = {"steps": 3, "values": 5, "reach": 1.0, "neighbours": 2, "seed": 1, "progress": lambda *word: None}
    with pytest.raises(TrainingError, match=r"state\.json is damaged"):
        run_ntbea(fitness, training, **options)


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    training = Training(tmp_path / "t", {"seed": 1}, resume=False)
    code = f"""
from oponente.learn.training import Training, TrainingError
try:
    Training({str(training.folder)!r}, {{"seed": 1}}, resume=True)
except TrainingError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"another process trains in {training.folder}: wait for it, or give another folder\n"
