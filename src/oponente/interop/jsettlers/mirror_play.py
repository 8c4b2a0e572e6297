"""The mirror within turns: building, the robber, development cards, trade with the bank, and the end."""

from __future__ import annotations

from oponente.games.catan.cards import (
    CARD_COST,
    KNIGHT,
    MONOPOLY,
    RESOURCES,
    ROAD_BUILDING,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    unpack,
)
from oponente.games.catan.moves import (
    BANK_TRADE,
    BUY_CARD,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
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
    STEAL,
)
from oponente.games.catan.names import bank_rate
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.filling import (
    UnseenDiscard,
    guess_card,
    likeliest_card,
    make_playable,
    renewed,
)
from oponente.interop.jsettlers.geometry import (
    CARD_OF,
    HIDDEN_CARD,
    RESOURCE_OF,
    edge_of,
    node_of,
    our_counts,
    resource_of,
    tile_of,
)
from oponente.interop.jsettlers.ledger import NOBODY as NO_TAKER
from oponente.interop.jsettlers.mirror_core import COSTS, FIRST_BUILD, MirrorError
from oponente.interop.jsettlers.mirror_turns import TurnMirror
from oponente.interop.jsettlers.play import Action, CardAction, Element, Piece


class PlayMirror(TurnMirror):
    """Takes in the messages about what players do."""

    # --- building --------------------------------------------------------------------------------------------------

    def on_piece(self, message: play.PutPiece) -> None:
        """A piece is placed."""
        seat = self.place_of(message.player)
        record = self.record
        if seat != int(record.mover):
            raise MirrorError("player", seat, int(record.mover))
        if message.piece not in set(Piece):
            raise MirrorError("piece", message.piece, [int(piece) for piece in Piece])
        piece = Piece(message.piece)
        place = edge_of(message.place) if piece == Piece.ROAD else node_of(message.place)
        action = FIRST_BUILD[piece] + place
        self.checks["pieces"] += 1
        if int(record.phase) == MAIN:
            if self._cost is not None:
                self.check_cost(COSTS[piece])
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

    def on_discard(self, message: play.Discard) -> None:
        """A player discards; all discards are taken together, in the order of our seats."""
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

    def discard_for(self, message: play.PlayerElement) -> None:
        """The server discards for a player who has not done so in time: one message for each resource."""
        if message.element == Element.UNKNOWN:
            self.on_discard(play.Discard(message.game, message.player, (0,) * len(RESOURCES), message.amount))
            return
        if message.element not in RESOURCE_OF:
            raise MirrorError("element", message.format(), "a discard")
        self.expect("player", message.player, self.player)
        self._taken[message.element] = message.amount
        if sum(self._taken.values()) >= int(self.record.owed[self.place_of(message.player)]):
            counts = tuple(self._taken.get(resource, 0) for resource in RESOURCE_OF)
            self._taken.clear()
            self.on_discard(play.Discard(message.game, message.player, counts, 0))

    def _discard_unseen(self, seat: int, count: int) -> None:
        unseen = UnseenDiscard(self.live, seat, count)
        for _ in range(count):
            self.act(DISCARD + self.ledger.open(seat, NO_TAKER), guess=self.ledger.opened - 1)
        unseen.hide(self.live)

    def on_robber(self, message: play.MoveRobber) -> None:
        """The robber moves; whom it robs is told next."""
        if self._knight and int(self.record.phase) == OVER:
            return
        self.expect("player", self.place_of(message.player), int(self.record.mover))
        if int(self.record.phase) != ROBBING:
            raise MirrorError("robber", message.place, "the robber stays")
        self.robber_place = tile_of(message.place)

    def end_robbery(self) -> None:
        """Move the robber where it robs nobody."""
        if self.robber_place is not None:
            tile, self.robber_place = self.robber_place, None
            self.act(MOVE_ROBBER + 5 * tile + NOBODY_ROBBED)

    def on_robbery(self, message: play.Robbery) -> None:
        """A card is stolen."""
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

    def on_card(self, message: play.Card) -> None:
        """Development cards are drawn, played or shown."""
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
            self.restore()
        else:
            raise MirrorError("card", message.format(), "no such change")

    def _draw(self, seat: int, cards: tuple[int, ...]) -> None:
        self.expect("player", seat, int(self.record.mover))
        seen = cards != (HIDDEN_CARD,)
        self.expect("card seen", seen, seat == self.seat)
        self.check_cost(CARD_COST)
        self.pay(seat, CARD_COST, BUY_CARD)
        if not seen:
            card = guess_card(self.live, self.observer)
            self.state = renewed(self.live)
            self.act(DRAW_CARD + card, draw=seat)
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
                spare = likeliest_card(self.live)
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

    def on_pick(self, message: play.PickResources) -> None:
        """Two cards are taken by discovery."""
        picked = [resource for resource, count in enumerate(our_counts(message.counts)) for _ in range(count)]
        if self._card != YEAR_OF_PLENTY or len(picked) != 2:
            raise MirrorError("pick", picked, "two cards by discovery")
        self._card = None
        if message.player is not None:
            self.expect("player", self.place_of(message.player), int(self.record.mover))
        seat = int(self.record.mover)
        self.act(PLAY_YEAR_OF_PLENTY + 5 * picked[0] + picked[1])
        self.ledger.gain(seat, our_counts(message.counts))

    def take_by_monopoly(self, seat: int, message: play.PlayerElement) -> None:
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
        for other, lost in cards.items():
            lost[resource] = losses.get(other, 0)
            changed |= self.ledger.exact(other, resource, losses.get(other, 0))
        if changed:
            self.refill()
        self.act(PLAY_MONOPOLY + resource)
        for other, lost in cards.items():
            self.ledger.lose(other, lost)
            self.ledger.gain(mover, lost)
        self._monopoly = message.element

    def on_count(self, message: play.ResourceCount) -> None:
        """A hand has so many cards."""
        seat = self.place_of(message.player)
        if self._card == MONOPOLY and seat in self._losses:
            self._losses[seat] = self.ledger.size(seat) - message.total
            self.checks["hand_totals"] += 1
        else:
            self.check("hand_totals", message.total, self.ledger.size(seat))

    def on_simple(self, message: play.SimpleAction) -> None:
        """A card was bought, or a monopoly has taken cards."""
        if message.action == message.CARD_BOUGHT:
            self.expect("player", self.place_of(message.player), int(self.record.mover))
            self.check("pieces", message.value, int(self.record.deck.sum()), "cards_left")
        elif message.action == message.MONOPOLY:
            self.expect("monopoly", (message.value, message.value2), (sum(self._losses.values()), self._monopoly))
        else:
            self.differ("action", message.action, [message.CARD_BOUGHT, message.MONOPOLY])

    # --- trade with the bank ---------------------------------------------------------------------------------------

    def on_bank_trade(self, message: play.BankTrade) -> None:
        """Cards are exchanged with the bank, or the last exchange is undone."""
        seat = self.place_of(-1 if message.player is None else message.player)
        self.expect("player", seat, int(self.record.mover))
        give, get = our_counts(message.give), our_counts(message.get)
        self.trading.suspend()
        if (get, give) == self._last_trade:
            self.restore()
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

    def on_scores(self, message: play.FinalScores) -> None:
        """The game is over."""
        scores = message.scores
        record = self.record
        self.over = True
        ours = {seat: int(record.points[seat]) + self.revealed.get(seat, 0) for seat in range(len(self.seats))}
        theirs = {}
        for player, score in enumerate(scores):
            if player in self.seats:
                theirs[self.seats[player]] = score
                self.check("final_points", score, ours[self.seats[player]])
        if len(theirs) < len(self.seats):
            raise MirrorError("final_points", list(scores), "points of each seat")
        self.scores = tuple(theirs[seat] for seat in sorted(theirs))
        # Whose turn it is wins; another may have as many points, or more, when it loses the longest road to a third.
        mover, points = int(record.mover), int(self.live.game.options.rule("points"))
        enough = [seat for seat, score in theirs.items() if score >= points]
        self.expect("winner", [seat for seat in enough if seat == mover], [mover])
        self.winner = mover if mover in enough else enough[0] if len(enough) == 1 else None
        if self.seat is not None:
            self.expect("own_cards", self.revealed.get(self.seat, 0), int(record.cards[self.seat, VICTORY_POINT]))

    def on_data_check(self, message: play.DataCheck) -> None:
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

    def on_clear_messages(self, message: play.ClearTradeMessages) -> None:
        """Answers to offers are no longer shown, which changes nothing."""
        if message.player != -1:
            self.place_of(message.player)

    def on_prompt(self, message: play.RollPrompt) -> None:
        """A player may roll."""
        self.expect("player", self.place_of(message.player), int(self.record.mover))

    def on_discard_request(self, message: play.DiscardRequest) -> None:
        """Our player must discard."""
        seat = self.seat
        self.expect("discard", message.count, None if seat is None else int(self.record.owed[seat]))
