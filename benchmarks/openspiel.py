"""Random playouts and UCT simulations beside OpenSpiel's C++, and how playouts scale on two threads.

    python benchmarks/openspiel.py [--games tictactoe connect4] [--seconds 2]

Both run in this process, in turn, on one thread; processor seconds after compilation. Targets for Connect Four:
playouts at least 25 times OpenSpiel's, UCT simulations at least 8 times, and two threads at least 0.9 times as well as
a loop of pure arithmetic on the same two threads (best of five).
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from oponente import load_game
from oponente.arena.benchmark import UCT_SIMULATIONS, benchmark
from oponente.kernel import UNIFORM, Control, Game, stream
from oponente.search.playout import playouts

THEIRS = {"tictactoe": "tic_tac_toe", "connect4": "connect_four"}


def openspiel_speed(name: str, seconds: float) -> tuple[float, float]:
    """Return OpenSpiel's random games and UCT simulations a processor second, both in its C++."""
    import pyspiel

    game = pyspiel.load_game(name)
    # Its playouts are reached from Python only through the evaluation of a search: one that evaluates just the root.
    begin, rollouts = time.thread_time(), 0
    while time.thread_time() - begin < seconds:
        many = pyspiel.RandomRolloutEvaluator(n_rollouts=20_000, seed=rollouts)
        pyspiel.MCTSBot(game, many, 1.4, 1, 1000, False, 1, False).step(game.new_initial_state())
        rollouts += 20_000
    playouts_per_s = rollouts / (time.thread_time() - begin)

    begin, searches = time.thread_time(), 0
    while time.thread_time() - begin < seconds:
        one = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=searches)
        bot = pyspiel.MCTSBot(game, one, 1.4, UCT_SIMULATIONS, 1000, False, searches, False)
        bot.step(game.new_initial_state())
        searches += 1
    return playouts_per_s, searches * UCT_SIMULATIONS / (time.thread_time() - begin)


@numba.njit(nogil=True)
def arithmetic(count: int) -> int:
    """Do nothing but arithmetic in registers."""
    x = np.uint64(88172645463325252)
    for _ in range(count):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
    return x


def scaling(work: Callable[[], Any]) -> float:
    """Return how many times as much two threads do in a second as one: 2 at best."""

    def wall(threads: int) -> float:
        running = [threading.Thread(target=work) for _ in range(threads)]
        begin = time.perf_counter()
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return time.perf_counter() - begin

    return 2 * wall(1) / wall(2)


def play(game: Game, count: int, seed: int) -> None:
    """Play random games."""
    playouts(
        game.tables,
        UNIFORM,
        game.new_states(2),
        stream(seed),
        np.zeros(game.max_actions, np.int32),
        count,
        Control().array,
        np.zeros(game.num_players),
    )


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=list(THEIRS), default=list(THEIRS))
    parser.add_argument("--seconds", type=float, default=2.0, help="of each figure")
    arguments = parser.parse_args()

    for name in arguments.games:
        game = load_game(name)
        ours = benchmark(game, arguments.seconds)
        their_playouts, their_uct = openspiel_speed(THEIRS[name], arguments.seconds)
        for what, mine, other in (
            ("random games/s", ours["playouts_per_s"], their_playouts),
            ("UCT simulations/s", ours["uct_simulations_per_s"], their_uct),
        ):
            print(f"{name:10} {what:18} ours {mine:12,.0f}  OpenSpiel {other:12,.0f}  ratio {mine / other:6.1f}")

    game = load_game("connect4")
    play(game, 1, 1)
    arithmetic(1)
    rounds = [(scaling(lambda: play(game, 1_000_000, 1)), scaling(lambda: arithmetic(300_000_000))) for _ in range(5)]
    best_playouts, best_arithmetic = max(r[0] for r in rounds), max(r[1] for r in rounds)
    print(
        f"two threads, best of five: playouts {best_playouts:.2f} times one, arithmetic {best_arithmetic:.2f} times, "
        f"ratio {best_playouts / best_arithmetic:.2f}"
    )


if __name__ == "__main__":
    main()
