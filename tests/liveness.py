"""Whether processes still run, for tests of what ends them."""

import time
from pathlib import Path


def alive(number):
    """Tell whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone_soon(numbers):
    """Wait until no such process runs, for 20 seconds at most; tell whether that is so."""
    deadline = time.monotonic() + 20
    while any(map(alive, numbers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(alive, numbers))
