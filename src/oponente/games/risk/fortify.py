"""Risk: moving armies at the end of a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, room_at, smaller, with_room
from oponente.games.risk.moves import ADJACENT, CONNECTED, MOVE_FROM, MOVE_TO, STEPS
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit


@njit
def begin_moving(game: Any, state: Any) -> None:
    """Count the moves that are allowed, and, where each army may move once, which may still move.

    Where any number of moves is allowed, it is as many as there are territories: fewer suffice for every rearrangement.
    """
    fortify = game.rules.fortify
    state.moves_left = 1 if fortify in (ADJACENT, CONNECTED) else game.rules.territories
    if fortify == STEPS:
        for territory in range(game.rules.territories):
            state.movable[territory] = state.armies[territory]


@njit
def movable_from(game: Any, state: Any, origin: Any) -> int:
    """Return how many armies may leave an own territory: one stays behind."""
    most = armies_at(state, origin) - 1
    return smaller(most, np.int64(state.movable[origin])) if game.rules.fortify == STEPS else most


@njit
def destinations(game: Any, state: Any, origin: Any) -> Any:
    """Return where armies of an own territory may move."""
    own = state.held[state.mover]
    if game.rules.fortify == CONNECTED:
        reached = connected(game, own, origin) & ~bit(origin)
    else:
        reached = game.rules.neighbours[origin] & own
    return with_room(game, state, reached)


@njit
def origins(game: Any, state: Any, least: Any) -> Any:
    """Return the own territories from which so many armies, or more, may move somewhere."""
    found, left = NO_TERRITORIES, state.held[state.mover]
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        if movable_from(game, state, origin) >= least and destinations(game, state, origin):
            found |= bit(origin)
    return found


@njit
def may_move(game: Any, state: Any) -> bool:
    """Tell whether the player on turn can move any army."""
    left = state.held[state.mover]
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        if movable_from(game, state, origin) >= 1 and destinations(game, state, origin):
            return True
    return False


@njit
def list_territories(territories: Any, kind: Any, out: Any, count: Any) -> int:
    """List an action for each of some territories."""
    while territories:
        out[count] = kind + lowest_bit(territories)
        territories &= territories - ONE
        count += 1
    return count


@njit
def list_origins(game: Any, state: Any, out: Any, count: Any) -> int:
    """List from where armies may move."""
    return list_territories(origins(game, state, 1), MOVE_FROM, out, count)


@njit
def list_destinations(game: Any, state: Any, out: Any) -> int:
    """List where they may move from the territory that was chosen."""
    return list_territories(destinations(game, state, np.int64(state.origin)), MOVE_TO, out, 0)


@njit
def most_to_move(game: Any, state: Any) -> int:
    """Return how many armies may make the move that was chosen."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    return smaller(movable_from(game, state, origin), room_at(game, state, target))


@njit
def move(game: Any, state: Any, count: Any) -> None:
    """Move armies."""
    state.armies[state.origin] -= np.uint16(count)
    state.armies[state.target] += np.uint16(count)
    if game.rules.fortify == STEPS:
        state.movable[state.origin] -= np.uint16(count)
    state.moves_left -= 1
