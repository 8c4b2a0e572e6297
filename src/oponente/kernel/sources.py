"""What a piece of machine code was made from: the source closure of a module.

The closure is the module and all modules that it imports, transitively, as far as they are the package's or the
user's own. Of each it takes the text of its file and, because a file may have been edited since it was imported, what
is really in memory: byte code of functions, and the values of constants, which Numba freezes into machine code.

Installed libraries count by name and version, and Python's own library by the version of Python.
"""

from __future__ import annotations

import ast
import enum
import functools
import hashlib
import importlib.metadata
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_INSTALLED = tuple(
    str(Path(sysconfig.get_path(kind)).resolve()) for kind in ("purelib", "platlib", "stdlib", "platstdlib")
)
_PACKAGE = str(Path(__file__).resolve().parents[1])


def closure_digest(module: str) -> bytes:
    """Return a digest of the module's source closure, as it is in memory now.

    Raises:
        KeyError: the module is not imported.
    """
    digest = hashlib.sha256()
    for name in sorted(closure(module)):
        loaded = sys.modules.get(name)
        if loaded is None:
            continue
        digest.update(f"\nmodule {name}\n".encode())
        if _is_own(loaded):
            digest.update(_text(_file(loaded)))
            _digest_values(digest, vars(loaded), name)
        else:
            digest.update(_version(name).encode())
    return digest.digest()


def closure(module: str) -> set[str]:
    """Return the names of the modules that `module` is built from: itself and its imports, transitively."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        loaded = sys.modules.get(name) if name != module else sys.modules[module]
        if loaded is not None and _is_own(loaded):
            waiting += _imports(name, _file(loaded)) | _referenced(loaded)
    return found


def _file(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or ""


@functools.cache
def _is_own_file(file: str) -> bool:
    path = str(Path(file).resolve())
    return path.startswith(_PACKAGE) or not path.startswith(_INSTALLED)


def _is_own(module: ModuleType) -> bool:
    file = _file(module)
    return bool(file) and _is_own_file(file)


@functools.cache
def _version(name: str) -> str:
    if name in sys.stdlib_module_names:
        return ""  # the version of Python stands in the settings' digest
    top = name.partition(".")[0]
    try:
        return importlib.metadata.version(top)
    except importlib.metadata.PackageNotFoundError:
        return ""


@functools.cache
def _text(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError:
        return b""


@functools.cache
def _imports(name: str, file: str) -> frozenset[str]:
    """Return the modules that the file's import statements name, at any depth of its code."""
    try:
        tree = ast.parse(_text(file))
    except (SyntaxError, ValueError):
        return frozenset()
    package = name if Path(file).name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                try:
                    base = importlib.util.resolve_name("." * node.level + base, package)
                except ImportError:
                    continue
            found.add(base)
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return frozenset(found)


def _referenced(module: ModuleType) -> set[str]:
    """Return the modules of the objects that the module's globals hold (imports that no statement shows)."""
    found: set[str] = set()
    for value in list(vars(module).values()):
        if isinstance(value, ModuleType):
            found.add(value.__name__)
        else:
            owner = getattr(value, "__module__", None)
            if isinstance(owner, str) and (callable(value) or isinstance(value, type)):
                found.add(owner)
    return found


# --- values --------------------------------------------------------------------------------------------------------


def _digest_values(digest: Any, values: dict[str, Any], owner: str) -> None:
    for name in sorted(values):
        if name.startswith("__"):
            continue
        for piece in _pieces(values[name], owner, 0):
            digest.update(name.encode())
            digest.update(piece)


def _pieces(value: Any, owner: str, depth: int) -> Iterator[bytes]:
    """Yield bytes that tell a value from another as far as compiled code can depend on it."""
    if depth > 6:
        return
    if isinstance(value, enum.Enum):
        yield repr(value).encode()
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic | np.dtype):
        yield f"{type(value).__name__}:{value!r}".encode()
    elif isinstance(value, np.ndarray):
        yield f"array:{value.dtype!r}{value.shape}{value.strides}".encode()
        yield np.ascontiguousarray(value).tobytes() if not value.dtype.hasobject else repr(value.tolist()).encode()
    elif isinstance(value, tuple):
        yield f"{type(value).__qualname__}({len(value)}".encode()
        for part in value:
            yield from _pieces(part, owner, depth + 1)
    elif isinstance(value, CodeType):
        yield from _code_pieces(value)
    elif isinstance(value, type):
        if value.__module__ == owner:
            for name in sorted(vars(value)):
                if not name.startswith("__"):
                    yield name.encode()
                    yield from _pieces(vars(value)[name], owner, depth + 1)
    else:
        function = getattr(value, "py_func", value)
        if isinstance(function, FunctionType):
            yield f"{function.__module__}.{function.__qualname__}".encode()
            if function.__module__ == owner or depth:
                yield from _code_pieces(function.__code__)
                yield from _pieces(function.__defaults__, owner, depth + 1)
            for cell in function.__closure__ or ():
                try:
                    content = cell.cell_contents
                except ValueError:
                    continue
                yield from _pieces(content, owner, depth + 1)
            options = getattr(value, "targetoptions", None)
            if options:
                yield repr(sorted(options.items())).encode()


def _code_pieces(code: CodeType) -> Iterator[bytes]:
    # Names resolve what the byte code only numbers; constants hold nested functions.
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_pieces(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant))).encode()  # a set's own order changes from process to process
        else:
            yield f"{type(constant).__name__}:{constant!r}".encode()
