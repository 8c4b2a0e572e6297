"""Calls in threads: what comes of them, and that none is waited for at the end of a program."""

import subprocess
import sys

import pytest

from oponente.web.threads import Threads


def test_a_call_is_answered():
    threads = Threads("test")
    assert [future.result(20) for future in [threads.submit(pow, base, 2) for base in range(50)]] == [
        base**2 for base in range(50)
    ]
    with pytest.raises(ZeroDivisionError):
        threads.submit(divmod, 1, 0).result(20)
    assert isinstance(threads.submit(sys.exit, 3).exception(20), SystemExit)


def test_a_call_that_never_ends_keeps_no_program_from_ending():
    program = (
        "import threading, oponente.web.threads as t; t.Threads('x').submit(threading.Event().wait); print('the end')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "the end\n"
