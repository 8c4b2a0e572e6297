"""VGDL: what the players' avatars do with an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
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
    length,
)
from oponente.games.vgdl.sprites import amount_of, before_x, before_y, change_amount, create
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
    dx, dy = direction_x(action), direction_y(action)
    if kind == k.MISSILE_AVATAR:
        drift(game, state, s)
        return
    if kind in (k.ONGOING_AVATAR, k.ONGOING_SHOOT_AVATAR):
        go_on(game, state, s, dx, dy)
        if kind == k.ONGOING_SHOOT_AVATAR and action == k.USE:
            shoot(game, state, s)
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
            shoot_one(game, state, s, shot)
        return
    result = active_move(game, state, s, dx, dy, 0.0)
    if kind == k.FLAK_AVATAR:
        if result == STILL and action == k.USE:
            drop(game, state, s)
    elif kind in (k.ORIENTED_AVATAR, k.SHOOT_AVATAR):
        if result == MOVE:
            face_displacement(game, state, s)
        if kind == k.SHOOT_AVATAR and result == STILL and action == k.USE:
            shoot(game, state, s)


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


@subroutine
def drop(game: Any, state: Any, s: Any) -> None:
    """Create a sprite on the avatar's own place, if it has the ammunition."""
    t = game.program.types[s.type]
    ammo = np.int64(game.program.ints[t.ammo]) if t.n_ammo > 0 else np.int64(-1)
    if t.n_ammo > 0:
        held = amount_of(state, s, ammo)
        if held <= (t.min_ammo if t.min_ammo > -1 else 0):
            return
    slot = create(game, state, s.makes, s.x, s.y)
    if slot >= 0:
        if t.n_ammo > 0:
            change_amount(game, state, s, ammo, -t.ammo_cost)
        state.sprites[slot].shot = 1


@njit
def shoot(game: Any, state: Any, s: Any) -> None:
    """Shoot the first of the sprites that the avatar has the ammunition for."""
    t = game.program.types[s.type]
    for i in range(t.n_others):
        if has_ammo(game, state, s, i):
            shoot_one(game, state, s, i)
            return


@njit
def has_ammo(game: Any, state: Any, s: Any, i: Any) -> bool:
    """Tell whether an avatar can shoot the sprite of a number in its list."""
    t = game.program.types[s.type]
    return i >= t.n_ammo or amount_of(state, s, game.program.ints[t.ammo + i]) > 0


@njit
def shot_by_action(action: Any) -> Any:
    """Return which of the sprites in the list of a ShootOnlyAvatar an action shoots, -1: none."""
    if action == k.LEFT:
        return 0
    if action == k.UP:
        return 1
    if action == k.RIGHT:
        return 2
    if action == k.DOWN:
        return 3
    return 4 if action == k.USE else -1


@subroutine
def shoot_one(game: Any, state: Any, s: Any, i: Any) -> None:
    """Create a sprite one cell ahead that flies on in the avatar's direction."""
    p = game.program
    t = p.types[s.type]
    if not has_ammo(game, state, s, i):
        return
    size = length(s.ox, s.oy)
    dx, dy = (s.ox / size, s.oy / size) if size > 0.0 else (0.0, 0.0)
    number = np.int64(p.ints[t.others + i])
    slot = create(game, state, number, s.x + np.int64(dx * s.w), s.y + np.int64(dy * s.h))
    if slot >= 0:
        new = state.sprites[slot]
        if p.types[number].oriented:
            new.ox, new.oy = dx, dy
        if i < t.n_ammo:
            change_amount(game, state, s, p.ints[t.ammo + i], -1)
        new.shot = 1
