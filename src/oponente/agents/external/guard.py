"""Sees to the end of an agent's process: a script of its own, started between the arena and the agent.

    python guard.py DESCRIPTOR PROGRAM ARGUMENT...

DESCRIPTOR is a socket of which the arena holds the other end. The guard starts the program in a process group of its
own, with the standard input, output and error that it was given, and waits. When the program ends, it says how on the
socket, in one line (``exit 0``, ``signal 9``, or ``error`` with the reason why it could not be started). When it has
ended, or when the socket is closed, by whatever death of the arena, nothing of the program is left: the guard kills its
process group, and, on Linux, where it adopts orphans, every process that came from it, in whatever group.

The guard is on no message's way. It imports nothing of the package, so that it starts within milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time

SWEEP_SECONDS = 5.0
"""For how long what is left of the program is killed, again and again, until nothing is left."""
_ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of Linux's prctl."""


def main() -> None:
    """Run the program that the command line names, to its end."""
    arena = socket.socket(fileno=int(sys.argv[1]))
    arena.set_inheritable(False)
    _adopt_orphans()
    woken = _wake_at_deaths()
    try:
        program = _start(sys.argv[2:])
    except OSError as error:
        _say(arena, f"error {error.strerror}")
        return
    _leave_pipes()
    status = None
    while status is None:
        ready, _, _ = select.select([arena.fileno(), woken], [], [])
        if arena.fileno() in ready:
            break
        with contextlib.suppress(BlockingIOError):
            os.read(woken, 4096)
        status = _reap(program)
    if status is not None:
        code = os.waitstatus_to_exitcode(status)
        _say(arena, f"exit {code}" if code >= 0 else f"signal {-code}")
    _sweep(program)


def _adopt_orphans() -> None:
    """Become the parent of processes whose own parent ends before them, on Linux."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)


def _wake_at_deaths() -> int:
    """Return a descriptor that can be read from when a child has died."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    return reading


def _start(command: list[str]) -> int:
    """Start the program in a process group of its own, with signals as a program expects them; return its number."""
    usual = (signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGXFSZ)
    return os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigmask=(), setsigdef=usual)


def _leave_pipes() -> None:
    """Let go of the pipes, so that their ends are those of the program."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _reap(program: int) -> int | None:
    """Take note of all children that have died; return how the program ended, if it is among them."""
    status = None
    with contextlib.suppress(ChildProcessError):
        while True:
            child, how = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                break
            if child == program:
                status = how
    return status


def _sweep(program: int) -> None:
    """Kill the program, its process group, and all that was adopted, until nothing is left."""
    end = time.monotonic() + SWEEP_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(program, signal.SIGKILL)
        for child in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        _reap(program)
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        time.sleep(0.005)


def _children() -> list[int]:
    """Return the numbers of the guard's children, on Linux."""
    with contextlib.suppress(OSError), open("/proc/thread-self/children") as children:
        return [int(number) for number in children.read().split()]
    return []


def _say(arena: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):
        arena.sendall(line.encode() + b"\n")


if __name__ == "__main__":
    main()
