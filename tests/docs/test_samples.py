"""What the guide to the commands shows as printed is what is printed: each page's commands are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import oponente
from tests.docs.output import same_for_all

ROOT = Path(__file__).parents[2]
PAGES = (
    "games",
    "agents",
    "experiment",
    "conform",
    "play",
    "analyse",
    "match",
    "tournament",
    "sweep",
    "sprt",
    "replay",
)
"""Pages with a sample that takes seconds; in this order, since `replay` lists the matches of those before it."""
KEPT = "/home/you/.local/share/oponente/records.db"
"""Where records are kept on the pages."""
OPEN_END = re.compile(r"\b\d+ of 100000")
"""Games that a test has played until it stopped: with what was being played meanwhile."""
COMPILING = re.compile(r"^(compiling|compiled) \S+ (for|in) .*\n", re.MULTILINE)
"""What is told where machine code is not there yet."""


@pytest.mark.compiled
def test_what_is_shown_is_printed(tmp_path):
    for page in PAGES:
        text = (ROOT / "docs" / "commands" / f"{page}.md").read_text()
        commands, shown = re.search(
            r"^```sh\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
        ).groups()
        calls = commands.splitlines()
        sessions = re.split(r"^\$ .*\n", shown, flags=re.MULTILINE)[1:] or [shown]
        assert len(sessions) == len(calls)
        for call, expected in zip(calls, sessions, strict=True):
            assert comparable(run(call, tmp_path / "records.db")) == comparable(expected), call


def run(call, records):
    """Run a line of a shell; return what it printed on standard output."""
    line = re.sub(r"\boponente (?=[a-z])", f"'{sys.executable}' -m oponente ", call, count=1)
    places = [str(Path(oponente.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    settings = {"OPONENTE_RECORDS": str(records), "PYTHONPATH": os.pathsep.join(filter(None, places))}
    done = subprocess.run(
        ["sh", "-c", line], check=False, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **settings}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.replace(str(records), KEPT)


def comparable(printed):
    """Return what must be the same wherever it is printed."""
    return same_for_all(OPEN_END.sub("... of 100000", COMPILING.sub("", printed)))
