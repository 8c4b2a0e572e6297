"""The set-up: two settlements that together build fastest, and roads towards the best place near them."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import NODES, TILE_NODES, across_at, down_at, neighbours
from oponente.games.catan.building import free_across, free_down, free_nodes
from oponente.games.catan.cards import DESERT, EMPTY
from oponente.games.catan.jsettlers.places import edge_between, first_of, harbours_at
from oponente.games.catan.jsettlers.speed import (
    CARD,
    CITY,
    PERCENT,
    ROAD,
    SETTLEMENT,
    price_of,
    rolls_until,
    weigh_nodes,
    whole_weight,
)
from oponente.games.catan.layout import ANY
from oponente.games.catan.moves import BUILD_ROAD, BUILD_SETTLEMENT
from oponente.kernel import njit
from oponente.kernel.bits import bit, popcount

CUTOFF = 160
"""Rolls for all kinds of building together after which a pair of nodes is as bad as any."""
RARE = 33
"""Percent of all numbers of a resource on the board above which its harbour is worth a road."""


@njit
def opening_rolls(weights: Any, reach: Any) -> int:
    """Return the rolls for a settlement, a city, a card and a road together, `CUTOFF` at most."""
    rolls = 0
    for build in (SETTLEMENT, CITY, CARD, ROAD):
        rolls += rolls_until(EMPTY, price_of(build), weights, reach, CUTOFF)
    return rolls if rolls < CUTOFF else CUTOFF


@njit
def opening_settlement(game: Any, state: Any, memory: Any) -> int:
    """Return where to settle in the set-up."""
    weigh_nodes(state, memory)
    if state.placed >= game.rules.players:
        home = state.settlements[state.mover]
        return BUILD_SETTLEMENT + best_partner(state, memory, home)
    best, weight, first = 1 << 30, -1, -1
    free = free_nodes(state)
    for a in range(NODES):
        if not free & bit(a):
            continue
        for b in range(a + 1, NODES):
            if not free & bit(b) & ~neighbours(bit(a)):
                continue
            weights = memory.weights[a] + memory.weights[b]
            rolls = opening_rolls(weights, harbours_at(state, bit(a) | bit(b)))
            together = whole_weight(weights)
            if rolls < best or (rolls == best and together > weight):
                best, weight = rolls, together
                alone_a = opening_rolls(memory.weights[a], harbours_at(state, bit(a)))
                alone_b = opening_rolls(memory.weights[b], harbours_at(state, bit(b)))
                first = a if alone_a <= alone_b else b
    return BUILD_SETTLEMENT + first


@njit
def best_partner(state: Any, memory: Any, home: Any) -> int:
    """Return the node that builds fastest together with the first settlement."""
    best, weight, found = 1 << 30, -1, -1
    free = free_nodes(state)
    own = 0
    for node in range(NODES):
        if home & bit(node):
            own += memory.weights[node]
    for node in range(NODES):
        if free & bit(node):
            weights = own + memory.weights[node]
            rolls = opening_rolls(weights, harbours_at(state, home | bit(node)))
            together = whole_weight(weights)
            if rolls < best or (rolls == best and together > weight):
                best, weight, found = rolls, together, node
    return found


@njit
def node_score(state: Any, memory: Any, seat: Any, node: Any) -> int:
    """Return what a place for a later settlement is worth: its numbers, and its harbour."""
    own = state.settlements[seat]
    numbers = 0  # the number tokens that the player has, as bits
    for tile in range(19):
        if state.terrain[tile] != DESERT and touches(tile, own):
            numbers |= 1 << np.int64(state.number[tile])
    score = 0
    for tile in range(19):
        if state.terrain[tile] != DESERT and touches(tile, bit(node)):
            value = PERCENT[state.number[tile]]
            score += value if numbers >> np.int64(state.number[tile]) & 1 else 2 * value
    score = 3 * (score * 100 // 80)
    reach = harbours_at(state, bit(node))
    if reach >> ANY & 1 and not np.int64(state.reach[seat]) >> ANY & 1:
        score += 5 * 100
    for resource in range(5):
        if reach >> resource & 1:
            rarity = board_weight(state, resource)
            if rarity > RARE:
                score += 10 * (rarity * 100 // 56)
    return score


@njit
def touches(tile: Any, nodes: Any) -> bool:
    """Tell whether a tile has any of some nodes as a corner."""
    return popcount(TILE_NODES[tile] & nodes) > 0


@njit
def board_weight(state: Any, resource: Any) -> int:
    """Return the percentages of all numbers of a resource on the board together."""
    weight = 0
    for tile in range(19):
        if state.terrain[tile] == resource:
            weight += PERCENT[state.number[tile]]
    return weight


@njit
def opening_road(game: Any, state: Any, memory: Any) -> int:
    """Return the road of the set-up: towards the best place for a settlement two steps away that will be left."""
    weigh_nodes(state, memory)
    seat, home = state.mover, bit(state.home)
    free = free_nodes(state)
    ahead = neighbours(neighbours(home)) & ~home & free
    if state.placed < game.rules.players:
        # Those who settle before our next turn are taken to choose the places that are worth most to us.
        builds = 2 * (game.rules.players - 1 - state.placed)
        for _ in range(builds):
            taken, most = -1, -1
            for node in range(NODES):
                if free & bit(node):
                    score = node_score(state, memory, seat, node)
                    if score > most:
                        taken, most = node, score
            if taken < 0:
                break
            free &= ~(bit(taken) | neighbours(bit(taken)))
    left = ahead & free if ahead & free else ahead
    best, goal = -1, -1
    for node in range(NODES):
        if left & bit(node):
            score = node_score(state, memory, seat, node)
            if score > best:
                best, goal = score, node
    if goal >= 0:
        middle = neighbours(home) & neighbours(bit(goal))
        edge = edge_between(state, home, middle)
        if edge >= 0:
            return BUILD_ROAD + edge
    return BUILD_ROAD + any_road_at(state, home)


@njit
def any_road_at(state: Any, nodes: Any) -> int:
    """Return a free edge at one of some nodes."""
    return first_of(free_across(state) & across_at(nodes), free_down(state) & down_at(nodes))
