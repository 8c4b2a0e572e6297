"""Catan: the longest road.

A road counts up to and including the piece that ends at an opponent's building, and never passes through one; each
piece counts once, so a road is a trail of the graph of a player's pieces.
"""

from __future__ import annotations

from typing import Any

from oponente.games.catan.board import (
    DOWN,
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


@njit
def trail(place: Any, across: Any, down: Any, walls: Any) -> int:
    """Return the length of the longest trail that starts at a node.

    Args:
        place: the node, as a bit.
        across, down: the edges that may be used, each once.
        walls: nodes at which a trail ends, but may start.
    """
    # The recursion is bounded by the 15 pieces that a player has.
    best = 0
    if across & place:
        best = 1 + onward(place << ONE, across & ~place, down, walls)
    west = place >> ONE
    if across & west:
        length = 1 + onward(west, across & ~west, down, walls)
        best = length if length > best else best
    if down & place:
        length = 1 + onward(below(place), across, down & ~place, walls)
        best = length if length > best else best
    else:
        north = above(place)
        if down & north:
            length = 1 + onward(north, across, down & ~north, walls)
            best = length if length > best else best
    return best


@njit
def onward(place: Any, across: Any, down: Any, walls: Any) -> int:
    """Return the length of the longest trail on from a node that a trail has reached."""
    return 0 if place & walls else trail(place, across, down, walls)


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
