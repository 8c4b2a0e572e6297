"""What the thesis's agents have in common: how they look at the board."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at
from oponente.games.risk.income import placeable_at
from oponente.games.risk.moves import AMOUNT, ATTACK
from oponente.games.risk.state import NONE
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit

TARGET, PLANNED, FRONT, BORDER, EXPLORING, STEPS, PATH = 0, 1, 2, 3, 5, 6, 7
"""Where an agent's memory has: the territory that it means to conquer, plus 1 (0: none); the turn for which it has
planned where armies go; the territory that gets them, plus 1 (0: the weakest of a border); that border, 30 bits each of
two entries; whether the agent explores; how many steps are noted; these, as pairs of node and action.
"""


@njit
def enemies(game: Any, state: Any, territory: Any) -> Any:
    """Return the hostile neighbours of a territory of the player on turn, or of one that it has just attacked."""
    return game.rules.neighbours[territory] & ~state.held[state.mover]


@njit
def is_own(state: Any, territory: Any) -> bool:
    """Tell whether a territory belongs to the player on turn."""
    return state.held[state.mover] & bit(territory) != NO_TERRITORIES


@njit
def owned_at(state: Any, place: Any) -> int:
    """Return the territory at a place of the owned order, NONE if it is not the own."""
    territory = np.int64(state.order[place])
    return territory if is_own(state, territory) else np.int64(NONE)


@njit
def nth_owned(game: Any, state: Any, n: Any) -> int:
    """Return the n-th own territory in owned order, from 0."""
    for place in range(game.rules.territories):
        territory = owned_at(state, place)
        if territory != NONE:
            if n == 0:
                return territory
            n -= 1
    return np.int64(NONE)


@njit
def first_owned(state: Any, territories: Any) -> int:
    """Return the first of some territories, of which there must be one, in owned order."""
    if territories & (territories - ONE) == NO_TERRITORIES:
        return lowest_bit(territories)
    place = 0
    while territories & bit(state.order[place]) == NO_TERRITORIES:
        place += 1
    return np.int64(state.order[place])


@njit
def strongest_of(state: Any, territories: Any) -> int:
    """Return the one of some own territories with the most armies, the first in owned order; NONE: there is none."""
    equal, most = NO_TERRITORIES, np.int64(-1)
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        armies = armies_at(state, territory)
        if armies > most:
            equal, most = bit(territory), armies
        elif armies == most:
            equal |= bit(territory)
    return np.int64(NONE) if equal == NO_TERRITORIES else first_owned(state, equal)


@njit
def weakest_of(state: Any, territories: Any) -> int:
    """Return the one of some own territories with the fewest armies, the first in owned order; NONE: there is none."""
    equal, fewest = NO_TERRITORIES, np.int64(1 << 30)
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        armies = armies_at(state, territory)
        if armies < fewest:
            equal, fewest = bit(territory), armies
        elif armies == fewest:
            equal |= bit(territory)
    return np.int64(NONE) if equal == NO_TERRITORIES else first_owned(state, equal)


@njit
def sum_armies(state: Any, territories: Any) -> int:
    """Return how many armies stand on some territories together."""
    total = np.int64(0)
    while territories:
        total += armies_at(state, lowest_bit(territories))
        territories &= territories - ONE
    return total


@njit
def attack_with(origin: Any, target: Any) -> int:
    """Return the attack with the most dice."""
    return ATTACK + 64 * origin + target


@njit
def place_all(game: Any, state: Any) -> int:
    """Return the amount that places all armies."""
    return AMOUNT + placeable_at(game, state, np.int64(state.target))
