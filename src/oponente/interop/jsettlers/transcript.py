"""Recorded connections to a JSettlers server: one message a line, with its time and direction.

``{"t": seconds since the client connected, "dir": "in" (from the server) or "out", "msg": the message}``
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oponente.interop.jsettlers.message import Message, MessageError, parse
from oponente.kernel import parse_json

KEYS = {"t", "dir", "msg"}


class TranscriptError(ValueError):
    """A line that is none of a transcript."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True)
class Entry:
    """A message of a transcript."""

    line: int
    """From 1."""
    seconds: float
    incoming: bool
    """Whether it came from the server."""
    text: str
    message: Message


def read_transcript(path: Path) -> Iterator[Entry]:
    """Yield the messages of a file, compressed or not.

    Raises:
        TranscriptError: the file can't be read, or a line is none of a transcript.
    """
    number, before = 0, 0.0
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                entry = _entry(number, line)
                if entry.seconds < before:
                    raise TranscriptError(number, f"t goes back from {before} to {entry.seconds}")
                before = entry.seconds
                yield entry
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise TranscriptError(number, f"can't be read: {error}") from None


def _entry(number: int, line: str) -> Entry:
    try:
        value: Any = parse_json(line)
    except ValueError as error:
        raise TranscriptError(number, f"no JSON: {error}") from None
    if not isinstance(value, dict) or set(value) != KEYS:
        raise TranscriptError(number, "expected an object with t, dir and msg")
    seconds, direction, text = value["t"], value["dir"], value["msg"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds < 0:
        raise TranscriptError(number, f"t is {seconds!r}: expected seconds")
    if direction not in ("in", "out"):
        raise TranscriptError(number, f"dir is {direction!r}: expected in or out")
    if not isinstance(text, str):
        raise TranscriptError(number, f"msg is {text!r}: expected a text")
    try:
        return Entry(number, float(seconds), direction == "in", text, parse(text))
    except MessageError as error:
        raise TranscriptError(number, str(error)) from None


def write_entry(seconds: float, incoming: bool, text: str) -> str:
    """Return the line of a message.

    >>> write_entry(1.5, True, "1031|a game")
    '{"t": 1.5, "dir": "in", "msg": "1031|a game"}'
    """
    return json.dumps({"t": round(seconds, 4), "dir": "in" if incoming else "out", "msg": text})
