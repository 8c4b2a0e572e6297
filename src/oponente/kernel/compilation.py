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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np

from oponente.kernel.cache import MachineCodeCache
from oponente.kernel.inner import InnerFunction
from oponente.kernel.thrift import collector

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: bool = not getattr(numba.config, "DISABLE_JIT")  # noqa: B009 (the attribute is set at run time)
"""False when the process interprets the same source (``NUMBA_DISABLE_JIT=1``)."""

if not COMPILED:
    # Unsigned 64-bit arithmetic wraps by design; only the interpreter would warn of it.
    np.seterr(over="ignore")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)


def njit(function: F) -> F:
    """Compile `function` into the compiled functions that call it.

    Raises:
        TypeError: it is no Python function.
    """
    _check_function("njit", function)
    inner: Any = InnerFunction(function) if COMPILED else function
    return cast(F, inner)


def inlined(function: F) -> F:
    """Like :func:`njit`, and LLVM must put the code in place of the calls: for what a hot loop calls at one place.

    A call with many arguments, as tables and arrays are, costs more than many a function does.
    """
    _check_function("inlined", function)
    inner: Any = InnerFunction(function, in_place=True) if COMPILED else function
    return cast(F, inner)


def subroutine(function: F) -> F:
    """Compile `function` once into each entry that needs it, to be called there from wherever it is used.

    For large functions that many others call, as of an interpreter: what :func:`njit` compiles is put into each place
    that calls it wherever the compiler thinks that it pays, which makes entries large and slow to compile.

    Raises:
        TypeError: it is no Python function.
    """
    _check_function("subroutine", function)
    inner: Any = InnerFunction(function, apart=True) if COMPILED else function
    return cast(F, inner)


def _check_function(decorator: str, function: Any) -> None:
    if not isinstance(function, FunctionType):
        raise TypeError(f"@{decorator} is for functions defined with def; {function!r} is none")


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
        kinds: list[Any] = []
        values: list[Any] = []
        for argument in arguments:
            if isinstance(argument, tuple):
                tables = _tables(argument)
                kinds.append(tables.kind)
                values.append(tables.quick)
            else:
                kinds.append(_kind(argument))
                values.append(argument)
        key = tuple(kinds)
        run = self._machine_code.get(key)
        if run is None:
            run = self._machine_code[key] = self._compiled(arguments)
        return run(*values) if not _profiles else self._profiled(run, values)

    def bound(self, fixed: tuple[Any, ...], *examples: Any) -> Callable[..., Any]:
        """Return a function for calls with the arguments `fixed`, followed by others of the types of the examples.

        It is as fast as can be, because it looks at no types: whoever calls it answers for them.
        """
        run = self._compiled((*fixed, *examples))
        quick = tuple(_tables(argument).quick if isinstance(argument, tuple) else argument for argument in fixed)
        call = partial(run, *quick)

        def profiled(*arguments: Any) -> Any:
            return call(*arguments) if not _profiles else self._profiled(call, arguments)

        return profiled

    def _compiled(self, arguments: Sequence[Any]) -> Callable[..., Any]:
        with collector.resting():
            run: Callable[..., Any] = self.dispatcher.compile(tuple(map(self.dispatcher.typeof_pyval, arguments)))
        return run

    def _profiled(self, run: Callable[..., Any], values: Sequence[Any]) -> Any:
        begin = time.thread_time()
        try:
            return run(*values)
        finally:
            seconds = time.thread_time() - begin
            for profile in _profiles:
                profile.add(f"{self.__module__}.{self.__name__}", seconds)


def entry(function: F) -> F:
    """Compile `function` as one that Python calls: without the interpreter lock, cached on disk, announced.

    It is called with positional arguments only.
    """
    _check_function("entry", function)
    result: Any = Entry(function) if COMPILED else function
    return cast(F, result)


def bind(function: Callable[..., Any], fixed: tuple[Any, ...], *examples: Any) -> Callable[..., Any]:
    """Return an entry with its first arguments given.

    Args:
        function: an entry.
        fixed: the arguments that stay the same: tables.
        examples: one for each other argument. Calls must have arguments of the same types.
    """
    return function.bound(fixed, *examples) if isinstance(function, Entry) else partial(function, *fixed)


def _kind(argument: Any) -> Any:
    """Return what decides the Numba type of an argument."""
    cls = type(argument)
    if cls is np.ndarray:
        return argument.dtype, argument.ndim, argument.flags.num
    if cls in _PLAIN:
        return cls
    if isinstance(argument, tuple):
        return _tables(argument).kind
    if isinstance(argument, np.generic):
        return argument.dtype  # the class of all records is the same
    typeof: Any = numba.typeof
    return typeof(argument)


_PLAIN = frozenset({bool, int, float, complex, str, type(None)})
"""Classes whose objects all have the same Numba type (an int beyond 64 bits has none)."""


class _Tables:
    """What is remembered of tables that were an argument."""

    __slots__ = ("given", "kind", "quick")

    def __init__(self, given: tuple[Any, ...]) -> None:
        self.given = given
        """Kept alive, so that its id stays its own."""
        # One object stands for all equal kinds: what a kind is made of takes long to hash.
        self.kind = _kinds.setdefault((type(given), *map(_kind, given)), object())
        self.quick = _quick(given)
        """The same tables, in a form that compiled functions read faster."""


def _tables(given: tuple[Any, ...]) -> _Tables:
    known = _known_tables.get(id(given))
    if known is None or known.given is not given:
        known = _Tables(given)
        if _hold_token(given):
            # Tables are few, live long and never change.
            if len(_known_tables) >= 256:
                _known_tables.clear()
            _known_tables[id(given)] = known
    return known


def _hold_token(value: tuple[Any, ...]) -> bool:
    return "token" in getattr(type(value), "_fields", ())


_known_tables: dict[int, _Tables] = {}
_kinds: dict[Any, Any] = {}


def _quick(value: Any) -> Any:
    """Return tables with every record as plain bytes: machine code asks for nothing but where they lie.

    It asks by NumPy's attribute ``data``, which takes longer than a whole call where the bytes have fields.
    """
    if isinstance(value, tuple) and _hold_token(value):
        named: Any = type(value)
        return named._make(map(_quick, value))
    return np.void(value.tobytes()) if isinstance(value, np.void) else value


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
