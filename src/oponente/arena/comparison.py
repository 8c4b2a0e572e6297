"""Benchmarks beside earlier ones: what has become slower, the machine's own pace taken out.

A *history* is a text file with one JSON object a line, one for each measurement, the oldest first; the output of
``oponente bench --json`` is a history, too. A line of a history says besides, under ``made``, when (UTC),
with which versions and on which machine it was measured; comparisons look at figures alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oponente.arena.provenance import where_made

__all__ = ["COMPARED", "COMPARED_VIDEO", "Change", "add_to_history", "compare", "read_history"]

COMPARED: dict[str, bool] = {"playouts_per_s": True, "uct_simulations_per_s": True, "copy_ns": False}
"""Figures that are compared, and whether more is better."""
COMPARED_VIDEO: dict[str, bool] = {"ticks_per_s": True, "copies_per_s": True, "mcts_per_40ms": True}
"""The same of the framework's video games."""


@dataclass(frozen=True)
class Change:
    """One figure, then and now."""

    game: str
    options: Mapping[str, str]
    figure: str
    before: float
    now: float
    ratio: float
    """How many times as fast as before, at equal pace of the machine: less than 1 is slower."""


def read_history(path: str | Path) -> list[dict[str, Any]]:
    """Return the measurements that a file holds, the oldest first, each of one game.

    Raises:
        ValueError: the file can't be read, or holds something else; the message is one line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        try:
            found = [json.loads(text)]
        except ValueError:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise ValueError(f"{path}: {error}: expected what oponente bench --json prints") from None
    flat = [measurement for one in found for measurement in _measurements(one)]
    for one in flat:
        if not _is_measurement(one):
            raise ValueError(f"{path}: expected what oponente bench --json prints")
    return flat


def _measurements(value: Any) -> list[Any]:
    games = value.get("games") if isinstance(value, dict) else None
    return games if isinstance(games, list) else list(games.values()) if isinstance(games, dict) else [value]


def _compared(measurement: Mapping[str, Any]) -> Mapping[str, bool]:
    return COMPARED_VIDEO if "ticks_per_s" in measurement else COMPARED


def _is_measurement(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("game"), str)
        and isinstance(value.get("options"), dict)
        and all(_is_positive(value.get(name)) for name in (*_compared(value), "reference_per_s"))
    )


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


def compare(history: Sequence[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return how each figure has changed since the latest measurement of its kind of the same game and options.

    Games that were not measured before are left out.
    """
    changes = []
    for one in now:
        figures = _compared(one)
        same = [
            old
            for old in history
            if (old["game"], old["options"]) == (one["game"], dict(one["options"])) and _compared(old) is figures
        ]
        if not same:
            continue
        old = same[-1]
        pace = one["reference_per_s"] / old["reference_per_s"]
        for figure, more_is_better in figures.items():
            ratio = one[figure] / old[figure] if more_is_better else old[figure] / one[figure]
            changes.append(
                Change(one["game"], one["options"], figure, float(old[figure]), float(one[figure]), ratio / pace)
            )
    return changes


def add_to_history(path: str | Path, measurements: Iterable[Mapping[str, Any]]) -> None:
    """Append measurements to a history, which is made if need be, each with where it comes from.

    Raises:
        OSError: it can't be written.
    """
    made = where_made()
    with Path(path).open("a", encoding="utf-8") as file:
        for one in measurements:
            file.write(json.dumps({**one, "made": made}) + "\n")
