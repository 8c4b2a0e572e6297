"""A process that is asked in lines of text and answers in lines of text, and can do no harm.

Whatever it does, a call returns within its time: a process that does not read, does not answer, writes without end or
is gone raises :class:`ChildError`, whose message says so. :meth:`Child.end` leaves nothing of it, its own children
included; so does the death of this process, see :mod:`oponente.agents.external.guard`.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

LINE_LIMIT = 1 << 20
"""Bytes that a line from the process may have."""
TAIL = 4096
"""Bytes of its standard error that are remembered: the last ones."""
LOG_LIMIT = 1 << 24
"""Bytes of its standard error that are kept in a file at most."""
_POLL_SECONDS = 0.05
"""How often the stop flag is looked at while an answer is awaited."""
_LAST_WORDS_SECONDS = 1.0
"""How long to wait for how a process ended, once its output has."""
_CHUNK = 1 << 16
_QUOTED = 160
_GUARD = str(Path(__file__).with_name("guard.py"))


class ChildError(Exception):
    """The process is of no more use; the message is one line."""


class Child:
    """A running process.

    Args:
        command: the program and its arguments.
        cwd: its working directory; None: that of this process.
        environment: variables that it gets beside those of this process.
        log: file to whose end its standard error is written, `LOG_LIMIT` bytes at most; None: it is not kept.

    Raises:
        OSError: the directory or the file for the log can't be used. (Of a program that can't be started,
            :meth:`ask` tells.)
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | None = None,
        environment: Mapping[str, str] | None = None,
        log: str | None = None,
    ) -> None:
        self._log: Any = open(log, "ab", buffering=0) if log else None  # noqa: SIM115 (closed in `end`)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", _GUARD, str(theirs.fileno()), *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=cwd,
                    env={**os.environ, **(environment or {})},
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C at the terminal is not for it
                )
        except BaseException:
            ours.close()
            self._close_log()
            raise
        self._life = ours
        self._input, self._output, self._error = (
            self._process.stdin, self._process.stdout, self._process.stderr
        )  # fmt: skip
        self._selector = selectors.DefaultSelector()
        for source in (self._output, self._error, self._life):
            os.set_blocking(source.fileno(), False)  # type: ignore[union-attr]
            self._selector.register(source, selectors.EVENT_READ)  # type: ignore[arg-type]
        os.set_blocking(self._input.fileno(), False)  # type: ignore[union-attr]
        self._unsent = b""
        self._received = b""
        self._tail = b""
        self._logged = os.fstat(self._log.fileno()).st_size if self._log is not None else 0
        self._status: str | None = None
        self._ended = False

    # --- talking ---------------------------------------------------------------------------------------------------

    def tell(self, line: str) -> None:
        """Send a line that wants no answer. It is sent at the next call if the process does not read it now."""
        self._unsent += line.encode() + b"\n"
        self._send()

    def ask(self, line: str, seconds: float, stopped: Callable[[], bool] = lambda: False) -> str:
        """Send a line and return the one that answers it.

        Args:
            line: the question.
            seconds: how long the answer may take.
            stopped: looked at while waiting; as soon as it tells True, the call fails.

        Raises:
            ChildError: there is no answer, or the process had written something that it was not asked for.
        """
        deadline = time.monotonic() + seconds
        self._pump(0.0)
        if self._received.strip():
            raise self._error_with(f"wrote {self._shown(self._received)} without being asked")
        self.tell(line)
        while True:
            head, end, rest = self._received.partition(b"\n")
            if end:
                self._received = rest
                if not head.strip():
                    continue  # an empty line is no answer
                try:
                    return head.decode()
                except UnicodeDecodeError:
                    raise self._error_with(f"wrote {self._shown(head)}, which is no UTF-8") from None
            if len(self._received) > LINE_LIMIT:
                raise self._error_with(f"wrote more than {LINE_LIMIT:,} bytes without the end of a line")
            if self._output is None:
                raise self._death()
            left = deadline - time.monotonic()
            if stopped():
                raise ChildError("was stopped")
            if left <= 0:
                raise self._error_with(f"gave no answer within {seconds:g} s")
            self._pump(min(left, _POLL_SECONDS))

    def attend(self, seconds: float) -> None:
        """Wait, up to so long, for a process that answers by other means; its output is read and dropped.

        Raises:
            ChildError: it has ended.
        """
        self._pump(seconds)
        self._received = b""
        if self._status is not None:
            raise self._death()

    def end(self, farewell: str = "", patience: float = 1.0) -> None:
        """Say a last line, close the standard input, wait a little, then kill what is left. A second call does nothing.

        Args:
            farewell: the last line; empty: there is none.
            patience: seconds that the process has to end by itself.
        """
        if self._ended:
            return
        self._ended = True
        if farewell:
            self.tell(farewell)
        deadline = time.monotonic() + patience
        while self._unsent and self._status is None and time.monotonic() < deadline:
            self._pump(_POLL_SECONDS)
        self._close_input()
        while self._status is None and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, _POLL_SECONDS))
        self._life.close()  # the guard kills all that is left
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode != 0:
            kill_session(self._process.pid)  # the guard did not live to do it
        for stream in (self._output, self._error):
            if stream is not None:
                stream.close()
        self._selector.close()
        self._close_log()

    @property
    def number(self) -> int:
        """The process number of the guard."""
        return self._process.pid

    # --- pipes -----------------------------------------------------------------------------------------------------

    def _pump(self, seconds: float) -> None:
        """Wait so long for something to happen; move what can be moved."""
        for key, events in self._selector.select(seconds):
            if key.fileobj is self._life:
                self._hear()
            elif key.fileobj is self._error:
                self._error = self._drain(self._error, self._remember)
            elif key.fileobj is self._output:
                self._output = self._drain(self._output, self._receive)
            elif events & selectors.EVENT_WRITE:
                self._send()

    def _drain(self, stream: Any, take: Callable[[bytes], None]) -> Any:
        """Read from a pipe once; return it, None if it is at its end."""
        try:
            data = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return stream
        if data:
            take(data)
            return stream
        self._selector.unregister(stream)
        stream.close()
        return None

    def _receive(self, data: bytes) -> None:
        # What is beyond a line's limit is of no use to anybody.
        if len(self._received) <= LINE_LIMIT:
            self._received += data

    def _remember(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-TAIL:]
        if self._log is not None and self._logged < LOG_LIMIT:
            data = data[: LOG_LIMIT - self._logged]
            self._logged += len(data)
            with contextlib.suppress(OSError):  # a full disk is no reason to lose a game
                self._log.write(data)

    def _hear(self) -> None:
        """Read from the guard how the process ended."""
        try:
            said = self._life.recv(4096).decode(errors="replace").strip()
        except BlockingIOError:
            return
        except OSError:
            said = ""
        self._status = said or "signal 9"  # somebody has killed the guard
        self._selector.unregister(self._life)

    def _send(self) -> None:
        """Write as much as the process takes; its next chance is when the pipe has room again."""
        stream = self._input
        if stream is None:
            self._unsent = b""
            return
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(stream.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._close_input()  # it reads no more; that it does not answer will be told
            return
        registered = stream in self._selector.get_map()
        if self._unsent and not registered:
            self._selector.register(stream, selectors.EVENT_WRITE)
        elif not self._unsent and registered:
            self._selector.unregister(stream)

    def _close_input(self) -> None:
        stream, self._input, self._unsent = self._input, None, b""
        if stream is not None:
            if stream in self._selector.get_map():
                self._selector.unregister(stream)
            with contextlib.suppress(OSError):
                stream.close()

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
            self._log = None

    # --- what went wrong -------------------------------------------------------------------------------------------

    def _death(self) -> ChildError:
        """Return what is known of a process whose output has ended."""
        deadline = time.monotonic() + _LAST_WORDS_SECONDS
        while (self._status is None or self._error is not None) and (left := deadline - time.monotonic()) > 0:
            self._pump(left)
        kind, _, value = (self._status or "").partition(" ")
        if kind == "exit":
            return self._error_with(f"ended with exit status {value}")
        if kind == "signal":
            with contextlib.suppress(ValueError):
                value = signal.Signals(int(value)).name
            return self._error_with(f"was ended by signal {value}")
        if kind == "error":
            return ChildError(f"can't be started: {value}")
        return self._error_with("closed its standard output")

    def _error_with(self, what: str) -> ChildError:
        """Return the error, with the last line of the standard error if there is any."""
        self._pump(0.0)
        lines = self._tail.decode(errors="replace").strip().splitlines()
        return ChildError(f"{what}; its last words: {_shortened(lines[-1].strip())}" if lines else what)

    def _shown(self, data: bytes) -> str:
        return repr(_shortened(data.decode(errors="replace").partition("\n")[0]))


def _shortened(text: str) -> str:
    return text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "..."


def kill_session(number: int) -> None:
    """Kill all processes of a session, on Linux; they may have left it only by beginning one of their own."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name, in parentheses, may hold anything; the session is the fourth field behind it.
            if int((folder / "stat").read_text().rpartition(")")[2].split()[3]) == number:
                os.kill(int(folder.name), signal.SIGKILL)
