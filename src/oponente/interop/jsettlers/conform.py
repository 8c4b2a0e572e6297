"""Replaying recorded connections to JSettlers servers through the mirror, and what differs in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oponente.interop.jsettlers import session
from oponente.interop.jsettlers.message import Message, Unknown
from oponente.interop.jsettlers.mirror import Mirror, game_of
from oponente.interop.jsettlers.mirror_core import CHECKS, Difference
from oponente.interop.jsettlers.requests import Answer, Request, answered
from oponente.interop.jsettlers.transcript import Entry, TranscriptError, read_transcript

SHOWN = 20
"""Differences that are told in full."""
SUFFIXES = (".jsonl.gz", ".jsonl")


def transcripts(path: Path) -> list[Path]:
    """Return the transcripts in a folder, by name, or the one that a path is.

    Raises:
        ValueError: there are none.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ValueError(f"{path} is no folder: give one that holds transcripts (*.jsonl.gz)")
    found = sorted(file for file in path.iterdir() if file.name.endswith(SUFFIXES))
    if not found:
        raise ValueError(f"{path} holds no transcripts (*.jsonl.gz)")
    return found


def conform(path: Path, progress: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Replay all transcripts in a folder.

    Args:
        path: the folder, or one transcript.
        progress: called with the name of each file that has been replayed.

    Returns:
        ``transcripts``; ``messages``; ``checks``, how many of the server's totals were compared, by name;
        ``differences``, how many values differ; ``first_differences``: file, line (0: the file as a whole), field,
        their value and ours.

    Raises:
        ValueError: there are no transcripts.
    """
    paths = transcripts(path)
    checks = Counter(dict.fromkeys(CHECKS, 0))
    differences: list[dict[str, Any]] = []
    messages = 0
    for file in paths:
        replay = Replay(file)
        replay.run()
        messages += replay.messages
        checks.update(replay.checks)
        differences += [
            {"file": file.name, "line": line, "field": found.field, "theirs": found.theirs, "ours": found.ours}
            for line, found in replay.differences
        ]
        if progress is not None:
            progress(file.name)
    return {
        "transcripts": len(paths),
        "messages": messages,
        "checks": dict(checks),
        "differences": len(differences),
        "first_differences": [_plain(row) for row in differences[:SHOWN]],
    }


class Replay:
    """A transcript, replayed.

    Attributes:
        messages: how many messages were replayed.
        checks: how many totals were compared, by name.
        differences: each with its line, from 1; 0: the file as a whole.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.messages = 0
        self.checks: Counter[str] = Counter()
        self.differences: list[tuple[int, Difference]] = []
        self._mirrors: dict[str, Mirror] = {}
        self._requests: list[tuple[int, Request]] = []
        self._nickname: str | None = None
        self._joined: set[str] = set()  # an invitation may be refused

    def run(self) -> None:
        """Replay the messages in order."""
        try:
            entries = list(read_transcript(self.path))
        except TranscriptError as error:
            self._differ(error.line, "file", str(error), None)
            return
        self._nickname = next(
            (e.message.nickname for e in entries if not e.incoming and isinstance(e.message, session.SitDown)), None
        )
        for entry in entries:
            self.messages += 1
            self._take(entry)
        for line, request in self._requests:
            self._differ(line, "answer", None, type(request.message).__name__)
        if not self._mirrors:
            self._differ(0, "game", None, "a game")
        for mirror in self._mirrors.values():
            self.checks.update(mirror.checks)
            if mirror.name in self._joined and not mirror.scores and not mirror.broken:
                self._differ(0, "end", f"{mirror.name} has no final scores", "a game that ends")

    def _take(self, entry: Entry) -> None:
        written = entry.message.format()
        if written != entry.text:
            self._differ(entry.line, "message", entry.text, written)
        if isinstance(entry.message, Unknown):
            self._differ(entry.line, "type", entry.message.number, "a type that is known")
        name = game_of(entry.message)
        mirror = None if name is None else self._mirror(name, entry)
        if not entry.incoming:
            if isinstance(entry.message, session.Join):
                self._joined.add(entry.message.game)
            if answered(entry.message):
                player = -1 if mirror is None or mirror.player is None else mirror.player
                self._requests.append((entry.line, Request(entry.message, player)))
            return
        self._answer(entry.line, entry.message)
        if mirror is not None:
            before = len(mirror.differences)
            mirror.receive(entry.message)
            self.differences += [(entry.line, found) for found in mirror.differences[before:]]

    def _mirror(self, name: str, entry: Entry) -> Mirror | None:
        """Return the mirror of a game, which begins with its invitation or with joining it."""
        opens = isinstance(entry.message, session.Invitation | session.Join)
        if name not in self._mirrors and opens:
            self._mirrors[name] = Mirror(name, self._nickname)
        elif name not in self._mirrors and not isinstance(entry.message, session.NewGame | session.Deleted):
            self._differ(entry.line, "game", name, sorted(self._mirrors))
        return self._mirrors.get(name)

    def _answer(self, line: int, message: Message) -> None:
        """Compare what the server does with what it was asked."""
        for place, (_, request) in enumerate(self._requests):
            if game_of(request.message) != game_of(message):
                continue  # of another game on the same connection
            answer = request.answer(message)
            if answer == Answer.NONE:
                continue
            if answer == Answer.OTHER:
                self._differ(line, "answer", message.format(), request.message.format())
            del self._requests[place]
            return

    def _differ(self, line: int, field: str, theirs: Any, ours: Any) -> None:
        self.differences.append((line, Difference(field, theirs, ours)))


def _plain(value: Any) -> Any:
    """Return a value as JSON can write it."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value if isinstance(value, str | bool | float) or value is None else int(value)
