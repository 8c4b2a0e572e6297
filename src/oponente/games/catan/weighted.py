"""Catan: the policies that draw an action at random, weighted by its kind or not, and never trade with players.

The weights are those of a prior as well.

``weighted-random`` (Skoric, FER 2022, after Catanatron's player of that name) draws among the listed actions: a city
with weight 1000, a settlement 700, a road 300, buying a development card 250, playing one 50, all else 1. ``random``
gives all the same weight. Both make no offers and reject all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.choices import list_choices
from oponente.games.catan.moves import (
    ANSWERING,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRMING,
    DISCARD,
    OFFER,
    PLAY_KNIGHT,
    REJECT,
    WITHDRAW,
)
from oponente.kernel import Token, njit, random_below

OWN_KNOWLEDGE = True


class Weights(NamedTuple):
    """How likely an action is, by kind."""

    token: Token
    city: int
    settlement: int
    road: int
    buy: int
    play: int


EVEN = Weights(Token(__name__), 1, 1, 1, 1, 1)
WEIGHTED = Weights(Token(__name__), 1000, 700, 300, 250, 50)


@njit
def weight(policy: Any, action: Any) -> int:
    """Return the weight of an action."""
    if action >= OFFER:
        return 0
    if BUILD_ROAD <= action < BUILD_SETTLEMENT:
        return policy.road
    if BUILD_SETTLEMENT <= action < BUILD_CITY:
        return policy.settlement
    if BUILD_CITY <= action < BANK_TRADE:
        return policy.city
    if action == BUY_CARD:
        return policy.buy
    return policy.play if PLAY_KNIGHT <= action < DISCARD else 1


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw a listed action by weight."""
    if state.phase == ANSWERING:
        return REJECT
    if state.phase == CONFIRMING:
        return WITHDRAW
    count = list_choices(game, state, buffer)
    whole = 0
    for i in range(count):
        whole += weight(policy, np.int64(buffer[i]))
    point = random_below(rng, whole)
    for i in range(count):
        point -= weight(policy, np.int64(buffer[i]))
        if point < 0:
            return np.int64(buffer[i])
    return np.int64(buffer[count - 1])


@njit
def prior_weights(prior: Any, game: Any, state: Any, actions: Any, count: Any, out: Any) -> None:
    """Weigh actions by their kind."""
    for i in range(count):
        out[i] = weight(prior, np.int64(actions[i]))
