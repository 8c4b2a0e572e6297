"""VGDL: the paths that path chasers follow, found before a game begins and never again.

From every cell without an obstacle (the header's `obs`) a uniform-cost search visits all cells. What decides between
paths of equal length is the order of neighbours and that of the priority queue, the binary heap of
java.util.PriorityQueue as textbooks describe it; a cell keeps the parent from which it was seen first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.kinds import DOWN, LEFT, RIGHT, UP

VERTICAL = ((UP, 0, -1), (DOWN, 0, 1))
HORIZONTAL = ((LEFT, -1, 0), (RIGHT, 1, 0))


class JavaHeap:
    """A priority queue of (cost, item), ordered by cost alone."""

    def __init__(self) -> None:
        self._entries: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._entries)

    def push(self, cost: int, item: int) -> None:
        """Put an item in."""
        entries = self._entries
        entries.append((cost, item))
        at = len(entries) - 1
        while at > 0 and cost < entries[(at - 1) // 2][0]:
            entries[at] = entries[(at - 1) // 2]
            at = (at - 1) // 2
        entries[at] = (cost, item)

    def pop(self) -> tuple[int, int]:
        """Take out an item of least cost."""
        entries = self._entries
        least, last = entries[0], entries.pop()
        if entries:
            at = 0
            while 2 * at + 1 < len(entries):
                child = 2 * at + 1
                if child + 1 < len(entries) and entries[child][0] > entries[child + 1][0]:
                    child += 1
                if last[0] <= entries[child][0]:
                    break
                entries[at] = entries[child]
                at = child
            entries[at] = last
        return least


def first_steps(columns: int, rows: int, free: list[tuple[int, int]], *, sideways: bool) -> Any:
    """Return the direction of the first step of the path between any two free cells.

    Args:
        columns, rows: size of the level.
        free: the cells without obstacle, as column and row.
        sideways: whether steps to the left and right are possible.

    Returns:
        int8 array: by the numbers of start and end in `free`; 0 where there is no path, or none is needed.
    """
    node = {cell: number for number, cell in enumerate(free)}
    neighbours = [
        [
            (direction, node[x + dx, y + dy])
            for direction, dx, dy in (*VERTICAL, *(HORIZONTAL if sideways else ()))
            if 0 <= x + dx < columns and 0 <= y + dy < rows and (x + dx, y + dy) in node
        ]
        for x, y in free
    ]
    steps = np.zeros((len(free), len(free)), np.int8)
    for start in range(len(free)):
        _search(start, neighbours, steps[start])
    return steps


def _search(start: int, neighbours: list[list[tuple[int, int]]], steps: Any) -> None:
    """Write the first step from `start` to every cell that can be reached."""
    first: list[int] = [-1] * len(neighbours)
    first[start] = 0
    heap = JavaHeap()
    heap.push(0, start)
    while len(heap):
        cost, current = heap.pop()
        for direction, other in neighbours[current]:
            if first[other] < 0:
                first[other] = first[current] or direction
                heap.push(cost + 1, other)
    steps[:] = np.maximum(np.array(first, np.int8), 0)
