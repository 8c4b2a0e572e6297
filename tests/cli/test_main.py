"""The command itself: help, version, and an output that nobody reads to its end."""

import subprocess
import sys


def test_without_arguments_the_help_is_shown(run):
    status, out, err = run()
    assert status in (0, 2)
    assert out.startswith("Usage: oponente")
    assert len(out.splitlines()) > 10
    assert err == ""


def test_module_and_version():
    shown = subprocess.run([sys.executable, "-m", "oponente", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("oponente, version ")


def test_a_closed_pipe_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m oponente agents connect4 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr
