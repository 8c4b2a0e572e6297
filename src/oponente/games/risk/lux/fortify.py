"""Risk: how the Lux agents move armies at the end of a turn.

In Lux any number of moves between neighbours is allowed: each territory moves once, those at the borders first. Where
only one move is allowed, it is that of most armies; along own territories, if that is allowed, it goes to the border.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, larger, neighbours_of, nth_bit, smaller
from oponente.games.risk.fortify import destinations, most_to_move, movable_from
from oponente.games.risk.income import holds_continent
from oponente.games.risk.lux.common import MOVED, borders, count_enemies, gates, root_cluster, weakest, weakest_beside
from oponente.games.risk.lux.paths import held_continents
from oponente.games.risk.lux.profiles import (
    MOVE_ANGRY,
    MOVE_BETTER,
    MOVE_CLUSTER,
    MOVE_EQUAL,
    MOVE_EVIL,
    MOVE_NONE,
)
from oponente.games.risk.moves import AMOUNT, DONE, MOVE_FROM, MOVE_TO, MOVING, MOVING_TO, STEPS, UNLIMITED
from oponente.games.risk.state import NONE
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, lowest_bit, popcount


@njit
def move_step(game: Any, state: Any, profile: Any, memory: Any, rng: Any) -> int:
    """Return the next move of armies, or the end of the turn."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    if state.phase == MOVING:
        return move_from(game, state, profile, memory, rng)
    if state.phase == MOVING_TO:
        place = better_place(game, state, profile, origin, rng)
        return MOVE_TO + (place if place != NONE else weakest(state, destinations(game, state, origin)))
    most = most_to_move(game, state)
    if profile.move == MOVE_EQUAL or (profile.move == MOVE_EVIL and balances(game, state, origin, target)):
        return AMOUNT + smaller(larger((armies_at(state, origin) - armies_at(state, target)) // 2, 1), most)
    return AMOUNT + most


@njit
def move_from(game: Any, state: Any, profile: Any, memory: Any, rng: Any) -> int:
    """Return from where armies move next, or the end of the turn."""
    if profile.move == MOVE_NONE:
        return np.int64(DONE)
    own = state.held[state.mover]
    origin = next_origin(game, state, profile, own & ~np.uint64(memory[MOVED]), rng)
    if origin == NONE and profile.move in (MOVE_BETTER, MOVE_EQUAL) and memory[MOVED]:
        memory[MOVED] = 0  # these agents begin anew until nothing is left to move
        origin = next_origin(game, state, profile, own, rng)
    if origin == NONE:
        return np.int64(DONE)
    memory[MOVED] |= np.int64(bit(origin))
    return MOVE_FROM + origin


@njit
def next_origin(game: Any, state: Any, profile: Any, allowed: Any, rng: Any) -> int:
    """Return the one of some territories with a better place for most armies, where many moves are allowed among those
    nearest to a border; NONE: none has one.
    """
    own = state.held[state.mover]
    many = game.rules.fortify in (UNLIMITED, STEPS)
    layer = borders(game, state, own) if many else own
    reached = layer
    while layer:
        best, most, left = np.int64(NONE), np.int64(0), layer & allowed
        while left:
            territory = lowest_bit(left)
            left &= left - ONE
            free = movable_from(game, state, territory)
            if free > most and better_place(game, state, profile, territory, rng) != NONE:
                best, most = territory, free
        if best != NONE:
            return best
        layer = neighbours_of(game, layer) & own & ~reached
        reached |= layer
    return np.int64(NONE)


@njit
def better_place(game: Any, state: Any, profile: Any, origin: Any, rng: Any) -> int:
    """Return where armies of a territory should move, NONE if they should stay."""
    to = destinations(game, state, origin)
    near = to & game.rules.neighbours[origin]
    if profile.move == MOVE_EQUAL:
        return much_weaker(state, origin, near)
    if profile.move == MOVE_ANGRY:
        here = count_enemies(game, state, origin)
        place = more_beset(game, state, near, here)
        return random_place(near, rng) if place == NONE and here == 0 else place
    if profile.move == MOVE_CLUSTER:
        if count_enemies(game, state, origin) > 0 or not root_cluster(game, state) & bit(origin):
            return np.int64(NONE)
        return nearer_border(game, state, origin, to)
    if profile.move == MOVE_EVIL:
        place = helped(game, state, origin, near)
        if place != NONE:
            return place
        if count_enemies(game, state, origin) > 0:
            inside = held_continents(game, state, state.mover) if is_inside(game, state, origin) else near
            return much_weaker(state, origin, near & inside & borders(game, state, state.held[state.mover]))
    return outward(game, state, origin, to)


@njit
def much_weaker(state: Any, origin: Any, to: Any) -> int:
    """Return the weakest of some territories if it has at least two armies less; else NONE."""
    place = weakest(state, to)
    if place == NONE or armies_at(state, origin) - armies_at(state, place) <= 1:
        return np.int64(NONE)
    return place


@njit
def random_place(to: Any, rng: Any) -> int:
    """Return any of some territories, NONE if there is none."""
    return nth_bit(to, random_below(rng, popcount(to))) if to else np.int64(NONE)


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
def nearer(game: Any, state: Any, goals: Any, within: Any, origin: Any, to: Any) -> int:
    """Return the one of some territories that is nearest to a goal by ways within others, if nearer than the origin;
    else NONE.
    """
    layer = goals
    reached = layer
    while layer and not layer & bit(origin):
        if layer & to:
            return weakest(state, layer & to)
        layer = neighbours_of(game, layer) & within & ~reached
        reached |= layer
    return np.int64(NONE)


@njit
def nearer_border(game: Any, state: Any, origin: Any, to: Any) -> int:
    """Return the one of some territories that is nearest to a border, if nearer than the origin; else NONE."""
    own = state.held[state.mover]
    return nearer(game, state, borders(game, state, own), own, origin, to)


@njit
def is_inside(game: Any, state: Any, territory: Any) -> bool:
    """Tell whether a territory is in an own continent."""
    continent = np.int64(game.rules.continent_of[territory])
    return continent != NONE and holds_continent(game, state, state.mover, continent)


@njit
def outward(game: Any, state: Any, origin: Any, to: Any) -> int:
    """Return where armies move within an own continent towards its borders, else towards the weakest hostile neighbour;
    NONE: they stay.
    """
    if is_inside(game, state, origin):
        continent = np.int64(game.rules.continent_of[origin])
        whole = game.rules.continent[continent]
        return nearer(game, state, gates(game, continent), whole, origin, to & whole)
    best, least = np.int64(NONE), weakest_beside(game, state, origin, ~NO_TERRITORIES)
    left = to & game.rules.neighbours[origin]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        armies = weakest_beside(game, state, territory, ~NO_TERRITORIES)
        if armies < least:
            best, least = territory, armies
    if best == NONE and count_enemies(game, state, origin) == 0:
        return nearer_border(game, state, origin, to)
    return best


@njit
def helped(game: Any, state: Any, origin: Any, near: Any) -> int:
    """Return the weakest border of an own continent beside a territory outside of all; else NONE."""
    if is_inside(game, state, origin):
        return np.int64(NONE)
    own = state.held[state.mover]
    return weakest(state, near & held_continents(game, state, state.mover) & borders(game, state, own))


@njit
def balances(game: Any, state: Any, origin: Any, target: Any) -> bool:
    """Tell whether a move is one between two borders that are to have equally many armies."""
    helps = not is_inside(game, state, origin) and is_inside(game, state, target)
    return not helps and count_enemies(game, state, origin) > 0 and count_enemies(game, state, target) > 0
