"""The start of the command, in processes of their own: what is loaded, what is compiled, what is kept."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def oponente(tmp_path):
    """Return a function that runs the command in a new process, with a cache that is empty at first."""
    environment = {
        **os.environ,
        "OPONENTE_CACHE_DIR": str(tmp_path / "cache"),
        "OPONENTE_RECORDS": str(tmp_path / "records.db"),
    }

    def call(*arguments, python=()):
        command = [sys.executable, *python, "-m", "oponente", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        return done

    return call


def test_what_is_compiled_once_is_kept(oponente):
    match = ("match", "tictactoe", "uct:20", "random", "--games", 2)
    first = oponente(*match).stderr
    started = [line for line in first.splitlines() if line.startswith("compiling ")]
    assert any("search.mcts.kernel.simulate for tictactoe" in line for line in started)
    assert len(started) == sum(line.startswith("compiled ") for line in first.splitlines())
    assert oponente(*match).stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("games", "connect4"),
        ("agents", "connect4"),
        ("play", "--help"),
        ("analyse", "--help"),
        ("draw", "--help"),
        ("bench", "--help"),
    ],
)
def test_only_what_is_needed_is_imported(oponente, arguments):
    imported = oponente(*arguments, python=("-X", "importtime")).stderr
    assert "oponente.cli" in imported
    for library in ("sqlalchemy", "pyarrow", "matplotlib"):
        assert f" {library}\n" not in imported


def test_a_match_does_not_import_what_only_reports_need(oponente):
    imported = oponente("match", "--help", python=("-X", "importtime")).stderr
    for library in ("pyarrow", "matplotlib"):
        assert f" {library}\n" not in imported
