"""Risk: how many armies the Lux agents move into conquests."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import NO_TERRITORIES, armies_at, connected, larger, smaller
from oponente.games.risk.lux.common import (
    GOAL,
    MOVE_IN,
    WANTED,
    count_enemies,
    weakest_beside,
)
from oponente.games.risk.lux.profiles import (
    ALL,
    FREELY,
    HALF,
    LEAST,
    OCCUPY_ANGRY,
    OCCUPY_BETTER,
    OCCUPY_CLUSTER,
    OCCUPY_HALF,
    OCCUPY_WEAKER,
    ONWARD,
    PART,
)
from oponente.games.risk.lux.wanted import wanted_territories
from oponente.games.risk.moves import AMOUNT
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import enemies
from oponente.kernel import njit
from oponente.kernel.bits import lowest_bit, popcount


@njit
def occupy_step(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return how many more armies move into the conquered territory."""
    every = most_to_occupy(game, state)
    moves = how_to_move(game, state, profile, memory)
    if moves == LEAST:
        return np.int64(AMOUNT)
    if moves == HALF:
        return AMOUNT + share(state, 2, 0, every)
    if moves == PART:
        return AMOUNT + share(state, count_enemies(game, state, np.int64(state.origin)) + 1, 1, every)
    return AMOUNT + every


@njit
def share(state: Any, parts: Any, left: Any, every: Any) -> int:
    """Return how many more armies make the conquered territory have its part of the stack that attacked, of which some
    are left behind.
    """
    there = armies_at(state, np.int64(state.target))
    part = (armies_at(state, np.int64(state.origin)) - left + there) // parts
    return smaller(larger(part - there, np.int64(0)), every)


@njit
def how_to_move(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return what moves in: all, the least, half or a part."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    if profile.occupy == OCCUPY_ANGRY:
        more_behind = count_enemies(game, state, origin) > count_enemies(game, state, target)
        return np.int64(LEAST) if more_behind else np.int64(ALL)
    if profile.occupy == OCCUPY_HALF:
        return np.int64(HALF)
    if profile.occupy == OCCUPY_WEAKER:
        return to_weaker_side(game, state, origin, target, ~NO_TERRITORIES)
    moves = np.int64(memory[MOVE_IN])
    if moves == ONWARD:
        return np.int64(ALL)
    if popcount(game.rules.neighbours[origin]) == 1:
        return np.int64(ALL)
    if popcount(game.rules.neighbours[target]) == 1:
        return np.int64(LEAST)
    if moves != FREELY:
        return moves
    if profile.occupy == OCCUPY_CLUSTER:
        goal = game.rules.continent[memory[GOAL] - 1] if memory[GOAL] > 0 else NO_TERRITORIES
        return to_weaker_side(game, state, origin, target, goal)
    wanted = wanted_territories(game, memory)
    if profile.occupy == OCCUPY_BETTER and (enemies(game, state, origin) | enemies(game, state, target)) & wanted:
        return to_wanted_enemies(game, state, origin, target, wanted)
    return to_more_enemies(game, state, memory, origin, target)


@njit
def to_weaker_side(game: Any, state: Any, origin: Any, target: Any, within: Any) -> int:
    """Let all go to where the weaker hostile neighbour among some territories is, on if there is no difference."""
    here, there = weakest_beside(game, state, origin, within), weakest_beside(game, state, target, within)
    return np.int64(LEAST) if here < there else np.int64(ALL)


@njit
def to_wanted_enemies(game: Any, state: Any, origin: Any, target: Any, wanted: Any) -> int:
    """Let armies go to where others are near in wanted continents; all if these hang together, else half."""
    here, there = enemies(game, state, origin) & wanted, enemies(game, state, target) & wanted
    if here == NO_TERRITORIES:
        return np.int64(ALL)
    if there == NO_TERRITORIES:
        return np.int64(LEAST)
    cluster = connected(game, wanted & ~state.held[state.mover], lowest_bit(here))
    return np.int64(HALF) if (here | there) & ~cluster else np.int64(ALL)


@njit
def to_more_enemies(game: Any, state: Any, memory: Any, origin: Any, target: Any) -> int:
    """Let all go to where more others are near, half if there is no difference; where none are, to a wanted
    continent.
    """
    here, there = count_enemies(game, state, origin), count_enemies(game, state, target)
    if here + there == 0:
        here, there = in_wanted(game, memory, origin), in_wanted(game, memory, target)
    if here == there:
        return np.int64(HALF)
    return np.int64(ALL) if there > here else np.int64(LEAST)


@njit
def in_wanted(game: Any, memory: Any, territory: Any) -> int:
    """Return 1 for a territory in a wanted continent, else 0."""
    continent = np.int64(game.rules.continent_of[territory])
    return np.int64(0) if continent == NONE else memory[WANTED] >> continent & 1
