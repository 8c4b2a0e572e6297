"""The machine-code cache, in real processes: no edit and no setting runs stale code, and nothing else recompiles."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import oponente

RULES = """
import os
from typing import Any, NamedTuple
import numpy as np
from oponente.kernel import Token, njit
from helper import SCALE, shift

LIMIT = 7
FROM_DATA = int(os.environ.get("PROJECT_DATA", "0"))
OUT_OF_RANGE = np.arange(3)

class Tables(NamedTuple):
    token: Token
    board: Any

@njit
def actions(game, state, out):
    out[0] = LIMIT
    out[1] = SCALE
    out[2] = shift(1)
    out[3] = FROM_DATA
    out[4] = game.board[0]
    return 5
"""

KERNELS = """
from oponente.kernel import actions, entry

@entry
def look(game, state, out):
    return actions(game, state, out)

@entry
def read(values, index):
    return values[index]
"""

RUNNER = """
import json, sys, warnings
import numpy as np
messages = []
warnings.showwarning = lambda message, *rest: messages.append(str(message))
from oponente.kernel import Token, compile_listener, load_user_file
rules = load_user_file(sys.argv[1])
import kernels
compiled = []
with compile_listener(lambda name, seconds: compiled.append(name) if seconds is None else None):
    result = {}
    if "look" in sys.argv:
        out = np.zeros(5, np.int32)
        kernels.look(rules.Tables(Token(rules.__name__), np.array([4])), 0, out)
        result["out"] = out.tolist()
    if "patch" in sys.argv:
        rules.LIMIT = 70
        out = np.zeros(5, np.int32)
        kernels.look(rules.Tables(Token(rules.__name__), np.array([4])), 0, out)
        result["patched"] = out.tolist()
    if "read" in sys.argv:
        try:
            kernels.read(np.arange(3), 3)
            result["read"] = "went on"
        except IndexError:
            result["read"] = "IndexError"
print(json.dumps(result | {"compiled": compiled, "warnings": messages}))
"""


@dataclass
class Outcome:
    """What a process of the project printed."""

    compiled: list[str]
    warnings: list[str]
    out: list[int] = field(default_factory=list)
    patched: list[int] = field(default_factory=list)
    read: str = ""


@functools.cache
def fork_server() -> subprocess.Popen[str]:
    """Return the process that forks others."""
    program = [sys.executable, str(Path(__file__).with_name("fork_server.py"))]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)


@pytest.fixture(scope="module", autouse=True)
def _stop_fork_server() -> Iterator[None]:
    yield
    if fork_server.cache_info().currsize:
        server = fork_server()
        assert server.stdin is not None
        server.stdin.close()
        server.wait()


class Project:
    """A folder with a game, the modules that it imports, and kernels; and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.package = str(Path(oponente.__file__).parents[1])
        for name, text in (
            ("game.py", RULES),
            (
                "helper.py",
                "from numba import njit\nfrom deeper import SHIFT\nSCALE = 10\n"
                "@njit\ndef shift(a):\n    return a << SHIFT\n",
            ),
            ("deeper.py", "SHIFT = 3\n"),
            ("kernels.py", KERNELS),
            ("runner.py", RUNNER),
            ("other.py", "A = 1\n"),
        ):
            (folder / name).write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace text in a file."""
        path = self.folder / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def start(self, *what: str, **environment: str) -> subprocess.Popen[str]:
        """Start a process of the project."""
        # Files that were written just now must be older than the process.
        time.sleep(0.02)
        env = {**os.environ, "OPONENTE_CACHE_DIR": str(self.cache), "PYTHONPATH": self.package, **environment}
        return subprocess.Popen(
            [sys.executable, str(self.folder / "runner.py"), str(self.folder / "game.py"), *what],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *what: str, **environment: str) -> Outcome:
        """Run a process of the project; a full one where Numba's settings matter, else a fork (see fork_server)."""
        if any(name.startswith("NUMBA") for name in environment):
            return finish(self.start(*what, **environment))
        time.sleep(0.02)
        request = {
            "env": {**os.environ, "OPONENTE_CACHE_DIR": str(self.cache), **environment},
            "argv": [str(self.folder / "runner.py"), str(self.folder / "game.py"), *what],
            "path": [str(self.folder), self.package],
        }
        server = fork_server()
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(request), file=server.stdin, flush=True)
        status, output = json.loads(server.stdout.readline())
        assert status == 0, output
        return Outcome(**json.loads(output.splitlines()[-1]))

    def files(self) -> list[Path]:
        """Return the cached files."""
        return sorted((self.cache / "code").glob("*"))


def finish(process: subprocess.Popen[str]) -> Outcome:
    """Wait for a process and return what it printed."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return Outcome(**json.loads(output))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that has compiled its kernel once."""
    project = Project(tmp_path_factory.mktemp("compiled"))
    outcome = project.run("look")
    assert outcome.out == [7, 10, 8, 0, 4]
    assert outcome.compiled == ["kernels.look"]
    return project


@pytest.fixture
def warm(tmp_path: Path) -> Project:
    """A project that has compiled its kernel in this very folder."""
    project = Project(tmp_path)
    assert project.run("look").compiled == ["kernels.look"]
    return project


def test_edits_change_what_runs_and_unrelated_edits_compile_nothing(warm: Project) -> None:
    assert warm.run("look").compiled == []
    # What is not imported does not matter.
    warm.edit("other.py", "A = 1", "A = 2")
    (warm.folder / "data.txt").write_text("something")
    assert warm.run("look").compiled == []
    # The game's file, a file that it imports, and one two levels deep.
    warm.edit("game.py", "LIMIT = 7", "LIMIT = 8")
    warm.edit("helper.py", "SCALE = 10", "SCALE = 11")
    assert warm.run("look").out == [8, 11, 8, 0, 4]
    warm.edit("deeper.py", "SHIFT = 3", "SHIFT = 4")
    assert warm.run("look").out == [8, 11, 16, 0, 4]
    # A constant from outside, with all files as they were.
    outcome = warm.run("look", PROJECT_DATA="5")
    assert (outcome.out, outcome.compiled) == ([8, 11, 16, 5, 4], ["kernels.look"])
    # Back to what was: its code is still there.
    warm.edit("deeper.py", "SHIFT = 4", "SHIFT = 3")
    outcome = warm.run("look")
    assert (outcome.out, outcome.compiled) == ([8, 11, 8, 0, 4], [])


def test_edit_with_old_time_stamp_and_equal_size(warm: Project) -> None:
    path = warm.folder / "deeper.py"
    before = path.stat()
    warm.edit("deeper.py", "SHIFT = 3", "SHIFT = 5")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    # Python's own cache of byte code would be fooled by such an edit.
    shutil.rmtree(warm.folder / "__pycache__", ignore_errors=True)
    assert warm.run("look").out == [7, 10, 32, 0, 4]


def test_patched_constant_never_reaches_the_disk(warm: Project) -> None:
    files = warm.files()
    # The second run of the kernel in that process links what Numba compiled before the patch, or is compiled anew;
    # either way nobody else may get it.
    warm.run("look", "patch")
    assert warm.run("look").out[0] == 7
    warm.edit("game.py", "LIMIT = 7", "LIMIT = 70")
    assert warm.run("look").out[0] == 70
    assert set(files) <= set(warm.files())


def test_edit_after_import_is_not_stored(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.edit(
        "runner.py", "import kernels\n", "import kernels, pathlib\n"
        "path = pathlib.Path(sys.argv[1])\npath.write_text(path.read_text().replace('LIMIT = 7', 'LIMIT = 9'))\n",
    )  # fmt: skip
    assert project.run("look").out[0] == 7
    assert project.files() == []
    assert project.run("look").out[0] == 9


def test_bounds_check_after_a_plain_run(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.run("read", NUMBA_BOUNDSCHECK="0").read == "went on"
    checked = project.run("read", NUMBA_BOUNDSCHECK="1")
    assert (checked.read, checked.compiled) == ("IndexError", ["kernels.read"])
    # And each finds its own again.
    assert project.run("read", NUMBA_BOUNDSCHECK="0").compiled == []
    again = project.run("read", NUMBA_BOUNDSCHECK="1")
    assert (again.read, again.compiled) == ("IndexError", [])


def test_harmless_settings_share_code_and_others_do_not(warm: Project) -> None:
    harmless = {"NUMBA_NUM_THREADS": "1", "NUMBA_CACHE_DIR": str(warm.folder), "NUMBA_COLOR_SCHEME": "dark_bg"}
    assert warm.run("look", **harmless, NUMBA_FULL_TRACEBACKS="1", NUMBA_CUDA_LOG_SIZE="99").compiled == []
    assert warm.run("look", NUMBA_OPT="2").compiled == ["kernels.look"]
    assert warm.run("look", NUMBA_ENABLE_AVX="0", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="").compiled == [
        "kernels.look"
    ]


@pytest.mark.parametrize("damage", ["truncated", "changed", "empty", "garbage with a checksum"])
def test_damaged_file_is_compiled_anew(damage: str, compiled: Project) -> None:
    project = compiled
    [file] = project.files()
    whole = file.read_bytes()
    if damage == "truncated":
        file.write_bytes(whole[: len(whole) // 2])
    elif damage == "changed":
        file.write_bytes(whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])
    elif damage == "empty":
        file.write_bytes(b"")
    else:
        import hashlib

        file.write_bytes(hashlib.sha256(b"garbage").digest() + b"garbage")
    outcome = project.run("look")
    assert (outcome.out, outcome.compiled) == ([7, 10, 8, 0, 4], ["kernels.look"])
    assert len(file.read_bytes()) == len(whole)


@pytest.mark.parametrize("damage", ["no folder can be made", "others may write"])
def test_unusable_folder_warns_and_works(damage: str, tmp_path: Path) -> None:
    project = Project(tmp_path)
    if damage == "no folder can be made":
        project.cache.write_text("a file where the folder should be")
    else:
        project.run("look")
        (project.cache / "code").chmod(0o777)
    outcome = project.run("look")
    assert (outcome.out, outcome.compiled) == ([7, 10, 8, 0, 4], ["kernels.look"])
    assert any("compiled code" in message and str(project.cache) in message for message in outcome.warnings)


def test_two_processes_at_once(tmp_path: Path) -> None:
    project = Project(tmp_path)
    processes = [project.start("look") for _ in range(2)]
    assert [finish(process).out for process in processes] == [[7, 10, 8, 0, 4]] * 2
    assert len(project.files()) == 1
    assert project.run("look").compiled == []


def test_code_that_can_not_be_cached_runs(tmp_path: Path) -> None:
    project = Project(tmp_path)
    # A C function reached through ctypes is an address of this process.
    project.edit(
        "game.py",
        "LIMIT = 7",
        "import ctypes\nABS = ctypes.CDLL(None).abs\nABS.argtypes = [ctypes.c_int]\n"
        "ABS.restype = ctypes.c_int\nLIMIT = 7",
    )
    project.edit("game.py", "out[0] = LIMIT", "out[0] = ABS(-LIMIT)")
    outcome = project.run("look")
    assert outcome.out == [7, 10, 8, 0, 4]
    assert any("compiled anew in every process" in message for message in outcome.warnings)
    assert project.files() == []


def test_edit_of_the_package_changes_what_runs(tmp_path: Path) -> None:
    """Edits in kernel/ and search/ count; those in agents/, arena/ or another game do not."""
    source = tmp_path / "src"
    shutil.copytree(Path(oponente.__file__).parent, source / "oponente", ignore=shutil.ignore_patterns("__pycache__"))
    project = Project(tmp_path)
    project.package = str(source)
    (tmp_path / "kernels.py").write_text(
        "from oponente.kernel import actions, entry, mix64\nimport oponente.search.playout\n"
        "import numpy as np\n"
        "@entry\ndef look(game, state, out):\n    n = actions(game, state, out)\n"
        "    out[0] = mix64(np.uint64(1)) % np.uint64(1000)\n    return n\n"
    )
    first = project.run("look")
    assert first.compiled == ["kernels.look"]
    assert project.run("look").compiled == []
    for unrelated in ("agents/view.py", "games/connect4/rules.py", "testing/probe.py", "games/catalogue.py"):
        path = source / "oponente" / unrelated
        path.write_text(path.read_text() + "\nEDITED = 1\n")
    assert project.run("look").compiled == []
    path = source / "oponente/kernel/random.py"
    text = path.read_text()
    assert "0x94D049BB133111EB" in text
    path.write_text(text.replace("0x94D049BB133111EB", "0x94D049BB133111ED"))
    second = project.run("look")
    assert second.compiled == ["kernels.look"]
    assert second.out[0] != first.out[0]
    path = source / "oponente/search/playout.py"
    path.write_text(path.read_text().replace("count += 1", "count += 2"))
    assert project.run("look").compiled == ["kernels.look"]
