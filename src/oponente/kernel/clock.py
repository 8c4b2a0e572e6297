"""The clock and the stop flag that every long-running kernel obeys.

A *control* is a small int64 array shared between a running kernel and the thread that started it; kernels that run
side by side have one each (:meth:`Control.fork`). The kernel calls
:func:`expired` in its loop; Python code sets the stop flag through :class:`Control`. The clock is read only as often
as is needed to notice within about 0.1 ms: the stride between two readings adapts to the work that a loop does.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from oponente.kernel.atomics import volatile_load
from oponente.kernel.compilation import njit
from oponente.kernel.memory import private_zeros

#: Layout of a control array.
STOP, DEADLINE, STRIDE, COUNTDOWN, LAST = range(5)
CONTROL_SIZE = 8

# What time.monotonic reads: on macOS the clock that stands still while the machine sleeps (CLOCK_UPTIME_RAW).
_CLOCK = 8 if sys.platform == "darwin" else 1
_LONGEST_WAIT_NS = 100_000
_SHORTEST_WAIT_NS = 25_000
_LONGEST_STRIDE = 1 << 16


@intrinsic
def _clock_ns(_context: Any) -> Any:
    def codegen(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        int32, int64 = ir.IntType(32), ir.IntType(64)
        timespec = ir.LiteralStructType([int64, int64])
        function_type = ir.FunctionType(int32, [int32, timespec.as_pointer()])
        function = builder.module.globals.get("clock_gettime") or ir.Function(
            builder.module, function_type, "clock_gettime"
        )
        with builder.goto_entry_block():
            slot = builder.alloca(timespec)
        builder.call(function, [ir.Constant(int32, _CLOCK), slot])
        loaded = builder.load(slot)
        seconds = builder.extract_value(loaded, 0)
        return builder.add(builder.mul(seconds, ir.Constant(int64, 1_000_000_000)), builder.extract_value(loaded, 1))

    return types.int64(), codegen


def monotonic_ns() -> int:
    """Return the monotonic clock in nanoseconds: the same clock as :func:`time.monotonic_ns`, in kernels too."""
    return time.monotonic_ns()


@overload(monotonic_ns)
def _overload_monotonic_ns() -> Any:
    def body() -> Any:
        return _clock_ns()

    return body


@njit
def expired(control: Any) -> bool:
    """Tell whether a kernel must stop: its stop flag is set or its deadline has passed.

    Cheap enough for every turn of a loop whose body takes anything from a nanosecond to 0.1 ms.
    """
    if volatile_load(control, STOP) != 0:
        return True
    if control[DEADLINE] == 0:
        return False
    control[COUNTDOWN] -= 1
    if control[COUNTDOWN] > 0:
        return False
    now = monotonic_ns()
    since = now - control[LAST]
    if since > _LONGEST_WAIT_NS:
        control[STRIDE] = max(1, control[STRIDE] * _SHORTEST_WAIT_NS // since)
    elif since < _SHORTEST_WAIT_NS:
        control[STRIDE] = min(_LONGEST_STRIDE, control[STRIDE] * 2)
    control[LAST] = now
    control[COUNTDOWN] = control[STRIDE]
    return now >= control[DEADLINE]


class Control:
    """The stop flag and deadline of a kernel that runs, or is about to run, in some thread."""

    __slots__ = ("_begin", "_forks", "_nanoseconds", "array", "stopped")

    def __init__(self, seconds: float | None = None) -> None:
        self.array = private_zeros(CONTROL_SIZE, np.dtype(np.int64))
        #: Whether :meth:`stop` was called.
        self.stopped = False
        self._begin = 0
        self._forks: list[Control] = []
        self.start(seconds)

    def fork(self) -> Control:
        """Return a control for another thread: the same deadline, and it stops when this one is stopped.

        How often a kernel looks at the clock is kept in the control, so each thread needs one of its own.
        """
        other = Control()
        other._begin, other._nanoseconds = self._begin, self._nanoseconds
        other.array[:] = self.array
        self._forks.append(other)
        if self.stopped:  # perhaps after the flag was copied
            other.stop()
        return other

    def join(self, other: Control) -> None:
        """Let go of what :meth:`fork` returned: its thread is done."""
        self._forks.remove(other)

    def start(self, seconds: float | None) -> None:
        """Set the deadline to `seconds` from now; None means no deadline. The stop flag stays as it is."""
        if seconds is None:  # nobody reads the clock then
            self._nanoseconds = self.array[DEADLINE] = 0
            return
        self._begin = time.monotonic_ns()
        self._nanoseconds = max(1, int(seconds * 1e9))
        self.array[DEADLINE] = self._begin + self._nanoseconds
        self.array[STRIDE] = self.array[COUNTDOWN] = 1
        self.array[LAST] = self._begin

    def part(self, done: int, parts: int) -> None:
        """Move the deadline to the end of the given part of the time that :meth:`start` set (`done` of `parts`)."""
        if self._nanoseconds:
            self.array[DEADLINE] = self._begin + self._nanoseconds * done // parts
            self.array[STRIDE] = self.array[COUNTDOWN] = 1

    def stop(self) -> None:
        """Tell the kernel to stop; any thread may call this."""
        self.stopped = True
        self.array[STOP] = 1
        for fork in list(self._forks):
            fork.stop()

    @property
    def late(self) -> bool:
        """Whether the deadline, if there is one, has passed."""
        deadline = int(self.array[DEADLINE])
        return deadline != 0 and time.monotonic_ns() >= deadline

    @property
    def has_deadline(self) -> bool:
        """Whether the time is limited."""
        return bool(self.array[DEADLINE])
