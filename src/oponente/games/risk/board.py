"""Risk: who holds what on the map, and what is next to what."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.state import FREE
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

NO_TERRITORIES = np.uint64(0)
ONE = np.uint64(1)


@njit
def smaller(a: Any, b: Any) -> Any:
    """Return the smaller of two numbers."""
    return a if a < b else b


@njit
def larger(a: Any, b: Any) -> Any:
    """Return the larger of two numbers."""
    return a if a > b else b


@njit
def nth_bit(mask: Any, n: Any) -> int:
    """Return the number of the n-th set bit, from 0."""
    for _ in range(n):
        mask &= mask - ONE
    return lowest_bit(mask)


@njit
def armies_at(state: Any, territory: Any) -> int:
    """Return how many armies stand on a territory."""
    return np.int64(state.armies[territory])


@njit
def room_at(game: Any, state: Any, territory: Any) -> int:
    """Return how many more armies a territory may have."""
    return np.int64(game.rules.army_limit) - np.int64(state.armies[territory])


@njit
def neighbours_of(game: Any, territories: Any) -> Any:
    """Return all that borders on one of some territories, which may include them."""
    found = NO_TERRITORIES
    while territories:
        found |= game.rules.neighbours[lowest_bit(territories)]
        territories &= territories - ONE
    return found


@njit
def connected(game: Any, own: Any, territory: Any) -> Any:
    """Return the territories that paths within `own` lead to from one of them, itself included."""
    reached = bit(territory)
    frontier = reached
    while frontier:
        fresh = game.rules.neighbours[lowest_bit(frontier)] & own & ~reached
        frontier &= frontier - ONE
        reached |= fresh
        frontier |= fresh
    return reached


@njit
def with_room(game: Any, state: Any, territories: Any) -> Any:
    """Return those of some territories on which another army may stand."""
    found, left = NO_TERRITORIES, territories
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if np.int64(state.armies[territory]) < game.rules.army_limit:
            found |= bit(territory)
    return found


@njit
def with_armies(state: Any, territories: Any, least: Any) -> Any:
    """Return those of some territories on which so many armies stand, or more."""
    found, left = NO_TERRITORIES, territories
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if np.int64(state.armies[territory]) >= least:
            found |= bit(territory)
    return found


@njit
def get_territory(game: Any, state: Any, seat: Any, territory: Any) -> None:
    """Make a territory that of a player, the last one that the player got."""
    before = np.int64(state.owner[territory])
    if before == FREE:
        place = np.int64(game.rules.territories) - popcount(state.held[FREE])
        state.order[place] = territory
    else:
        place = np.int64(0)
        while state.order[place] != territory:
            place += 1
        for i in range(place, game.rules.territories - 1):
            state.order[i] = state.order[i + 1]
        state.order[game.rules.territories - 1] = territory
    state.held[before] &= ~bit(territory)
    state.held[seat] |= bit(territory)
    state.owner[territory] = seat
