"""What a mirrored game is made of: its state, how actions are taken in it, and what is compared with the server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from typing import Any

from oponente.games.catan.building import CITIES, ROADS, SETTLEMENTS
from oponente.games.catan.cards import (
    CITY_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    VICTORY_POINT,
    unpack,
)
from oponente.games.catan.knowledge import PUBLIC
from oponente.games.catan.layout import Board
from oponente.games.catan.moves import (
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    END_TURN,
)
from oponente.games.catan.roads import NOBODY
from oponente.interop.jsettlers.filling import (
    correct_point,
    fill_hands,
    renewed,
    without_points,
)
from oponente.interop.jsettlers.geometry import (
    RESOURCE_OF,
)
from oponente.interop.jsettlers.ledger import Ledger, LedgerError
from oponente.interop.jsettlers.message import Message, MessageError
from oponente.interop.jsettlers.play import Element, GameElement, GameState, Piece, PlayerElement
from oponente.interop.jsettlers.trading import Trading
from oponente.kernel import IllegalActionError, State

CHECKS = ("hand_totals", "own_hands", "pieces", "bank_rates", "longest_road", "largest_army", "final_points")
"""What is compared with the server's totals."""
OFFERS = 200
"""Offers in a turn that the mirror allows: the server has no limit."""

COSTS = {Piece.ROAD: ROAD_COST, Piece.SETTLEMENT: SETTLEMENT_COST, Piece.CITY: CITY_COST}
FIRST_BUILD = {Piece.ROAD: BUILD_ROAD, Piece.SETTLEMENT: BUILD_SETTLEMENT, Piece.CITY: BUILD_CITY}
SUPPLY = {Element.ROADS: ROADS, Element.SETTLEMENTS: SETTLEMENTS, Element.CITIES: CITIES}
ELEMENTS = {*RESOURCE_OF, *Element}


@dataclass(frozen=True)
class Difference:
    """Something that the server tells and that is not so in the mirror."""

    field: str
    theirs: Any
    ours: Any


class MirrorError(Exception):
    """The mirror can't go on: what has happened is not possible by our rules."""

    def __init__(self, field: str, theirs: Any, ours: Any) -> None:
        super().__init__(f"{field}: theirs {theirs}, ours {ours}")
        self.difference = Difference(field, theirs, ours)


@dataclass(frozen=True)
class Step:
    """An action of the mirrored game."""

    action: int
    mover: int
    """Whose turn it is."""
    guess: int | None = None
    """The number in the ledger of the guess on which the action's resource depends."""
    draw: int | None = None
    """The seat of the player who drew an unseen development card."""


class MirrorCore(ABC):
    """One game.

    Args:
        name: the game's name.
        nickname: the client's; None: an observer.

    Attributes:
        state: the mirrored state; None before the game begins.
        seats: our seat of each of the server's seats, from the first player on.
        differences: what the server told otherwise.
        checks: how many totals were compared, by name.
        over: whether the game has ended.
    """

    def __init__(self, name: str, nickname: str | None = None) -> None:
        self.name, self.nickname = name, nickname
        self.state: State | None = None
        self.seats: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self.options: dict[str, str] = {}
        self.player: int | None = None  # the server's number of our seat
        self.differences: list[Difference] = []
        self.checks: Counter[str] = Counter(dict.fromkeys(CHECKS, 0))
        self.over = False
        self.broken = False
        """Whether an error has ended the mirroring."""
        self.steps: list[Step] = []
        self.replayable = True
        """Whether the steps are a game by our rules from beginning to end."""
        self.announced = GameState.NEW
        """The state that the server told last."""
        self.ledger = Ledger(0)
        self.robber_place: int | None = None  # our tile, while it is open whom it robs
        self.scores: tuple[int, ...] = ()
        """The final points of our seats."""
        self.winner: int | None = None
        """Our seat that has won; None before the end, or if it can't be told."""
        self.revealed: dict[int, int] = {}
        """Victory point cards that each of our seats has shown at the end."""
        self.turns = 0
        self._board: Board | None = None
        self._paid: Piece | None = None
        self._cost: tuple[int, tuple[int, ...]] | None = None
        self._gains: dict[int, tuple[int, ...]] | None = None
        self._card: int | None = None
        self._losses: dict[int, int] = {}
        self._monopoly: int | None = None
        self._discards: dict[int, tuple[int, ...] | int] = {}
        self._taken: dict[int, int] = {}
        self._told = {GameElement.LONGEST_ROAD: NOBODY, GameElement.LARGEST_ARMY: NOBODY}
        self._saved: tuple[bytes, int] | None = None
        self._last_trade: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self._knight = False
        self._shown: set[int] = set()
        self.trading = Trading(self)

    # --- what it is about ------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """Our seat in the mirrored game; None as an observer, or before the game."""
        return None if self.player is None else self.seats.get(self.player)

    @property
    def observer(self) -> int:
        """Whose knowledge is kept: our seat, or `PUBLIC`."""
        seat = self.seat
        return PUBLIC if seat is None else seat

    @property
    def live(self) -> State:
        """The state of the game, which has begun; MirrorError if it has not."""
        if self.state is None:
            raise MirrorError("message", "a game that goes on", "it has not begun")
        return self.state

    @property
    def record(self) -> Any:
        """The record of the state."""
        return self.live.record

    def place_of(self, player: int) -> int:
        """Return our seat of the server's; MirrorError if nobody sits there."""
        if player not in self.seats:
            raise MirrorError("player", player, sorted(self.seats))
        return self.seats[player]

    def their_player(self, seat: int) -> int:
        """Return the server's number of our seat."""
        return next(player for player, ours in self.seats.items() if ours == seat)

    # --- messages --------------------------------------------------------------------------------------------------

    def receive(self, message: Message) -> None:
        """Take in a message from the server. What does not fit is added to `differences`."""
        if self.broken:
            return
        try:
            self.take(message)
        except MirrorError as error:
            self._break(error.difference)
        except (LedgerError, IllegalActionError, MessageError) as error:
            self._break(Difference(type(message).__name__, message.format(), str(error)))

    @abstractmethod
    def take(self, message: Message) -> None:
        """Take in a message; raises what :meth:`receive` turns into differences."""

    @abstractmethod
    def take_by_monopoly(self, seat: int, message: PlayerElement) -> None:
        """A monopoly takes cards: of each who has any, then what that is together."""

    @abstractmethod
    def discard_for(self, message: PlayerElement) -> None:
        """The server discards for a player who has not done so in time."""

    @abstractmethod
    def end_robbery(self) -> None:
        """Let the robber rob nobody, if it is open whom it robs and there is nobody."""

    def _break(self, difference: Difference) -> None:
        self.differences.append(difference)
        self.broken, self.replayable = True, False

    def differ(self, field: str, theirs: Any, ours: Any) -> None:
        """Note a difference that does not stop the mirroring."""
        self.differences.append(Difference(field, theirs, ours))

    def check(self, name: str, theirs: Any, ours: Any, field: str | None = None) -> None:
        """Count a comparison with the server's total, and note a difference."""
        self.checks[name] += 1
        if theirs != ours:
            self.differ(field or name, theirs, ours)

    def expect(self, field: str, theirs: Any, ours: Any) -> None:
        """Note a difference in something that is no total."""
        if theirs != ours:
            self.differ(field, theirs, ours)

    # --- taking actions --------------------------------------------------------------------------------------------

    def act(self, action: int, *, guess: int | None = None, draw: int | None = None) -> None:
        """Take an action or chance outcome; MirrorError if our rules don't allow it."""
        if action == END_TURN:
            self._without_points((int(self.record.mover) + 1) % len(self.seats))
        else:
            self._without_points(int(self.record.mover))
        state = self.live
        mover = int(state.record.mover)
        try:
            state.apply(action)
        except IllegalActionError as error:
            raise MirrorError("action", state.action_text(action), str(error)) from None
        self.steps.append(Step(action, mover, guess, draw))

    def _without_points(self, seat: int) -> None:
        """Keep a guess of what others have drawn from ending the game."""
        guessed = seat != self.seat and self.record.cards[seat, VICTORY_POINT]
        if guessed and without_points(self.live, seat, self.observer):
            self.state = renewed(self.live)

    def show(self, seat: int, cards: tuple[int, ...]) -> None:
        """Make sure that a hand holds cards; guesses change if it does not."""
        if self.ledger.show(seat, cards):
            self.refill()

    def refill(self) -> None:
        """Give the hands the cards that the ledger has for them now."""
        fill_hands(self.live, self.ledger, self.observer)
        self.state = renewed(self.live)

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the cards of a hand, guessed ones included."""
        return unpack(self.record.known[seat, seat])

    def pay(self, seat: int, cost: Any, action: int) -> None:
        """Take an action that costs cards."""
        cards = unpack(cost)
        self.show(seat, cards)
        self.act(action)
        self.ledger.lose(seat, cards)

    def keep(self) -> None:
        """Remember the state, to come back to it by :meth:`restore`."""
        self._saved = self.live.array.tobytes(), len(self.steps)

    def restore(self) -> None:
        """Come back to the state that :meth:`keep` has kept; MirrorError if there is none."""
        if self._saved is None:
            raise MirrorError("undo", "taken back", "there is nothing to take back")
        data, length = self._saved
        state = self.live
        self.state = State(state.game, _records(state, data), state.history[:length])
        self.state.undoable = False
        del self.steps[length:]
        self._saved = None

    def skip(self, phase: int) -> None:
        """Go to a phase in a way that our rules don't have."""
        record = self.record
        record.phase, record.actor, record.free_roads = phase, record.mover, 0
        record.owed = 0
        self.state = renewed(self.live)
        self.replayable = False

    # --- after the game --------------------------------------------------------------------------------------------

    def final_state(self) -> State:
        """Return the state at the end, with the victory points that have been shown in the hands."""
        state = self.live.copy()
        for seat in range(len(self.seats)):
            while int(state.record.cards[seat, VICTORY_POINT]) != self.revealed.get(seat, 0):
                more = int(state.record.cards[seat, VICTORY_POINT]) < self.revealed.get(seat, 0)
                if not correct_point(state, seat, more=more):
                    break
        return renewed(state)


def _records(state: State, data: bytes) -> Any:
    import numpy as np

    return np.frombuffer(bytearray(data), state.game.state_dtype)


def record_players(state: State) -> int:
    """Return how many play."""
    return state.game.num_players


def game_options(options: dict[str, str], players: int, board: Board) -> dict[str, str]:
    """Return our options of a game on the server.

    Args:
        options: the server's, by key.
        players: how many sit at the table.
        board: the board.
    """
    ours = {"preset": "jsettlers", "players": str(players), "board": board.to_json()}
    points = options.get("VP", "f")
    if points.startswith("t"):
        ours["points"] = points[1:]
    if options.get("NT", "f").startswith("t"):
        ours["trade"] = "false"
    else:
        ours["offers"] = str(OFFERS)
    return ours
