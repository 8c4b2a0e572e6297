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
from typing import Any, TypeVar

import numba
import numpy as np

from oponente.kernel.cache import MachineCodeCache

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: bool = not numba.config.DISABLE_JIT
"""False when the process interprets the same source (``NUMBA_DISABLE_JIT=1``)."""

if not COMPILED:
    # Unsigned 64-bit arithmetic wraps by design; only the interpreter would warn of it.
    np.seterr(over="ignore")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)


def njit(function: F) -> F:
    """Compile `function` into the compiled functions that call it."""
    compiled: F = numba.njit(nogil=True)(function)
    return compiled


def entry(function: F) -> F:
    """Compile `function` as one that Python calls: without the interpreter lock, cached on disk, announced."""
    compiled: Any = numba.njit(nogil=True)(function)
    if COMPILED:
        compiled._cache = MachineCodeCache(function, on_start=_announce_start, on_end=_announce_end)
    result: F = compiled
    return result


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
