"""Catan: the policy ``simple`` of Paz and Rubin (PUCRS 2016).

In the set-up it settles on nodes at two or more hexes with resources, each equally likely. After the roll it builds a
city if it can, else a settlement if it can, else it does something at random: build a road, buy or play a development
card, or end the turn. When it can do nothing, it gives the bank its most plentiful cards for one that it has none of.
All else (discards, the robber, cards before the roll) is random. It makes no offers and rejects all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.board import NODE_TILES, NONE, ONE, TILES, nth_node
from oponente.games.catan.building import (
    cities_to_build,
    free_nodes,
    nth_road,
    roads_to_build,
    settlements_to_build,
)
from oponente.games.catan.cards import DESERT, count_of
from oponente.games.catan.choices import sample_choice
from oponente.games.catan.development import holds_card_to_play, list_cards, may_buy_card
from oponente.games.catan.knowledge import hand
from oponente.games.catan.moves import (
    ANSWERING,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRMING,
    END_TURN,
    MAIN,
    REJECT,
    SETTING_SETTLEMENT,
    WITHDRAW,
)
from oponente.games.catan.trade import rate
from oponente.kernel import Token, njit, random_below
from oponente.kernel.bits import lowest_bit, popcount

OWN_KNOWLEDGE = True


class Simple(NamedTuple):
    """Has no tables."""

    token: Token


SIMPLE = Simple(Token(__name__))


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the policy does."""
    phase = state.phase
    if phase == MAIN:
        return simple_main(game, state, rng, buffer)
    if phase == SETTING_SETTLEMENT:
        places = rich_nodes(state, free_nodes(state))
        return BUILD_SETTLEMENT + nth_node(places, random_below(rng, popcount(places)))
    if phase == ANSWERING:
        return REJECT
    if phase == CONFIRMING:
        return WITHDRAW
    return sample_choice(game, state, rng, buffer)


@njit
def rich_nodes(state: Any, nodes: Any) -> Any:
    """Return those of some nodes that lie at two or more hexes with resources; all of them if none does."""
    fertile = NONE
    for tile in range(TILES):
        if state.terrain[tile] != DESERT:
            fertile |= ONE << np.uint64(tile)
    rich, left = NONE, nodes
    while left:
        node = left & (~left + ONE)
        left ^= node
        if popcount(NODE_TILES[lowest_bit(node)] & fertile) >= 2:
            rich |= node
    return rich if rich else nodes


@njit
def simple_main(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the policy does after the roll."""
    mover = state.mover
    cards = hand(state, mover)
    upgrades = cities_to_build(state, mover, cards)
    if upgrades:
        return BUILD_CITY + nth_node(upgrades, random_below(rng, popcount(upgrades)))
    places = settlements_to_build(state, mover, cards)
    if places:
        return BUILD_SETTLEMENT + nth_node(places, random_below(rng, popcount(places)))
    played = 0
    if not state.card_played and holds_card_to_play(state):
        played = list_cards(game, state, buffer, 0)
    across, down = roads_to_build(state, mover, cards)
    roads = popcount(across) + popcount(down)
    buys = 1 if may_buy_card(state, cards) else 0
    if played + roads + buys == 0:
        return exchange(state, rng)
    n = random_below(rng, played + roads + buys + 1)
    if n < played:
        return np.int64(buffer[n])
    n -= played
    if n < roads:
        return BUILD_ROAD + nth_road(across, down, n)
    return BUY_CARD if n - roads < buys else END_TURN


@njit
def exchange(state: Any, rng: Any) -> int:
    """Return a trade with the bank for a resource that the player has none of, or the end of the turn."""
    mover = state.mover
    cards = hand(state, mover)
    most = 0
    for resource in range(5):
        if count_of(cards, resource) > count_of(cards, most):
            most = resource
    if count_of(cards, most) < rate(state, mover, most):
        return END_TURN
    missing = 0
    for resource in range(5):
        if count_of(cards, resource) == 0 and count_of(state.bank, resource) > 0:
            missing += 1
    if missing == 0:
        return END_TURN
    n = random_below(rng, missing)
    for resource in range(5):
        if count_of(cards, resource) == 0 and count_of(state.bank, resource) > 0:
            if n == 0:
                return BANK_TRADE + 5 * most + resource
            n -= 1
    return END_TURN
