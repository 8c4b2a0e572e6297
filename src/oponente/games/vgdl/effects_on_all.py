"""VGDL: effects on all sprites of a type, or on all there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.layout import FIXED
from oponente.games.vgdl.sprites import (
    before_x,
    before_y,
    create_anyway,
    is_alive,
    kill,
    place,
    stand_in,
)
from oponente.games.vgdl.transforming import carry_over, retire
from oponente.kernel import njit, subroutine


@subroutine
def kill_all(game: Any, state: Any, number: Any) -> None:
    """Kill every instance of exactly one type."""
    if number < 0:
        return
    p = game.program
    t = p.types[number]
    for j in range(t.fixed, t.fixed + t.n_fixed):
        if is_alive(game, state, np.int64(p.by_type[j])):
            kill(game, state, np.int64(p.by_type[j]) + FIXED)
    if state.group[number].count > 0:
        slot = np.int64(state.group[number].head)
        while slot >= 0:
            kill(game, state, slot)
            slot = np.int64(state.sprites[slot].next)


@subroutine
def transform_all(game: Any, state: Any, number: Any, into: Any, force: Any) -> None:
    """Transform every instance of exactly one type, singletons too."""
    if number < 0 or into < 0:
        return
    p = game.program
    t = p.types[number]
    newcomers = state.next_id
    for j in range(t.fixed, t.fixed + t.n_fixed):
        fixed = np.int64(p.by_type[j])
        if is_alive(game, state, fixed):
            replace(game, state, fixed + FIXED, stand_in(game, state, fixed, 2), into, force)
    if state.group[number].count > 0:
        slot = np.int64(state.group[number].head)
        while slot >= 0 and state.sprites[slot].id < newcomers:
            replace(game, state, slot, state.sprites[slot], into, force)
            slot = np.int64(state.sprites[slot].next)


@njit
def replace(game: Any, state: Any, handle: Any, old: Any, into: Any, force: Any) -> None:
    """Transform one sprite, whether or not a singleton stands in the way."""
    slot = create_anyway(game, state, into, old.x, old.y)
    if slot >= 0:
        carry_over(game, state, old, slot, force)
        retire(game, state, handle, old, slot)


@njit
def retire_to_singleton(game: Any, state: Any, number: Any, into: Any) -> None:
    """Make room for a new one of a type that may have one instance: those that exist become another type."""
    transform_all(game, state, number, into, np.uint8(0))


@subroutine
def undo_all(game: Any, state: Any, e: Any) -> None:
    """Put all sprites where they were at the start of the tick, those of some types apart."""
    p = game.program
    for slot in range(state.slots):
        s = state.sprites[slot]
        if s.type < 0:
            continue
        spared = False
        for i in range(e.others, e.others + e.n_others):
            spared = spared or p.ints[i] == s.type
        if not spared:
            x, y = before_x(state, s), before_y(state, s)
            if x != s.x or y != s.y:
                place(game, state, s, x, y)


@subroutine
def replace_spawned(game: Any, state: Any, spawners: Any, number: Any, instead_of: Any) -> None:
    """Let all spawners of a type make another type from now on; one that draws from a list, instead of one in it."""
    if spawners < 0 or number < 0:
        return
    p = game.program
    family = p.types[spawners]
    for j in range(family.subtypes, family.subtypes + family.n_subtypes):
        t = p.types[p.ints[j]]
        if state.group[p.ints[j]].count == 0:
            continue
        slot = np.int64(state.group[p.ints[j]].head)
        while slot >= 0:
            s = state.sprites[slot]
            if t.kind == k.BOMBER_RANDOM_MISSILE:
                for i in range(t.n_others):
                    now = s.replaced[i] - 1 if s.replaced[i] > 0 else p.ints[t.others + i]
                    if now == instead_of:
                        s.replaced[i] = number + 1
            elif k.SPAWN_POINT <= t.kind <= k.RANDOM_BOMBER:
                s.makes = number
            slot = np.int64(s.next)


@subroutine
def change_speeds(game: Any, state: Any, e: Any) -> None:
    """Change the speed of all sprites of a type and its subtypes."""
    if e.stype < 0:
        return
    t = game.program.types[e.stype]
    for i in range(t.subtypes, t.subtypes + t.n_subtypes):
        group = state.group[game.program.ints[i]]
        if group.count == 0:
            continue
        slot = np.int64(group.head)
        while slot >= 0:
            s = state.sprites[slot]
            if e.kind == k.E_INCREASE_SPEED_TO_ALL:
                s.speed += e.number
            elif e.kind == k.E_DECREASE_SPEED_TO_ALL:
                s.speed = max(0.0, s.speed - e.number)
            else:
                s.speed = max(0.0, e.number)
            slot = np.int64(s.next)
