"""Connect Four: the perfect solver of the standard board.

The score of a position is 0 for a draw; otherwise its sign tells whether the side to move wins, and its magnitude is 22
minus the number of stones that the winner has at the end. Early positions are looked up in the opening book
(:mod:`oponente.games.connect4.book`), the others searched (:mod:`oponente.games.connect4.solver_search`).
"""

from __future__ import annotations

import threading

import numpy as np

from oponente.games.connect4.bitboard import BOARD, BOTTOM, CELLS, COLUMN, COLUMNS, HEIGHT
from oponente.games.connect4.book import shipped_book
from oponente.games.connect4.solver_search import (
    BUCKET_BITS,
    COUNTERS,
    GENERATIONS,
    MIN_BUCKET_BITS,
    NODES,
    STOPPED,
    WAYS,
    WORST,
    solve_kernel,
)
from oponente.kernel import Control


class Stopped(Exception):
    """The control's stop flag was set, or its deadline passed, before the score was known."""


class Solver:
    """Finds exact scores of positions on the standard board.

    A solver keeps a transposition table between calls, so that related positions are solved faster. Each solver has its
    own table, and its kernel runs without the interpreter lock: solve in parallel with one solver per thread. Calls of
    one solver from several threads take turns.

    Args:
        table_mib: size of the transposition table in MiB, rounded down to a power of two.
        book: answer early positions from the opening book that comes with the package.
    """

    def __init__(self, *, table_mib: float = 64, book: bool = True) -> None:
        bucket_bits = max(MIN_BUCKET_BITS, int(table_mib * (1 << 20) / (8 * WAYS)).bit_length() - 1)
        # Each bucket lies within one line of the processor's cache.
        size = WAYS << bucket_bits
        memory = np.zeros(size + 8, np.uint64)
        start = -memory.ctypes.data // 8 % 8
        self._table = memory[start : start + size]
        self._generation = 1
        self._counters = np.zeros(COUNTERS, np.int64)
        self._counters[BUCKET_BITS] = MIN_BUCKET_BITS
        self._lock = threading.Lock()
        self._book = shipped_book() if book else None

    @property
    def nodes(self) -> int:
        """How many nodes the last call visited; 0 if it was answered without a search."""
        return int(self._counters[NODES])

    def reset(self) -> None:
        """Forget everything learnt from earlier positions."""
        with self._lock:
            self._generation += 1
            if self._generation == GENERATIONS:
                self._table.fill(0)
                self._generation = 1
            self._counters[BUCKET_BITS] = MIN_BUCKET_BITS

    def solve(self, stones0: int, stones1: int, *, lower: int = WORST, control: Control | None = None) -> int:
        """Return the score of a position for the side to move.

        Args:
            stones0: stones of the first player, as a bit mask in the layout of the rules.
            stones1: stones of the second player.
            lower: a score that is known to be reached; a good bound makes the search shorter, a wrong one its result.
            control: stop flag and deadline; without one the search runs to its end.

        Raises:
            ValueError: the position can't occur, or the game is over.
            Stopped: the control ended the search.
        """
        mine, theirs = checked_position(stones0, stones1)
        with self._lock:
            self._counters[NODES] = 0
            return self._score(mine, theirs, control or Control(), lower)

    def move_scores(self, stones0: int, stones1: int, *, control: Control | None = None) -> list[int | None]:
        """Return the score of each column for the side to move, None for a full column.

        The arguments and exceptions are those of :meth:`solve`; the largest score is what that returns.
        """
        mine, theirs = checked_position(stones0, stones1)
        full = mine | theirs
        control = control or Control()
        scores: list[int | None] = []
        with self._lock:
            self._counters[NODES] = 0
            for column in range(COLUMNS):
                move = (full + (1 << column * HEIGHT)) & (int(COLUMN) << column * HEIGHT)
                if not move:
                    scores.append(None)
                elif _row(mine | move):
                    scores.append((CELLS + 1 - full.bit_count()) // 2)
                elif full | move == BOARD:
                    scores.append(0)
                else:
                    scores.append(-self._score(theirs, mine | move, control))
        return scores

    def _score(self, mine: int, theirs: int, control: Control, lower: int = WORST) -> int:
        if self._book is not None:
            known = self._book.score(mine, theirs)
            if known is not None:
                return known
        score = solve_kernel(
            np.uint64(mine),
            np.uint64(theirs),
            lower,
            self._table,
            np.uint64(self._generation),
            self._counters,
            control.array,
        )
        if score == STOPPED:
            raise Stopped
        return int(score)


def checked_position(stones0: int, stones1: int) -> tuple[int, int]:
    """Return the stones of the side to move and of the other side, or raise ValueError if no game stands there."""
    stones0, stones1 = int(stones0), int(stones1)
    full = stones0 | stones1
    if stones0 & stones1:
        raise ValueError("two stones in one cell")
    if stones0 < 0 or stones1 < 0 or full & ~int(BOARD):
        raise ValueError("a stone outside the board of 7 columns and 6 rows")
    if full & ~((full << 1) | int(BOTTOM)):
        raise ValueError("a stone with an empty cell below it")
    ahead = stones0.bit_count() - stones1.bit_count()
    if ahead not in (0, 1):
        raise ValueError("the first player must have as many stones as the second, or one more")
    if _row(stones0) or _row(stones1):
        raise ValueError("the game is over: four in a row")
    if full == BOARD:
        raise ValueError("the game is over: the board is full")
    return (stones0, stones1) if ahead == 0 else (stones1, stones0)


def _row(stones: int) -> bool:
    return any(stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in (1, 6, 7, 8))
