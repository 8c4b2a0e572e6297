"""Risk: the Lux agents as one policy, so that whole games between them run in one kernel.

Which agent plays is chosen by the seat; what it remembers is an array that the policy changes. So it is no playout
policy for searches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.risk.board import NO_TERRITORIES, larger, nth_bit, smaller, with_room
from oponente.games.risk.income import placeable, placeable_at
from oponente.games.risk.lux.attack import attack_step
from oponente.games.risk.lux.common import BEFORE_PLACING, COUNT, LOOKED, MEMORY, TURN, strongest
from oponente.games.risk.lux.fortify import move_step
from oponente.games.risk.lux.look import look
from oponente.games.risk.lux.occupy import occupy_step
from oponente.games.risk.lux.pick import capital_step, claim_step, trade_step
from oponente.games.risk.lux.place import EVERY, HUNDREDTH, allowed_place, place_where
from oponente.games.risk.lux.profiles import PROFILE
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACKING,
    BONUS,
    CHOOSING_CAPITAL,
    CLAIMING,
    DEPLOYING,
    DEPLOYING_NEUTRAL,
    DONE,
    GETTING_BONUS,
    OCCUPYING,
    PLACE,
    PLACING,
    PLACING_AMOUNT,
    TRADING,
)
from oponente.games.risk.state import MAX_TERRITORIES, NEUTRAL, SEATS
from oponente.kernel import Token, njit, random_below
from oponente.kernel.bits import popcount

OWN_KNOWLEDGE = True


class Script(NamedTuple):
    """Which agent plays each seat, and what it remembers."""

    token: Token
    profiles: npt.NDArray[Any]
    """One per seat."""
    memory: npt.NDArray[np.int64]
    """A row per seat."""
    work: npt.NDArray[np.int64]
    """Work space, four rows."""


def new_memory() -> npt.NDArray[np.int64]:
    """Return memory for all seats."""
    return np.zeros((SEATS, MEMORY), np.int64)


def new_script(profiles: npt.NDArray[Any], memory: npt.NDArray[np.int64]) -> Script:
    """Return a script of agents with the given profiles, a record per seat, and their memory, a row per seat."""
    assert profiles.dtype == PROFILE
    return Script(Token(__name__), profiles, memory, np.zeros((4, MAX_TERRITORIES + 4), np.int64))


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the agent in the seat of the player on turn does."""
    seat = np.int64(state.mover)
    profile, memory, work = policy.profiles[seat], policy.memory[seat], policy.work
    phase = state.phase
    if phase == CLAIMING:
        return claim_step(game, state, profile, rng)
    if phase == CHOOSING_CAPITAL:
        return capital_step(state)
    if phase == DEPLOYING_NEUTRAL:
        neutral = with_room(game, state, state.held[NEUTRAL])
        return PLACE + nth_bit(neutral, random_below(rng, popcount(neutral)))
    if memory[TURN] != state.turn + 1:
        memory[:] = 0
        memory[TURN] = state.turn + 1
    if phase == DEPLOYING:
        look(game, state, profile, memory, work, rng)
        where, _ = place_where(game, state, profile, memory, work, rng)
        room = with_room(game, state, state.held[seat])
        wanted = where >= 0 and room >> np.uint64(where) & np.uint64(1) != NO_TERRITORIES
        return PLACE + (where if wanted else strongest(state, room))
    if phase == TRADING:
        return trade_step(game, state, profile)
    if phase == GETTING_BONUS:
        return BONUS + strongest(state, state.shown)
    if phase == PLACING:
        return placing_step(game, state, profile, memory, work, rng)
    if phase == PLACING_AMOUNT:
        return AMOUNT + how_many(np.int64(memory[COUNT]), placeable_at(game, state, np.int64(state.target)))
    if phase == ATTACKING:
        return attack_step(game, state, profile, memory, work, rng)
    if phase == OCCUPYING:
        return occupy_step(game, state, profile, memory)
    return move_step(game, state, profile, memory, rng)


@njit
def placing_step(game: Any, state: Any, profile: Any, memory: Any, work: Any, rng: Any) -> int:
    """Return where armies go next. What the agent is after it makes out once for all new armies of a kind: those of the
    turn, and those for cards in the middle of the attacks.
    """
    if placeable(game, state) == NO_TERRITORIES:
        return np.int64(DONE)
    if memory[LOOKED] != BEFORE_PLACING:
        look(game, state, profile, memory, work, rng)
    where, memory[COUNT] = place_where(game, state, profile, memory, work, rng)
    return PLACE + allowed_place(game, state, np.int64(where))


@njit
def how_many(count: Any, most: Any) -> int:
    """Return how many armies are placed at a time: all, one, or one or a hundredth of very many."""
    if count == EVERY:
        return most
    return smaller(larger(most // 100, np.int64(1)), most) if count == HUNDREDTH else smaller(np.int64(1), most)
