"""Compute how a match of many games scales to many cores, from what is measured on this machine.

    python benchmarks/scaling.py [--game connect4] [--agents uct:300 uct:300] [--games 1000000]

Measured:

- a game: seconds of one core, played by a table as an actor of a cluster plays it;
- a call: an actor of a Ray cluster, started here, is told one game of tic-tac-toe between random players at a time,
  always two calls ahead as in a match; seconds on the clock less those of the game, and processor seconds of the
  driver, those of Ray's threads in it included;
- the driver: processor seconds a game to decode what an actor sends, store it (an SQLite file, in transactions of as
  many games as come in while a match gathers them), and count it.

Computed, for 1 to 1,000 cores, with nothing else measured: see :func:`scaling`. The driver has a core of its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pickle
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from oponente.arena.match import MatchSpec
from oponente.arena.play import Table
from oponente.arena.ray_crew import AHEAD, MOST_CALL_SECONDS, MOST_GAMES, RemoteTable
from oponente.arena.record import GameRecord
from oponente.arena.statistics import Tally
from oponente.arena.storage import Store
from oponente.games.catalogue import GameSpec
from oponente.kernel import Control

CORES = (1, 2, 4, 10, 20, 50, 100, 200, 500, 1000)
TRANSACTION = 500
"""Games of a transaction: about as many as finish in 0.05 s where the driver is busy."""
TRIES = 3
"""How often the driver and calls are measured; the least counts, since other processes can only make it longer."""


@dataclass(frozen=True)
class Costs:
    """What is measured; all in seconds."""

    game: float
    """A game, on one core."""
    call: float
    """What a call keeps an actor from playing."""
    driver_call: float
    """What a call costs the driver."""
    driver_game: float
    """What a game costs the driver, calls left out."""


@dataclass(frozen=True)
class Scaled:
    """What follows for a number of cores."""

    cores: int
    games_a_call: int
    wall: float
    """Seconds."""
    efficiency: float
    """Seconds of play by the seconds of all cores, the driver's left out."""
    driver: float
    """The share of the time that the driver is busy."""


def per_call(costs: Costs, games: int, cores: int, call_seconds: float) -> int:
    """Return how many games a call has in the first half of a match, as a crew decides it."""
    fair = -(-games // (2 * cores * AHEAD))
    return max(1, min(MOST_GAMES, int(call_seconds / costs.game), fair))


def scaling(costs: Costs, games: int, cores: int, call_seconds: float = MOST_CALL_SECONDS) -> Scaled:
    """Return how long so many games take on so many cores.

    With k games a call, a core plays a game in ``game + call / k`` seconds and the driver has
    ``driver_game + driver_call / k`` seconds of work for it; the slower of all cores and the driver sets the pace.
    """
    count = per_call(costs, games, cores, call_seconds)
    play = (costs.game + costs.call / count) / cores
    drive = costs.driver_game + costs.driver_call / count
    wall = games * max(play, drive)
    return Scaled(cores, count, wall, games * costs.game / (cores * wall), games * drive / wall)


def limit(costs: Costs, games: int, call_seconds: float = MOST_CALL_SECONDS) -> int:
    """Return the greatest number of cores that one driver keeps busy."""
    low, high = 1, 10_000_000
    while low < high:
        middle = (low + high + 1) // 2
        if scaling(costs, games, middle, call_seconds).driver < 1.0:
            low = middle
        else:
            high = middle - 1
    return low


def play(spec: MatchSpec, seconds: float) -> tuple[list[GameRecord], float]:
    """Play games for some seconds; return them and the seconds that each took."""
    table = Table(spec, Control())
    try:
        table.prepare()
        table.play(0)
        records: list[GameRecord] = []
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            records.append(table.play(len(records)))
        return records, (time.perf_counter() - begin) / len(records)
    finally:
        table.close()


def driving(spec: MatchSpec, records: list[GameRecord], batch: int, count: int = 10_000) -> dict[str, float]:
    """Return the driver's processor seconds a game: receiving calls of `batch` games, storing, and counting them."""
    games = [dataclasses.replace(records[number % len(records)], index=number) for number in range(count)]
    sent = [pickle.dumps(games[first : first + batch], protocol=5) for first in range(0, count, batch)]
    found = {"receive": float("inf"), "store": float("inf"), "count": float("inf")}

    def note(kind: str, begin: float) -> None:
        found[kind] = min(found[kind], (time.process_time() - begin) / count)

    for _ in range(TRIES):
        begin = time.process_time()
        for message in sent:
            pickle.loads(message)
        note("receive", begin)
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "games.db")) as store:
            match = store.begin(dataclasses.replace(spec, games=count)).id
            begin = time.process_time()
            for first in range(0, count, TRANSACTION):
                store.add(match, games[first : first + TRANSACTION])
            note("store", begin)
        begin = time.process_time()
        Tally(len(spec.agents), games)
        note("count", begin)
    return found


def calling(count: int = 500) -> tuple[float, float]:
    """Return the seconds that a call keeps an actor, and the driver's processor seconds."""
    import ray

    spec = MatchSpec(GameSpec("tictactoe", ()), ("random", "random"), count, 1)
    ray.init(num_cpus=1, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    try:
        actor = ray.remote(num_cpus=1)(RemoteTable).remote([])
        ray.get(actor.begin.remote(spec))
        ray.get([actor.play.remote([0]) for _ in range(50)])
        least = float("inf"), float("inf")
        for _ in range(TRIES):
            wall, processor, played = time.perf_counter(), time.process_time(), 0.0
            known = []
            for index in range(count):
                known.append(actor.play.remote([index]))
                if len(known) == AHEAD:
                    ready, known = ray.wait(known, num_returns=1)
                    played += ray.get(ready[0])[1]
            for _, seconds in ray.get(known):
                played += seconds
            wall, processor = time.perf_counter() - wall - played, time.process_time() - processor
            least = min(least[0], wall / count), min(least[1], processor / count)
        return least
    finally:
        ray.shutdown()


def rows(found: Iterable[Scaled]) -> list[str]:
    """Return a table for people."""
    lines = ["cores  games a call   hours  efficiency  driver busy"]
    for row in found:
        hours = row.wall / 3600
        lines.append(f"{row.cores:5}  {row.games_a_call:12}  {hours:6.3f}  {row.efficiency:9.1%}  {row.driver:10.1%}")
    return lines


def main() -> None:
    """Measure, compute, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect4", help="which game")
    parser.add_argument("--agents", nargs="+", default=["uct:300", "uct:300"], help="who plays")
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games are to be computed")
    parser.add_argument("--seconds", type=float, default=10.0, help="for how long games are played")
    parser.add_argument("--call-seconds", type=float, default=MOST_CALL_SECONDS, help="how long a call lasts")
    parser.add_argument("--json", action="store_true", help="print all as JSON")
    arguments = parser.parse_args()
    spec = MatchSpec(GameSpec(arguments.game, ()), tuple(arguments.agents), arguments.games, 1)
    records, game = play(spec, arguments.seconds)
    batch = max(1, min(MOST_GAMES, int(arguments.call_seconds / game)))
    parts = driving(spec, records, batch)
    call, driver_call = calling()
    costs = Costs(game, call, driver_call, sum(parts.values()))
    found = [scaling(costs, arguments.games, cores, arguments.call_seconds) for cores in CORES]
    most = limit(costs, arguments.games, arguments.call_seconds)
    if arguments.json:
        print(
            json.dumps(
                {
                    "game": arguments.game,
                    "agents": arguments.agents,
                    "games": arguments.games,
                    "measured_games": len(records),
                    "costs": dataclasses.asdict(costs),
                    "driver_parts": parts,
                    "most_cores": most,
                    "scaling": [dataclasses.asdict(row) for row in found],
                }
            )
        )
        return
    print(f"a game {game * 1e3:.2f} ms of a core ({len(records)} games)")
    print(f"a call {call * 1e3:.2f} ms of an actor, {driver_call * 1e3:.2f} ms of the driver")
    print("a game of the driver's: " + ", ".join(f"{name} {value * 1e6:.1f} us" for name, value in parts.items()))
    print("\n".join(rows(found)))
    print(f"one driver keeps {most} cores busy")


if __name__ == "__main__":
    main()
