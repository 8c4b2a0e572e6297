"""VGDL: what avatars shoot, drop or leave behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.continuous import length
from oponente.games.vgdl.sprites import amount_of, change_amount, create
from oponente.kernel import njit, subroutine


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
def shoot(game: Any, state: Any, s: Any, dx: Any, dy: Any) -> None:
    """Shoot the first of the sprites that the avatar has the ammunition for, in a direction."""
    t = game.program.types[s.type]
    for i in range(t.n_others):
        if has_ammo(game, state, s, i):
            shoot_one(game, state, s, i, dx, dy)
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
def shoot_one(game: Any, state: Any, s: Any, i: Any, dx: Any, dy: Any) -> None:
    """Create a sprite one cell ahead in a direction that flies on in it."""
    p = game.program
    t = p.types[s.type]
    if not has_ammo(game, state, s, i):
        return
    size = length(dx, dy)
    if size > 0.0:
        dx, dy = dx / size, dy / size
    number = np.int64(p.ints[t.others + i])
    slot = create(game, state, number, np.int64(s.x + dx * s.w), np.int64(s.y + dy * s.h))
    if slot >= 0:
        new = state.sprites[slot]
        if p.types[number].oriented:
            new.ox, new.oy = dx, dy
        if i < t.n_ammo:
            change_amount(game, state, s, p.ints[t.ammo + i], -1)
        new.shot = 1
