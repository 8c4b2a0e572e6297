"""Risk: where the Lux agents place armies."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, larger, nth_bit
from oponente.games.risk.income import holds_continent, placeable
from oponente.games.risk.lux.common import (
    NEXT,
    PATH,
    PATH_SIZE,
    WANTED,
    borders,
    cheapest_path,
    count_enemies,
    dominant,
    easiest,
    gates,
    most_beset,
    most_valuable,
    prize,
    root_cluster,
    strongest,
    weakest,
)
from oponente.games.risk.lux.kill import find_victim
from oponente.games.risk.lux.profiles import PLACE_ANGRY, PLACE_CLUSTER, PLACE_EQUAL, PLACE_RANDOM
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import sum_armies
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, popcount

FULL_BORDER = 20
"""Armies with which a border of an own continent needs no more."""


@njit
def place_where(game: Any, state: Any, profile: Any, memory: Any, work: Any, rng: Any) -> Any:
    """Return the territory that gets armies, and how many at a time: one, or (0) all that there are."""
    own = state.held[state.mover]
    edge = borders(game, state, own)
    edge = edge if edge else own
    if profile.dominant:
        seat = dominant(game, state)
        if seat != NONE and prize(game, state, seat):
            start = cheapest_path(game, state, prize(game, state, seat), work[0], work[1])
            if start != NONE:
                return start, np.int64(0)
    if profile.kills:
        find_victim(game, state, memory, work)
        if memory[PATH_SIZE] > 0:
            return np.int64(memory[PATH]), np.int64(0)
    place = profile.place
    if place == PLACE_ANGRY:
        return most_beset(game, state, own), np.int64(0)
    if place == PLACE_RANDOM:
        return nth_bit(edge, random_below(rng, popcount(edge))), np.int64(0)
    if place == PLACE_EQUAL:
        return weakest(state, own), np.int64(1)
    if place == PLACE_CLUSTER:
        if most_valuable(game, state, state.mover) != NONE:
            front = borders(game, state, root_cluster(game, state))
            return weakest(state, front if front else edge), np.int64(1)
        return to_take(game, state, easiest(game, state), edge, work)
    return pixie_where(game, state, memory, edge, work)


@njit
def to_take(game: Any, state: Any, continent: Any, edge: Any, work: Any) -> Any:
    """Return where armies help to take a continent, and how many at a time."""
    own = state.held[state.mover]
    if continent == NONE:
        return weakest(state, edge), np.int64(1)
    whole = game.rules.continent[continent]
    if whole & ~own == NO_TERRITORIES:
        return weakest(state, guarded(game, state, continent)), np.int64(1)
    if whole & own:
        inside = borders_inside(game, state, whole)
        return (most_beset(game, state, inside) if inside else strongest(state, edge)), np.int64(0)
    start = cheapest_path(game, state, whole, work[0], work[1])
    return (start if start != NONE else strongest(state, edge)), np.int64(0)


@njit
def borders_inside(game: Any, state: Any, whole: Any) -> Any:
    """Return the own territories of a continent that have hostile neighbours in it."""
    own = state.held[state.mover]
    found, left = NO_TERRITORIES, whole & own
    while left:
        territory = nth_bit(left, 0)
        left &= left - ONE
        if game.rules.neighbours[territory] & whole & ~own:
            found |= bit(territory)
    return found


@njit
def guarded(game: Any, state: Any, continent: Any) -> Any:
    """Return the gates of an own continent that others can attack; all gates if none can be."""
    gate = gates(game, continent)
    open_gates = borders(game, state, gate)
    if open_gates:
        return open_gates
    return gate if gate else game.rules.continent[continent]


@njit
def mark_wanted(game: Any, state: Any, profile: Any, memory: Any) -> None:
    """Mark the continents in and next to which others have few armies more than the player, new ones counted."""
    continents = np.int64(game.rules.continents)
    memory[WANTED] = memory[NEXT] = 0
    fresh = np.float64(state.pool[state.mover])
    own = state.held[state.mover]
    limit = fresh / larger(continents, 1)
    if profile.factor > 1.0:
        if most_valuable(game, state, state.mover) == NONE:
            best = easiest(game, state)  # without a continent only the easiest
            memory[WANTED] = 0 if best == NONE else 1 << best
            return
        limit = 4.0 * limit
    for continent in range(continents):
        if game.rules.bonus[continent] > 0:
            whole = game.rules.continent[continent]
            around = whole
            left = whole
            while left:
                around |= game.rules.neighbours[nth_bit(left, 0)]
                left &= left - ONE
            missing = profile.factor * sum_armies(state, whole & ~own) - sum_armies(state, around & own)
            if missing < limit:
                memory[WANTED] |= 1 << continent


@njit
def pixie_where(game: Any, state: Any, memory: Any, edge: Any, work: Any) -> Any:
    """Return where the next army goes: to each wanted continent in turn, else evenly to where others are near."""
    continents = np.int64(game.rules.continents)
    for _ in range(continents):
        continent = np.int64(memory[NEXT])
        memory[NEXT] = (continent + 1) % continents
        if not memory[WANTED] >> continent & 1:
            continue
        if holds_continent(game, state, state.mover, continent):
            gate = weakest(state, guarded(game, state, continent))
            if armies_at(state, gate) <= FULL_BORDER and count_enemies(game, state, gate) > 0:
                return gate, np.int64(1)
            continue
        where, _all = to_take(game, state, continent, edge, work)
        return where, np.int64(1)
    if memory[WANTED] == 0:
        return to_take(game, state, easiest(game, state), edge, work)
    return weakest(state, edge), np.int64(1)


@njit
def allowed_place(game: Any, state: Any, where: Any) -> int:
    """Return a territory on which armies may be placed: the one that is wanted, if it is."""
    allowed = placeable(game, state)
    if where != NONE and allowed & bit(where):
        return where
    edge = borders(game, state, allowed)
    return strongest(state, edge if edge else allowed)
