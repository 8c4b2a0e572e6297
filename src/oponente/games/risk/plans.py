"""Risk: composite actions, for searches: what a player may sensibly mean to do, of which each is raw actions in a row.

Raw branching is the problem of the game. A *plan* is one number that stands for

``PLACE + territory``
    place all armies there;
``ATTACK + 64 * from + to``
    attack with the most dice until the territory falls or one army is left, and move all armies in;
``MOVE + 64 * from + to``
    move all armies that may move;
``KEEP + 64 * from + to``
    attack in the same way, and leave behind what the borders need: move in the least;
``RAW + action``
    any other action, as it is (amounts left out).

:func:`list_plans` lists those that may be worth while: armies only on borders, attacks with odds that are not hopeless,
moves only from inner territories to borders. :func:`next_step` gives the raw action that a plan takes next, so that
every plan is played as legal raw actions; `DONE_WITH` tells that it is carried out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import ONE, armies_at, larger
from oponente.games.risk.choices import list_choices, most_amount
from oponente.games.risk.fortify import destinations, most_to_move, movable_from
from oponente.games.risk.income import placeable, placeable_at
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACKING,
    DONE,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_AMOUNT,
    MOVING_TO,
    OCCUPYING,
    PLACING,
    PLACING_AMOUNT,
)
from oponente.games.risk.moves import ATTACK as RAW_ATTACK
from oponente.games.risk.moves import PLACE as RAW_PLACE
from oponente.games.risk.thesis.common import enemies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit

RAW = 0
PLACE, ATTACK, KEEP, MOVE = 1 << 20, 1 << 21, 1 << 22, 1 << 23
DONE_WITH = -1
HOPELESS = 2
"""Attacks need as many armies as this share of the defender's: more than a half."""


@njit
def list_plans(game: Any, state: Any, out: Any, buffer: Any) -> int:
    """List the plans of the player to move; return how many. `out` and `buffer` are int32, `MAX_ACTIONS` long."""
    phase = state.phase
    own = state.held[state.mover]
    if phase == PLACING:
        return list_places(game, state, own, out)
    if phase == ATTACKING:
        out[0] = RAW + DONE
        return list_attacks(game, state, own, out, 1)
    if phase == MOVING:
        out[0] = RAW + DONE
        return list_moves(game, state, own, out, 1)
    if phase in (PLACING_AMOUNT, OCCUPYING, MOVING_AMOUNT):
        return list_amounts(game, state, out)
    count = list_choices(game, state, buffer)
    for i in range(count):
        out[i] = RAW + buffer[i]
    return count


@njit
def list_places(game: Any, state: Any, own: Any, out: Any) -> int:
    """List the borders on which armies may be placed, or, if none has room, all such territories."""
    allowed = placeable(game, state)
    count, left = 0, allowed
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if game.rules.neighbours[territory] & ~own:
            out[count] = PLACE + territory
            count += 1
    if count == 0:
        left = allowed
        while left:
            out[count] = PLACE + lowest_bit(left)
            left &= left - ONE
            count += 1
    if count == 0:
        out[0] = RAW + DONE
        count = 1
    return count


@njit
def list_attacks(game: Any, state: Any, own: Any, out: Any, count: Any) -> int:
    """List the attacks that are not hopeless; where others stay beside both ends, also those that move the least in."""
    left = own
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        armies = armies_at(state, origin)
        if armies < 2:
            continue
        targets = enemies(game, state, origin)
        while targets:
            target = lowest_bit(targets)
            targets &= targets - ONE
            if HOPELESS * armies <= armies_at(state, target):
                continue
            if count + 1 < out.size:
                out[count] = ATTACK + 64 * origin + target
                count += 1
            beside = game.rules.neighbours[origin] & ~own & ~bit(target)
            if beside and armies > 4 and count + 1 < out.size:
                out[count] = KEEP + 64 * origin + target
                count += 1
    return count


@njit
def list_moves(game: Any, state: Any, own: Any, out: Any, count: Any) -> int:
    """List the moves of all that may leave a territory to a border."""
    left = own
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        if movable_from(game, state, origin) < 1:
            continue
        targets = destinations(game, state, origin)
        while targets:
            target = lowest_bit(targets)
            targets &= targets - ONE
            if game.rules.neighbours[target] & ~own and count < out.size:
                out[count] = MOVE + 64 * origin + target
                count += 1
    return count


@njit
def list_amounts(game: Any, state: Any, out: Any) -> int:
    """List the least, half and most of the amounts that are possible."""
    least = np.int64(0) if state.phase == OCCUPYING else np.int64(1)
    most = most_amount(game, state)
    out[0] = RAW + AMOUNT + larger(most, np.int64(0))
    count = 1
    if most > least:
        out[count] = RAW + AMOUNT + least
        count += 1
        if (least + most) // 2 > least:
            out[count] = RAW + AMOUNT + (least + most) // 2
            count += 1
    return count


@njit
def next_step(game: Any, state: Any, plan: Any, begun: Any) -> int:
    """Return the raw action that a plan takes next, `DONE_WITH` if it is carried out.

    Args:
        game, state: the position, in which a player is to move.
        plan: the plan.
        begun: whether a raw action of it has been taken.
    """
    phase = state.phase
    if plan >= MOVE:
        if phase == MOVING_TO:
            return MOVE_TO + plan % 64
        if phase == MOVING_AMOUNT:
            return AMOUNT + most_to_move(game, state)
        return DONE_WITH if begun else MOVE_FROM + (plan - MOVE) // 64
    if plan >= ATTACK:
        origin, target = plan // 64 % 64, plan % 64
        if phase == OCCUPYING:
            return AMOUNT + (np.int64(0) if plan >= KEEP else larger(most_to_occupy(game, state), np.int64(0)))
        if phase != ATTACKING or state.held[state.mover] & bit(target) or armies_at(state, origin) < 2:
            return DONE_WITH
        return RAW_ATTACK + 64 * origin + target
    if plan >= PLACE:
        if phase == PLACING_AMOUNT:
            return AMOUNT + placeable_at(game, state, np.int64(state.target))
        return DONE_WITH if begun else RAW_PLACE + plan % 64
    return DONE_WITH if begun else plan - RAW
