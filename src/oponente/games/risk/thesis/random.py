"""Risk: the thesis's agent Random.

It places a random number of armies on a random own territory until none is left, attacks until no border territory has
more than one army, moves in a random number, and moves a random number from a random territory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import NO_TERRITORIES, armies_at, connected
from oponente.games.risk.fortify import most_to_move
from oponente.games.risk.income import placeable, placeable_at
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
from oponente.games.risk.thesis.common import attack_with, enemies, nth_owned, owned_at
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, popcount

DRAWS = 10
"""How often it looks for a territory to move from."""


@njit
def random_step(game: Any, state: Any, rng: Any) -> int:
    """Return what Random does."""
    phase = state.phase
    if phase == PLACING:
        return random_placing(game, state, rng)
    if phase == PLACING_AMOUNT:
        return AMOUNT + 1 + random_below(rng, placeable_at(game, state, np.int64(state.target)))
    if phase == ATTACKING:
        return random_attack(game, state, rng)
    if phase == OCCUPYING:
        return AMOUNT + random_below(rng, most_to_occupy(game, state) + 1)
    if phase == MOVING:
        return random_origin(game, state, rng)
    if phase == MOVING_TO:
        return MOVE_TO + first_connected(game, state, np.int64(state.origin))
    return AMOUNT + random_below(rng, most_to_move(game, state) + 1)


@njit
def random_placing(game: Any, state: Any, rng: Any) -> int:
    """Return a random own territory to place armies on, or the end of placing."""
    allowed = placeable(game, state)
    if allowed == NO_TERRITORIES:
        return np.int64(DONE)
    while True:
        territory = nth_owned(game, state, random_below(rng, popcount(state.held[state.mover])))
        if allowed & bit(territory):
            return PLACE + territory


@njit
def random_attack(game: Any, state: Any, rng: Any) -> int:
    """Return an attack of a random border territory with more than one army on its first hostile neighbour."""
    able = 0
    for place in range(game.rules.territories):
        able += is_able(game, state, owned_at(state, place))
    if able == 0:
        return np.int64(DONE)
    n = random_below(rng, able)
    for place in range(game.rules.territories):
        origin = owned_at(state, place)
        if is_able(game, state, origin):
            if n == 0:
                return attack_with(origin, first_enemy(game, state, origin))
            n -= 1
    return np.int64(DONE)


@njit
def is_able(game: Any, state: Any, origin: Any) -> bool:
    """Tell whether an own territory (NONE: it is none) can attack."""
    return origin != NONE and armies_at(state, origin) > 1 and enemies(game, state, origin) != NO_TERRITORIES


@njit
def first_enemy(game: Any, state: Any, territory: Any) -> int:
    """Return the first hostile neighbour of an own territory, in the order of its neighbours."""
    hostile = enemies(game, state, territory)
    for i in range(game.rules.degree[territory]):
        neighbour = np.int64(game.rules.neighbour[territory, i])
        if hostile & bit(neighbour):
            return neighbour
    return np.int64(NONE)


@njit
def first_connected(game: Any, state: Any, territory: Any) -> int:
    """Return the first other own territory in owned order that a path leads to, NONE if there is none."""
    reached = connected(game, state.held[state.mover], territory) & ~bit(territory)
    for place in range(game.rules.territories):
        other = np.int64(state.order[place])
        if reached & bit(other):
            return other
    return np.int64(NONE)


@njit
def random_origin(game: Any, state: Any, rng: Any) -> int:
    """Return where Random moves armies from, or that it moves none."""
    own = popcount(state.held[state.mover])
    for _ in range(DRAWS):
        origin = nth_owned(game, state, random_below(rng, own))
        if armies_at(state, origin) > 1:
            if first_connected(game, state, origin) != NONE:
                return MOVE_FROM + origin
            return np.int64(DONE)
    return np.int64(DONE)
