"""VGDL: what the players' avatars do with an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.continuous import length
from oponente.games.vgdl.layout import FREELY, ON_GRID
from oponente.games.vgdl.motion import (
    MOVE,
    STILL,
    active_move,
    direction_x,
    direction_y,
    displacement_x,
    displacement_y,
    drift,
    face_displacement,
)
from oponente.games.vgdl.shooting import drop, shoot, shoot_one, shot_by_action
from oponente.games.vgdl.sprites import before_x, before_y, create
from oponente.games.vgdl.steering import steer
from oponente.kernel import njit, subroutine


@njit
def is_possible(game: Any, s: Any, action: Any) -> bool:
    """Tell whether an avatar's class knows an action."""
    t = game.program.types[s.type]
    for i in range(t.legal, t.legal + t.n_legal):
        if game.program.ints[i] == action:
            return True
    return action == k.NIL


@subroutine
def update_avatars(game: Any, state: Any) -> None:
    """Let the avatars that are not disabled act, the first player's first."""
    state.visiting = -1
    for player in range(game.program.players):
        slot = np.int64(state.avatar[player])
        if slot >= 0:
            s = state.sprites[slot]
            if s.disabled == 0:
                action = np.int64(state.chosen[player])
                act(game, state, s, action if is_possible(game, s, action) else k.NIL)


@subroutine
def act(game: Any, state: Any, s: Any, action: Any) -> None:
    """Let an avatar act."""
    t = game.program.types[s.type]
    kind = t.kind
    if kind >= k.AIMED_AVATAR:
        steer(game, state, s, action)
        return
    dx, dy = direction_x(action), direction_y(action)
    if kind == k.MISSILE_AVATAR:
        drift(game, state, s)
        return
    if kind in (k.ONGOING_AVATAR, k.ONGOING_SHOOT_AVATAR):
        go_on(game, state, s, dx, dy)
        if kind == k.ONGOING_SHOOT_AVATAR and action == k.USE:
            shoot(game, state, s, s.ox, s.oy)
        return
    if kind == k.ONGOING_TURNING_AVATAR:
        if s.ox * dx + s.oy * dy != 0.0:
            dx = dy = 0.0
        go_on(game, state, s, dx, dy)
        leave_behind(game, state, s)
        return
    if kind == k.SHOOT_ONLY_AVATAR:
        shot = shot_by_action(action)
        if 0 <= shot < t.n_others:
            shoot_one(game, state, s, shot, s.ox, s.oy)
        return
    if t.passive == FREELY:
        drift(game, state, s)
    result = active_move(game, state, s, dx, dy, 0.0)
    if kind == k.FLAK_AVATAR:
        if result == STILL and action == k.USE:
            drop(game, state, s)
    elif kind in (k.ORIENTED_AVATAR, k.SHOOT_AVATAR):
        if result == MOVE and t.active == ON_GRID:
            face_displacement(game, state, s)
        if kind == k.SHOOT_AVATAR and result == STILL and action == k.USE:
            shoot(game, state, s, s.ox, s.oy)


@njit
def go_on(game: Any, state: Any, s: Any, dx: Any, dy: Any) -> None:
    """Turn where the player wants, and move on."""
    if dx != 0.0 or dy != 0.0:
        s.ox, s.oy = dx, dy
    drift(game, state, s)


@njit
def leave_behind(game: Any, state: Any, s: Any) -> None:
    """After a move by a whole cell, leave a sprite on the cell before."""
    if length(displacement_x(state, s), displacement_y(state, s)) == game.program.cell:
        create(game, state, game.program.types[s.type].stype, before_x(state, s), before_y(state, s))
