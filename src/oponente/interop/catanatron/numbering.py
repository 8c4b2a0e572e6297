"""Catanatron's numbers of hexes, intersections, paths and harbours, beside ours.

Its hexes are numbered outwards in rings, each clockwise from the east, by cube coordinates (x east, z south, the sum
0). Its intersections are numbered as they come up when the hexes are laid in that order, each hex's corners clockwise
from the north; its harbours clockwise from the east. A path is the pair of its ends; recordings number the paths by the
rank of that pair, lower end first, among all.
"""

from __future__ import annotations

from oponente.games.catan.board import (
    EDGES,
    HARBOURS,
    NODES,
    TILE_ROW_START,
    edge_ends,
    tile_corners,
)

Cube = tuple[int, int, int]

_EAST: Cube = (1, -1, 0)
_CLOCKWISE: tuple[Cube, ...] = ((-1, 0, 1), (-1, 1, 0), (0, 1, -1), (1, 0, -1), (1, -1, 0), (0, -1, 1))
"""The steps from hex to hex around a ring that begins in the east."""


def _rings() -> list[Cube]:
    cubes: list[Cube] = [(0, 0, 0)]
    for size in (1, 2):
        x, y, z = (size * part for part in _EAST)
        for dx, dy, dz in _CLOCKWISE:
            for _ in range(size):
                cubes.append((x, y, z))
                x, y, z = x + dx, y + dy, z + dz
    return cubes


def tile_at(cube: Cube) -> int:
    """Return our number of the hex at a cube coordinate."""
    x, _, z = cube
    return TILE_ROW_START[z + 2] + x - max(-2, -2 - z)


def _number_nodes() -> dict[int, int]:
    theirs: dict[int, int] = {}
    for tile in OUR_TILES:
        for node in tile_corners(tile):
            theirs.setdefault(node, len(theirs))
    return theirs


CUBES = tuple(_rings())
"""Cube coordinate of each of their hexes."""
OUR_TILES = tuple(tile_at(cube) for cube in CUBES)
"""Our number of each of their hexes."""
THEIR_TILES = tuple(OUR_TILES.index(tile) for tile in range(len(OUR_TILES)))
"""Their number of each of our hexes."""

_NODES = _number_nodes()
THEIR_NODES = tuple(_NODES[node] for node in range(NODES))
"""Their number of each of our intersections."""

OUR_EDGES = tuple(
    sorted(EDGES, key=lambda edge: sorted(THEIR_NODES[node] for node in edge_ends(edge))),
)
"""Our number of each path, in the order of the recordings' numbers."""
THEIR_EDGES = {edge: number for number, edge in enumerate(OUR_EDGES)}
"""The recordings' number of each of our paths."""
EDGE_PAIRS = tuple(
    (min(ends), max(ends)) for ends in ([THEIR_NODES[node] for node in edge_ends(edge)] for edge in OUR_EDGES)
)
"""The two ends, in their numbers, of each path, in the order of the recordings' numbers."""

THEIR_HARBOURS = tuple((harbour + 6) % HARBOURS for harbour in range(HARBOURS))
"""Their number of each of our harbours: both run clockwise, ours from the north-west, theirs from the east."""
