"""JSettlers' messages of a game that is played.

Players are numbered by seat, 0 to 3 (-1: nobody, or all). Counts of resource cards stand in the order clay, ore, sheep,
wheat, wood. Places are coordinates, see :mod:`oponente.interop.jsettlers.geometry`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Self

from oponente.interop.jsettlers.fields import (
    flags,
    mark,
    marked_player,
    maybe_number,
    maybe_text,
    more_numbers,
    more_texts,
    number,
    numbers,
    text,
    whole,
)
from oponente.interop.jsettlers.message import GameMessage, MessageError, message

UNKNOWN_RESOURCE = 6


class GameState(IntEnum):
    """What a game waits for."""

    NEW = 0
    READY = 1
    START1A = 5
    START1B = 6
    START2A = 10
    START2B = 11
    ROLL_OR_CARD = 15
    PLAY1 = 20
    PLACING_ROAD = 30
    PLACING_SETTLEMENT = 31
    PLACING_CITY = 32
    PLACING_ROBBER = 33
    PLACING_FREE_ROAD1 = 40
    PLACING_FREE_ROAD2 = 41
    WAITING_FOR_DISCARDS = 50
    WAITING_FOR_ROB_CHOOSE_PLAYER = 51
    WAITING_FOR_DISCOVERY = 52
    WAITING_FOR_MONOPOLY = 53
    OVER = 1000


class Action(IntEnum):
    """What happens to a player's element."""

    SET = 100
    GAIN = 101
    LOSE = 102


class Element(IntEnum):
    """What a player has a number of; 1 to 5 are the resources."""

    UNKNOWN = 6
    ROADS = 10
    SETTLEMENTS = 11
    CITIES = 12
    KNIGHTS = 15
    HAND = 17
    LAST_SETTLEMENT = 18
    CARD_PLAYED = 19


class GameElement(IntEnum):
    """What a game has a number of."""

    ROUND = 1
    CARDS_LEFT = 2
    FIRST_PLAYER = 3
    CURRENT_PLAYER = 4
    LARGEST_ARMY = 5
    LONGEST_ROAD = 6


class Piece(IntEnum):
    """What can be built."""

    ROAD = 0
    SETTLEMENT = 1
    CITY = 2


class CardAction(IntEnum):
    """What happens to a development card."""

    DRAW = 0
    PLAY = 1
    ADD_NEW = 2
    ADD_OLD = 3
    CANNOT_PLAY = 4


# --- turns ---------------------------------------------------------------------------------------------------------


@message(1025)
class State(GameMessage):
    """What the game waits for now."""

    state: int = number()


@message(1026)
class Turn(GameMessage):
    """Whose turn begins, and what for."""

    player: int = number()
    state: int = number()


@message(1072)
class RollPrompt(GameMessage):
    """The player may roll."""

    player: int = number()


@message(1031)
class Roll(GameMessage):
    """Roll the dice (client)."""


@message(1028)
class Dice(GameMessage):
    """The sum of the dice; -1: not rolled."""

    total: int = number()


@message(1032)
class EndTurn(GameMessage):
    """End the turn (client)."""


# --- what players have ---------------------------------------------------------------------------------------------


@message(1024)
class PlayerElement(GameMessage):
    """An element of a player changes."""

    player: int = number()
    action: int = number()
    element: int = number()
    amount: int = number()
    news: str | None = maybe_text(default=None)
    """``Y``: people are told."""


@message(1086, separator="|")
class PlayerElements(GameMessage):
    """Elements of a player change."""

    player: int = number()
    action: int = number()
    pairs: tuple[int, ...] = more_numbers(default=())
    """Element, amount, and so on."""

    def amounts(self) -> dict[int, int]:
        """Return the amount of each element."""
        return dict(zip(self.pairs[::2], self.pairs[1::2], strict=False))


@message(1096, separator="|")
class GameElements(GameMessage):
    """Elements of the game are set."""

    pairs: tuple[int, ...] = more_numbers(default=())
    """Element, value, and so on."""

    def values(self) -> dict[int, int]:
        """Return the value of each element."""
        return dict(zip(self.pairs[::2], self.pairs[1::2], strict=False))


@dataclass(frozen=True)
class Gain:
    """What the dice bring a player."""

    player: int
    total: int
    """Cards in hand after it."""
    amounts: tuple[tuple[int, int], ...]
    """Amount and resource, in turn."""


@message(1092, separator="|")
class DiceResources(GameMessage):
    """What the dice bring."""

    gains: tuple[Gain, ...]

    @classmethod
    def parse(cls, data: str) -> Self:
        """Return the message: a count of players, then each, with a 0 between them."""
        try:
            game, *parts = cls.split(data)
            values = [whole(part) for part in parts]
            count, at = values[0], 1
            gains = []
            for _ in range(count):
                player, total = values[at], values[at + 1]
                at += 2
                amounts = []
                while at < len(values) and values[at] != 0:
                    amounts.append((values[at], values[at + 1]))
                    at += 2
                at += 1
                gains.append(Gain(player, total, tuple(amounts)))
        except (ValueError, IndexError):
            raise MessageError(f"DiceResources: {data!r} is no list of players and gains") from None
        return cls(game, tuple(gains))

    def format(self) -> str:
        """Return the message as its text."""
        values: list[int] = [len(self.gains)]
        for place, gain in enumerate(self.gains):
            values += [0] * (place > 0)
            values += [gain.player, gain.total, *(part for amount in gain.amounts for part in amount)]
        return self.write([self.game, *map(str, values)])


@message(1063)
class ResourceCount(GameMessage):
    """How many resource cards a player has."""

    player: int = number()
    total: int = number()


@message(1103, separator="|")
class DataCheck(GameMessage):
    """The true hands, for tests of robots."""

    kind: int = number()
    values: tuple[int, ...] = more_numbers(default=())
    """Player and five counts, and so on."""

    def hands(self) -> dict[int, tuple[int, ...]]:
        """Return the counts of each player's resources."""
        step = 6
        return {self.values[i]: self.values[i + 1 : i + step] for i in range(0, len(self.values) - step + 1, step)}


# --- building ------------------------------------------------------------------------------------------------------


@message(1009)
class PutPiece(GameMessage):
    """A piece is placed."""

    player: int = number()
    piece: int = number()
    place: int = number()


@message(1043)
class BuildRequest(GameMessage):
    """Pay for a piece (client)."""

    piece: int = number()


@message(1044)
class CancelBuild(GameMessage):
    """Give a piece that was paid for back (client), or a request is refused (server)."""

    piece: int = number()


# --- the robber ----------------------------------------------------------------------------------------------------


@message(1029)
class DiscardRequest(GameMessage):
    """The client's player must discard."""

    count: int = number()


@message(1033)
class Discard(GameMessage):
    """Cards are discarded; who does not see which gets the number of unknown ones."""

    player: int | None = marked_player()
    """None from a client."""
    counts: tuple[int, ...] = numbers(5)
    unknown: int = number()


@message(1034)
class MoveRobber(GameMessage):
    """The robber moves."""

    player: int = number()
    place: int = number()


@message(1036)
class ChoosePlayerRequest(GameMessage):
    """The client's player must choose whom to rob."""

    none: bool = mark("NONE")
    """Whether it may be nobody (scenarios)."""
    choices: tuple[bool, ...] = flags(4)


@message(1035)
class ChoosePlayer(GameMessage):
    """Rob a player (client)."""

    player: int = number()


@message(1102)
class Robbery(GameMessage):
    """A card is stolen."""

    thief: int = number()
    victim: int = number()
    kind: str = text()
    """``R``: a resource; others belong to scenarios."""
    resource: int = number()
    """`UNKNOWN_RESOURCE` for those who can't see it."""
    amount: int = number()
    change: str = text()
    """``T``: the amount is what is gained and lost."""
    more: tuple[str, ...] = more_texts(default=())


# --- development cards ---------------------------------------------------------------------------------------------


@message(1045)
class BuyCard(GameMessage):
    """Buy a development card (client)."""


@message(1049)
class PlayCard(GameMessage):
    """Play a development card (client)."""

    card: int = number()


@message(1046)
class Card(GameMessage):
    """A player draws, plays or shows development cards."""

    player: int = number()
    action: int = number()
    cards: tuple[int, ...] = more_numbers(default=())
    """0: hidden."""


@message(1090)
class SimpleAction(GameMessage):
    """What a player has done: 1 bought a card (cards left), 3 played a monopoly (cards, resource)."""

    player: int = number()
    action: int = number()
    value: int = number()
    value2: int = number()

    CARD_BOUGHT: ClassVar[int] = 1
    MONOPOLY: ClassVar[int] = 3


@message(1052)
class PickResources(GameMessage):
    """The cards that discovery brings."""

    counts: tuple[int, ...] = numbers(5)
    player: int | None = maybe_number(default=None)
    """None from a client."""
    reason: int | None = maybe_number(default=None)


@message(1053)
class PickType(GameMessage):
    """The resource that a monopoly takes (client)."""

    resource: int = number()


# --- trade ---------------------------------------------------------------------------------------------------------


@message(1040)
class BankTrade(GameMessage):
    """A trade with the bank."""

    give: tuple[int, ...] = numbers(5)
    get: tuple[int, ...] = numbers(5)
    player: int | None = maybe_number(default=None)
    """None from a client."""


@message(1041)
class Offer(GameMessage):
    """An offer, or a counter-offer, to some players."""

    player: int = number()
    to: tuple[bool, ...] = flags(4)
    give: tuple[int, ...] = numbers(5)
    """What the player that offers gives."""
    get: tuple[int, ...] = numbers(5)


@message(1039)
class Accept(GameMessage):
    """An offer is accepted, and the cards change hands."""

    accepter: int = number()
    offerer: int = number()
    counts: tuple[int, ...] = more_numbers(default=())
    """What the accepter gets and what the offerer gets, five each; nothing from a client."""


@message(1037)
class Reject(GameMessage):
    """An offer is rejected; with a reason, the client's own request is refused."""

    player: int = number()
    reason: int | None = maybe_number(default=None)

    CANNOT_NOW: ClassVar[int] = 1
    NOT_YOUR_TURN: ClassVar[int] = 2
    CANNOT_OFFER: ClassVar[int] = 3


@message(1038)
class ClearOffer(GameMessage):
    """A player's offer is off; -1: all are."""

    player: int = number()


@message(1042)
class ClearTradeMessages(GameMessage):
    """Answers to offers are no longer shown."""

    player: int = number()


# --- refusals and the end ------------------------------------------------------------------------------------------


@message(1104)
class Declined(GameMessage):
    """A request is refused."""

    state: int = number()
    """0: as it was."""
    reason: int = number()
    detail1: int | None = maybe_number(default=None)
    detail2: int | None = maybe_number(default=None)
    line: tuple[str, ...] = more_texts(default=())
    """For people; may hold commas."""


@message(1061)
class GameTiming(GameMessage):
    """When the game began and how long it has been going on."""

    parts: tuple[str, ...] = more_texts(default=())

    @classmethod
    def accepts(cls, parts: Sequence[str]) -> bool:
        """Tell timings by the letter that the second part begins with."""
        return len(parts) > 1 and parts[1].startswith("t")


@message(1061)
class FinalScores(GameMessage):
    """The points of all seats at the end, and which of them are robots."""

    parts: tuple[str, ...] = more_texts(default=())

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat.

        Raises:
            MessageError: they are no numbers.
        """
        half = self.parts[: len(self.parts) // 2]
        try:
            return tuple(map(int, half))
        except ValueError:
            raise MessageError(f"FinalScores: {half} are no points") from None

    @property
    def robots(self) -> tuple[bool, ...]:
        """Whether each seat is a robot's."""
        return tuple(part == "true" for part in self.parts[len(self.parts) // 2 :])


@message(1085, separator="|")
class PlayerStatistics(GameMessage):
    """Statistics for people."""

    parts: tuple[str, ...] = more_texts(default=())
