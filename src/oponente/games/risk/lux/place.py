"""Risk: where the Lux agents place armies."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, nth_bit
from oponente.games.risk.income import holds_continent, placeable
from oponente.games.risk.lux.common import (
    FOE,
    FORCE,
    GOAL,
    NEXT,
    NEXT_BORDER,
    PATH,
    PATH_SIZE,
    WANTED,
    borders,
    easiest,
    gates,
    most_beset,
    outnumbers_all,
    root_cluster,
    strongest,
    unwrapped,
    weakest,
)
from oponente.games.risk.lux.paths import cheapest_start, find_ways, held_continents
from oponente.games.risk.lux.profiles import (
    PLACE_ANGRY,
    PLACE_BETTER,
    PLACE_CLUSTER,
    PLACE_EQUAL,
    PLACE_EVIL,
    PLACE_RANDOM,
)
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import enemies, sum_armies
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, lowest_bit, popcount

EVERY, SINGLE, HUNDREDTH = range(3)
"""How many armies are placed at a time: all; one; one, or a hundredth of very many."""


@njit
def place_where(game: Any, state: Any, profile: Any, memory: Any, work: Any, rng: Any) -> Any:
    """Return the territory that gets armies, and how many at a time."""
    own = state.held[state.mover]
    edge = borders(game, state, own)
    edge = edge if edge else own
    if memory[FOE] > 0:
        find_ways(game, state, held_continents(game, state, memory[FOE] - 1), NO_TERRITORIES, True, work[0], work[1])
        start = cheapest_start(state, work[0])
        if start != NONE:
            return start, np.int64(EVERY)
    if memory[PATH_SIZE] > 0:
        return np.int64(memory[PATH]), np.int64(EVERY)
    place = profile.place
    if place == PLACE_ANGRY:
        return most_beset(game, state, own, ~NO_TERRITORIES), np.int64(EVERY)
    if place == PLACE_RANDOM:
        return nth_bit(edge, random_below(rng, popcount(edge))), np.int64(EVERY)
    if place == PLACE_EQUAL:
        return weakest(state, own), np.int64(SINGLE)
    if place == PLACE_CLUSTER:
        if memory[GOAL] > 0:
            return to_take(game, state, np.int64(memory[GOAL] - 1), edge, work)
        front = borders(game, state, root_cluster(game, state))
        return weakest(state, front if front else edge), np.int64(HUNDREDTH)
    return pixie_where(game, state, profile, memory, edge, work)


@njit
def to_take(game: Any, state: Any, continent: Any, edge: Any, work: Any) -> Any:
    """Return where armies help to take a continent, or to keep it, and how many at a time."""
    own = state.held[state.mover]
    if continent == NONE:
        return weakest(state, edge), np.int64(SINGLE)
    whole = game.rules.continent[continent]
    if whole & ~own == NO_TERRITORIES:
        open_gates = unwrapped(game, state, continent)
        return weakest(state, open_gates if open_gates else whole), np.int64(SINGLE)
    if whole & own:
        return most_beset(game, state, whole & own, whole), np.int64(EVERY)
    find_ways(game, state, whole, NO_TERRITORIES, True, work[0], work[1])
    start = cheapest_start(state, work[0])
    return (start if start != NONE else strongest(state, edge)), np.int64(EVERY)


@njit
def pixie_where(game: Any, state: Any, profile: Any, memory: Any, edge: Any, work: Any) -> Any:
    """Return where the next army goes: to each wanted continent in turn, else to where others are near."""
    if profile.place == PLACE_EVIL and outnumbers_all(game, state):
        where = to_outnumber(game, state, profile)
        if where != NONE:
            return where, np.int64(SINGLE)
    continents = np.int64(game.rules.continents)
    for _ in range(continents):
        continent = np.int64(memory[NEXT])
        memory[NEXT] = (continent + 1) % continents
        if memory[WANTED] >> continent & 1 and needs_help(game, state, profile, memory, continent):
            where, _all = to_take(game, state, continent, edge, work)
            return where, np.int64(SINGLE)
    if memory[WANTED] == 0:
        return to_take(game, state, easiest(game, state), edge, work)
    if profile.place == PLACE_BETTER:
        where = beside_weakest_cluster(game, state, profile)
        if where != NONE:
            return where, np.int64(SINGLE)
    while not edge >> np.uint64(memory[NEXT_BORDER]) & ONE:
        memory[NEXT_BORDER] = (memory[NEXT_BORDER] + 1) % 64
    where = np.int64(memory[NEXT_BORDER])
    memory[NEXT_BORDER] = (where + 1) % 64
    return where, np.int64(SINGLE)


@njit
def needs_help(game: Any, state: Any, profile: Any, memory: Any, continent: Any) -> bool:
    """Tell whether a wanted continent needs armies: if it is not held, or a border of it has few."""
    if not holds_continent(game, state, state.mover, continent):
        return True
    better = profile.place == PLACE_BETTER
    border = weakest(state, unwrapped(game, state, continent) if better else gates(game, continent))
    return border != NONE and armies_at(state, border) <= memory[FORCE]


@njit
def to_outnumber(game: Any, state: Any, profile: Any) -> int:
    """Return the strongest own neighbour of the first hostile territory that has no neighbour so many times as strong;
    NONE: each has.
    """
    own = state.held[state.mover]
    for target in range(game.rules.territories):
        if not own & bit(target):
            stack = strongest(state, game.rules.neighbours[target] & own)
            if stack != NONE and armies_at(state, stack) <= profile.factor * armies_at(state, target):
                return stack
    return np.int64(NONE)


@njit
def beside_weakest_cluster(game: Any, state: Any, profile: Any) -> int:
    """Return the strongest own neighbour of the weakest cluster of another player that it can't win against yet; NONE:
    there is none.
    """
    best, least = np.int64(NONE), np.int64(1 << 40)
    own = state.held[state.mover]
    for territory in range(game.rules.territories):
        if own & bit(territory):
            continue
        cluster = connected(game, state.held[state.owner[territory]], territory)
        stack = strongest(state, beside(game, state, cluster))
        armies = sum_armies(state, cluster)
        if stack != NONE and armies < least and armies_at(state, stack) < profile.factor * armies + popcount(cluster):
            best, least = stack, armies
    return best


@njit
def beside(game: Any, state: Any, territories: Any) -> Any:
    """Return the own territories next to some of others."""
    found, left = NO_TERRITORIES, state.held[state.mover]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if enemies(game, state, territory) & territories:
            found |= bit(territory)
    return found


@njit
def allowed_place(game: Any, state: Any, where: Any) -> int:
    """Return a territory on which armies may be placed: the one that is wanted, if it is."""
    allowed = placeable(game, state)
    if where != NONE and allowed & bit(where):
        return where
    edge = borders(game, state, allowed)
    return strongest(state, edge if edge else allowed)
