"""VGDL: the parameters of a line, each read as what its place needs.

A value that does not fit is dropped with a warning and the default stays, as in the framework.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from oponente.games.vgdl.layout import COUNTERS, LARGEST
from oponente.games.vgdl.parser import Entry

MOST = 1e9
"""Numbers are smaller than that."""
_INT32 = range(-(2**31), 2**31)
"""What fits in a field of a program."""


class Values:
    """The parameters of `entry`.

    Args:
        entry: a class, effect or termination with its parameters.
        what: which of these it is, for messages.
        types: numbers of the types by name.
        resources: numbers of the resources by name.
        players: how many there are.
        warn: called with place and message.
    """

    def __init__(
        self,
        entry: Entry,
        what: str,
        types: Mapping[str, int],
        resources: Mapping[str, int],
        players: int,
        warn: Callable[[str, str], None],
    ) -> None:
        self.entry, self.what = entry, what
        self._types, self._resources, self._players, self._warn = types, resources, players, warn

    def _drop(self, key: str, expected: str) -> None:
        value = self.entry.values[key]
        self._warn(self.entry.where, f"{self.what} {self.entry.name}: {key}={value} is ignored: expected {expected}")

    def _get(self, key: str, default: Any, fits: Callable[[Any], bool], expected: str) -> Any:
        if key not in self.entry.values:
            return default
        value = self.entry.values[key]
        if fits(value):
            return value
        self._drop(key, expected)
        return default

    def integer(self, key: str, default: int) -> int:
        """Return an integer."""
        value: int = self._get(key, default, lambda v: type(v) is int and v in _INT32, "a whole number")
        return value

    def number(self, key: str, default: float) -> float:
        """Return a number."""
        found = self._get(key, default, lambda v: type(v) in (int, float) and abs(v) < MOST, "a number")
        return float(found)

    def positive(self, key: str, default: float) -> float:
        """Return a number above 0."""
        found = self._get(key, default, lambda v: type(v) in (int, float) and 1e-9 < v < MOST, "a number above 0")
        return float(found)

    def pixels(self, key: str, cell: int) -> int:
        """Return the size that a multiple of a cell's size makes."""
        expected = f"a number, {LARGEST:,} at most"
        fits = self._get(key, 1.0, lambda v: type(v) in (int, float) and abs(v) <= LARGEST, expected)
        return int(cell * fits)

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value: bool = self._get(key, default, lambda v: type(v) is bool, "True or False")
        return value

    def direction(self, key: str, default: tuple[float, float]) -> tuple[float, float]:
        """Return a direction."""
        value: tuple[float, float] = self._get(key, default, lambda v: isinstance(v, tuple), "UP, LEFT, DOWN or RIGHT")
        return value

    def names(self, key: str) -> list[str]:
        """Return a list of names, as commas separate them."""
        value: str = self._get(key, "", lambda v: isinstance(v, str), "names")
        return [name for name in value.split(",") if name]

    def types(self, key: str) -> list[int]:
        """Return the numbers of a list of types."""
        found = []
        for name in self.names(key):
            if name in self._types:
                found.append(self._types[name])
            else:
                self._warn(self.entry.where, f"{self.what} {self.entry.name}: {key}: there is no sprite {name!r}")
        return found

    def need(self, *keys: str, name: str | None = None) -> None:
        """Warn if none of several keys is given.

        Args:
            keys: one of them is needed.
            name: what needs it; None: the entry.
        """
        if keys and not any(key in self.entry.values for key in keys):
            needed = " or ".join(f"{key}=..." for key in keys)
            self._warn(self.entry.where, f"{name or f'{self.what} {self.entry.name}'} needs {needed}")

    def type(self, key: str) -> int:
        """Return the number of a type, -1 if none is given or it is not known."""
        found = self.types(key)
        return found[0] if found else -1

    def resources(self, key: str) -> list[int]:
        """Return the numbers of a list of resources, -1 for one that is none."""
        found = []
        for name in self.names(key):
            if name not in self._resources:
                self._warn(self.entry.where, f"{self.what} {self.entry.name}: {key}: {name!r} is no resource")
            found.append(self._resources.get(name, -1))
        return found

    def resource(self, key: str) -> int:
        """Return the number of a resource, -1 if none is given or it is not known."""
        found = self.resources(key)
        return found[0] if found else -1

    def per_player(self, key: str) -> list[float]:
        """Return a number for each player; a single one is for all."""
        if key not in self.entry.values:
            return [0.0] * self._players
        value = self.entry.values[key]
        try:
            numbers = [float(part) for part in str(value).split(",")]
        except ValueError:
            numbers = [math.nan]
        if not all(abs(number) < MOST for number in numbers):
            self._drop(key, "a number, or one for each player")
            return [0.0] * self._players
        if len(numbers) == 1:
            return numbers * self._players
        return (numbers + [0.0] * self._players)[: self._players]

    def counters(self, key: str) -> list[int]:
        """Return the entries of a list of whole numbers. A single number is none, as in the framework."""
        value: str = self._get(key, "", lambda v: isinstance(v, str), "a list with commas, one number for each counter")
        try:
            found = [int(part) for part in value.split(",") if part]
        except ValueError:
            found = [_INT32.stop]
        if not all(number in _INT32 for number in found):
            self._drop(key, "whole numbers with commas")
            return []
        return found[:COUNTERS]

    def players(self, key: str, *, missing: bool | None = None) -> int:
        """Return a flag for each player as bits.

        Args:
            key: the parameter.
            missing: what holds for players whom the list leaves out; None: what a single entry says is for all.
        """
        if key not in self.entry.values:
            return 0
        words = [part.strip().lower() for part in str(self.entry.values[key]).split(",")]
        if any(word not in ("true", "false") for word in words):
            what = f"{self.what} {self.entry.name}: {key}={self.entry.values[key]}"
            self._warn(self.entry.where, f"{what}: expected True or False, or one for each player; others mean False")
        entries = [word == "true" for word in words]
        if missing is None and len(entries) == 1:
            entries *= self._players
        return sum(1 << player for player, entry in enumerate(entries[: self._players]) if entry)
