"""A transposition table: what was found out about positions that may be met again on another way.

Source: R. Greenblatt, D. Eastlake, S. Crocker, "The Greenblatt chess program" (1967); two bounds for each position as
in A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, "Best-first fixed-depth minimax algorithms" (1996).

Each bucket holds two entries. The first keeps what took the deeper search, the second whatever came last (D. Breuker,
J. Uiterwijk, J. van den Herik, "Replacement schemes for transposition tables", 1994: TwoDeep).

A position is known again by 128 bits (:func:`oponente.kernel.rules.hash_state`): one word chooses the bucket, the other
is compared. With the default hash, each comparison of two different positions goes wrong with probability 2^-64, so a
search of a billion nodes with probability 10^-10.

Entries are good for one search only: each search has its own *stamp*, and entries with another one count as empty. So
what is found does not depend on what was searched before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import CHANCE, mix64, njit, record
from oponente.search.frames import BEST_REPLY

ENTRY = record(
    ("key", "u8"),
    ("low", "f8"),  # the value is at least this,
    ("high", "f8"),  # and at most this
    ("stamp", "u4"),  # of the search that wrote the entry
    ("move", "i4"),  # best action, -1: none
    ("left", "i2"),  # plies that were searched below
    ("cut", "i1"),  # whether a position was cut off at the horizon on the way to the bounds
)
_EVEN = ~np.uint64(1)
_REACH_STEPS = 2.0**53
_RUN = np.uint64(1 << 63)  # so that the words of two equal probabilities don't take each other away
_REPLIER_FACTOR = np.uint64(0xA24BAED4963EE407)


class Entries(NamedTuple):
    """The table as kernels see it. Its size is a power of two."""

    fixed: Any
    """Records :data:`ENTRY`."""
    values: Any
    """float64, one row an entry: what each player can expect, where both bounds are the same."""


@njit
def identify(frame: Any, settings: Any, words: Any) -> None:
    """Set the words by which a frame is known: those of its position, and all else that its value depends on."""
    frame.key, frame.place, frame.kept = words[0], words[1], 1
    if settings.rule == BEST_REPLY:
        frame.key ^= np.uint64(frame.replier + 1) * _REPLIER_FACTOR
    if settings.free_chance and frame.mover == CHANCE:
        frame.key ^= mix64(np.uint64(frame.run * _REACH_STEPS) ^ _RUN)
    if settings.cutoff > 0.0:
        frame.key ^= mix64(np.uint64(frame.reach * _REACH_STEPS))


@njit
def settles(known: Any, frame: Any, settings: Any, ply: Any) -> bool:
    """Let a frame learn from its entry; tell whether its value is known well enough.

    What was found at the same depth counts; so does what was found at less, if nothing was cut off there. So a search
    has the same result as without the table. The root is always searched.
    """
    if known.move >= 0:
        frame.hint = known.move
    if ply == 0 or (known.left != frame.left and (known.cut or known.left > frame.left)):
        return False
    if known.low < known.high and known.low < frame.beta and known.high > frame.alpha:
        return False
    frame.low, frame.high, frame.cut, frame.kept = known.low, known.high, known.cut, 0
    return True


@njit
def recall(move: Any, table_values: Any, index: Any, lines: Any, values: Any, ply: Any) -> None:
    """Copy the best action and the values of an entry; the values count where its bounds are the same."""
    lines[ply, ply], lines[ply, ply + 1] = move, -1
    for p in range(values.shape[1]):
        values[ply, p] = table_values[index, p]


@njit
def keep(frame: Any, settings: Any, table: Any, table_values: Any, values: Any, ply: Any) -> None:
    """Write the result of a frame to the table."""
    index = entry_to_replace(table, frame.key, frame.place, settings.stamp, frame.left)
    known = table[index]
    known.key, known.stamp, known.left = frame.key, settings.stamp, frame.left
    known.low, known.high, known.move, known.cut = frame.low, frame.high, frame.best_move, frame.cut
    for p in range(values.shape[1]):
        table_values[index, p] = values[ply, p]


@njit
def find_entry(table: Any, key: Any, place: Any, stamp: Any) -> int:
    """Return the index of the entry of a position, -1 if there is none."""
    first = np.int64(place & np.uint64(table.size - 1) & _EVEN)
    for index in (first, first + 1):
        if table[index].key == key and table[index].stamp == stamp:
            return index
    return -1


@njit
def entry_to_replace(table: Any, key: Any, place: Any, stamp: Any, left: Any) -> int:
    """Return the index of the entry that a new result of a search of `left` plies goes to."""
    first = np.int64(place & np.uint64(table.size - 1) & _EVEN)
    for index in (first, first + 1):
        if table[index].key == key and table[index].stamp == stamp:
            return index
    deep = table[first]
    return first if deep.stamp != stamp or deep.left <= left else first + 1


class TranspositionTable:
    """The memory of a table, kept from search to search.

    Args:
        mebibytes: how much memory it may take; 0: one bucket, which is never used.
        players: of the game.

    Raises:
        MemoryError: with one line, if the machine does not have as much.
    """

    def __init__(self, mebibytes: float, players: int) -> None:
        size = ENTRY.itemsize + 8 * players
        entries = 2
        while 2 * entries * size <= mebibytes * 2**20:
            entries *= 2
        self.used = mebibytes > 0.0
        try:
            self.entries = Entries(np.zeros(entries, ENTRY), np.zeros((entries, players)))
        except MemoryError:
            raise MemoryError(f"table={mebibytes:g}: this machine has not so many MiB to spare; give fewer") from None
        self.stamp = 0

    def begin(self) -> None:
        """Forget everything: another search begins."""
        self.stamp += 1
        if self.stamp == 2**32:
            self.entries.fixed[:] = 0
            self.stamp = 1
