"""Risk: how the Lux agents move armies into conquests, and at the end of a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, larger, neighbours_of, smaller
from oponente.games.risk.fortify import destinations, most_to_move, movable_from
from oponente.games.risk.income import holds_continent
from oponente.games.risk.lux.common import (
    ALL,
    HALF,
    LEAST,
    MOVE_IN,
    ORIGIN,
    PART,
    SHARE,
    TARGET,
    borders,
    count_enemies,
    weakest,
)
from oponente.games.risk.lux.profiles import (
    MOVE_ANGRY,
    MOVE_EQUAL,
    MOVE_NONE,
    MOVE_PIXIE,
    OCCUPY_ANGRY,
    OCCUPY_HALF,
    OCCUPY_MORE,
    OCCUPY_WEAKER,
)
from oponente.games.risk.moves import AMOUNT, DONE, MOVE_FROM, MOVE_TO, MOVING, MOVING_TO
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import enemies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

FAR = 1 << 20


# --- into conquests --------------------------------------------------------------------------------------------------


@njit
def occupy_step(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return how many more armies move into the conquered territory."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    memory[ORIGIN] = memory[TARGET] = 0
    every = most_to_occupy(game, state)
    own_enemies, new_enemies = count_enemies(game, state, origin), count_enemies(game, state, target)
    if profile.occupy == OCCUPY_ANGRY:
        return np.int64(AMOUNT) if own_enemies > new_enemies else AMOUNT + every
    if profile.occupy == OCCUPY_HALF:
        return AMOUNT + every // 2
    if profile.occupy == OCCUPY_WEAKER:
        return AMOUNT + every if weaker_beside(game, state, target) <= weaker_beside(game, state, origin) else AMOUNT
    if popcount(game.rules.neighbours[origin]) == 1:
        return AMOUNT + every
    if popcount(game.rules.neighbours[target]) == 1:
        return np.int64(AMOUNT)
    moves = memory[MOVE_IN]
    if moves == LEAST:
        return np.int64(AMOUNT)
    if moves == HALF:
        return AMOUNT + every // 2
    if moves == PART:
        parts = larger(np.int64(memory[SHARE]), 1)
        return AMOUNT + (every // parts if own_enemies > 0 else every)
    if profile.occupy == OCCUPY_MORE and own_enemies > 0:
        if own_enemies == new_enemies:
            return AMOUNT + every // 2
        return AMOUNT + every if new_enemies > own_enemies else np.int64(AMOUNT)
    if moves == ALL and own_enemies > 0 and new_enemies == 0:
        return np.int64(AMOUNT)  # nobody is there to fight
    return AMOUNT + every


@njit
def weaker_beside(game: Any, state: Any, territory: Any) -> int:
    """Return the armies of the weakest hostile neighbour, many if there is none."""
    found = weakest(state, enemies(game, state, territory))
    return np.int64(FAR) if found == NONE else armies_at(state, found)


# --- at the end of a turn --------------------------------------------------------------------------------------------


@njit
def move_step(game: Any, state: Any, profile: Any) -> int:
    """Return the next move of armies, or the end of the turn."""
    phase = state.phase
    if phase == MOVING:
        return best_origin(game, state, profile)
    if phase == MOVING_TO:
        return MOVE_TO + better_place(game, state, profile, np.int64(state.origin))
    most = most_to_move(game, state)
    if profile.move == MOVE_EQUAL:
        gap = armies_at(state, np.int64(state.origin)) - armies_at(state, np.int64(state.target))
        return AMOUNT + smaller(larger(gap // 2, 1), most)
    return AMOUNT + most


@njit
def best_origin(game: Any, state: Any, profile: Any) -> int:
    """Return the territory from which most armies move to a better place."""
    best, most = np.int64(NONE), np.int64(0)
    if profile.move != MOVE_NONE:
        left = state.held[state.mover]
        while left:
            territory = lowest_bit(left)
            left &= left - ONE
            free = movable_from(game, state, territory)
            if free > most and better_place(game, state, profile, territory) != NONE:
                best, most = territory, free
    return np.int64(DONE) if best == NONE else MOVE_FROM + best


@njit
def better_place(game: Any, state: Any, profile: Any, origin: Any) -> int:
    """Return where armies of a territory should move, NONE if they should stay."""
    to = destinations(game, state, origin)
    if to == NO_TERRITORIES:
        return np.int64(NONE)
    if profile.move == MOVE_EQUAL:
        place = weakest(state, to)
        return place if armies_at(state, origin) - armies_at(state, place) > 1 else np.int64(NONE)
    here = count_enemies(game, state, origin)
    if profile.move == MOVE_ANGRY and here > 0:
        return more_beset(game, state, to, here)
    if here > 0:
        if profile.move == MOVE_PIXIE:
            return outward(game, state, origin, to)
        return np.int64(NONE)
    return nearer_border(game, state, origin, to)


@njit
def more_beset(game: Any, state: Any, to: Any, here: Any) -> int:
    """Return the one of some territories with the most hostile neighbours, if more than `here`; else NONE."""
    best, most = np.int64(NONE), here
    while to:
        territory = lowest_bit(to)
        to &= to - ONE
        if count_enemies(game, state, territory) > most:
            best, most = territory, count_enemies(game, state, territory)
    return best


@njit
def nearer_border(game: Any, state: Any, origin: Any, to: Any) -> int:
    """Return the one of some territories that is nearest to a border, if nearer than the origin; else NONE."""
    own = state.held[state.mover]
    layer = borders(game, state, own)
    reached = layer
    while layer and not layer & bit(origin):
        if layer & to:
            return weakest(state, layer & to)
        layer = neighbours_of(game, layer) & own & ~reached
        reached |= layer
    return np.int64(NONE)


@njit
def outward(game: Any, state: Any, origin: Any, to: Any) -> int:
    """Return a border of an own continent for armies inside of it that only hold a weaker front; else NONE."""
    continent = np.int64(game.rules.continent_of[origin])
    if continent == NONE or not holds_continent(game, state, state.mover, continent):
        return np.int64(NONE)
    place = weakest(state, to & game.rules.continent[continent] & borders(game, state, state.held[state.mover]))
    if place == NONE or 3 * armies_at(state, place) >= armies_at(state, origin):
        return np.int64(NONE)
    return place
