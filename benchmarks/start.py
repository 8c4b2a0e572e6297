"""Measure how long the command takes until agents begin to play, with a cold and with a warm machine-code cache.

    python benchmarks/start.py [--tries 3]

Each try is a new process with a cache of its own that plays one game of

    oponente match connect4 uct:iterations=1000 alphabeta:depth=8

and counts wall time from the start of the process to the first decision: until the game is stored, less the time of its
decisions. Cold means that the cache is empty, so that all is compiled; warm, that the cold run filled it. Targets: 15 s
cold, 2 s warm. The least of all tries counts, since other processes can only make it longer; processor seconds (of the
whole process, the game included) tell whether they did.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MATCH = ["connect4", "uct:iterations=1000", "alphabeta:depth=8"]
TARGETS = {"cold": 15.0, "warm": 2.0}


def seconds_to_first_decision(cache: Path, records: Path) -> tuple[float, float]:
    """Run the match; return wall seconds from the start of the process to the first decision, and processor seconds."""
    before = os.times()
    begin_wall, begin = time.time(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "oponente", "match", *MATCH, "--games", "1", "--out", str(records)],
        env={**os.environ, "OPONENTE_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    whole, after = time.perf_counter() - begin, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    connection = sqlite3.connect(records)
    finished, decided_ms = connection.execute(
        "SELECT strftime('%s', finished) + strftime('%f', finished) - strftime('%S', finished), "
        "(SELECT sum(total_ms) FROM seats) FROM games"
    ).fetchone()
    connection.close()
    stored = finished - begin_wall
    # A record without fractions of a second, or a clock that was set meanwhile, falls back on the whole run.
    return (stored if 0 < stored <= whole else whole) - decided_ms / 1000, processor


def main() -> None:
    """Print both times beside their targets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=3, help="how often each is measured")
    parser.add_argument("--json", action="store_true", help="print all times as JSON")
    arguments = parser.parse_args()
    seconds: dict[str, list[tuple[float, float]]] = {"cold": [], "warm": []}
    for _ in range(arguments.tries):
        with tempfile.TemporaryDirectory() as folder:
            for kind, times in seconds.items():
                times.append(seconds_to_first_decision(Path(folder, "cache"), Path(folder, f"{kind}.db")))
    if arguments.json:
        print(json.dumps(seconds))
        return
    print("cache  seconds  processor s  target")
    for kind, times in seconds.items():
        print(f"{kind}   {min(times)[0]:7.2f}  {min(used for _, used in times):11.2f}  {TARGETS[kind]:6.0f}")


if __name__ == "__main__":
    main()
