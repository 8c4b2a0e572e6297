"""Catan: the symmetries of the island.

A regular hexagon has twelve, six turns and their mirror images. Those count that take the places of the harbours to
places of harbours: the rest would be another frame.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.catan.board import (
    DOWN,
    EDGES,
    HARBOUR_ENDS,
    NODES,
    TILES,
    edge_ends,
    node_place,
    tile_corners,
)
from oponente.games.catan.encoding import ENCODING, PARTS
from oponente.games.catan.moves import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, MOVE_ROBBER
from oponente.kernel import Symmetry, bits_moved, places_from

Places = npt.NDArray[np.int64]


class Turn(NamedTuple):
    """Where everything goes: for each place the new one."""

    nodes: Places
    edges: Places
    """By identifier; what is no edge stays."""
    tiles: Places
    harbours: Places


@cache
def turns() -> tuple[Turn, ...]:
    """Return the symmetries that keep the harbours' places, the one that moves nothing first."""
    points = np.array([_point(node) for node in range(NODES)])
    points -= points.mean(axis=0)
    found = []
    for mirrored in (False, True):
        for sixth in range(6):
            angle = sixth * math.pi / 3.0
            turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
            moved = (points * ([-1.0, 1.0] if mirrored else [1.0, 1.0])) @ turn.T
            nodes = np.array([int(((points - point) ** 2).sum(axis=1).argmin()) for point in moved])
            harbours = _matched(nodes, HARBOUR_ENDS)
            if harbours is not None:
                found.append(Turn(nodes, _edges(nodes), _places(nodes, map(tile_corners, range(TILES))), harbours))
    return tuple(found)


def _point(node: int) -> tuple[float, float]:
    """Return where a node lies, on hexes with sides of 1."""
    row, column = node_place(node)
    return column * math.sqrt(3.0) / 2.0, 1.5 * row + (0.0 if (row + column) % 2 == 0 else 0.5)


def _matched(nodes: Places, things: Any) -> Places | None:
    """Return where things go that are told by their nodes; None where one would go where there is none."""
    sets = [frozenset(thing) for thing in things]
    moved = [frozenset(int(nodes[node]) for node in one) for one in sets]
    return np.array([sets.index(one) for one in moved]) if set(moved) == set(sets) else None


def _places(nodes: Places, things: Any) -> Places:
    found = _matched(nodes, things)
    assert found is not None  # the island as a whole is a regular hexagon
    return found


def _edges(nodes: Places) -> Places:
    places = np.arange(2 * DOWN)
    places[list(EDGES)] = np.array(EDGES)[_places(nodes, map(edge_ends, EDGES))]
    return places


def symmetries() -> list[Symmetry]:
    """Return the symmetries, but for the one that moves nothing."""
    return [_symmetry(turn) for turn in turns()[1:]]


def _symmetry(turn: Turn) -> Symmetry:
    features = np.arange(ENCODING)
    # Edges that run down are numbered from 64, and their features follow those of edges across.
    edges = np.concatenate([turn.edges[:NODES], turn.edges[DOWN : DOWN + NODES]])
    edges = np.where(edges >= DOWN, edges - DOWN + NODES, edges)
    for part, places in (("tiles", turn.tiles), ("harbours", turn.harbours), ("nodes", turn.nodes), ("edges", edges)):
        offset, shape = PARTS[part]
        features[offset : offset + shape[0] * shape[1]] = places_from(places, offset, shape[1])
    return Symmetry(features, lambda action: _action(turn, action), lambda array: _state(turn, array))


def _action(turn: Turn, action: int) -> int:
    if MOVE_ROBBER <= action < MOVE_ROBBER + 5 * TILES:
        tile, victim = divmod(action - MOVE_ROBBER, 5)
        return MOVE_ROBBER + 5 * int(turn.tiles[tile]) + victim
    for first, places in ((BUILD_ROAD, turn.edges), (BUILD_SETTLEMENT, turn.nodes), (BUILD_CITY, turn.nodes)):
        if first <= action < first + len(places):
            return first + int(places[action - first])
    return action


def _state(turn: Turn, array: Any) -> Any:
    moved = array.copy()
    old, new = array[0], moved[0]
    for seat in range(4):
        new.settlements[seat] = bits_moved(int(old.settlements[seat]), turn.nodes)
        new.cities[seat] = bits_moved(int(old.cities[seat]), turn.nodes)
        roads = bits_moved(int(old.across[seat]) | int(old.down[seat]) << DOWN, turn.edges)
        new.across[seat], new.down[seat] = roads & (1 << DOWN) - 1, roads >> DOWN
    for number in range(old.tiles_with.size):
        new.tiles_with[number] = bits_moved(int(old.tiles_with[number]), turn.tiles)
    new.terrain[turn.tiles], new.number[turn.tiles] = old.terrain, old.number
    new.harbour[turn.harbours] = old.harbour
    if old.robber >= 0:
        new.robber = turn.tiles[old.robber]
    if old.home >= 0:
        new.home = turn.nodes[old.home]
    return moved
