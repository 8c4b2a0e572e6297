"""Trade: what the robots offer to other players and the bank, and which offers they take.

A robot wants what its next piece lacks, the rarest first, and gives what it does not need, the most frequent first. It
remembers who sells what: who is known to have something when a turn begins, or offers it; not who refuses to give it,
or asks for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import count_of, holds, lacking, one
from oponente.games.catan.jsettlers.memory import OFFERS
from oponente.games.catan.jsettlers.speed import CUTOFF, interval, rolls_until, weights_of
from oponente.games.catan.knowledge import hand, hand_size
from oponente.games.catan.moves import ACCEPT, BANK_TRADE, CONFIRM, OFFER, REJECT, WITHDRAW
from oponente.games.catan.trade import OFFER_PLACE, can_confirm, given_in, one_for_one, rate_at, wanted_in
from oponente.kernel import njit, random_unit

NEAR_WINNING = 25
"""Rolls to its win within which nobody trades with a player."""
ORDER = np.array([4, 0, 2, 3, 1], np.int64)
"""Which comes first of resources that come as often: brick, ore, wool, grain, lumber."""


# --- who sells what --------------------------------------------------------------------------------------------------


@njit
def begin_turn(game: Any, state: Any, seat: Any, memory: Any, rng: Any) -> None:
    """Begin anew with offers if another turn has begun; who is known to have something may sell it again."""
    if memory.turn == state.turn:
        return
    memory.turn = state.turn
    memory.made = memory.named = 0
    memory.trades = random_unit(rng) < memory.trading
    for other in range(game.rules.players):
        for resource in range(5):
            if count_of(state.known[other, seat], resource) > 0:
                memory.selling[other, resource] = 1


@njit
def note_offer(memory: Any, seat: Any, offer: Any) -> None:
    """Note that a player sells what it offers, and not what it asks for."""
    give, want = given_in(offer), wanted_in(offer)
    for resource in range(5):
        if count_of(give, resource) > 0:
            memory.selling[seat, resource] = 1
        if count_of(want, resource) > 0:
            memory.selling[seat, resource] = 0


@njit
def was_made(memory: Any, offer: Any) -> bool:
    """Tell whether an offer was made in this turn."""
    for i in range(memory.made):  # noqa: SIM110 (Numba compiles no generator expression)
        if memory.offers[i] == offer:
            return True
    return False


@njit
def sellers(game: Any, state: Any, seat: Any, memory: Any, resource: Any, only: Any) -> int:
    """Return who may sell a resource and is not about to win, as bits.

    Args:
        only: a player who alone counts, -1 for all.
    """
    found = 0
    for other in range(game.rules.players):
        if other == seat or (only >= 0 and other != only):
            continue
        if memory.selling[other, resource] and hand_size(state, other) > 0 and memory.winning[other] >= NEAR_WINNING:
            found |= 1 << other
    return found


# --- offers ----------------------------------------------------------------------------------------------------------


@njit
def two_for_one(first: Any, second: Any, wanted: Any) -> int:
    """Return the offer of two cards for one."""
    return one_for_one(first, wanted) - OFFER_PLACE[second]


@njit
def rarest_lacking(cards: Any, price: Any, weights: Any, after: Any) -> int:
    """Return the lacking resource that comes most rarely, of those after `after` in this order; -1 if none is left.

    Args:
        after: the one before in the order, -1 for the first.
    """
    best, found = -1, -1
    for resource in range(5):
        if count_of(cards, resource) < count_of(price, resource):
            rolls = interval(weights, resource) * 8 + ORDER[resource]
            limit = interval(weights, after) * 8 + ORDER[after] if after >= 0 else 1 << 60
            if best < rolls < limit:
                best, found = rolls, resource
    return found


@njit
def best_offer(game: Any, state: Any, seat: Any, memory: Any, price: Any, only: Any) -> int:
    """Return an offer that serves the next piece, and note whom it is meant for; -1 if there is none to make.

    Args:
        price: of the next piece.
        only: the player whom alone it is made to, -1 for all.
    """
    cards = hand(state, seat)
    weights, reach = weights_of(memory, state.settlements[seat], state.cities[seat]), np.int64(state.reach[seat])
    # One card that is not needed for one that is.
    wanted = rarest_lacking(cards, price, weights, -1)
    while wanted >= 0:
        named = sellers(game, state, seat, memory, wanted, only)
        if named:
            given = -1
            while True:
                given = most_frequent(cards, price, weights, given)
                if given < 0:
                    break
                offer = one_for_one(given, wanted)
                if not was_made(memory, offer):
                    memory.named = named
                    return offer
        wanted = rarest_lacking(cards, price, weights, wanted)
    # What the piece needs, too, or two cards: if that is faster than the bank.
    now = rolls_until(cards, price, weights, reach, 10 * CUTOFF)
    wanted = rarest_lacking(cards, price, weights, -1)
    while wanted >= 0:
        named = sellers(game, state, seat, memory, wanted, only)
        if named:
            offer = dearer_offer(cards, price, weights, reach, memory, wanted, now)
            if offer >= 0:
                memory.named = named
                return offer
        wanted = rarest_lacking(cards, price, weights, wanted)
    return -1


@njit
def dearer_offer(cards: Any, price: Any, weights: Any, reach: Any, memory: Any, wanted: Any, now: Any) -> int:
    """Return an offer of a card that is needed elsewhere, or of two cards, -1 if none is worth it."""
    for given in range(5):
        if given != wanted and count_of(price, given) > 0 and count_of(cards, given) > 0:
            offer = one_for_one(given, wanted)
            after = cards - one(given) + one(wanted)
            if not was_made(memory, offer) and rolls_until(after, price, weights, reach, 10 * CUTOFF) < now:
                return offer
    for first in range(5):
        for second in range(first, 5):
            both = one(first) + one(second)
            if wanted in (first, second) or not holds(cards, both):
                continue
            offer = two_for_one(first, second, wanted)
            if was_made(memory, offer):
                continue
            rolls = rolls_until(cards - both + one(wanted), price, weights, reach, 10 * CUTOFF)
            cheaper = rate_at(reach, first) > 2 and rate_at(reach, second) > 2
            if rolls < now or (rolls == now and cheaper and not lacking(cards - both, price) & ~lacking(cards, price)):
                return offer
    return -1


@njit
def most_frequent(cards: Any, price: Any, weights: Any, after: Any) -> int:
    """Return the resource that the piece does not need and that comes most often, of those after `after` in this order.

    Args:
        after: the one before in the order, -1 for the first.

    Returns:
        The resource, -1 if none is left.
    """
    best, found = 1 << 60, -1
    for resource in range(5):
        if count_of(cards, resource) > 0 and count_of(price, resource) == 0:
            rolls = interval(weights, resource) * 8 + ORDER[resource]
            limit = interval(weights, after) * 8 + ORDER[after] if after >= 0 else -1
            if limit < rolls < best:
                best, found = rolls, resource
    return found


@njit
def remember_offer(memory: Any, offer: Any) -> None:
    """Note an offer that is made."""
    if memory.made < OFFERS:
        memory.offers[memory.made] = offer
        memory.made += 1


# --- answers ---------------------------------------------------------------------------------------------------------


@njit
def helps(state: Any, seat: Any, memory: Any, price: Any, give: Any, get: Any, slack: Any) -> bool:
    """Tell whether an exchange brings the next piece nearer, or by less than `slack` rolls further away."""
    cards = hand(state, seat)
    if not holds(cards, give):
        return False
    weights, reach = weights_of(memory, state.settlements[seat], state.cities[seat]), np.int64(state.reach[seat])
    now = rolls_until(cards, price, weights, reach, 10 * CUTOFF)
    return rolls_until(cards - give + get, price, weights, reach, 10 * CUTOFF) < now + slack


@njit
def answer_offer(game: Any, state: Any, seat: Any, memory: Any, price: Any, rng: Any) -> int:
    """Return the answer to the offer of the player on turn: accept, a counter-offer, or reject."""
    mover = np.int64(state.mover)
    note_offer(memory, mover, state.offer)
    if memory.winning[mover] <= NEAR_WINNING:
        return REJECT
    give, get = wanted_in(state.offer), given_in(state.offer)
    if holds(hand(state, seat), give):
        if helps(state, seat, memory, price, give, get, 1 if random_unit(rng) < memory.content else 0):
            return ACCEPT
        counter = -1
        if random_unit(rng) < memory.countering:
            counter = best_offer(game, state, seat, memory, price, mover)
        if counter >= 0 and helps(state, seat, memory, price, given_in(counter), wanted_in(counter), 0):
            remember_offer(memory, counter)
            return counter
    return REJECT


@njit
def choose_partner(game: Any, state: Any, seat: Any, memory: Any, price: Any) -> int:
    """Return with whom to trade: one that accepts and was meant, else one whose counter-offer helps; or nobody."""
    for step in range(1, game.rules.players):
        other = (seat + step) % game.rules.players
        if state.answer[other] == ACCEPT and np.int64(memory.named) >> other & 1 and can_confirm(state, other):
            return CONFIRM + other
    for step in range(1, game.rules.players):
        other = (seat + step) % game.rules.players
        counter = np.int64(state.answer[other])
        asked = counter >= OFFER and np.int64(memory.named) >> other & 1 and memory.winning[other] > NEAR_WINNING
        if not asked or not can_confirm(state, other):
            continue
        if helps(state, seat, memory, price, wanted_in(counter), given_in(counter), 0):
            return CONFIRM + other
    return WITHDRAW


# --- the bank --------------------------------------------------------------------------------------------------------


@njit
def bank_trade(game: Any, state: Any, seat: Any, memory: Any, price: Any) -> int:
    """Return a trade with the bank for the rarest resource that the next piece lacks, -1 if there is none."""
    cards = hand(state, seat)
    weights, reach = weights_of(memory, state.settlements[seat], state.cities[seat]), np.int64(state.reach[seat])
    wanted = rarest_lacking(cards, price, weights, -1)
    while wanted >= 0:
        if count_of(state.bank, wanted) > 0:
            given = for_the_bank(cards, price, weights, reach, wanted)
            if given >= 0:
                return BANK_TRADE + 5 * given + wanted
        wanted = rarest_lacking(cards, price, weights, wanted)
    return -1


@njit
def for_the_bank(cards: Any, price: Any, weights: Any, reach: Any, wanted: Any) -> int:
    """Return the resource to give to the bank, -1 if there is none.

    What the piece does not need comes first; then what it needs but comes more often than what is wanted, even if it
    lacks afterwards; then what there is more of than the piece needs. Of each kind it is the most frequent.
    """
    best, found = 1 << 60, -1
    wait = interval(weights, wanted)
    for resource in range(5):
        have, need, rate = count_of(cards, resource), count_of(price, resource), rate_at(reach, resource)
        if resource == wanted or have < rate:
            continue
        rolls = interval(weights, resource)
        order = 8 * rolls + ORDER[resource]
        if need > 0:
            if rolls < wait:
                order += 1 << 40
            elif have - need >= rate:
                order += 1 << 41
            else:
                continue
        if order < best:
            best, found = order, resource
    return found
