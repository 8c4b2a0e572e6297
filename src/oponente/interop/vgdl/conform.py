"""Replaying a folder of the GVGAI framework's recordings, and what differs in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from oponente.games.catalogue import load_game
from oponente.games.vgdl.loading import FOLDERS
from oponente.interop.vgdl.recording import SUFFIXES, RecordingError, read_recording
from oponente.interop.vgdl.replay import Difference, Replay
from oponente.kernel import RulesError

SHOWN = 20
"""Differences that are told in full."""


def recordings(folder: Path) -> list[Path]:
    """Return the recordings in a folder and in those below, by name.

    Raises:
        ValueError: there are none.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: give one that holds recordings (*.jsonl.gz)")
    found = sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES))
    if not found:
        raise ValueError(f"{folder} holds no recordings (*.jsonl.gz)")
    return found


def game_options(path: Path, game: str, level: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the game that a recording is of.

    Recordings in the folder ``all-2player`` are of games in the folder ``all/2player``, if there is such a folder, or
    in ``2player``, where the framework has them, as those in the folder ``two-player``.
    """
    root = Path(options.get("games", "."))
    kept = path.parent.name
    for part in (kept, kept.replace("-", "/", 1), FOLDERS.get(kept, kept.removeprefix("all-"))):
        if (root / part / f"{game}.txt").is_file():
            game = f"{part}/{game}"
            break
    return {**options, "game": game, "level": str(level)}


def conform(
    folder: Path,
    progress: Callable[[str], None] | None = None,
    options: Mapping[str, str] | None = None,
    *,
    all_differences: bool = False,
) -> dict[str, Any]:
    """Replay all recordings in a folder and in those below.

    Args:
        folder: holds recordings.
        progress: called with the name of each file that has been replayed.
        options: of the games: ``games`` names the folder with their descriptions.
        all_differences: whether all differences are told, not only the first `SHOWN`.

    Returns:
        ``traces``, files; ``equal``, those without difference; ``sequences``; ``ticks``, replayed; ``differences``, how
        many sequences or files differ; ``by_folder``: of each folder ``traces`` and ``equal``; ``first_differences``:
        file, line (0: the file as a whole), field, their value and ours, sequence and tick.

    Raises:
        ValueError: the folder holds no recordings.
    """
    differences: list[dict[str, Any]] = []
    by_folder: dict[str, dict[str, int]] = {}
    traces = recordings(folder)
    sequences = ticks = equal = 0
    for path in traces:
        found: list[Difference] = []
        try:
            recorded = read_recording(path)
        except RecordingError as error:
            found.append(Difference(error.line, "file", str(error), None))
            recorded = []
        sequences += len(recorded)
        if recorded:
            first = recorded[0].header
            try:
                game = load_game("vgdl", game_options(path, first.game, first.level, options or {}))
            except (OSError, ValueError, RulesError) as error:
                found.append(Difference(first.start.line, "game", first.game, str(error)))
            else:
                for sequence in recorded:
                    replay = Replay(game, sequence)
                    difference = replay.run()
                    ticks += replay.ticks
                    if difference is not None:
                        found.append(difference)
        counts = by_folder.setdefault(path.parent.name, {"traces": 0, "equal": 0})
        counts["traces"] += 1
        if not found:
            counts["equal"] += 1
            equal += 1
        name = str(path.relative_to(folder))
        differences += [{"file": name, **vars(difference)} for difference in found]
        if progress is not None:
            progress(name)
    return {
        "traces": len(traces),
        "equal": equal,
        "sequences": sequences,
        "ticks": ticks,
        "differences": len(differences),
        "by_folder": by_folder,
        "first_differences": differences if all_differences else differences[:SHOWN],
    }
