"""What is tuned: the parameters of an agent as a space of vectors.

The dataclass of an agent's parameters says which there are, and their ranges; nothing is known twice. An agent may
add two things:

``parameters.effective``
    values by name that are in force where a parameter is None (as in ``value``, whose weights come from a set).
``tuning_unit``
    what a step of 1 means. Without it, a step of 1 is a thousandth of a parameter's range, or where it has none a
    thousandth of its value.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Agent
from oponente.agents.spec import parse_spec
from oponente.kernel import Declared, Game, declared

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
    """``int``, ``float``, ``bool`` or ``str`` (one of `choices`)."""
    low: float
    high: float
    """Range of a number; infinite where there is no bound."""
    choices: tuple[Any, ...]
    """The values of what is no number."""
    start: Any
    unit: float

    @property
    def numeric(self) -> bool:
        """Whether it is a number."""
        return self.kind in ("int", "float")

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

    Raises:
        ValueError: a name is unknown or can't be tuned, or nothing is left to tune.
    """

    def __init__(self, agent: Agent, names: Iterable[str] | None = None, *, mixed: bool = False) -> None:
        self.agent = agent
        fields = {field.name: field for field in declared(agent.Parameters)}
        effective = getattr(agent.parameters, "effective", {})
        # What is no number stays as it is, and so do the parameters that change nothing beside it.
        idle = () if mixed else agent.idle()
        wanted = [name for name in fields if name not in idle] if names is None else list(names)
        self.parameters: list[Parameter] = []
        for name in wanted:
            if name not in fields:
                raise ValueError(f"agent {agent.name} has no parameter {name!r}; it has {', '.join(fields) or 'none'}")
            found = self._parameter(fields[name], effective.get(name, getattr(agent.parameters, name)))
            if found is None or not (found.numeric or mixed):
                if names is not None:
                    raise ValueError(f"agent {agent.name}: {name} has no number to start from")
            elif names is not None or name in effective or name not in LEFT_ALONE:
                self.parameters.append(found)
        if not self.parameters:
            raise ValueError(f"agent {agent.name} has no parameters that can be tuned")

    def _parameter(self, field: Declared, start: Any) -> Parameter | None:
        if field.kind == "bool":
            return Parameter(field.name, "bool", 0, 1, (False, True), bool(start), 1.0)
        if field.kind == "str":
            return Parameter(field.name, "str", 0, 0, field.choices, start, 1.0) if field.choices else None
        if start is None:
            return None
        low = float("-inf") if field.low is None else float(field.low)
        high = float("inf") if field.high is None else float(field.high)
        unit = getattr(type(self.agent), "tuning_unit", None)
        if unit is None:
            finite = high - low < float("inf")
            unit = (high - low if finite else max(abs(float(start)), 1.0)) / 1000.0
        return Parameter(field.name, field.kind, low, high, (), start, float(unit))

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

    def allows(self, values: Sequence[Any], game: Game) -> bool:
        """Tell whether values go together: whether an agent with them is one, and can play a game."""
        try:
            parse_spec(self.spec(values), [type(self.agent)]).check(game)
        except ValueError:
            return False
        return True

    def spec(self, values: Sequence[Any]) -> str:
        """Return the agent's spec for values, one for each parameter in their order.

        Raises:
            ValueError: they don't go together.
        """
        changes = dict(zip(self.names, values, strict=True))
        parameters = dataclasses.replace(self.agent.parameters, **changes)
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
        """Return what metrics tell of a population: mean and standard deviation of each parameter."""
        row: dict[str, float] = {}
        for name, column in zip(self.names, zip(*people, strict=True), strict=True):
            row[f"{name}_mean"] = statistics.fmean(column)
            row[f"{name}_sd"] = statistics.pstdev(column)
        return row

    def lines(self) -> list[str]:
        """Return the columns of :meth:`summary` that are drawn."""
        return [f"{name}_mean" for name in self.names]

    def tidy(self) -> None:
        """Remove what was written for individuals: here nothing."""
