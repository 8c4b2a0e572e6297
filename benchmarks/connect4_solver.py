"""Measure the Connect Four solver beside bitbully, a solver in C++, on the same positions.

    python benchmarks/connect4_solver.py
    python benchmarks/connect4_solver.py --file tests/data/connect4-positions.json --stones 8 12 16
    python benchmarks/connect4_solver.py --empty-board

Both solve in one thread of one process, taking turns, and each position with empty tables; emptying them and compiling
are not counted, and times are processor times. The length of a turn (--turn, in positions) matters at many stones,
where a position takes a fraction of a millisecond: after each change of turns a solver finds the processor's caches
cleared by the other. One position is the strictest comparison and the default; say which was used. bitbully solves with
its MTD(f), its quickest call that gives exact scores. Its nodes and ours are not the same thing: we don't count the
children that their parent settles.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

from bitbully.bitbully_core import BitBullyCore, BoardCore

from oponente.games.connect4.bitboard import COLUMNS, HEIGHT, ROWS
from oponente.games.connect4.solver import Solver

Moves = list[int]
COUNTS = {14: 200, 18: 600, 24: 2000}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, nargs="*", default=list(COUNTS), help="stones of the random positions")
    parser.add_argument("--count", type=int, help="random positions of each kind (default: 200, 600, 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random positions")
    parser.add_argument("--file", type=Path, help="JSON file of positions with exact scores, solved as well")
    parser.add_argument("--table-mib", type=int, default=64, help="our transposition table")
    parser.add_argument("--empty-board", action="store_true", help="solve the empty board instead (minutes)")
    parser.add_argument("--turn", type=int, default=1, help="positions that one solves before it is the other's turn")
    arguments = parser.parse_args()

    ours, theirs = Solver(table_mib=arguments.table_mib, book=False), BitBullyCore()
    ours.move_scores(*stones_of(random_moves(random.Random(0), 30)))  # compiles
    print("positions             count    ours ms  Mnodes/s  bitbully ms  Mnodes/s   ratio")
    if arguments.empty_board:
        compare("empty board", [[]], ours, theirs, 1)
        return
    for stones in arguments.stones:
        rng = random.Random(f"{arguments.seed} {stones}")
        count = arguments.count or COUNTS.get(stones, 100)
        compare(
            f"random, {stones} stones", [random_moves(rng, stones) for _ in range(count)], ours, theirs, arguments.turn
        )
    if arguments.file:
        cases = json.loads(arguments.file.read_text())["positions"]
        positions = [[int(digit) - 1 for digit in case["moves"]] for case in cases]
        scores = compare("file", positions, ours, theirs, arguments.turn)
        wrong = sum(score != case["score"] for score, case in zip(scores, cases, strict=True))
        print(f"file: {wrong} of {len(cases)} scores differ from those in the file")


def compare(name: str, positions: list[Moves], ours: Solver, theirs: BitBullyCore, turn_length: int) -> list[int]:
    """Solve the positions with both, print a line of the table, and return the scores."""
    our_time = our_nodes = their_time = 0.0
    scores = []
    theirs.resetNodeCounter()
    for first in range(0, len(positions), turn_length):
        turn = positions[first : first + turn_length]
        for moves in turn:
            stones = stones_of(moves)
            ours.reset()
            start = time.process_time()
            scores.append(ours.solve(*stones))
            our_time += time.process_time() - start
            our_nodes += ours.nodes
        for moves, score in zip(turn, scores[first:], strict=True):
            board = BoardCore()
            assert board.setBoard(moves)
            theirs.resetTranspositionTable()
            start = time.process_time()
            other = theirs.mtdf(board, 0)
            their_time += time.process_time() - start
            if score != other:
                raise SystemExit(f"{moves}: we say {score}, bitbully says {other}")
    count, their_nodes = len(positions), theirs.getNodeCounter()
    print(
        f"{name:20} {count:6} {our_time / count * 1e3:10.3f} {our_nodes / our_time / 1e6:9.2f}"
        f" {their_time / count * 1e3:12.3f} {their_nodes / their_time / 1e6:9.2f} {our_time / their_time:7.2f}",
        flush=True,
    )
    return scores


def random_moves(rng: random.Random, count: int) -> Moves:
    """Play at random until a game has this many stones without a row of four, and no winning move for the mover."""
    while True:
        moves: Moves = []
        board = BoardCore()
        while len(moves) < count and not board.hasWin():
            moves.append(rng.choice([column for column in range(COLUMNS) if moves.count(column) < ROWS]))
            board.play(moves[-1])
        if not board.hasWin() and not board.canWin():
            return moves


def stones_of(moves: Moves) -> tuple[int, int]:
    """Return the stones of both players."""
    stones = [0, 0]
    for ply, column in enumerate(moves):
        stones[ply & 1] |= 1 << column * HEIGHT + moves[:ply].count(column)
    return stones[0], stones[1]


if __name__ == "__main__":
    main()
