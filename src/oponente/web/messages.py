"""What browsers may send, and how it is checked: no value reaches the server that is not described here."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

LONGEST_MESSAGE = 16_384
"""Bytes of a message through a socket at most."""
LONGEST_BODY = 65_536
"""Bytes of a request at most."""
LONGEST_FILE = 16 << 20
"""Bytes of a file of records that is uploaded at most."""
MESSAGES_A_SECOND, BURST = 40.0, 120.0
"""How many messages through a socket are taken in the long run, and at once."""

Ply = Annotated[int, Meta(ge=0, le=10_000_000)]
Spec = Annotated[str, Meta(min_length=1, max_length=300)]
Word = Annotated[str, Meta(min_length=1, max_length=60)]
Value = Annotated[str, Meta(max_length=4000)]
Seed = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""What a number in a browser holds exactly."""
Pace = Annotated[float, Meta(ge=0.0, le=30.0)]


class _Message(Struct, forbid_unknown_fields=True, tag_field="type"):
    """A message through the socket of a room."""


class Act(_Message, tag="act"):
    """Take an action; `ply` says in which position, so that what comes too late does nothing."""

    ply: Ply
    action: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Say(_Message, tag="say"):
    """Take the actions that a text in the game's notation denotes."""

    ply: Ply
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Hold(_Message, tag="hold"):
    """In a game that does not wait: what to do from now on."""

    action: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Pause(_Message, tag="pause"):
    """Let the game rest, or go on."""

    on: bool


class Step(_Message, tag="step"):
    """In a game that rests: go on by one action, or one tick."""


class SetPace(_Message, tag="pace"):
    """Seconds between actions of agents, or from tick to tick."""

    seconds: Pace


class Show(_Message, tag="show"):
    """Show the position after so many actions; None: the present one, whatever it becomes."""

    ply: Ply | None


class TakeBack(_Message, tag="takeback"):
    """Take back to one's last decision, or to a ply."""

    ply: Ply | None = None


class Resign(_Message, tag="resign"):
    """Give up the game."""


class Analyse(_Message, tag="analyse"):
    """Ask an agent about the position after so many actions."""

    ply: Ply
    agent: Spec
    seconds: Annotated[float, Meta(ge=0.1, le=600.0)] = 10.0


class StopAnalysis(_Message, tag="stop"):
    """Stop the analysis."""


class KeyMoments(_Message, tag="moments"):
    """Let an agent evaluate every position of the game, to find the largest swings."""

    agent: Spec


class NewSeat(Struct, forbid_unknown_fields=True):
    """Who is to sit in a seat: an agent, by its spec, or a person (None)."""

    agent: Spec | None = None


Seats = Annotated[list[NewSeat], Meta(min_length=1, max_length=16)]


class Branch(_Message, tag="branch"):
    """Begin another game in a position of one that is over."""

    ply: Ply
    seats: Seats


Message = (
    Branch | Act | Say | Hold | Pause | Step | SetPace | Show | TakeBack | Resign | Analyse | StopAnalysis | KeyMoments
)


class NewGame(Struct, forbid_unknown_fields=True):
    """A game to begin."""

    game: Word
    seats: Seats
    options: Annotated[dict[Word, Value], Meta(max_length=60)] = {}
    seed: Seed | None = None
    pace: Pace = 0.6
    paused: bool = False


class Choice(Struct, forbid_unknown_fields=True):
    """A game with options, to be described."""

    game: Word
    options: Annotated[dict[Word, Value], Meta(max_length=60)] = {}


class OpenRecord(Struct, forbid_unknown_fields=True):
    """A record in the database to be looked at."""

    match: Annotated[int, Meta(ge=1, le=2**62)]
    index: Annotated[int, Meta(ge=0, le=2**62)] = 0


class NewTournament(Struct, forbid_unknown_fields=True):
    """A tournament to begin."""

    game: Word
    entrants: Annotated[list[Spec], Meta(min_length=2, max_length=16)]
    options: Annotated[dict[Word, Value], Meta(max_length=60)] = {}
    blocks: Annotated[int, Meta(ge=1, le=1000)] = 5
    opening_plies: Annotated[int, Meta(ge=0, le=100)] = 0
    seed: Seed | None = None


T = TypeVar("T")


class MessageError(ValueError):
    """What was sent is no message that is known here; the text is one line."""


def read(data: bytes | str, kind: Any) -> Any:
    """Return what was sent as JSON, checked to be of a kind.

    Raises:
        MessageError: it is something else.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(" ".join(str(error).split())[:200]) from None


def write(message: Any) -> str:
    """Return a message as JSON."""
    return msgspec.json.encode(message).decode()


class Meter:
    """Tells whether somebody sends too much (a bucket that fills with time).

    Args:
        now: the time in seconds.
    """

    def __init__(self, now: float) -> None:
        self._left, self._then = BURST, now

    def take(self, now: float) -> bool:
        """Count a message; False if it is one too many."""
        self._left = min(BURST, self._left + (now - self._then) * MESSAGES_A_SECOND)
        self._then = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
