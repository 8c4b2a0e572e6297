"""VGDL: what the avatars with continuous physics do with an action.

They differ in what an action does to their velocity. Some steer by an angle, the *heading*, which is apart from the
direction in which they move.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.continuous import accelerate, jump
from oponente.games.vgdl.motion import direction_x, drift
from oponente.games.vgdl.shooting import shoot
from oponente.games.vgdl.sprites import create
from oponente.kernel import njit, subroutine

CAR_SPEED = 5.0
"""A car's speed before each acceleration (seen in the framework's recordings)."""
BIRD_LEAN = 0.5
"""A bird whose orientation points less far to the right, more than 60 degrees off, accelerates that way (likewise)."""
REST = 5
"""Ticks from one block of a wizard's to the next."""
AHEAD = 1.2
"""Widths of a wizard that its blocks are ahead of it (seen in the framework's recordings)."""


@subroutine
def steer(game: Any, state: Any, s: Any, action: Any) -> None:
    """Let such an avatar act."""
    kind = game.program.types[s.type].kind
    if kind == k.AIMED_AVATAR:
        aim(game, state, s, action)
        return
    drift(game, state, s)
    if kind == k.BIRD_AVATAR:
        fly(game, s, action)
    elif kind == k.CAR_AVATAR:
        drive(game, state, s, action)
    elif kind in (k.LANDER_AVATAR, k.SPACESHIP_AVATAR):
        pilot(game, state, s, action)
    else:
        run_and_jump(game, state, s, action)
        if kind == k.WIZARD_AVATAR:
            conjure(game, state, s, action)


@njit
def aim(game: Any, state: Any, s: Any, action: Any) -> None:
    """Turn the aim down or up, or shoot; never move."""
    if action == k.USE:
        shoot(game, state, s, s.ox, s.oy)
    elif action in (k.DOWN, k.UP):
        turn = game.program.physics[s.type].turn
        if action == k.UP:
            turn = -turn
        cos, sin = math.cos(turn), math.sin(turn)
        s.ox, s.oy = s.ox * cos - s.oy * sin, s.ox * sin + s.oy * cos


@njit
def fly(game: Any, s: Any, action: Any) -> None:
    """Keep going to the right; flap the wings, whatever the bird is doing."""
    # What adds nothing changes the last digit of the velocity, as the framework's recordings show.
    accelerate(game, s, 0.0, 0.0)
    if action == k.USE:
        s.oy = 0.0
    accelerate(game, s, 1.0 if s.ox < BIRD_LEAN else 0.0, 0.0)
    if action == k.USE:
        accelerate(game, s, 0.0, -game.program.physics[s.type].jump)
        accelerate(game, s, 0.0, 0.0)


@njit
def turn_heading(game: Any, state: Any, s: Any, action: Any) -> Any:
    """Turn the heading left or right, and return it."""
    player = np.int64(s.player)
    state.heading[player] += direction_x(action) * game.program.physics[s.type].turn
    return state.heading[player]


@njit
def drive(game: Any, state: Any, s: Any, action: Any) -> None:
    """Turn, change between forward and back, and accelerate that way."""
    if action == k.UP:
        s.direction = 0
    elif action == k.DOWN:
        s.direction = 1
    heading = turn_heading(game, state, s, action)
    if s.direction:
        heading += math.pi
    s.speed = CAR_SPEED
    accelerate(game, s, math.cos(heading), math.sin(heading))


@njit
def pilot(game: Any, state: Any, s: Any, action: Any) -> None:
    """Turn, thrust forward or back, or shoot ahead."""
    heading = turn_heading(game, state, s, action)
    if action == k.DOWN:
        accelerate(game, s, math.cos(heading + math.pi), math.sin(heading + math.pi))
    elif action == k.UP:
        accelerate(game, s, math.cos(heading), math.sin(heading))
    elif action == k.USE:
        shoot(game, state, s, math.cos(heading), math.sin(heading))


@njit
def run_and_jump(game: Any, state: Any, s: Any, action: Any) -> None:
    """Run to the left or right, less well in the air; jump from the ground."""
    physics = game.program.physics[s.type]
    across = direction_x(action)
    if across != 0.0:
        accelerate(game, s, across * physics.ground_speedup if s.grounded else across / physics.air_slowdown, 0.0)
    elif action == k.USE and s.grounded:
        jump(game, state, s)
    s.grounded = 0


@njit
def conjure(game: Any, state: Any, s: Any, action: Any) -> None:
    """Turn; create a sprite in front, but float upwards if the last one is too recent."""
    if action == k.LEFT:
        s.direction = -1
    elif action == k.RIGHT:
        s.direction = 1
    elif action == k.UP:
        if state.tick - max(0, s.begun) < REST:
            accelerate(game, s, 0.0, -1.0)
            return
        s.begun = state.tick
        # A wizard that stands still is at rest from now on, so that no gravity acts (as the recordings show).
        accelerate(game, s, 0.0, 0.0)
        facing = s.direction if s.direction != 0 else game.program.physics[s.type].facing
        create(game, state, s.makes, np.int64(s.x + facing * AHEAD * s.w), s.y)
