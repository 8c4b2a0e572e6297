"""Files of recorded games, whoever recorded them: one JSON object a line, packed with gzip or not."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

from oponente.kernel import parse_json

SUFFIXES = (".jsonl.gz", ".jsonl")
SHOWN = 20
"""Differences that a report tells in full."""


class RecordingError(Exception):
    """A recording that can't be read; `line` says where, 0 if nowhere in particular."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def recordings(folder: Path) -> list[Path]:
    """Return the recorded games in a folder, by name.

    Raises:
        ValueError: there are none.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: give one that holds recordings (*.jsonl.gz)")
    found = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))
    if not found:
        raise ValueError(f"{folder} holds no recordings (*.jsonl.gz)")
    return found


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects in a recording; RecordingError if it can't be read."""
    try:
        data = path.read_bytes()
        content = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise RecordingError(0, f"can't be read: {error}") from error
    lines = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            value = parse_json(line)
        except ValueError as error:
            raise RecordingError(number, f"no JSON: {error}") from error
        if not isinstance(value, dict):
            raise RecordingError(number, "a line is a JSON object")
        lines.append(value)
    return lines
