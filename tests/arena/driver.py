"""Runs a match in a process of its own, for tests that kill or interrupt it: ``python -m arena.driver DB JSON``.

The JSON object holds fields of the match, and ``workers``. It prints a line whenever games have finished.
"""

from __future__ import annotations

import json
import sys

from oponente.arena import MatchInterrupted, run_match

from .helpers import a_match


def main() -> None:
    store, values = sys.argv[1], json.loads(sys.argv[2])
    workers = values.pop("workers")
    spec = a_match(*values.pop("agents"), **values)
    try:
        run_match(
            spec, workers=workers, store=store, resume=True, progress=lambda now: print("done", now.done, flush=True)
        )
    except MatchInterrupted as interruption:
        print(interruption, flush=True)
        sys.exit(130)
    print("complete", flush=True)


if __name__ == "__main__":
    main()
