"""Catan: the longest road.

A road counts up to and including the piece that ends at an opponent's building, and never passes through one; each
piece counts once, so a road is a trail of the graph of a player's pieces.
"""

from __future__ import annotations

from typing import Any

from oponente.games.catan.board import (
    DOWN,
    NONE,
    ONE,
    above,
    below,
    far_end,
    near_end,
    touched,
)
from oponente.kernel import njit
from oponente.kernel.bits import bit

LONGEST_ROAD_MINIMUM = 5
NOBODY = -1


EAST, WEST, SOUTH, NORTH, EXHAUSTED = range(5)


@njit
def trail(place: Any, across: Any, down: Any, walls: Any) -> int:
    """Return the length of the longest trail that starts at a node: depth-first search with backtracking.

    Args:
        place: the node, as a bit.
        across, down: the edges that may be used, each once.
        walls: nodes at which a trail ends, but may start.
    """
    best, length = 0, 0
    steps = 0  # the directions taken so far, two bits each, the last one lowest; 15 pieces fit
    direction = EAST
    while True:
        if direction == EXHAUSTED or (length > 0 and place & walls):
            if length == 0:
                return best
            # Step back, and try the next direction from there.
            direction = steps & 3
            steps >>= 2
            length -= 1
            if direction == EAST:
                place >>= ONE
                across |= place
            elif direction == WEST:
                across |= place
                place <<= ONE
            elif direction == SOUTH:
                place = above(place)
                down |= place
            else:
                down |= place
                place = below(place)
            direction += 1
            continue
        beyond = NONE
        if direction == EAST and across & place:
            across &= ~place
            beyond = place << ONE
        elif direction == WEST and across & place >> ONE:
            beyond = place >> ONE
            across &= ~beyond
        elif direction == SOUTH and down & place:
            down &= ~place
            beyond = below(place)
        elif direction == NORTH and down & above(place):
            beyond = above(place)
            down &= ~beyond
        if beyond == NONE:
            direction += 1
        else:
            place = beyond
            steps = steps << 2 | direction
            length += 1
            best = length if length > best else best
            direction = EAST


@njit
def longest_trail(across: Any, down: Any, walls: Any) -> int:
    """Return the length of the longest trail of a player's pieces."""
    best = 0
    nodes = touched(across, down)
    while nodes:
        place = nodes & (~nodes + ONE)
        nodes ^= place
        length = trail(place, across, down, walls)
        best = length if length > best else best
    return best


@njit
def lengthened(before: Any, edge: Any, across: Any, down: Any, walls: Any) -> int:
    """Return the length of the longest trail after `edge` has joined the pieces, `before` without it."""
    without_across = across & ~bit(edge) if edge < DOWN else across
    without_down = down if edge < DOWN else down & ~bit(edge - DOWN)
    old = touched(without_across, without_down)
    near, far = near_end(edge), far_end(edge)
    if old & near and old & far:  # it joins two roads, or closes a ring
        return longest_trail(across, down, walls)
    # Elsewhere the piece is the end of every trail that uses it.
    length = trail(far if old & near else near, across, down, walls)
    return length if length > before else before
