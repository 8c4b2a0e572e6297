"""Offers that the server keeps open for longer than our rules do."""

import pytest

from oponente.games.catan.cards import VICTORY_POINT
from oponente.games.catan.moves import MAIN
from oponente.games.catan.names import bank_rate
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.filling import renewed
from oponente.interop.jsettlers.geometry import their_counts
from oponente.interop.jsettlers.mirror import Mirror
from oponente.interop.jsettlers.play import GameState
from oponente.interop.jsettlers.session import Invitation
from oponente.interop.jsettlers.transcript import read_transcript
from tests.interop.jsettlers.helpers import TRANSCRIPTS


def one(resource, count=1):
    """Return cards of a resource, as the server writes them."""
    return their_counts([count * (resource == other) for other in range(5)])


def named(player):
    """Return an offer's list of those it goes to: all but its maker."""
    return tuple(other != player for other in range(4))


class Rich:
    """A recorded game at a moment when who is on turn can trade with the bank and offer another card besides."""

    def __init__(self):
        entries = [entry for entry in read_transcript(TRANSCRIPTS[0]) if entry.incoming]
        self.mirror = Mirror(
            next(entry.message.game for entry in entries if isinstance(entry.message, Invitation)), "pybot"
        )
        for entry in entries:
            self.mirror.receive(entry.message)
            if isinstance(entry.message, play.State) and entry.message.state == GameState.PLAY1 and self._found():
                return
        pytest.fail("there is no such moment")

    def _found(self):
        mirror = self.mirror
        if mirror.state is None or mirror.record.phase != MAIN:
            return False
        self.mover = int(mirror.record.mover)
        hand = mirror.hand(self.mover)
        others = [seat for seat in range(4) if seat != self.mover]
        for self.spare in range(5):
            self.rate = bank_rate(mirror.live, self.spare)
            if hand[self.spare] <= self.rate:
                continue
            for self.wanted in range(5):
                for self.other in others:
                    if self.wanted != self.spare and mirror.hand(self.other)[self.wanted]:
                        return True
        return False

    def receive(self, kind, *fields):
        """Take in a message of the game."""
        self.mirror.receive(kind(self.mirror.name, *fields))

    def offer(self):
        player = self.player
        self.receive(play.Offer, player, named(player), one(self.spare), one(self.wanted))

    def bank_trade(self):
        self.receive(play.BankTrade, one(self.spare, self.rate), one(self.wanted), self.player)

    @property
    def player(self):
        """The server's number of who is on turn."""
        return self.mirror.their_player(self.mover)


def test_an_offer_stays_open_while_its_maker_trades_with_the_bank():
    game = Rich()
    accepter = game.mirror.their_player(game.other)
    before = [sum(game.mirror.hand(seat)) for seat in range(4)]
    had = game.mirror.hand(game.mover)[game.wanted]
    game.offer()
    game.bank_trade()
    game.receive(play.Accept, accepter, game.player, (*one(game.spare), *one(game.wanted)))
    game.receive(play.ClearOffer, -1)
    assert game.mirror.differences == []
    assert game.mirror.hand(game.mover)[game.wanted] == had + 2
    before[game.mover] += 1 - game.rate
    assert [sum(game.mirror.hand(seat)) for seat in range(4)] == before
    assert [game.mirror.ledger.size(seat) for seat in range(4)] == before
    # There is one deal only.
    game.receive(play.Accept, accepter, game.player, (*one(game.spare), *one(game.wanted)))
    assert [found.field for found in game.mirror.differences] == ["accept"]


@pytest.mark.parametrize("who", ["all", "maker"])
def test_an_offer_that_is_cleared_is_not_accepted_any_more(who):
    game = Rich()
    game.offer()
    game.bank_trade()
    game.receive(play.ClearOffer, -1 if who == "all" else game.player)
    game.receive(play.Accept, game.mirror.their_player(game.other), game.player, (*one(game.spare), *one(game.wanted)))
    assert [found.field for found in game.mirror.differences] == ["accept"]


def test_a_player_may_clear_an_offer_that_is_none():
    # A robot clears its counter-offer when its own turn has begun.
    game = Rich()
    game.receive(play.ClearOffer, game.player)
    game.receive(play.ClearOffer, game.mirror.their_player(game.other))
    assert game.mirror.differences == []


def test_a_counter_offer_stays_open_while_another_offer_is_made():
    game = Rich()
    accepter, hands = game.mirror.their_player(game.other), game.mirror.hands()
    game.offer()
    to_maker = tuple(player == game.player for player in range(4))
    game.receive(play.Offer, accepter, to_maker, one(game.wanted), one(game.spare, 2))
    game.receive(play.Offer, game.player, named(game.player), one(game.spare), one(game.wanted, 2))
    game.receive(play.Accept, game.player, accepter, (*one(game.wanted), *one(game.spare, 2)))
    game.receive(play.ClearOffer, -1)
    assert game.mirror.differences == []
    assert game.mirror.replayable
    after = game.mirror.hand(game.mover)
    assert (after[game.wanted], after[game.spare]) == (
        hands[game.mover][game.wanted] + 1,
        hands[game.mover][game.spare] - 2,
    )


def test_a_card_drawn_unseen_does_not_end_the_game():
    # All cards in the deck are guessed to be points, since the others are guessed to be in hands.
    game = Rich()
    mirror = game.mirror
    record = mirror.record
    mirror.nickname = mirror.player = None  # what all see
    others = [card for card in range(5) if card != VICTORY_POINT]
    for card in others:
        record.cards[game.other, card] += record.deck[card]
        record.deck[card] = 0
    record.points[game.mover] = 9
    mirror.state = renewed(mirror.live)
    mirror.ledger.gain(game.mover, (1, 1, 1, 1, 1))
    mirror.refill()
    game.receive(play.PlayerElements, game.player, play.Action.LOSE, (2, 1, 3, 1, 4, 1))
    game.receive(play.Card, game.player, play.CardAction.DRAW, (0,))
    game.receive(play.State, GameState.PLAY1)
    assert mirror.differences == []
    assert mirror.record.phase == MAIN
