"""JSettlers' messages about the connection, and about games before they begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from oponente.interop.jsettlers.fields import (
    EMPTY,
    FieldError,
    decimal,
    flag,
    maybe_number,
    maybe_text,
    more_numbers,
    more_texts,
    number,
    numbers,
    text,
    whole,
)
from oponente.interop.jsettlers.message import GameMessage, Message, MessageError, message, part

# --- the connection ------------------------------------------------------------------------------------------------


@message(9998)
class Version(Message):
    """The first message of either side: its version. A client adds its language."""

    number: int = number()
    """2700 for 2.7.00."""
    version: str = text()
    build: str = text()
    features: str = text()
    """Empty, or words that each stand between semicolons."""
    locale: str | None = maybe_text(default=None)


@message(9999)
class Ping(Message):
    """Is sent back as it is."""

    milliseconds: int = number()


@message(1022)
class RobotLogin(Message):
    """A robot introduces itself (client)."""

    nickname: str = text()
    cookie: str = text()
    robot_class: str = text()
    """A dotted name; the server's own robots have ``soc.robot.SOCRobotBrain``."""


@message(1071)
class RobotParameters(Message):
    """A robot is welcome; these are parameters for the server's own ones."""

    max_game_length: int = number()
    max_eta: int = number()
    eta_bonus_factor: float = decimal()
    adversarial_factor: float = decimal()
    leader_adversarial_factor: float = decimal()
    card_multiplier: float = decimal()
    threat_multiplier: float = decimal()
    strategy: int = number()
    """0 smart, 1 fast."""
    trade: int = number()


@message(999)
class Login(Message):
    """A person introduces itself (client)."""

    role: str = text()
    nickname: str = text()
    scheme: int = number()
    host: str = text()
    password: str = text()


@message(1069)
class Status(Message):
    """How a request about the connection went: 0, which is left out, is well."""

    status: int
    line: str

    OK: ClassVar[int] = 0
    DEBUG_MODE: ClassVar[int] = 21
    """Well, too."""

    @classmethod
    def parse(cls, data: str) -> Self:
        """Return the message: the text may hold commas."""
        head, comma, line = data.partition(",")
        try:
            return cls(whole(head), line) if comma else cls(0, data)
        except FieldError:
            return cls(0, data)

    def format(self) -> str:
        """Return the message as its text."""
        return f"{self.ID}|{self.line}" if self.status == 0 else f"{self.ID}|{self.status},{self.line}"


@message(1059)
class Rejected(Message):
    """The connection is refused, and closed."""

    reason: str

    @classmethod
    def parse(cls, data: str) -> Self:
        """Return the message: the text may hold commas."""
        return cls(data)

    def format(self) -> str:
        """Return the message as its text."""
        return f"{self.ID}|{self.reason}"


@message(1003)
class Channels(Message):
    """The chat channels."""

    names: tuple[str, ...] = more_texts(default=())


@message(1083, separator="|")
class Games(Message):
    """The games, each with its options; without a separator if there are none."""

    entries: tuple[str, ...] = more_texts(default=())

    def write(self, parts: Sequence[str]) -> str:
        """Return the text with these parts."""
        return "|".join([str(self.ID), *parts])


@message(1082, separator="|")
class OptionInfo(Message):
    """An option for games that the client does not know."""

    parts: tuple[str, ...] = more_texts(default=())

    @classmethod
    def split(cls, data: str) -> list[str]:
        """Return the parts; only the last one may be empty."""
        return data.split(cls.SEPARATOR)


# --- games, before they begin --------------------------------------------------------------------------------------


@part
class _WithOptions(GameMessage):
    """Ends with the options of a game, whose text holds commas."""

    @classmethod
    def split(cls, data: str) -> list[str]:
        """Return the parts: game, a number, and the options as they are."""
        return [part for part in data.split(",", 2) if part]


@message(1023)
class Invitation(_WithOptions):
    """A robot is invited to a game."""

    player: int = number()
    """Its seat."""
    options: str = text()
    """``KEY=VALUE`` with commas between them, ``-`` for none; see :func:`parse_options`."""


@message(1079)
class NewGame(_WithOptions):
    """There is a new game."""

    minimum_version: int = number()
    options: str = text()


@message(1078)
class CreateGame(Message):
    """A person makes a game and joins it (client)."""

    nickname: str = text()
    password: str = text()
    host: str = text()
    game: str = text()
    options: tuple[str, ...] = more_texts(default=())


@message(1013)
class Join(Message):
    """A client joins a game, or somebody has joined."""

    nickname: str = text()
    password: str = text()
    host: str = text()
    game: str = text()


@message(1021)
class Joined(GameMessage):
    """The client has joined; what there is to know of the game follows."""


@message(1017)
class Members(GameMessage):
    """Who is in the game: the last message of those that follow :class:`Joined`."""

    names: tuple[str, ...] = more_texts(default=())


@message(1012)
class SitDown(GameMessage):
    """Somebody sits down."""

    nickname: str = text()
    player: int = number()
    robot: bool = flag()


@message(1068)
class SeatLocks(GameMessage):
    """Which seats are locked: ``true``, ``false`` or ``clear``."""

    locks: tuple[str, ...] = more_texts(default=())


@message(1011)
class Leave(Message):
    """Somebody leaves a game."""

    nickname: str = text()
    host: str = text()
    game: str = text()


@message(1056)
class Dismissed(GameMessage):
    """The server sends a robot away from a game; it answers with :class:`Leave`."""


@message(1015)
class Deleted(GameMessage):
    """A game is no more."""


@message(1058)
class FaceIcon(GameMessage):
    """A player's picture."""

    player: int = number()
    icon: int = number()


@message(1057)
class LegalNodes(GameMessage):
    """The nodes on which settlements may ever stand."""

    player: int = number()
    """-1: all players."""
    nodes: tuple[int, ...] = more_numbers(default=())


HEXES = 37


@message(1014)
class BoardLayout(GameMessage):
    """The board: see :mod:`oponente.interop.jsettlers.geometry`."""

    hexes: tuple[int, ...] = numbers(HEXES)
    numbers: tuple[int, ...] = numbers(HEXES)
    robber: int = number()


@message(1018)
class Start(GameMessage):
    """The game begins (server, with its state), or shall begin (client, without)."""

    state: int | None = maybe_number(default=None)


# --- texts ---------------------------------------------------------------------------------------------------------


@part
class _FreeText(GameMessage):
    """Ends with a text that may hold anything."""

    BREAK: ClassVar[str] = ""

    @classmethod
    def split(cls, data: str) -> list[str]:
        """Return the parts as they are."""
        return data.split(cls.BREAK)


@message(1091)
class ServerText(_FreeText):
    """A line from the server for people."""

    BREAK: ClassVar[str] = "\x01"

    line: str = text()

    @classmethod
    def split(cls, data: str) -> list[str]:
        """Return game and line."""
        return data.split(cls.BREAK, 1)

    def write(self, parts: Sequence[str]) -> str:
        """Return the text with these parts."""
        return f"{self.ID}|{self.BREAK.join(parts)}"


@message(1010)
class Chat(_FreeText):
    """A line that somebody says in a game."""

    BREAK: ClassVar[str] = "\0"

    nickname: str = text()
    line: str = text()

    @classmethod
    def split(cls, data: str) -> list[str]:
        """Return game, nickname and line."""
        return data.split(cls.BREAK, 2)

    def write(self, parts: Sequence[str]) -> str:
        """Return the text with these parts."""
        return f"{self.ID}|{self.BREAK.join(parts)}"


def parse_options(options: str) -> dict[str, str]:
    """Return the options of a game by key.

    >>> parse_options("BC=t4,RD=f")
    {'BC': 't4', 'RD': 'f'}

    Raises:
        MessageError: a part is no ``KEY=VALUE``.
    """
    found: dict[str, str] = {}
    for entry in options.split(","):
        if entry in ("", "-", EMPTY):
            continue
        key, equals, value = entry.partition("=")
        if not equals:
            raise MessageError(f"{entry!r} in {options!r} is no option KEY=VALUE")
        found[key] = value
    return found
