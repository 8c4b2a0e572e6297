"""What a piece of machine code was made from: the source closure of modules.

The closure of a module is itself and all modules that it imports, transitively, as far as they are the package's or the
user's own. Of each it takes the text of its file and, because a file may have been edited since it was imported and
because constants may come from elsewhere, what is really in memory: the byte code of functions with their defaults and
closures, and the values of constants, which Numba freezes into machine code.

Modules are of three kinds:

*own*
    the package's, those outside the folders of installed libraries, those without a file (a notebook's), and those
    installed in one package with the module whose closure is taken: text and values, and their imports are followed;
*libraries*
    others that are installed: the list of files of the installation with their checksums (``RECORD``), the text of
    the imported file, the module's plain values, and the code of functions that own modules hold, with all that
    these name;
*trusted*
    Python's own and those of Numba, llvmlite and NumPy: their versions stand in the digest of the settings.
"""

from __future__ import annotations

import array
import ast
import enum
import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import sys
import sysconfig
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

_INSTALLED = tuple(
    str(Path(sysconfig.get_path(kind)).resolve()) + os.sep for kind in ("purelib", "platlib", "stdlib", "platstdlib")
)
_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
_ROOT = __name__.partition(".")[0]
"""The package itself, which offers names of all its parts and adds nothing: `import oponente.search` binds it."""
_parsing = threading.RLock()
_TRUSTED = frozenset(sys.stdlib_module_names) - {"__main__"} | {"builtins", "numba", "llvmlite", "numpy"}


def closure_digest(*modules: str) -> bytes:
    """Return a digest of the source closure of modules, as it is in memory now.

    Raises:
        KeyError: one of the modules is not imported.
    """
    names = closure(*modules)
    roots = _packages(modules)
    walk = _Walk(names, roots)
    for name in sorted(names):
        loaded = sys.modules.get(name)
        if loaded is not None:
            walk.module(name, loaded)
    return walk.digest()


def function_digest(function: Any) -> bytes:
    """Return a digest of one function, compiled or not, with all that it names."""
    walk = _Walk(set(), frozenset())
    walk.value(function)
    return walk.digest()


def edited_since_start(*modules: str) -> bool:
    """Tell whether a file of the closure may have been edited after it was imported.

    Its text then says nothing reliable of what is in memory. True for any file that is younger than the process.
    """
    roots = _packages(modules)
    files = (_file(sys.modules[name]) for name in closure(*modules) if name in sys.modules)
    return any(_changed(file) > _process_start() for file in files if file and _is_own_file(file, roots))


def closure(*modules: str) -> set[str]:
    """Return the names of the modules that `modules` are built from: themselves and their imports, transitively."""
    roots = _packages(modules)
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        loaded = sys.modules[name] if name in modules else sys.modules.get(name)
        if loaded is None or _top(name) in _TRUSTED or name == _ROOT:
            continue
        found.add(name)
        if _is_own(loaded, roots):
            waiting += _imports(name, _file(loaded)) | _referenced(loaded)
    return found


# --- modules and files ---------------------------------------------------------------------------------------------


def _top(name: str) -> str:
    return name.partition(".")[0]


def _packages(modules: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_top, modules))


def _file(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or ""


def _is_own(module: ModuleType, roots: frozenset[str]) -> bool:
    file = _file(module)
    return _is_own_file(file, roots) if file else _top(module.__name__) not in sys.builtin_module_names


def _is_own_file(file: str, roots: frozenset[str]) -> bool:
    installed_as = _installed_as(file)
    return installed_as is None or installed_as in roots


@functools.cache
def _installed_as(file: str) -> str | None:
    """Return the top-level package that an installed file belongs to; None for ours and for files elsewhere."""
    path = str(Path(file).resolve())
    if path.startswith(_PACKAGE):
        return None
    for folder in _INSTALLED:
        if path.startswith(folder):
            return Path(path[len(folder) :]).parts[0].removesuffix(".py")
    return None


@functools.cache
def _installation(top: str) -> bytes:
    """Return the list of files, with checksums, of the distribution that provides a top-level package."""
    names = [top]
    try:
        importlib.metadata.distribution(top)
    except importlib.metadata.PackageNotFoundError:
        names = sorted(set(importlib.metadata.packages_distributions().get(top, [])))
    texts = []
    for name in names:
        distribution = importlib.metadata.distribution(name)
        texts.append(f"{name} {distribution.version} {distribution.read_text('RECORD')}")
    return "\n".join(texts).encode()


@functools.cache
def _text(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError:
        return b""


@functools.cache
def _text_digest(file: str) -> bytes:
    return hashlib.sha256(_text(file)).digest()


@functools.cache
def _changed(file: str) -> float:
    """Return when a file was last changed; the later of both time stamps, because one of them can be set at will."""
    try:
        stat = Path(file).stat()
    except OSError:
        return 0.0
    return max(stat.st_mtime, stat.st_ctime)


#: When this module was imported. In a namespace, because a plain global would be part of the kernel's own digest.
_clock = SimpleNamespace(imported=time.time())


@functools.cache
def _process_start() -> Any:
    """Return when the process began, or when this module was imported where the system does not tell."""
    try:
        # Field 22 of the line, in clock ticks since boot; the second field is a name that may hold blanks.
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError, IndexError):
        return _clock.imported
    # A start that can't be true comes from a system that only pretends to have this file.
    start = time.time() - age
    return start if _clock.imported - 7 * 86400 < start < _clock.imported else _clock.imported


def syntax_tree(text: str | bytes) -> ast.Module:
    """Return the syntax tree of a module's text.

    One thread at a time: Python before 3.11.8 counts the depth of recursion in all of them together, and fails with a
    SystemError (its issue 106905).

    Raises:
        SyntaxError, ValueError: it is no Python.
    """
    with _parsing:
        return ast.parse(text)


@functools.cache
def _imports(name: str, file: str) -> frozenset[str]:
    """Return the modules that the file's import statements name, at any depth of its code."""
    try:
        tree = syntax_tree(_text(file))
    except (SyntaxError, ValueError):
        return frozenset()
    package = name if Path(file).name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                # `import a.b` gives access to `a` as well.
                parts = alias.name.split(".")
                found |= {".".join(parts[: i + 1]) for i in range(len(parts))}
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
        elif callable(value) or isinstance(value, tuple | enum.Enum):
            owner = getattr(value, "__module__", None)
            if isinstance(owner, str):
                found.add(owner)
    return found


# --- values --------------------------------------------------------------------------------------------------------

#: Names that the import system gives every module, and those that a notebook changes with every cell.
_MACHINERY = frozenset(
    f"__{name}__"
    for name in ("name", "doc", "package", "loader", "spec", "path", "file", "cached", "builtins", "annotations")
    + ("warningregistry", "conditional_annotations")
)
_NOTEBOOK = re.compile(r"_+|_i{1,3}|_i?\d+|_[ido]h")
#: What Python itself writes to classes, some of it only when they are first pickled or compared.
_CLASS_MACHINERY = {"_abc_impl"} | {
    f"__{name}__"
    for name in ("module", "doc", "dict", "weakref", "annotations", "firstlineno", "slotnames", "abstractmethods")
    + ("static_attributes", "annotate_func", "annotations_cache")
}


class _Walk:
    """One walk over all values of a closure, into a digest that tells what compiled code can depend on.

    Args:
        modules: the names of the closure, whose values are all part of the digest.
        roots: packages that are own, wherever they are installed.
    """

    def __init__(self, modules: set[str], roots: frozenset[str]) -> None:
        self._pieces: list[bytes] = []
        self._modules = modules
        self._roots = roots
        self._deciding = False
        #: Objects met so far, by identity: a value that comes again is written as the number of its first time.
        self._met: dict[int, tuple[int, object]] = {}

    def digest(self) -> bytes:
        """Return the digest of all that was added."""
        # With the lengths in front, no two lists of pieces make the same bytes.
        lengths = array.array("Q", map(len, self._pieces)).tobytes()
        return hashlib.sha256(lengths + b"".join(self._pieces)).digest()

    def module(self, name: str, module: ModuleType) -> None:
        """Add a module."""
        file = _file(module)
        self._put(f"module {name}")
        self._put(_text_digest(file))
        own = _is_own(module, self._roots)
        if not own:
            self._put(_installation(_top(name)))
        values = vars(module)
        # Only functions that decide in Python what is compiled can depend on what Numba can't freeze.
        self._deciding = own and not file.startswith(_PACKAGE) and "numba.extending" in _imports(name, file)
        for key in sorted(values):
            if key in _MACHINERY or (not file and _NOTEBOOK.fullmatch(key)):
                continue
            value = values[key]
            if own or isinstance(value, bool | int | float | complex | str | bytes | tuple | np.generic | np.ndarray):
                self._put(key)
                self._value(value, module.__name__)

    def value(self, value: Any) -> None:
        """Add one value."""
        self._value(value, "")

    def _put(self, data: bytes | str) -> None:
        self._pieces.append(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)

    def _again(self, value: object) -> bool:
        """Tell whether an object was met before, and note it; its number goes into the digest."""
        known = self._met.get(id(value))
        if known is not None:
            self._put(f"again {known[0]}")
            return True
        self._met[id(value)] = (len(self._met), value)
        return False

    def _value(self, value: Any, owner: str) -> None:
        if isinstance(value, enum.Enum):
            self._put(f"member {type(value).__qualname__}.{value._name_}")
            self._value(value._value_, owner)
        elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.dtype):
            self._put(f"{type(value).__name__}:{value!r}")
        elif isinstance(value, np.generic):
            self._put(f"scalar {value.dtype!r}")
            self._put(value.tobytes() if not value.dtype.hasobject else repr(value))
        elif isinstance(value, np.ndarray):
            self._put(f"array {value.dtype!r}{value.shape}{value.strides}{value.flags.num}")
            self._put(value.tobytes() if not value.dtype.hasobject else "objects")
        elif isinstance(value, tuple):
            self._put(f"tuple {type(value).__qualname__}{getattr(value, '_fields', ())}{len(value)}")
            for part in value:
                self._value(part, owner)
        elif isinstance(value, CodeType):
            self._put(_code_digest(value))
        elif isinstance(value, type):
            self._class(value, owner)
        elif isinstance(value, ModuleType):
            self._put(f"module {value.__name__}")
        elif isinstance(value, staticmethod | classmethod):
            self._value(value.__func__, owner)
        elif isinstance(value, property):
            self._value((value.fget, value.fset), owner)
        elif isinstance(value, functools.partial):
            self._value((value.func, value.args, *value.keywords.items()), owner)
        elif isinstance(value, list | dict | set | frozenset):
            self._container(value, owner)
        else:
            self._other(value, owner)

    def _class(self, value: type, owner: str) -> None:
        self._put(f"class {value.__module__}.{value.__qualname__}")
        if isinstance(value, enum.EnumMeta):
            members: dict[str, enum.Enum] = dict(value.__members__)
            for name, member in members.items():
                self._put(name)
                self._value(member._value_, owner)
        elif value.__module__ == owner and not self._again(value):
            for name in sorted(vars(value)):
                if name not in _CLASS_MACHINERY:
                    self._put(name)
                    self._value(vars(value)[name], owner)

    def _container(self, value: Any, owner: str) -> None:
        if not self._deciding or self._again(value):
            return
        self._put(f"{type(value).__name__}{len(value)}")
        if isinstance(value, set | frozenset):
            for part in sorted(map(repr, value)):
                self._put(part)
            return
        for item in value.items() if isinstance(value, dict) else value:
            self._value(item, owner)

    def _other(self, value: Any, owner: str) -> None:
        """Add a function, compiled or not, or an object that has one; of anything else, only its type."""
        options = getattr(value, "targetoptions", None)
        if isinstance(options, dict):
            for name in sorted(options):
                self._put(name)
                option = options[name]
                self._put(repr(sorted(map(repr, option))) if isinstance(option, set | frozenset | dict) else "")
                self._value(option, owner)
        function = value
        # A dispatcher, a ufunc made by Numba, or a wrapper such as functools.cache.
        for name in ("py_func", "__wrapped__"):
            if not isinstance(function, FunctionType):
                function = getattr(function, name, function)
        if isinstance(function, FunctionType):
            self._function(function)
        else:
            self._put(f"object {type(value).__module__}.{type(value).__qualname__}")

    def _function(self, function: FunctionType) -> None:
        if self._again(function):
            return
        scope = function.__globals__
        home = scope.get("__name__", "")
        self._put(f"function {home}.{function.__qualname__}")
        if _top(home) in _TRUSTED:
            return
        self._put(_code_digest(function.__code__))
        self._value(function.__defaults__, home)
        for name, default in (function.__kwdefaults__ or {}).items():
            self._put(name)
            self._value(default, home)
        for cell in function.__closure__ or ():
            try:
                self._value(cell.cell_contents, home)
            except ValueError:  # a cell that is still empty
                self._put("empty")
        module = sys.modules.get(home)
        if home not in self._modules or module is None or vars(module) is not scope:
            self._names(function.__code__, scope, home)

    def _names(self, code: CodeType, scope: dict[str, Any], home: str) -> None:
        """Add the globals that a function from outside the closure names, and what it names of modules."""
        for name in code.co_names:
            if name not in scope:
                continue
            value = scope[name]
            self._put(name)
            self._value(value, home)
            if isinstance(value, ModuleType) and _top(value.__name__) not in _TRUSTED:
                for attribute in code.co_names:
                    if attribute in vars(value):
                        self._put(attribute)
                        self._value(vars(value)[attribute], value.__name__)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._names(constant, scope, home)


_code_digests: dict[int, tuple[CodeType, bytes]] = {}


def _code_digest(code: CodeType) -> bytes:
    """Return a digest of a code object, nested ones included. Remembered: code objects do not change."""
    known = _code_digests.get(id(code))
    if known is None:
        digest = hashlib.sha256(b"".join(len(piece).to_bytes(8, "little") + piece for piece in _code_pieces(code)))
        known = _code_digests[id(code)] = (code, digest.digest())
    return known[1]


def _code_pieces(code: CodeType) -> Iterator[bytes]:
    # Names resolve what the byte code only numbers; constants hold nested functions.
    yield code.co_code
    yield getattr(code, "co_exceptiontable", b"")
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    yield repr((counts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode()
    yield from _constant_pieces(code.co_consts)


def _constant_pieces(constant: Any) -> Iterator[bytes]:
    if isinstance(constant, CodeType):
        yield _code_digest(constant)
    elif isinstance(constant, frozenset):
        yield repr(sorted(map(repr, constant))).encode()  # a set's own order changes from process to process
    elif isinstance(constant, tuple):
        yield b"tuple %d" % len(constant)
        for part in constant:
            yield from _constant_pieces(part)
    else:
        yield f"{type(constant).__name__}:{constant!r}".encode("utf-8", "surrogatepass")
