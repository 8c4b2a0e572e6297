"""A game on a JSettlers server, mirrored in our rules: messages become actions, and every total that the server tells is
compared with ours.

Server and rules divide a turn differently, so an action is taken as soon as messages have said all of it: a building when
it is placed (not when it is paid for), the robber when it is known whom it robs, discards when all have discarded, an
offer with its answers when it is closed or accepted, the end of a turn when the next one begins.

What the client's seat does not see is open in the mirror: it holds some guess (:mod:`oponente.interop.jsettlers.ledger`),
while what the seat knows is kept by the rules themselves. Without a seat, as an observer, it is what everybody knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from oponente.games.catan.building import CITIES, ROADS, SETTLEMENTS
from oponente.games.catan.cards import (
    CARD_COST,
    CITY_COST,
    DESERT,
    KNIGHT,
    MONOPOLY,
    RESOURCES,
    ROAD_BUILDING,
    ROAD_COST,
    SETTLEMENT_COST,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    unpack,
)
from oponente.games.catan.knowledge import PUBLIC
from oponente.games.catan.layout import Board
from oponente.games.catan.moves import (
    BANK_TRADE,
    BEFORE_ROLL,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    DICE,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    END_TURN,
    FREE_ROADS,
    MAIN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    OVER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    ROBBING,
    ROLL,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
    STEAL,
)
from oponente.games.catan.names import bank_rate
from oponente.games.catan.roads import NOBODY
from oponente.games.catalogue import load_game
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.filling import (
    UnseenDiscard,
    correct_point,
    fill_hands,
    guess_card,
    make_playable,
    renewed,
    without_points,
)
from oponente.interop.jsettlers.geometry import (
    CARD_OF,
    HIDDEN_CARD,
    RESOURCE_OF,
    edge_of,
    node_of,
    our_counts,
    read_board,
    resource_of,
    sorted_nodes,
    tile_of,
)
from oponente.interop.jsettlers.ledger import NOBODY as NO_TAKER
from oponente.interop.jsettlers.ledger import Ledger, LedgerError
from oponente.interop.jsettlers.message import GameMessage, Message, MessageError
from oponente.interop.jsettlers.play import Action, CardAction, Element, GameElement, GameState, Piece
from oponente.interop.jsettlers.session import (
    BoardLayout,
    Invitation,
    LegalNodes,
    NewGame,
    SitDown,
    Start,
    parse_options,
)
from oponente.interop.jsettlers.trading import Trading
from oponente.kernel import IllegalActionError, State, derive_seed

CHECKS = ("hand_totals", "own_hands", "pieces", "bank_rates", "longest_road", "largest_army", "final_points")
"""What is compared with the server's totals."""
OFFERS = 200
"""Offers in a turn that the mirror allows: the server has no limit."""

COSTS = {Piece.ROAD: ROAD_COST, Piece.SETTLEMENT: SETTLEMENT_COST, Piece.CITY: CITY_COST}
_FIRST_BUILD = {Piece.ROAD: BUILD_ROAD, Piece.SETTLEMENT: BUILD_SETTLEMENT, Piece.CITY: BUILD_CITY}
_SUPPLY = {Element.ROADS: ROADS, Element.SETTLEMENTS: SETTLEMENTS, Element.CITIES: CITIES}
_ELEMENTS = {*RESOURCE_OF, *Element}


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


class Mirror:
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
            handler = _HANDLERS.get(type(message))
            if handler is not None:
                handler(self, message)
        except MirrorError as error:
            self._break(error.difference)
        except (LedgerError, IllegalActionError, MessageError) as error:
            self._break(Difference(type(message).__name__, message.format(), str(error)))

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
        if seat != self.seat and self.record.cards[seat, VICTORY_POINT]:
            if without_points(self.live, seat, self.observer):
                self.state = renewed(self.live)

    def show(self, seat: int, cards: tuple[int, ...]) -> None:
        """Make sure that a hand holds cards; guesses change if it does not."""
        if self.ledger.show(seat, cards):
            self._refill()

    def _refill(self) -> None:
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
        """Remember the state, to come back to it by :meth:`_restore`."""
        self._saved = self.live.array.tobytes(), len(self.steps)

    def _restore(self) -> None:
        if self._saved is None:
            raise MirrorError("undo", "taken back", "there is nothing to take back")
        data, length = self._saved
        state = self.live
        self.state = State(state.game, _records(state, data), state.history[:length])
        self.state.undoable = False
        del self.steps[length:]
        self._saved = None

    def _skip(self, phase: int) -> None:
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

    # --- before the game -------------------------------------------------------------------------------------------

    def _on_options(self, message: Invitation | NewGame) -> None:
        self.options = parse_options(message.options)
        if isinstance(message, Invitation) and self.nickname is not None:
            self.player = message.player

    def _on_sit(self, message: SitDown) -> None:
        if message.player not in range(4):
            raise MirrorError("player", message.player, "0 to 3")
        self.names[message.player] = message.nickname
        if message.nickname == self.nickname:
            self.expect("player", message.player, self.player if self.player is not None else message.player)
            self.player = message.player

    def _on_nodes(self, message: LegalNodes) -> None:
        self.expect("nodes", sorted_nodes(message.nodes), list(range(54)))

    def _on_board(self, message: BoardLayout) -> None:
        board = read_board(message)
        if board is None:
            return
        if self.state is not None:
            raise MirrorError("board", "another board", "the game goes on")
        self._board = board
        desert = [tile for tile, terrain in enumerate(board.terrain) if terrain == DESERT]
        self.expect("robber", [board.robber], desert)

    def _on_start(self, message: Start) -> None:
        self.expect("state", message.state, int(GameState.START1A))

    def _begin(self, first: int) -> None:
        """Begin the mirrored game: the first player has our first seat."""
        if self._board is None:
            raise MirrorError("board", None, "a board before the first turn")
        players = sorted(self.names)
        if first not in players:
            raise MirrorError("player", first, players)
        at = players.index(first)
        self.seats = {player: place for place, player in enumerate(players[at:] + players[:at])}
        game = load_game("catan", game_options(self.options, len(players), self._board))
        self.state = game.start()
        self.state.undoable = False
        self.ledger = Ledger(len(players), derive_seed(0, self.name))

    # --- turns -----------------------------------------------------------------------------------------------------

    def _on_turn(self, message: play.Turn) -> None:
        if self.state is None:
            self._begin(message.player)
        self.turns += 1
        seat = self.place_of(message.player)
        if message.state == GameState.OVER:
            self.trading.end_turn()
            self._end_turn()
            self.announced, self.over = GameState.OVER, True
            self.expect("player", seat, int(self.record.mover))
            return
        self.trading.end_turn()
        if message.state == GameState.ROLL_OR_CARD:
            if self.steps[-1:] and int(self.record.phase) != BEFORE_ROLL:
                self.expect("offers cleared", self.trading.cleared, True)
            self.trading.cleared = False
            self._end_turn()
        self.expect("player", seat, int(self.record.mover))
        self._on_state(play.State(message.game, message.state))

    def _end_turn(self) -> None:
        record = self.record
        phase = int(record.phase)
        self._place_robber()
        self._card = self._paid = self._cost = None
        self._discards.clear()
        if phase == OVER or (phase == BEFORE_ROLL and int(record.turn) == 1 and not self.steps[-1].action == END_TURN):
            return
        if phase != MAIN:
            if phase != FREE_ROADS:
                self.differ("turn", "ended", f"phase {phase}: the turn was ended by the server")
            self._skip(MAIN)
        self.act(END_TURN)

    def _on_state(self, message: play.State) -> None:
        try:
            state = GameState(message.state)
        except ValueError:
            raise MirrorError("state", message.state, [int(known) for known in GameState]) from None
        self.announced = state
        if state == GameState.OVER:
            self.over = True
            return
        if self.state is None:
            self.expect("state", int(state), int(GameState.READY))
            return
        if state not in (GameState.PLACING_ROBBER, GameState.WAITING_FOR_ROB_CHOOSE_PLAYER):
            self._place_robber()
        if state in (GameState.PLACING_ROAD, GameState.PLACING_SETTLEMENT, GameState.PLACING_CITY):
            self._buy(Piece(state - GameState.PLACING_ROAD))
        elif state in (GameState.PLAY1, GameState.ROLL_OR_CARD):
            self._paid = None
            if int(self.record.phase) == FREE_ROADS:
                self._skip(MAIN if state == GameState.PLAY1 else BEFORE_ROLL)
        if self._gains:
            self.differ("gains", "none told", {seat: list(cards) for seat, cards in self._gains.items()})
        self._gains = None
        if self._cost is not None:
            self.differ("cost", list(self._cost[1]), "nothing was bought")
            self._cost = None
        self._compare(state)

    def _compare(self, state: GameState) -> None:
        """Compare what the server waits for with ours, and who holds what."""
        record = self.record
        phase, placed = int(record.phase), int(record.placed)
        second = placed >= record_players(self.live)
        expected = {
            SETTING_SETTLEMENT: GameState.START2A if second else GameState.START1A,
            SETTING_ROAD: GameState.START2B if second else GameState.START1B,
            BEFORE_ROLL: GameState.ROLL_OR_CARD,
            MAIN: GameState.PLAY1,
            DISCARDING: GameState.WAITING_FOR_DISCARDS,
            ROBBING: GameState.PLACING_ROBBER,
            FREE_ROADS: GameState.PLACING_FREE_ROAD1 if record.free_roads == 2 else GameState.PLACING_FREE_ROAD2,
            OVER: GameState.OVER,
        }[phase]
        if phase == MAIN and self._paid is not None:
            expected = GameState(GameState.PLACING_ROAD + self._paid)
        elif phase == ROBBING and self.robber_place is not None:
            expected = GameState.WAITING_FOR_ROB_CHOOSE_PLAYER
        elif phase in (MAIN, BEFORE_ROLL) and self._card is not None:
            expected = GameState.WAITING_FOR_MONOPOLY if self._card == MONOPOLY else GameState.WAITING_FOR_DISCOVERY
        if phase == OVER and self._knight:
            return  # our rules end the game at once; the server lets the robber move first
        if state != expected:
            raise MirrorError("state", int(state), int(expected))
        holders = {
            GameElement.LONGEST_ROAD: int(record.road_holder),
            GameElement.LARGEST_ARMY: int(record.army_holder),
        }
        for element, name in ((GameElement.LONGEST_ROAD, "longest_road"), (GameElement.LARGEST_ARMY, "largest_army")):
            self.expect(name, self._told[element], holders[element])

    def _on_dice(self, message: play.Dice) -> None:
        if self.state is None:
            self.expect("dice", message.total, -1)
            return
        if not 2 <= message.total <= 12:
            raise MirrorError("dice", message.total, "2 to 12")
        before = self._hands()
        self.act(ROLL)
        self.act(DICE + message.total)
        self._gains = {seat: cards for seat, cards in self._gained(before).items() if any(cards)}
        for seat, cards in self._gains.items():
            self.ledger.gain(seat, cards)

    def _hands(self) -> list[tuple[int, ...]]:
        return [self.hand(seat) for seat in range(len(self.seats))]

    def _gained(self, before: list[tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """Return what each hand has more than before."""
        return {
            seat: tuple(new - old for new, old in zip(self.hand(seat), hand, strict=True))
            for seat, hand in enumerate(before)
        }

    def _on_gains(self, message: play.DiceResources) -> None:
        expected, self._gains = self._gains or {}, None
        told = {}
        for gain in message.gains:
            seat = self.place_of(gain.player)
            cards = [0] * len(RESOURCES)
            for amount, resource in gain.amounts:
                cards[resource_of(resource)] += amount
            told[seat] = tuple(cards)
            self.check("hand_totals", gain.total, self.ledger.size(seat))
        self.expect("gains", told, expected)

    # --- what players have -----------------------------------------------------------------------------------------

    def _on_elements(self, message: play.PlayerElements) -> None:
        amounts = message.amounts()
        self.expect("elements", [number for number in amounts if number not in _ELEMENTS], [])
        if self.state is None:
            for element, supply in _SUPPLY.items():
                if element in amounts:
                    self.check("pieces", amounts[element], supply)
            if any(amounts.get(number, 0) for number in (*RESOURCE_OF, Element.UNKNOWN, Element.KNIGHTS)):
                self.differ("elements", amounts, "nothing before the game")
            return
        seat = self.place_of(message.player)
        resources = {RESOURCE_OF[number]: amount for number, amount in amounts.items() if number in RESOURCE_OF}
        cards = tuple(resources.get(resource, 0) for resource in range(len(RESOURCES)))
        if message.action == Action.SET:
            if resources:
                self.check("own_hands", cards, self.hand(seat))
                self.expect("player", message.player, self.player)
            for element, ours in self._pieces_left(seat).items():
                if element in amounts:
                    self.check("pieces", amounts[element], ours)
        elif message.action == Action.LOSE:
            self.expect("player", seat, int(self.record.mover))
            self._cost = seat, cards
        elif message.action == Action.GAIN:
            self._give_back(seat, cards)
        else:
            raise MirrorError("action", message.action, [int(action) for action in Action])

    def _pieces_left(self, seat: int) -> dict[int, int]:
        record = self.record
        settlements, cities = int(record.settlements[seat]).bit_count(), int(record.cities[seat]).bit_count()
        roads = int(record.across[seat]).bit_count() + int(record.down[seat]).bit_count()
        return {
            Element.ROADS: ROADS - roads,
            Element.SETTLEMENTS: SETTLEMENTS - settlements,
            Element.CITIES: CITIES - cities,
        }

    def _buy(self, piece: Piece) -> None:
        """A piece is paid for, to be placed."""
        if self._cost is None and self._paid == piece:
            return
        self._check_cost(COSTS[piece])
        self._paid = piece

    def _check_cost(self, cost: Any) -> None:
        told, self._cost = self._cost, None
        self.expect("cost", None if told is None else told[1], unpack(cost))

    def _give_back(self, seat: int, cards: tuple[int, ...]) -> None:
        """A piece that was paid for is given back."""
        expected = None if self._paid is None else unpack(COSTS[self._paid])
        if cards != expected or seat != int(self.record.mover):
            raise MirrorError("elements", list(cards), expected)
        self._paid = None

    def _on_element(self, message: play.PlayerElement) -> None:
        if message.element == Element.CARD_PLAYED:
            if self.state is not None:
                self.expect("card_played", message.amount, int(self.record.card_played or self._card is not None))
            return
        if self.state is None:
            return
        seat = self.place_of(message.player)
        if message.element in RESOURCE_OF and self._card == MONOPOLY:
            self._take(seat, message)
        elif message.element == Element.KNIGHTS:
            self.expect("knights", (seat, message.action, message.amount), (int(self.record.mover), Action.GAIN, 1))
        else:
            raise MirrorError("element", message.format(), "no such change")

    def _on_game_elements(self, message: play.GameElements) -> None:
        for element, value in message.values().items():
            if self.state is None:
                expected = {GameElement.CARDS_LEFT: 25, GameElement.ROUND: 0}.get(GameElement(element), -1)
                self.expect("game_element", value, expected)
            elif element in self._told:
                name = "longest_road" if element == GameElement.LONGEST_ROAD else "largest_army"
                holder = self.record.road_holder if element == GameElement.LONGEST_ROAD else self.record.army_holder
                self._told[GameElement(element)] = seat = NOBODY if value == -1 else self.place_of(value)
                self.check(name, seat, int(holder))
            elif element == GameElement.CARDS_LEFT:
                self.check("pieces", value, int(self.record.deck.sum()), "cards_left")
            elif element in (GameElement.CURRENT_PLAYER, GameElement.FIRST_PLAYER):
                first = element == GameElement.FIRST_PLAYER
                self.expect("game_element", self.place_of(value), 0 if first else int(self.record.mover))

    # --- building --------------------------------------------------------------------------------------------------

    def _on_piece(self, message: play.PutPiece) -> None:
        seat = self.place_of(message.player)
        record = self.record
        if seat != int(record.mover):
            raise MirrorError("player", seat, int(record.mover))
        if message.piece not in set(Piece):
            raise MirrorError("piece", message.piece, [int(piece) for piece in Piece])
        piece = Piece(message.piece)
        place = edge_of(message.place) if piece == Piece.ROAD else node_of(message.place)
        action = _FIRST_BUILD[piece] + place
        self.checks["pieces"] += 1
        if int(record.phase) == MAIN:
            if self._cost is not None:
                self._check_cost(COSTS[piece])
                self._paid = piece
            self.expect("piece", piece, self._paid)
            self._paid = None
            self.pay(seat, COSTS[piece], action)
        else:
            before = self.hand(seat)
            self.act(action)
            gained = tuple(new - old for new, old in zip(self.hand(seat), before, strict=True))
            self.ledger.gain(seat, gained)

    # --- the robber ------------------------------------------------------------------------------------------------

    def _on_discard(self, message: play.Discard) -> None:
        if message.player is None:
            raise MirrorError("player", None, "a player")
        seat = self.place_of(message.player)
        count = sum(message.counts) + message.unknown
        owed = {other: int(count) for other, count in enumerate(self.record.owed) if count}
        if int(self.record.phase) != DISCARDING or owed.get(seat) != count or seat in self._discards:
            raise MirrorError("discard", {seat: count}, owed)
        if message.unknown and sum(message.counts):
            raise MirrorError("discard", message.format(), "all cards known, or none")
        self._discards[seat] = message.unknown or our_counts(message.counts)
        if len(self._discards) < len(owed):
            return
        for place in sorted(self._discards):
            cards = self._discards[place]
            if isinstance(cards, int):
                self._discard_unseen(place, cards)
            else:
                self.show(place, cards)
                for resource, number in enumerate(cards):
                    for _ in range(number):
                        self.act(DISCARD + resource)
                self.ledger.lose(place, cards)
        self._discards.clear()

    def _discard_unseen(self, seat: int, count: int) -> None:
        unseen = UnseenDiscard(self.live, seat, count)
        for _ in range(count):
            self.act(DISCARD + self.ledger.open(seat, NO_TAKER), guess=self.ledger.opened - 1)
        unseen.hide(self.live)

    def _on_robber(self, message: play.MoveRobber) -> None:
        if self._knight and int(self.record.phase) == OVER:
            return
        self.expect("player", self.place_of(message.player), int(self.record.mover))
        if int(self.record.phase) != ROBBING:
            raise MirrorError("robber", message.place, "the robber stays")
        self.robber_place = tile_of(message.place)

    def _place_robber(self) -> None:
        """Move the robber where it robs nobody."""
        if self.robber_place is not None:
            tile, self.robber_place = self.robber_place, None
            self.act(MOVE_ROBBER + 5 * tile + NOBODY_ROBBED)

    def _on_robbery(self, message: play.Robbery) -> None:
        if self._knight and int(self.record.phase) == OVER:
            return
        thief, victim = self.place_of(message.thief), self.place_of(message.victim)
        if self.robber_place is None or (message.kind, message.amount, message.change) != ("R", 1, "T"):
            raise MirrorError("robbery", message.format(), "no robbery")
        self.expect("player", thief, int(self.record.mover))
        tile, self.robber_place = self.robber_place, None
        seen = message.resource != play.UNKNOWN_RESOURCE
        self.expect("resource seen", seen, self.seat in (thief, victim))
        if seen:
            cards = tuple(int(resource == resource_of(message.resource)) for resource in range(len(RESOURCES)))
            self.show(victim, cards)
        self.act(MOVE_ROBBER + 5 * tile + victim)
        if seen:
            self.act(STEAL + resource_of(message.resource))
            self.ledger.lose(victim, cards)
            self.ledger.gain(thief, cards)
        else:
            self.act(STEAL + self.ledger.open(victim, thief), guess=self.ledger.opened - 1)

    # --- development cards -----------------------------------------------------------------------------------------

    def _on_card(self, message: play.Card) -> None:
        if message.action == CardAction.CANNOT_PLAY:
            return
        seat = self.place_of(message.player)
        if message.action == CardAction.DRAW:
            self._draw(seat, message.cards)
        elif message.action == CardAction.PLAY:
            self._play(seat, message.cards)
        elif message.action == CardAction.ADD_OLD and self.over:
            for card in message.cards:
                self.expect("card", CARD_OF.get(card), VICTORY_POINT)
                self.expect("card shown before", card in self._shown, False)
                self._shown.add(card)
            self.revealed[seat] = self.revealed.get(seat, 0) + len(message.cards)
        elif message.action == CardAction.ADD_OLD and int(self.record.phase) == FREE_ROADS:
            self._restore()
        else:
            raise MirrorError("card", message.format(), "no such change")

    def _draw(self, seat: int, cards: tuple[int, ...]) -> None:
        self.expect("player", seat, int(self.record.mover))
        seen = cards != (HIDDEN_CARD,)
        self.expect("card seen", seen, seat == self.seat)
        self._check_cost(CARD_COST)
        self.pay(seat, CARD_COST, BUY_CARD)
        if not seen:
            self.act(DRAW_CARD + guess_card(self.live), draw=seat)
            return
        if len(cards) != 1 or cards[0] not in CARD_OF:
            raise MirrorError("card", list(cards), sorted(CARD_OF))
        card = CARD_OF[cards[0]]
        if not self.record.deck[card] and not self._take_from_others(card):
            raise MirrorError("card", card, "none of these is left")
        self.act(DRAW_CARD + card)

    def _take_from_others(self, card: int) -> bool:
        """Bring a card back to the deck that was guessed to be in another's hand."""
        record = self.record
        for other in range(len(self.seats)):
            if other != self.seat and record.cards[other, card]:
                spare = guess_card(self.live)
                record.cards[other, card] -= 1
                record.cards[other, spare] += 1
                record.deck[card] += 1
                record.deck[spare] -= 1
                self.state = renewed(self.live)
                return True
        return False

    def _play(self, seat: int, cards: tuple[int, ...]) -> None:
        self.expect("player", seat, int(self.record.mover))
        card = CARD_OF.get(cards[0]) if len(cards) == 1 else None
        if card is None or card == VICTORY_POINT:
            raise MirrorError("card", list(cards), "a card that can be played")
        if not make_playable(self.live, card, self.observer):
            raise MirrorError("card", card, "the player can't have it")
        self.state = renewed(self.live)
        if card == KNIGHT:
            self._knight = True
            self.act(PLAY_KNIGHT)
        elif card == ROAD_BUILDING:
            self.keep()
            self.act(PLAY_ROAD_BUILDING)
        else:
            self._card = card
            self._losses.clear()

    def _on_pick(self, message: play.PickResources) -> None:
        picked = [resource for resource, count in enumerate(our_counts(message.counts)) for _ in range(count)]
        if self._card != YEAR_OF_PLENTY or len(picked) != 2:
            raise MirrorError("pick", picked, "two cards by discovery")
        self._card = None
        if message.player is not None:
            self.expect("player", self.place_of(message.player), int(self.record.mover))
        seat = int(self.record.mover)
        self.act(PLAY_YEAR_OF_PLENTY + 5 * picked[0] + picked[1])
        self.ledger.gain(seat, our_counts(message.counts))

    def _take(self, seat: int, message: play.PlayerElement) -> None:
        """A monopoly takes cards: of each who has any, then what that is together."""
        resource = resource_of(message.element)
        if message.action == Action.SET:
            self.expect("element", message.amount, 0)
            self._losses[seat] = 0
            return
        mover = int(self.record.mover)
        self.expect("player", seat, mover)
        losses, self._card = dict(self._losses), None
        self.expect("monopoly", message.amount, sum(losses.values()))
        cards = {other: [0] * len(RESOURCES) for other in range(len(self.seats)) if other != mover}
        changed = False
        for other in cards:
            cards[other][resource] = losses.get(other, 0)
            changed |= self.ledger.exact(other, resource, losses.get(other, 0))
        if changed:
            self._refill()
        self.act(PLAY_MONOPOLY + resource)
        for other, lost in cards.items():
            self.ledger.lose(other, lost)
            self.ledger.gain(mover, lost)
        self._monopoly = message.element

    def _on_count(self, message: play.ResourceCount) -> None:
        seat = self.place_of(message.player)
        if self._card == MONOPOLY and seat in self._losses:
            self._losses[seat] = self.ledger.size(seat) - message.total
            self.checks["hand_totals"] += 1
        else:
            self.check("hand_totals", message.total, self.ledger.size(seat))

    def _on_simple(self, message: play.SimpleAction) -> None:
        if message.action == message.CARD_BOUGHT:
            self.expect("player", self.place_of(message.player), int(self.record.mover))
            self.check("pieces", message.value, int(self.record.deck.sum()), "cards_left")
        elif message.action == message.MONOPOLY:
            self.expect("monopoly", (message.value, message.value2), (sum(self._losses.values()), self._monopoly))
        else:
            self.differ("action", message.action, [message.CARD_BOUGHT, message.MONOPOLY])

    # --- trade with the bank ---------------------------------------------------------------------------------------

    def _on_bank_trade(self, message: play.BankTrade) -> None:
        seat = self.place_of(-1 if message.player is None else message.player)
        self.expect("player", seat, int(self.record.mover))
        give, get = our_counts(message.give), our_counts(message.get)
        self.trading.close()
        if (get, give) == self._last_trade:
            self._restore()
            self.ledger.lose(seat, get)
            self.ledger.gain(seat, give)
            self._last_trade = None
            return
        rates = [bank_rate(self.live, resource) for resource in range(len(RESOURCES))]
        bought = [count // rate for count, rate in zip(give, rates, strict=True)]
        fair = all(count == number * rate for count, number, rate in zip(give, bought, rates, strict=True))
        self.check("bank_rates", (list(give), fair), (list(give), sum(bought) == sum(get)))
        if not fair or sum(bought) != sum(get):
            raise MirrorError("bank_rates", list(give), rates)
        self.show(seat, give)
        self.keep()
        taken = [resource for resource, count in enumerate(get) for _ in range(count)]
        given = [resource for resource, count in enumerate(bought) for _ in range(count)]
        for a, b in zip(given, taken, strict=True):
            self.act(BANK_TRADE + 5 * a + b)
        self.ledger.lose(seat, give)
        self.ledger.gain(seat, get)
        self._last_trade = give, get

    # --- the end ---------------------------------------------------------------------------------------------------

    def _on_scores(self, message: play.FinalScores) -> None:
        scores = message.scores
        record = self.record
        self.over = True
        ours = {seat: int(record.points[seat]) + self.revealed.get(seat, 0) for seat in range(len(self.seats))}
        theirs = {}
        for player, score in enumerate(scores):
            if player in self.seats:
                theirs[self.seats[player]] = score
                self.check("final_points", score, ours[self.seats[player]])
        self.scores = tuple(theirs[seat] for seat in sorted(theirs))
        winner = int(record.mover)
        points = int(self.live.game.options.rule("points"))
        self.expect("winner", [seat for seat, score in theirs.items() if seat == winner and score >= points], [winner])
        if self.seat is not None:
            self.expect("own_cards", self.revealed.get(self.seat, 0), int(record.cards[self.seat, VICTORY_POINT]))

    def _on_data_check(self, message: play.DataCheck) -> None:
        """Compare with the true hands, which servers tell in tests of robots."""
        for player, counts in message.hands().items():
            if player not in self.seats:
                continue
            seat, cards = self.seats[player], our_counts(counts)
            self.check("hand_totals", sum(cards), self.ledger.size(seat))
            known = unpack(self.record.known[seat, self.observer])
            if seat == self.seat:
                self.check("own_hands", cards, self.hand(seat))
            elif not self.ledger.discards:
                # What is known must be true.
                self.expect("known", [min(pair) for pair in zip(known, cards, strict=True)], list(known))

    def _on_clear_messages(self, message: play.ClearTradeMessages) -> None:
        if message.player != -1:
            self.place_of(message.player)

    def _on_prompt(self, message: play.RollPrompt) -> None:
        self.expect("player", self.place_of(message.player), int(self.record.mover))

    def _on_discard_request(self, message: play.DiscardRequest) -> None:
        seat = self.seat
        self.expect("discard", message.count, None if seat is None else int(self.record.owed[seat]))


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


_HANDLERS: dict[type[Message], Callable[[Mirror, Any], None]] = {
    Invitation: Mirror._on_options,
    NewGame: Mirror._on_options,
    SitDown: Mirror._on_sit,
    LegalNodes: Mirror._on_nodes,
    BoardLayout: Mirror._on_board,
    Start: Mirror._on_start,
    play.Turn: Mirror._on_turn,
    play.State: Mirror._on_state,
    play.RollPrompt: Mirror._on_prompt,
    play.Dice: Mirror._on_dice,
    play.DiceResources: Mirror._on_gains,
    play.PlayerElements: Mirror._on_elements,
    play.PlayerElement: Mirror._on_element,
    play.GameElements: Mirror._on_game_elements,
    play.ResourceCount: Mirror._on_count,
    play.DataCheck: Mirror._on_data_check,
    play.PutPiece: Mirror._on_piece,
    play.DiscardRequest: Mirror._on_discard_request,
    play.Discard: Mirror._on_discard,
    play.MoveRobber: Mirror._on_robber,
    play.Robbery: Mirror._on_robbery,
    play.Card: Mirror._on_card,
    play.SimpleAction: Mirror._on_simple,
    play.PickResources: Mirror._on_pick,
    play.BankTrade: Mirror._on_bank_trade,
    play.Offer: lambda mirror, message: mirror.trading.offer(message),
    play.Reject: lambda mirror, message: mirror.trading.reject(message),
    play.Accept: lambda mirror, message: mirror.trading.accept(message),
    play.ClearTradeMessages: Mirror._on_clear_messages,
    play.ClearOffer: lambda mirror, message: mirror.trading.clear(message),
    play.FinalScores: Mirror._on_scores,
}


def game_of(message: Message) -> str | None:
    """Return the name of the game that a message belongs to."""
    return message.game if isinstance(message, GameMessage) else getattr(message, "game", None)
