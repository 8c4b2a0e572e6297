"""Catan: the island as bit masks over its 54 intersections.

The intersections (*nodes*) lie in six zigzag rows, ``a`` to ``f`` from north to south, and are numbered row by row from
the west::

    row   columns   nodes        hexes beneath the row
    a      3 ..  9    0 ..  6     0 ..  2
    b      2 .. 10    7 .. 15     3 ..  6
    c      1 .. 11   16 .. 26     7 .. 11
    d      1 .. 11   27 .. 37    12 .. 15
    e      2 .. 10   38 .. 46    16 .. 18
    f      3 ..  9   47 .. 53

A node is named by row and column (``c4``); neighbours within a row have neighbouring columns, and a node has at most
one neighbour in another row, straight above or below it. So every path (*edge*) runs either *across*, from a node to
the next one in its row, or *down*, from a node to the one below it, and belongs to the node at its west or north end:
edge ``n`` runs across from node n, edge ``64 + n`` down from it. A set of edges is two masks over nodes.

Hexes (*tiles*) are numbered in reading order, harbours clockwise from the north-west.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit

NODES, EDGE_IDS, TILES, HARBOURS = 54, 128, 19, 9
DOWN = 64
"""What the identifiers of edges that run down begin with."""

ROWS = "abcdef"
ROW_START = (0, 7, 16, 27, 38, 47, 54)
FIRST_COLUMN = (3, 2, 1, 1, 2, 3)
TILE_ROW_START = (0, 3, 7, 12, 16, 19)
FIRST_TILE_COLUMN = (4, 3, 2, 3, 4)
"""Column of the northern corner of the westernmost tile of each row; the next ones follow two columns apart."""

# --- coordinates (Python) ------------------------------------------------------------------------------------------


def node_at(row: int, column: int) -> int:
    """Return the node in a row (0 is ``a``) and column."""
    return ROW_START[row] + column - FIRST_COLUMN[row]


def node_place(node: int) -> tuple[int, int]:
    """Return row and column of a node."""
    row = max(r for r in range(6) if ROW_START[r] <= node)
    return row, node - ROW_START[row] + FIRST_COLUMN[row]


def tile_place(tile: int) -> tuple[int, int]:
    """Return row of a tile (0 is the northernmost) and column of its northern corner."""
    row = max(r for r in range(5) if TILE_ROW_START[r] <= tile)
    return row, FIRST_TILE_COLUMN[row] + 2 * (tile - TILE_ROW_START[row])


def tile_corners(tile: int) -> tuple[int, ...]:
    """Return the six nodes of a tile, clockwise from the north."""
    row, column = tile_place(tile)
    return (
        node_at(row, column),
        node_at(row, column + 1),
        node_at(row + 1, column + 1),
        node_at(row + 1, column),
        node_at(row + 1, column - 1),
        node_at(row, column - 1),
    )


def edge_ends(edge: int) -> tuple[int, int]:
    """Return the two nodes of an edge, the western or northern one first."""
    node = edge % DOWN
    if edge < DOWN:
        return node, node + 1
    row, column = node_place(node)
    return node, node_at(row + 1, column)


def bits(mask: Any) -> list[int]:
    """Return the numbers of the bits that are set, ascending: the nodes or tiles of a mask."""
    rest, found = int(mask), []
    while rest:
        lowest = rest & -rest
        found.append(lowest.bit_length() - 1)
        rest ^= lowest
    return found


def edges_in(across: Any, down: Any) -> list[int]:
    """Return the edges of two masks, ascending: those that run across, and those that run down."""
    return [*bits(across), *(DOWN + node for node in bits(down))]


def _mask(nodes: Any) -> np.uint64:
    return np.uint64(sum(1 << int(node) for node in nodes))


def _has_node_below(node: int) -> bool:
    """A node is the northern end of an edge if it is an eastern or western corner of the tiles beneath its row."""
    row, column = node_place(node)
    return row < 5 and (column - FIRST_TILE_COLUMN[row]) % 2 == 1


# --- masks (kernels) -----------------------------------------------------------------------------------------------

NONE = np.uint64(0)
ONE = np.uint64(1)
ISLAND = _mask(range(NODES))
"""All nodes."""
ACROSS_FROM = _mask(node for node in range(NODES) if node + 1 not in ROW_START)
"""Nodes from which an edge runs across."""
DOWN_FROM = _mask(node for node in range(NODES) if _has_node_below(node))
"""Nodes from which an edge runs down."""
EDGES = tuple(edges_in(ACROSS_FROM, DOWN_FROM))
"""All edges of the island."""

_OFFSETS = (8, 10, 11, 10, 8)
"""By how much the number of the node below is greater, row by row."""
_BY_8 = _mask(n for n in range(NODES) if _has_node_below(n) and _OFFSETS[node_place(n)[0]] == 8)
_BY_10 = _mask(n for n in range(NODES) if _has_node_below(n) and _OFFSETS[node_place(n)[0]] == 10)
_BY_11 = _mask(n for n in range(NODES) if _has_node_below(n) and _OFFSETS[node_place(n)[0]] == 11)
_S8, _S10, _S11 = np.uint64(8), np.uint64(10), np.uint64(11)
_UP_8, _UP_10, _UP_11 = np.uint64(_BY_8 << _S8), np.uint64(_BY_10 << _S10), np.uint64(_BY_11 << _S11)

ALL_TILES = np.uint64((1 << TILES) - 1)
TILE_NODES = np.array([_mask(tile_corners(tile)) for tile in range(TILES)], np.uint64)
"""The corners of each tile."""

NODE_TILES = np.array(
    [sum(1 << tile for tile in range(TILES) if node in tile_corners(tile)) for node in range(NODES)], np.uint64
)
"""The tiles at each node, as bits."""

HARBOUR_ENDS = tuple(
    (node_at(*a), node_at(*b))
    for a, b in (
        ((0, 3), (0, 4)),
        ((0, 6), (0, 7)),
        ((1, 9), (1, 10)),
        ((2, 11), (3, 11)),
        ((4, 9), (4, 10)),
        ((5, 6), (5, 7)),
        ((5, 3), (5, 4)),
        ((3, 2), (4, 2)),
        ((1, 2), (2, 2)),
    )
)
"""The two nodes that each harbour serves."""
HARBOUR_NODES = np.array([_mask(ends) for ends in HARBOUR_ENDS], np.uint64)


@njit
def below(nodes: Any) -> Any:
    """Return the nodes straight below."""
    return (nodes & _BY_8) << _S8 | (nodes & _BY_10) << _S10 | (nodes & _BY_11) << _S11


@njit
def above(nodes: Any) -> Any:
    """Return the nodes straight above."""
    return (nodes & _UP_8) >> _S8 | (nodes & _UP_10) >> _S10 | (nodes & _UP_11) >> _S11


@njit
def neighbours(nodes: Any) -> Any:
    """Return all nodes one edge away from any of `nodes`."""
    return (nodes & ACROSS_FROM) << ONE | (nodes >> ONE) & ACROSS_FROM | below(nodes) | above(nodes)


@njit
def touched(across: Any, down: Any) -> Any:
    """Return the nodes at the ends of edges."""
    return across | across << ONE | down | below(down)


@njit
def across_at(nodes: Any) -> Any:
    """Return the edges across that end at any of `nodes`."""
    return (nodes | nodes >> ONE) & ACROSS_FROM


@njit
def down_at(nodes: Any) -> Any:
    """Return the edges down that end at any of `nodes`."""
    return nodes & DOWN_FROM | above(nodes)


@njit
def far_end(edge: Any) -> Any:
    """Return, as a bit, the eastern or southern end of an edge."""
    if edge < DOWN:
        return bit(edge + 1)
    return below(bit(edge - DOWN))


@njit
def near_end(edge: Any) -> Any:
    """Return, as a bit, the western or northern end of an edge."""
    return bit(edge % DOWN)


@njit
def tiles_at(nodes: Any) -> Any:
    """Return, as bits, the tiles that have any of `nodes` as a corner."""
    tiles = NONE
    while nodes:
        tiles |= NODE_TILES[lowest_bit(nodes)]
        nodes &= nodes - ONE
    return tiles


@njit
def nth_node(nodes: Any, n: Any) -> int:
    """Return the n-th node (or tile) of a set, counted from 0."""
    for _ in range(n):
        nodes &= nodes - ONE
    return np.int64(lowest_bit(nodes))
