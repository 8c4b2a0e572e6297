"""Checks of names and constants, which need no play."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from oponente.kernel import Game
from oponente.testing.probe import Probe
from oponente.testing.sample import Sample, open_actions_of

_PARAMETERS = {
    "initial": 3,
    "player": 2,
    "actions": 3,
    "legal": 3,
    "apply": 3,
    "chance": 4,
    "sample_chance": 3,
    "sample_action": 4,
    "copy_state": 4,
    "hash_state": 4,
    "returns": 3,
    "observed": 4,
    "determinize": 4,
    "reseed": 3,
    "encode": 4,
}


def check_constants(sample: Sample) -> None:
    """Names, constants and the functions that they ask for."""
    game = sample.game
    rules = game.rules
    probe = Probe(game, "constants")
    for name, low in (("MAX_ACTIONS", 1), ("MAX_CHANCE", 0), ("ENCODING", 0)):
        value = getattr(rules, name, low)
        probe.require(
            isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= low,
            f"{name} is {value!r}; expected an int, at least {low}",
        )
    for name in ("OPEN_ACTIONS", "SAMPLED_CHANCE", "HIDDEN_INFORMATION", "SIMULTANEOUS"):
        value = getattr(rules, name, False)
        probe.require(isinstance(value, bool), f"{name} is {value!r}; expected True or False")
    probe.require(
        isinstance(rules.NAME, str) and rules.NAME and rules.NAME.lower() == rules.NAME,
        f"NAME is {rules.NAME!r}; expected a lower-case word",
    )
    least, greatest = game.utility
    probe.require(
        math.isfinite(least) and math.isfinite(greatest) and least < greatest,
        f"UTILITY is {game.utility}; expected (least, greatest), least below greatest",
    )
    probe.require(
        issubclass(game.state_dtype.type, np.record) and all(dtype.type is not np.void for dtype in _scalars(game)),
        "State is no record with fields as attributes; make it with record(...)",
    )
    hidden = [name for name in game.state_dtype.names or () if hasattr(np.record, name)]
    probe.require(not hidden, f"fields of State have names of methods of NumPy's records: {hidden}")
    # NumPy copies records field by field.
    probe.require(
        sum(entry[0].itemsize for entry in (game.state_dtype.fields or {}).values()) == game.state_dtype.itemsize,
        "State has gaps between its fields, which copies leave unwritten; make it with record(...), which fills them",
    )
    for name, parameters in _PARAMETERS.items():
        function = getattr(rules, name, None)
        if function is None:
            continue
        found = len(inspect.signature(getattr(function, "py_func", function)).parameters)
        probe.require(found == parameters, f"{name} has {found} parameters; expected {parameters}")
    needed = [
        ("chance", game.max_chance > 0, "MAX_CHANCE is not 0"),
        ("legal", game.open_actions, "OPEN_ACTIONS"),
        ("reseed", game.sampled_chance, "SAMPLED_CHANCE"),
        ("encode", game.encoding > 0, "ENCODING is not 0"),
        ("determinize", not game.perfect_information, "HIDDEN_INFORMATION or SIMULTANEOUS"),
        ("observed", game.simultaneous, "SIMULTANEOUS"),
    ]
    for name, wanted, because in needed:
        probe.require(not wanted or hasattr(rules, name), f"the game lacks {name}, which it must define: {because}")
    probe.require(
        not game.open_actions or open_actions_of(game) is not None,
        "OPEN_ACTIONS without open_actions(state) in the module of notation or of rules, which yields some of them: "
        "without it nothing would try them",
    )


def _scalars(game: Game) -> list[np.dtype[Any]]:
    fields: Any = game.state_dtype.fields or {}
    return [entry[0].base for entry in fields.values() if entry[0].base.names is None]
