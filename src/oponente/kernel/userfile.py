"""Files of the user's: games, agents and evaluators in Python, values in JSON, and what is written in one step."""

from __future__ import annotations

import ast
import fcntl
import hashlib
import importlib.util
import json
import math
import os
import secrets
import sys
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from oponente.kernel.notation import quoted, shortened
from oponente.kernel.sources import syntax_tree


class UserFileError(Exception):
    """A user's file can't be loaded; the message is one line and names the place."""


def home_path(path: str | Path) -> Path:
    """Return a path with ``~`` and ``~name`` replaced by a user's home, where there is such a user.

    Otherwise it stays as it is, as a shell leaves it: a file of that name is not there, and its user is told so.
    """
    return Path(os.path.expanduser(path))


def absolute(path: str | Path) -> str:
    """Return the path of a file or folder that a user names, so that it means the same in every process."""
    return os.path.abspath(home_path(path))


@contextmanager
def in_one_step(path: Path) -> Iterator[Path]:
    """Give where to write a file; at the end it takes the place of `path`, which is whole whenever the machine stops.

    What fails leaves `path` as it was. Whoever else writes the same file meanwhile, in another thread or process, does
    so elsewhere; the last one's stays. An OSError names `path`, which the user knows, not the file beside it.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with in_one_step(folder / "x.json") as part:
    ...     size = part.write_text("{}")
    >>> [file.name for file in folder.iterdir()]
    ['x.json']
    """
    # Not by `tempfile`, whose files nobody else may read.
    part = path.with_name(f"part-{secrets.token_hex(4)}-{path.name}")
    try:
        yield part
        with part.open("r+b") as file:
            os.fsync(file.fileno())  # else the name may reach the disk before the content
        part.replace(path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None and error.filename in (None, str(part), part):
            # Libraries in C++ name the file in the text.
            error.strerror = os.strerror(error.errno) if str(part) in str(error.strerror) else error.strerror
            error.filename = str(path)
        raise


_claims: dict[Path, tuple[IO[str], list[object]]] = {}
"""The files that this process has claimed, and what says for whom. Closing a file, or ending, gives it up."""


def claim(path: Path, owner: object) -> Callable[[], object] | None:
    """Claim a file for this process, so that two programs don't both go on with the same work.

    It is made, empty, if it is not there, and removed when all claims of this process are given up. A process that is
    killed gives up its claims, too, though their files stay.

    Args:
        path: of a file that serves for nothing else.
        owner: the claim is given up with this object, if not before.

    Returns:
        What gives the claim up when it is called; None if another process has claimed the file.

    Raises:
        OSError: it can't be made.
    """
    path = path.absolute()
    while path not in _claims:
        file = path.open("a", encoding="utf-8")
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # POSIX leaves open which
            file.close()
            return None
        if _is_at(file, path):
            _claims[path] = file, []
        else:  # who had it has removed it since it was opened
            file.close()
    token = object()
    _claims[path][1].append(token)
    return weakref.finalize(owner, _give_up, path, token)


def _is_at(file: IO[str], path: Path) -> bool:
    """Tell whether an open file is the one at a path."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False


def _give_up(path: Path, token: object) -> None:
    file, tokens = _claims[path]
    tokens.remove(token)
    if not tokens:
        del _claims[path]
        with suppress(OSError):
            path.unlink(missing_ok=True)
        file.close()


def parse_json(text: str) -> Any:
    """Return the value in a JSON text.

    Raises:
        ValueError: it is no JSON, is nested too deep, or has what Python's own reader takes: ``NaN``, ``Infinity``, a
            number too large for a float, which that makes infinite, or a key twice in an object, of which it drops one.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_float=_finite, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{shortened(text)} is too large a number")
    return value


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number in JSON")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"an object has the key {quoted(key)} twice")
        result[key] = value
    return result


def load_user_file(path: str | Path) -> ModuleType:
    """Import a Python file by its path, once per process, and return the module.

    The module's name is made from the path, so that it is the same in every process. The file's folder is searched
    for the modules that it imports, after all others, as long as no other module has their name: Python knows one
    module of a name, so two users' files, each with its own ``utils.py``, would get the same one.

    Raises:
        UserFileError: there is no such file, it fails when imported, or it imports a neighbour whose name is taken.
    """
    file = home_path(path).resolve()
    # The name of a file may be bytes that are no text.
    name = f"user_{file.stem}_{hashlib.sha256(os.fsencode(file)).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if not file.is_file():
        raise UserFileError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UserFileError(f"{path} is no Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if not isinstance(error, Exception):
            raise
        raise UserFileError(f"{path}{_line(error, file)}: {type(error).__name__}: {error}") from error
    try:
        _check_neighbours(file)
    except UserFileError:
        del sys.modules[name]
        raise
    return module


def _check_neighbours(file: Path) -> None:
    """Raise if the file, or a neighbour that it has imported, got another module in place of a neighbour."""
    waiting = [file]
    checked = set()
    while waiting:
        importer = waiting.pop()
        for name in _imported(importer):
            neighbour = next(
                (path for path in (file.parent / f"{name}.py", file.parent / name / "__init__.py") if path.is_file()),
                None,
            )
            if neighbour is None or name in checked or name not in sys.modules:
                continue
            checked.add(name)
            found = getattr(sys.modules[name], "__file__", None)
            if found is None or Path(found).resolve() != neighbour.resolve():
                raise UserFileError(
                    f"{importer} imports {name}, and gets {found or 'the built-in module'} instead of {neighbour}; "
                    "rename one of them"
                )
            waiting.append(neighbour)


def _imported(file: Path) -> set[str]:
    """Return the top-level names of the modules that a file imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(syntax_tree(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _line(error: Exception, file: Path) -> str:
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f", line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f", line {lines[-1]}" if lines else ""
