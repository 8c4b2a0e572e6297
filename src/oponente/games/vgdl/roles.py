"""VGDL: what a description can do to which sprites, found before a game is played.

A sprite that can't move or change need not be in the state, and one that can't even vanish need not be copied at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oponente.games.vgdl.classes import ClassFacts
from oponente.games.vgdl.layout import FREELY, ON_GRID
from oponente.games.vgdl.parser import EDGE, TIME, Description, Entry

AT_REST = frozenset({"Immovable", "Door", "Passive", "Resource", "ResourcePack", "Portal"})
"""Classes whose sprites do nothing."""

_CHANGE_FIRST = frozenset(
    [
        "bounceForward",
        "pullWithIt",
        "wrapAround",
        "turnAround",
        "reverseDirection",
        "flipDirection",
        "attractGaze",
        "align",
        "teleportToExit",
        "changeResource",
        "addHealthPoints",
        "addHealthPointsToMax",
        "halfSpeed",
        "waterPhysics",
        "wallStop",
        "wallBounce",
        "wallReverse",
        "bounceDirection",
        "spawnIfHasMore",
    ]
)
"""Effects that change the first sprite otherwise than by removing it. (Stepping back changes none that never moves.)"""
_CHANGE_SECOND = frozenset(["collectResource", "collectResourceIfHeld", "killIfOtherHasMore", "transformToSingleton"])
_CHANGE_NAMED = frozenset(["increaseSpeedToAll", "decreaseSpeedToAll", "setSpeedForAll", "subtractHealthPoints"])
"""Effects that change sprites of the type `stype`."""
_KILL_FIRST = frozenset(
    [
        "killSprite",
        "killBoth",
        "killIfAlive",
        "killIfHasMore",
        "killIfHasLess",
        "killIfOtherHasMore",
        "killIfFromAbove",
        "killIfFrontal",
        "killIfNotFrontal",
        "killIfSlow",
        "killIfFast",
        "killIfNotUpright",
        "transformTo",
        "transformToSingleton",
        "transformToRandomChild",
        "transformIfCount",
        "collectResource",
        "collectResourceIfHeld",
        "teleportToExit",
        "subtractHealthPoints",
    ]
)
_KILL_SECOND = frozenset({"killBoth"})
_MOVE_OTHERS = frozenset({"undoAll", "addTimer"})


def _effects(description: Description) -> Iterator[tuple[Entry, list[str], list[str]]]:
    """Yield each effect, those that addTimer queues too, with the names of its firsts and of its seconds."""
    for interaction in description.interactions:
        seconds = [name for name in interaction.seconds if name not in (EDGE, TIME)]
        # Of the edge and of time the other side is the first, wherever it stands.
        firsts = seconds if interaction.first in (EDGE, TIME) else [interaction.first]
        entry = interaction.effect
        yield entry, firsts, seconds
        if entry.name == "addTimer":
            yield Entry(str(entry.values.get("ftype", "")), entry.values, entry.where), [], []


def _families(description: Description, names: list[str]) -> Iterator[str]:
    for name in names:
        yield from description.subtypes.get(name, [])


def _named(entry: Entry, *keys: str) -> list[str]:
    return [name for key in keys for name in str(entry.values.get(key, "")).split(",")]


def changed_types(description: Description) -> set[str]:
    """Return the names of the types whose sprites an effect may change otherwise than by removing them."""
    found: set[str] = set()
    for entry, firsts, seconds in _effects(description):
        if entry.name in _CHANGE_FIRST or (entry.name == "subtractHealthPoints" and "stype" not in entry.values):
            found.update(_families(description, firsts))
        if entry.name in _CHANGE_SECOND:
            found.update(_families(description, seconds))
        if entry.name in _CHANGE_NAMED:
            found.update(_families(description, _named(entry, "stype")))
    return found


def mortal_types(description: Description, names: list[str]) -> set[int]:
    """Return the numbers of the types whose sprites an effect may remove."""
    found: set[str] = set()
    for entry, firsts, seconds in _effects(description):
        if entry.name in _KILL_FIRST:
            found.update(_families(description, firsts))
        if entry.name in _KILL_SECOND or entry.values.get("killSecond") is True or "killResource" in entry.values:
            found.update(_families(description, seconds))
        if entry.name in ("killAll", "transformToAll", "transformToSingleton", "subtractHealthPoints"):
            found.update(_families(description, _named(entry, "stype")))
    return {names.index(name) for name in found}


def fixed_types(description: Description, program: Any, names: list[str], facts: list[ClassFacts | None]) -> set[int]:
    """Return the numbers of the types whose sprites never move or change: at most they vanish."""
    changed = changed_types(description)
    found = set()
    for number, name in enumerate(names):
        t, sprite = program.types[number], description.sprites[name]
        if facts[number] is None or sprite.kind not in AT_REST or name in changed:
            continue
        drifts = t.passive == FREELY or (t.passive == ON_GRID and t.oriented and t.speed != 0)
        one_cell = t.w == program.cell and t.h == program.cell
        if t.ttl < 0 and not drifts and one_cell:
            found.add(number)
    return found


def moves_others(entry: Entry) -> bool:
    """Tell whether an effect may move sprites other than the first."""
    return entry.name in _MOVE_OTHERS
