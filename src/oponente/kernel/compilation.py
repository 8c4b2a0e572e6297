"""How functions become machine code.

Two decorators, for two kinds of function:

* :func:`njit` for everything that other compiled functions call: rules, evaluators, helpers. Such a function is
  compiled into each of its callers and never stored on its own.
* :func:`entry` for the few functions that Python calls: searches, batch playouts, the bridge behind
  :class:`~oponente.kernel.state.State`. An entry releases the interpreter lock, is stored in the machine-code cache
  (:mod:`oponente.kernel.cache`), and announces when it compiles.

With ``NUMBA_DISABLE_JIT=1`` both return the function unchanged, so that a debugger steps through rules and searches.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
import numpy as np

from oponente.kernel.cache import MachineCodeCache
from oponente.kernel.inner import InnerFunction

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: bool = not getattr(numba.config, "DISABLE_JIT")  # noqa: B009 (the attribute is set at run time)
"""False when the process interprets the same source (``NUMBA_DISABLE_JIT=1``)."""

if not COMPILED:
    # Unsigned 64-bit arithmetic wraps by design; only the interpreter would warn of it.
    np.seterr(over="ignore")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)


def njit(function: F) -> F:
    """Compile `function` into the compiled functions that call it."""
    inner: Any = InnerFunction(function) if COMPILED else function
    return cast(F, inner)


class Entry:
    """A compiled function that Python calls.

    Numba finds the machine code for a call by working out the Numba type of every argument, which takes far longer
    than most calls themselves where tables are involved. This wrapper looks at less (:func:`_kind`) and remembers the
    machine code for each combination that it has met.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__wrapped__ = function
        dispatcher: Any = numba.njit(nogil=True)(function)
        self.dispatcher = dispatcher
        self.dispatcher._cache = MachineCodeCache(function, on_start=_announce_start, on_end=_announce_end)
        self._machine_code: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code for these arguments, compiled or loaded at need."""
        kinds = tuple(map(_kind, arguments))
        run = self._machine_code.get(kinds)
        if run is None:
            types = tuple(self.dispatcher.typeof_pyval(argument) for argument in arguments)
            run = self._machine_code[kinds] = self.dispatcher.compile(types)
        if not _profiles:
            return run(*arguments)
        begin = time.thread_time()
        try:
            return run(*arguments)
        finally:
            seconds = time.thread_time() - begin
            for profile in _profiles:
                profile.add(f"{self.__module__}.{self.__name__}", seconds)


def entry(function: F) -> F:
    """Compile `function` as one that Python calls: without the interpreter lock, cached on disk, announced.

    It is called with positional arguments only.
    """
    result: Any = Entry(function) if COMPILED else function
    return cast(F, result)


def _kind(argument: Any) -> Any:
    """Return what decides the Numba type of an argument."""
    cls = type(argument)
    if cls is np.ndarray:
        return argument.dtype, argument.ndim, argument.flags.num
    if issubclass(cls, tuple):
        known = _tables_kinds.get(id(argument))
        if known is not None and known[0] is argument:
            return known[1]
        kind = (cls, *map(_kind, argument))
        if "token" in getattr(cls, "_fields", ()):
            # Tables are few, live long and never change; keeping them alive keeps their ids theirs.
            if len(_tables_kinds) >= 256:
                _tables_kinds.clear()
            _tables_kinds[id(argument)] = (argument, kind)
        return kind
    if cls in _PLAIN:
        return cls
    if isinstance(argument, np.generic):
        return argument.dtype  # the class of all records is the same
    typeof: Any = numba.typeof
    return typeof(argument)


_PLAIN = frozenset({bool, int, float, complex, str, type(None)})
"""Classes whose objects all have the same Numba type (an int beyond 64 bits has none)."""
_tables_kinds: dict[int, tuple[Any, Any]] = {}


# --- profile -------------------------------------------------------------------------------------------------------


class KernelProfile:
    """Processor time spent in entries, by name: calls and seconds."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self._lock = threading.Lock()

    def add(self, name: str, seconds: float) -> None:
        """Count one call."""
        with self._lock:
            self.calls[name] = self.calls.get(name, 0) + 1
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds


_profiles: list[KernelProfile] = []


@contextmanager
def profile_kernels() -> Iterator[KernelProfile]:
    """Within the context, measure the processor time of every entry, in all threads of the process."""
    profile = KernelProfile()
    _profiles.append(profile)
    try:
        yield profile
    finally:
        _profiles.remove(profile)


# --- announcements -------------------------------------------------------------------------------------------------

CompileListener = Callable[[str, float | None], None]
"""Called with the name of the entry and None when compilation starts, and again with the seconds it took."""

_listeners: list[CompileListener] = []
_started = threading.local()


@contextmanager
def compile_listener(listener: CompileListener) -> Iterator[None]:
    """Within the context, tell `listener` of each entry that is compiled (not of those loaded from the cache)."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def _announce_start(name: str) -> None:
    starts = _started.__dict__.setdefault("times", {})
    starts[name] = time.perf_counter()
    for listener in list(_listeners):
        listener(name, None)


def _announce_end(name: str) -> None:
    starts = _started.__dict__.setdefault("times", {})
    seconds = time.perf_counter() - starts.pop(name, time.perf_counter())
    for listener in list(_listeners):
        listener(name, seconds)
