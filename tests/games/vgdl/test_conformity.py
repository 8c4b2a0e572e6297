"""The framework's recordings of its own games are replayed tick by tick, random draws included, without a difference.

The games and the recordings are not part of the repository: see :mod:`tests.games.vgdl.worlds` for where they are
looked for. Without them these tests are skipped, and say so.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from oponente.games.catalogue import load_game
from oponente.interop.vgdl.conform import conform, game_options
from oponente.interop.vgdl.recording import read_recording
from oponente.interop.vgdl.replay import Replay
from oponente.kernel import COMPILED
from tests.games.vgdl.worlds import games_folder, traces_folder

FOLDERS = ("single", "two-player")
"""Recordings of the 20 games for one player and the 10 for two of the GVGP thesis, as far as they are there."""
OTHERS = ("all-gridphysics", "all-2player", "all-contphysics")
"""Recordings of the framework's other games: on the grid, for two players, with continuous physics."""
CONTINUOUS = {"all-contphysics": 38, "all-2player": 8}
"""How many recordings of games with continuous physics there are."""
FEW = os.environ.get("HYPOTHESIS_PROFILE") == "few"
"""Whether fewer cases are wanted, as in the stages with bounds checks and in the interpreter."""


def recordings_of(folder: str, pattern: str = "*.gz") -> list[Path]:
    """Return recordings."""
    found = sorted((traces_folder() / folder).glob(pattern))
    assert found, f"{traces_folder() / folder} holds no recordings {pattern}"
    return found


@pytest.mark.parametrize(
    ("recorded", "there", "game"),
    [
        ("single", "single", "single/g"),
        ("single", "gridphysics", "gridphysics/g"),
        ("two-player", "2player", "2player/g"),
        ("all-2player", "all/2player", "all/2player/g"),
        ("all-2player", "2player", "2player/g"),
        ("single", "other", "g"),
    ],
)
def test_the_game_of_a_recording_is_looked_for_in_both_layouts(
    tmp_path: Path, recorded: str, there: str, game: str
) -> None:
    (tmp_path / there).mkdir(parents=True)
    (tmp_path / there / "g.txt").touch()
    options = game_options(tmp_path / recorded / "g.jsonl.gz", "g", 3, {"games": str(tmp_path)})
    assert options == {"games": str(tmp_path), "game": game, "level": "3"}


def replay_of(path: Path, number: int) -> Replay:
    """Return the replay of a sequence, numbered from 0."""
    sequence = read_recording(path)[number]
    options = game_options(path, sequence.header.game, sequence.header.level, {"games": str(games_folder())})
    return Replay(load_game("vgdl", options), sequence)


@pytest.mark.skipif(not COMPILED or FEW, reason="fewer cases")
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_sequence_of_each_recording_of_the_thesis(folder: str) -> None:
    for i, path in enumerate(recordings_of(folder)):
        replay = replay_of(path, i % 3)
        assert replay.run() is None, path
        assert replay.ticks > 0


@pytest.mark.skipif(COMPILED and not FEW, reason="more is played")
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_beginning_of_a_recording_of_each_game_of_the_thesis(folder: str) -> None:
    for path in {path.name.split("_lvl")[0]: path for path in recordings_of(folder)}.values():
        replay = replay_of(path, 2)
        assert replay.run(None if COMPILED else 8) is None, path
        assert replay.ticks > 0


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_recordings_of_the_thesis(folder: str) -> None:
    report = conform(traces_folder() / folder, options={"games": str(games_folder())})
    assert report["first_differences"] == []
    assert report["traces"] == report["equal"] == len(recordings_of(folder))


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("folder", OTHERS)
def test_recordings_of_the_other_games(folder: str) -> None:
    report = conform(traces_folder() / folder, options={"games": str(games_folder())})
    assert report["first_differences"] == []
    assert report["traces"] == report["equal"] == len(recordings_of(folder))


def continuous_recordings() -> list[Path]:
    """Return the recordings of games with continuous physics."""
    found = recordings_of("all-contphysics")
    assert len(found) == CONTINUOUS["all-contphysics"]
    for_two = [path for name in ("pong2p", "arkanoid2p") for path in recordings_of("all-2player", f"{name}_*.gz")]
    assert len(for_two) == CONTINUOUS["all-2player"]
    return found + for_two


@pytest.mark.compiled
@pytest.mark.skipif(FEW, reason="fewer cases")
def test_a_sequence_of_each_recording_with_continuous_physics() -> None:
    for i, path in enumerate(continuous_recordings()):
        replay = replay_of(path, i % 3)
        assert replay.run() is None, path
        assert replay.ticks > 0


@pytest.mark.skipif(COMPILED and not FEW, reason="more is played")
def test_the_beginning_of_a_recording_of_each_game_with_continuous_physics() -> None:
    for path in {path.name.split("_lvl")[0]: path for path in continuous_recordings()}.values():
        replay = replay_of(path, 2)
        assert replay.run(None if COMPILED else 8) is None, path
        assert replay.ticks > 0


def changed_recording(target: Path, change: Any) -> Path:
    """Write a recording in which `change` altered the lines, and return its folder."""
    source = recordings_of("single", "bait_lvl*.gz")[0]
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


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        *((0, "seed", seed) for seed in (2**63, -(2**63) - 1, 2**70, "x")),
        *((1, "s", value) for value in ([10**400], 3)),
        *((1, "rng", value) for value in ("f*99999999999999", "f*1000001")),
        *((1, "res", value) for value in ([3], None)),
        (1, "ad", [["avatar", 1, 1, "o", [0], 1]]),
        (0, "level", 10**9),
        (0, "game", "x" * 5000),
    ],
)
def test_a_value_that_can_not_be_counts_as_a_difference(tmp_path: Path, line: int, key: str, value: Any) -> None:
    changed = changed_recording(tmp_path, lambda lines: lines[line].update({key: value}))
    report = conform(changed, options={"games": str(games_folder())})
    assert (report["differences"], report["equal"]) == (1, 0)


def test_seeds_are_those_of_the_generator(tmp_path: Path) -> None:
    for seed in (-1, -(2**63), 2**63 - 1, 0):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = changed_recording(folder, lambda lines, seed=seed: lines[0].update({"seed": seed}))  # type: ignore[misc]
        header = read_recording(next(path.rglob("*.gz")))[0].header
        assert header.seed == seed % 2**48


def test_files_and_games_that_cannot_be_read_count_as_different(tmp_path: Path) -> None:
    (tmp_path / "a_lvl0.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "b_lvl0.jsonl").write_text('{"t": 0}\n')
    report = conform(tmp_path, options={"games": str(tmp_path)})
    assert (report["traces"], report["equal"], report["differences"]) == (2, 0, 2)
