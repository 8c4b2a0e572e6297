"""Replaying a folder of Catanatron's recordings, and what differs in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from oponente.interop.catanatron.recording import read_recording
from oponente.interop.catanatron.replay import Deviation, Difference, Replay
from oponente.interop.recordings import SHOWN, SUFFIXES, RecordingError, recordings
from oponente.kernel import parse_json

DEVIATIONS = "deviations.json"
"""The file that lists, for each game, where Catanatron departed from the rule book."""


def game_name(path: Path) -> str:
    """Return the name by which the list of deviations knows a recording: its file's name up to the first hyphen."""
    name = path.name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name.partition("-")[0]


def conform(folder: Path, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Replay all recorded games in a folder.

    Args:
        folder: holds recordings, and ``deviations.json``.
        progress: called with the name of each file that has been replayed.

    Returns:
        ``games``; ``actions``, replayed; ``differences``, how many values differ; ``known_deviations``, how many of
        each kind we found where they are listed; ``unlisted_deviations``, at how many decisions Catanatron lists other
        actions than the rule book in ways that the list leaves out by design; ``first_differences``: file, line (0:
        the file as a whole), field, their value and ours.

    Raises:
        ValueError: the folder holds no recordings.
    """
    paths = recordings(folder)
    differences: list[dict[str, Any]] = []
    listed = _read_deviations(folder, differences)
    known: Counter[str] = Counter()
    unlisted: Counter[str] = Counter()
    actions = 0
    for path in paths:
        expected = listed.pop(game_name(path), [])
        try:
            replay = Replay(read_recording(path))
        except RecordingError as error:
            found, different = [], [Difference(error.line, "file", str(error), None)]
        else:
            replay.run()
            found, different = replay.deviations, replay.differences
            actions += replay.actions
            unlisted.update(replay.unlisted)
        matched, more = _match(expected, found)
        known.update(matched)
        differences += [{"file": path.name, **asdict(difference)} for difference in (*different, *more)]
        if progress is not None:
            progress(path.name)
    for name, expected in listed.items():
        if not expected:
            differences.append(_row(DEVIATIONS, 0, f"{name}: recording", "listed, without deviations", None))
        for deviation in expected:
            differences.append(_row(DEVIATIONS, 0, f"{name}: deviation", deviation, None))
    return {
        "games": len(paths),
        "actions": actions,
        "differences": len(differences),
        "known_deviations": dict(sorted(known.items())),
        "unlisted_deviations": dict(sorted((+unlisted).items())),
        "first_differences": differences[:SHOWN],
    }


def _row(file: str, line: int, field: str, theirs: Any, ours: Any) -> dict[str, Any]:
    return {"file": file, "line": line, "field": field, "theirs": theirs, "ours": ours}


def _read_deviations(folder: Path, differences: list[dict[str, Any]]) -> dict[str, list[Deviation]]:
    """Return the listed deviations by game; a list that can't be read is a difference."""
    try:
        listed = parse_json((folder / DEVIATIONS).read_text(encoding="utf-8"))
        if not isinstance(listed, dict) or not all(_is_list(deviations) for deviations in listed.values()):
            raise ValueError("expected an object of lists of [action, kind, ...]")
    except (OSError, ValueError) as error:
        differences.append(_row(DEVIATIONS, 0, "file", f"can't be read: {error}", None))
        return {}
    return listed


def _is_list(deviations: Any) -> bool:
    return isinstance(deviations, list) and all(
        isinstance(deviation, list)
        and len(deviation) >= 2
        and type(deviation[0]) is int
        and isinstance(deviation[1], str)
        for deviation in deviations
    )


def _match(listed: list[Deviation], found: list[Deviation]) -> tuple[list[str], list[Difference]]:
    """Return the kinds of the deviations that are listed and found, and those that are only one of the two."""
    missing = Counter(map(json.dumps, listed))
    surplus = Counter(map(json.dumps, found))
    both = missing & surplus
    differences = []
    for item in (missing - both).elements():
        deviation = json.loads(item)
        differences.append(Difference(deviation[0] + 1, "deviation", deviation, None))
    for item in (surplus - both).elements():
        deviation = json.loads(item)
        differences.append(Difference(deviation[0] + 1, "deviation", None, deviation))
    return [json.loads(item)[1] for item in both.elements()], differences
