"""What an interrupted study has finished: a JSON file and a database of games beside the study's output."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oponente.kernel import claim, in_one_step


class KeepError(Exception):
    """What is kept can't be used; the message is one line that says why and what would be right."""


class Keep:
    """Finished measurements of one run. They are removed when the run's output has been written.

    Args:
        out: the output; what is kept lies beside it, under its name with ``.resume.json`` and ``.resume.db`` added.
        resume: whether to go on with what is there. If it is false, nothing may be there: hours of work are not
            overwritten because an option was forgotten.
    """

    def __init__(self, out: str | Path, *, resume: bool = False) -> None:
        self.path = Path(f"{out}.resume.json")
        self.database = Path(f"{out}.resume.db")
        self._lock = Path(f"{out}.resume.lock")
        self.items: list[Any] = []
        """What is finished, in the order in which it was added."""
        self._resume = resume
        self._give_up: Callable[[], object] | None = None
        self._identity: dict[str, Any] = {}

    def open(self, identity: dict[str, Any]) -> None:
        """Read what is there; no other process may go on with it until it is closed, or this process ends.

        Args:
            identity: what the interrupted run must have in common with this one.

        Raises:
            KeepError: something is there and is not to be resumed, is of another run, or can't be read; or another
                process goes on with it just now.
        """
        self._identity = json.loads(json.dumps(identity))
        try:
            self._give_up = claim(self._lock, self)
            if self._give_up is None:
                raise KeepError(f"another process is writing {self.path}: wait for it, or give another --out")
        except OSError as error:
            raise KeepError(f"{self.path} can't be written: {error.strerror}") from None
        if not (self.path.exists() or self.database.exists()):
            return
        if not self._resume:
            raise KeepError(
                f"{self.path} keeps an interrupted run: give --resume to go on with it, delete it to begin again, or"
                " give another --out"
            )
        if not self.path.exists():
            raise KeepError(f"{self.database} is there without {self.path.name}: delete it to begin again")
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            identity, self.items = kept["identity"], list(kept["items"])
        except OSError as error:
            raise KeepError(f"{self.path} can't be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise KeepError(f"{self.path} is damaged: delete it to begin again") from None
        if identity != self._identity:
            keys = self._identity.keys() | identity.keys()
            first = min(key for key in keys if identity.get(key) != self._identity.get(key))
            raise KeepError(
                f"{self.path} keeps another run: its {first} is {identity.get(first)}, not"
                f" {self._identity.get(first)}; give the same again, or another --out"
            )

    def add(self, item: Any) -> None:
        """Keep one more finished measurement (plain data); after this it survives even if the process is killed."""
        self.items.append(json.loads(json.dumps(item)))  # the same as one that is read back
        self.touch()

    def touch(self) -> None:
        """Write the file, even if nothing is finished yet: a database of games belongs to it.

        Raises:
            KeepError: it can't be written.
        """
        try:
            with in_one_step(self.path) as part:
                part.write_text(json.dumps({"identity": self._identity, "items": self.items}), encoding="utf-8")
        except OSError as error:
            raise KeepError(f"{self.path} can't be written: {error.strerror}") from None

    def close(self) -> None:
        """Let other processes go on with the run; nothing happens if it is not open."""
        if self._give_up is not None:
            self._give_up()

    def how_to_resume(self) -> str:
        """Return what is kept, and how to go on."""
        if not self.path.exists():
            return "nothing was finished yet"
        return f"what was finished is kept in {self.path} and goes on with --resume"

    def remove(self) -> None:
        """Delete what is kept: the run is done."""
        self.path.unlink(missing_ok=True)
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.database}{suffix}").unlink(missing_ok=True)
