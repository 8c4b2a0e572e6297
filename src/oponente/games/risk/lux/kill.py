"""Risk: how some Lux agents look for a player to eliminate, and go about it.

The victim is the player with the fewest armies, what its cards are worth taken off, among those whom the largest stack
can beat. It is hunted if its territories hang together and have a path through all of them that the stack nearest to
one of its ends can pay for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected
from oponente.games.risk.cards import hand_size, next_set_value
from oponente.games.risk.lux.common import (
    HUNTING,
    PATH,
    PATH_AT,
    PATH_SIZE,
    borders,
    own_armies,
    strongest,
)
from oponente.games.risk.lux.paths import FAR, cheapest_start, find_ways, note_way
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

LARGEST = 20
"""Territories of a victim at most."""
TRIES = 10_000
"""Steps of the search for a path."""


@njit
def find_victim(game: Any, state: Any, memory: Any, work: Any) -> None:
    """Find a victim and note the path: the own stack, the way there, the victim's territories; or none."""
    memory[PATH_SIZE] = memory[PATH_AT] = 0
    victim = weakest_player(game, state)
    if victim == NONE:
        return
    held = state.held[victim]
    if popcount(held) > LARGEST or connected(game, held, lowest_bit(held)) != held:
        return
    pool, price = np.int64(state.pool[state.mover]), sum_armies(state, held) + popcount(held)
    tried = NO_TERRITORIES
    while True:
        end = nearest_end(game, state, held, tried, work)
        if end == NONE:
            return
        tried |= bit(end)
        length = simple_path(game, held, end, work)
        if length > 0:
            break
    find_ways(game, state, bit(end), held, False, work[0], work[1])
    start = cheapest_start(state, work[0])
    size = note_way(memory, start, work[1])
    if armies_at(state, start) + pool <= price + work[0, start] + size - 2:
        memory[PATH_SIZE] = 0
        return
    for i in range(1, length):
        memory[PATH + size + i - 1] = work[2, i]
    memory[PATH_SIZE] = size + length - 1
    memory[HUNTING] = 1


@njit
def weakest_player(game: Any, state: Any) -> int:
    """Return the player to eliminate, NONE if the armies do not suffice for any."""
    mover = np.int64(state.mover)
    own = state.held[mover]
    front = strongest(state, borders(game, state, own))
    if front == NONE:
        return np.int64(NONE)
    reach = armies_at(state, front) + np.int64(state.pool[mover])
    victim, least = np.int64(NONE), np.int64(1 << 30)
    for seat in range(game.rules.players):
        held = state.held[seat]
        if seat == mover or held == NO_TERRITORIES:
            continue
        price = sum_armies(state, held) + popcount(held)
        if reach > price and own_armies(state) > 2 * price:
            worth = 3 * sum_armies(state, held) - next_set_value(game, state) * hand_size(state, seat)
            if worth < least:
                victim, least = np.int64(seat), worth
    return victim


@njit
def nearest_end(game: Any, state: Any, held: Any, tried: Any, work: Any) -> int:
    """Return the one of a victim's territories, not tried yet, to which the cheapest way leads that passes none of the
    others; NONE: there is no way to any.
    """
    best, least = np.int64(NONE), np.int64(FAR)
    left = held & ~tried
    while left:
        end = lowest_bit(left)
        left &= left - ONE
        find_ways(game, state, bit(end), held, False, work[0], work[1])
        start = cheapest_start(state, work[0])
        if start != NONE and work[0, start] < least:
            best, least = end, work[0, start]
    return best


@njit
def simple_path(game: Any, held: Any, start: Any, work: Any) -> int:
    """Find a path from a territory through all of some, each once; return its length, 0 if none was found.

    Depth first, bounded; ``work[2]`` gets the path, ``work[3]`` what is still to be tried at each step.
    """
    size = popcount(held)
    depth = np.int64(0)
    used = bit(start)
    work[2, 0] = start
    work[3, 0] = np.int64(game.rules.neighbours[start] & held & ~used)
    for _ in range(TRIES):
        if depth + 1 == size:
            return size
        choices = np.uint64(work[3, depth])
        if choices == NO_TERRITORIES:
            used &= ~bit(work[2, depth])
            depth -= 1
            if depth < 0:
                return np.int64(0)
            continue
        following = lowest_bit(choices)
        work[3, depth] = np.int64(choices & (choices - ONE))
        depth += 1
        used |= bit(following)
        work[2, depth] = following
        work[3, depth] = np.int64(game.rules.neighbours[following] & held & ~used)
    return np.int64(0)
