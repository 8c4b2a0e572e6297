"""Risk: how some Lux agents look for a player to eliminate, and go about it.

The victim is the player with the fewest armies, what its cards are worth taken off, whose territories hang together and
have a path through all of them that a stack beside one of its ends can pay for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, larger
from oponente.games.risk.cards import hand_size, set_value
from oponente.games.risk.lux.common import LONGEST_PATH, PATH, PATH_AT, PATH_SIZE, borders, own_armies
from oponente.games.risk.thesis.common import sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

LARGEST = 20
"""Territories of a victim at most."""
TRIES = 3000
"""Steps of the search for a path."""


@njit
def find_victim(game: Any, state: Any, memory: Any, work: Any) -> None:
    """Find a victim and note the path: the own stack, then the victim's territories; a path of no length: none."""
    memory[PATH_SIZE] = memory[PATH_AT] = 0
    mover = np.int64(state.mover)
    pool = np.int64(state.pool[mover])
    own = state.held[mover]
    edge = borders(game, state, own)
    reach = np.int64(0)
    left = edge
    while left:
        reach = larger(reach, armies_at(state, lowest_bit(left)))
        left &= left - ONE
    tried = np.int64(0)
    while True:
        victim, least = np.int64(-1), np.int64(1 << 30)
        for seat in range(game.rules.players):
            held = state.held[seat]
            if seat == mover or held == NO_TERRITORIES or tried >> np.int64(seat) & 1:
                continue
            cost = sum_armies(state, held) + popcount(held)
            if popcount(held) > LARGEST or reach + pool <= cost or own_armies(state) + pool <= 2 * cost:
                continue
            worth = sum_armies(state, held) - set_value(game, state, own) * hand_size(state, seat) // 3
            if worth < least:
                victim, least = np.int64(seat), worth
        if victim < 0:
            return
        tried |= np.int64(1) << victim
        held = state.held[victim]
        if connected(game, held, lowest_bit(held)) == held and plan(game, state, memory, work, held, edge, pool):
            return


@njit
def plan(game: Any, state: Any, memory: Any, work: Any, held: Any, edge: Any, pool: Any) -> bool:
    """Note a path through all of some territories from an own stack that can pay for it; tell whether there is one."""
    cost = sum_armies(state, held) + popcount(held)
    stacks = edge
    while stacks:
        stack = lowest_bit(stacks)
        stacks &= stacks - ONE
        if armies_at(state, stack) + pool <= cost:
            continue
        starts = game.rules.neighbours[stack] & held
        while starts:
            start = lowest_bit(starts)
            starts &= starts - ONE
            length = simple_path(game, held, start, work)
            if length > 0 and length < LONGEST_PATH:
                memory[PATH] = stack
                for i in range(length):
                    memory[PATH + 1 + i] = work[2, i]
                memory[PATH_SIZE], memory[PATH_AT] = length + 1, 0
                return True
    return False


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
