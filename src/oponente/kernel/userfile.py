"""Python files of the user's: games, agents, evaluators."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType


class UserFileError(Exception):
    """A user's file can't be loaded; the message is one line and names the place."""


def load_user_file(path: str | Path) -> ModuleType:
    """Import a Python file by its path, once per process, and return the module.

    The module's name is made from the path, so that it is the same in every process. The file's folder is searched
    for the modules that it imports.

    Raises:
        UserFileError: there is no such file, or it fails when imported.
    """
    file = Path(path).expanduser().resolve()
    name = f"user_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
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
    return module


def _line(error: Exception, file: Path) -> str:
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f", line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f", line {lines[-1]}" if lines else ""
