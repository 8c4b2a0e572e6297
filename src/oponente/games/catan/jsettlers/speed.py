"""How many rolls of the dice until something can be built (*building speed estimate*).

What a player's buildings yield is the sum of the probabilities, in percent, of the numbers that bring a resource, the
five sums packed into one integer of 12 bits each. A resource then comes every ``round(100 / percent)`` rolls. The
estimate lets each resource come at its multiples, exchanges whatever is left over with the bank on the way, and counts
the rolls until a price can be paid. The robber is ignored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import NODE_TILES, NODES, ONE
from oponente.games.catan.cards import (
    CARD_COST,
    CITY_COST,
    DESERT,
    EMPTY,
    LUMBER,
    ROAD_COST,
    SETTLEMENT_COST,
    WOOL,
    count_of,
    holds,
    pack,
)
from oponente.games.catan.jsettlers.memory import BUILDS, CACHE
from oponente.games.catan.trade import rate_at
from oponente.kernel import njit
from oponente.kernel.bits import lowest_bit

ROAD, SETTLEMENT, CITY, CARD, SHIP = range(BUILDS)
"""What is estimated. Ships are no part of the base game; the robots' sums of speeds count them all the same."""
SHIP_COST = pack(int(resource in (LUMBER, WOOL)) for resource in range(5))

CUTOFF = 40
"""Rolls after which an estimate is given up."""
NEVER = 55555
"""Rolls until a resource comes that nothing yields."""
_BITS = 12
_MASK = (1 << _BITS) - 1

PERCENT = np.array([0, 0, 3, 6, 8, 11, 14, 0, 14, 11, 8, 6, 3], np.int64)
"""The probability of each number, in percent, as the robots have it."""


@njit
def percent_of(weights: Any, resource: Any) -> int:
    """Return the percentage at which a resource comes."""
    return np.int64(weights) >> _BITS * resource & _MASK


@njit
def node_weights(state: Any, node: Any, without: Any) -> int:
    """Return what a settlement on a node yields.

    Args:
        without: a tile that yields nothing, -1 for none.
    """
    weights = 0
    tiles = NODE_TILES[node]
    while tiles:
        tile = np.int64(lowest_bit(tiles))
        tiles &= tiles - ONE
        if state.terrain[tile] != DESERT and tile != without:
            weights += PERCENT[state.number[tile]] << _BITS * np.int64(state.terrain[tile])
    return weights


@njit
def weigh_nodes(state: Any, memory: Any) -> None:
    """Note what each node yields."""
    for node in range(NODES):
        memory.weights[node] = node_weights(state, node, -1)


@njit
def weights_of(memory: Any, settlements: Any, cities: Any) -> int:
    """Return what buildings yield together."""
    weights = 0
    left = settlements
    while left:
        weights += memory.weights[lowest_bit(left)]
        left &= left - ONE
    left = cities
    while left:
        weights += 2 * memory.weights[lowest_bit(left)]
        left &= left - ONE
    return weights


@njit
def whole_weight(weights: Any) -> int:
    """Return the percentages of all resources together."""
    whole = 0
    for resource in range(5):
        whole += percent_of(weights, resource)
    return whole


@njit
def interval(weights: Any, resource: Any) -> int:
    """Return every how many rolls a resource comes."""
    percent = percent_of(weights, resource)
    return (200 + percent) // (2 * percent) if percent > 0 else NEVER


@njit
def price_of(build: Any) -> Any:
    """Return what something costs."""
    if build == ROAD:
        return ROAD_COST
    if build == SETTLEMENT:
        return SETTLEMENT_COST
    if build == CITY:
        return CITY_COST
    return CARD_COST if build == CARD else SHIP_COST


@njit
def exchanged(cards: Any, price: Any, weights: Any, reach: Any) -> Any:
    """Return cards after all that a price does not need was exchanged for what it lacks, the rarest first."""
    for given in range(5):
        rate = rate_at(reach, given)
        while count_of(cards, given) - count_of(price, given) >= rate:
            taken, longest = -1, 0
            for resource in range(5):
                if count_of(cards, resource) < count_of(price, resource):
                    rolls = interval(weights, resource)
                    if rolls > longest:
                        taken, longest = resource, rolls
            if taken < 0:
                return cards
            cards -= np.uint64(rate) << np.uint64(8 * given)
            cards += np.uint64(1) << np.uint64(8 * taken)
    return cards


@njit
def rolls_until(cards: Any, price: Any, weights: Any, reach: Any, cutoff: Any) -> int:
    """Return how many rolls it takes to have a price.

    Args:
        cards: in hand now.
        price: what is to be paid.
        weights: what the buildings yield.
        reach: the harbours, as bits by kind.
        cutoff: rolls after which it is given up; then this is the answer.
    """
    cards = exchanged(cards, price, weights, reach)
    rolls = 0
    while not holds(cards, price):
        following = cutoff
        for resource in range(5):
            step = interval(weights, resource)
            come = (rolls // step + 1) * step
            following = come if come < following else following
        if following >= cutoff:
            return cutoff
        rolls = following
        for resource in range(5):
            if rolls % interval(weights, resource) == 0 and count_of(cards, resource) < 100:
                cards += np.uint64(1) << np.uint64(8 * resource)
        cards = exchanged(cards, price, weights, reach)
    return rolls


@njit
def estimates(memory: Any, weights: Any, reach: Any) -> int:
    """Return where in the memory's ``value`` the rolls for each kind of building stand, from an empty hand."""
    mixed = np.int64(weights) ^ np.int64(weights) >> 29 ^ np.int64(reach) << 7
    place = (mixed * 0x9E3779B1 >> 15) & (CACHE - 1)
    if memory.key[place] != weights or memory.reach[place] != reach + 1:
        memory.key[place], memory.reach[place] = weights, reach + 1
        for build in range(BUILDS):
            memory.value[place, build] = rolls_until(EMPTY, price_of(build), weights, reach, CUTOFF)
    return place


@njit
def speed(memory: Any, weights: Any, reach: Any) -> int:
    """Return the rolls for one of each kind of building together."""
    place = estimates(memory, weights, reach)
    rolls = 0
    for build in range(BUILDS):
        rolls += np.int64(memory.value[place, build])
    return rolls
