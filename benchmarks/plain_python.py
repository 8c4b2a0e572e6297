"""UCT simulations beside a package in plain Python, and beside OpenSpiel's search in Python over its C++ states.

    pip install -e '.[peers]'
    python benchmarks/plain_python.py [--seconds 5]

All run in this process, in turn, on one thread; processor seconds after compilation, on the empty board of Connect
Four. The package is `mcts` (P. Sinclair, PyPI), whose states the user writes: the ones here are as quick as plain
Python allows with little code, two integers of bits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from oponente import load_game
from oponente.arena.benchmark import benchmark

SIMULATIONS = 1000
COLUMNS, ROWS, HEIGHT = 7, 6, 7
FULL = sum(((1 << ROWS) - 1) << (HEIGHT * column) for column in range(COLUMNS))


class Board:
    """Connect Four as the package `mcts` wants it; the names of methods are its own."""

    def __init__(self, own: int = 0, other: int = 0, player: int = 1) -> None:
        self.own, self.other, self.player = own, other, player
        self.won = _has_four(other)

    def getCurrentPlayer(self) -> int:  # noqa: N802
        """1 maximises the reward, -1 minimises it."""
        return self.player

    def getPossibleActions(self) -> list[int]:  # noqa: N802
        """Return the columns with room."""
        both = self.own | self.other
        return [column for column in range(COLUMNS) if not both >> (HEIGHT * column + ROWS - 1) & 1]

    def takeAction(self, column: int) -> Board:  # noqa: N802
        """Return the board with one more stone."""
        both = self.own | self.other
        stone = (both + (1 << HEIGHT * column)) & ~both & ((1 << ROWS) - 1) << (HEIGHT * column)
        return Board(self.other, self.own | stone, -self.player)

    def isTerminal(self) -> bool:  # noqa: N802
        """Tell whether somebody has won or the board is full."""
        return self.won or self.own | self.other == FULL

    def getReward(self) -> int:  # noqa: N802
        """Return 1 if the first player has won, -1 if the second one has."""
        return -self.player if self.won else 0


def _has_four(stones: int) -> bool:
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


def speed(search: Callable[[], object], seconds: float) -> float:
    """Return simulations a processor second."""
    begin, searches = time.thread_time(), 0
    while time.thread_time() - begin < seconds:
        search()
        searches += 1
    return searches * SIMULATIONS / (time.thread_time() - begin)


def package() -> Callable[[], object]:
    """Return a search by the package."""
    from mcts import mcts

    return lambda: mcts(iterationLimit=SIMULATIONS).search(initialState=Board())


def openspiel() -> Callable[[], object]:
    """Return a search by OpenSpiel's Python."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("connect_four")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, SIMULATIONS, evaluator, solve=False)
    return lambda: bot.step(game.new_initial_state())


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each figure")
    seconds = parser.parse_args().seconds
    ours = benchmark(load_game("connect4"), seconds)["uct_simulations_per_s"]
    for name, make in (("mcts 1.0 (plain Python)", package), ("OpenSpiel's Python", openspiel)):
        theirs = speed(make(), seconds)
        print(f"{name:24} {theirs:10,.0f} simulations/s, ours {ours:12,.0f}, ratio {ours / theirs:8.1f}")


if __name__ == "__main__":
    main()
