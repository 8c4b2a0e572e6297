"""Catan: what each observer knows of the hands, and samples of what it does not.

Everything about resource cards is public but the identity of a stolen card, which only thief and victim see. The state
holds for every hand and every *observer*, the four seats and the public,

``known[holder, observer]``
    cards that the holder has for certain, as the observer knows (a set of cards). ``known[seat, seat]`` is the hand
    itself.
``mix[holder, observer]``
    for the cards of the hand beyond those: the share of each resource among them, as far as the observer can tell, in
    units of 1/255. A share is 0 only if it is impossible that such a card is one of that resource.

The number of cards in each hand is public, and how many of each resource all hands hold together is what the bank
lacks. The cards that are nobody's for certain are the observer's *pool*.

Bounds are sound: what is known is true, and the true cards are never ruled out. Samples follow the posterior while few
thefts are unresolved; after many, the shares of each hand are still close to it, but not how the hands depend on each
other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import EMPTY, count_of, holds, kinds, lacking, nth_card, one, some, total
from oponente.kernel import njit, random_below, random_unit

PUBLIC = 4
"""The observer who sees only what everybody sees."""
OBSERVERS = 5
FULL_SHARE = 255
FITTING_ROUNDS = 8
REFITTING_ROUNDS = 4
SAMPLE_ATTEMPTS = 16
LEAST_EXPECTED = 0.5 / FULL_SHARE
"""What is expected at least of what is possible."""


@njit
def hand(state: Any, seat: Any) -> Any:
    """Return the resource cards of a player."""
    return state.known[seat, seat]


@njit
def hand_size(state: Any, seat: Any) -> int:
    """Return how many resource cards a player has, which is public."""
    return total(state.known[seat, seat])


@njit
def unknown_cards(state: Any, holder: Any, observer: Any) -> int:
    """Return how many cards of a hand the observer can't tell."""
    return hand_size(state, holder) - total(state.known[holder, observer])


@njit
def pool(game: Any, state: Any, observer: Any) -> Any:
    """Return the cards in the hands that are nobody's for certain, as the observer sees it."""
    cards = full_bank(game) - state.bank
    for holder in range(game.rules.players):
        cards -= state.known[holder, observer]
    return cards


@njit
def full_bank(game: Any) -> Any:
    """Return all cards that there are."""
    cards = EMPTY
    for resource in range(5):
        cards += some(resource, game.rules.bank)
    return cards


# --- what is seen --------------------------------------------------------------------------------------------------


@njit
def gain(state: Any, seat: Any, cards: Any) -> None:
    """Give a player cards that all see."""
    for observer in range(OBSERVERS):
        state.known[seat, observer] += cards


@njit
def show(state: Any, seat: Any, cards: Any) -> None:
    """Let all see that a player has these cards at least."""
    for observer in range(OBSERVERS):
        if not holds(state.known[seat, observer], cards):
            state.known[seat, observer] += lacking(state.known[seat, observer], cards)


@njit
def lose(state: Any, seat: Any, cards: Any) -> None:
    """Take cards from a player that all see."""
    show(state, seat, cards)
    for observer in range(OBSERVERS):
        state.known[seat, observer] -= cards


@njit
def show_count(state: Any, seat: Any, resource: Any) -> None:
    """Let all see how many cards of a resource a player has."""
    exact = some(resource, count_of(hand(state, seat), resource))
    show(state, seat, exact)
    for observer in range(OBSERVERS):
        state.mix[seat, observer, resource] = 0


@njit
def steal(game: Any, state: Any, thief: Any, victim: Any, resource: Any) -> None:
    """Move a card from the victim to the thief, seen by these two only."""
    card = one(resource)
    if holds(state.known[victim, thief], card):
        infer(game, state, victim, thief, resource)
    else:
        state.known[victim, thief] += card
    for observer in range(OBSERVERS):
        if observer not in (thief, victim):
            miss(game, state, thief, victim, observer)
    for observer in (thief, victim):
        state.known[victim, observer] -= card
        state.known[thief, observer] += card


# --- what is not seen ----------------------------------------------------------------------------------------------


@njit
def set_share(state: Any, holder: Any, observer: Any, resource: Any, share: Any) -> None:
    """Set the share of a resource; what is possible stays above 0."""
    units = np.int64(share * FULL_SHARE + 0.5)
    units = units if units > 1 else 1
    state.mix[holder, observer, resource] = 0 if share < 1e-9 else units if units < FULL_SHARE else FULL_SHARE


@njit
def miss(game: Any, state: Any, thief: Any, victim: Any, observer: Any) -> None:
    """Let an observer see that one of the victim's cards, each equally likely, is about to go to the thief."""
    size = hand_size(state, victim)
    certain = state.known[victim, observer]
    unknown = size - total(certain)
    if unknown == 0 and kinds(certain) == 1:  # there is nothing else that it could be
        for resource in range(5):
            if count_of(certain, resource) > 0:
                state.known[victim, observer] -= one(resource)
                state.known[thief, observer] += one(resource)
        return
    got = unknown_cards(state, thief, observer)
    remaining = certain  # one card of every resource may have gone
    for resource in range(5):
        if count_of(certain, resource) > 0:
            remaining -= one(resource)
    unknown_left = size - 1 - total(remaining)
    cards = pool(game, state, observer)
    victim_weight = share_weight(state, victim, observer, cards)
    thief_weight = share_weight(state, thief, observer, cards)
    for resource in range(5):
        there = 1.0 if count_of(cards, resource) > 0 else 0.0  # what is not in the pool is not among what is unknown
        expected = count_of(certain, resource) + unknown * victim_weight * there * state.mix[victim, observer, resource]
        stolen = expected / size
        if unknown_left > 0:
            left = expected - stolen - count_of(remaining, resource)
            set_share(state, victim, observer, resource, left / unknown_left)
        share = got * thief_weight * there * state.mix[thief, observer, resource] + stolen
        set_share(state, thief, observer, resource, share / (got + 1))
    state.known[victim, observer] = remaining


@njit
def infer(game: Any, state: Any, victim: Any, thief: Any, resource: Any) -> None:
    """Let a thief learn of the victim's unknown cards by the card, one that was certain to be there, that it got.

    A hand with more cards of that resource gives one more often (Bayes): either the card is the certain one, which
    tells nothing, or it is one of the unknown cards, which then is of that resource.
    """
    unknown = unknown_cards(state, victim, thief)
    cards = pool(game, state, thief)
    there = count_of(cards, resource)
    if unknown == 0 or there == 0:
        return
    weight = share_weight(state, victim, thief, cards)
    among = unknown * weight * state.mix[victim, thief, resource]
    odds = among / (count_of(state.known[victim, thief], resource) + among)
    for other in range(5):
        before = weight * state.mix[victim, thief, other] if count_of(cards, other) > 0 else 0.0
        seen = ((1.0 if other == resource else 0.0) + (unknown - 1) * before) / unknown
        after = before + odds * (seen - before)
        set_share(state, victim, thief, other, after)
        rest = count_of(cards, other) - unknown * before
        if rest > 0.0:
            factor = (count_of(cards, other) - unknown * after) / rest
            for holder in range(game.rules.players):
                if holder not in (victim, thief):
                    scale_share(state, holder, thief, other, factor)


@njit
def scale_share(state: Any, holder: Any, observer: Any, resource: Any, factor: Any) -> None:
    """Multiply a share; what is possible stays above 0."""
    share = state.mix[holder, observer, resource] * factor / FULL_SHARE
    if state.mix[holder, observer, resource] > 0:
        set_share(state, holder, observer, resource, max(min(share, 1.0), LEAST_EXPECTED))


@njit
def share_weight(state: Any, holder: Any, observer: Any, cards: Any) -> float:
    """Return what a unit of a hand's shares is worth, so that those of the resources in the pool add up to 1."""
    whole = 0
    for resource in range(5):
        if count_of(cards, resource) > 0:
            whole += np.int64(state.mix[holder, observer, resource])
    return 1.0 / whole if whole > 0 else 0.0


# --- putting together what is known --------------------------------------------------------------------------------


@njit
def fit(game: Any, state: Any, observer: Any, certain: Any, expected: Any) -> None:
    """Put together what an observer knows.

    What must be so becomes certain: cards that only one hand can hold, and what is left for a hand. The shares are
    fitted to the number of cards that each hand and each resource has in the pool (iterative proportional fitting: the
    nearest distribution with these sums, Csiszar 1975).

    Args:
        certain: uint64, one per seat: receives the cards that each has for certain.
        expected: float64, (4, 5): receives how many of its other cards are of each resource, in the mean.
    """
    for holder in range(game.rules.players):
        certain[holder] = state.known[holder, observer]
    cards = open_pool(game, state, certain)
    for holder in range(game.rules.players):
        unknown = hand_size(state, holder) - total(certain[holder])
        weight = share_weight(state, holder, observer, cards)
        for resource in range(5):
            possible = unknown > 0 and count_of(cards, resource) > 0
            expected[holder, resource] = unknown * weight * state.mix[holder, observer, resource] if possible else 0.0
    while True:
        for _ in range(FITTING_ROUNDS):
            fit_resources(game, expected, cards)
            fit_holders(game, state, certain, expected, cards)
        if cards == EMPTY or not conclude(game, state, certain, expected, cards):
            return
        cards = open_pool(game, state, certain)


@njit
def open_pool(game: Any, state: Any, certain: Any) -> Any:
    """Return the cards in the hands that are nobody's for certain."""
    cards = full_bank(game) - state.bank
    for holder in range(game.rules.players):
        cards -= certain[holder]
    return cards


@njit
def fit_resources(game: Any, expected: Any, cards: Any) -> None:
    """Scale what is expected of each resource to what there is of it in the pool."""
    for resource in range(5):
        whole = 0.0
        for holder in range(game.rules.players):
            whole += expected[holder, resource]
        if whole > 0.0:  # else it is all certain
            factor = count_of(cards, resource) / whole
            for holder in range(game.rules.players):
                expected[holder, resource] *= factor


@njit
def fit_holders(game: Any, state: Any, certain: Any, expected: Any, cards: Any) -> None:
    """Scale what is expected of each hand to the cards of it that are not certain."""
    for holder in range(game.rules.players):
        unknown = hand_size(state, holder) - total(certain[holder])
        if unknown == 0:
            continue
        whole = 0.0
        for resource in range(5):
            whole += expected[holder, resource]
        for resource in range(5):
            if whole > 0.0:
                expected[holder, resource] *= unknown / whole
            else:
                expected[holder, resource] = unknown * count_of(cards, resource) / total(cards)


@njit
def conclude(game: Any, state: Any, certain: Any, expected: Any, cards: Any) -> bool:
    """Make certain what follows from the numbers of cards; return whether that was anything."""
    for holder in range(game.rules.players):
        unknown = hand_size(state, holder) - total(certain[holder])
        if unknown == 0:
            continue
        found = EMPTY
        for resource in range(5):
            others, rest = 0, 0
            for other in range(game.rules.players):
                if other != holder:
                    others += most(state, other, resource, certain, expected, cards)
            for other in range(5):
                if other != resource:
                    rest += most(state, holder, other, certain, expected, cards)
            least = count_of(cards, resource) - others
            least = least if least > unknown - rest else unknown - rest
            if least > 0:
                found += some(resource, least if least < unknown else unknown)
        if found != EMPTY:
            certain[holder] += found
            for resource in range(5):
                if expected[holder, resource] > 0.0:
                    more = expected[holder, resource] - count_of(found, resource)
                    expected[holder, resource] = more if more > LEAST_EXPECTED else LEAST_EXPECTED
            return True
    return False


@njit
def most(state: Any, holder: Any, resource: Any, certain: Any, expected: Any, cards: Any) -> int:
    """Return how many cards of a resource at most are among those of a hand that are not certain."""
    if expected[holder, resource] <= 0.0:
        return 0
    unknown, there = hand_size(state, holder) - total(certain[holder]), count_of(cards, resource)
    return unknown if unknown < there else there


# --- samples -------------------------------------------------------------------------------------------------------


@njit
def sample_hands(game: Any, state: Any, observer: Any, rng: Any) -> None:
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
    for holder in range(OBSERVERS - 1):
        for other in range(OBSERVERS - 1):
            if other != holder and other != observer:  # noqa: PLR1714 (their types differ)
                state.known[holder, other] = state.known[holder, PUBLIC]
                for resource in range(5):
                    state.mix[holder, other, resource] = state.mix[holder, PUBLIC, resource]


@njit
def deal_unknown(game: Any, state: Any, observer: Any, rng: Any) -> None:
    """Deal the observer's pool to the hands, card by card, with what is expected of the rest fitted after each one.

    The hand with the fewest cards to come is dealt first, so that the last one has what is left.
    """
    certain, expected = np.zeros(4, np.uint64), np.zeros((4, 5), np.float64)
    fit(game, state, observer, certain, expected)
    cards = open_pool(game, state, certain)
    sizes = np.zeros(4, np.int64)
    for holder in range(game.rules.players):
        sizes[holder] = hand_size(state, holder) - total(certain[holder])
    for attempt in range(SAMPLE_ATTEMPTS):
        heedless = attempt == SAMPLE_ATTEMPTS - 1  # the shares leave no way to deal: deal by the bounds alone
        table, to_deal = expected.copy(), sizes.copy()
        left, good = cards, True
        for holder in range(game.rules.players):
            state.known[holder, holder] = certain[holder]
        while left != EMPTY and good:
            holder = next_smallest(to_deal, game.rules.players)
            resource = draw_unknown(table, holder, left, heedless, rng)
            good = resource >= 0
            if good:
                state.known[holder, holder] += one(resource)
                left -= one(resource)
                to_deal[holder] -= 1
                refit(game, to_deal, left, table)
        if good:
            return


@njit
def next_smallest(sizes: Any, players: Any) -> int:
    """Return the number of the smallest size above 0."""
    best, smallest = 0, 1000
    for i in range(players):
        if 0 < sizes[i] < smallest:
            best, smallest = i, sizes[i]
    return best


@njit
def refit(game: Any, sizes: Any, cards: Any, expected: Any) -> None:
    """Fit what is expected to the numbers of cards that are still to be dealt."""
    for _ in range(REFITTING_ROUNDS):
        fit_resources(game, expected, cards)
        for holder in range(game.rules.players):
            whole = 0.0
            for resource in range(5):
                whole += expected[holder, resource]
            if whole > 0.0:
                for resource in range(5):
                    expected[holder, resource] *= sizes[holder] / whole


@njit
def draw_unknown(expected: Any, holder: Any, left: Any, heedless: Any, rng: Any) -> int:
    """Draw a card for a hand by what is expected; -1 if nothing possible is left."""
    if heedless:
        return nth_card(left, random_below(rng, total(left)))
    whole = 0.0
    for resource in range(5):
        if count_of(left, resource) > 0:
            whole += expected[holder, resource]
    if whole <= 0.0:
        return -1
    point = random_unit(rng) * whole
    found = -1
    for resource in range(5):
        if count_of(left, resource) > 0 and expected[holder, resource] > 0.0:
            found = resource
            point -= expected[holder, resource]
            if point < 0.0:
                return resource
    return found
