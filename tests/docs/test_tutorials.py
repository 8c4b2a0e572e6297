"""The tutorials, carried out from the first block to the last: files written, sessions typed, commands run.

What a tutorial shows as printed must be what is printed, but for what depends on the machine: times, speeds, and where
records are kept.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import oponente
from oponente.cli.main import main
from tests.docs.output import same_for_all

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
ORDER = ["game.md", "agent.md", "evaluation.md"]
BLOCK = re.compile(r"^```(python|pycon|sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)(, continued)?\n")


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Return the folder in which the reader of all tutorials works."""
    return tmp_path_factory.mktemp("tutorials")


@pytest.mark.compiled
@pytest.mark.parametrize("tutorial", ORDER)
def test_tutorial(tutorial, desk, monkeypatch, capsys):
    monkeypatch.chdir(desk)
    monkeypatch.setenv("OPONENTE_RECORDS", str(desk / "records.db"))
    blocks = BLOCK.findall((TUTORIALS / tutorial).read_text())
    printed = ""
    for kind, content in blocks:
        if kind == "python":
            write(desk, content)
        elif kind == "pycon":
            type_in(tutorial, content)
        elif kind == "sh":
            printed = "".join(run(line, capsys) for line in content.splitlines())
        else:
            assert same_for_all(content) == same_for_all(printed)


def test_all_tutorials_are_carried_out():
    assert {path.name for path in TUTORIALS.glob("*.md")} == {*ORDER, "README.md"}


def write(desk, content):
    """Write a file, or go on with one, as the first line of a block says."""
    name, continued = FILE.match(content).groups()
    with (desk / name).open("a" if continued else "x") as file:
        file.write(content if not continued else "\n\n" + content)


def type_in(tutorial, content):
    """Carry out a session at Python's prompt."""
    session = doctest.DocTestParser().get_doctest(content, {}, tutorial, tutorial, 0)
    assert session.examples
    report: list[str] = []
    failures, _ = doctest.DocTestRunner(verbose=False).run(session, out=report.append)
    assert not failures, "".join(report)


def run(line, capsys):
    """Run a command; return what it printed on standard output."""
    words = line.split()
    if words[0] == "oponente":
        capsys.readouterr()
        main(words[1:])
        return capsys.readouterr().out
    assert words[0] == "python"
    places = [str(Path(oponente.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, *words[1:]],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
