"""Catan: maritime trade with the bank, and domestic trade between players.

A domestic trade takes three steps. The player on turn *offers* cards for cards. All others *answer* in the order of
their seats: accept, reject, or make a counter-offer. Then the player on turn *confirms* with one who accepted or whose
counter-offer it takes, or withdraws; if all reject, the offer is off at once. Cards are checked at every step: offered
are only cards that one has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import EMPTY, count_of, holds, kinds, nth_kind, one, some
from oponente.games.catan.knowledge import gain, hand, lose, show
from oponente.games.catan.layout import ANY
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BANK_TRADE,
    CONFIRM,
    CONFIRMING,
    MAIN,
    OFFER,
    OFFER_BASE,
    OFFER_LIMIT,
    OFFERS_END,
    REJECT,
    WITHDRAW,
)
from oponente.kernel import njit

OFFER_PLACE = np.array([OFFER_BASE**resource for resource in range(5)], np.int64)
"""What a card of each resource that is wanted adds to the number of an offer."""

# --- maritime trade ------------------------------------------------------------------------------------------------


def best_rate(reach: Any, resource: Any) -> int:
    """Return how many cards of a resource the bank takes for one: 4, or 3 or 2 at a harbour that is in reach (bits)."""
    return 2 if reach >> resource & 1 else 3 if reach >> ANY & 1 else 4


rate_at = njit(best_rate)


@njit
def rate(state: Any, seat: Any, resource: Any) -> int:
    """Return how many cards of a resource a player gives the bank for one."""
    return rate_at(np.int64(state.reach[seat]), resource)


@njit
def list_bank_trades(state: Any, out: Any, count: Any) -> int:
    """List the trades with the bank that the player on turn can pay and the bank can serve."""
    cards = hand(state, state.mover)
    for given in range(5):
        if count_of(cards, given) >= rate(state, state.mover, given):
            for taken in range(5):
                if taken != given and count_of(state.bank, taken) > 0:
                    out[count] = BANK_TRADE + 5 * given + taken
                    count += 1
    return count


@njit
def count_bank_trades(state: Any) -> int:
    """Return how many trades with the bank are listed."""
    cards = hand(state, state.mover)
    stock = kinds(state.bank)
    count = 0
    for given in range(5):
        if count_of(cards, given) >= rate(state, state.mover, given):
            count += stock - (1 if count_of(state.bank, given) > 0 else 0)
    return count


@njit
def nth_bank_trade(state: Any, n: Any) -> int:
    """Return the n-th listed trade with the bank, counted from 0."""
    cards = hand(state, state.mover)
    for given in range(5):
        if count_of(cards, given) >= rate(state, state.mover, given):
            for taken in range(5):
                if taken != given and count_of(state.bank, taken) > 0:
                    if n == 0:
                        return BANK_TRADE + 5 * given + taken
                    n -= 1
    return -1


@njit
def trade_with_bank(game: Any, state: Any, given: Any, taken: Any) -> None:
    """Give cards of one resource for a card of another."""
    price = some(given, rate(state, state.mover, given))
    lose(state, state.mover, price)
    gain(state, state.mover, one(taken))
    state.bank += price
    state.bank -= one(taken)


# --- domestic trade ------------------------------------------------------------------------------------------------


@njit
def given_in(offer: Any) -> Any:
    """Return the cards that an offer gives."""
    cards = EMPTY
    number = np.int64(offer) - OFFER
    for resource in range(5):
        amount = number % OFFER_BASE - OFFER_LIMIT
        if amount < 0:
            cards += some(resource, -amount)
        number //= OFFER_BASE
    return cards


@njit
def wanted_in(offer: Any) -> Any:
    """Return the cards that an offer wants."""
    cards = EMPTY
    number = np.int64(offer) - OFFER
    for resource in range(5):
        amount = number % OFFER_BASE - OFFER_LIMIT
        if amount > 0:
            cards += some(resource, amount)
        number //= OFFER_BASE
    return cards


@njit
def one_for_one(given: Any, wanted: Any) -> int:
    """Return the offer of one card for another."""
    middle = np.int64(OFFER)
    for resource in range(5):
        middle += OFFER_LIMIT * OFFER_PLACE[resource]
    return middle - OFFER_PLACE[given] + OFFER_PLACE[wanted]


@njit
def may_offer(game: Any, state: Any, offer: Any) -> bool:
    """Tell whether the player to move may make an offer or counter-offer: cards in hand, for at least one card."""
    if state.phase == MAIN:
        if not game.rules.trade or state.offers >= game.rules.offers:
            return False
    elif state.phase != ANSWERING:
        return False
    if offer < OFFER or offer >= OFFERS_END:
        return False
    give = given_in(offer)
    return give != EMPTY and wanted_in(offer) != EMPTY and holds(hand(state, state.actor), give)


@njit
def list_offers(state: Any, out: Any, count: Any) -> int:
    """List the offers of one card for one card."""
    cards = hand(state, state.mover)
    for given in range(5):
        if count_of(cards, given) > 0:
            for wanted in range(5):
                if wanted != given:
                    out[count] = one_for_one(given, wanted)
                    count += 1
    return count


@njit
def nth_offer(state: Any, n: Any) -> int:
    """Return the n-th listed offer, counted from 0."""
    given = nth_kind(hand(state, state.mover), n // 4)
    wanted = n % 4
    return one_for_one(given, wanted if wanted < given else wanted + 1)


@njit
def make_offer(game: Any, state: Any, offer: Any) -> None:
    """Offer cards, which all now know one has; the others answer."""
    show(state, state.mover, given_in(offer))
    state.offers += 1
    state.offer = offer
    for seat in range(4):
        state.answer[seat] = 0
    state.phase = ANSWERING
    state.actor = 0 if state.mover != 0 else 1


@njit
def list_answers(state: Any, out: Any) -> int:
    """List the answers to an offer; who lacks the cards can't accept."""
    count = 0
    if holds(hand(state, state.actor), wanted_in(state.offer)):
        out[0] = ACCEPT
        count = 1
    out[count] = REJECT
    return count + 1


@njit
def answer(game: Any, state: Any, action: Any) -> None:
    """Answer an offer; after the last answer it is the turn of who made it."""
    seat = np.int64(state.actor)
    state.answer[seat] = action
    if action == ACCEPT:
        show(state, seat, wanted_in(state.offer))
    elif action >= OFFER:
        show(state, seat, given_in(action))
    seat += 1
    if seat == state.mover:
        seat += 1
    if seat < game.rules.players:
        state.actor = seat
        return
    for other in range(game.rules.players):
        # Also where the offerer can't pay a counter-offer, so that going on does not tell what it has.
        if other != state.mover and state.answer[other] != REJECT:
            state.actor = state.mover
            state.phase = CONFIRMING
            return
    close_offer(state)


@njit
def can_confirm(state: Any, seat: Any) -> bool:
    """Tell whether a trade with a player can be made: it has accepted, or its counter-offer can be paid."""
    given = state.answer[seat]
    if given == ACCEPT:
        return holds(hand(state, state.mover), given_in(state.offer))
    return given >= OFFER and holds(hand(state, state.mover), wanted_in(given))


@njit
def list_partners(game: Any, state: Any, out: Any) -> int:
    """List the players to trade with, and to trade with nobody."""
    count = 0
    for seat in range(game.rules.players):
        if seat != state.mover and can_confirm(state, seat):
            out[count] = CONFIRM + seat
            count += 1
    out[count] = WITHDRAW
    return count + 1


@njit
def confirm(game: Any, state: Any, partner: Any) -> None:
    """Trade with a player, on the terms of the offer or of its counter-offer."""
    if state.answer[partner] == ACCEPT:
        give, get = given_in(state.offer), wanted_in(state.offer)
    else:
        give, get = wanted_in(state.answer[partner]), given_in(state.answer[partner])
    lose(state, state.mover, give)
    lose(state, partner, get)
    gain(state, state.mover, get)
    gain(state, partner, give)
    close_offer(state)


@njit
def close_offer(state: Any) -> None:
    """Go back to building and trading."""
    state.offer = 0
    for seat in range(4):
        state.answer[seat] = 0
    state.actor = state.mover
    state.phase = MAIN
