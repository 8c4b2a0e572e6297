"""VGDL: the effects: what happens when two sprites touch, at the edge of the screen, or when it is time.

`s1` is the first sprite of a pair and `s2` the second; for effects of the edge and of time there is no second, and for
queued ones there is neither. A sprite comes with its handle; of a fixed sprite `s1` is a copy, so that it can only be
removed (:mod:`oponente.games.vgdl.roles` sees to it that nothing else is asked for).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.continuous import length
from oponente.games.vgdl.continuous_effects import resist, rotation_of
from oponente.games.vgdl.effects_on_all import (
    change_speeds,
    kill_all,
    replace_spawned,
    retire_to_singleton,
    transform_all,
    undo_all,
)
from oponente.games.vgdl.kinds import ELSE, KILLED, NOTHING, SCORED
from oponente.games.vgdl.layout import FIXED
from oponente.games.vgdl.lcg import next_double, next_int
from oponente.games.vgdl.motion import (
    active_move,
    direction_x,
    direction_y,
    displacement_x,
    displacement_y,
    grid_step,
    shift,
    step_back,
)
from oponente.games.vgdl.sprites import (
    NONE,
    TIME_HAS_COME,
    amount_of,
    before_x,
    before_y,
    change_amount,
    count_family_with_disabled,
    create,
    is_alive,
    is_dead,
    kill,
    place,
)
from oponente.games.vgdl.timers import queue
from oponente.games.vgdl.transforming import carry_over, retire
from oponente.kernel import njit, subroutine

UPRIGHT_FROM, UPRIGHT_TO = 4.4, 5.0
"""Between which angles a sprite counts as upright."""


@subroutine
def execute(game: Any, state: Any, number: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Run an effect; return what came of it.

    Args:
        game, state: the game.
        number: of the effect.
        h1, s1: the first sprite, its handle `NONE` if there is none.
        h2, s2: the second likewise, or `TIME_HAS_COME`.
    """
    e = game.program.effects[number]
    kind = e.kind
    if kind == k.E_STEP_BACK:
        step_back(game, state, s1, h2, s2, e.flag)
        return SCORED
    if kind == k.E_KILL_SPRITE:
        kill(game, state, h1)
        return SCORED
    if kind == k.E_KILL_BOTH:
        kill(game, state, h1)
        kill(game, state, h2)
        return SCORED
    if kind <= k.E_KILL_IF_NOT_UPRIGHT:
        return kill_if(game, state, e, h1, s1, h2, s2)
    if kind <= k.E_SPAWN_IF_COUNTER_SUB_TYPES:
        return make(game, state, e, h1, s1, h2, s2)
    if kind <= k.E_TELEPORT_TO_EXIT:
        return move(game, state, e, h1, s1, h2, s2)
    if kind <= k.E_REMOVE_SCORE:
        return keep_account(game, state, e, h1, s1, h2, s2)
    if kind >= k.E_WATER_PHYSICS:
        return resist(game, state, e, h1, s1, h2, s2)
    return change_rules(game, state, e, h1, s1, h2, s2)


# --- removing --------------------------------------------------------------------------------------------------------


@subroutine
def kill_if(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Kill the first sprite under a condition."""
    kind = e.kind
    if kind == k.E_KILL_ALL:
        kill_all(game, state, e.stype)
        return SCORED
    if h1 < 0:
        return NOTHING
    if kind == k.E_KILL_IF_HAS_MORE:
        met = amount_of(state, s1, e.resource) >= e.limit
    elif kind == k.E_KILL_IF_HAS_LESS:
        met = amount_of(state, s1, e.resource) <= e.limit
    elif h2 < 0:
        return NOTHING
    elif kind == k.E_KILL_IF_ALIVE:
        met = not is_dead(state, h2)
    elif kind == k.E_KILL_IF_OTHER_HAS_MORE:
        met = amount_of(state, s2, e.resource) >= e.limit
        if met and e.flag:
            change_amount(game, state, s2, e.resource, -e.limit)
    elif kind == k.E_KILL_IF_FROM_ABOVE:
        higher = before_y(state, s1) > before_y(state, s2) + s2.h // 2
        met = higher and displacement_y(state, s2) > 0
    elif kind in (k.E_KILL_IF_FRONTAL, k.E_KILL_IF_NOT_FRONTAL):
        met = frontal(state, s1, s2, kind == k.E_KILL_IF_FRONTAL)
    elif kind == k.E_KILL_IF_NOT_UPRIGHT:
        met = not UPRIGHT_FROM < rotation_of(game, state, s1) < UPRIGHT_TO
    else:
        speed = relative_speed(game, s1, s2)
        met = speed < e.number if kind == k.E_KILL_IF_SLOW else speed > e.number
    if not met:
        return NOTHING
    kill(game, state, h1)
    return SCORED


@njit
def frontal(state: Any, s1: Any, s2: Any, wanted: Any) -> bool:
    """Tell whether the sprites moved towards each other (or, if that is not `wanted`, did not)."""
    x1, y1 = displacement_x(state, s1), displacement_y(state, s1)
    if x1 == 0 and y1 == 0:
        return True
    x2, y2 = displacement_x(state, s2), displacement_y(state, s2)
    size1, size2 = length(x1, y1), max(length(x2, y2), 1e-9)
    cancel = abs(x1 / size1 + x2 / size2) < 1e-9 and abs(y1 / size1 + y2 / size2) < 1e-9
    return cancel if wanted else not cancel


@njit
def relative_speed(game: Any, s1: Any, s2: Any) -> float:
    """Return how fast two sprites approach."""
    types = game.program.types
    if types[s1.type].static:
        return s2.speed
    if types[s2.type].static:
        return s1.speed
    return length(s1.ox - s2.ox, s1.oy - s2.oy)


# --- making and transforming -----------------------------------------------------------------------------------------


@subroutine
def make(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Transform sprites or create some."""
    kind = e.kind
    if kind == k.E_TRANSFORM_TO_ALL:
        transform_all(game, state, e.stype, e.other, e.flag)
        if e.kill_second:
            kill(game, state, h2)
        return SCORED
    if h1 < 0:
        return NOTHING
    if kind == k.E_TRANSFORM_TO:
        # A singleton may stand in the way: then nobody is killed.
        if not s1.disabled and become(game, state, e.stype, h1, s1, e.flag) and e.kill_second:
            kill(game, state, h2)
        return SCORED
    if kind == k.E_TRANSFORM_TO_SINGLETON:
        retire_to_singleton(game, state, e.stype, e.other)
        if become(game, state, e.stype, h1, s1, np.uint8(0)) and e.flag and h2 >= 0 and h2 < FIXED:
            s2.ox, s2.oy = -s1.ox, -s1.oy
        return SCORED
    if kind == k.E_TRANSFORM_TO_RANDOM_CHILD:
        if e.stype < 0:
            return NOTHING
        t = game.program.types[e.stype]
        if t.n_descendants > 1:
            choice = next_int(state, t.n_descendants - 1)
            become(game, state, game.program.ints[t.subtypes + 1 + choice], h1, s1, np.uint8(0))
        return SCORED
    if kind == k.E_TRANSFORM_IF_COUNT:
        count = count_family_with_disabled(game, state, e.count_type) if e.count_type >= 0 else 0
        if e.least <= count <= e.most:
            become(game, state, e.stype, h1, s1, np.uint8(0))
            return SCORED
        if e.other >= 0:
            become(game, state, e.other, h1, s1, np.uint8(0))
        return ELSE
    if kind == k.E_CLONE_SPRITE:
        create(game, state, s1.type, s1.x, s1.y)
        return SCORED
    return spawn(game, state, e, h1, s1, h2, s2)


@subroutine
def become(game: Any, state: Any, number: Any, h1: Any, s1: Any, force: Any) -> bool:
    """Let a sprite of another type take the place of the first one; return whether it did."""
    slot = create(game, state, number, s1.x, s1.y)
    if slot < 0:
        return False
    carry_over(game, state, s1, slot, force)
    retire(game, state, h1, s1, slot)
    return True


@subroutine
def spawn(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Create a sprite, with probability `prob`."""
    kind, cell = e.kind, game.program.cell
    if kind == k.E_SPAWN_IF_COUNTER_SUB_TYPES:
        return spawn_by_count(game, state, e, s1)
    if next_double(state) >= e.prob:
        return NOTHING
    if kind == k.E_SPAWN:
        create(game, state, e.stype, s1.x, s1.y)
        return SCORED
    if kind == k.E_SPAWN_IF_HAS_MORE:
        if amount_of(state, s1, e.resource) < e.limit:
            return NOTHING
        create(game, state, e.stype, s1.x, s1.y)
        if h1 < FIXED and e.spend != 0:
            change_amount(game, state, s1, e.resource, -e.spend)
        return SCORED
    if kind == k.E_SPAWN_IF_HAS_LESS:
        if amount_of(state, s1, e.resource) > e.limit:
            return NOTHING
        create(game, state, e.stype, s1.x, s1.y)
        return SCORED
    if h2 < 0:
        return NOTHING
    if kind == k.E_SPAWN_BEHIND:
        if length(displacement_x(state, s2), displacement_y(state, s2)) == cell:
            create(game, state, e.stype, before_x(state, s2), before_y(state, s2))
        return SCORED
    x, y = np.int64(s2.x), np.int64(s2.y)
    if e.flag:
        x, y = before_x(state, s2), before_y(state, s2)
    direction = k.UP if kind == k.E_SPAWN_ABOVE else k.DOWN if kind == k.E_SPAWN_BELOW else k.LEFT
    if kind == k.E_SPAWN_RIGHT:
        direction = k.RIGHT
    create(
        game, state, e.stype, x + np.int64(direction_x(direction)) * cell, y + np.int64(direction_y(direction)) * cell
    )
    return SCORED


@njit
def spawn_by_count(game: Any, state: Any, e: Any, s1: Any) -> Any:
    """Create one sprite or another by how many instances and subtypes there are."""
    if e.count_type < 0:
        return NOTHING
    t = game.program.types[e.count_type]
    present = np.int64(0)
    for i in range(t.subtypes + 1, t.subtypes + t.n_descendants):
        group = state.group[game.program.ints[i]]
        present += np.int64(group.count) + np.int64(group.fixed) > 0
    if count_family_with_disabled(game, state, e.count_type) == e.limit and (e.spend < 0 or present == e.spend):
        create(game, state, e.stype, s1.x, s1.y)
        return SCORED
    if e.other >= 0:
        create(game, state, e.other, s1.x, s1.y)
    return ELSE


# --- moving and turning ----------------------------------------------------------------------------------------------


@subroutine
def move(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Move or turn the first sprite."""
    kind = e.kind
    if kind == k.E_UNDO_ALL:
        undo_all(game, state, e)
        return SCORED
    if h1 < 0:
        return NOTHING
    if kind == k.E_WRAP_AROUND:
        wrap_around(game, state, s1, e.number)
        return SCORED
    if kind == k.E_TURN_AROUND:
        turn_around(game, state, s1)
        return SCORED
    if kind == k.E_REVERSE_DIRECTION:
        s1.ox, s1.oy = -s1.ox, -s1.oy
        return SCORED
    if kind == k.E_FLIP_DIRECTION:
        direction = 1 + next_int(state, 4)
        s1.ox, s1.oy = direction_x(direction), direction_y(direction)
        return SCORED
    if h2 < 0:
        return NOTHING
    types = game.program.types
    if kind == k.E_BOUNCE_FORWARD:
        push(game, state, s1, s2)
    elif kind == k.E_PULL_WITH_IT:
        pull(game, state, s1, s2, e.flag)
    elif kind == k.E_ATTRACT_GAZE:
        if types[s1.type].oriented and types[s2.type].oriented and next_double(state) < e.prob:
            s1.ox, s1.oy = s2.ox, s2.oy
            if e.flag:
                if s1.oy != 0.0:
                    place(game, state, s1, s2.x + (s2.w - s1.w) // 2, s1.y)
                elif s1.ox != 0.0:
                    place(game, state, s1, s1.x, s2.y + (s2.h - s1.h) // 2)
    elif kind == k.E_ALIGN:
        if e.flag:
            s1.ox, s1.oy = s2.ox, s2.oy
        place(game, state, s1, s2.x, s2.y)
    elif kind == k.E_TELEPORT_TO_EXIT:
        teleport(game, state, h1, s1, s2)
    return SCORED


@subroutine
def wrap_around(game: Any, state: Any, s1: Any, offset: Any) -> None:
    """Let a sprite that leaves the screen come in again on the other side."""
    p = game.program
    if s1.ox > 0.0:
        place(game, state, s1, np.int64(offset * s1.w), s1.y)
    elif s1.ox < 0.0:
        place(game, state, s1, np.int64(p.width - s1.w * (1.0 + offset)), s1.y)
    elif s1.oy > 0.0:
        place(game, state, s1, s1.x, np.int64(offset * s1.h))
    elif s1.oy < 0.0:
        place(game, state, s1, s1.x, np.int64(p.height - s1.h * (1.0 + offset)))
    s1.moved = state.tick


@subroutine
def turn_around(game: Any, state: Any, s1: Any) -> None:
    """Step back, go down twice at once, and turn round."""
    place(game, state, s1, before_x(state, s1), before_y(state, s1))
    for _ in range(2):
        s1.moved = state.tick - game.program.types[s1.type].cooldown
        active_move(game, state, s1, 0.0, 1.0, s1.speed)
    s1.ox, s1.oy = -s1.ox, -s1.oy


@subroutine
def push(game: Any, state: Any, s1: Any, s2: Any) -> None:
    """Move the first sprite as the second one has moved."""
    dx, dy = displacement_x(state, s2), displacement_y(state, s2)
    size = length(dx, dy)
    x, y = (dx / size, dy / size) if size > 0.0 else (0.0, 0.0)
    if s2.ox * x < 0.0:
        x = -x
    if s2.oy * y < 0.0:
        y = -y
    active_move(game, state, s1, x, y, s2.speed)
    s1.ox, s1.oy = x, y


@subroutine
def pull(game: Any, state: Any, s1: Any, s2: Any, exactly: Any) -> None:
    """Carry the first sprite along, once a tick; what counts as its place at the start of the tick stays."""
    if s1.pulled == state.tick:
        return
    s1.pulled = state.tick
    dx, dy = displacement_x(state, s2), displacement_y(state, s2)
    size = length(dx, dy)
    if size > 0.0:
        shift(game, state, s1, dx / size, dy / size, grid_step(game, s2.speed))
    if exactly:
        s1.w, s1.h = s2.w, s2.h
        place(game, state, s1, s2.x, s2.y)


@subroutine
def teleport(game: Any, state: Any, h1: Any, s1: Any, s2: Any) -> None:
    """Move to an exit of the second sprite, drawn from all."""
    p = game.program
    exit_type = p.types[s2.type].stype
    total = np.int64(0)
    if exit_type >= 0:
        group = state.group[exit_type]
        total = np.int64(group.count) + np.int64(group.fixed)
    if total == 0:
        kill(game, state, h1)
        return
    skip = next_int(state, total)
    t = p.types[exit_type]
    for j in range(t.fixed, t.fixed + t.n_fixed):
        number = np.int64(p.by_type[j])
        if is_alive(game, state, number):
            if skip == 0:
                arrive(game, state, s1, p.fixed[number].x, p.fixed[number].y, t.oriented, t.ox, t.oy)
                return
            skip -= 1
    slot = np.int64(state.group[exit_type].head)
    while skip > 0:
        slot = np.int64(state.sprites[slot].next)
        skip -= 1
    exit_sprite = state.sprites[slot]
    arrive(game, state, s1, exit_sprite.x, exit_sprite.y, t.oriented, exit_sprite.ox, exit_sprite.oy)


@njit
def arrive(game: Any, state: Any, s1: Any, x: Any, y: Any, oriented: Any, ox: Any, oy: Any) -> None:
    """Appear at an exit."""
    place(game, state, s1, x, y)
    s1.moved = state.tick
    if oriented:
        s1.ox, s1.oy = ox, oy


# --- resources, health, scores ---------------------------------------------------------------------------------------


@subroutine
def keep_account(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Change what sprites hold, their health, or a score."""
    kind = e.kind
    if kind == k.E_SUBTRACT_HEALTH_POINTS:
        return hurt(game, state, e, h1, s1, h2)
    if kind == k.E_REMOVE_SCORE:
        player = player_of(game, state, e, h1, s1)
        if player >= 0:
            state.score[player] = 0.0
        if e.kill_second:
            kill(game, state, h2)
        return SCORED
    if h1 < 0:
        return NOTHING
    if kind == k.E_CHANGE_RESOURCE:
        if e.resource < 0 or amount_of(state, s1, e.resource) + e.value > game.program.limits[e.resource]:
            return NOTHING
        change_amount(game, state, s1, e.resource, e.value)
        if e.kill_resource:
            kill(game, state, h2)
        return SCORED
    if kind in (k.E_ADD_HEALTH_POINTS, k.E_ADD_HEALTH_POINTS_TO_MAX):
        return heal(game, state, e, s1, h2)
    if h2 < 0:
        return NOTHING
    return collect(game, state, e, h1, s1, s2)


@njit
def collect(game: Any, state: Any, e: Any, h1: Any, s1: Any, s2: Any) -> Any:
    """Let the second sprite take the first, a resource."""
    t = game.program.types[s1.type]
    if t.resource < 0:
        return NOTHING
    if e.kind == k.E_COLLECT_RESOURCE_IF_HELD and amount_of(state, s2, e.resource) < e.value:
        return NOTHING
    room = game.program.limits[t.resource] - amount_of(state, s2, t.resource)
    if room <= 0:
        return NOTHING
    change_amount(game, state, s2, t.resource, min(np.int64(t.total), room))
    if e.kill_resource:
        kill(game, state, h1)
    return SCORED


@njit
def heal(game: Any, state: Any, e: Any, s1: Any, h2: Any) -> Any:
    """Raise the first sprite's health."""
    limit = game.program.types[s1.type].limit_health
    raised = s1.health + e.value
    if e.kind == k.E_ADD_HEALTH_POINTS:
        if raised >= limit:
            return NOTHING
    else:
        raised = min(raised, limit)
    s1.health = raised
    s1.max_health = max(s1.max_health, raised)
    if e.kill_second:
        kill(game, state, h2)
    return SCORED


@subroutine
def hurt(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any) -> Any:
    """Lower the health of the first sprite, or of the first one of a type; it may die of it."""
    victim = h1
    if e.stype >= 0:
        victim = np.int64(NONE)
        t = game.program.types[e.stype]
        for i in range(t.subtypes, t.subtypes + t.n_subtypes):
            group = state.group[game.program.ints[i]]
            if group.count > 0:
                victim = np.int64(group.head)
                break
    if victim < 0 or victim >= FIXED:
        return NOTHING
    s = state.sprites[victim]
    s.health -= e.value
    if s.health > e.limit:
        return SCORED
    kill(game, state, victim)
    return SCORED if h2 == TIME_HAS_COME else KILLED


@njit
def player_of(game: Any, state: Any, e: Any, h1: Any, s1: Any) -> Any:
    """Return the player whose avatar the first sprite is, or a sprite of the effect's type."""
    if e.stype < 0:
        return np.int64(s1.player) if h1 >= 0 else np.int64(-1)
    for player in range(game.program.players):
        slot = np.int64(state.avatar[player])
        if slot >= 0:
            t = game.program.types[e.stype]
            for i in range(t.subtypes, t.subtypes + t.n_subtypes):
                if game.program.ints[i] == state.sprites[slot].type:
                    return np.int64(player)
    return np.int64(-1)


# --- rules -----------------------------------------------------------------------------------------------------------


@subroutine
def change_rules(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Change what holds for types of sprites."""
    kind = e.kind
    if kind == k.E_ADD_TIMER:
        queue(game, state, e.effect, state.tick + e.timer)
        return SCORED
    if kind == k.E_UPDATE_SPAWN_TYPE:
        replace_spawned(game, state, e.other, e.stype, s2.type if h2 >= 0 else -1)
        return SCORED
    if kind <= k.E_SET_SPEED_FOR_ALL and kind >= k.E_INCREASE_SPEED_TO_ALL:
        change_speeds(game, state, e)
        return SCORED
    if h1 < 0:
        return NOTHING
    if kind == k.E_SHIELD_FROM:
        shield(state, s1.type, e)
    elif kind == k.E_HALF_SPEED:
        s1.speed *= 0.5
    return SCORED


@njit
def shield(state: Any, number: Any, e: Any) -> None:
    """For the rest of the tick, ward off an effect from a type when it touches another."""
    for i in range(0, state.n_shields, 3):
        if state.shields[i] == number and state.shields[i + 1] == e.stype and state.shields[i + 2] == e.shielded:
            return
    if state.n_shields + 3 <= state.shields.size:
        state.shields[state.n_shields] = number
        state.shields[state.n_shields + 1] = e.stype
        state.shields[state.n_shields + 2] = e.shielded
        state.n_shields += 3
