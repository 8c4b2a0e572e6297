"""Random games of Catan beside the Catanatron package, in this process, in turn, on one thread.

    python benchmarks/catanatron.py [--seconds 10] [--turn 1] [--players 4]

Processor seconds after compilation. Ours are games as ``oponente bench catan`` defines them: four players who choose
uniformly among all that is listed, from a fresh start position to a real end, trade between players off, no limit of
turns. Theirs are four of its random players, with its usual end after 1,000 turns. The machine is noisy, so the two
take turns, and the ratio of each turn is kept as well. Target: at least 200 times its rate.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from oponente.games.catan import rules
from oponente.kernel import UNIFORM, Control, Game, stream
from oponente.search.playout import playouts

# This file has the package's name: from its own folder, Python would import it instead.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]


def our_games(players: int, seed: int) -> Callable[[], int]:
    """Return a function that plays some random games of ours, and returns how many."""
    game = Game(rules, {"players": str(players), "trade": "false", "turn_limit": "0"})
    states, rng = game.new_states(2), stream(seed, "bench")
    buffer, totals = np.zeros(game.max_actions, np.int32), np.zeros(game.num_players)
    control = Control()

    def play() -> int:
        done, _ = playouts(game.tables, UNIFORM, states, rng, buffer, 100, control.array, totals)
        return int(done)

    return play


def their_games(players: int, seed: int) -> Callable[[], int]:
    """Return a function that plays a random game of Catanatron's, and returns 1."""
    from catanatron import Color, RandomPlayer
    from catanatron import Game as TheirGame

    random.seed(seed)
    colours = list(Color)[:players]

    def play() -> int:
        TheirGame([RandomPlayer(colour) for colour in colours]).play()
        return 1

    return play


def timed(play: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Play for some processor seconds; return games and seconds."""
    games, begin = 0, time.thread_time()
    while time.thread_time() - begin < seconds:
        games += play()
    return games, time.thread_time() - begin


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each engine")
    parser.add_argument("--turn", type=float, default=1.0, help="seconds before the other's turn")
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    engines = our_games(arguments.players, arguments.seed), their_games(arguments.players, arguments.seed)
    for play in engines:
        play()  # compiles, imports
    games, seconds, ratios = [0, 0], [0.0, 0.0], []
    while min(seconds) < arguments.seconds:
        rates = []
        for i, play in enumerate(engines):
            played, spent = timed(play, arguments.turn)
            games[i] += played
            seconds[i] += spent
            rates.append(played / spent)
        ratios.append(rates[0] / rates[1])
    ours, theirs = games[0] / seconds[0], games[1] / seconds[1]
    print(
        f"catan, {arguments.players} players   random games/s   ours {ours:10,.1f}   Catanatron {theirs:8,.2f}   "
        f"ratio {ours / theirs:6.1f}   (turns: {min(ratios):.1f} to {max(ratios):.1f}, "
        f"median {statistics.median(ratios):.1f})"
    )


if __name__ == "__main__":
    main()
