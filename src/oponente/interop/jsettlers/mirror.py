"""A game on a JSettlers server, mirrored in our rules: messages become actions, and every total that the server tells
is compared with ours.

Server and rules divide a turn differently, so an action is taken as soon as messages have said all of it: a building
when it is placed (not when it is paid for), the robber when it is known whom it robs, discards when all have discarded,
an offer with its answers when it is closed or accepted, the end of a turn when the next one begins.

What the client's seat does not see is open in the mirror: it holds some guess
(:mod:`oponente.interop.jsettlers.ledger`), while what the seat knows is kept by the rules themselves. Without a seat,
as an observer, it is what everybody knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.message import GameMessage, Message
from oponente.interop.jsettlers.mirror_play import PlayMirror
from oponente.interop.jsettlers.session import (
    BoardLayout,
    Invitation,
    LegalNodes,
    NewGame,
    SitDown,
    Start,
)


class Mirror(PlayMirror):
    """A game on a server, see :class:`MirrorCore` for its attributes."""

    def take(self, message: Message) -> None:
        """Take in a message, if it is of a type that changes anything."""
        handler = _HANDLERS.get(type(message))
        if handler is not None:
            handler(self, message)


_HANDLERS: dict[type[Message], Callable[[Mirror, Any], None]] = {
    Invitation: Mirror.on_options,
    NewGame: Mirror.on_options,
    SitDown: Mirror.on_sit,
    LegalNodes: Mirror.on_nodes,
    BoardLayout: Mirror.on_board,
    Start: Mirror.on_start,
    play.Turn: Mirror.on_turn,
    play.State: Mirror.on_state,
    play.RollPrompt: Mirror.on_prompt,
    play.Dice: Mirror.on_dice,
    play.DiceResources: Mirror.on_gains,
    play.PlayerElements: Mirror.on_elements,
    play.PlayerElement: Mirror.on_element,
    play.GameElements: Mirror.on_game_elements,
    play.ResourceCount: Mirror.on_count,
    play.DataCheck: Mirror.on_data_check,
    play.PutPiece: Mirror.on_piece,
    play.DiscardRequest: Mirror.on_discard_request,
    play.Discard: Mirror.on_discard,
    play.MoveRobber: Mirror.on_robber,
    play.Robbery: Mirror.on_robbery,
    play.Card: Mirror.on_card,
    play.SimpleAction: Mirror.on_simple,
    play.PickResources: Mirror.on_pick,
    play.BankTrade: Mirror.on_bank_trade,
    play.Offer: lambda mirror, message: mirror.trading.offer(message),
    play.Reject: lambda mirror, message: mirror.trading.reject(message),
    play.Accept: lambda mirror, message: mirror.trading.accept(message),
    play.ClearTradeMessages: Mirror.on_clear_messages,
    play.ClearOffer: lambda mirror, message: mirror.trading.clear(message),
    play.FinalScores: Mirror.on_scores,
}


def game_of(message: Message) -> str | None:
    """Return the name of the game that a message belongs to."""
    return message.game if isinstance(message, GameMessage) else getattr(message, "game", None)
