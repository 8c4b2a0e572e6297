"""Replaying a folder of recorded games of the Risk program of Ferrari (UFSM 2022), and what differs in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from oponente.interop.recordings import SHOWN, RecordingError, read_lines, recordings
from oponente.interop.risk.replay import Difference, Replay


def conform(folder: Path, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Replay all recorded games in a folder.

    Args:
        folder: holds recordings.
        progress: called with the name of each file that has been replayed.

    Returns:
        ``games``; ``commands``, replayed, each translated to our steps and back; ``differences``, how many values
        differ; ``first_differences``: file, line (0: the file as a whole), field, their value and ours.

    Raises:
        ValueError: the folder holds no recordings.
    """
    paths = recordings(folder)
    differences: list[dict[str, Any]] = []
    commands = 0
    for path in paths:
        found: list[Difference] = []
        replay = None
        try:
            replay = Replay(read_lines(path))
            replay.run()
        except RecordingError as error:
            found.append(Difference(error.line, "file", str(error), None))
        if replay is not None:
            commands += replay.commands
            found = [*replay.differences, *found]
        differences += [{"file": path.name, **asdict(difference)} for difference in found]
        if progress is not None:
            progress(path.name)
    return {
        "games": len(paths),
        "commands": commands,
        "differences": len(differences),
        "first_differences": differences[:SHOWN],
    }
