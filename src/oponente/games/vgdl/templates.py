"""VGDL: sprites as they are when they have just been created, one of each type."""

from __future__ import annotations

from typing import Any

from oponente.games.vgdl.kinds import PATH_ALT_CHASER, RANDOM_PATH_ALT_CHASER
from oponente.games.vgdl.layout import BLANK, MORE

_NONE = -1
_LONG_AGO = -2
"""A tick before the first."""


def fill_templates(program: Any) -> None:
    """Write the templates of a program whose types are compiled; what a sprite is at and who it is comes later."""
    for number in range(int(program.n_types)):
        t, new = program.types[number], program.templates[number]
        new.type = number
        new.ox, new.oy, new.speed = t.ox, t.oy, t.speed
        new.w, new.h = t.w, t.h
        new.stamp = new.pulled = _LONG_AGO
        new.moved = new.begun = new.player = _NONE
        new.health, new.max_health, new.ttl = t.health, t.max_health, t.ttl
        new.next = new.previous = new.more = _NONE
        new.makes = _NONE if t.kind in (PATH_ALT_CHASER, RANDOM_PATH_ALT_CHASER) else t.stype
        new.fresh = 1
    blank = program.templates[BLANK]
    blank.type = MORE
    blank.next = blank.previous = blank.more = _NONE
