"""What the server answers to what a client asks of it: that it is done, or that it is refused."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from oponente.interop.jsettlers import play, session
from oponente.interop.jsettlers.message import Message
from oponente.interop.jsettlers.play import Action, CardAction, GameState


class Answer(Enum):
    """What a message from the server says about a request."""

    NONE = "none"
    """Nothing."""
    DONE = "done"
    REFUSED = "refused"
    OTHER = "other"
    """It was done, but not as asked."""


class Request:
    """A message of ours that is to be answered.

    Args:
        message: what was sent.
        player: the server's number of our seat.
    """

    def __init__(self, message: Message, player: int) -> None:
        self.message, self.player = message, player

    def answer(self, message: Message) -> Answer:
        """Return what a message from the server says about the request."""
        if self._refuses(message):
            return Answer.REFUSED
        done = _DONE.get(type(self.message))
        if done is None:
            return Answer.NONE
        found = done(self.message, message, self.player)
        return Answer.NONE if found is None else Answer.DONE if found else Answer.OTHER

    def _refuses(self, message: Message) -> bool:
        if isinstance(message, play.Declined):
            return True
        if isinstance(message, play.CancelBuild):
            return isinstance(self.message, play.PutPiece | play.BuildRequest | play.BuyCard | play.CancelBuild)
        if isinstance(message, play.Reject) and message.reason is not None:
            kinds = play.BankTrade | play.Offer | play.Accept
            return message.player in (self.player, -1) and isinstance(self.message, kinds)
        if isinstance(message, play.Card) and message.action == CardAction.CANNOT_PLAY:
            return isinstance(self.message, play.PlayCard)
        if isinstance(message, play.DiscardRequest):
            return isinstance(self.message, play.Discard)
        # What is out of turn or season is answered with a line for people, or told once more what is waited for.
        if isinstance(message, session.ServerText):
            return isinstance(self.message, play.Roll | play.EndTurn | play.Discard)
        return False


def answered(message: Message) -> bool:
    """Tell whether the server answers messages of this type."""
    return type(message) in _DONE


def _same(request: Any, message: Message, _player: int) -> bool | None:
    """The server repeats it for all."""
    if type(message) is not type(request) or getattr(message, "player", None) != getattr(request, "player", None):
        return None
    return bool(message == request)


def _turn(_request: Any, message: Message, player: int) -> bool | None:
    return message.player != player or None if isinstance(message, play.Turn) else None


def _discard(request: Any, message: Message, player: int) -> bool | None:
    if not isinstance(message, play.Discard) or message.player != player:
        return None
    return bool(message.counts == request.counts)


def _victim(request: Any, message: Message, _player: int) -> bool | None:
    return message.victim == request.player if isinstance(message, play.Robbery) else None


def _drawn(_request: Any, message: Message, player: int) -> bool | None:
    mine = isinstance(message, play.Card) and message.player == player and message.action == CardAction.DRAW
    return True if mine else None


def _played(request: Any, message: Message, player: int) -> bool | None:
    if not isinstance(message, play.Card) or message.player != player or message.action != CardAction.PLAY:
        return None
    return message.cards == (request.card,)


def _picked(request: Any, message: Message, _player: int) -> bool | None:
    return message.counts == request.counts if isinstance(message, play.PickResources) else None


def _taken(request: Any, message: Message, _player: int) -> bool | None:
    if not isinstance(message, play.SimpleAction) or message.action != message.MONOPOLY:
        return None
    return bool(message.value2 == request.resource)


def _traded(request: Any, message: Message, player: int) -> bool | None:
    if not isinstance(message, play.BankTrade) or message.player != player:
        return None
    return (message.give, message.get) == (request.give, request.get)


def _accepted(request: Any, message: Message, player: int) -> bool | None:
    if not isinstance(message, play.Accept) or message.accepter != player:
        return None
    return bool(message.offerer == request.offerer)


def _rejected(request: Any, message: Message, player: int) -> bool | None:
    if not isinstance(message, play.Reject) or message.player != player:
        return None
    return bool(request.player == player)


def _paid(request: Any, message: Message, player: int) -> bool | None:
    if isinstance(message, play.State) and message.state in (
        GameState.PLACING_ROAD,
        GameState.PLACING_SETTLEMENT,
        GameState.PLACING_CITY,
    ):
        return bool(message.state == GameState.PLACING_ROAD + request.piece)
    return None


def _cancelled(_request: Any, message: Message, player: int) -> bool | None:
    # For a free road nothing is given back.
    if isinstance(message, play.State):
        return message.state in (GameState.ROLL_OR_CARD, GameState.PLAY1)
    back = isinstance(message, play.PlayerElements) and message.action == Action.GAIN and message.player == player
    return True if back else None


def _rolled(_request: Any, message: Message, _player: int) -> bool | None:
    return True if isinstance(message, play.Dice) else None


def _joined(request: Any, message: Message, _player: int) -> bool | None:
    return message.game == request.game or None if isinstance(message, session.Joined) else None


def _seated(request: Any, message: Message, _player: int) -> bool | None:
    if not isinstance(message, session.SitDown) or message.nickname != request.nickname:
        return None
    return bool(message == request)


def _version(_request: Any, message: Message, _player: int) -> bool | None:
    return True if isinstance(message, session.Version) else None


def _welcome(_request: Any, message: Message, _player: int) -> bool | None:
    return True if isinstance(message, session.RobotParameters) else None


_DONE: dict[type[Message], Callable[[Any, Message, int], bool | None]] = {
    session.Version: _version,
    session.RobotLogin: _welcome,
    session.Join: _joined,
    session.SitDown: _seated,
    play.PutPiece: _same,
    play.BuildRequest: _paid,
    play.CancelBuild: _cancelled,
    play.Roll: _rolled,
    play.EndTurn: _turn,
    play.Discard: _discard,
    play.MoveRobber: _same,
    play.ChoosePlayer: _victim,
    play.BuyCard: _drawn,
    play.PlayCard: _played,
    play.PickResources: _picked,
    play.PickType: _taken,
    play.BankTrade: _traded,
    play.Offer: _same,
    play.Accept: _accepted,
    play.Reject: _rejected,
    play.ClearOffer: _same,
}
