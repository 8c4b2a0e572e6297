"""Catan: where one may build, building, and who holds the longest road."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import (
    ACROSS_FROM,
    DOWN,
    DOWN_FROM,
    HARBOUR_NODES,
    HARBOURS,
    ISLAND,
    NONE,
    across_at,
    down_at,
    neighbours,
    nth_node,
    touched,
)
from oponente.games.catan.cards import CITY_COST, ROAD_COST, SETTLEMENT_COST, holds
from oponente.games.catan.knowledge import lose
from oponente.games.catan.moves import MAIN, SETTING_ROAD
from oponente.games.catan.roads import LONGEST_ROAD_MINIMUM, NOBODY, lengthened, longest_trail
from oponente.kernel import njit
from oponente.kernel.bits import bit, popcount

ROADS, SETTLEMENTS, CITIES = 15, 5, 4
"""Pieces of each player."""

# --- where one may build -------------------------------------------------------------------------------------------


@njit
def buildings(state: Any, seat: Any) -> Any:
    """Return the nodes with a settlement or city of a player."""
    return state.settlements[seat] | state.cities[seat]


@njit
def all_buildings(state: Any) -> Any:
    """Return the nodes with any settlement or city."""
    return buildings(state, 0) | buildings(state, 1) | buildings(state, 2) | buildings(state, 3)


@njit
def free_nodes(state: Any) -> Any:
    """Return the nodes that the distance rule leaves for settlements."""
    built = all_buildings(state)
    return ISLAND & ~(built | neighbours(built))


@njit
def settlement_places(state: Any, seat: Any) -> Any:
    """Return the nodes where a player's roads lead to a place for a settlement."""
    return touched(state.across[seat], state.down[seat]) & free_nodes(state)


@njit
def road_heads(state: Any, seat: Any) -> Any:
    """Return the nodes from which a player may build a road: own road or building, and no opponent's building."""
    if state.phase == SETTING_ROAD:
        return bit(state.home)
    return network(state, seat)


@njit
def network(state: Any, seat: Any) -> Any:
    """Return the nodes that a player's roads and buildings lead to, those with an opponent's building left out."""
    own = buildings(state, seat)
    return (touched(state.across[seat], state.down[seat]) | own) & ~(all_buildings(state) & ~own)


@njit
def free_across(state: Any) -> Any:
    """Return the edges across without a road."""
    return ACROSS_FROM & ~(state.across[0] | state.across[1] | state.across[2] | state.across[3])


@njit
def free_down(state: Any) -> Any:
    """Return the edges down without a road."""
    return DOWN_FROM & ~(state.down[0] | state.down[1] | state.down[2] | state.down[3])


@njit
def roads_built(state: Any, seat: Any) -> int:
    """Return how many roads a player has built."""
    return popcount(state.across[seat]) + popcount(state.down[seat])


@njit
def road_places(state: Any, seat: Any) -> Any:
    """Return the edges across and the edges down where a player may place a road."""
    heads = road_heads(state, seat)
    return across_at(heads) & free_across(state), down_at(heads) & free_down(state)


@njit
def nth_road(across: Any, down: Any, n: Any) -> int:
    """Return the n-th edge of a set, counted from 0: first those across, then those down."""
    count = popcount(across)
    return nth_node(across, n) if n < count else DOWN + nth_node(down, n - count)


@njit
def has_place_for_road(state: Any, seat: Any) -> bool:
    """Tell whether a player has a road left and a place for it."""
    across, down = road_places(state, seat)
    return roads_built(state, seat) < ROADS and (across != NONE or down != NONE)


# --- what one can pay for, too -------------------------------------------------------------------------------------


@njit
def roads_to_build(state: Any, seat: Any, cards: Any) -> Any:
    """Return the places for a road that a player can build with these cards; none without a piece."""
    if holds(cards, ROAD_COST) and roads_built(state, seat) < ROADS:
        return road_places(state, seat)
    return NONE, NONE


@njit
def settlements_to_build(state: Any, seat: Any, cards: Any) -> Any:
    """Return the places for a settlement likewise."""
    if holds(cards, SETTLEMENT_COST) and popcount(state.settlements[seat]) < SETTLEMENTS:
        return settlement_places(state, seat)
    return NONE


@njit
def cities_to_build(state: Any, seat: Any, cards: Any) -> Any:
    """Return the settlements that can become cities likewise."""
    if holds(cards, CITY_COST) and popcount(state.cities[seat]) < CITIES:
        return state.settlements[seat]
    return NONE


# --- building ------------------------------------------------------------------------------------------------------


@njit
def settle(state: Any, seat: Any, node: Any) -> None:
    """Place a settlement, with the use of a harbour if there is one."""
    place = bit(node)
    state.settlements[seat] |= place
    state.points[seat] += 1
    for i in range(HARBOURS):
        if HARBOUR_NODES[i] & place:
            state.reach[seat] |= np.uint8(1 << state.harbour[i])


@njit
def pay(game: Any, state: Any, price: Any) -> None:
    """Let the player on turn pay the bank."""
    lose(state, state.mover, price)
    state.bank += price


@njit
def build_settlement(game: Any, state: Any, node: Any) -> None:
    """Build a settlement, which may cut an opponent's road."""
    pay(game, state, SETTLEMENT_COST)
    settle(state, state.mover, node)
    place = bit(node)
    for seat in range(game.rules.players):
        if seat != state.mover and touched(state.across[seat], state.down[seat]) & place:
            walls = all_buildings(state) & ~buildings(state, seat)
            state.road_length[seat] = longest_trail(state.across[seat], state.down[seat], walls)
    award_longest_road(game, state)


@njit
def build_city(game: Any, state: Any, node: Any) -> None:
    """Replace a settlement, which goes back to its owner's supply, by a city."""
    pay(game, state, CITY_COST)
    state.settlements[state.mover] &= ~bit(node)
    state.cities[state.mover] |= bit(node)
    state.points[state.mover] += 1


@njit
def build_road(game: Any, state: Any, edge: Any) -> None:
    """Place a road: in the set-up, from road building, or paid for."""
    mover = state.mover
    if state.phase == MAIN:
        pay(game, state, ROAD_COST)
    if edge < DOWN:
        state.across[mover] |= bit(edge)
    else:
        state.down[mover] |= bit(edge - DOWN)
    walls = all_buildings(state) & ~buildings(state, mover)
    state.road_length[mover] = lengthened(state.road_length[mover], edge, state.across[mover], state.down[mover], walls)
    award_longest_road(game, state)


@njit
def award_longest_road(game: Any, state: Any) -> None:
    """Settle who holds the longest road.

    The holder keeps the card while its road has at least 5 pieces and no one's is longer. Otherwise whoever alone has
    the longest road of at least 5 takes it; if there is none, nobody holds it (almanac, "Longest road").
    """
    holder = state.road_holder
    longest, leader, leaders = 0, NOBODY, 0
    for seat in range(game.rules.players):
        length = state.road_length[seat]
        if length > longest:
            longest, leader, leaders = length, seat, 1
        elif length == longest:
            leaders += 1
    if holder != NOBODY and state.road_length[holder] == longest and longest >= LONGEST_ROAD_MINIMUM:
        return
    if game.rules.cut_keeps_card and holder != NOBODY:
        new = holder if state.road_length[holder] == longest else leader
    else:
        new = leader if longest >= LONGEST_ROAD_MINIMUM and leaders == 1 else NOBODY
    if new == holder:
        return
    if holder != NOBODY:
        state.points[holder] -= 2
    if new != NOBODY:
        state.points[new] += 2
    state.road_holder = new
