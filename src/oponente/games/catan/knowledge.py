"""Catan: what each observer knows of the hands.

Everything about resource cards is public but the identity of a stolen card, which only thief and victim see. The state
holds for every hand and every *observer*, the four seats and the public,

``known[holder, observer]``
    cards that the holder has for certain, as the observer knows (a set of cards). ``known[seat, seat]`` is the hand
    itself.
``most[holder, slot]``
    for the cards of the hand beyond those: how many of each resource can be among them at most, three bits for each
    resource; 7: no such bound.
``mix[holder, slot]``
    for the same cards: the share of each resource among them, as far as the observer can tell, in units of 1/255.

The last two are kept for the other observers only, at the *slot* of the observer (:func:`slot_of`).

The number of cards in each hand is public, and so is how many of each resource all hands hold together. The cards that
are nobody's for certain are the observer's *pool*. Bounds are sound: what is known is true, and the true cards are
never ruled out. What follows from all this together is worked out in :mod:`oponente.games.catan.posterior`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import EMPTY, count_of, holds, kinds, lacking, one, some, total
from oponente.kernel import njit

PUBLIC = 4
"""The observer who sees only what everybody sees."""
OBSERVERS = 5
OTHERS = OBSERVERS - 1
"""Observers of a hand other than its holder."""
FULL_SHARE = 255
NO_BOUND = 7
LANE = 3


@njit
def slot_of(holder: Any, observer: Any) -> int:
    """Return where what an observer knows of another's hand stands, 0 to 3."""
    return np.int64(observer) - 1 if observer > holder else np.int64(observer)


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
    cards = EMPTY
    for holder in range(game.rules.players):
        cards += state.known[holder, holder] - state.known[holder, observer]
    return cards


@njit
def full_bank(game: Any) -> Any:
    """Return all cards that there are."""
    cards = EMPTY
    for resource in range(5):
        cards += some(resource, game.rules.bank)
    return cards


@njit
def bound(state: Any, holder: Any, observer: Any, resource: Any) -> int:
    """Return how many of the cards that another can't tell are of a resource at most; `NO_BOUND`: any number."""
    return np.int64(state.most[holder, slot_of(holder, observer)]) >> LANE * np.int64(resource) & NO_BOUND


@njit
def share(state: Any, holder: Any, observer: Any, resource: Any) -> int:
    """Return the units of the share of a resource in what an observer can't tell of a hand; 0 if it can't be there."""
    if holder == observer or bound(state, holder, observer, resource) == 0:
        return 0
    return np.int64(state.mix[holder, slot_of(holder, observer), resource])


@njit
def share_weight(state: Any, holder: Any, observer: Any, cards: Any) -> float:
    """Return what a unit of a hand's shares is worth, so that those of the resources in the pool add up to 1."""
    whole = 0
    for resource in range(5):
        if count_of(cards, resource) > 0:
            whole += share(state, holder, observer, resource)
    return 1.0 / whole if whole > 0 else 0.0


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
            learn(state, seat, observer, lacking(state.known[seat, observer], cards))


@njit
def learn(state: Any, holder: Any, observer: Any, cards: Any) -> None:
    """Let another know that these cards are among those of a hand that it could not tell."""
    state.known[holder, observer] += cards
    for resource in range(5):
        count = count_of(cards, resource)
        if count > 0:
            before = bound(state, holder, observer, resource)
            if before != NO_BOUND:
                set_bound(state, holder, observer, resource, before - count if before > count else 0)
    settle(state, observer)


@njit
def settle(state: Any, observer: Any) -> None:
    """Make the pool certain to be in a hand, if there is only one that has cards which the observer can't tell."""
    hands, last = 0, 0
    for holder in range(PUBLIC):
        if state.known[holder, holder] != state.known[holder, observer]:
            hands += 1
            last = holder
    if hands == 1:
        state.known[last, observer] = state.known[last, last]


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
        if observer != seat:
            set_bound(state, seat, observer, resource, 0)


@njit
def steal(game: Any, state: Any, thief: Any, victim: Any, resource: Any) -> None:
    """Move a card from the victim to the thief, seen by these two only."""
    card = one(resource)
    if holds(state.known[victim, thief], card):
        infer(game, state, victim, thief, resource)
    else:
        learn(state, victim, thief, card)
    for observer in range(OBSERVERS):
        if observer not in (thief, victim):
            miss(game, state, thief, victim, observer)
    for observer in (thief, victim):
        state.known[victim, observer] -= card
        state.known[thief, observer] += card


# --- what is not seen ----------------------------------------------------------------------------------------------


@njit
def set_bound(state: Any, holder: Any, observer: Any, resource: Any, count: Any) -> None:
    """Set how many of the cards that another can't tell are of a resource at most."""
    slot = slot_of(holder, observer)
    count = count if count < NO_BOUND else NO_BOUND
    lane = LANE * np.int64(resource)
    state.most[holder, slot] = np.int64(state.most[holder, slot]) & ~(NO_BOUND << lane) | count << lane


@njit
def set_share(state: Any, holder: Any, observer: Any, resource: Any, part: Any) -> None:
    """Set a share, of which a unit at least remains: what can't be there has the bound 0."""
    units = np.int64(part * FULL_SHARE + 0.5)
    units = units if units > 1 else np.int64(1)
    state.mix[holder, slot_of(holder, observer), resource] = units if units < FULL_SHARE else FULL_SHARE


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
        released = 1 if count_of(certain, resource) > 0 else 0
        among = unknown * victim_weight * there * share(state, victim, observer, resource)
        expected = count_of(certain, resource) + among
        kept = got * thief_weight * there * share(state, thief, observer, resource)
        if expected == 0.0:  # none of these can have gone: what may be there of them is among one card more
            rest = min(bound(state, thief, observer, resource), got) if kept > 0.0 else 0
            set_bound(state, thief, observer, resource, rest)
            set_share(state, thief, observer, resource, kept / (got + 1))
            if there == 0.0:
                set_bound(state, victim, observer, resource, 0)
            continue
        stolen = expected / size
        before = min(bound(state, victim, observer, resource), unknown)
        if unknown_left > 0:
            left = expected - stolen - count_of(remaining, resource)
            set_share(state, victim, observer, resource, left / unknown_left)
            set_bound(state, victim, observer, resource, before + released)
        set_share(state, thief, observer, resource, (kept + stolen) / (got + 1))
        set_bound(state, thief, observer, resource, min(bound(state, thief, observer, resource), got) + 1)
    state.known[victim, observer] = remaining


@njit
def infer(game: Any, state: Any, victim: Any, thief: Any, resource: Any) -> None:
    """Let a thief learn of the victim's unknown cards by the card, one that was certain to be there, that it got.

    A hand with more cards of that resource gives one more often (Bayes): either the card is the certain one, which
    tells nothing, or it is one of the unknown cards, which then is of that resource.
    """
    unknown = unknown_cards(state, victim, thief)
    cards = pool(game, state, thief)
    if unknown == 0 or count_of(cards, resource) == 0:
        return
    weight = share_weight(state, victim, thief, cards)
    among = unknown * weight * share(state, victim, thief, resource)
    odds = among / (count_of(state.known[victim, thief], resource) + among)
    for other in range(5):
        before = weight * share(state, victim, thief, other) if count_of(cards, other) > 0 else 0.0
        if before == 0.0:
            continue
        seen = ((1.0 if other == resource else 0.0) + (unknown - 1) * before) / unknown
        after = before + odds * (seen - before)
        set_share(state, victim, thief, other, after)
        rest = count_of(cards, other) - unknown * before
        if rest > 0.0:
            factor = (count_of(cards, other) - unknown * after) / rest
            for holder in range(game.rules.players):
                if holder not in (victim, thief) and share(state, holder, thief, other) > 0:
                    part = share(state, holder, thief, other) * factor / FULL_SHARE
                    set_share(state, holder, thief, other, part if part > 0.0 else 0.0)
