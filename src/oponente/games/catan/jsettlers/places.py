"""Where a player may build, and how many roads that takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import (
    ACROSS_FROM,
    DOWN,
    HARBOUR_NODES,
    HARBOURS,
    ONE,
    above,
    across_at,
    down_at,
    far_end,
    near_end,
    touched,
)
from oponente.games.catan.building import (
    ROADS,
    all_buildings,
    buildings,
    free_across,
    free_down,
    network,
    roads_built,
)
from oponente.games.catan.roads import NOBODY, longest_trail
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

FAR = 500
"""Roads, or rolls, that stand for: not possible."""
AHEAD = 2
"""Roads that are looked ahead for a settlement."""


@njit
def harbours_at(state: Any, nodes: Any) -> int:
    """Return the harbours that nodes give the use of, as bits by kind."""
    reach = 0
    for i in range(HARBOURS):
        if HARBOUR_NODES[i] & nodes:
            reach |= 1 << np.int64(state.harbour[i])
    return reach


@njit
def beyond(state: Any, seat: Any, nodes: Any) -> Any:
    """Return the nodes one free edge away from which a player could build on, or settle."""
    across, down = free_across(state) & across_at(nodes), free_down(state) & down_at(nodes)
    others = all_buildings(state) & ~buildings(state, seat)
    return touched(across, down) & ~others


@njit
def reachable(state: Any, seat: Any, roads: Any) -> Any:
    """Return the nodes that a player reaches with so many more roads at most."""
    nodes = network(state, seat)
    for _ in range(roads):
        nodes |= beyond(state, seat, nodes)
    return nodes


@njit
def first_road(state: Any, seat: Any, node: Any) -> int:
    """Return the edge with which the shortest way to a node begins, -1 if it is further than is looked ahead."""
    ends = network(state, seat)
    target = bit(node)
    if ends & target:
        return -1
    for _ in range(AHEAD):
        near = target | beyond(state, seat, target)
        start = near & ends & ~target
        if start:
            return edge_between(state, start, target)
        target = near
    return -1


@njit
def edge_between(state: Any, starts: Any, ends: Any) -> int:
    """Return a free edge from one of some nodes to one of others, -1 if there is none."""
    across = free_across(state) & (starts & ends >> ONE | starts >> ONE & ends) & ACROSS_FROM
    down = free_down(state) & (starts & above(ends) | above(starts) & ends)
    return first_of(across, down)


@njit
def first_of(across: Any, down: Any) -> int:
    """Return the first edge of a set, -1 if it is empty."""
    if across:
        return np.int64(lowest_bit(across))
    return DOWN + np.int64(lowest_bit(down)) if down else -1


@njit
def roads_to(state: Any, seat: Any, node: Any) -> int:
    """Return how many roads a settlement on a node takes, `FAR` if more than is looked ahead."""
    for roads in range(AHEAD + 1):
        if reachable(state, seat, roads) & bit(node):
            return roads
    return FAR


@njit
def road_goal(state: Any, seat: Any) -> int:
    """Return the length at which a player takes the longest road; 0 if it has it."""
    holder = state.road_holder
    if holder == seat:
        return 0
    return 5 if holder == NOBODY else np.int64(state.road_length[holder]) + 1


@njit
def roads_to_longest(state: Any, seat: Any) -> int:
    """Return how many roads a player lacks for the longest road, `FAR` if it has it or too few pieces."""
    goal = road_goal(state, seat)
    if goal == 0:
        return FAR
    missing = goal - np.int64(state.road_length[seat])
    missing = missing if missing > 1 else 1
    return missing if missing <= ROADS - roads_built(state, seat) else FAR


@njit
def with_road(state: Any, seat: Any, edge: Any) -> int:
    """Return how long a player's longest road is with another piece."""
    across, down = state.across[seat], state.down[seat]
    if edge < DOWN:
        across |= bit(edge)
    else:
        down |= bit(edge - DOWN)
    return longest_trail(across, down, all_buildings(state) & ~buildings(state, seat))


@njit
def lengthening_road(state: Any, seat: Any) -> int:
    """Return the edge that makes a player's longest road longest, -1 if there is no place for a road.

    Of equals, the one from which it goes on in most directions.
    """
    ends = network(state, seat)
    best, found = -1, -1
    across, down = free_across(state) & across_at(ends), free_down(state) & down_at(ends)
    while across or down:
        if across:
            edge = np.int64(lowest_bit(across))
            across &= across - ONE
        else:
            edge = DOWN + np.int64(lowest_bit(down))
            down &= down - ONE
        tip = (near_end(edge) | far_end(edge)) & ~ends
        onward = popcount(across_at(tip) & free_across(state)) + popcount(down_at(tip) & free_down(state))
        value = 8 * with_road(state, seat, edge) + onward
        if value > best:
            best, found = value, edge
    return found
