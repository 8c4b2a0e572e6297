"""VGDL: continuous physics: sprites that have a velocity, which acceleration, gravity and friction change.

The velocity is the orientation, a vector of length 1, times the speed, in pixels a tick. Places are whole pixels here,
too: what a move goes beyond a pixel is lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.layout import FARTHEST, FASTEST
from oponente.games.vgdl.sprites import place
from oponente.kernel import njit, subroutine

WATER_GRAVITY = 0.2
"""The gravity that waterPhysics leaves a sprite."""
LEAP = 5
"""Pixels that a jump lifts a sprite at once."""


@njit
def length(x: Any, y: Any) -> float:
    """Return the length of a vector."""
    return np.sqrt(np.float64(x) * np.float64(x) + np.float64(y) * np.float64(y))


@njit
def gravity_of(game: Any, s: Any) -> float:
    """Return a sprite's gravity."""
    return WATER_GRAVITY if s.afloat else np.float64(game.program.physics[s.type].gravity)


@njit
def set_velocity(game: Any, s: Any, vx: Any, vy: Any) -> None:
    """Give a sprite a velocity; one that comes to rest keeps its orientation."""
    speed = length(vx, vy)
    if speed > 0.0:
        s.ox, s.oy = vx / speed, vy / speed
    s.speed = min(speed, game.program.physics[s.type].max_speed)


@subroutine
def accelerate(game: Any, s: Any, ax: Any, ay: Any) -> None:
    """Change the velocity by a force: the more so the less mass the sprite has."""
    mass = game.program.physics[s.type].mass
    set_velocity(game, s, s.ox * s.speed + ax / mass, s.oy * s.speed + ay / mass)


@njit
def within(place: Any) -> Any:
    """Return a coordinate, but none that is farther away than any may be."""
    return min(max(np.int64(place), -FARTHEST), FARTHEST)


@subroutine
def glide(game: Any, state: Any, s: Any) -> None:
    """Move by the velocity: the passive move. Then gravity and friction change it; not that of a sprite at rest."""
    if s.speed == 0.0:
        return
    physics = game.program.physics[s.type]
    step = np.int64(min(max(s.speed, -FASTEST), FASTEST))
    dx, dy = np.int64(s.ox * step), np.int64(s.oy * step)
    if dx != 0 or dy != 0:
        place(game, state, s, within(s.x + dx), within(s.y + dy))
    gravity = gravity_of(game, s)
    if gravity > 0.0 and not s.grounded:
        accelerate(game, s, 0.0, gravity * physics.mass)
    s.speed *= 1.0 - physics.friction
    if not abs(s.speed) <= FASTEST:
        s.speed = FASTEST


@njit
def jump(game: Any, state: Any, s: Any) -> None:
    """Leave the ground."""
    s.oy = 0.0
    accelerate(game, s, 0.0, -game.program.physics[s.type].jump)
    place(game, state, s, s.x, within(s.y - LEAP))
