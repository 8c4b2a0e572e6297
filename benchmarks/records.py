"""Measure a database of many games: how fast games are stored, and how soon reports of them open.

    python benchmarks/records.py [--games 1000000] [--database FILE|URL] [--only match|tournament]

Two databases' worth of games that nobody has played are stored, with random actions, times and results: a match of
Connect Four, and a round robin of five agents (ten matches). Then the commands of a user are run, each in a process of
its own, with ``--resume``: they find all games finished, play none, and tell what came of them. Printed are seconds on
the clock and of a processor, start of the program included, and the most memory that the process had.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from oponente.arena.match import MatchSpec
from oponente.arena.record import PLAYED, GameRecord, SeatRecord
from oponente.arena.storage import Store
from oponente.arena.tournament import TournamentSpec
from oponente.games.catalogue import GameSpec

GAME = "connect4"
MATCH = ("uct:300", "alphabeta:depth=4")
ENTRANTS = ("random", "uct:100", "uct:200", "uct:300", "alphabeta:depth=4")
TRANSACTION = 500
"""Games of a transaction, as where a driver is busy."""
LONGEST = 42
"""Actions of the longest games; the shortest have 8."""
MATCH_SEED, TOURNAMENT_SEED = 1, 2


def synthetic(spec: MatchSpec, rng: np.random.Generator) -> Iterator[list[GameRecord]]:
    """Yield all games of a match, as many at a time as are stored in a transaction."""
    for first in range(0, spec.games, TRANSACTION):
        indices = range(first, min(first + TRANSACTION, spec.games))
        shape = len(indices), LONGEST
        lengths = rng.integers(8, LONGEST + 1, len(indices)).tolist()
        actions, times = rng.integers(0, 7, shape).tolist(), rng.gamma(2.0, 0.5, shape).astype(np.float32)
        nodes = rng.integers(1, 10_000, (len(indices), 2)).tolist()
        values = rng.choice((1.0, 0.0, -1.0), len(indices), p=(0.5, 0.1, 0.4)).tolist()
        games = []
        for row, (index, length, value) in enumerate(zip(indices, lengths, values, strict=True)):
            seats = tuple(
                SeatRecord(agent, array("f", times[row, seat:length:2].tobytes()), nodes[row][seat])
                for seat, agent in enumerate(spec.seating(index))
            )
            played, seed = tuple(actions[row][:length]), spec.start_seed(index)
            games.append(GameRecord(index, spec.block(index), seats, seed, 0, played, (value, -value), PLAYED))
        yield games


def store_games(database: str, specs: list[MatchSpec]) -> tuple[float, float]:
    """Store all games of some matches; return the seconds and those of a processor, without those of making them up."""
    rng = np.random.default_rng(1)
    seconds = processor = 0.0
    with Store(database) as store:
        for spec in specs:
            match = store.begin(spec).id
            for games in synthetic(spec, rng):
                begin = time.perf_counter(), time.process_time()
                store.add(match, games)
                seconds += time.perf_counter() - begin[0]
                processor += time.process_time() - begin[1]
    return seconds, processor


def opening(*arguments: str) -> tuple[float, float, float]:
    """Run a command; return its seconds, those of a processor, and the most MiB of memory that it had."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "oponente", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000, help="of the match, and of the tournament")
    parser.add_argument("--database", help="a new SQLite file, or the URL of an empty database, which is kept")
    parser.add_argument("--only", choices=("match", "tournament"), help="measure one of them")
    parser.add_argument("--json", action="store_true", help="print all as JSON")
    arguments = parser.parse_args()
    game = GameSpec(GAME)
    match = MatchSpec(game, MATCH, arguments.games, MATCH_SEED)
    tournament = TournamentSpec(game, ENTRANTS, arguments.games // 20, seed=TOURNAMENT_SEED)
    of_tournament = [tournament.match(group, 2) for group in tournament.groups(2)]
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        database = arguments.database or str(Path(folder, "games.db"))
        kept = ("--out", database, "--resume", "--json")
        match_command = ("match", GAME, *MATCH, "--games", str(match.games), "--seed", str(MATCH_SEED), *kept)
        of_each = str(2 * tournament.blocks)
        tournament_command = ("tournament", GAME, *ENTRANTS, "--games", of_each, "--seed", str(TOURNAMENT_SEED), *kept)
        for name, specs, commands in (
            (
                "match",
                [match],
                {
                    "result": match_command,
                    "page": (*match_command, "--report", str(Path(folder, "match.html"))),
                    "list": ("replay", database, "--json"),
                },
            ),
            (
                "tournament",
                of_tournament,
                {
                    "result": tournament_command,
                    "page": (*tournament_command, "--report", str(Path(folder, "tournament.html"))),
                },
            ),
        ):
            if arguments.only not in (None, name):
                continue
            games = sum(spec.games for spec in specs)
            keys = (f"{name}_stored_per_s", f"{name}_stored_per_cpu_s")
            found.update(zip(keys, (games / seconds for seconds in store_games(database, specs)), strict=True))
            for what, command in commands.items():
                keys = (f"{name}_{what}_{unit}" for unit in ("s", "cpu_s", "mib"))
                found.update(zip(keys, opening(*command), strict=True))
    if arguments.json:
        print(json.dumps({"games": arguments.games, **found}))
        return
    for key, value in found.items():
        print(f"{key:26} {value:12,.1f}")


if __name__ == "__main__":
    main()
