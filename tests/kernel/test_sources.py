"""The digest of a source closure tells apart whatever compiled code can depend on, and nothing that changes by itself.

Each case is a module whose *text* stays the same while a value changes, as from a data file or the environment, so
that only the look into memory can tell.
"""

# ruff: noqa: E501 (each case is a module in one line)
from __future__ import annotations

import gc
import importlib.util
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from oponente.kernel import sources

HEAD = "import os\nfrom numba import njit\nVALUE = None\nX = int(os.environ['VARIED'])\ndel VALUE\n"

VARIED = {
    "global": "SIZE = X",
    "underscored global": "_SIZE = X",
    "double underscored global": "__SIZE = X",
    "dunder global": "__size__ = X",
    "float bits": "SIZE = (0.0, -0.0)[X]",
    "type of a constant": "SIZE = (1, True)[X]",
    "string": "SIZE = 'ab'[X]",
    "NumPy scalar": "import numpy as np\nSIZE = np.float32(X)",
    "record scalar": "import numpy as np\nSIZE = np.zeros(1, [('a', 'i8', 2000)])\nSIZE['a'][0, 1000] = X\nSIZE = SIZE[0]",
    "array": "import numpy as np\nMAP = np.array([1, X])",
    "array layout": "import numpy as np\nMAP = np.ones((2, 2), order='CF'[X])",
    "read-only array": "import numpy as np\nMAP = np.ones(2)\nMAP.flags.writeable = X",
    "dtype": "import numpy as np\nState = np.dtype([('a', ('i4', 'i8')[X])])",
    "deep tuple": "DEEP = (((((((((X,),),),),),),),),)",
    "named tuple": "from collections import namedtuple\nP = namedtuple('P', 'a b')\nP1 = P(1, X)",
    "field names": "from collections import namedtuple\nP1 = namedtuple('P', ('a b', 'b a')[X])(1, 2)",
    "enumeration by name": "import enum\nclass E(enum.IntEnum):\n    A = X",
    "enumeration from data": "import enum\nE = enum.Enum('E', [('A', X)])",
    "enumeration in another order": "import enum\nE = enum.Enum('E', (['A', 'B'], ['B', 'A'])[X])",
    "class attribute": "class C:\n    SIZE = X",
    "static method": "class C:\n    f = staticmethod((lambda: 1, lambda: 2)[X])",
    "closure": "def make(n):\n    @njit\n    def f():\n        return n\n    return f\nf = make(X)",
    "closure of a closure": "def make(n):\n    def g():\n        return n\n    def f():\n        return g()\n    return f\nf = make(X)",
    "functions made in a loop": "fs = []\nfor n in range(2):\n    def f(n=n + X):\n        return n\n    fs.append(f)\nF = tuple(fs)",
    "default argument": "def f(a=X):\n    return a",
    "keyword default": "def f(*, a=X):\n    return a",
    "which of two functions": "def f():\n    return 1\ndef g():\n    return 2\nh = (f, g)[X]",
    "conditional definition": "if X:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2",
    "argument kinds": "if X:\n    def f(a, b):\n        return a\nelse:\n    def f(a, *, b):\n        return a",
    "names in code": "if X:\n    def f(a):\n        return a.one\nelse:\n    def f(a):\n        return a.two",
    "a set in code": "if X:\n    def f(a):\n        return a in {1, 2}\nelse:\n    def f(a):\n        return a in {1, 3}",
    "partial": "import functools\ndef f(a):\n    return a\ng = functools.partial(f, X)",
    "compiler options": "@njit(fastmath=bool(X))\ndef f(a):\n    return a",
    "inlining option": "@njit(inline=('never', 'always')[X])\ndef f(a):\n    return a",
    "function in tuple from outside": "ns = {'__name__': 'elsewhere', 'K': X}\nexec('def f():\\n    return K', ns)\nF = (ns['f'],)\ndel ns",
    "table read by an overload": "from numba.extending import overload\nTABLE = {'a': [X]}",
    "imported inside a function": "def f():\n    import helper_of_digest_test\n    return helper_of_digest_test.Y",
    "imported with a star": "from helper_of_digest_test import *",
    "imported by a helper": "import helper_of_digest_test",
}


def load(folder: Path, text: str, varied: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a module and its helper freshly from `folder`."""
    monkeypatch.setenv("VARIED", str(varied))
    folder.mkdir(exist_ok=True)
    monkeypatch.syspath_prepend(str(folder))
    for name, source in (
        ("constants_of_digest_test", "import os\nZ = int(os.environ['VARIED'])\n"),
        ("helper_of_digest_test", "import constants_of_digest_test\nY = 1\n"),
        ("digest_test", HEAD + text + "\ndel X\n"),
    ):
        file = folder / f"{name}.py"
        file.write_text(source)
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", VARIED)
def test_digest_sees_value(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = []
    for folder, varied in (("a", 0), ("b", 1), ("c", 0)):
        load(tmp_path / folder, VARIED[name], varied, monkeypatch)
        digests.append(sources.closure_digest("digest_test"))
    assert digests[0] != digests[1], "two values, one digest"
    assert digests[0] == digests[2], "one value, two digests"


@pytest.mark.parametrize(
    "text", ["A = 1  # a comment", "A = 1\n\n\n# other\n", "A = 1\nB = 2"], ids=["comment", "lines", "another constant"]
)
def test_digest_sees_text(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path / "a", "A = 1", 0, monkeypatch)
    before = sources.closure_digest("digest_test")
    load(tmp_path / "b", text, 0, monkeypatch)
    assert sources.closure_digest("digest_test") != before


def test_digest_sees_monkeypatched_constant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(tmp_path, "SIZE = 1", 0, monkeypatch)
    before = sources.closure_digest("digest_test")
    module.SIZE = 2
    assert sources.closure_digest("digest_test") != before
    module.SIZE = 1
    assert sources.closure_digest("digest_test") == before


def test_digest_sees_constant_of_imported_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path, "import helper_of_digest_test", 0, monkeypatch)
    before = sources.closure_digest("digest_test")
    sys.modules["constants_of_digest_test"].Z = 5  # type: ignore[attr-defined]
    assert sources.closure_digest("digest_test") != before


def test_digest_of_a_module_without_file(monkeypatch: pytest.MonkeyPatch) -> None:
    # A notebook's rules live in __main__, which has no file.
    module = type(sys)("notebook_of_test")
    monkeypatch.setitem(sys.modules, "notebook_of_test", module)
    exec("SIZE = 3\ndef apply(a):\n    return a + SIZE\n", vars(module))
    before = sources.closure_digest("notebook_of_test")
    vars(module).update({"_i12": "an input of the notebook", "_": 5, "__": 6})
    assert sources.closure_digest("notebook_of_test") == before
    exec("def apply(a):\n    return a - SIZE\n", vars(module))
    assert sources.closure_digest("notebook_of_test") != before


def test_closure_of_rules_holds_no_agents() -> None:
    import oponente.agents.view
    import oponente.games.tictactoe.rules

    assert oponente.agents.view
    assert oponente.games.tictactoe.rules
    names = sources.closure("oponente.games.tictactoe.rules", "oponente.kernel.bridge")
    assert "oponente.kernel.rules" in names
    assert not [name for name in names if name.startswith(("oponente.agents", "oponente.arena", "oponente.testing"))]
    assert not [name for name in names if name.startswith(("oponente.games.connect4", "numpy", "numba"))]


def test_digest_is_the_same_in_every_process() -> None:
    program = (
        "import oponente.games.connect4.rules, oponente.kernel.bridge\n"
        "from oponente.kernel import sources\n"
        "print(sources.closure_digest('oponente.kernel.bridge', 'oponente.games.connect4.rules').hex())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_optimised_python_has_another_digest_where_asserts_matter(tmp_path: Path) -> None:
    (tmp_path / "asserting.py").write_text("def f(a):\n    assert a\n    return a\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import asserting\n"
        "from oponente.kernel import sources; print(sources.closure_digest('asserting').hex())"
    )
    plain, optimised = (
        subprocess.run([sys.executable, *flags, "-c", program], capture_output=True, text=True, check=True).stdout
        for flags in ([], ["-O"])
    )
    assert plain != optimised


def test_file_younger_than_the_process_counts_as_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path, "A = 1", 0, monkeypatch)
    assert sources.edited_since_start("digest_test")
    # A time stamp that is set back does not hide an edit.
    os.utime(tmp_path / "digest_test.py", (0, 0))
    sources._changed.cache_clear()
    assert sources.edited_since_start("digest_test")
    assert not sources.edited_since_start("oponente.kernel.random")


def test_digest_is_fast() -> None:
    import oponente.games.connect4.rules
    import oponente.search.playout

    assert oponente.games.connect4.rules
    assert oponente.search.playout
    modules = ("oponente.search.playout", "oponente.games.connect4.rules")
    sources.closure_digest(*modules)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        sources.closure_digest(*modules)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.1  # a few ms on an idle machine


def test_threads_may_read_sources_at_a_time() -> None:
    # A garbage collection in the midst of it lets other threads run.
    text, errors, start = Path(sources.__file__).read_text(), [], threading.Barrier(8)

    def read() -> None:
        start.wait()
        try:
            for _ in range(10):
                sources.syntax_tree(text)
        except SystemError as error:
            errors.append(error)

    def pause(*_: object) -> None:
        time.sleep(1e-4)

    threads = [threading.Thread(target=read) for _ in range(8)]
    gc.callbacks.append(pause)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(pause)
    assert errors == []
