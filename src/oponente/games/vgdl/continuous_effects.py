"""VGDL: the effects of continuous physics: what stops sprites, what they bounce off."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.continuous import gravity_of, set_velocity
from oponente.games.vgdl.kinds import NOTHING, SCORED
from oponente.games.vgdl.layout import FASTEST, FIXED
from oponente.games.vgdl.motion import step_back
from oponente.games.vgdl.sprites import before_x, before_y, place
from oponente.kernel import njit, subroutine


@subroutine
def resist(game: Any, state: Any, e: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> Any:
    """Change the first sprite's velocity or gravity."""
    kind = e.kind
    if h1 < 0 or h1 >= FIXED:
        return NOTHING
    if kind == k.E_WATER_PHYSICS:
        s1.afloat = 1
        return SCORED
    if h2 < 0:
        return NOTHING
    if kind == k.E_WALL_STOP:
        stop(game, state, s1, h2, s2)
    elif kind == k.E_WALL_BOUNCE:
        bounce(game, state, s1)
    elif kind == k.E_WALL_REVERSE:
        turn_back(game, state, s1)
    else:
        deflect(state, s1, s2, math.radians(e.number))
    return SCORED


@njit
def rotation_of(game: Any, state: Any, s: Any) -> float:
    """Return the angle to which a sprite is turned, from 0 to 2 pi: an avatar's heading, or its orientation."""
    steers = k.CAR_AVATAR <= game.program.types[s.type].kind <= k.SPACESHIP_AVATAR and s.player >= 0
    angle = state.heading[np.int64(s.player)] if steers else math.atan2(s.oy, s.ox)
    return angle % (2.0 * math.pi)


@njit
def go_along(game: Any, s: Any, vx: Any, vy: Any) -> None:
    """Give a sprite a velocity along an axis: none is slower than its gravity (seen in the framework's recordings)."""
    speed = abs(vx) + abs(vy)
    s.ox, s.oy = (vx / speed, vy / speed) if speed > 0.0 else (0.0, 0.0)
    s.speed = min(max(speed, gravity_of(game, s)), FASTEST)


@njit
def stop(game: Any, state: Any, s1: Any, h2: Any, s2: Any) -> None:
    """Put the first sprite back, or flush against the second; it goes on along the wall."""
    step_back(game, state, s1, h2, s2, np.uint8(1))
    if is_beside(s1, s2.x, s2.y, s2.x + s2.w, s2.y + s2.h):
        go_along(game, s1, 0.0, s1.oy * s1.speed)
    else:
        go_along(game, s1, s1.ox * s1.speed, 0.0)


@njit
def is_beside(s: Any, left: Any, top: Any, right: Any, bottom: Any) -> bool:
    """Tell whether a sprite is rather beside a rectangle than above or below it."""
    return abs((2 * s.x + s.w) - (left + right)) > abs((2 * s.y + s.h) - (top + bottom))


@njit
def turn_back(game: Any, state: Any, s1: Any) -> None:
    """Step back and go on level; the other way if it was the side of a wall that was hit."""
    across, down = first_impacts(game, state, s1)
    place(game, state, s1, before_x(state, s1), before_y(state, s1))
    set_velocity(game, s1, -s1.ox * s1.speed if across <= down else s1.ox * s1.speed, 0.0)


@njit
def times_of_impact(state: Any, s1: Any, left: Any, top: Any, right: Any, bottom: Any) -> Any:
    """Return how far in time a sprite was from the sides of a rectangle, and from its top and bottom, at the start of
    the tick: of two sides from the nearer one, in the future or in the past.
    """
    x, y = before_x(state, s1), before_y(state, s1)
    vx, vy = abs(s1.ox * s1.speed), abs(s1.oy * s1.speed)
    across = min(abs(left - (x + s1.w)), abs(right - x)) / vx if vx > 0.0 else math.inf
    down = min(abs(top - (y + s1.h)), abs(bottom - y)) / vy if vy > 0.0 else math.inf
    return across, down


@njit
def deflect(state: Any, s1: Any, s2: Any, most: Any) -> None:
    """Let a ball bounce off a racket: the farther from the middle of a side, the more away from it, up to an angle."""
    across, down = times_of_impact(state, s1, s2.x, s2.y, s2.x + s2.w, s2.y + s2.h)
    x = (s1.x + s1.w / 2.0) - (s2.x + s2.w / 2.0)
    y = (s1.y + s1.h / 2.0) - (s2.y + s2.h / 2.0)
    if across <= down:
        angle = most * min(max(2.0 * y / max(s2.h, 1), -1.0), 1.0)
        s1.ox, s1.oy = math.cos(angle) if x > 0.0 else -math.cos(angle), math.sin(angle)
    else:
        angle = most * min(max(2.0 * x / max(s2.w, 1), -1.0), 1.0)
        s1.ox, s1.oy = math.sin(angle), math.cos(angle) if y > 0.0 else -math.cos(angle)


@njit
def bounce(game: Any, state: Any, s1: Any) -> None:
    """Step back and mirror the velocity at the side of a wall that was hit; at a corner both parts of it."""
    across, down = first_impacts(game, state, s1)
    place(game, state, s1, before_x(state, s1), before_y(state, s1))
    if across <= down:
        s1.ox = -s1.ox
    if down <= across:
        s1.oy = -s1.oy


@njit
def first_impacts(game: Any, state: Any, s1: Any) -> Any:
    """Return the first times of impact on the walls that are touched: on one beside, on one above or below.

    Two walls in a line count as one wall that is all beside, or all above or below.
    """
    across, down = math.inf, math.inf
    for i in range(state.n_hits):
        left, top, right, bottom = sides(game, state, np.int64(state.hits[i]))
        when_x, when_y = times_of_impact(state, s1, left, top, right, bottom)
        across, down = min(across, when_x), min(down, when_y)
    if state.n_hits == 2:
        left, top, right, bottom = sides(game, state, np.int64(state.hits[0]))
        left2, top2, right2, bottom2 = sides(game, state, np.int64(state.hits[1]))
        if left == left2 and right == right2:
            return 0.0, math.inf
        if top == top2 and bottom == bottom2:
            return math.inf, 0.0
    return across, down


@njit
def sides(game: Any, state: Any, handle: Any) -> Any:
    """Return left, top, right and bottom of a sprite."""
    if handle >= FIXED:
        f, cell = game.program.fixed[handle - FIXED], np.int64(game.program.cell)
        return np.int64(f.x), np.int64(f.y), f.x + cell, f.y + cell
    s = state.sprites[handle]
    return np.int64(s.x), np.int64(s.y), np.int64(s.x) + s.w, np.int64(s.y) + s.h
