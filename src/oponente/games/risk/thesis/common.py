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

TARGET = 0
"""Where an agent's memory has the territory that it means to conquer, plus 1; 0: none."""


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
