"""What a JSettlers message is: a frozen dataclass for each type, read from its text and written as text.

A message's text is the number of its type, ``|``, and its fields, with ``,`` between them or, in some types, ``|``.
Fields that a later server adds at the end are ignored. A type that is not known here is an :class:`Unknown`, which both
sides of the protocol ignore.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from oponente.interop.jsettlers.fields import (
    FieldError,
    decimal,
    flag,
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

M = TypeVar("M", bound="type[Message]")


class MessageError(ValueError):
    """A text that is no message of its type; the message is one line."""


@dataclass(frozen=True)
class Message:
    """A message."""

    ID: ClassVar[int] = 0
    """The number of the type."""
    SEPARATOR: ClassVar[str] = ","

    def format(self) -> str:
        """Return the message as its text."""
        parts: list[str] = []
        for field in dataclasses.fields(self):
            parts += field.metadata["codec"].write(getattr(self, field.name))
        return self.write(parts)

    def write(self, parts: Sequence[str]) -> str:
        """Return the text with these parts."""
        return f"{self.ID}|{self.SEPARATOR.join(parts)}"

    @classmethod
    def accepts(cls, parts: Sequence[str]) -> bool:
        """Tell whether the parts are of this class, where several share a number."""
        return True

    @classmethod
    def parse(cls, data: str) -> Self:
        """Return the message with these fields.

        Args:
            data: what follows the number of the type.

        Raises:
            MessageError: it is no such message.
        """
        parts = cls.split(data)
        values: dict[str, Any] = {}
        at = 0
        for field in dataclasses.fields(cls):
            try:
                values[field.name], at = field.metadata["codec"].read(parts, at)
            except IndexError:
                raise MessageError(f"{cls.__name__} lacks {field.name}: {data!r}") from None
            except FieldError as error:
                raise MessageError(f"{cls.__name__}: {field.name}: {error}") from None
        return cls(**values)

    @classmethod
    def split(cls, data: str) -> list[str]:
        """Return the parts of the text that follows the number of the type; empty ones count as left out."""
        return [part for part in data.split(cls.SEPARATOR) if part]


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        number,
        decimal,
        text,
        flag,
        numbers,
        flags,
        more_numbers,
        more_texts,
        maybe_number,
        maybe_text,
        marked_player,
        mark,
    ),
)
def part(cls: M) -> M:
    """Make a class a frozen dataclass that messages are made from."""
    made: Any = dataclass(frozen=True)(cls)
    result: M = made
    return result


@part
class GameMessage(Message):
    """A message that belongs to a game."""

    game: str = text()
    """The game's name."""


@dataclass(frozen=True)
class Unknown(Message):
    """A message of a type that is not known here."""

    number: int
    data: str | None
    """What follows the number; None: not even a separator."""

    def format(self) -> str:
        """Return the message as its text."""
        return str(self.number) if self.data is None else f"{self.number}|{self.data}"


_CLASSES: dict[int, list[type[Message]]] = {}


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        number,
        decimal,
        text,
        flag,
        numbers,
        flags,
        more_numbers,
        more_texts,
        maybe_number,
        maybe_text,
        marked_player,
        mark,
    ),
)
def message(type_id: int, separator: str = ",") -> Callable[[M], M]:
    """Make a class the messages of a type.

    Args:
        type_id: the number of the type.
        separator: between its fields.
    """

    def register(cls: M) -> M:
        made: Any = part(cls)
        made.ID, made.SEPARATOR = type_id, separator
        _CLASSES.setdefault(type_id, []).append(made)
        result: M = made
        return result

    return register


def classes() -> list[type[Message]]:
    """Return the classes of all types that are known, by number."""
    return [cls for known in sorted(_CLASSES) for cls in _CLASSES[known]]


def parse(text: str) -> Message:
    """Return the message that a text is.

    Raises:
        MessageError: it has no number, or lacks fields of its type, or holds something else in them.
    """
    head, bar, data = text.partition("|")
    try:
        number = whole(head)
    except FieldError:
        number = -1
    if number < 0:
        raise MessageError(f"{text[:60]!r} does not begin with the number of a type")
    for cls in _CLASSES.get(number, ()):
        if cls.accepts(cls.split(data)):
            return cls.parse(data)
    return Unknown(number, data if bar else None)
