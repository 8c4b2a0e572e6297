"""Samples of where a processor is: in which functions of which kernel, while kernels run.

A timer of the process interrupts it for every few milliseconds of processor time that it uses, and a signal handler,
itself machine code, notes the address of the instruction and the words on top of the stack. No tool of the system is
needed for that, and no privilege. What is at an address says the symbol table of the object file that Numba made of
each kernel: the kernel, and the functions that the compiler did not put in place of their calls (what it did put there
counts for the caller).

The code keeps no frame pointers and no tables for unwinding, so callers are found among the words on the stack: a word
counts as a return address if the instruction before it is a call, in a function that mentions the address of the one
that was called.
"""

from __future__ import annotations

import bisect
import ctypes
import platform
import re
import signal
import struct
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import codegen
from numba.extending import intrinsic
from numba.np.numpy_support import carray

from oponente.kernel import COMPILED
from oponente.kernel.internals import find

Stack = tuple[str, ...]
"""Names of functions, the outermost first."""

INTERVAL = 0.001
"""Seconds of processor time from sample to sample, if the system's clock ticks as often."""
CAPACITY = 1 << 14
"""Samples that are kept from one :meth:`Sampler.take` to the next; more are dropped."""
WORDS = 512
"""How much of the stack is looked at, in words of 8 bytes."""
_STACK_POINTER, _INSTRUCTION_POINTER = 20, 21
"""Which 64-bit words of a ``ucontext_t`` hold them: ``uc_mcontext.gregs[REG_RSP]`` and ``[REG_RIP]`` on x86-64."""
_CONTEXT_WORDS = 64
_STACK_BYTES = 1 << 26
"""The stack of the main thread is not larger."""
_SIGINFO, _RESTART = 4, 0x10000000


class SamplingError(Exception):
    """Samples can't be taken here; the message is one line that says why."""


class _Action(ctypes.Structure):
    """``struct sigaction``."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


@intrinsic
def _words_at(_context: Any, address: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    pointer: Any = types.CPointer
    return pointer(types.int64)(types.int64), codegen


def _handler(samples: Any, count: Any, stack_end: int) -> Any:
    """Return a signal handler that writes to the next row of `samples`: instruction pointer, words of the stack."""
    rows_at, count_at = samples.ctypes.data, count.ctypes.data
    words_at: Any = _words_at

    @numba.cfunc(types.void(types.int32, types.voidptr, types.voidptr))
    def note(_signal: Any, _information: Any, context: Any) -> None:
        taken = carray(words_at(count_at), (1,))
        registers = carray(context, (_CONTEXT_WORDS,), np.int64)
        top = registers[_STACK_POINTER]
        if taken[0] < CAPACITY and 0 < stack_end - top < _STACK_BYTES:
            row = carray(words_at(rows_at + taken[0] * 8 * (WORDS + 1)), (WORDS + 1,))
            row[0] = registers[_INSTRUCTION_POINTER]
            size = min(WORDS, (stack_end - top) // 8)
            stack = carray(words_at(top), (size,))
            for i in range(size):
                row[i + 1] = stack[i]
            for i in range(size, WORDS):
                row[i + 1] = 0
            taken[0] += 1

    return note


class Sampler:
    """Takes samples of the main thread.

    It knows the kernels that are compiled or loaded while it does.
    """

    def __init__(self) -> None:
        self._samples = np.zeros((CAPACITY, WORDS + 1), np.int64)
        self._count = np.zeros(1, np.int64)
        self._libraries: dict[int, tuple[Any, bytes | None]] = {}

    @contextmanager
    def running(self) -> Iterator[Sampler]:
        """Take samples within the context, and learn of kernels.

        Raises:
            SamplingError: this can't be done here.
        """
        if not (sys.platform == "linux" and platform.machine() == "x86_64"):
            raise SamplingError(f"needs Linux on x86-64; this is {platform.system()} on {platform.machine()}")
        if not COMPILED:
            raise SamplingError("there are no kernels with NUMBA_DISABLE_JIT=1")
        handler = _handler(self._samples, self._count, _mapped_files().end_of("[stack]"))
        library = ctypes.CDLL(None, use_errno=True)
        new, old = _Action(handler=handler.address, flags=_SIGINFO | _RESTART), _Action()
        with self._learning():
            if library.sigaction(signal.SIGPROF, ctypes.byref(new), ctypes.byref(old)):
                raise SamplingError(f"sigaction: error {ctypes.get_errno()}")
            signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
            try:
                yield self
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                library.sigaction(signal.SIGPROF, ctypes.byref(old), None)

    @contextmanager
    def _learning(self) -> Iterator[None]:
        """Within the context, keep the object files of kernels: Numba drops those that come from the cache."""
        owner = find(codegen, "CodeLibrary")
        enable, put = find(owner, "enable_object_caching"), find(owner, "_set_compiled_object")

        def enable_object_caching(library: Any) -> None:
            self._libraries.setdefault(id(library), (library, None))
            enable(library)

        def set_compiled_object(library: Any, value: bytes) -> None:
            self._libraries[id(library)] = library, value
            put(library, value)

        owner.enable_object_caching, owner._set_compiled_object = enable_object_caching, set_compiled_object
        try:
            yield
        finally:
            owner.enable_object_caching, owner._set_compiled_object = enable, put

    def take(self) -> Counter[Stack]:
        """Return how often each stack was met since the last call: functions of a kernel, or where it was else."""
        taken = int(self._count[0])
        walker = Walker(sorted(place for library, kept in self._libraries.values() for place in _places(library, kept)))
        elsewhere = _mapped_files()
        found: Counter[Stack] = Counter()
        for row in self._samples[:taken]:
            address = int(row[0])
            leaf = walker.place_of(address)
            if leaf is None:
                found["outside kernels", elsewhere.name_of(address)] += 1
            else:
                found[walker.stack(leaf, row[1:].tolist())] += 1
        self._count[0] = 0
        return found


class Place(NamedTuple):
    """Where a function lies."""

    start: int
    end: int
    name: str


def _places(library: Any, kept: bytes | None) -> Iterator[Place]:
    """Yield the functions of a kernel, and where they lie."""
    data = kept or library._compiled_object
    if data is None:
        return
    symbols = list(_functions(data))
    bases: dict[int, int] = {}
    for symbol in symbols:
        if symbol.bound == _GLOBAL:
            address = library.get_pointer_to_function(symbol.name)
            if address:
                bases.setdefault(symbol.section, address - symbol.value)
    for symbol in symbols:
        if symbol.section in bases and symbol.size:
            start = bases[symbol.section] + symbol.value
            yield Place(start, start + symbol.size, function_name(symbol.name) or symbol.name)


class Walker:
    """Finds who has called whom."""

    def __init__(self, places: list[Place]) -> None:
        self.places = places
        self.starts = [place.start for place in places]
        self._callees: dict[int, set[int]] = {}

    def place_of(self, address: int) -> Place | None:
        """Return the function at an address."""
        at = bisect.bisect(self.starts, address) - 1
        return self.places[at] if at >= 0 and address < self.places[at].end else None

    def stack(self, leaf: Place, words: list[int]) -> Stack:
        """Return the names from the outermost function to `leaf`, given the words on top of the stack."""
        names = [leaf.name]
        called = leaf
        for word in words:
            caller = self.place_of(word)
            if caller is not None and called.start in self.callees(caller) and self._follows_call(word, caller):
                called = caller
                if caller.name != names[-1]:  # a wrapper has the name of what it wraps
                    names.append(caller.name)
        return tuple(reversed(names))

    def callees(self, caller: Place) -> set[int]:
        """Return where functions begin whose addresses a function's code mentions: it calls through registers."""
        found = self._callees.get(caller.start)
        if found is None:
            code = ctypes.string_at(caller.start, caller.end - caller.start)
            known = set(self.starts)
            found = self._callees[caller.start] = set()
            for match in re.finditer(rb"[\x48\x49][\xb8-\xbf](?=(.{8}))", code, re.DOTALL):  # mov register, imm64
                target = int.from_bytes(match[1], "little")
                if target in known:
                    found.add(target)
            for match in re.finditer(rb"\xe8(?=(.{4}))", code, re.DOTALL):  # call rel32
                target = caller.start + match.end() + 4 + int.from_bytes(match[1], "little", signed=True)
                if target in known:
                    found.add(target)
        return found

    def _follows_call(self, address: int, caller: Place) -> bool:
        size = min(7, address - caller.start)
        code = ctypes.string_at(address - size, size)
        return _CALL.search(code) is not None


_CALL = re.compile(
    rb"(?:\xe8.{4}|\xff[\xd0-\xd7]|\xff[\x50-\x57].|\xff\x54\x24.|\xff[\x90-\x97].{4}|\xff\x94\x24.{4}|\xff\x15.{4})\Z",
    re.DOTALL,
)
"""Ends of a call: of an address, through a register, through memory."""


_GLOBAL = 1  # STB_GLOBAL
_FUNCTION = 2  # STT_FUNC
_SYMBOL_TABLE = 2  # SHT_SYMTAB


class _Symbol(NamedTuple):
    name: str
    bound: int
    section: int
    value: int
    size: int


def _functions(data: bytes) -> Iterator[_Symbol]:
    """Yield the functions that an object file (64-bit ELF) defines."""
    (sections_at,) = struct.unpack_from("<Q", data, 40)
    entry_size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, sections_at + i * entry_size) for i in range(count)]
    for _, kind, _, _, offset, size, link, _, _, one in sections:
        if kind != _SYMBOL_TABLE:
            continue
        texts = sections[link][4]
        for at in range(offset, offset + size, one):
            name_at, information, _, section, value, length = struct.unpack_from("<IBBHQQ", data, at)
            if information & 15 == _FUNCTION and section:
                begin = texts + name_at
                yield _Symbol(data[begin : data.index(b"\0", begin)].decode(), information >> 4, section, value, length)


def function_name(symbol: str) -> str:
    """Return the function that Numba made a symbol of, ``module.function``; empty for other symbols.

    Its names are as C++ compilers mangle them, each part after its length: ``_ZN8oponente6search...``. The wrapper for
    calls from Python, and that for calls from C, count as the function.
    """
    rest = symbol.removeprefix("cfunc.")
    if not rest.startswith("_ZN"):
        return ""
    rest = rest.removeprefix("_ZN")
    parts: list[str] = []
    while match := re.match(r"\d+", rest):
        end = match.end() + int(match[0])
        parts.append(rest[match.end() : end])
        rest = rest[end:]
    if parts and parts[0] == "cpython":
        del parts[0]
    return ".".join(parts).removeprefix("oponente.")


class _MappedFiles:
    """Which file lies where in memory."""

    def __init__(self, lines: list[str]) -> None:
        self.regions: list[tuple[int, int, str]] = []
        for line in lines:
            words = line.split(maxsplit=5)
            start, end = (int(word, 16) for word in words[0].split("-"))
            self.regions.append((start, end, Path(words[5]).name if len(words) > 5 else ""))

    def end_of(self, name: str) -> int:
        """Return where the region of a name ends; 0 if there is none."""
        return max((end for _, end, of in self.regions if of == name), default=0)

    def name_of(self, address: int) -> str:
        """Return the name of the file at an address, or that there is none."""
        at = bisect.bisect(self.regions, (address, sys.maxsize, "")) - 1
        start, end, name = self.regions[at] if at >= 0 else (0, 0, "")
        return name if start <= address < end and name else "machine code without a name"


def _mapped_files() -> _MappedFiles:
    return _MappedFiles(Path("/proc/self/maps").read_text(encoding="utf-8").splitlines())
