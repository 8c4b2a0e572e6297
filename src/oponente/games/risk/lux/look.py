"""Risk: what the Lux agents make out before they place armies, and remember for the turn: what they are after."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, larger, nth_bit
from oponente.games.risk.lux.common import (
    BEFORE_PLACING,
    FOE,
    FORCE,
    GOAL,
    LOOKED,
    NEXT,
    NEXT_BORDER,
    WANTED,
    around,
    borders,
    dominant,
    easiest,
    most_valuable,
)
from oponente.games.risk.lux.kill import find_victim
from oponente.games.risk.lux.paths import FAR, find_ways
from oponente.games.risk.lux.profiles import PLACE_BETTER, PLACE_CLUSTER, PLACE_PIXIE
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import sum_armies
from oponente.kernel import njit, random_below
from oponente.kernel.bits import lowest_bit, popcount

PATH_FACTOR = 1.2
"""How strong the armies on the way to a continent count."""
LEAST_FORCE, MOST_FORCE = 7, 21
"""Bounds of a random border force."""


@njit
def look(game: Any, state: Any, profile: Any, memory: Any, work: Any, rng: Any) -> None:
    """Look for a player to eliminate or one who dominates, and for continents to take."""
    memory[LOOKED] = BEFORE_PLACING
    if profile.kills:
        find_victim(game, state, memory, work)
    if profile.dominant:
        memory[FOE] = dominant(game, state) + 1
    if profile.place == PLACE_CLUSTER:
        held = most_valuable(game, state, state.mover)
        memory[GOAL] = easiest(game, state) + 1 if held == NONE else 0
    if profile.place >= PLACE_PIXIE:
        memory[FORCE] = profile.force
        if profile.force == 0:
            memory[FORCE] = LEAST_FORCE + random_below(rng, MOST_FORCE - LEAST_FORCE + 1)
        mark_wanted(game, state, profile, memory, work)


@njit
def mark_wanted(game: Any, state: Any, profile: Any, memory: Any, work: Any) -> None:
    """Mark the continents in which others have few armies more than the player in and next to it, by the new armies.

    In the set-up, where armies come one by one, their number tells which of the wanted continents, and which border, is
    next.
    """
    continents = np.int64(game.rules.continents)
    fresh = np.int64(state.pool[state.mover])
    memory[WANTED] = memory[NEXT] = memory[NEXT_BORDER] = 0
    better = profile.place == PLACE_BETTER
    if better and most_valuable(game, state, state.mover) == NONE:
        best = easiest(game, state)
        memory[WANTED] = 0 if best == NONE else np.int64(1) << best
    else:
        limit = (4.0 if better else 1.0) * fresh / larger(continents, 1)
        for continent in range(continents):
            if lead_in(game, state, profile, continent, work) < limit:
                memory[WANTED] |= np.int64(1) << np.int64(continent)
    if state.turn == 0:
        wanted, edge = np.uint64(memory[WANTED]), borders(game, state, state.held[state.mover])
        memory[NEXT] = nth_bit(wanted, -fresh % popcount(wanted)) if wanted else 0
        memory[NEXT_BORDER] = nth_bit(edge, -fresh % popcount(edge)) if edge else 0


@njit
def lead_in(game: Any, state: Any, profile: Any, continent: Any, work: Any) -> float:
    """Return how many armies more others have in a continent than the player has in and next to it."""
    own, whole = state.held[state.mover], game.rules.continent[continent]
    near = around(game, continent)
    ours = np.float64(sum_armies(state, near & own))
    if profile.place == PLACE_BETTER:
        ours += far_stack(game, state, near, whole, work)
    return profile.factor * sum_armies(state, whole & ~own) - ours


@njit
def far_stack(game: Any, state: Any, near: Any, whole: Any, work: Any) -> float:
    """Return what an own stack that is neither in nor next to a continent counts there: what the way to it leaves."""
    most = 0.0
    find_ways(game, state, whole, NO_TERRITORIES, False, work[0], work[1])
    left = state.held[state.mover] & ~near
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if work[0, territory] < FAR:
            most = larger(most, armies_at(state, territory) - PATH_FACTOR * work[0, territory])
    return most
