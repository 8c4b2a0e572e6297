"""VGDL: what sprites that are no avatars do in a tick.

Types are visited in the reverse of the order in which they are drawn, the instances of a type in order of creation. A
sprite that is created meanwhile is visited if its type is still to come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.chasing import chase, follow_path, wander
from oponente.games.vgdl.layout import ON_GRID
from oponente.games.vgdl.lcg import next_double, next_float, next_int
from oponente.games.vgdl.motion import active_move, direction_x, direction_y, drift, drift_on_grid
from oponente.games.vgdl.sprites import NONE, create, kill
from oponente.games.vgdl.walking import walk
from oponente.kernel import njit, subroutine


@subroutine
def update_sprites(game: Any, state: Any) -> None:
    """Let all sprites act that are no avatars."""
    p = game.program
    for i in range(p.n_updates):
        number = np.int64(p.updates[i])
        group = state.group[number]
        if group.count == 0:
            continue
        state.visiting = p.types[number].place
        newcomers = state.next_id
        if only_drifts(game, number):
            drift_all(game, state, number, newcomers)
            continue
        slot = np.int64(group.head)
        while slot >= 0 and state.sprites[slot].id < newcomers:
            update(game, state, slot)
            slot = np.int64(state.sprites[slot].next)


@njit
def only_drifts(game: Any, number: Any) -> bool:
    """Tell whether all that the sprites of a type do is to move along, on the grid, until they are too old."""
    t = game.program.types[number]
    if t.passive != ON_GRID or t.lingers:
        return False
    return t.kind <= k.ERRATIC_MISSILE and t.kind != k.RANDOM_MISSILE


@subroutine
def drift_all(game: Any, state: Any, number: Any, newcomers: Any) -> None:
    """Let all sprites act of a type that only drifts: as :func:`update` does with one, and faster."""
    t = game.program.types[number]
    tick, cell, oriented, cooldown = state.tick, game.program.cell, t.oriented, t.cooldown
    slot = np.int64(state.group[number].head)
    while slot >= 0 and state.sprites[slot].id < newcomers:
        s = state.sprites[slot]
        drift_on_grid(s, tick, cell, oriented, cooldown)
        grow_old(game, state, slot, s)
        slot = np.int64(s.next)


@njit
def grow_old(game: Any, state: Any, slot: Any, s: Any) -> None:
    """Kill a sprite whose time is over."""
    if s.ttl > 0:
        s.ttl -= 1
    elif s.ttl == 0:
        kill(game, state, slot)


@subroutine
def update(game: Any, state: Any, slot: Any) -> None:
    """Let a sprite act."""
    s = state.sprites[slot]
    t = game.program.types[s.type]
    kind = t.kind
    if k.CHASER <= kind <= k.RANDOM_ALT_CHASER:
        drift(game, state, s)
        chase(game, state, s)
        return
    if k.PATH_CHASER <= kind <= k.RANDOM_PATH_ALT_CHASER:
        drift(game, state, s)
        follow_path(game, state, s)
        return
    if kind in (k.RANDOM_NPC, k.RANDOM_INERTIAL):
        drift(game, state, s)
        wander(game, state, s)
        return
    if kind == k.RANDOM_MISSILE:
        if s.ox == -1.0 and s.oy == -1.0:
            direction = 1 + next_int(state, 4)
            s.ox, s.oy = direction_x(direction), direction_y(direction)
        drift(game, state, s)
        return
    if kind >= k.SPAWN_POINT:
        if kind >= k.WALKER:
            walk(game, state, s)
            return
        if kind <= k.BOMBER_RANDOM_MISSILE:
            produce(game, state, s)
    drift(game, state, s)
    grow_old(game, state, slot, s)
    if t.lingers:
        if s.age > t.limit:
            kill(game, state, slot)
        s.age += 1
        if kind == k.SPREADER and s.age == 2:
            spread(game, state, s)
    elif k.SPAWN_POINT <= kind <= k.BOMBER_RANDOM_MISSILE and t.total > 0 and s.made >= t.total:
        kill(game, state, slot)


@subroutine
def produce(game: Any, state: Any, s: Any) -> None:
    """Let a spawner make a sprite when it is time and chance wants it; a RandomBomber moves first."""
    t = game.program.types[s.type]
    if t.kind == k.RANDOM_BOMBER:
        direction = 1 + next_int(state, 4)
        active_move(game, state, s, direction_x(direction), direction_y(direction), s.speed)
    made = np.int64(s.makes)
    if t.kind == k.BOMBER_RANDOM_MISSILE and t.n_others > 0:
        made = chosen_missile(game, state, s, next_int(state, t.n_others))
    if s.begun == NONE:
        s.begun = state.tick
    # Drawn in any case; a division costs more than the comparison.
    if not next_float(state) < t.prob or (t.cooldown != 1 and (s.begun + state.tick) % t.cooldown != 0):
        return
    if t.kind == k.SPAWN_POINT_MULTI_SPRITE:
        for i in range(t.others, t.others + t.n_others):
            spawn(game, state, s, game.program.ints[i])
        s.made += 1
    elif spawn(game, state, s, made):
        s.made += 1


@njit
def chosen_missile(game: Any, state: Any, s: Any, choice: Any) -> Any:
    """Return the type of missile that was drawn. An effect may have replaced one in the list."""
    t = game.program.types[s.type]
    replaced = np.int64(s.replaced[choice]) - 1
    return replaced if replaced >= 0 else np.int64(game.program.ints[t.others + choice])


@subroutine
def spawn(game: Any, state: Any, s: Any, number: Any) -> bool:
    """Create a sprite where the spawner is, and turn it; return whether one was created."""
    slot = create(game, state, number, s.x, s.y)
    if slot < 0:
        return False
    t, new = game.program.types[s.type], state.sprites[slot]
    if t.spawn_ox != 0.0 or t.spawn_oy != 0.0:
        new.ox, new.oy = t.spawn_ox, t.spawn_oy
    elif new.ox == 0.0 and new.oy == 0.0:
        new.ox, new.oy = s.ox, s.oy
    return True


@subroutine
def spread(game: Any, state: Any, s: Any) -> None:
    """Create sprites on the four cells around."""
    t = game.program.types[s.type]
    for direction in range(1, 5):
        if next_double(state) < t.prob:
            x = s.x + np.int64(direction_x(direction)) * s.w
            y = s.y + np.int64(direction_y(direction)) * s.h
            create(game, state, t.stype, x, y)
