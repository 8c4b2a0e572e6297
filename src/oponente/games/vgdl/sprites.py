"""VGDL: sprites and their groups: creation, removal, places, resources."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.contact import matters, note
from oponente.games.vgdl.layout import AMOUNTS, BLANK, EVENTS_BEGUN, FIXED, FREE, MORE, SLOTS, SPRITES
from oponente.kernel import njit, subroutine
from oponente.kernel.bits import bit

NONE = -1
"""No sprite: a slot or handle."""
TIME_HAS_COME = -2
"""No second sprite either, for effects of time; at the edge of the screen it is `NONE`."""
FIRST, SECOND, NOBODY = 0, 1, 3
"""Which of the stand-ins is used for what; 2 is the one of :mod:`oponente.games.vgdl.effects_on_all`."""
_6, _63, _1 = np.uint64(6), np.uint64(63), np.uint64(1)


# --- fixed sprites ---------------------------------------------------------------------------------------------------


@njit
def is_alive(game: Any, state: Any, number: Any) -> bool:
    """Tell whether a fixed sprite has not been removed."""
    if number >= game.program.n_mortal:
        return True
    return (state.alive[number >> 6] >> np.uint64(number & 63)) & _1 != 0


@subroutine
def stand_in(game: Any, state: Any, number: Any, which: Any) -> Any:
    """Return a fixed sprite in the form of others; `which` of the four places for such is used."""
    f = game.program.fixed[number]
    state.stand_in[which] = game.program.templates[f.type]
    s = state.stand_in[which]
    s.x, s.y, s.id = f.x, f.y, f.id
    return s


@njit
def sprite_of(game: Any, state: Any, handle: Any, which: Any) -> Any:
    """Return the sprite that a handle names; of a fixed one a copy."""
    if handle >= FIXED:
        return stand_in(game, state, handle - FIXED, which)
    return state.sprites[handle]


# --- groups ----------------------------------------------------------------------------------------------------------


@njit
def count_of(state: Any, number: Any) -> Any:
    """Return how many instances of exactly one type there are, killed avatars not counted."""
    group = state.group[number]
    return np.int64(group.count) + np.int64(group.fixed) - np.int64(group.disabled)


@subroutine
def count_family(game: Any, state: Any, number: Any) -> Any:
    """Return how many instances of a type and its subtypes there are, killed avatars not counted."""
    t = game.program.types[number]
    total = np.int64(0)
    for i in range(t.subtypes, t.subtypes + t.n_subtypes):
        total += count_of(state, game.program.ints[i])
    return total


@subroutine
def count_family_with_disabled(game: Any, state: Any, number: Any) -> Any:
    """Return the same with killed avatars."""
    t = game.program.types[number]
    total = np.int64(0)
    for i in range(t.subtypes, t.subtypes + t.n_subtypes):
        group = state.group[game.program.ints[i]]
        total += np.int64(group.count) + np.int64(group.fixed)
    return total


@subroutine
def take_slot(state: Any) -> Any:
    """Return a slot that is free, `NONE` if there is none."""
    slot = np.int64(state.free)
    if slot >= 0:
        state.free = state.sprites[slot].next
        return slot
    if state.slots >= SLOTS:
        state.failed = 1
        return np.int64(NONE)
    state.slots += 1
    return np.int64(state.slots - 1)


@njit
def free_slot(state: Any, slot: Any) -> None:
    """Give a slot back."""
    s = state.sprites[slot]
    s.type = FREE
    s.next = state.free
    state.free = slot


@subroutine
def may_create(game: Any, state: Any, number: Any) -> bool:
    """Tell whether a singleton stands in the way of a new sprite of the type."""
    t = game.program.types[number]
    for i in range(t.singletons, t.singletons + t.n_singletons):
        if count_family_with_disabled(game, state, game.program.ints[i]) > 0:
            return False
    return True


@subroutine
def create(game: Any, state: Any, number: Any, x: Any, y: Any) -> Any:
    """Create a sprite unless a singleton stands in the way; return its slot, `NONE` if there is none."""
    if number < 0 or not may_create(game, state, number):
        return np.int64(NONE)
    return create_anyway(game, state, number, x, y)


@subroutine
def create_anyway(game: Any, state: Any, number: Any, x: Any, y: Any) -> Any:
    """Create a sprite if there is room for it; return its slot, `NONE` if there is none."""
    if number < 0 or game.program.types[number].kind < 0:
        return np.int64(NONE)
    if state.count > SPRITES:
        state.refused += 1
        return np.int64(NONE)
    slot = take_slot(state)
    if slot < 0:
        return slot
    state.sprites[slot] = game.program.templates[number]
    s = state.sprites[slot]
    s.x, s.y = x, y
    s.before_x, s.before_y = x, y
    s.id = state.next_id
    state.next_id += 1
    state.count += 1
    # What is visited later in this tick counts the tick.
    s.moved = state.tick - 1 if game.program.types[number].place > state.visiting else state.tick
    group = state.group[number]
    if group.count == 0:
        group.head = slot
    else:
        s.previous = group.tail
        state.sprites[group.tail].next = slot
    group.tail = slot
    group.count += 1
    if state.visiting >= EVENTS_BEGUN and matters(game, s):
        note(game, state, s)
    return slot


@njit
def is_dead(state: Any, handle: Any) -> bool:
    """Tell whether a sprite is removed at the end of the tick."""
    if handle >= FIXED:
        number = handle - FIXED
        return (state.dying[number >> 6] >> np.uint64(number & 63)) & _1 != 0
    return state.sprites[handle].dead != 0


@subroutine
def remove(state: Any, handle: Any) -> None:
    """Let a sprite be removed at the end of the tick."""
    if handle < 0:
        return
    if is_dead(state, handle):
        # The framework counts a sprite down as often as it is killed (seen in its recordings).
        state.killed_again += 1
        return
    if handle >= FIXED:
        number = handle - FIXED
        state.dying[number >> 6] |= bit(number & 63)
    else:
        state.sprites[handle].dead = 1
    state.killed[state.n_killed] = handle
    state.n_killed += 1


@subroutine
def kill(game: Any, state: Any, handle: Any) -> None:
    """Kill a sprite: an avatar is only disabled, others are removed at the end of the tick."""
    if 0 <= handle < FIXED:
        s = state.sprites[handle]
        if game.program.types[s.type].avatar:
            disable(state, s)
            return
    remove(state, handle)


@njit
def disable(state: Any, s: Any) -> None:
    """Disable an avatar."""
    if s.disabled == 0:
        if s.stamp != state.tick:
            s.before_x, s.before_y = s.x, s.y
        s.disabled = 1
        state.group[s.type].disabled += 1


@subroutine
def clear(game: Any, state: Any) -> None:
    """Remove the sprites that were killed in this tick."""
    state.count -= state.n_killed + state.killed_again
    for i in range(state.n_killed):
        handle = np.int64(state.killed[i])
        if handle >= FIXED:
            number = handle - FIXED
            state.alive[number >> 6] &= ~bit(number & 63)
            state.group[game.program.fixed[number].type].fixed -= 1
        else:
            unlink(state, handle)


@subroutine
def unlink(state: Any, slot: Any) -> None:
    """Take a sprite out of its group and give back its slots."""
    s = state.sprites[slot]
    group = state.group[s.type]
    if s.previous >= 0:
        state.sprites[s.previous].next = s.next
    else:
        group.head = s.next
    if s.next >= 0:
        state.sprites[s.next].previous = s.previous
    else:
        group.tail = s.previous
    group.count -= 1
    if s.disabled:
        group.disabled -= 1
    more = np.int64(s.more)
    while more >= 0:
        following = np.int64(state.sprites[more].more)
        free_slot(state, more)
        more = following
    free_slot(state, slot)


# --- places ----------------------------------------------------------------------------------------------------------


@njit
def before_x(state: Any, s: Any) -> Any:
    """Return where the sprite was at the start of the tick, across."""
    return np.int64(s.before_x) if s.stamp == state.tick or s.disabled else np.int64(s.x)


@njit
def before_y(state: Any, s: Any) -> Any:
    """Return the same downwards."""
    return np.int64(s.before_y) if s.stamp == state.tick or s.disabled else np.int64(s.y)


@njit
def displace(s: Any, tick: Any, x: Any, y: Any) -> None:
    """Put a sprite elsewhere before the events of a tick."""
    if s.stamp != tick and s.disabled == 0:
        s.before_x, s.before_y = s.x, s.y
        s.stamp = tick
    s.x, s.y = x, y


@njit
def place(game: Any, state: Any, s: Any, x: Any, y: Any) -> None:
    """Put a sprite elsewhere."""
    displace(s, state.tick, x, y)
    if state.visiting >= EVENTS_BEGUN and matters(game, s):
        note(game, state, s)


# --- resources -------------------------------------------------------------------------------------------------------


@subroutine
def amount_of(state: Any, s: Any, resource: Any) -> Any:
    """Return how much of a resource a sprite holds."""
    if resource < 0:
        return np.int64(0)
    r = np.int64(resource)
    if r < AMOUNTS:
        return np.int64(s.amounts[r])
    more = np.int64(s.more)
    r -= AMOUNTS
    while more >= 0 and r >= AMOUNTS:
        more = np.int64(state.sprites[more].more)
        r -= AMOUNTS
    return np.int64(state.sprites[more].amounts[r]) if more >= 0 else np.int64(0)


@subroutine
def change_amount(game: Any, state: Any, s: Any, resource: Any, change: Any) -> None:
    """Give a sprite more of a resource, or take of it what it has."""
    if resource < 0:
        return
    r = np.int64(resource)
    if r < AMOUNTS:
        s.amounts[r] = max(0, s.amounts[r] + change)
        return
    r -= AMOUNTS
    if s.more < 0:
        s.more = more_amounts(game, state)
    slot = np.int64(s.more)
    while r >= AMOUNTS and slot >= 0:
        if state.sprites[slot].more < 0:
            added = more_amounts(game, state)
            state.sprites[slot].more = added
        slot = np.int64(state.sprites[slot].more)
        r -= AMOUNTS
    if slot >= 0:
        kept = state.sprites[slot]
        kept.amounts[r] = max(0, kept.amounts[r] + change)


@njit
def more_amounts(game: Any, state: Any) -> Any:
    """Return a slot for the amounts that a sprite's record has no room for."""
    slot = take_slot(state)
    if slot >= 0:
        state.sprites[slot] = game.program.templates[BLANK]
        state.sprites[slot].type = MORE
    return slot
