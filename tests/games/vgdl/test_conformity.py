"""The framework's recordings of its own games are replayed tick by tick, random draws included, without a difference.

The games and the recordings are not part of the repository: see :mod:`tests.games.vgdl.worlds` for where they are
looked for. Without them these tests are skipped, and say so.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from oponente.games.catalogue import load_game
from oponente.interop.vgdl.conform import conform, game_options
from oponente.interop.vgdl.recording import read_recording
from oponente.interop.vgdl.replay import Replay
from tests.games.vgdl.worlds import games_folder, traces_folder

THESIS = [
    *("aliens", "bait", "butterflies", "camelRace", "chase", "chopper", "crossfire", "digdug", "escape"),
    *("hungrybirds", "infection", "intersection", "lemmings", "missilecommand", "modality", "plaqueattack"),
    *("roguelike", "seaquest", "survivezombies", "waitforbreakfast"),
    *("akkaarrh", "asteroids", "captureflag", "competesokoban", "copsNrobbers", "gotcha", "klax", "samaritan"),
    *("steeplechase", "tron"),
]
"""The 20 games for one player and the 10 for two of the GVGP thesis."""


def recording_of(name: str) -> Path:
    """Return the first recording of a game of the thesis."""
    traces = traces_folder()
    return sorted(path for folder in ("single", "two-player") for path in (traces / folder).glob(f"{name}_lvl*.gz"))[0]


@pytest.mark.parametrize("name", THESIS)
def test_a_sequence_of_each_game_of_the_thesis(name: str) -> None:
    path = recording_of(name)
    sequence = read_recording(path)[2]
    options = game_options(path, name, sequence.header.level, {"games": str(games_folder())})
    replay = Replay(load_game("vgdl", options), sequence)
    assert replay.run() is None
    assert replay.ticks == len(sequence.ticks) > 0


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("folder", ["single", "two-player"])
def test_all_recordings_of_the_thesis(folder: str) -> None:
    report = conform(traces_folder() / folder, options={"games": str(games_folder())})
    assert report["first_differences"] == []
    assert report["traces"] == report["equal"] > 0


def changed_recording(target: Path, change: Any) -> Path:
    """Write a recording in which `change` altered the lines, and return its folder."""
    source = recording_of("bait")
    lines = [json.loads(line) for line in gzip.decompress(source.read_bytes()).decode().splitlines()]
    change(lines)
    folder = target / source.parent.name
    folder.mkdir()
    (folder / source.name).write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    return target


def change_score(lines: list[dict[str, Any]]) -> None:
    lines[5]["s"] = [99]


def change_draws(lines: list[dict[str, Any]]) -> None:
    lines[5]["rng"] = "f"


def change_sprite(lines: list[dict[str, Any]]) -> None:
    lines[5]["ad"].append(["avatar", 1, 1])


def change_resources(lines: list[dict[str, Any]]) -> None:
    lines[5]["res"] = [{"key": 7}]


@pytest.mark.parametrize(
    ("change", "field"),
    [(change_score, "s"), (change_draws, "rng"), (change_sprite, "ad"), (change_resources, "res")],
)
def test_one_changed_value_is_reported(tmp_path: Path, change: Any, field: str) -> None:
    report = conform(changed_recording(tmp_path, change), options={"games": str(games_folder())})
    assert (report["differences"], report["equal"]) == (1, 0)
    first = report["first_differences"][0]
    assert (first["line"], first["field"], first["seq"], first["t"]) == (6, field, 0, 4)


def test_files_and_games_that_cannot_be_read_count_as_different(tmp_path: Path) -> None:
    (tmp_path / "a_lvl0.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "b_lvl0.jsonl").write_text('{"t": 0}\n')
    report = conform(tmp_path, options={"games": str(tmp_path)})
    assert (report["traces"], report["equal"], report["differences"]) == (2, 0, 2)
