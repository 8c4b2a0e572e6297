"""How the fields of JSettlers' messages are read and written: one *codec* for each kind of field.

A message's text is cut at its separator. A codec reads as many of the parts as it needs and writes as many. An empty
text is written as a TAB, because the server leaves out empty parts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

EMPTY = "\t"
"""What stands for an empty text."""
MAX_DIGITS = 10
"""Of a number."""


class FieldError(ValueError):
    """A part that is no value of its field."""


class Codec(Protocol):
    """Reads and writes one field."""

    def read(self, parts: Sequence[str], at: int) -> tuple[Any, int]:
        """Return the value that begins at part `at`, and the part after it; FieldError, IndexError if there is none."""

    def write(self, value: Any) -> list[str]:
        """Return the parts of a value."""


class _Number:
    def read(self, parts: Sequence[str], at: int) -> tuple[int, int]:
        return whole(parts[at]), at + 1

    def write(self, value: int) -> list[str]:
        return [str(value)]


class _Decimal:
    def read(self, parts: Sequence[str], at: int) -> tuple[float, int]:
        try:
            return float(parts[at]), at + 1
        except ValueError:
            raise FieldError(f"{parts[at]!r} is no number") from None

    def write(self, value: float) -> list[str]:
        return [repr(value)]


class _Text:
    def read(self, parts: Sequence[str], at: int) -> tuple[str, int]:
        return "" if parts[at] == EMPTY else parts[at], at + 1

    def write(self, value: str) -> list[str]:
        return [value or EMPTY]


class _Flag:
    def read(self, parts: Sequence[str], at: int) -> tuple[bool, int]:
        if parts[at] not in ("true", "false"):
            raise FieldError(f"{parts[at]!r} is neither true nor false")
        return parts[at] == "true", at + 1

    def write(self, value: bool) -> list[str]:
        return ["true" if value else "false"]


class _Several:
    """A fixed number of fields of one kind, as a tuple."""

    def __init__(self, codec: Codec, count: int) -> None:
        self.codec, self.count = codec, count

    def read(self, parts: Sequence[str], at: int) -> tuple[tuple[Any, ...], int]:
        values = []
        for _ in range(self.count):
            value, at = self.codec.read(parts, at)
            values.append(value)
        return tuple(values), at

    def write(self, value: Sequence[Any]) -> list[str]:
        return [part for one in value for part in self.codec.write(one)]


class _Rest:
    """All that is left, as a tuple of fields of one kind."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec

    def read(self, parts: Sequence[str], at: int) -> tuple[tuple[Any, ...], int]:
        values = []
        while at < len(parts):
            value, at = self.codec.read(parts, at)
            values.append(value)
        return tuple(values), at

    def write(self, value: Sequence[Any]) -> list[str]:
        return [part for one in value for part in self.codec.write(one)]


class _Optional:
    """A field that may be missing at the end: None."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec

    def read(self, parts: Sequence[str], at: int) -> tuple[Any, int]:
        return self.codec.read(parts, at) if at < len(parts) else (None, at)

    def write(self, value: Any) -> list[str]:
        return [] if value is None else self.codec.write(value)


class _Marked:
    """A player's number with the letter p before it, which only one of the two sides writes; else None."""

    def read(self, parts: Sequence[str], at: int) -> tuple[int | None, int]:
        part = parts[at]
        return (whole(part[1:]), at + 1) if part.startswith("p") else (None, at)

    def write(self, value: int | None) -> list[str]:
        return [] if value is None else [f"p{value}"]


class _Mark:
    """A word that may stand before the fields that follow it."""

    def __init__(self, word: str) -> None:
        self.word = word

    def read(self, parts: Sequence[str], at: int) -> tuple[bool, int]:
        found = at < len(parts) and parts[at] == self.word
        return found, at + found

    def write(self, value: bool) -> list[str]:
        return [self.word] if value else []


def whole(part: str) -> int:
    """Return a whole number; FieldError if it is none, or outside the range of Java's ``int``."""
    digits = part.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS and -(2**31) <= int(part) < 2**31:
        return int(part)
    raise FieldError(f"{part[:60]!r} is no whole number")


NUMBER, DECIMAL, TEXT, FLAG = _Number(), _Decimal(), _Text(), _Flag()


def _field(codec: Codec, **more: Any) -> Any:
    return dataclasses.field(metadata={"codec": codec}, **more)


def number() -> Any:
    """Declare a whole number."""
    return _field(NUMBER)


def decimal() -> Any:
    """Declare a number with a decimal point."""
    return _field(DECIMAL)


def text() -> Any:
    """Declare a text without separators."""
    return _field(TEXT)


def flag() -> Any:
    """Declare a truth value."""
    return _field(FLAG)


def numbers(count: int) -> Any:
    """Declare so many whole numbers: a tuple."""
    return _field(_Several(NUMBER, count))


def flags(count: int) -> Any:
    """Declare so many truth values: a tuple."""
    return _field(_Several(FLAG, count))


def more_numbers(*, default: tuple[()] = ()) -> Any:
    """Declare any number of whole numbers at the end: a tuple."""
    return _field(_Rest(NUMBER), default=default)


def more_texts(*, default: tuple[()] = ()) -> Any:
    """Declare any number of texts at the end: a tuple."""
    return _field(_Rest(TEXT), default=default)


def maybe_number(*, default: None = None) -> Any:
    """Declare a whole number that may be missing at the end: None."""
    return _field(_Optional(NUMBER), default=default)


def maybe_text(*, default: None = None) -> Any:
    """Declare a text that may be missing at the end: None."""
    return _field(_Optional(TEXT), default=default)


def marked_player() -> Any:
    """Declare a player's number as ``p0``, or None where the other side writes nothing."""
    return _field(_Marked())


def mark(word: str) -> Any:
    """Declare a word that may stand here: whether it does."""
    return _field(_Mark(word))
