"""Files of trainings: whole whenever the machine stops."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learn.test_dataset import few_rows
from learn.test_neuroevolution import one_step
from oponente.kernel import in_one_step
from oponente.learn.dataset import write_rows
from oponente.learn.training import Training


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
