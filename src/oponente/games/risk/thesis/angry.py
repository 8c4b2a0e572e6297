"""Risk: the thesis's agent Angry.

The *danger* of a territory is the sum of the armies on its hostile neighbours. It places all armies where the danger is
greatest, attacks the weakest neighbour of any territory that is stronger, to the death, and moves towards danger.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import NO_TERRITORIES, armies_at, connected
from oponente.games.risk.fortify import most_to_move
from oponente.games.risk.income import placeable
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACKING,
    DONE,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_TO,
    OCCUPYING,
    PLACE,
    PLACING,
    PLACING_AMOUNT,
)
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import attack_with, enemies, is_own, owned_at, place_all, sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit


@njit
def angry_step(game: Any, state: Any) -> int:
    """Return what Angry does."""
    phase = state.phase
    if phase == PLACING:
        return angry_placing(game, state)
    if phase == PLACING_AMOUNT:
        return place_all(game, state)
    if phase == ATTACKING:
        return angry_attack(game, state)
    if phase == OCCUPYING:
        stay = danger(game, state, np.int64(state.origin)) > danger(game, state, np.int64(state.target))
        return np.int64(AMOUNT) if stay else AMOUNT + most_to_occupy(game, state)
    if phase == MOVING:
        return angry_origin(game, state)
    if phase == MOVING_TO:
        return MOVE_TO + more_dangerous(game, state, np.int64(state.origin))
    return AMOUNT + most_to_move(game, state)


@njit
def danger(game: Any, state: Any, territory: Any) -> int:
    """Return the sum of the armies on the hostile neighbours of an own territory."""
    return sum_armies(state, enemies(game, state, territory))


@njit
def angry_placing(game: Any, state: Any) -> int:
    """Return the own territory with the greatest danger, or the end of placing."""
    allowed = placeable(game, state)
    best, greatest = np.int64(NONE), np.int64(-1)
    for place in range(game.rules.territories):
        territory = np.int64(state.order[place])
        if allowed & bit(territory):
            here = danger(game, state, territory)
            if here > greatest:
                best, greatest = territory, here
    return np.int64(DONE) if best == NONE else PLACE + best


@njit
def angry_attack(game: Any, state: Any) -> int:
    """Return the attack that goes on, or else that of the first territory that has a weaker neighbour."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    if origin != NONE and not is_own(state, target) and armies_at(state, origin) >= 2:
        return attack_with(origin, target)
    for place in range(game.rules.territories):
        territory = owned_at(state, place)
        if territory != NONE and armies_at(state, territory) >= 2:
            weakest = weakest_enemy(game, state, territory, enemies(game, state, territory))
            if weakest != NONE and armies_at(state, territory) > armies_at(state, weakest):
                return attack_with(territory, weakest)
    return np.int64(DONE)


@njit
def weakest_enemy(game: Any, state: Any, territory: Any, hostile: Any) -> int:
    """Return the one of some neighbours with the fewest armies, the first of equals; NONE if there is none."""
    best, fewest = np.int64(NONE), np.int64(1 << 30)
    if hostile == NO_TERRITORIES:
        return best
    for i in range(game.rules.degree[territory]):
        neighbour = np.int64(game.rules.neighbour[territory, i])
        if hostile & bit(neighbour) and armies_at(state, neighbour) < fewest:
            best, fewest = neighbour, armies_at(state, neighbour)
    return best


@njit
def angry_origin(game: Any, state: Any) -> int:
    """Return the first territory whose armies can move to a more dangerous one, or the end of the turn."""
    for place in range(game.rules.territories):
        territory = owned_at(state, place)
        if territory != NONE and armies_at(state, territory) > 1 and more_dangerous(game, state, territory) != NONE:
            return MOVE_FROM + territory
    return np.int64(DONE)


@njit
def more_dangerous(game: Any, state: Any, territory: Any) -> int:
    """Return the first other own territory that a path leads to and that is more dangerous, NONE if there is none."""
    reached = connected(game, state.held[state.mover], territory) & ~bit(territory)
    here = danger(game, state, territory)
    for place in range(game.rules.territories):
        other = np.int64(state.order[place])
        if reached & bit(other) and danger(game, state, other) > here:
            return other
    return np.int64(NONE)
