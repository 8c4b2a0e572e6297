"""What is tuned: the parameters of an agent as a space of vectors.

The dataclass of an agent's parameters says which there are, and their ranges; nothing is known twice. An agent may
add ``parameters.effective``: values by name that are in force where a parameter is None (as in ``value``, whose weights
come from a set).

Numbers are moved in *units*. How far one goes, :func:`~oponente.kernel.options.option` says:

``log``
    the number is tuned by factors: 100 units double it. Where it may be 0, that is true of the number and 1 more. Its
    *coordinate*, in which numbers are crossed and their mean is taken, is then the logarithm; else the number itself.
``span``
    a thousandth of that.
neither
    a thousandth of the range. A range of more than a thousand times the start value, which then says nothing of what
    makes sense, and one without bounds are left out of account: then it is a thousandth of the start value, or of 1 if
    that is greater.

100 units are at least 1 where numbers are whole.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Agent
from oponente.agents.spec import parse_spec
from oponente.kernel import Declared, Game, declared

WIDE = 1000.0
"""A range of more than so many times the start value says nothing of what makes sense."""
_GREATEST_EXPONENT = 700.0
"""Of e, for a double."""
BUDGETS = frozenset(
    ("iterations", "time", "nodes", "depth", "samples", "worlds", "threads", "capacity", "table", "belief_samples")
)
"""Parameters that say how much an agent may do, not how."""
LEFT_ALONE = BUDGETS | {"cheat", "keep", "parallel", "pending", "recycle", "restart", "reuse", "squash"}
"""Parameters that are tuned only where they are named: budgets, how a machine or a program serves, and what an honest
agent does without."""


@dataclass(frozen=True)
class Parameter:
    """A parameter that is tuned."""

    name: str
    kind: str
    """``int``, ``float``, ``bool`` or ``str``."""
    low: float
    high: float
    """Range of a number; infinite where there is no bound."""
    choices: tuple[Any, ...]
    """The values to choose from: those that are named, or where none are and it is no number, all that it has."""
    start: Any
    unit: float
    """How far a step goes; on a log scale, of the logarithm."""
    shift: float | None = None
    """What is added to a number on a log scale before its logarithm is taken; None: it is on none."""

    @property
    def numeric(self) -> bool:
        """Whether it is a number."""
        return self.kind in ("int", "float")

    def coordinate(self, value: float) -> float:
        """Return where a number is on the scale: itself, or on a log scale its logarithm."""
        return float(value) if self.shift is None else math.log(value + self.shift)

    def at(self, coordinate: float) -> float:
        """Return the number at a coordinate: the opposite of :meth:`coordinate`."""
        return coordinate if self.shift is None else math.exp(min(coordinate, _GREATEST_EXPONENT)) - self.shift

    def place(self, value: float) -> float:
        """Return where a number is on the scale, in units."""
        return self.coordinate(value) / self.unit

    def number(self, place: float) -> float:
        """Return the number at a place, in units: the opposite of :meth:`place`."""
        return self.at(place * self.unit)

    def moved(self, value: float, steps: float) -> float:
        """Return a number so many units away from another one."""
        far = self.unit * steps
        if self.shift is None:
            return value + far
        return (value + self.shift) * math.exp(min(far, _GREATEST_EXPONENT)) - self.shift

    def fitted(self, value: float) -> Any:
        """Return the allowed value next to a number."""
        inside = min(self.high, max(self.low, float(value)))
        return round(inside) if self.kind == "int" else inside


class Space:
    """The parameters of an agent that are tuned, and the agent's specs for values of them.

    Args:
        agent: with the parameters that stay as they are; the others start from its values.
        names: which ones; None: all numbers that have a value, change something and are not :data:`LEFT_ALONE`.
        mixed: whether switches and words are tuned, too, by default all that are not :data:`LEFT_ALONE`.
        values: texts of the values to choose from, by name of what is tuned; only if `mixed`.

    Raises:
        ValueError: a name is unknown or can't be tuned, a value is wrong, or nothing is left to tune.
    """

    def __init__(
        self,
        agent: Agent,
        names: Iterable[str] | None = None,
        *,
        mixed: bool = False,
        values: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.agent = agent
        values = values or {}
        fields = {field.name: field for field in declared(agent.Parameters)}
        effective = getattr(agent.parameters, "effective", {})
        # What is no number stays as it is, and so do the parameters that change nothing beside it.
        idle = () if mixed else agent.idle()
        wanted = [name for name in fields if name not in idle] if names is None else list(names)
        self.parameters: list[Parameter] = []
        self._texts = {
            name for name in values if name in fields and fields[name].kind == "str" and not fields[name].choices
        }
        for name in wanted:
            if name not in fields:
                raise ValueError(f"agent {agent.name} has no parameter {name!r}; it has {', '.join(fields) or 'none'}")
            start = effective.get(name, getattr(agent.parameters, name))
            found = self._chosen(fields[name], start, values[name]) if name in values else None
            found = found or self._parameter(fields[name], start)
            if found is None or not (found.numeric or mixed):
                if names is not None:
                    raise ValueError(f"agent {agent.name}: {_missing(fields[name], mixed)}")
            elif names is not None or name in effective or name not in LEFT_ALONE:
                self.parameters.append(found)
        if not self.parameters:
            raise ValueError(f"agent {agent.name} has no parameters that can be tuned")

    def _chosen(self, field: Declared, start: Any, texts: Sequence[str]) -> Parameter:
        """Return a parameter of which some values are to be tried."""
        try:
            read = tuple(field.parse(text) for text in texts)
        except ValueError as error:
            raise ValueError(f"agent {self.agent.name}: {error}") from None
        again = next((text for i, text in enumerate(texts) if read[i] in read[:i]), None)
        if again is not None:
            raise ValueError(f"agent {self.agent.name}: {field.name}={','.join(texts)} has a value twice ({again})")
        return Parameter(field.name, field.kind, 0, 0, read, start, 1.0)

    def _parameter(self, field: Declared, start: Any) -> Parameter | None:
        """Return a parameter as it is declared; None if it is a text of any kind, or a number without a start."""
        if field.kind == "bool":
            choices = (None, False, True) if field.optional else (False, True)
            return Parameter(field.name, "bool", 0, 1, choices, start, 1.0)
        if field.kind == "str":
            return Parameter(field.name, "str", 0, 0, field.choices, start, 1.0) if field.choices else None
        if start is None:
            return None
        low = float("-inf") if field.low is None else float(field.low)
        high = float("inf") if field.high is None else float(field.high)
        if field.log:
            shift = 0.0 if low > 0.0 else 1.0
            return Parameter(field.name, field.kind, low, high, (), start, math.log(2.0) / 100.0, shift)
        span, about = field.span, max(abs(float(start)), 1.0)
        if span is None:
            span = high - low if high - low <= WIDE * about else about
        unit = max(span / 1000.0, 0.01 if field.kind == "int" else 0.0)
        return Parameter(field.name, field.kind, low, high, (), start, unit)

    @property
    def names(self) -> list[str]:
        """The names of the parameters."""
        return [parameter.name for parameter in self.parameters]

    @property
    def start(self) -> list[Any]:
        """The values that tuning starts from."""
        return [parameter.start for parameter in self.parameters]

    def fitted(self, values: Sequence[float]) -> list[Any]:
        """Return the allowed values next to some numbers."""
        return [parameter.fitted(value) for parameter, value in zip(self.parameters, values, strict=True)]

    def coordinates(self, values: Sequence[float]) -> list[float]:
        """Return where numbers are on their scales: one for each parameter."""
        return [parameter.coordinate(value) for parameter, value in zip(self.parameters, values, strict=True)]

    def at(self, coordinates: Sequence[float]) -> list[float]:
        """Return the numbers at some coordinates: one for each parameter."""
        return [parameter.at(value) for parameter, value in zip(self.parameters, coordinates, strict=True)]

    def mean(self, people: Sequence[Sequence[float]]) -> list[float]:
        """Return the coordinates of the mean of some individuals: on a log scale that is the geometric mean."""
        return [statistics.fmean(column) for column in zip(*map(self.coordinates, people), strict=True)]

    def numbers(self, places: Sequence[float]) -> list[float]:
        """Return the numbers at some places, in units: one for each parameter."""
        return [parameter.number(float(place)) for parameter, place in zip(self.parameters, places, strict=True)]

    def allows(self, values: Sequence[Any], game: Game) -> bool:
        """Tell whether values go together: whether an agent with them is one, and can play a game."""
        try:
            parse_spec(self.spec(values), [type(self.agent)]).check(game)
        except ValueError:
            return False
        return True

    def check_named(self, game: Game) -> None:
        """Refuse named texts that no agent takes, such as a playout policy that a game does not have.

        Each is tried beside the start values, and then with one or two of the others changed: it may need another
        value, or change nothing without it. Numbers, switches and words of a fixed list are not tried: any may do
        beside some others.

        Raises:
            ValueError: what the agent says of such a value.
        """
        for place, parameter in enumerate(self.parameters):
            if parameter.name in self._texts:
                for choice in parameter.choices:
                    self._check_choice(place, choice, game)

    def _check_choice(self, place: int, choice: Any, game: Game) -> None:
        """Raise ValueError if no agent takes a text for a parameter."""
        first: ValueError | None = None
        for values in self._beside(place, choice):
            try:
                if self.names[place] in type(self.agent)(self._changed(values)).idle():
                    continue  # it is left out then, and may be anything
                parse_spec(self.spec(values), [type(self.agent)]).check(game)
                return
            except ValueError as error:
                first = first or error
        if first is not None:
            raise first

    def _beside(self, place: int, choice: Any) -> Iterator[list[Any]]:
        """Yield the start values with a value at a place, and none, one or two of the others changed."""
        others = [i for i, parameter in enumerate(self.parameters) if i != place and parameter.choices]
        for count in range(3):
            for places in itertools.combinations(others, count):
                for chosen in itertools.product(*(self.parameters[i].choices for i in places)):
                    values = self.start
                    for i, value in ((place, choice), *zip(places, chosen, strict=True)):
                        values[i] = value
                    yield values

    def _changed(self, values: Sequence[Any]) -> Any:
        """Return the agent's parameters with values."""
        return dataclasses.replace(self.agent.parameters, **dict(zip(self.names, values, strict=True)))

    def spec(self, values: Sequence[Any]) -> str:
        """Return the agent's spec for values, one for each parameter in their order.

        Raises:
            ValueError: they don't go together.
        """
        parameters = self._changed(values)
        unused = type(self.agent)(parameters).idle()
        defaults = {field.name: field.default for field in dataclasses.fields(parameters) if field.name in unused}
        return type(self.agent)(dataclasses.replace(parameters, **defaults)).spec

    def by_name(self, values: Sequence[Any]) -> dict[str, Any]:
        """Return values by name as ``best.json`` holds them.

        Of an agent with values that are in force otherwise (``effective``) these are all, and no others: so the file is
        one of weights.
        """
        found = dict(zip(self.names, values, strict=True))
        effective = getattr(self.agent.parameters, "effective", None)
        return found if effective is None else {name: found.get(name, old) for name, old in effective.items()}

    def summary(self, people: Sequence[Sequence[Any]]) -> dict[str, float]:
        """Return what metrics tell of a population: mean, on its scale, and standard deviation of each parameter."""
        row: dict[str, float] = {}
        columns = zip(*people, strict=True)
        for name, mean, column in zip(self.names, self.at(self.mean(people)), columns, strict=True):
            row[f"{name}_mean"] = mean
            row[f"{name}_sd"] = statistics.pstdev(column)
        return row

    def lines(self) -> list[str]:
        """Return the columns of :meth:`summary` that are drawn."""
        return [f"{name}_mean" for name in self.names]

    def tidy(self) -> None:
        """Remove what was written for individuals: here nothing."""


def _missing(field: Declared, mixed: bool) -> str:
    """Return in words what a parameter lacks to be tuned."""
    if not mixed:
        return f"{field.name} has no number to start from"
    if field.kind == "str":
        return f"{field.name} is a text of any kind: name the values to try, as in {field.name}=A,B"
    return f"{field.name} has no number to start from: name the values to try, as in {field.name}=1,2"
