"""The mirror before the game, and from turn to turn: seats, board, turns, dice, and what the server tells that players
have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oponente.games.catalogue import load_game
from oponente.games.catan.building import CITIES, ROADS, SETTLEMENTS
from oponente.games.catan.cards import (
    DESERT,
    MONOPOLY,
    RESOURCES,
    ROAD_BUILDING,
    unpack,
)
from oponente.games.catan.moves import (
    BEFORE_ROLL,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    DICE,
    DISCARDING,
    END_TURN,
    FREE_ROADS,
    MAIN,
    OVER,
    PLAY_ROAD_BUILDING,
    ROBBING,
    ROLL,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
)
from oponente.games.catan.roads import NOBODY
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.filling import renewed
from oponente.interop.jsettlers.geometry import (
    RESOURCE_OF,
    read_board,
    resource_of,
    sorted_nodes,
)
from oponente.interop.jsettlers.ledger import Ledger
from oponente.interop.jsettlers.mirror_core import (
    COSTS,
    ELEMENTS,
    SUPPLY,
    MirrorCore,
    MirrorError,
    game_options,
    record_players,
)
from oponente.interop.jsettlers.play import Action, Element, GameElement, GameState, Piece
from oponente.interop.jsettlers.session import (
    BoardLayout,
    Invitation,
    LegalNodes,
    NewGame,
    SitDown,
    Start,
    parse_options,
)
from oponente.kernel import Game, derive_seed


class TurnMirror(MirrorCore):
    """Takes in the messages about turns and totals."""

    # --- before the game -------------------------------------------------------------------------------------------

    def on_options(self, message: Invitation | NewGame) -> None:
        """The options of the game are told."""
        self.options = parse_options(message.options)
        if isinstance(message, Invitation) and self.nickname is not None:
            self._check_seat(message.player)
            self.player = message.player

    def on_sit(self, message: SitDown) -> None:
        """A player sits down."""
        self._check_seat(message.player)
        self.names[message.player] = message.nickname
        if message.nickname == self.nickname:
            self.expect("player", message.player, self.player if self.player is not None else message.player)
            self.player = message.player

    def _check_seat(self, player: int) -> None:
        """Refuse seats that there are not, and once the game has begun those that were empty then."""
        if self.state is not None:
            self.place_of(player)
        elif player not in range(4):
            raise MirrorError("player", player, "0 to 3")

    def on_nodes(self, message: LegalNodes) -> None:
        """The nodes of the board are told."""
        self.expect("nodes", sorted_nodes(message.nodes), list(range(54)))

    def on_board(self, message: BoardLayout) -> None:
        """The board is told."""
        board = read_board(message)
        if board is None:
            return
        if self.state is not None:
            raise MirrorError("board", "another board", "the game goes on")
        self._board = board
        desert = [tile for tile, terrain in enumerate(board.terrain) if terrain == DESERT]
        self.expect("robber", [board.robber], desert)

    def on_start(self, message: Start) -> None:
        """The game begins."""
        self.expect("state", message.state, int(GameState.START1A))

    def game_with(self, changes: Mapping[str, str]) -> Game:
        """Return the mirrored game, but for some of our options; there must be a board."""
        assert self._board is not None
        try:
            return load_game("catan", {**game_options(self.options, len(self.names), self._board), **changes})
        except ValueError as error:
            raise MirrorError("options", self.options, str(error)) from None

    def _begin(self, first: int) -> None:
        """Begin the mirrored game: the first player has our first seat."""
        if self._board is None:
            raise MirrorError("board", None, "a board before the first turn")
        players = sorted(self.names)
        if first not in players:
            raise MirrorError("player", first, players)
        at = players.index(first)
        self.seats = {player: place for place, player in enumerate(players[at:] + players[:at])}
        self.state = self.game_with({}).start()
        self.state.undoable = False
        self.ledger = Ledger(len(players), derive_seed(0, self.name))

    # --- turns -----------------------------------------------------------------------------------------------------

    def on_turn(self, message: play.Turn) -> None:
        """A turn begins, and so the one before ends."""
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
        self.on_state(play.State(message.game, message.state))

    def _end_turn(self) -> None:
        record = self.record
        phase = int(record.phase)
        self.end_robbery()
        self._card = self._paid = self._cost = None
        self._discards.clear()
        self._taken.clear()
        if phase == OVER or (phase == BEFORE_ROLL and int(record.turn) == 1 and self.steps[-1].action != END_TURN):
            return
        if phase != MAIN:
            if phase != FREE_ROADS:
                self.differ("turn", "ended", f"phase {phase}: the turn was ended by the server")
            self.skip(MAIN)
        self.act(END_TURN)

    def on_state(self, message: play.State) -> None:
        """The server waits for something."""
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
            self.end_robbery()
        if state in (GameState.PLACING_ROAD, GameState.PLACING_SETTLEMENT, GameState.PLACING_CITY):
            self._buy(Piece(state - GameState.PLACING_ROAD))
        elif state in (GameState.PLAY1, GameState.ROLL_OR_CARD):
            self._paid = None
            if int(self.record.phase) == FREE_ROADS:
                self.skip(MAIN if state == GameState.PLAY1 else BEFORE_ROLL)
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
            FREE_ROADS: GameState.PLACING_FREE_ROAD1 if self._free_roads() == 2 else GameState.PLACING_FREE_ROAD2,
            OVER: GameState.OVER,
        }[phase]
        if phase == MAIN and self._paid is not None:
            expected = GameState(GameState.PLACING_ROAD + self._paid)
        elif phase == ROBBING and self.robber_place is not None:
            expected = GameState.WAITING_FOR_ROB_CHOOSE_PLAYER
        elif phase in (MAIN, BEFORE_ROLL) and self._card is not None:
            expected = GameState.WAITING_FOR_MONOPOLY if self._card == MONOPOLY else GameState.WAITING_FOR_DISCOVERY
        if state == GameState.PLACING_FREE_ROAD2 and phase in (MAIN, BEFORE_ROLL) and self.stuck():
            return
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

    def _free_roads(self) -> int:
        """Return how many free roads are to be placed: the server counts no more than there are pieces."""
        seat = int(self.record.mover)
        return min(int(self.record.free_roads), self._pieces_left(seat)[Element.ROADS])

    def stuck(self) -> bool:
        """Tell whether the second free road has no place: our rules go on, the server waits for it to be given up."""
        if not self.steps or not BUILD_ROAD <= self.steps[-1].action < BUILD_SETTLEMENT:
            return False
        # With a place for a road the card could be played again, but for the limit.
        state = self.live.copy()
        record = state.record
        record.card_played, record.cards[record.mover, ROAD_BUILDING] = 0, record.fresh[ROAD_BUILDING] + 1
        return not renewed(state).is_legal(PLAY_ROAD_BUILDING)

    def on_dice(self, message: play.Dice) -> None:
        """The dice have been rolled."""
        if self.state is None:
            self.expect("dice", message.total, -1)
            return
        if not 2 <= message.total <= 12:
            raise MirrorError("dice", message.total, "2 to 12")
        before = self.hands()
        self.act(ROLL)
        self.act(DICE + message.total)
        self._gains = {seat: cards for seat, cards in self.gained(before).items() if any(cards)}
        for seat, cards in self._gains.items():
            self.ledger.gain(seat, cards)

    def hands(self) -> list[tuple[int, ...]]:
        """Return the cards of all hands."""
        return [self.hand(seat) for seat in range(len(self.seats))]

    def gained(self, before: list[tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """Return what each hand has more than before."""
        return {
            seat: tuple(new - old for new, old in zip(self.hand(seat), hand, strict=True))
            for seat, hand in enumerate(before)
        }

    def on_gains(self, message: play.DiceResources) -> None:
        """What the dice have brought is told."""
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

    def on_elements(self, message: play.PlayerElements) -> None:
        """What a player has is told, or changes."""
        amounts = message.amounts()
        self.expect("elements", [number for number in amounts if number not in ELEMENTS], [])
        if self.state is None:
            for element, supply in SUPPLY.items():
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
            for piece, left in self._pieces_left(seat).items():
                if piece in amounts:
                    self.check("pieces", amounts[piece], left)
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
        self.check_cost(COSTS[piece])
        self._paid = piece

    def check_cost(self, cost: Any) -> None:
        """Compare what was paid with a price."""
        told, self._cost = self._cost, None
        self.expect("cost", None if told is None else told[1], unpack(cost))

    def _give_back(self, seat: int, cards: tuple[int, ...]) -> None:
        """A piece that was paid for is given back."""
        expected = None if self._paid is None else unpack(COSTS[self._paid])
        if cards != expected or seat != int(self.record.mover):
            raise MirrorError("elements", list(cards), expected)
        self._paid = None

    def on_element(self, message: play.PlayerElement) -> None:
        """What a player has changes."""
        if message.element == Element.CARD_PLAYED:
            if self.state is not None:
                self.expect("card_played", message.amount, int(self.record.card_played or self._card is not None))
            return
        if self.state is None:
            return
        seat = self.place_of(message.player)
        if int(self.record.phase) == DISCARDING and message.action == Action.LOSE:
            self.discard_for(message)
        elif message.element in RESOURCE_OF and self._card == MONOPOLY:
            self.take_by_monopoly(seat, message)
        elif message.element == Element.KNIGHTS:
            self.expect("knights", (seat, message.action, message.amount), (int(self.record.mover), Action.GAIN, 1))
        else:
            raise MirrorError("element", message.format(), "no such change")

    def on_game_elements(self, message: play.GameElements) -> None:
        """Who holds the awards is told, or what is left."""
        for element, value in message.values().items():
            if element not in set(GameElement):
                self.differ("game_element", element, [int(known) for known in GameElement])
            elif self.state is None:
                at_start: dict[int, int] = {GameElement.CARDS_LEFT: 25, GameElement.ROUND: 0}
                self.expect("game_element", value, at_start.get(element, -1))
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
