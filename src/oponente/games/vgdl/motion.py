"""VGDL: how sprites move on the grid: whole pixels, cooldowns, turning on the spot."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.continuous import accelerate, glide, length
from oponente.games.vgdl.layout import FREELY, ON_GRID
from oponente.games.vgdl.sprites import before_x, before_y, displace, place
from oponente.kernel import njit, subroutine

STILL, ROTATE, MOVE = 0, 1, 2
"""What came of an active move."""


@njit
def direction_x(direction: Any) -> float:
    """Return how a direction (an action) points across."""
    return -1.0 if direction == 2 else 1.0 if direction == 4 else 0.0


@njit
def direction_y(direction: Any) -> float:
    """Return how a direction points downwards."""
    return -1.0 if direction == 1 else 1.0 if direction == 3 else 0.0


@njit
def shift(game: Any, state: Any, s: Any, dx: Any, dy: Any, step: Any) -> bool:
    """Move by `step` pixels in a direction, unless the sprite has to wait; return whether it has moved."""
    if step == 0:
        step = np.int64(s.speed)
    if game.program.types[s.type].cooldown > state.tick - s.moved or (dx == 0.0 and dy == 0.0):
        return False
    place(game, state, s, s.x + np.int64(dx * step), s.y + np.int64(dy * step))
    s.moved = state.tick
    return True


@njit
def grid_step(game: Any, speed: Any) -> Any:
    """Return the pixels that a speed in cells a tick is: the fraction is lost."""
    return np.int64(speed * game.program.cell)


@subroutine
def drift_freely(game: Any, state: Any, s: Any) -> None:
    """Do the passive move of continuous physics; apart, so that the one on the grid stays small."""
    if s.fresh:
        s.fresh = 0
    else:
        glide(game, state, s)


@njit
def drift_on_grid(s: Any, tick: Any, cell: Any, oriented: Any, cooldown: Any) -> None:
    """Move along the orientation, on the grid. The first such move only ends that the sprite is fresh.

    What is the same for all sprites of a type are arguments, so that a loop over them need not read it anew.
    """
    if s.fresh:
        s.fresh = 0
        return
    speed = 1.0 if s.speed == -1.0 else s.speed
    if speed != 0.0 and oriented and tick - s.moved >= cooldown and (s.ox != 0.0 or s.oy != 0.0):
        step = np.int64(speed * cell)
        if step == 0:
            step = np.int64(s.speed)
        displace(s, tick, s.x + np.int64(s.ox * step), s.y + np.int64(s.oy * step))
        s.moved = tick


@njit
def drift(game: Any, state: Any, s: Any) -> None:
    """Do the passive move, which comes before the events of a tick."""
    t = game.program.types[s.type]
    if t.passive == ON_GRID:
        drift_on_grid(s, state.tick, game.program.cell, t.oriented, t.cooldown)
    elif t.passive == FREELY:
        drift_freely(game, state, s)


@subroutine
def push_freely(game: Any, s: Any, dx: Any, dy: Any, speed: Any) -> Any:
    """Do the active move of continuous physics: a force of 1. Return what came of it."""
    if dx == 0.0 and dy == 0.0:
        return STILL
    # A speed that is given takes the place of the sprite's own (seen in the framework's recordings).
    if speed != 0.0:
        s.speed = speed
    accelerate(game, s, dx, dy)
    return MOVE


@subroutine
def active_move(game: Any, state: Any, s: Any, dx: Any, dy: Any, speed: Any) -> Any:
    """Move, or turn, in a direction; a speed of 0 is the sprite's own. Return what came of it."""
    t = game.program.types[s.type]
    if t.active != ON_GRID:
        return push_freely(game, s, dx, dy, speed) if t.active == FREELY else STILL
    if speed == 0.0:
        speed = s.speed if s.speed > 0.0 else 1.0
    if dx == 0.0 and dy == 0.0:
        return STILL
    if t.rotates and t.oriented and (s.ox != dx or s.oy != dy):
        s.ox, s.oy = dx, dy
        return ROTATE
    if shift(game, state, s, dx, dy, grid_step(game, speed)):
        return MOVE
    return STILL


@njit
def displacement_x(state: Any, s: Any) -> Any:
    """Return by how many pixels a sprite has moved in this tick, across."""
    return np.int64(s.x) - before_x(state, s)


@njit
def displacement_y(state: Any, s: Any) -> Any:
    """Return the same downwards."""
    return np.int64(s.y) - before_y(state, s)


@njit
def face_displacement(game: Any, state: Any, s: Any) -> None:
    """Turn an oriented sprite in the direction in which it has moved in this tick."""
    dx, dy = displacement_x(state, s), displacement_y(state, s)
    if dx != 0 or dy != 0:
        size = length(dx, dy)
        s.ox, s.oy = dx / size, dy / size


@subroutine
def step_back(game: Any, state: Any, s1: Any, h2: Any, s2: Any, exactly: Any) -> None:
    """Put the first sprite where it was at the start of the tick, or flush against the second."""
    if exactly and h2 >= 0:
        dx, dy = displacement_x(state, s1), displacement_y(state, s1)
        if dx > 0 and dy == 0:
            place(game, state, s1, s2.x - s1.w, s1.y)
            return
        if dx < 0 and dy == 0:
            place(game, state, s1, s2.x + s2.w, s1.y)
            return
        if dx == 0 and dy > 0:
            place(game, state, s1, s1.x, s2.y - s1.h)
            return
        if dx == 0 and dy < 0:
            place(game, state, s1, s1.x, s2.y + s2.h)
            return
    place(game, state, s1, before_x(state, s1), before_y(state, s1))
