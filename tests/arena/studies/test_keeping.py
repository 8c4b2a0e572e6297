"""What is kept survives, and is never mixed up with another run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oponente.arena.studies.keeping import Keep, KeepError


def test_kept_items_come_back_and_go_away(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "out.html")
    keep.open({"seed": 1})
    keep.add({"game": 0})
    keep.database.touch()
    again = Keep(tmp_path / "out.html", resume=True)
    again.open({"seed": 1})
    assert again.items == [{"game": 0}]
    again.remove()
    keep.close()
    again.close()
    assert list(tmp_path.iterdir()) == []


def test_two_processes_do_not_go_on_with_the_same_run(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "out.html")
    keep.open({"seed": 1})
    code = f"""
from oponente.arena.studies.keeping import Keep, KeepError
keep = Keep({str(tmp_path / "out.html")!r}, resume=True)
try:
    keep.open({{"seed": 1}})
except KeepError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"another process is writing {keep.path}: wait for it, or give another --out\n"


def test_resuming_nothing_begins_anew(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "out.html", resume=True)
    keep.open({"seed": 1})
    assert keep.items == []
    assert keep.how_to_resume() == "nothing was finished yet"


@pytest.mark.parametrize("content", ["", "[]", '{"items": 3, "identity": {}}', "\x00"])
def test_a_damaged_file_is_refused(tmp_path: Path, content: str) -> None:
    keep = Keep(tmp_path / "out.html", resume=True)
    keep.path.write_text(content)
    with pytest.raises(KeepError, match="damaged"):
        keep.open({"seed": 1})


def test_a_database_alone_is_refused(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "out.html", resume=True)
    keep.database.touch()
    with pytest.raises(KeepError, match="delete it"):
        keep.open({})


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "missing" / "out.html")
    with pytest.raises(KeepError, match="can't be written"):
        keep.open({})
    with pytest.raises(KeepError, match="can't be written"):
        keep.add(1)
