"""Risk: the armies that a player gets, and placing them."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, larger, room_at, smaller, with_room
from oponente.games.risk.moves import PLACE, PLACING_AMOUNT
from oponente.games.risk.state import NONE
from oponente.kernel import njit
from oponente.kernel.bits import lowest_bit, popcount

LEAST_INCOME = 3


@njit
def territory_income(game: Any, state: Any, seat: Any) -> int:
    """Return the armies that a player gets for territories."""
    share = popcount(state.held[seat]) // np.int64(game.rules.divisor)
    return larger(share, np.int64(LEAST_INCOME))


@njit
def holds_continent(game: Any, state: Any, seat: Any, continent: Any) -> bool:
    """Tell whether a player holds all of a continent."""
    return game.rules.continent[continent] & ~state.held[seat] == NO_TERRITORIES


@njit
def continent_income(game: Any, state: Any, seat: Any) -> int:
    """Return the armies that a player gets for continents."""
    total = np.int64(0)
    for continent in range(game.rules.continents):
        if holds_continent(game, state, seat, continent):
            total += np.int64(game.rules.bonus[continent])
    return total


@njit
def income(game: Any, state: Any) -> None:
    """Give the player on turn what the territories and continents bring."""
    mover = np.int64(state.mover)
    state.pool[mover] += territory_income(game, state, mover)
    if game.rules.plain_first_income and state.turn == 1:
        return
    for continent in range(game.rules.continents):
        if holds_continent(game, state, mover, continent):
            if game.rules.bonus_inside:
                state.reserved[continent] += game.rules.bonus[continent]
            else:
                state.pool[mover] += game.rules.bonus[continent]


@njit
def due(game: Any, state: Any, seat: Any) -> int:
    """Return all armies that a player has to place, those that must stay in a continent as well."""
    armies = np.int64(state.pool[seat])
    if seat == state.mover:
        for continent in range(game.rules.continents):
            armies += np.int64(state.reserved[continent])
    return armies


@njit
def reserved_at(game: Any, state: Any, territory: Any) -> int:
    """Return the armies that must be placed in the continent of a territory."""
    continent = np.int64(game.rules.continent_of[territory])
    return np.int64(0) if continent == NONE else np.int64(state.reserved[continent])


@njit
def placeable_at(game: Any, state: Any, territory: Any) -> int:
    """Return how many armies the player on turn may place on an own territory."""
    there = np.int64(state.pool[state.mover]) + reserved_at(game, state, territory)
    return smaller(there, room_at(game, state, territory))


@njit
def placeable(game: Any, state: Any) -> Any:
    """Return the territories on which the player on turn may place armies."""
    own = with_room(game, state, state.held[state.mover])
    if state.pool[state.mover] > 0:
        return own
    allowed = NO_TERRITORIES
    for continent in range(game.rules.continents):
        if state.reserved[continent] > 0:
            allowed |= game.rules.continent[continent]
    return own & allowed


@njit
def nothing_to_place(game: Any, state: Any) -> bool:
    """Tell whether no army is left to place, or there is no room for any."""
    return placeable(game, state) == NO_TERRITORIES


@njit
def waive(game: Any, state: Any) -> None:
    """Give up the armies for which there is no room."""
    state.pool[state.mover] = 0
    for continent in range(game.rules.continents):
        state.reserved[continent] = 0


@njit
def list_placing(game: Any, state: Any, out: Any) -> int:
    """List where armies may be placed; return how many places there are."""
    count, left = 0, placeable(game, state)
    while left:
        out[count] = PLACE + lowest_bit(left)
        left &= left - ONE
        count += 1
    return count


@njit
def begin_amount(state: Any, territory: Any) -> None:
    """Ask how many armies to place on a territory."""
    state.target = territory
    state.phase = PLACING_AMOUNT


@njit
def place(game: Any, state: Any, territory: Any, count: Any) -> None:
    """Place armies: first those that must stay in the territory's continent."""
    continent = np.int64(game.rules.continent_of[territory])
    state.armies[territory] += np.uint16(count)
    if continent != NONE:
        bound = smaller(np.int64(state.reserved[continent]), count)
        state.reserved[continent] -= np.uint16(bound)
        count -= bound
    state.pool[state.mover] -= np.int32(count)
