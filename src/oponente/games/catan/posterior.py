"""Catan: what follows from all that an observer knows of the hands together, and samples of what it does not know.

Samples follow the exact posterior while one theft between others is unresolved, and stay close to it while there are
few. After many, how hands depend on each other is lost: of two cards stolen from one hand, say, that both may have been
the same one. What is dealt is always within the bounds of every hand and adds up to what the hands hold together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import EMPTY, count_of, one, some, total
from oponente.games.catan.knowledge import (
    NO_BOUND,
    OTHERS,
    PUBLIC,
    bound,
    hand_size,
    share,
    share_weight,
    slot_of,
    unknown_cards,
)
from oponente.kernel import Stream, njit, random_unit

FITTING_ROUNDS = 8
"""Enough that the sums are right to about a hundredth of a card."""
REFITTING_ROUNDS = 4
"""After one card, which changes little."""
LEAST_EXPECTED = 1e-3
"""Cards expected at least of what is possible, so that it comes up in samples."""


@njit
def open_pool(game: Any, state: Any, certain: Any) -> Any:
    """Return the cards in the hands that are nobody's for certain."""
    cards = EMPTY
    for holder in range(game.rules.players):
        cards += state.known[holder, holder] - certain[holder]
    return cards


@njit
def fit(game: Any, state: Any, observer: Any, certain: Any, sizes: Any, limits: Any, expected: Any) -> None:
    """Put together what an observer knows.

    What must be so becomes certain: cards that only one hand can hold, and what is left for a hand. The shares are
    fitted to the number of cards that each hand and each resource has in the pool (iterative proportional fitting: the
    nearest distribution with these sums, Csiszar 1975), within the bounds.

    Args:
        certain: uint64, one per seat: receives the cards that each has for certain.
        sizes: int64, one per seat: receives how many other cards each has.
        limits: int64, (4, 5): receives how many of these can be of each resource at most.
        expected: float64, (4, 5): receives how many of these are of each resource, in the mean.
    """
    for holder in range(game.rules.players):
        certain[holder] = state.known[holder, observer]
    cards = open_pool(game, state, certain)
    for holder in range(game.rules.players):
        sizes[holder] = hand_size(state, holder) - total(certain[holder])
        weight = share_weight(state, holder, observer, cards)
        for resource in range(5):
            limit = NO_BOUND if holder == observer else bound(state, holder, observer, resource)
            limit = limit if limit != NO_BOUND else sizes[holder]
            limit = limit if limit < sizes[holder] else sizes[holder]
            limit = limit if limit < count_of(cards, resource) else count_of(cards, resource)
            limits[holder, resource] = limit
            expected[holder, resource] = sizes[holder] * weight * share(state, holder, observer, resource)
    while True:
        fit_sums(game, sizes, limits, cards, expected, FITTING_ROUNDS)
        if cards == EMPTY or not conclude(game, certain, sizes, limits, expected, cards):
            return
        cards = open_pool(game, state, certain)
        for holder in range(game.rules.players):
            for resource in range(5):
                limit = limits[holder, resource]
                limit = limit if limit < sizes[holder] else sizes[holder]
                limits[holder, resource] = limit if limit < count_of(cards, resource) else count_of(cards, resource)


@njit
def fit_sums(game: Any, sizes: Any, limits: Any, cards: Any, expected: Any, rounds: Any) -> None:
    """Scale what is expected to the numbers of cards of each resource in the pool and in each hand, in turn."""
    for _ in range(rounds):
        for resource in range(5):
            whole = 0.0
            for holder in range(game.rules.players):
                whole += expected[holder, resource]
            factor = count_of(cards, resource) / whole if whole > 0.0 else 0.0
            for holder in range(game.rules.players):
                expected[holder, resource] *= factor
        for holder in range(game.rules.players):
            whole = 0.0
            for resource in range(5):
                whole += expected[holder, resource]
            factor = sizes[holder] / whole if whole > 0.0 else 0.0
            for resource in range(5):
                value = expected[holder, resource] * factor
                limit = limits[holder, resource]
                value = value if value < limit else np.float64(limit)
                expected[holder, resource] = value if value > LEAST_EXPECTED or limit == 0 else LEAST_EXPECTED


@njit
def conclude(game: Any, certain: Any, sizes: Any, limits: Any, expected: Any, cards: Any) -> bool:
    """Make certain what follows from the numbers of cards; return whether that was anything."""
    for holder in range(game.rules.players):
        unknown = sizes[holder]
        found = EMPTY
        for resource in range(5):
            others, rest = 0, 0
            for other in range(game.rules.players):
                if other != holder:
                    others += limits[other, resource]
            for other in range(5):
                if other != resource:
                    rest += limits[holder, other]
            least = count_of(cards, resource) - others
            least = least if least > unknown - rest else unknown - rest
            if least > 0:
                found += some(resource, least)
        if found != EMPTY:
            certain[holder] += found
            sizes[holder] -= total(found)
            for resource in range(5):
                limits[holder, resource] -= count_of(found, resource)
                more = expected[holder, resource] - count_of(found, resource)
                expected[holder, resource] = more if more > 0.0 else 0.0
            return True
    return False


# --- samples -------------------------------------------------------------------------------------------------------


@njit
def sample_hands(game: Any, state: Any, observer: Any, rng: Stream) -> None:
    """Draw the hands of all others anew, from what the observer knows.

    What the others know of each other and of the observer becomes what the public knows.
    """
    unknown_total = 0
    for holder in range(game.rules.players):
        unknown_total += unknown_cards(state, holder, observer)
    if unknown_total > 0:
        deal_unknown(game, state, observer, rng)
    else:
        for holder in range(game.rules.players):
            state.known[holder, holder] = state.known[holder, observer]
    for holder in range(PUBLIC):
        public = slot_of(holder, PUBLIC)
        for other in range(PUBLIC):
            if other != holder and other != observer:  # noqa: PLR1714 (their types differ)
                slot = slot_of(holder, other)
                state.known[holder, other] = state.known[holder, PUBLIC]
                state.most[holder, slot] = state.most[holder, public]
                for resource in range(5):
                    state.mix[holder, slot, resource] = state.mix[holder, public, resource]


@njit
def deal_unknown(game: Any, state: Any, observer: Any, rng: Stream) -> None:
    """Deal the observer's pool to the hands, card by card, with what is expected of the rest fitted after each one.

    The hand with the fewest cards to come is dealt first. No card is dealt after which the rest could not be.
    """
    certain, sizes = np.zeros(OTHERS, np.uint64), np.zeros(OTHERS, np.int64)
    limits, expected = np.zeros((OTHERS, 5), np.int64), np.zeros((OTHERS, 5), np.float64)
    fit(game, state, observer, certain, sizes, limits, expected)
    left = open_pool(game, state, certain)
    for holder in range(game.rules.players):
        state.known[holder, holder] = certain[holder]
    while left != EMPTY:
        holder = next_smallest(sizes, game.rules.players)
        resource = deal_card(game, sizes, limits, expected, holder, left, rng)
        state.known[holder, holder] += one(resource)
        left -= one(resource)
        sizes[holder] -= 1
        limits[holder, resource] -= 1
        fit_sums(game, sizes, limits, left, expected, REFITTING_ROUNDS)


@njit
def next_smallest(sizes: Any, players: Any) -> int:
    """Return the number of the smallest size above 0."""
    best, smallest = 0, 1 << 30
    for i in range(players):
        if 0 < sizes[i] < smallest:
            best, smallest = i, sizes[i]
    return best


@njit
def deal_card(game: Any, sizes: Any, limits: Any, expected: Any, holder: Any, left: Any, rng: Stream) -> int:
    """Draw the resource of a card for a hand by what is expected, among those after which the rest can be dealt."""
    refused = 0
    while True:
        whole = 0.0
        for resource in range(5):
            if may_be(limits, holder, resource, left) and not refused >> resource & 1:
                whole += expected[holder, resource] + LEAST_EXPECTED
        point = random_unit(rng) * whole
        found = -1
        for resource in range(5):
            if may_be(limits, holder, resource, left) and not refused >> resource & 1:
                found = resource
                point -= expected[holder, resource] + LEAST_EXPECTED
                if point < 0.0:
                    break
        sizes[holder] -= 1
        limits[holder, found] -= 1
        possible = can_be_dealt(game, sizes, limits, left - one(found))
        sizes[holder] += 1
        limits[holder, found] += 1
        if possible:
            return found
        refused |= 1 << found


@njit
def may_be(limits: Any, holder: Any, resource: Any, left: Any) -> bool:
    """Tell whether a card of a resource may go to a hand, as far as its own bound and what is left tell."""
    return limits[holder, resource] > 0 and count_of(left, resource) > 0


@njit
def can_be_dealt(game: Any, sizes: Any, limits: Any, left: Any) -> bool:
    """Tell whether cards can be dealt to hands of these sizes within these bounds.

    They can if no hands together need more than can go to them (the theorem of maximum flow and minimum cut, Ford and
    Fulkerson 1956).
    """
    for hands in range(1, 1 << game.rules.players):
        needed, available = 0, 0
        for holder in range(game.rules.players):
            if hands >> holder & 1:
                needed += sizes[holder]
        for resource in range(5):
            taken = 0
            for holder in range(game.rules.players):
                if hands >> holder & 1:
                    taken += limits[holder, resource]
            available += min(taken, count_of(left, resource))
        if needed > available:
            return False
    return True
