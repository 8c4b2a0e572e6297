"""What some Lux agents do along paths: find the cheapest ones, and follow one that is noted."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at
from oponente.games.risk.income import holds_continent
from oponente.games.risk.lux.common import FOE, PATH, PATH_AT, PATH_SIZE, begin
from oponente.games.risk.lux.profiles import ALL, ONWARD
from oponente.games.risk.moves import DONE
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import is_own
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit

FAR = 1 << 40


@njit
def find_ways(game: Any, state: Any, goals: Any, shut: Any, counted: Any, cost: Any, step: Any) -> None:
    """Find the cheapest ways through hostile territories to one of the goals (E. Dijkstra 1959, from the goals).

    Args:
        goals: territories; own ones among them are none.
        shut: territories that no way leads through.
        counted: whether the armies on the goals count.
        cost: int64 work space: gets the hostile armies on the way from each territory, itself included.
        step: int64 work space: gets what is next on the way, NONE at the goals.
    """
    own = state.held[state.mover]
    for territory in range(game.rules.territories):
        cost[territory], step[territory] = FAR, NONE
    waiting = goals & ~own
    left = waiting
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        cost[territory] = armies_at(state, territory) if counted else 0
    while waiting:
        here, left = np.int64(NONE), waiting
        while left:
            territory = lowest_bit(left)
            left &= left - ONE
            if here == NONE or cost[territory] < cost[here]:
                here = territory
        waiting &= ~bit(here)
        left = game.rules.neighbours[here] & ~shut
        while left:
            territory = lowest_bit(left)
            left &= left - ONE
            through = cost[here] if own & bit(territory) else cost[here] + armies_at(state, territory)
            if through < cost[territory]:
                cost[territory], step[territory] = through, here
                waiting |= bit(territory) & ~own


@njit
def cheapest_start(state: Any, cost: Any) -> int:
    """Return the own territory from which the cheapest way leads, of equals the strongest; NONE: there is no way."""
    best, left = np.int64(NONE), state.held[state.mover]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if cost[territory] < FAR and (
            best == NONE
            or cost[territory] < cost[best]
            or (cost[territory] == cost[best] and armies_at(state, territory) > armies_at(state, best))
        ):
            best = territory
    return best


@njit
def affordable_start(state: Any, cost: Any) -> int:
    """Return the own territory from which the cheapest way leads that costs less than its armies; NONE: none."""
    best, left = np.int64(NONE), state.held[state.mover]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if cost[territory] < armies_at(state, territory) and (best == NONE or cost[territory] < cost[best]):
            best = territory
    return best


@njit
def note_way(memory: Any, start: Any, step: Any) -> int:
    """Note the way that was found from a territory; return how many territories it has."""
    size, here = 0, start
    while here != NONE:
        memory[PATH + size] = here
        size += 1
        here = step[here]
    memory[PATH_SIZE], memory[PATH_AT] = size, 0
    return size


@njit
def follow(state: Any, profile: Any, memory: Any) -> int:
    """Return the next attack along the path that is noted, or DONE at its end; what fails ends it."""
    while memory[PATH_SIZE] > memory[PATH_AT] + 1:
        here, following = memory[PATH + memory[PATH_AT]], memory[PATH + memory[PATH_AT] + 1]
        if is_own(state, following):
            memory[PATH_AT] += 1
        elif is_own(state, here) and armies_at(state, here) >= 2:
            return begin(memory, here, following, ONWARD if profile.kills else ALL)
        else:
            break
    memory[PATH_SIZE] = 0
    return np.int64(DONE)


@njit
def held_continents(game: Any, state: Any, seat: Any) -> Any:
    """Return the territories of all continents that a player holds."""
    found = NO_TERRITORIES
    for continent in range(game.rules.continents):
        if holds_continent(game, state, seat, continent):
            found |= game.rules.continent[continent]
    return found


@njit
def towards_dominator(game: Any, state: Any, profile: Any, memory: Any, work: Any) -> int:
    """Note a way to the most valuable continent of the player who dominates that some stack can pay for; return the
    first attack on it.
    """
    if memory[FOE] == 0:
        return np.int64(DONE)
    seat = memory[FOE] - 1
    tried = np.int64(0)
    while True:
        best = np.int64(NONE)
        for continent in range(game.rules.continents):
            if tried >> np.int64(continent) & 1 or not holds_continent(game, state, seat, continent):
                continue
            if best == NONE or game.rules.bonus[continent] > game.rules.bonus[best]:
                best = np.int64(continent)
        if best == NONE:
            return np.int64(DONE)
        tried |= np.int64(1) << best
        find_ways(game, state, game.rules.continent[best], NO_TERRITORIES, True, work[0], work[1])
        start = affordable_start(state, work[0])
        if start != NONE:
            note_way(memory, start, work[1])
            return follow(state, profile, memory)
