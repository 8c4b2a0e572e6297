"""Environment steps a second of batched games, on one thread.

    python benchmarks/environments.py [--seconds 3] [--games 1024]

Processor seconds after compilation; a step is one action of a player in one game, drawn uniformly by NumPy from the
legal ones, with all chance that follows; games that end begin anew. Target: Catan, 1 million a second.
"""

from __future__ import annotations

import argparse
import time

from oponente import load_game
from oponente.interop.environments import Batch

CATAN = {"trade": "false", "turn_limit": "0"}
CASES = [
    ("catan", CATAN, {}),
    ("catan", CATAN, {"mask": True}),
    ("catan", CATAN, {"mask": True, "features": True}),
    ("catan", {}, {}),
    ("connect4", {}, {"mask": True, "features": True}),
]


def measure(batch: Batch, seconds: float) -> tuple[float, float]:
    """Return steps a second, with the drawing of actions and without."""
    for _ in range(200):
        batch.step(batch.sample())
    steps, alone, begin = 0, 0.0, time.thread_time()
    while (spent := time.thread_time() - begin) < seconds:
        choices = batch.sample()
        started = time.thread_time()
        batch.step(choices)
        alone += time.thread_time() - started
        steps += len(batch)
    return steps / spent, steps / alone


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each case")
    parser.add_argument("--games", type=int, default=1024, help="in a batch")
    arguments = parser.parse_args()
    for name, options, wanted in CASES:
        game = load_game(name, options)
        both, alone = measure(Batch(game, arguments.games, seed=1, **wanted), arguments.seconds)
        what = ", ".join([name, *(f"{key}={value}" for key, value in options.items()), *wanted])
        print(f"{what:50} {both:12,.0f} steps/s   {alone:12,.0f} without drawing actions")


if __name__ == "__main__":
    main()
