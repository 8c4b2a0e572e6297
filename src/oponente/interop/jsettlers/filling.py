"""The hidden parts of a mirrored state: filled in some way that fits what is seen, with what is known kept apart.

An honest agent reads what its seat knows, and nothing of how the rest is filled. Only the kinds of cards that others
have discarded unseen are taken as guessed, all together, because the record has no room for cards that nobody knows to
be gone: they lie in the bank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import VICTORY_POINT, pack, unpack
from oponente.games.catan.knowledge import FULL_SHARE, LANE, NO_BOUND, OBSERVERS, PUBLIC, slot_of
from oponente.interop.jsettlers.ledger import KINDS, Ledger
from oponente.kernel import State

_UNBOUND = sum(NO_BOUND << LANE * resource for resource in range(KINDS))


def renewed(state: State) -> State:
    """Return the same state, after its record was changed directly."""
    return State(state.game, state.array, state.history)


def fill_hands(state: State, ledger: Ledger, observer: int) -> None:
    """Give the hands the cards of the ledger. What others know of each other becomes what the public knows.

    Args:
        state: is changed.
        ledger: the cards.
        observer: the seat whose knowledge stays, or `PUBLIC`.
    """
    record = state.record
    players = len(ledger.hands)
    bank = np.array(unpack(record.bank)) + sum(np.array(unpack(record.known[seat, seat])) for seat in range(players))
    for seat, hand in enumerate(ledger.hands):
        bank -= hand
        record.known[seat, seat] = pack(hand)
    record.bank = pack(bank)
    for holder, hand in enumerate(ledger.hands):
        for other in range(OBSERVERS):
            if other == holder:
                continue
            if other not in (observer, PUBLIC):
                _copy_knowledge(record, holder, PUBLIC, other)
            # Only a guess of what was discarded can have led to more than there is.
            record.known[holder, other] = pack(map(min, unpack(record.known[holder, other]), hand))


def _copy_knowledge(record: Any, holder: int, source: int, to: int) -> None:
    record.known[holder, to] = record.known[holder, source]
    record.most[holder, slot_of(holder, to)] = record.most[holder, slot_of(holder, source)]
    record.mix[holder, slot_of(holder, to)] = record.mix[holder, slot_of(holder, source)]


class UnseenDiscard:
    """What others know of the hands while a player discards cards that they do not see.

    The rules have discards in the open, so what they would let others conclude is taken back.

    Args:
        state: before the cards go.
        seat: who discards.
        count: how many cards.
    """

    def __init__(self, state: State, seat: int, count: int) -> None:
        record = state.record
        self.seat, self.count = seat, count
        self.known, self.most, self.mix = record.known.copy(), record.most.copy(), record.mix.copy()
        self.size = sum(unpack(record.known[seat, seat]))
        hands = [np.array(unpack(record.known[holder, holder])) for holder in range(state.game.num_players)]
        self.all = sum(hands)

    def hide(self, state: State) -> None:
        """Make the others of the state know no more than that so many cards are gone."""
        record = state.record
        for holder in range(state.game.num_players):
            for observer in range(OBSERVERS):
                if observer in (holder, self.seat):
                    continue
                record.known[holder, observer] = self.known[holder, observer]
                record.most[holder, slot_of(holder, observer)] = self.most[holder, slot_of(holder, observer)]
                record.mix[holder, slot_of(holder, observer)] = self.mix[holder, slot_of(holder, observer)]
        left = unpack(record.known[self.seat, self.seat])
        for observer in range(OBSERVERS):
            if observer != self.seat:
                self._forget(record, observer, left)

    def _forget(self, record: Any, observer: int, left: tuple[int, ...]) -> None:
        before = np.array(unpack(self.known[self.seat, observer]))
        slot = slot_of(self.seat, observer)
        shares = self.mix[self.seat, slot].astype(float)
        unknown = self.size - before.sum()
        if unknown and not shares.any():
            shares = np.array(self.all, float)
        expected = before + (unknown * shares / shares.sum() if unknown else 0.0)
        # Any of them may be gone; each card of the hand equally likely.
        sure = np.minimum(np.maximum(before - self.count, 0), left)
        rest = np.maximum(expected * (1 - self.count / self.size) - sure, 0.0)
        record.known[self.seat, observer] = pack(sure)
        record.most[self.seat, slot] = _UNBOUND
        weights = rest / rest.sum() if rest.sum() > 0 else np.full(KINDS, 1 / KINDS)
        record.mix[self.seat, slot] = np.clip(np.rint(weights * FULL_SHARE), 1, FULL_SHARE)


# --- development cards ---------------------------------------------------------------------------------------------


def guess_card(state: State, observer: int) -> int:
    """Return a development card that may have been drawn: no victory point if that can be, the most frequent.

    Args:
        state: may be changed: where victory points alone are left in the deck, another card comes back to it from a
            hand in which it was guessed.
        observer: the seat whose own cards are no guesses, or `PUBLIC`.
    """
    record = state.record
    others = [card for card in range(KINDS) if card != VICTORY_POINT]
    if not any(record.deck[card] for card in others):
        for seat in range(state.game.num_players):
            held = [card for card in others if record.cards[seat, card]]
            # A victory point would end the game if it were drawn; it waits in the hand of one who is not on turn.
            if (
                held
                and seat not in (observer, int(record.mover))
                and exchange_card(state, seat, held[0], VICTORY_POINT, observer)
            ):
                break
    return likeliest_card(state)


def likeliest_card(state: State) -> int:
    """Return the most frequent development card in the deck, no victory point if there is another."""
    deck = [int(count) for count in state.record.deck]
    rest = [count if card != VICTORY_POINT else 0 for card, count in enumerate(deck)]
    return rest.index(max(rest)) if any(rest) else deck.index(max(deck))


def make_playable(state: State, card: int, observer: int) -> bool:
    """Let the player on turn have a development card that is not new, in exchange for one that is guessed.

    Args:
        state: is changed.
        card: the card that it plays.
        observer: the seat whose own cards are no guesses, or `PUBLIC`.

    Returns:
        Whether it can have one.
    """
    record = state.record
    mover = int(record.mover)
    if record.cards[mover, card] > record.fresh[card]:
        return True
    if mover == observer:
        return False
    old = [kind for kind in range(KINDS) if record.cards[mover, kind] > record.fresh[kind]]
    if not old:
        return False
    if record.cards[mover, card]:  # one that was guessed to be new
        record.fresh[card] -= 1
        record.fresh[old[0]] += 1
        return True
    given = next((kind for kind in old if kind != VICTORY_POINT), old[0])
    return exchange_card(state, mover, given, card, observer)


def exchange_card(state: State, seat: int, given: int, wanted: int, observer: int) -> bool:
    """Exchange a guessed development card for another that lies in the deck or is guessed to be in another hand."""
    record = state.record
    if record.deck[wanted]:
        record.deck[wanted] -= 1
        record.deck[given] += 1
    else:
        for other in range(state.game.num_players):
            if other not in (seat, observer) and record.cards[other, wanted]:
                record.cards[other, wanted] -= 1
                record.cards[other, given] += 1
                if other == int(record.mover) and record.fresh[wanted]:
                    record.fresh[wanted] -= 1
                    record.fresh[given] += 1
                break
        else:
            return False
    record.cards[seat, given] -= 1
    record.cards[seat, wanted] += 1
    return True


def correct_point(state: State, seat: int, *, more: bool) -> bool:
    """Give a player a victory point card more, or fewer, for another card; return whether that can be."""
    record = state.record
    others = [kind for kind in range(KINDS) if kind != VICTORY_POINT]
    if more:
        given = next((kind for kind in others if record.cards[seat, kind]), None)
        return given is not None and exchange_card(state, seat, given, VICTORY_POINT, seat)
    wanted = next((kind for kind in others if record.deck[kind]), None)
    return wanted is not None and exchange_card(state, seat, VICTORY_POINT, wanted, seat)


def without_points(state: State, seat: int, observer: int) -> bool:
    """Let a player have as few of the victory point cards that are guessed as can be; return whether any went.

    A guess must not end the game: the player on turn would have won with enough of them.
    """
    record = state.record
    gone = False
    while record.cards[seat, VICTORY_POINT]:
        holders = [other for other in range(state.game.num_players) if other not in (seat, observer)]
        kinds = [
            kind
            for kind in range(KINDS)
            if kind != VICTORY_POINT and (record.deck[kind] or any(record.cards[other, kind] for other in holders))
        ]
        if not kinds or not exchange_card(state, seat, VICTORY_POINT, kinds[0], observer):
            break
        if record.fresh[VICTORY_POINT] > record.cards[seat, VICTORY_POINT]:
            record.fresh[VICTORY_POINT] -= 1
            record.fresh[kinds[0]] += 1
        gone = True
    return gone
