"""Trade between players, mirrored: the server's offers to some, answered in any order, as our offers to all.

On the server an offer is open until its maker or an acceptance clears it, and whoever accepts first has the deal. In
our rules all others answer in the order of their seats, then the maker confirms. So an offer enters the mirror when it
is over: those who did not accept have rejected, or made the counter-offer that they did make.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from oponente.games.catan.cards import pack, unpack
from oponente.games.catan.knowledge import OBSERVERS
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    CONFIRM,
    CONFIRMING,
    MAIN,
    OFFER_LIMIT,
    REJECT,
    WITHDRAW,
    offer_id,
)
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.filling import renewed
from oponente.interop.jsettlers.geometry import our_counts

if TYPE_CHECKING:
    from oponente.interop.jsettlers.mirror_core import MirrorCore
    from oponente.kernel import State


def action_of(give: tuple[int, ...], get: tuple[int, ...]) -> int | None:
    """Return our action of offering cards for cards, None if there is none (gifts, a resource on both sides)."""
    both = any(a and b for a, b in zip(give, get, strict=True))
    if both or not any(give) or not any(get) or max(*give, *get) > OFFER_LIMIT:
        return None
    return offer_id(give, get)


class Trading:
    """The offers of a mirrored game.

    Args:
        mirror: the game.

    Attributes:
        current: the offer of the player on turn, while it is open.
        counters: the counter-offers to it that are open, by our seat.
        rejected: our seats that have rejected it.
    """

    def __init__(self, mirror: MirrorCore) -> None:
        self.mirror = mirror
        self.current: play.Offer | None = None
        self.counters: dict[int, play.Offer] = {}
        self.older: dict[int, play.Offer] = {}
        """Counter-offers to offers before it, which the server has not cleared: they may be accepted, too."""
        self.rejected: set[int] = set()
        self.cleared = False
        """Whether all offers were cleared since the last one was made or the last turn began."""
        self.standing: play.Offer | None = None
        """An offer that has come to nothing in the mirror, and that the server has not cleared: it may be accepted."""
        self._unanswered: Counter[int] = Counter()
        """How many offers each player of the server was named in and has not answered. Some answers come late."""

    # --- messages --------------------------------------------------------------------------------------------------

    def offer(self, message: play.Offer) -> None:
        """An offer is made, or a counter-offer to the player on turn.

        A counter-offer that comes too late, when its maker's own turn has begun, stands as an offer.
        """
        mirror = self.mirror
        seat = mirror.place_of(message.player)
        give, get = our_counts(message.give), our_counts(message.get)
        if not (any(give) or any(get)):
            mirror.differ("offer", message.format(), "cards for cards")
            return
        mirror.expect("to", message.to[message.player], False)
        self.cleared = False
        self._unanswered.update(player for player, named in enumerate(message.to) if named)
        if seat == int(mirror.record.mover):
            self.close()
            self.older |= self.counters
            self.counters.clear()
            mirror.show(seat, give)
            self.current, self.standing = message, None
        else:
            self._take_answer(message.player)
            self.counters[seat] = message
            self.older.pop(seat, None)

    def reject(self, message: play.Reject) -> None:
        """An offer is rejected; a refusal of a request of ours changes nothing."""
        if message.reason is not None:
            return
        self.rejected.add(self.mirror.place_of(message.player))
        if not self._take_answer(message.player):
            self.mirror.differ("reject", message.format(), "there is no offer to this player")

    def clear(self, message: play.ClearOffer) -> None:
        """An offer is off, or all are. Players may clear what there is no more."""
        mirror = self.mirror
        if mirror.state is None:
            return
        if message.player == -1:
            self.cleared = True
            self.close()
            self._forget()
        elif mirror.place_of(message.player) == int(mirror.record.mover):
            self.close()
            self.standing = None
        else:
            for offers in (self.counters, self.older):
                offers.pop(mirror.place_of(message.player), None)

    def accept(self, message: play.Accept) -> None:
        """A deal is made."""
        mirror = self.mirror
        accepter, offerer = mirror.place_of(message.accepter), mirror.place_of(message.offerer)
        mover = int(mirror.record.mover)
        if offerer in self.older and offerer not in self.counters:
            self.counters[offerer] = self.older[offerer]
        offer = (self.current or self.standing) if offerer == mover else self.counters.get(offerer)
        if offer is None or mover not in (accepter, offerer) or accepter == offerer:
            mirror.differ("accept", message.format(), "there is no such offer")
            return
        give, get = our_counts(offer.give), our_counts(offer.get)
        told = tuple(our_counts(message.counts[at : at + 5]) for at in (0, 5)) if len(message.counts) == 10 else ()
        mirror.expect("accept", told, (give, get))
        mirror.expect("to", offer.to[message.accepter], True)
        mirror.show(offerer, give)
        mirror.show(accepter, get)
        partner = accepter if offerer == mover else offerer
        self._take_answer(message.accepter)
        if not self._deal(mover, partner, offer):
            self._transfer(offerer, accepter, give, get)
        for seat, cards, others in ((offerer, give, get), (accepter, get, give)):
            mirror.ledger.lose(seat, cards)
            mirror.ledger.gain(seat, others)
        self._forget()

    def close(self) -> None:
        """Let the open offer come to nothing. Counter-offers to it stay open until all offers are cleared."""
        if self.current is None:
            return
        action = action_of(our_counts(self.current.give), our_counts(self.current.get))
        # Who has built meanwhile may lack the cards.
        if action is not None and int(self.mirror.record.phase) == MAIN and self.mirror.live.is_legal(action):
            self.mirror.act(action)
            self._answer(None)
            if int(self.mirror.record.phase) == CONFIRMING:
                self.mirror.act(WITHDRAW)
        self.current = None
        self.rejected.clear()

    def end_turn(self) -> None:
        """Let all offers come to nothing."""
        self.close()
        self._forget()

    def suspend(self) -> None:
        """Let the open offer come to nothing, before the server says so: our own, or its maker goes on without it."""
        self.standing = self.current or self.standing
        self.close()

    def _take_answer(self, player: int) -> bool:
        """Note that a player answers an offer; return whether there was one."""
        waiting = self._unanswered[player] > 0
        self._unanswered[player] -= waiting
        return waiting

    def _forget(self) -> None:
        self.current = self.standing = None
        self.counters.clear()
        self.older.clear()
        self.rejected.clear()

    # --- actions ---------------------------------------------------------------------------------------------------

    def _deal(self, mover: int, partner: int, offer: play.Offer) -> bool:
        """Make a deal by our rules; return whether they have it."""
        mirror = self.mirror
        give, get = our_counts(offer.give), our_counts(offer.get)
        countered = mirror.place_of(offer.player) != mover
        original = self.current or self.standing
        action = None if original is None else action_of(our_counts(original.give), our_counts(original.get))
        if action is None or not mirror.live.is_legal(action) or (countered and not self._counters(action, partner)):
            # A counter-offer to nothing, or to what is no more, is our offer, accepted.
            action = action_of(get, give) if countered else action_of(give, get)
            countered = False
        if action is None or (countered and action_of(give, get) is None):
            return False
        mirror.act(action)
        self._answer(None if countered else partner)
        mirror.act(CONFIRM + partner)
        return True

    def _counters(self, action: int, partner: int) -> bool:
        """Tell whether a player's counter-offer is one by our rules, if an offer is made."""
        state = self.mirror.live.copy()
        state.apply(action)
        while int(state.record.actor) != partner:
            state.apply(self._answer_of(state, int(state.record.actor)))
        return self._answer_of(state, partner) != REJECT

    def _answer(self, accepter: int | None) -> None:
        """Let all others answer: accept, or as they did."""
        mirror = self.mirror
        while int(mirror.record.phase) == ANSWERING:
            seat = int(mirror.record.actor)
            mirror.act(ACCEPT if seat == accepter else self._answer_of(mirror.live, seat))

    def _answer_of(self, state: State, seat: int) -> int:
        counter = self.counters.get(seat)
        if counter is None:
            return REJECT
        action = action_of(our_counts(counter.give), our_counts(counter.get))
        return action if action is not None and state.is_legal(action) else REJECT

    def _transfer(self, giver: int, taker: int, give: tuple[int, ...], get: tuple[int, ...]) -> None:
        """Move cards in a way that our rules don't have: for nothing, or of a resource for the same one."""
        mirror = self.mirror
        record = mirror.record
        for seat, lost, gained in ((giver, give, get), (taker, get, give)):
            for observer in range(OBSERVERS):
                known = unpack(record.known[seat, observer])
                record.known[seat, observer] = pack(
                    max(0, a - b) + c for a, b, c in zip(known, lost, gained, strict=True)
                )
        mirror.state = renewed(mirror.live)
        mirror.replayable = False

    # --- a question to our seat ------------------------------------------------------------------------------------

    def question(self, seat: int) -> State | None:
        """Return the state in which our seat answers the open offer, those before it having rejected.

        None if the offer is none by our rules.
        """
        if self.current is None:
            return None
        action = action_of(our_counts(self.current.give), our_counts(self.current.get))
        if action is None or not self.mirror.live.is_legal(action):
            return None
        state = self.mirror.live.copy()
        state.apply(action)
        while int(state.record.actor) != seat:
            state.apply(self._answer_of(state, int(state.record.actor)))
        return state

    def answered(self) -> State | None:
        """Return the state in which the player on turn confirms a counter-offer to its open offer, or withdraws.

        None if there is none that it can pay.
        """
        question = self.current
        if question is None:
            return None
        action = action_of(our_counts(question.give), our_counts(question.get))
        if action is None or not self.mirror.live.is_legal(action):
            return None
        state = self.mirror.live.copy()
        state.apply(action)
        while int(state.record.phase) == ANSWERING:
            state.apply(self._answer_of(state, int(state.record.actor)))
        return state if int(state.record.phase) == CONFIRMING else None
