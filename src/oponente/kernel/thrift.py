"""Numba's compiler spared work whose results are never used: the same code, in a seventh less time.

A game is a few hundred small functions, and compiling one is Python code that walks over many small objects. Measured
on the search of Catan, of the time that it took:

- a seventh went to the garbage collector, which looked again and again through what is all still in use;
- a twentieth each to announcing that each call of LLVM begins and ends, to a generic walk that lists the variables of
  an instruction, and to comparing the options of two compilations one by one.

Numba has no switches for these, so a few of its internal methods are replaced by equivalent ones.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import ffi
from numba.core import ir, targetconfig

from oponente.kernel.internals import find


class _Collector:
    """The garbage collector of this process, which any number of threads may want to rest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pauses = 0
        self._was_enabled = False

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let it rest while the body runs; it goes on as before when the last such body ends."""
        with self._lock:
            if self._pauses == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                if self._pauses == 0 and self._was_enabled:
                    gc.enable()


collector = _Collector()


def _walk_quickly() -> None:
    """Let an instruction list its variables by looking up what kind of thing each class is, not by asking anew."""
    instruction: Any = find(ir, "Inst")
    find(instruction, "_rec_list_vars")
    find(instruction, "list_vars")
    variable: Any = find(ir, "Var")
    nothing, one, nested, sequence, mapping = range(5)
    kinds: dict[type, int] = {}

    def kind_of(cls: type) -> int:
        if issubclass(cls, variable):
            return one
        if issubclass(cls, instruction):
            return nested
        if issubclass(cls, list | tuple):
            return sequence
        return mapping if issubclass(cls, dict) else nothing

    def gather(value: Any, found: list[Any]) -> None:
        cls = type(value)
        kind = kinds.get(cls)
        if kind is None:
            kind = kinds[cls] = kind_of(cls)
        if kind == one:
            found.append(value)
        elif kind == nested:
            found.extend(value.list_vars())
        elif kind == sequence:
            for element in value:
                gather(element, found)
        elif kind == mapping:
            for element in value.values():
                gather(element, found)

    def variables_of(_self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        gather(value, found)
        return found

    instruction._rec_list_vars = variables_of


def _compare_quickly() -> None:
    """Let two sets of options be compared by those that were set; the others have their defaults in both."""
    options_class: Any = find(targetconfig, "TargetConfig")
    for name in ("__eq__", "__hash__", "options"):
        find(options_class, name)
    all_equal = options_class.__eq__
    hashes: dict[type, int] = {}

    def equal(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return all_equal(self, other)
        mine, others = self._values, other._values
        return mine == others or all(
            getattr(self, name) == getattr(other, name) for name in mine.keys() | others.keys()
        )

    def hash_of_names(self: Any) -> int:
        found = hashes.get(type(self))
        if found is None:
            found = hashes[type(self)] = hash(tuple(sorted(self.options)))
        return found

    options_class.__eq__ = equal
    options_class.__hash__ = hash_of_names


def _call_quietly() -> None:
    """Announce no call of LLVM: nobody listens here but timers that nobody reads."""
    callbacks: Any = find(ffi, "lib", "_lock", "_cblist")
    callbacks.clear()


def install() -> None:
    """Replace what is slow. NumbaError if this Numba is built otherwise."""
    _walk_quickly()
    _compare_quickly()
    _call_quietly()
