"""Matches between our agents and Catanatron's players, in our engine and in Catanatron's, with paired seats.

    python benchmarks/catanatron_match.py uct:1000 F --games 100 --path FOLDER
    python benchmarks/catanatron_match.py uct:1000 AB:2 --players 4 --engine catanatron

Ours sits against Catanatron's player in all other seats. Games come in blocks of as many as there are players: with the
same board, and in our engine the same luck, each agent sits in each seat once. The rate of wins has Wilson's 95 %
interval. Our engine plays by the preset ``catanatron``; trade between players is off, of which Catanatron's players
make no use.

Catanatron (GPL-3.0-or-later) must be installed, for the players F and AB from its repository, or lie in the folder that
--path names. Where it plays itself, it is imported by a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter

from oponente.arena import MatchSpec, run_match, wilson_interval
from oponente.games.catalogue import GameSpec
from oponente.interop.catanatron.agents import PLAYER_FILE, PROCESS_FILE

HOST = """
import importlib.util, json, sys
from catanatron import Color, Game

def load(file, name):
    spec = importlib.util.spec_from_file_location(name, file)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

arguments = json.loads(sys.argv[1])
ours = load(arguments["player_file"], "ours")
theirs = load(arguments["process_file"], "theirs")
colours = list(Color)[: arguments["players"]]
players = [ours.OponentePlayer(colours[0], *arguments["agent"].split(":"))]
players += [theirs.make_player(arguments["opponent"], colour) for colour in colours[1:]]
if arguments["repaired"]:
    theirs.repair_chance()
for index in range(arguments["games"]):
    block, turn = divmod(index, len(players))
    # One seed shuffles the list always in the same way: turned by one, each sits elsewhere on the same board.
    game = Game(players[turn:] + players[:turn], seed=arguments["seed"] + block)
    try:
        game.play()
        winner = game.winning_color()
        result = "draw" if winner is None else "win" if winner == colours[0] else "loss"
    except TypeError as error:  # Catanatron 3.2.1, where a settlement cuts a road
        result = f"crash: {error}"
    print(json.dumps([result, game.state.colors.index(colours[0])]), flush=True)
"""


def in_our_engine(arguments: argparse.Namespace) -> list[tuple[str, int]]:
    """Return the result and the seat of each game for our agent."""
    opponent = f'catanatron:player="{arguments.opponent}"'
    for key, value in (("path", arguments.path), ("repaired", arguments.repaired), ("cheat", arguments.cheat)):
        if value:
            opponent += f',{key}="{str(value).lower() if isinstance(value, bool) else value}"'
    options = {"players": str(arguments.players), "preset": "catanatron", "trade": "false"}
    spec = MatchSpec(
        GameSpec("catan", tuple(sorted(options.items()))),
        (arguments.agent, *[opponent] * (arguments.players - 1)),
        games=arguments.games,
        seed=arguments.seed,
    )
    results = []
    for record in run_match(spec, workers=arguments.workers).records:
        seat = record.agents.index(0)
        result = "draw" if max(record.returns) < 1.0 else "win" if record.returns[seat] == 1.0 else "loss"
        results.append((result if not record.reason else f"{record.status}: {record.reason}", seat))
    return results


def in_their_engine(arguments: argparse.Namespace) -> list[tuple[str, int]]:
    """Return the same of games that Catanatron plays."""
    wanted = {
        "player_file": str(PLAYER_FILE), "process_file": str(PROCESS_FILE), "players": arguments.players,
        "agent": arguments.agent, "opponent": arguments.opponent, "repaired": arguments.repaired,
        "games": arguments.games, "seed": arguments.seed,
    }  # fmt: skip
    environment = dict(os.environ, PYTHONHASHSEED="0")
    if arguments.path:
        environment["PYTHONPATH"] = os.pathsep.join([arguments.path, environment.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", HOST, json.dumps(wanted)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return [(str(result), int(seat)) for result, seat in map(json.loads, done.stdout.splitlines())]


def main() -> None:
    """Play, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent", help="ours, such as uct:1000")
    parser.add_argument("opponent", help="Catanatron's, such as F, AB:2")
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("ours", "catanatron", "both"), default="both")
    parser.add_argument("--path", default="", help="folder that holds Catanatron's package, if it is not installed")
    parser.add_argument("--repaired", action="store_true", help="AB sees each outcome of chance where it is weighted")
    parser.add_argument("--cheat", action="store_true", help="in our engine, Catanatron's player sees what is hidden")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    for engine, play in (("ours", in_our_engine), ("catanatron", in_their_engine)):
        if arguments.engine in (engine, "both"):
            begin = time.perf_counter()
            title = f"{arguments.agent} v {arguments.opponent}, {arguments.players} players, engine: {engine}"
            report(title, play(arguments))
            print(f"  {(time.perf_counter() - begin) / arguments.games:.2f} s a game")


def report(title: str, results: list[tuple[str, int]]) -> None:
    """Print the rate of wins, in all and by seat."""
    print(title)
    for name, some in [("all seats", results), *sorted(by_seat(results).items())]:
        wins, games = sum(result == "win" for result, _ in some), len(some)
        low, high = wilson_interval(wins, games)
        others = Counter(result for result, _ in some if result not in ("win", "loss"))
        more = "".join(f", {count} {result}" for result, count in others.items())
        print(
            f"  {name}: {wins} of {games} won, {100 * wins / games:.1f} % ({100 * low:.1f} .. {100 * high:.1f}){more}"
        )


def by_seat(results: list[tuple[str, int]]) -> dict[str, list[tuple[str, int]]]:
    """Return the results by seat."""
    found: dict[str, list[tuple[str, int]]] = {}
    for result, seat in results:
        found.setdefault(f"seat {seat + 1}", []).append((result, seat))
    return found


if __name__ == "__main__":
    main()
