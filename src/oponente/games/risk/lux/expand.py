"""Risk: the routines of attacks of Cluster and its kin. Each looks at the territories in order, from where it was."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, larger
from oponente.games.risk.lux.common import (
    ANYWHERE,
    CURSOR,
    EVERYWHERE,
    EXPANDED,
    JOINED,
    NOWHERE,
    PATH,
    PATH_AT,
    PATH_SIZE,
    ROOT,
    begin,
    cluster_root,
    income_of,
    most_valuable,
    outnumbers_all,
    strongest,
    weakest,
)
from oponente.games.risk.lux.profiles import ALL, LEAST, PART
from oponente.games.risk.moves import DONE
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import enemies, is_own, sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount


@njit
def area(game: Any, state: Any, memory: Any) -> Any:
    """Return the own territories from which attacks are made: the cluster of the root, or all, or none."""
    own = state.held[state.mover]
    if memory[EVERYWHERE] == ANYWHERE:
        return own
    if memory[EVERYWHERE] == NOWHERE:
        return NO_TERRITORIES
    if memory[ROOT] == 0:
        memory[ROOT] = cluster_root(game, state) + 1
    return connected(game, own, memory[ROOT] - 1)


@njit
def expand(game: Any, state: Any, memory: Any, territories: Any) -> int:
    """Return the attack of the next border on its only hostile neighbour, if that is weaker."""
    for origin in range(memory[CURSOR], game.rules.territories):
        hostile = enemies(game, state, origin) if territories & bit(origin) else NO_TERRITORIES
        if popcount(hostile) == 1 and armies_at(state, origin) > armies_at(state, lowest_bit(hostile)):
            memory[CURSOR] = origin + 1
            return begin(memory, origin, lowest_bit(hostile), ALL)
    return np.int64(DONE)


@njit
def expand_one(game: Any, state: Any, memory: Any, territories: Any) -> int:
    """Return one easy expansion."""
    if memory[EXPANDED]:
        return np.int64(DONE)
    action = expand(game, state, memory, territories)
    memory[EXPANDED] = action != DONE
    return action


@njit
def fill_out(game: Any, state: Any, memory: Any, territories: Any) -> int:
    """Return the attack on the next territory all of whose neighbours are own, if one of them is stronger."""
    own = state.held[state.mover]
    for target in range(memory[CURSOR], game.rules.territories):
        beside = game.rules.neighbours[target]
        if is_own(state, target) or beside & ~own or beside & territories == NO_TERRITORIES:
            continue
        origin = strongest(state, beside & territories)
        if armies_at(state, origin) > armies_at(state, target):
            memory[CURSOR] = target + 1
            return begin(memory, origin, target, LEAST)
    return np.int64(DONE)


@njit
def fill_out_else(game: Any, state: Any, memory: Any, territories: Any) -> int:
    """Return the next attack that fills a hole, if there was no easy expansion."""
    if memory[EXPANDED]:
        return np.int64(DONE)
    return fill_out(game, state, memory, territories)


@njit
def consolidate(game: Any, state: Any, memory: Any, territories: Any) -> int:
    """Return the attack on the next territory that is the only hostile neighbour of two own ones or more, from the
    strongest of them, if they together are stronger; then from the others in turn.
    """
    for target in range(memory[CURSOR], game.rules.territories):
        joined = memory[JOINED]
        memory[JOINED] = 0
        if is_own(state, target):
            continue
        fronts, left = NO_TERRITORIES, game.rules.neighbours[target] & territories
        while left:
            origin = lowest_bit(left)
            left &= left - ONE
            if enemies(game, state, origin) == bit(target):
                fronts |= bit(origin)
        if joined or (popcount(fronts) >= 2 and sum_armies(state, fronts) > armies_at(state, target)):
            origin = strongest(state, fronts)
            if armies_at(state, origin) >= 2:
                memory[CURSOR], memory[JOINED] = target, 1
                return begin(memory, origin, target, ALL)
    return np.int64(DONE)


@njit
def split_up(game: Any, state: Any, memory: Any, territories: Any, ratio: Any) -> int:
    """Return the attack on the weakest hostile neighbour from the next border that is so many times as strong as all of
    them; then on the others.
    """
    for origin in range(memory[CURSOR], game.rules.territories):
        joined = memory[JOINED]
        memory[JOINED] = 0
        hostile = enemies(game, state, origin) if territories & bit(origin) else NO_TERRITORIES
        armies = armies_at(state, origin)
        if hostile and armies >= 2 and (joined or armies > ratio * sum_armies(state, hostile)):
            memory[CURSOR], memory[JOINED] = origin, 1
            return begin(memory, origin, weakest(state, hostile), PART)
    return np.int64(DONE)


@njit
def may_split(game: Any, state: Any) -> bool:
    """Tell whether Yakool divides a stack: if it owns no continent, or its income is low or the highest, or it has more
    armies than all others together.
    """
    mover = np.int64(state.mover)
    own, total, alive, most = income_of(game, state, mover), np.int64(0), 0, np.int64(0)
    for seat in range(game.rules.players):
        income = income_of(game, state, seat)
        total += income
        alive += income > 0
        most = larger(most, income)
    return (
        most_valuable(game, state, mover) == NONE or own * alive < total or own == most or outnumbers_all(game, state)
    )


@njit
def sweep(game: Any, state: Any, memory: Any, territories: Any) -> int:
    """Note an advance of the next border along territories with one way on, if it shrinks the front to one territory;
    return its first attack. If nothing was taken before.

    The advance takes the weakest neighbour that has one hostile neighbour at most that is not seen yet, and goes on
    from there.
    """
    if (memory[CURSOR] == 0 and state.conquered) or front_size(game, state.held[state.mover], territories) <= 1:
        return np.int64(DONE)
    for origin in range(memory[CURSOR], game.rules.territories):
        if not territories & bit(origin):
            continue
        own, here, armies = state.held[state.mover], np.int64(origin), armies_at(state, origin)
        memory[PATH], size = origin, 1
        while True:
            following = np.int64(NONE)
            choices = game.rules.neighbours[here] & ~own
            while choices:
                target = lowest_bit(choices)
                choices &= choices - ONE
                unseen = popcount(game.rules.neighbours[target] & ~own)
                weaker = following == NONE or armies_at(state, target) < armies_at(state, following)
                if unseen <= 1 and weaker:
                    following = target
            if following == NONE or armies <= armies_at(state, following) + 1:
                break
            armies -= armies_at(state, following) + 1
            memory[PATH + size] = following
            size += 1
            own |= bit(following)
            here = following
            if front_size(game, own, territories | own & ~state.held[state.mover]) == 1:
                memory[PATH_SIZE], memory[PATH_AT], memory[CURSOR] = size, 0, origin + 1
                return begin(memory, origin, memory[PATH + 1], ALL)
    return np.int64(DONE)


@njit
def front_size(game: Any, own: Any, territories: Any) -> int:
    """Return how many of some territories would have hostile neighbours if `own` were the player's."""
    count = 0
    while territories:
        count += game.rules.neighbours[lowest_bit(territories)] & ~own != NO_TERRITORIES
        territories &= territories - ONE
    return count
