"""A player that decides as a recorded one did."""

from oponente.agents.base import Agent
from oponente.games.catan.moves import (
    ACCEPT,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    CONFIRMING,
    DISCARD,
    END_TURN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    REJECT,
    ROLL,
    WITHDRAW,
    offer_id,
)
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.geometry import edge_of, node_of, our_counts, resource_of, tile_of
from oponente.interop.jsettlers.play import Piece
from oponente.interop.jsettlers.seat import Seat

PARTS = play.ChoosePlayer | play.PickResources | play.PickType
"""What carries out the rest of an action, and is no decision of its own."""


class Script:
    """What a recorded player has sent, in order."""

    def __init__(self, entries):
        self.entries = entries
        self.places = [
            place
            for place, entry in enumerate(entries)
            if not entry.incoming and getattr(play, type(entry.message).__name__, None) is type(entry.message)
        ]
        self.at = 0
        self.heard = []
        """What our player was told when no action was asked for."""

    @property
    def next(self):
        """The next message of the player."""
        return self.entries[self.places[self.at]].message

    def take(self):
        """Return the next message, and go on."""
        message = self.next
        self.at += 1
        return message

    def peek(self, step):
        """Return a message further on, None at the end."""
        at = self.at + step
        return self.entries[self.places[at]].message if at < len(self.places) else None

    def victim(self):
        """Return whom the robber robs that has just moved, None for nobody."""
        for entry in self.entries[self.places[self.at - 1] :]:
            if isinstance(entry.message, play.Robbery):
                return entry.message.victim
            if isinstance(entry.message, play.State) and entry.message.state not in (33, 51):
                return None
        return None


class ScriptedAgent(Agent):
    """Answers what the script says."""

    name = "scripted"

    def __init__(self, script):
        super().__init__()
        self.script = script
        self.discards = []
        self.mirror = None

    def begin_game(self, game, seat):
        self.script.heard.append(("begin", seat))

    def end_game(self, returns, reason):
        self.script.heard.append(("end", returns, reason))

    def close(self):
        self.script.heard.append("close")

    def choose(self, view, budget):
        script = self.script
        if self.discards:
            return self.discards.pop(0)
        if view._state.record.phase == CONFIRMING:
            if isinstance(script.next, play.Accept):
                return CONFIRM + self.mirror.place_of(script.take().offerer)
            script.take()  # the counter-offer is rejected
            return WITHDRAW
        while isinstance(script.next, PARTS | play.ClearOffer):
            script.take()
        message = script.take()
        if isinstance(message, play.Discard):
            counts = our_counts(message.counts)
            self.discards = [DISCARD + resource for resource in range(5) for _ in range(counts[resource])]
            return self.discards.pop(0)
        return self.action(view, message)

    def action(self, view, message):
        script = self.script
        match message:
            case play.Roll():
                return ROLL
            case play.EndTurn():
                return END_TURN
            case play.BuyCard():
                return BUY_CARD
            case play.Accept():
                return ACCEPT
            case play.Reject():
                return REJECT
            case play.BuildRequest():
                if isinstance(script.next, play.PutPiece):
                    return build(script.take())
                # It is cancelled: any place will do.
                return next(action for action in view.legal_actions if BUILD_ROAD <= action < BUILD_SETTLEMENT)
            case play.PutPiece():
                return build(message)
            case play.MoveRobber():
                victim = script.victim()
                seat = NOBODY_ROBBED if victim is None else self.mirror.place_of(victim)
                return MOVE_ROBBER + 5 * tile_of(message.place) + seat
            case play.BankTrade():
                give, get = our_counts(message.give), our_counts(message.get)
                return BANK_TRADE + 5 * give.index(max(give)) + get.index(max(get))
            case play.Offer():
                return offer_id(our_counts(message.give), our_counts(message.get))
            case play.PlayCard(card=9):
                return PLAY_KNIGHT
            case play.PlayCard(card=1):
                return PLAY_ROAD_BUILDING
            case play.PlayCard(card=2):
                counts = our_counts(script.next.counts)
                first, second = [resource for resource in range(5) for _ in range(counts[resource])]
                return PLAY_YEAR_OF_PLENTY + 5 * first + second
            case play.PlayCard(card=3):
                return PLAY_MONOPOLY + resource_of(script.next.resource)
        raise AssertionError(message)


def build(message):
    """Return our action of placing a piece."""
    if message.piece == Piece.ROAD:
        return BUILD_ROAD + edge_of(message.place)
    return (BUILD_SETTLEMENT if message.piece == Piece.SETTLEMENT else BUILD_CITY) + node_of(message.place)


def scripted_seat(script):
    """Return a class of seats that pay for pieces first, and cancel, where the script does."""

    class ScriptedSeat(Seat):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options, two_steps=lambda piece: self.in_two_steps())
            self.agent.mirror = self.mirror

        def in_two_steps(self):
            # The request was taken from the script, and what it placed; or it will be cancelled.
            before = script.peek(-2), script.peek(-1)
            return isinstance(before[1], play.BuildRequest) or (
                isinstance(before[0], play.BuildRequest) and isinstance(before[1], play.PutPiece)
            )

        def _go_on(self, state):
            if self._place is not None and 30 <= state <= 32 and isinstance(script.next, play.CancelBuild):
                self._place = None
                return self._send(script.take())
            return super()._go_on(state)

    return ScriptedSeat
