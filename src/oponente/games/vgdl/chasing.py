"""VGDL: sprites that go after others, or run away from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.contact import column_of, row_of
from oponente.games.vgdl.continuous import length
from oponente.games.vgdl.layout import FIXED, FREELY
from oponente.games.vgdl.lcg import next_double, next_int
from oponente.games.vgdl.motion import active_move, direction_x, direction_y
from oponente.games.vgdl.sprites import NONE, is_alive, sprite_of
from oponente.kernel import njit, subroutine

LOOKED_AT = 2
"""Which stand-in a fixed target takes."""
UNREACHABLE = 0
"""What stands in a table of paths where there is none; else the direction of the first step."""


@njit
def distance(game: Any, s: Any, x: Any, y: Any) -> float:
    """Return how far a sprite's corner is from a place, in pixels across and down."""
    if game.program.types[s.type].active == FREELY:
        return length(s.x - x, s.y - y)
    return np.float64(abs(s.x - x) + abs(s.y - y))


@subroutine
def chase(game: Any, state: Any, s: Any) -> None:
    """Step to (or from) the nearest targets, in a direction drawn from those that lead there; else walk at random, as a
    RandomAltChaser does now and then anyway.
    """
    t = game.program.types[s.type]
    count = np.int64(0)
    if t.kind != k.RANDOM_ALT_CHASER or next_double(state) >= t.prob:
        count = list_directions(game, state, s, state.candidates)
    if count > 0:
        direction = np.int64(state.candidates[next_int(state, count)])
        active_move(game, state, s, direction_x(direction), direction_y(direction), s.speed)
    else:
        wander(game, state, s)


@subroutine
def wander(game: Any, state: Any, s: Any) -> None:
    """Go on in the last direction, or after `cons` steps in another."""
    if s.age < game.program.types[s.type].cons:
        s.age += 1
    else:
        s.direction = 1 + next_int(state, 4)
        s.age = 0
    active_move(game, state, s, direction_x(s.direction), direction_y(s.direction), s.speed)


@njit
def target_types(game: Any, state: Any, number: Any) -> Any:
    """Return where the list of types begins and ends that stand for a target: itself, or without any its subtypes."""
    t = game.program.types[number]
    group = state.group[number]
    begin = np.int64(t.subtypes)
    if np.int64(group.count) + np.int64(group.fixed) > 0:
        return begin, begin + 1
    return begin, begin + t.n_descendants


@njit
def in_sight(game: Any, s: Any, x: Any, y: Any) -> bool:
    """Tell whether a LOSChaser sees a place: its own, or straight ahead in its last direction. Others see all."""
    if game.program.types[s.type].kind != k.LOS_CHASER:
        return True
    dx, dy = direction_x(s.direction), direction_y(s.direction)
    if dx == 0.0 and dy == 0.0:
        return False
    if dx == 0.0:
        return s.x == x and (y - s.y) * dy >= 0.0
    return s.y == y and (x - s.x) * dx >= 0.0


@njit
def list_directions(game: Any, state: Any, s: Any, out: Any) -> Any:
    """List for each of the nearest targets the directions that lead to it (or from it); return how many."""
    p = game.program
    t = p.types[s.type]
    count, best = np.int64(0), np.inf
    if t.stype < 0:
        return count
    begin, end = target_types(game, state, t.stype)
    for i in range(begin, end):
        number = p.ints[i]
        target, group = p.types[number], state.group[number]
        if group.fixed > 0:
            for j in range(target.fixed, target.fixed + target.n_fixed):
                f = p.fixed[p.by_type[j]]
                if is_alive(game, state, np.int64(p.by_type[j])) and in_sight(game, s, f.x, f.y):
                    far = distance(game, s, f.x, f.y)
                    if far <= best:
                        count = add_directions(game, s, f.x, f.y, out, count if far == best else np.int64(0))
                        best = far
        slot = np.int64(group.head) if group.count > 0 else np.int64(NONE)
        while slot >= 0:
            other = state.sprites[slot]
            if in_sight(game, s, other.x, other.y):
                far = distance(game, s, other.x, other.y)
                if far <= best:
                    count = add_directions(game, s, other.x, other.y, out, count if far == best else np.int64(0))
                    best = far
            slot = np.int64(other.next)
    return np.int64(0) if t.max_distance != -1 and best > t.max_distance else count


@njit
def add_directions(game: Any, s: Any, x: Any, y: Any, out: Any, count: Any) -> Any:
    """List the directions in which a step of one pixel lowers (or raises) the distance to a place."""
    t = game.program.types[s.type]
    for direction in range(1, 5):
        if count + 1 >= out.size:
            break
        dx, dy = np.int64(direction_x(direction)), np.int64(direction_y(direction))
        # Of the two parts of the distance one changes, and only a step towards the target makes it less.
        closer = dx * (x - s.x) > 0 or dy * (y - s.y) > 0
        if closer != (t.fleeing != 0):
            out[count] = direction
            count += 1
    return count


# --- stored paths ----------------------------------------------------------------------------------------------------


@subroutine
def follow_path(game: Any, state: Any, s: Any) -> None:
    """Take the next step of the stored path to the target."""
    t = game.program.types[s.type]
    if t.kind == k.RANDOM_PATH_ALT_CHASER and next_double(state) < t.prob:
        wander(game, state, s)
        return
    if t.kind == k.PATH_CHASER:
        target = nearest_target(game, state, s)
        if target < 0:
            wander(game, state, s)
        else:
            other = sprite_of(game, state, target, LOOKED_AT)
            step_along(game, state, s, first_step(game, s, node_at(game, other.x, other.y)))
        return
    follow_one_target(game, state, s)


@njit
def follow_one_target(game: Any, state: Any, s: Any) -> None:
    """Keep one target until it is reached; where no path leads to it, go to where it was last."""
    target = kept_target(game, state, s)
    if target >= 0 and contains(s, sprite_of(game, state, target, LOOKED_AT)):
        target = np.int64(NONE)
    if target < 0:
        target = choose_target(game, state, s)
        s.makes = target
        if target >= 0:
            s.made = sprite_of(game, state, target, LOOKED_AT).id
    if target < 0:
        direction = 1 + next_int(state, 4)
        active_move(game, state, s, direction_x(direction), direction_y(direction), s.speed)
        return
    other = sprite_of(game, state, target, LOOKED_AT)
    node = node_at(game, other.x, other.y)
    direction = first_step(game, s, node)
    if direction == UNREACHABLE and s.begun >= 0:
        direction = first_step(game, s, s.begun)
    elif direction != UNREACHABLE:
        s.begun = node
    step_along(game, state, s, direction)


@njit
def kept_target(game: Any, state: Any, s: Any) -> Any:
    """Return the handle of the target that was kept, `NONE` if it is no more."""
    target = np.int64(s.makes)
    if target < 0:
        return np.int64(NONE)
    if target >= FIXED:
        return target if is_alive(game, state, target - FIXED) else np.int64(NONE)
    other = state.sprites[target]
    return target if other.type >= 0 and other.id == s.made else np.int64(NONE)


@njit
def contains(s: Any, other: Any) -> bool:
    """Tell whether one rectangle holds the other."""
    return s.x <= other.x and s.y <= other.y and s.x + s.w >= other.x + other.w and s.y + s.h >= other.y + other.h


@njit
def choose_target(game: Any, state: Any, s: Any) -> Any:
    """Return the handle of the nearest target, or of one drawn."""
    p = game.program
    t = p.types[s.type]
    if t.stype < 0 or not t.random_target:
        return nearest_target(game, state, s)
    begin, end = target_types(game, state, t.stype)
    total = np.int64(0)
    for i in range(begin, end):
        group = state.group[p.ints[i]]
        total += np.int64(group.count) + np.int64(group.fixed)
    if total == 0:
        return np.int64(NONE)
    # The framework's list holds all of them twice, one after the other (seen in its recordings).
    skip = next_int(state, 2 * total) % total
    for i in range(begin, end):
        target, group = p.types[p.ints[i]], state.group[p.ints[i]]
        if skip >= np.int64(group.count) + np.int64(group.fixed):
            skip -= np.int64(group.count) + np.int64(group.fixed)
            continue
        for j in range(target.fixed, target.fixed + target.n_fixed):
            if is_alive(game, state, np.int64(p.by_type[j])):
                if skip == 0:
                    return np.int64(p.by_type[j]) + FIXED
                skip -= 1
        slot = np.int64(group.head)
        while skip > 0:
            slot = np.int64(state.sprites[slot].next)
            skip -= 1
        return slot
    return np.int64(NONE)


@subroutine
def nearest_target(game: Any, state: Any, s: Any) -> Any:
    """Return the handle of the first of the nearest targets, `NONE` without any."""
    p = game.program
    stype = p.types[s.type].stype
    found, best = np.int64(NONE), np.inf
    if stype < 0:
        return found
    begin, end = target_types(game, state, stype)
    for i in range(begin, end):
        target, group = p.types[p.ints[i]], state.group[p.ints[i]]
        for j in range(target.fixed, target.fixed + target.n_fixed):
            fixed = np.int64(p.by_type[j])
            if is_alive(game, state, fixed):
                far = distance(game, s, p.fixed[fixed].x, p.fixed[fixed].y)
                if far < best:
                    found, best = fixed + FIXED, far
        slot = np.int64(group.head) if group.count > 0 else np.int64(NONE)
        while slot >= 0:
            other = state.sprites[slot]
            far = distance(game, s, other.x, other.y)
            if far < best:
                found, best = slot, far
            slot = np.int64(other.next)
    return found


@njit
def step_along(game: Any, state: Any, s: Any, direction: Any) -> None:
    """Move in a direction, if there is one."""
    if direction != UNREACHABLE:
        active_move(game, state, s, direction_x(direction), direction_y(direction), s.speed)


@njit
def node_at(game: Any, x: Any, y: Any) -> Any:
    """Return the number of the cell at a place among those that paths lead through, -1: it is none of them."""
    p = game.program
    return np.int64(p.cells[row_of(game, y) * p.stride + column_of(game, x)].node)


@subroutine
def first_step(game: Any, s: Any, end: Any) -> Any:
    """Return the direction of the first step of the stored path from a sprite to a cell, by the cell's number."""
    p = game.program
    begin = node_at(game, s.x, s.y)
    if begin < 0 or end < 0:
        return np.int64(UNREACHABLE)
    return np.int64(p.steps[begin * p.n_nodes + end])
