"""The folder in which a program for the Risk of Ferrari (UFSM 2022) runs, and the files that both sides write there.

The program reads ``Logs/player_n.json``, which is ours, and writes ``Calls/player_n.json``. Neither side locks: ours
are replaced as a whole, each with a later time stamp than the one before; the program's are read until they make
sense.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oponente.kernel import in_one_step, parse_json

STATES, COMMANDS = "Logs", "Calls"
SEATS = 2
COMMAND_LIMIT = 1 << 16
"""Bytes that a command may have."""
_NS = 1_000_000_000


class MailboxError(Exception):
    """The program's file can never be a command; the message is one line that begins with a verb."""


class Mailbox:
    """A folder of its own for one game.

    Args:
        source: the folder with the program: all that is in it is there, too, by links.
        copies: files in `source`, by relative paths, of which there are copies instead, because the program changes
            them. Those that are not there are left out.
        seat: the player that the program is.

    Raises:
        OSError: it can't be made.
    """

    def __init__(self, source: Path, copies: Sequence[str], seat: int) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="oponente-files-"))
        self._source, self._copies, self._seat = source, copies, seat
        self._stamp = 0
        try:
            self._fill()
        except BaseException:
            self.remove()
            raise

    def _fill(self) -> None:
        _link(self._source, self.path, {STATES, COMMANDS, *(Path(name).parts[0] for name in self._copies)})
        for name in self._copies:
            self._copy(Path(name))
        for folder in (STATES, COMMANDS):
            (self.path / folder).mkdir()
        nothing = {"name": "", "args": []}
        for number in range(1, SEATS + 1):
            self._write(COMMANDS, number, {"id": number, "count": 0, "command": nothing})
            self._write(STATES, number, {"id": number, "count": 0, "state": "waiting"})

    def publish(self, content: dict[str, Any]) -> None:
        """Tell the program its state. Told once more, with the same count, it is ignored by who has read it."""
        self._write(STATES, self._seat + 1, content)

    def command(self) -> dict[str, Any] | None:
        """Return the object that the program has written; None if, at the moment, there is none that can be read.

        Raises:
            MailboxError: what is there is no file of a reasonable size.
        """
        try:
            # A pipe would block, and a link may lead to one.
            handle = os.open(self._file(COMMANDS, self._seat + 1), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise MailboxError(f"made of its file of commands what can't be read: {error.strerror}") from None
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):  # as a folder, of which Python makes no file object
                raise MailboxError("made of its file of commands something that is no file")
            with open(handle, "rb", closefd=False) as file:
                data = file.read(COMMAND_LIMIT + 1)
        finally:
            os.close(handle)
        if len(data) > COMMAND_LIMIT:
            raise MailboxError(f"wrote a command of more than {COMMAND_LIMIT:,} bytes")
        try:
            content = parse_json(data.decode())
        except ValueError:
            return None  # it is being written
        return content if isinstance(content, dict) else None

    def bring_back(self) -> None:
        """Put the copies in the place of what they are copies of, as the program has left them.

        Raises:
            OSError: that is not possible.
        """
        for name in self._copies:
            changed, place = self.path / name, self._source / name
            if changed.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                with in_one_step(place) as part:
                    shutil.copyfile(changed, part)

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _file(self, folder: str, number: int) -> Path:
        return self.path / folder / f"player_{number}.json"

    def _write(self, folder: str, number: int, content: dict[str, Any]) -> None:
        file = self._file(folder, number)
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(content), encoding="utf-8")
        # Whole seconds, because some programs see no finer ones: then a file is of the future, which does no harm.
        self._stamp = max(self._stamp + _NS, time.time_ns())
        os.utime(fresh, ns=(self._stamp, self._stamp))
        os.replace(fresh, file)

    def _copy(self, name: Path) -> None:
        """Copy a file, making the folders on the way to it, with links to all else that is in them."""
        here, there = self._source, self.path
        for part in name.parts[:-1]:
            here, there = here / part, there / part
            if there.is_symlink():
                there.unlink()  # it holds another copy, too, and was linked as a whole
            if here.is_dir() and not there.exists():
                there.mkdir()
                _link(here, there, set())
        target, source = there / name.name, here / name.name
        if source.is_file():
            target.unlink(missing_ok=True)
            shutil.copyfile(source, target)


def _link(source: Path, target: Path, left_out: set[str]) -> None:
    for entry in os.scandir(source):
        if entry.name not in left_out:
            (target / entry.name).symlink_to(entry.path)
