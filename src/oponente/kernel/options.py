"""Declared values: the options of a game and the parameters of an agent.

Both are frozen dataclasses whose fields are made with :func:`option`. A field's default, range and meaning stand there
and nowhere else; the command line, the documentation and the tuner read them from the dataclass.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from oponente.kernel.notation import shortened

T = TypeVar("T")


def option(
    default: Any,
    *,
    meaning: str,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] | None = None,
    given: Callable[[str], str] | None = None,
    log: bool = False,
    span: float | None = None,
) -> Any:
    """Declare a field of an options or parameters dataclass.

    Args:
        default: value when none is given. Its type (bool, int, float or str) is the field's; None is written as an
            annotation of the form ``int | None``.
        meaning: one line.
        low, high: range of a number, both included; None where there is no bound.
        choices: the texts that are allowed.
        given: turns what a user gives into the text that is kept, or raises ValueError with one line; for values that
            are only told where to find, such as the content of a file. What it returns must not depend on anything
            outside, and it returns that unchanged when it gets it. Values that were kept are read without it.
        log: whether a parameter is tuned by factors, not by differences (:mod:`oponente.learn.space`): for counts and
            whatever else has a range over several orders of magnitude, none of it below 0.
        span: over what distance it is tuned, where that is not the range.
    """
    if log and (low is None or low < 0):
        raise ValueError("a number that is tuned by factors needs a lower bound of 0 or more")
    metadata = {
        "meaning": meaning,
        "low": low,
        "high": high,
        "choices": tuple(choices or ()),
        "given": given,
        "log": log,
        "span": span,
    }
    return dataclasses.field(default=default, metadata=metadata)


def with_default(parameters: type[Any], name: str, default: Any) -> Any:
    """Declare a field of a parent class again, with another default and all else as it is there.

    Args:
        parameters: the parent, a dataclass whose fields :func:`option` declares.
        name: of the field.
        default: value when none is given.
    """
    metadata = next(field.metadata for field in dataclasses.fields(parameters) if field.name == name)
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Declared:
    """A field of an options or parameters dataclass, as declared."""

    name: str
    kind: str
    """``bool``, ``int``, ``float`` or ``str``."""
    optional: bool
    """Whether the value may be None, written ``none``."""
    default: Any
    meaning: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    given: Callable[[str], str] | None = None
    """Turns what a user gives into what is kept; None where that is the same."""
    log: bool = False
    """Whether it is tuned by factors, not by differences."""
    span: float | None = None
    """Over what distance it is tuned; None: its range."""

    @property
    def range_text(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return " | ".join(self.choices)
        if self.kind == "bool":
            return "true | false"
        if self.low is None and self.high is None:
            return self.kind
        return f"{self.kind} {_bound_text(self.low)}..{_bound_text(self.high)}"

    def describe(self) -> dict[str, Any]:
        """Return the field as plain values, for machines."""
        return {
            "name": self.name,
            "kind": self.kind,
            "default": self.default,
            "low": self.low,
            "high": self.high,
            "choices": list(self.choices),
            "meaning": self.meaning,
        }

    def parse(self, text: str, *, kept: bool = False) -> Any:
        """Return the value that `text` stands for.

        Args:
            text: what a user gave.
            kept: whether it is what :func:`changed` returned for an earlier value instead.

        Raises:
            ValueError: with one line that says what would be right.
        """
        if self.optional and text.lower() == "none":
            return None
        if self.given is not None and not kept:
            text = self.given(text)
        try:
            value = _PARSERS[self.kind](text)
        except ValueError:
            raise ValueError(f"{self.name}={shortened(text)}: expected {self.range_text}") from None
        self.check(value)
        return value

    def check(self, value: Any) -> None:
        """Raise ValueError if the value is outside the declared range."""
        wrong = bool(self.choices) and value not in self.choices
        if value is not None and not isinstance(value, str):
            low, high = (-math.inf if self.low is None else self.low), (math.inf if self.high is None else self.high)
            wrong = wrong or not low <= value <= high or (isinstance(value, float) and not math.isfinite(value))
        if wrong:
            raise ValueError(f"{self.name}={shortened(format_value(value))}: expected {self.range_text}")


def _bound_text(bound: float | None) -> str:
    """Return a bound of a range in full: a whole number without a point, never rounded."""
    if bound is None:
        return ""
    return str(int(bound)) if abs(bound) < 2**63 and bound == int(bound) else repr(bound)


def _parse_bool(text: str) -> bool:
    if text.lower() in ("true", "yes", "1", "on"):
        return True
    if text.lower() in ("false", "no", "0", "off"):
        return False
    raise ValueError(text)


_PARSERS: dict[str, Any] = {"bool": _parse_bool, "int": int, "float": float, "str": str}


def declared(cls: type) -> list[Declared]:
    """Return the declared fields of an options or parameters dataclass, in order.

    Raises:
        TypeError: a field was not made with :func:`option`, or its annotation is none of the four kinds.
    """
    result = []
    for field in dataclasses.fields(cls):
        annotation = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
        parts = [part.strip() for part in annotation.split("|")]
        kind = next((part for part in parts if part != "None"), "")
        if kind not in _PARSERS or "meaning" not in field.metadata:
            raise TypeError(f"{cls.__name__}.{field.name} must be a bool, int, float or str made with option(...)")
        result.append(
            Declared(
                name=field.name, kind=kind, optional="None" in parts, default=field.default, **dict(field.metadata)
            )
        )
    return result


def build(cls: type[T], values: Mapping[str, str], what: str, *, kept: bool = False) -> T:
    """Make an options or parameters object from texts.

    Args:
        cls: the dataclass.
        values: texts by field name; missing fields take their default.
        what: who is asking, for error messages ("connect4", "agent uct").
        kept: whether the texts are what :func:`changed` returned, not what a user gave.

    Raises:
        ValueError: with one line that names the wrong value and what would be right.
    """
    known = {field.name: field for field in declared(cls)}
    for name in values:
        if name not in known:
            raise ValueError(f"{what} has no option {name!r}; it has {', '.join(known) or 'none'}")
    try:
        return cls(**{name: known[name].parse(text, kept=kept) for name, text in values.items()})
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def changed(instance: Any) -> dict[str, str]:
    """Return the fields that differ from their default, as texts that :func:`build` reads."""
    return {
        field.name: format_value(getattr(instance, field.name))
        for field in declared(type(instance))
        if getattr(instance, field.name) != field.default
    }


def format_value(value: Any) -> str:
    """Return the text of a value that :meth:`Declared.parse` reads back."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
