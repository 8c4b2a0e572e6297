"""The machine-code cache: one file per compiled specialisation, named by a digest of all that decides its content.

Numba's own cache looks at the time stamp of the file that holds a function. It misses edits in other files that the
function calls, and settings such as ``NUMBA_BOUNDSCHECK``. Here the name of a cache file is a SHA-256 digest of

* the source closure of the entry's module (:mod:`oponente.kernel.sources`): texts, byte codes and constants of all
  modules that it imports, transitively, as they are in memory at the moment of the look-up;
* the source closure of the module of every token among the argument types (the game, the evaluator, ...);
* the argument types in full;
* the versions of Python, Numba, llvmlite and NumPy, the processor, and every Numba setting that is not known to leave
  the code alone.

So a cached file is found only if compiling again would produce the same code: stale code has another name. The cached
file begins with a checksum, is written aside and then renamed, and is deleted after `KEEP_DAYS` without use.

The directory is ``$OPONENTE_CACHE_DIR``, or ``oponente`` in the user's cache directory.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba import types
from numba.core import serialize
from numba.core.compiler import CompileResult

from oponente.kernel.sources import closure_digest

KEEP_DAYS = 60
KEEP_BYTES = 1 << 30

#: Settings that change where Numba works or what it prints, never the code that it makes.
NEUTRAL_SETTINGS = frozenset(
    {
        "CACHE_DIR",
        "CACHE_LOCATOR_CLASSES",
        "DEBUG_CACHE",
        "NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "NUMBA_DEFAULT_NUM_THREADS",
        "THREADING_LAYER",
        "THREADING_LAYER_PRIORITY",
        "COLOR_SCHEME",
        "HIGHLIGHT_DUMPS",
        "WARNINGS",
        "SHOW_HELP",
        "USING_SVML",
    }
)


def cache_directory() -> Path:
    """Return the directory of the machine-code cache (it need not exist yet)."""
    chosen = os.environ.get("OPONENTE_CACHE_DIR")
    root = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("oponente"))
    return root / "code"


def settings_digest() -> bytes:
    """Return a digest of the versions and settings that machine code depends on, apart from the source."""
    digest = hashlib.sha256()
    versions = (sys.version, sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    digest.update(repr(versions).encode())
    for name, value in sorted(vars(numba.config).items()):
        if name.isupper() and name not in NEUTRAL_SETTINGS and isinstance(value, bool | int | float | str | None):
            digest.update(f"{name}={value!r}\n".encode())
    return digest.digest()


class MachineCodeCache:
    """Stands in for Numba's cache object of one dispatcher; Numba asks it before and after it compiles."""

    def __init__(self, function: Any, on_start: Callable[[str], None], on_end: Callable[[str], None]) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.cache_path = str(cache_directory())
        self._on_start, self._on_end = on_start, on_end
        self._pending: dict[Any, Path] = {}
        self._enabled = True

    def enable(self) -> None:
        """Store and look up from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither store nor look up from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Delete this function's cached files."""
        for path in cache_directory().glob(f"{self.name}-*"):
            path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled result for the signature, or None; in that case Numba compiles and saves it."""
        target_context.refresh()
        if self._enabled:
            path = self._path(sig, target_context.codegen())
            payload = _read(path)
            if payload is not None:
                return CompileResult._rebuild(target_context, *payload)
            self._pending[sig] = path
        self._on_start(self.name)
        return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Store what Numba has compiled for the signature."""
        self._on_end(self.name)
        if not self._enabled:
            return
        # The path of the look-up, not a new one: what was compiled is what was in memory then.
        path = self._pending.pop(sig, None) or self._path(sig, compiled.codegen)
        if compiled.library.has_dynamic_globals or any(not lifted.can_cache for lifted in compiled.lifted):
            raise TypeError(f"{self.name} refers to objects outside the compiled code and can't be cached")
        _write(path, compiled._reduce())

    def _path(self, sig: Any, codegen: Any) -> Path:
        digest = hashlib.sha256(settings_digest())
        digest.update(closure_digest(self.function.__module__))
        digest.update(f"{self.name}{codegen.magic_tuple()}{self.function.__code__.co_firstlineno}".encode())
        for argument in sig.args if hasattr(sig, "args") else sig:
            digest.update(describe_type(argument).encode())
            for module in token_modules(argument):
                digest.update(closure_digest(module))
        return cache_directory() / f"{self.name}-{digest.hexdigest()[:40]}"


def describe_type(numba_type: types.Type) -> str:
    """Return a full description of an argument type (a named tuple's own name leaves out its class and fields)."""
    if isinstance(numba_type, types.BaseTuple):
        parts = ",".join(describe_type(part) for part in numba_type)
        cls = getattr(numba_type, "instance_class", tuple)
        return f"{cls.__module__}.{cls.__qualname__}{getattr(numba_type, 'fields', ())}({parts})"
    return f"{type(numba_type).__name__}:{numba_type}"


def token_modules(numba_type: types.Type) -> Iterator[str]:
    """Yield the names of the modules of all tokens in an argument type."""
    if isinstance(numba_type, types.BaseTuple):
        for part in numba_type:
            yield from token_modules(part)
    module = getattr(numba_type, "token_module", None)
    if module is not None:
        yield module


def _read(path: Path) -> Any:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, body = data[:32], data[32:]
    if hashlib.sha256(body).digest() != checksum:
        path.unlink(missing_ok=True)
        return None
    try:
        os.utime(path)
    except OSError:
        pass
    # The file is one that this user's process wrote: the directory is the user's own and private (mode 700).
    return pickle.Unpickler(io.BytesIO(body)).load()


def _write(path: Path, payload: Any) -> None:
    body = serialize.dumps(payload)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(body).digest() + body)
        os.replace(temporary, path)
        _prune(path.parent)
    except OSError as error:
        warnings.warn(f"compiled code can't be kept in {path.parent}: {error.strerror}", RuntimeWarning, stacklevel=2)


def _prune(directory: Path) -> None:
    """Delete files that were not used for `KEEP_DAYS`, and the longest unused ones past `KEEP_BYTES`."""
    now, total = time.time(), 0
    files = []
    for file in os.scandir(directory):
        try:
            stat = file.stat()
        except OSError:
            continue
        files.append((stat.st_mtime, stat.st_size, file.path))
    for used, size, path in sorted(files, reverse=True):
        total += size
        if now - used > KEEP_DAYS * 86400 or total > KEEP_BYTES:
            Path(path).unlink(missing_ok=True)
