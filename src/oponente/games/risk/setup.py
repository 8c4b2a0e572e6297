"""Risk: how a game begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, get_territory, nth_bit, room_at, smaller
from oponente.games.risk.moves import (
    BARE,
    BEGINNING,
    CAPITALS,
    CHOOSING_CAPITAL,
    CLAIMED,
    CLAIMING,
    DEPLOYING,
    DEPLOYING_NEUTRAL,
    MISSIONS,
    NEUTRAL_THIRD,
    STACKED,
)
from oponente.games.risk.state import FREE, MAX_TERRITORIES, NEUTRAL, NONE, SEATS
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, popcount

OWN_STEPS = 2
"""Armies of their own that two players place in turn, before one that is neutral."""


@njit
def shuffle(values: Any, count: Any, rng: Any) -> None:
    """Put the first `count` values into random order (Fisher and Yates)."""
    for i in range(count - 1, 0, -1):
        j = random_below(rng, i + 1)
        values[i], values[j] = values[j], values[i]


@njit
def begin(game: Any, state: Any, rng: Any) -> None:
    """Write the start position."""
    territories = game.rules.territories
    state.deck = state.shuffled = game.rules.all_cards if game.rules.cards else NO_TERRITORIES
    state.origin = state.target = state.winner = NONE
    for seat in range(SEATS):
        state.killer[seat] = state.capital[seat] = state.mission[seat] = NONE
    if game.rules.victory == MISSIONS:
        deal_missions(game, state, rng)
    for territory in range(territories):
        state.owner[territory] = FREE
        state.held[FREE] |= bit(territory)
    for territory in range(territories, MAX_TERRITORIES):
        state.owner[territory] = NONE
    if game.rules.fixed:
        take_start(game, state)
    elif game.rules.setup == CLAIMED:
        for seat in range(game.rules.players):
            state.pool[seat] = game.rules.armies
        state.phase = CLAIMING
    else:
        deal(game, state, rng)


@njit
def deal_missions(game: Any, state: Any, rng: Any) -> None:
    """Give each player a mission."""
    dealt = np.uint32(0)
    for seat in range(game.rules.players):
        left = random_below(rng, game.rules.missions - seat)
        for mission in range(game.rules.missions):
            if dealt >> np.uint32(mission) & np.uint32(1) == np.uint32(0):
                if left == 0:
                    state.mission[seat] = mission
                    dealt |= np.uint32(1) << np.uint32(mission)
                    break
                left -= 1


@njit
def take_start(game: Any, state: Any) -> None:
    """Set up the start position that the options give."""
    for place in range(game.rules.territories):
        territory = np.int64(game.rules.start_order[place])
        get_territory(game, state, np.int64(game.rules.start_owner[territory]), territory)
        state.armies[territory] = game.rules.start_armies[territory]
    end_setup(game, state)


@njit
def deal(game: Any, state: Any, rng: Any) -> None:
    """Deal the territories, with an army on each, and go on with the other armies."""
    territories, players = np.int64(game.rules.territories), np.int64(game.rules.players)
    setup = game.rules.setup
    for territory in range(territories):
        state.order[territory] = territory
    shuffle(state.order, territories, rng)
    piles = players + 1 if setup == NEUTRAL_THIRD else players
    for place in range(territories):
        territory = np.int64(state.order[place])
        owner = place * players // territories if setup == STACKED else place % piles
        owner = np.int64(NEUTRAL) if owner == players else owner
        state.held[FREE] &= ~bit(territory)
        state.held[owner] |= bit(territory)
        state.owner[territory] = owner
        state.armies[territory] = 1
    if setup == BARE:
        end_setup(game, state)
        return
    for seat in range(players):
        state.pool[seat] = game.rules.armies - popcount(state.held[seat])
    if setup == NEUTRAL_THIRD:
        state.pool[NEUTRAL] = game.rules.armies - popcount(state.held[NEUTRAL])
    if setup == STACKED:
        for seat in range(players):
            stack(game, state, seat, rng)
        end_setup(game, state)
    else:
        state.mover = players - 1
        next_to_deploy(game, state)


@njit
def stack(game: Any, state: Any, seat: Any, rng: Any) -> None:
    """Place all armies of a player at random: on a territory any number of those that are left, and so on."""
    own = popcount(state.held[seat])
    while state.pool[seat] > 0:
        n = random_below(rng, own)
        territory = np.int64(0)
        for place in range(game.rules.territories):  # the n-th of them in the order of the deal
            territory = np.int64(state.order[place])
            if state.owner[territory] == seat:
                if n == 0:
                    break
                n -= 1
        count = smaller(random_below(rng, np.int64(state.pool[seat]) + 1), room_at(game, state, territory))
        state.armies[territory] += np.uint16(count)
        state.pool[seat] -= np.int32(count)


@njit
def claim(game: Any, state: Any, territory: Any) -> None:
    """Claim a free territory with an army."""
    get_territory(game, state, np.int64(state.mover), territory)
    state.armies[territory] = 1
    state.pool[state.mover] -= 1
    if state.held[FREE]:
        state.mover = state.actor = (state.mover + 1) % game.rules.players
    else:
        next_to_deploy(game, state)


@njit
def next_to_deploy(game: Any, state: Any) -> None:
    """Let the next player who has armies left place one; when nobody has, the first turn begins."""
    players = np.int64(game.rules.players)
    mover = np.int64(state.mover)
    for _ in range(players):
        mover = (mover + 1) % players
        if state.pool[mover] > 0:
            state.mover = state.actor = mover
            state.phase = DEPLOYING
            state.steps = OWN_STEPS if game.rules.setup == NEUTRAL_THIRD else 1
            return
    if state.pool[NEUTRAL] > 0:
        state.mover = state.actor = (state.mover + 1) % players
        state.phase = DEPLOYING_NEUTRAL
        return
    end_setup(game, state)


@njit
def deploy(game: Any, state: Any, territory: Any) -> None:
    """Place an army in the set-up; two players place neutral ones as well."""
    state.armies[territory] += np.uint16(1)
    if state.phase == DEPLOYING_NEUTRAL:
        state.pool[NEUTRAL] -= 1
        next_to_deploy(game, state)
        return
    state.pool[state.mover] -= 1
    state.steps -= 1
    if state.steps > 0 and state.pool[state.mover] > 0:
        return
    state.steps = 0
    if state.pool[NEUTRAL] > 0:
        state.phase = DEPLOYING_NEUTRAL
    else:
        next_to_deploy(game, state)


@njit
def end_setup(game: Any, state: Any) -> None:
    """Let all choose a capital, if that decides the game; then the first player's turn begins."""
    state.mover = state.actor = 0
    if game.rules.victory == CAPITALS:
        state.phase = CHOOSING_CAPITAL
    else:
        state.phase = BEGINNING


@njit
def choose_capital(game: Any, state: Any, territory: Any) -> None:
    """Choose a capital. All are uncovered when the last player has chosen."""
    state.capital[state.mover] = territory
    if state.mover + 1 < game.rules.players:
        state.mover = state.actor = state.mover + 1
    else:
        state.mover = 0
        state.phase = BEGINNING


@njit
def sample_capitals(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Choose anew the capitals that others have chosen in secret: any of their territories."""
    for seat in range(state.mover):
        if seat != player:
            own = state.held[seat]
            state.capital[seat] = nth_bit(own, random_below(rng, popcount(own)))
