"""``oponente serve``, as a command."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from oponente.cli import serve


@pytest.fixture
def failing(run):
    """Return a function that runs the command, which must fail, and returns the one line that says why."""

    def call(*arguments):
        status, _, told = run(*arguments)
        assert status == 2
        assert told.count("\n") == 0
        return told

    return call


def test_serves_until_it_is_interrupted(tmp_path):
    command = [sys.executable, "-m", "oponente", "serve", "--port", "0", "--records", str(tmp_path / "r.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        line = process.stdout.readline()
        url = re.search(r"http://localhost:\d+/", line)[0]
        with urllib.request.urlopen(url, timeout=30) as page:
            assert b"<main" in page.read()
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(20) in (0, 130)
    assert (tmp_path / "r.db").exists()


def test_what_is_missing_is_named(failing, monkeypatch):
    monkeypatch.setattr(serve, "NEEDED", ("starlette", "no_such_package"))
    line = failing("serve")
    assert "extra web: pip install no_such_package" in line


def test_a_port_that_is_taken(failing):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "another" in failing("serve", "--port", taken.getsockname()[1])


def test_records_that_are_none(failing, tmp_path):
    (tmp_path / "x.db").write_text("nonsense" * 1000)
    assert "x.db" in failing("serve", "--port", "0", "--records", tmp_path / "x.db")


def test_files_that_hold_no_game_or_agent(failing, tmp_path):
    assert "nothing.py" in failing("serve", "--port", "0", "--game-file", tmp_path / "nothing.py")
    (tmp_path / "empty.py").write_text("x = 1\n")
    assert "empty.py" in failing("serve", "--port", "0", "--game-file", tmp_path / "empty.py")
    assert "empty.py" in failing("serve", "--port", "0", "--agent-file", tmp_path / "empty.py")
