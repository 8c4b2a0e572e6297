"""The machine-code cache: one file per compiled specialisation, named by a digest of all that decides its content.

Numba's own cache looks at the time stamp of the file that holds a function. It misses edits in other files that the
function calls, and settings such as ``NUMBA_BOUNDSCHECK``. Here the name of a cache file is a SHA-256 digest of

* the source closure of the entry's module and of the module of every token among the argument types (the game, the
  evaluator, ...): texts, byte codes and constants of all modules that these import, transitively, as they are in memory
  at the moment of the look-up (:mod:`oponente.kernel.sources`);
* the argument types in full;
* the versions of Python, Numba, llvmlite and NumPy, the processor, and every Numba setting that is not known to leave
  the code alone.

So a cached file is found only if compiling again would produce the same code: stale code has another name. Code is
not stored at all where its name could lie: where a file is younger than the process (what was imported may be an older
text), or where a module or a setting has changed in memory since something was first compiled with it (Numba keeps what
it has compiled, and links that into what it compiles later).

The cached file begins with a checksum, is written aside and then renamed, and is deleted after `KEEP_DAYS` without use.
The directory is ``$OPONENTE_CACHE_DIR``, or ``oponente`` in the user's cache directory. Because loading a file runs
what is in it, the directory must not be writable by anybody else.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import stat
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

from oponente.kernel.sources import closure_digest, edited_since_start, function_digest

KEEP_DAYS = 60
KEEP_BYTES = 1 << 30

#: Settings that change where Numba works, what it prints or how a GPU is driven, never the code that it makes for
#: the processor. Any other setting, also one that a later version of Numba brings, counts as changing the code.
NEUTRAL_SETTINGS = frozenset(
    {
        "CACHE_DIR",
        "CACHE_LOCATOR_CLASSES",
        "CHROME_TRACE",
        "COLOR_SCHEME",
        "DEBUG_CACHE",
        "DISABLE_CUDA",
        "DISABLE_PERFORMANCE_WARNINGS",
        "ENABLE_CUDASIM",
        "FULL_TRACEBACKS",
        "FUNCTION_CACHE_SIZE",
        "GDB_BINARY",
        "HIGHLIGHT_DUMPS",
        "NUMBA_DEFAULT_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "NUM_THREADS",
        "SHOW_HELP",
        "THREADING_LAYER",
        "THREADING_LAYER_PRIORITY",
        "USING_SVML",
        "WARNINGS",
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
        if not name.isupper() or name in NEUTRAL_SETTINGS or name.startswith("CUDA_"):
            continue
        if isinstance(value, bool | int | float | str | tuple | list | None):
            digest.update(f"{name}={value!r}\n".encode())
    return digest.digest()


class MachineCodeCache:
    """Stands in for Numba's cache object of one dispatcher; Numba asks it before and after it compiles."""

    def __init__(self, function: Any, on_start: Callable[[str], None], on_end: Callable[[str], None]) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.cache_path = str(cache_directory())
        self._on_start, self._on_end = on_start, on_end
        self._pending: dict[Any, Path | None] = {}
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
            path, may_store = self._place(sig, target_context.codegen())
            if path is not None:
                compiled = _read(path, target_context)
                if compiled is not None:
                    return compiled
            self._pending[sig] = path if may_store else None
        self._on_start(self.name)
        return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Store what Numba has compiled for the signature."""
        self._on_end(self.name)
        # The place of the look-up, not a new one: what was compiled is what was in memory then.
        path = self._pending.pop(sig, None)
        if not self._enabled or path is None:
            return
        if compiled.library.has_dynamic_globals or any(not lifted.can_cache for lifted in compiled.lifted):
            _warn(f"{self.name} is compiled anew in every process: it refers to objects outside the compiled code")
            return
        _write(path, compiled)

    def _place(self, sig: Any, codegen: Any) -> tuple[Path | None, bool]:
        """Return the file that belongs to a signature, if files can tell such code apart, and whether to write it."""
        arguments = sig.args if hasattr(sig, "args") else sig
        modules = {self.function.__module__}
        for argument in arguments:
            modules.update(token_modules(argument))
        described = [describe_type(argument) for argument in arguments]
        if any(text is None for text in described):
            return None, False
        settings, closure = settings_digest(), closure_digest(*sorted(modules))
        digest = hashlib.sha256(settings + closure)
        digest.update(repr((self.name, codegen.magic_tuple(), self.function.__code__.co_firstlineno)).encode())
        digest.update(repr(described).encode())
        unchanged = all(
            [
                _first_seen.setdefault(("settings",), settings) == settings,
                *(_same_as_first(module) for module in sorted(modules)),
            ]
        )
        path = cache_directory() / f"{self.name}-{digest.hexdigest()[:40]}"
        return path, unchanged and not edited_since_start(*modules)


_first_seen: dict[Any, bytes] = {}
"""Digests of the settings and of the closure of each module, at their first look-up in this process."""


def _same_as_first(module: str) -> bool:
    digest = closure_digest(module)
    return _first_seen.setdefault(module, digest) == digest


def describe_type(numba_type: types.Type) -> str | None:
    """Return a full description of an argument type, or None if it can't be told from others in another process.

    Numba's own name of a named tuple leaves out its class and fields, that of a function argument what it does.
    """
    if isinstance(numba_type, types.BaseTuple):
        parts = [describe_type(part) for part in _parts(numba_type)]
        if None in parts:
            return None
        cls = getattr(numba_type, "instance_class", tuple)
        return f"{cls.__module__}.{cls.__qualname__}{getattr(numba_type, 'fields', ())}{parts}"
    if isinstance(numba_type, types.Dispatcher):
        return f"dispatcher {function_digest(numba_type.dispatcher).hex()}"
    text = f"{type(numba_type).__name__}:{numba_type}"
    return None if " at 0x" in text else text


def _parts(tuple_type: Any) -> Iterator[Any]:
    return iter(tuple_type)


def token_modules(numba_type: types.Type) -> Iterator[str]:
    """Yield the names of the modules of all tokens in an argument type."""
    if isinstance(numba_type, types.BaseTuple):
        for part in _parts(numba_type):
            yield from token_modules(part)
    module = getattr(numba_type, "token_module", None)
    if module is not None:
        yield module


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=3)


def _read(path: Path, target_context: Any) -> Any:
    """Return the compiled result in a file; None if there is none that is whole and trustworthy."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, body = data[:32], data[32:]
    if hashlib.sha256(body).digest() != checksum:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    if not _private(path.parent):
        _warn(f"compiled code in {path.parent} is not used: others may write there")
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    try:
        rebuild: Any = CompileResult._rebuild
        return rebuild(target_context, *pickle.Unpickler(io.BytesIO(body)).load())
    except Exception as error:
        # Whatever is wrong with it, compiling again puts it right.
        _warn(f"compiled code in {path} can't be loaded: {type(error).__name__}: {error}")
        return None


def _private(directory: Path) -> bool:
    if os.name != "posix":
        return True  # the user's folders are private by default there
    status = directory.stat()
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(path: Path, compiled: Any) -> None:
    dumps: Any = serialize.dumps
    body = dumps(compiled._reduce())
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(body).digest() + body)
        os.replace(temporary, path)
        _prune(path.parent)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        _warn(f"compiled code can't be kept in {path.parent}: {error.strerror}")


def _prune(directory: Path) -> None:
    """Delete files that were not used for `KEEP_DAYS`, and the longest unused ones past `KEEP_BYTES`."""
    now, total = time.time(), 0
    files = []
    for file in os.scandir(directory):
        try:
            status = file.stat()
        except OSError:
            continue
        files.append((status.st_mtime, status.st_size, file.path))
    for used, size, path in sorted(files, reverse=True):
        total += size
        if now - used > KEEP_DAYS * 86400 or total > KEEP_BYTES:
            Path(path).unlink(missing_ok=True)
