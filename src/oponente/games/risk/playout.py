"""Risk: a playout policy that plays as the thesis's Angry does, in any rules: quick, and not senseless.

It claims and places at random in the set-up, trades as soon as it has a set (of several the one that the agents of Lux
would: with most own territories, wild cards saved), places where the danger is greatest, attacks whatever is weaker, to
the death, and moves towards danger.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import NO_TERRITORIES, larger
from oponente.games.risk.cards import has_set
from oponente.games.risk.choices import sample_choice
from oponente.games.risk.fortify import destinations, most_to_move, movable_from
from oponente.games.risk.income import placeable, placeable_at
from oponente.games.risk.lux.pick import best_set
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
    PLACE,
    PLACING,
    PLACING_AMOUNT,
    TRADING,
)
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.angry import angry_attack, danger
from oponente.games.risk.thesis.common import owned_at
from oponente.kernel import Token, njit
from oponente.kernel.bits import bit, lowest_bit

OWN_KNOWLEDGE = True


class Angry(NamedTuple):
    """Has no tables."""

    token: Token


ANGRY = Angry(Token(__name__))


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the policy does."""
    phase = state.phase
    if phase == ATTACKING:
        return angry_attack(game, state)
    if phase == PLACING:
        allowed = placeable(game, state)
        return np.int64(DONE) if allowed == NO_TERRITORIES else PLACE + most_endangered(game, state, allowed, -1)
    if phase == PLACING_AMOUNT:
        return AMOUNT + placeable_at(game, state, np.int64(state.target))
    if phase == OCCUPYING:
        stay = danger(game, state, np.int64(state.origin)) > danger(game, state, np.int64(state.target))
        return AMOUNT + (np.int64(0) if stay else larger(most_to_occupy(game, state), np.int64(0)))
    if phase == MOVING:
        return move_origin(game, state)
    if phase == MOVING_TO:
        to = destinations(game, state, np.int64(state.origin))
        return MOVE_TO + most_endangered(game, state, to, -1)
    if phase == MOVING_AMOUNT:
        return AMOUNT + most_to_move(game, state)
    if phase == TRADING and has_set(game, state.hand[state.mover]):
        return best_set(game, state)
    return sample_choice(game, state, rng, buffer)


@njit
def most_endangered(game: Any, state: Any, territories: Any, least: Any) -> int:
    """Return the one of some own territories with the greatest danger, if that exceeds `least`; NONE: there is none."""
    best, most = np.int64(NONE), np.int64(least)
    while territories:
        territory = lowest_bit(territories)
        territories &= ~bit(territory)
        here = danger(game, state, territory)
        if here > most:
            best, most = territory, here
    return best


@njit
def move_origin(game: Any, state: Any) -> int:
    """Return the first territory out of danger from which armies can move to one in danger, or the end of the turn."""
    for place in range(game.rules.territories):
        origin = owned_at(state, place)
        if origin == NONE or movable_from(game, state, origin) < 1 or danger(game, state, origin) > 0:
            continue
        if most_endangered(game, state, destinations(game, state, origin), 0) != NONE:
            return MOVE_FROM + origin
    return np.int64(DONE)
