"""Agent specs: ``name:key=value,key=value``, parsed and written.

A value without a key fills the parameters in their declared order; several such values are separated by ``:`` or ``,``
(``uct:1000`` is ``uct:iterations=1000``). A value in double quotes may hold commas, colons, equal signs and blanks;
a double quote inside it is written twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from oponente.agents.base import Agent, quote
from oponente.kernel import build, declared


class SpecError(ValueError):
    """A spec names no agent, or gives it a wrong parameter; the message says what would be right."""


def parse_spec(spec: str, agents: Iterable[type[Agent]]) -> Agent:
    """Return the agent that `spec` describes, one of the classes in `agents`.

    Raises:
        SpecError: with one line that says what is wrong and what would be right.
    """
    by_name = {agent.name: agent for agent in agents}
    name, values = split_spec(spec)
    agent = by_name.get(name)
    if agent is None:
        raise SpecError(f"there is no agent {name!r}; there are {', '.join(sorted(by_name))}")
    fields = [field.name for field in declared(agent.Parameters)]
    given: dict[str, str] = {}
    for position, (key, value) in enumerate(values):
        if key is None and any(earlier is not None for earlier, _ in values[:position]):
            raise SpecError(f"agent {name}: {value!r} needs its key, since it follows a value with one")
        if key is None:
            if position >= len(fields):
                raise SpecError(f"agent {name}: {value!r} is one value too many; its parameters are {_names(fields)}")
            key = fields[position]
        if key in given:
            raise SpecError(f"agent {name}: {key} is given twice")
        given[key] = value
    for key in agent.required:
        if key not in given:
            raise SpecError(f"agent {name} needs {key}: write {name}:{key}=VALUE")
    try:
        parameters: object = build(agent.Parameters, given, f"agent {name}")
    except ValueError as error:
        raise SpecError(str(error).replace("has no option", "has no parameter")) from None
    return agent(parameters)


def split_spec(spec: str) -> tuple[str, list[tuple[str | None, str]]]:
    """Split a spec into the agent's name and its values, each with its key or None.

    Raises:
        SpecError: a quote is not closed, or a value is empty.
    """
    name, separator, rest = spec.strip().partition(":")
    if not separator:
        return name, []
    values: list[tuple[str | None, str]] = []
    for part in _split_outside_quotes(rest, spec):
        key, equals, value = _partition_outside_quotes(part)
        if not part.strip():
            raise SpecError(f"{spec!r}: a value is missing; write {name}:key=value,key=value")
        values.append((key.strip(), _unquote(value)) if equals else (None, _unquote(part)))
    return name, values


def _split_outside_quotes(text: str, spec: str) -> list[str]:
    parts, quoted = [""], False
    for sign in text:
        if sign == '"':
            quoted = not quoted
        if sign in ",:" and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    if quoted:
        raise SpecError(f"{spec!r}: a double quote is not closed")
    return parts


def _partition_outside_quotes(part: str) -> tuple[str, bool, str]:
    before, equals, after = part.partition("=")
    return (before, True, after) if equals and '"' not in before else (part, False, "")


def _unquote(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] == '"':
        return value[1:-1].replace('""', '"')
    return value


def _names(fields: list[str]) -> str:
    return ", ".join(fields) if fields else "none"


def with_values(spec: str, values: Mapping[str, str], parameters: Sequence[str] = ()) -> str:
    """Return a spec with some parameters set to other values.

    Those that are set are written at the end. Values without a key stay where they are, but for those of parameters
    that are set: they go, and what follows them gets its key.

    Args:
        spec: the spec.
        values: by the name of the parameter.
        parameters: names of all parameters of the agent, in the order of values without a key.

    >>> with_values("uct:1000,c=1.4", {"c": "0.7", "final": "max"})
    'uct:1000,c=0.7,final=max'
    >>> with_values("uct:1000,1.4", {"iterations": "50"}, ("iterations", "c"))
    'uct:c=1.4,iterations=50'

    Raises:
        SpecError: a quote is not closed, or a value is empty.
    """
    name, given = split_spec(spec)
    kept: list[tuple[str | None, str]] = []
    dropped = False
    for position, (key, value) in enumerate(given):
        named = parameters[position] if key is None and position < len(parameters) else key
        if named in values:
            dropped = True
        else:
            kept.append((named if dropped else key, value))
    parts = [quote(value) if key is None else f"{key}={quote(value)}" for key, value in [*kept, *values.items()]]
    return f"{name}:{','.join(parts)}"
