"""Files of the user's: what is loaded, one line for every mistake, and what is written."""

from __future__ import annotations

import errno
import fcntl
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oponente.kernel import UserFileError, claim, in_one_step, load_user_file, parse_json


@pytest.fixture(autouse=True)
def _clean_path() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(("user_", "userfile_test_")):
            del sys.modules[name]


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file and return its path."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def test_a_file_is_loaded_once(tmp_path: Path) -> None:
    path = write(tmp_path, "game.py", "A = []")
    module = load_user_file(path)
    assert load_user_file(str(path)) is module
    assert load_user_file(tmp_path / "." / "game.py") is module


def test_files_of_one_name_in_two_folders(tmp_path: Path) -> None:
    first = load_user_file(write(tmp_path / "a", "game.py", "A = 1"))
    second = load_user_file(write(tmp_path / "b", "game.py", "A = 2"))
    assert (first.A, second.A) == (1, 2)
    assert first.__name__ != second.__name__


def test_neighbours_can_be_imported(tmp_path: Path) -> None:
    write(tmp_path, "userfile_test_helper.py", "B = 5")
    assert load_user_file(write(tmp_path, "game.py", "from userfile_test_helper import B")).B == 5


def test_neighbours_of_one_name_in_two_folders_are_not_mixed_up(tmp_path: Path) -> None:
    for folder, value in (("a", 1), ("b", 2)):
        write(tmp_path / folder, "userfile_test_helper.py", f"B = {value}")
        write(tmp_path / folder, "game.py", "from userfile_test_helper import B")
    assert load_user_file(tmp_path / "a" / "game.py").B == 1
    with pytest.raises(UserFileError, match="userfile_test_helper") as caught:
        load_user_file(tmp_path / "b" / "game.py")
    assert str(tmp_path / "a") in str(caught.value)
    assert "rename" in str(caught.value)


def test_neighbour_hidden_by_a_library(tmp_path: Path) -> None:
    write(tmp_path, "colorsys.py", "B = 5")
    with pytest.raises(UserFileError, match="colorsys"):
        load_user_file(write(tmp_path, "game.py", "import colorsys"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A = 1\nB = 1 / 0\n", "game.py, line 2: ZeroDivisionError: division by zero"),
        ("A = 1\n\nB = = 2\n", "game.py, line 3: SyntaxError"),
        ("import no_such_module_anywhere\n", "game.py, line 1: ModuleNotFoundError"),
    ],
)
def test_failing_file_is_named_with_the_line(text: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, "game.py", text)
    with pytest.raises(UserFileError) as caught:
        load_user_file(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    # A failed file is tried again.
    path.write_text("A = 1")
    assert load_user_file(path).A == 1


def test_missing_file_and_other_kinds(tmp_path: Path) -> None:
    with pytest.raises(UserFileError, match="there is no file"):
        load_user_file(tmp_path / "none.py")
    with pytest.raises(UserFileError, match=r"must end in \.py"):
        load_user_file(write(tmp_path, "game.txt", "A = 1"))
    with pytest.raises(UserFileError, match="there is no file"):
        load_user_file(tmp_path)


@pytest.mark.parametrize("text", ["[NaN]", "[-Infinity]", "[1e999]", '{"a": 1, "a": 2}', "[" * 100_000])
def test_what_is_no_json_for_others_is_none_here(text: str) -> None:
    with pytest.raises(ValueError, match=r"no number|too large|twice|too deep"):
        parse_json(text)


@pytest.mark.parametrize("text", ["[" + "9" * 400 + ".0]", '{"' + "a" * 400 + '": 1, "' + "a" * 400 + '": 1}'])
def test_what_is_long_is_not_repeated_in_full(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.\.\.") as error:
        parse_json(text)
    assert len(str(error.value)) < 120


def fails(path: Path) -> None:
    with in_one_step(path) as part:
        part.write_text("new")
        raise ValueError("no")


def test_what_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = write(tmp_path, "x", "old")
    with pytest.raises(ValueError, match="no"):
        fails(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def unwritten(path: Path, number: int, text: str) -> None:
    """Fail as a library in C++ does, which names the file in the text alone."""
    with in_one_step(path) as part:
        raise OSError(number, f"Failed to open {part}: {text}" if text else os.strerror(number))


def test_what_can_not_be_written_is_named_as_the_user_knows_it(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x"
    said = f"[Errno 2] No such file or directory: '{path}'"
    with pytest.raises(FileNotFoundError) as caught, in_one_step(path) as part:
        part.write_text("new")
    assert str(caught.value) == said
    with pytest.raises(FileNotFoundError) as caught:
        unwritten(path, errno.ENOENT, "no such file")
    assert str(caught.value) == said
    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        unwritten(path, errno.ENOSPC, "")
    long = tmp_path / ("x" * 250)  # the name of the file beside it is too long
    with pytest.raises(OSError, match="File name too long") as longer, in_one_step(long) as part:
        part.write_text("new")
    assert longer.value.filename == str(long)


def test_a_file_written_in_one_step_is_as_any_other(tmp_path: Path) -> None:
    with in_one_step(tmp_path / "x") as part:
        part.write_text("one")
        with in_one_step(tmp_path / "x") as other:
            other.write_text("two")
        assert (tmp_path / "x").read_text() == "two"
    assert (tmp_path / "x").read_text() == "one"
    assert (tmp_path / "x").stat().st_mode == write(tmp_path, "y", "").stat().st_mode


# --- what one process alone goes on with ------------------------------------------------------------------------------


class Owner:
    """Who claims."""


def claimed_elsewhere(path: Path) -> bool:
    """Tell whether another process than that which asks has claimed a file."""
    code = f"""
from pathlib import Path
from oponente.kernel import claim
class Owner: pass
owner = Owner()
print(claim(Path({str(path)!r}), owner) is None)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout == "True\n"


def test_a_claim_holds_until_all_who_made_it_are_gone_or_have_given_it_up(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first, second = Owner(), Owner()
    assert claim(path, first) is not None
    give_up = claim(path, second)
    assert give_up is not None
    assert claimed_elsewhere(path)
    del first
    gc.collect()
    assert path.exists()
    assert claimed_elsewhere(path)
    give_up()
    give_up()  # once is enough
    assert not path.exists()
    assert not claimed_elsewhere(path)
    assert not path.exists()  # that process has ended


def test_a_file_that_is_removed_as_it_is_claimed_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who had it removes it between its opening and its locking: a lock on a file without a name holds nobody off."""
    path, owner, locked = tmp_path / "x.lock", Owner(), []

    def lockf(file: object, how: int) -> None:
        if not locked:
            path.unlink()
        locked.append(how)

    monkeypatch.setattr(fcntl, "lockf", lockf)
    assert claim(path, owner) is not None
    assert len(locked) == 2
    assert path.exists()


def test_who_is_killed_gives_up_its_claim(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = f"""
import os, signal
from pathlib import Path
from oponente.kernel import claim
class Owner: pass
owner = Owner()
assert claim(Path({str(path)!r}), owner)
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert path.exists()
    assert claim(path, Owner())
