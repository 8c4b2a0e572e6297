"""Our seat in a game on a JSettlers server: what it must decide and when, and how decisions become messages.

No connection is needed here: messages go in, messages come out (:class:`Seat`). An action of our rules is one message
or several, as the server asks for the parts of it in turn: first the robber's hex, then whom it robs; first the card
that is played, then what it brings.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.games.catan.board import TILES
from oponente.games.catan.cards import DESERT, KNIGHT, MONOPOLY, RESOURCES, ROAD_BUILDING, YEAR_OF_PLENTY
from oponente.games.catan.moves import (
    ACCEPT,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    END_TURN,
    FREE_ROADS,
    MAIN,
    MOVE_ROBBER,
    OFFER,
    OVER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    REJECT,
    ROBBING,
    ROLL,
    STEAL,
    UNSEEN,
    WITHDRAW,
    offered,
)
from oponente.games.catan.names import bank_rate
from oponente.games.catan.roads import NOBODY
from oponente.interop.jsettlers import play, session
from oponente.interop.jsettlers.filling import renewed
from oponente.interop.jsettlers.geometry import LAND, THEIR_CARD, THEIR_EDGE, THEIR_NODE, THEIR_RESOURCE, their_counts
from oponente.interop.jsettlers.logs import failure_details, server_log
from oponente.interop.jsettlers.message import Message
from oponente.interop.jsettlers.mirror import Mirror
from oponente.interop.jsettlers.play import Action, GameState, Piece
from oponente.interop.jsettlers.requests import Answer, Request, answered
from oponente.kernel import Game, State, derive_seed

log = server_log(__name__)

DISCARD_SECONDS, ANSWER_SECONDS = 4.0, 3.0
"""How long our player may think about discards, and about an offer: then the server discards for a robot (8 seconds
after what was done last), and its robots go on without an answer (5 seconds)."""
MAX_REFUSALS = 3
"""Refused requests in a turn after which it is ended."""
ACTING = {
    GameState.START1A,
    GameState.START1B,
    GameState.START2A,
    GameState.START2B,
    GameState.ROLL_OR_CARD,
    GameState.PLAY1,
    GameState.PLACING_ROBBER,
    GameState.PLACING_FREE_ROAD1,
    GameState.PLACING_FREE_ROAD2,
}
"""What the server waits for when the player on turn has to choose an action."""

TURN, DISCARDS, ANSWER, PARTNER = "turn", "discards", "answer", "partner"
"""What is to be decided: an action of our turn, which cards to discard, the answer to an offer, whom to trade with."""


@dataclass(frozen=True)
class Decision:
    """Something that our seat has to decide."""

    kind: str
    key: tuple[Any, ...]
    """What must still be the same when the decision is made."""
    state: State | None
    """In which the agent chooses; None: there is nothing to choose from, whatever it is is off."""


@dataclass
class Account:
    """What happened to our seat besides the game itself."""

    refused: int = 0
    """Requests that the server refused."""
    late: int = 0
    """Not counted there: answers to offers that were no more, as another was quicker."""
    forced: int = 0
    """Turns that the server ended for us."""
    unanswered: int = 0
    """Requests without an answer in time."""
    forfeits: int = 0
    """Decisions in which the agent failed."""


class Seat:
    """Our seat in a game.

    Args:
        invitation: to the game.
        nickname: ours.
        host: ours, for the server's lists.
        agent: who plays.
        seed: of the agent's chance.
        max_offers: offers in a turn that the agent may make.
        two_steps: tells for a piece whether it is paid for first and placed then, instead of both at once.
    """

    def __init__(
        self,
        invitation: session.Invitation,
        nickname: str,
        agent: Agent,
        seed: int,
        *,
        host: str = "127.0.0.1",
        max_offers: int = 5,
        two_steps: Callable[[Piece], bool] = lambda piece: False,
    ) -> None:
        self.game, self.nickname, self.host = invitation.game, nickname, host
        self.agent, self.seed, self.max_offers, self.two_steps = agent, seed, max_offers, two_steps
        self.mirror = Mirror(invitation.game, nickname)
        self.mirror.receive(invitation)
        self.account = Account()
        self.times = array("f")
        """Milliseconds of each decision."""
        self.nodes: int | None = None
        self.left = False
        """Whether we have left the game, or it is no more."""
        self.request: Request | None = None
        self._ready = False  # whether the server waits for an action of our turn
        self._discard = False  # whether it waits for our discards
        self._question: play.Offer | None = None
        self._victim: int | None = None
        self._pick: play.PickResources | play.PickType | None = None
        self._place: play.PutPiece | None = None
        self._refused: set[int] = set()
        self._refusals = 0
        self._asked: int | None = None  # our action that the request is about
        self._moment: tuple[Any, ...] = ()  # what was open for trade when the request was made
        self._offers = 0
        self._game: Game | None = None  # as the agent knows it
        self._ended = False  # whether we have asked to end this turn
        self._begun = False

    @property
    def player(self) -> int:
        """The server's number of our seat."""
        player = self.mirror.player
        return -1 if player is None else player

    @property
    def begun_game(self) -> Game | None:
        """The game that the agent was told of as it began; None: it was told of none."""
        return self._game if self._begun else None

    # --- messages --------------------------------------------------------------------------------------------------

    def opening(self) -> list[Message]:
        """Return the messages that answer the invitation."""
        return [session.Join(self.nickname, "", self.host, self.game)]

    def receive(self, message: Message) -> list[Message]:
        """Take in a message of the game; return what is to be sent at once."""
        self._settle(message)
        mirror = self.mirror
        mine_before = mirror.state is not None and int(mirror.record.mover) == mirror.seat
        known = len(mirror.differences)
        mirror.receive(message)
        for found in mirror.differences[known:]:
            log.warning("%s: %s differs: theirs %s, ours %s", self.game, found.field, found.theirs, found.ours)
        if isinstance(message, session.Members):
            return [session.SitDown(self.game, self.nickname, self.player, robot=True)]
        if isinstance(message, session.Dismissed):
            return self.leave()
        if isinstance(message, session.Deleted):
            self.left = True
        elif isinstance(message, play.Turn):
            self._on_turn(mine_before)
        elif isinstance(message, play.State):
            self._ready = self._ours()
            return self._go_on(message.state)
        elif isinstance(message, play.DiscardRequest):
            self._discard = True
        elif isinstance(message, play.Discard):
            self._discard = self._discard and message.player != self.player
        elif isinstance(message, play.PlayerElement):
            self._on_element(message)
        elif isinstance(message, play.ChoosePlayerRequest):
            return self._choose_victim(message)
        elif isinstance(message, play.Offer):
            self._on_offer(message)
        elif isinstance(message, play.BankTrade | play.ClearOffer | play.Declined) or (
            isinstance(message, play.Reject) and message.reason is not None
        ):
            self._ready = self._ours()
        return []

    def _ours(self) -> bool:
        """Tell whether it is our turn. An action of another's may have passed it on before the server says so."""
        mirror = self.mirror
        return mirror.state is not None and int(mirror.record.mover) == mirror.seat

    def _settle(self, message: Message) -> None:
        """Compare a message with the request that waits for an answer."""
        request = self.request
        if request is None:
            return
        answer = Answer.DONE if isinstance(message, play.Turn) else request.answer(message)
        if answer == Answer.NONE:
            return
        self.request = None
        if answer == Answer.DONE:
            return
        answering = isinstance(request.message, play.Accept) or (
            isinstance(request.message, play.Offer) and not self._ours()
        )
        if answering and self._moment != self._trade():
            # What we have answered was gone before our answer arrived.
            self.account.late += 1
            self._ready = self._ours()
            return
        self.account.refused += 1
        self._refusals += 1
        if self._asked is not None:
            self._refused.add(self._asked)
        self._victim = self._pick = self._place = None
        self._ready = self._ours()
        log.warning("%s: %s is refused: %s", self.game, request.message.format(), message.format())

    def _trade(self) -> tuple[Any, ...]:
        """Return what tells whether anything has happened since that offers and answers depend on."""
        mirror, trading = self.mirror, self.mirror.trading
        counters = tuple(sorted((seat, id(offer)) for seat, offer in trading.counters.items()))
        return mirror.turns, len(mirror.steps), id(trading.current), counters

    def _on_turn(self, mine_before: bool) -> None:
        mirror = self.mirror
        if mine_before and not self._ended and mirror.state is not None and mirror.announced != GameState.OVER:
            begun = int(mirror.record.placed) >= 2 * len(mirror.seats) and int(mirror.record.turn) > 1
            if begun:
                self.account.forced += 1
                log.warning("%s: the server has ended our turn", self.game)
        self._ready, self._discard, self._question = self._ours(), False, None
        self._victim = self._pick = self._place = None
        self._refused.clear()
        self._refusals = self._offers = 0
        self._ended = False

    def _on_element(self, message: play.PlayerElement) -> None:
        waits = self._discard or (self.request is not None and isinstance(self.request.message, play.Discard))
        if waits and message.player == self.player and message.action == Action.LOSE:
            self.account.forced += 1
            log.warning("%s: the server has discarded for us", self.game)
            self._discard, self.request = False, None

    def _go_on(self, state: int) -> list[Message]:
        """Send the next part of an action that the server asks for in turn."""
        if not self._ours():
            return []
        if state == GameState.PLACING_FREE_ROAD2 and int(self.mirror.record.phase) != FREE_ROADS:
            return self._send(play.CancelBuild(self.game, Piece.ROAD))
        if state in (GameState.WAITING_FOR_DISCOVERY, GameState.WAITING_FOR_MONOPOLY) and self._pick is not None:
            pick, self._pick = self._pick, None
            return self._send(pick)
        if GameState.PLACING_ROAD <= state <= GameState.PLACING_CITY and self._place is not None:
            place, self._place = self._place, None
            return self._send(place)
        return []

    def _choose_victim(self, message: play.ChoosePlayerRequest) -> list[Message]:
        victim, self._victim = self._victim, None
        if True not in message.choices:
            self.mirror.differ("choices", message.format(), "somebody to be robbed")
            return []
        if victim is None or not message.choices[victim]:
            victim = message.choices.index(True)
        return self._send(play.ChoosePlayer(self.game, victim))

    def _on_offer(self, message: play.Offer) -> None:
        mirror = self.mirror
        if mirror.trading.current is message and message.player != self.player:
            self._question = message if message.to[self.player] else None

    def _send(self, message: Message, action: int | None = None) -> list[Message]:
        if answered(message):
            self.request, self._asked, self._moment = Request(message, self.player), action, self._trade()
        self._ready = False
        return [message]

    def leave(self) -> list[Message]:
        """Leave the game; return the message that says so."""
        self.left = True
        return [session.Leave(self.nickname, self.host, self.game)]

    def overdue(self) -> list[Message]:
        """The server has been silent for too long: give up what we wait for; return what is to be sent."""
        mirror = self.mirror
        if mirror.trading.current is not None and mirror.trading.current.player == self.player:
            # Somebody does not answer our offer.
            return self._send(play.ClearOffer(self.game, self.player))
        if self.request is not None:
            log.warning("%s: no answer to %s", self.game, self.request.message.format())
            self.account.unanswered += 1
            if self._asked is not None:
                self._refused.add(self._asked)
            self.request = None
            self._refusals += 1
            self._ready = True
        return []

    # --- decisions -------------------------------------------------------------------------------------------------

    def decision(self) -> Decision | None:
        """Return what our seat has to decide now, if anything."""
        need = self._need()
        if need is None:
            return None
        kind, key = need
        return Decision(kind, key, self._state(kind))

    def _need(self) -> tuple[str, tuple[Any, ...]] | None:
        mirror = self.mirror
        if self.request is not None or mirror.state is None or mirror.over or mirror.broken or self.left:
            return None
        trading, seat = mirror.trading, mirror.seat
        key = (mirror.turns, len(mirror.steps), mirror.announced)
        # The server may have discarded for us while the agent was thinking.
        if self._discard and int(mirror.record.owed[seat]):
            return DISCARDS, key
        if self._question is not None and trading.current is self._question and mirror.announced == GameState.PLAY1:
            return ANSWER, (*key, id(self._question))
        if int(mirror.record.mover) != seat:
            return None
        if trading.current is not None:
            named = {mirror.seats[player] for player, to in enumerate(trading.current.to) if to}
            if named - trading.rejected - set(trading.counters):
                return None
            return PARTNER, (*key, id(trading.current))
        # After a seven the server says next that it waits for discards.
        if self._ready and mirror.announced in ACTING and int(mirror.record.phase) != DISCARDING:
            return TURN, key
        return None

    def _state(self, kind: str) -> State | None:
        """Return the state in which the agent decides, None if there is nothing that our rules know.

        It is one of a game in which nobody makes more offers in a turn than the agent may; the server knows no limit.
        """
        state = self._position(kind)
        if state is None:
            return None
        if self._game is None:
            known = state.game.options.rule("trade")
            self._game = self.mirror.game_with({"offers": str(self.max_offers)} if known else {})
        shown = State(self._game, state.game.copied(state.array), state.history)
        shown.record.offers = min(int(shown.record.offers), self.max_offers)
        return shown

    def _position(self, kind: str) -> State | None:
        """Return that state in the mirror's game."""
        mirror = self.mirror
        seat = mirror.seat
        assert seat is not None
        if kind == ANSWER:
            return mirror.trading.question(seat)
        if kind == PARTNER:
            return mirror.trading.answered()
        state = mirror.live.copy()
        if int(state.record.phase) == OVER:
            # A knight has won by our rules; the server lets the robber move before it sees that.
            if mirror.announced != GameState.PLACING_ROBBER:
                return None
            state.record.phase, state.record.actor, state.record.winner = ROBBING, seat, NOBODY
            return renewed(state)
        if kind == DISCARDS:
            owed = np.zeros(4, np.uint8)
            owed[seat] = state.record.owed[seat]
            state.record.owed, state.record.actor = owed, seat
        else:
            state.record.offers = self._offers
        return renewed(state)

    def history(self) -> list[int]:
        """Return the actions of the game as our seat has seen them."""
        return [
            DRAW_CARD + UNSEEN
            if step.draw is not None
            else STEAL + UNSEEN
            if step.guess is not None and step.action >= STEAL
            else step.action
            for step in self.mirror.steps
        ]

    def decide(self, decision: Decision, budget: Budget) -> list[int]:
        """Let the agent choose: an action, or all cards to discard. Takes as long as the agent does."""
        state, chosen = decision.state, []
        if state is None:
            return [{ANSWER: REJECT, PARTNER: WITHDRAW}.get(decision.kind, END_TURN)]
        if not self._begun:
            self._begun = True
            assert self.mirror.seat is not None
            self.agent.begin_game(state.game, self.mirror.seat)
        history = self.history()
        if decision.kind == ANSWER:
            budget = budget.limited(seconds=ANSWER_SECONDS)
        elif decision.kind == DISCARDS:
            budget = budget.limited(seconds=DISCARD_SECONDS / int(state.record.owed.sum()))
        while True:
            chosen.append(self._ask(state, history, budget))
            if decision.kind != DISCARDS:
                return chosen
            state = state.copy()
            state.apply(chosen[-1])
            if int(state.record.owed.sum()) == 0:
                return chosen

    def _ask(self, state: State, history: list[int], budget: Budget) -> int:
        """Return the agent's choice; one at random if it fails, or insists on what was refused."""
        seat = self.mirror.seat
        assert seat is not None
        listed = list(state.legal_actions)
        seed = derive_seed(self.seed, self.game, len(state.history), len(self.times))
        started = time.perf_counter()
        try:
            action = int(self.agent.choose(View(state, seat, seed, history), budget))
        except Exception as error:
            told = self.game, self.agent.spec, type(error).__name__, error
            log.error("%s: %s failed: %s: %s", *told, **failure_details(log))
            self.account.forfeits += 1
            action = listed[seed % len(listed)]
        self.times.append((time.perf_counter() - started) * 1e3)
        analysis = getattr(self.agent, "last_analysis", None)
        if analysis is not None:
            self.nodes = (self.nodes or 0) + int(analysis.nodes)
        if not state.is_legal(action):
            log.warning("%s: %s answered %s, which is not legal", self.game, self.agent.spec, action)
            self.account.forfeits += 1
            action = listed[seed % len(listed)]
        return self._allowed(state, action, listed, seed)

    def _allowed(self, state: State, action: int, listed: list[int], seed: int) -> int:
        """Return the action, or another if the server would refuse or has refused it."""
        desert_barred = self.mirror.options.get("RD", "f").startswith("t")
        barred = set(self._refused)
        if desert_barred:
            deserts = [tile for tile in range(TILES) if int(state.record.terrain[tile]) == DESERT]
            barred |= {MOVE_ROBBER + 5 * tile + victim for tile in deserts for victim in range(5)}
        if self._refusals >= MAX_REFUSALS and END_TURN in listed:
            return END_TURN
        if action not in barred:
            return action
        if END_TURN in listed:
            return END_TURN
        others = [other for other in listed if other not in barred] or listed
        return others[seed % len(others)]

    def still(self, decision: Decision) -> bool:
        """Tell whether the decision is still to be made."""
        return self._need() == (decision.kind, decision.key)

    # --- decisions as messages -------------------------------------------------------------------------------------

    def answer(self, decision: Decision, chosen: list[int]) -> list[Message]:
        """Return the messages that carry out a decision."""
        if decision.kind == DISCARDS:
            self._discard = False
            counts = [sum(action == DISCARD + resource for action in chosen) for resource in range(len(RESOURCES))]
            return self._send(play.Discard(self.game, None, their_counts(counts), 0))
        if decision.kind == ANSWER:
            return self._answer_offer(chosen[0])
        if decision.kind == PARTNER:
            return self._choose_partner(chosen[0])
        return self._act(decision.state or self.mirror.live, chosen[0])

    def _answer_offer(self, action: int) -> list[Message]:
        question, self._question = self._question, None
        assert question is not None
        if action == ACCEPT:
            return self._send(play.Accept(self.game, self.player, question.player))
        if action >= OFFER:
            return self._send(self._offer(action, {question.player}))
        return self._send(play.Reject(self.game, self.player))

    def _choose_partner(self, action: int) -> list[Message]:
        mirror = self.mirror
        if CONFIRM <= action < CONFIRM + 4:
            return self._send(play.Accept(self.game, self.player, mirror.their_player(action - CONFIRM)))
        # A counter-offer waits for an answer of its own.
        answers: list[Message] = [play.Reject(self.game, self.player)] if mirror.trading.counters else []
        mirror.trading.suspend()
        mirror.trading.counters.clear()
        self._ready = True
        return [*answers, play.ClearOffer(self.game, self.player)]

    def _offer(self, action: int, to: set[int]) -> play.Offer:
        give, want = offered(action)
        named = tuple(player in to for player in range(4))
        return play.Offer(self.game, self.player, named, their_counts(give), their_counts(want))

    def _act(self, state: State, action: int) -> list[Message]:
        """Return the first message of an action of our turn; what else it needs is kept."""
        game, player, mirror = self.game, self.player, self.mirror
        if action >= OFFER:
            self._offers += 1
            return self._send(self._offer(action, set(mirror.seats) - {player}), action)
        if action == ROLL:
            return self._send(play.Roll(game))
        if action == END_TURN:
            self._ended = True
            return self._send(play.EndTurn(game))
        if action == BUY_CARD:
            return self._send(play.BuyCard(game), action)
        if action >= BANK_TRADE:
            given, taken = divmod(action - BANK_TRADE, 5)
            give, get = [0] * 5, [0] * 5
            give[given], get[taken] = bank_rate(state, given), 1
            return self._send(play.BankTrade(game, their_counts(give), their_counts(get)), action)
        if action >= BUILD_ROAD:
            return self._build(state, action)
        if action >= MOVE_ROBBER:
            tile, victim = divmod(action - MOVE_ROBBER, 5)
            self._victim = None if victim == 4 else mirror.their_player(victim)
            return self._send(play.MoveRobber(game, player, LAND[tile]), action)
        return self._play_card(action)

    def _build(self, state: State, action: int) -> list[Message]:
        if action >= BUILD_CITY:
            piece, place = Piece.CITY, THEIR_NODE[action - BUILD_CITY]
        elif action >= BUILD_SETTLEMENT:
            piece, place = Piece.SETTLEMENT, THEIR_NODE[action - BUILD_SETTLEMENT]
        else:
            piece, place = Piece.ROAD, THEIR_EDGE[action - BUILD_ROAD]
        put = play.PutPiece(self.game, self.player, piece, place)
        if int(state.record.phase) == MAIN and self.two_steps(piece):
            self._place = put
            return self._send(play.BuildRequest(self.game, piece), action)
        return self._send(put, action)

    def _play_card(self, action: int) -> list[Message]:
        game = self.game
        if action == PLAY_KNIGHT:
            card = KNIGHT
        elif action == PLAY_ROAD_BUILDING:
            card = ROAD_BUILDING
        elif action >= PLAY_YEAR_OF_PLENTY:
            card = YEAR_OF_PLENTY
            counts = [0] * 5
            for resource in divmod(action - PLAY_YEAR_OF_PLENTY, 5):
                counts[resource] += 1
            self._pick = play.PickResources(game, their_counts(counts))
        else:
            card = MONOPOLY
            self._pick = play.PickType(game, THEIR_RESOURCE[action - PLAY_MONOPOLY])
        return self._send(play.PlayCard(game, THEIR_CARD[card]), action)
