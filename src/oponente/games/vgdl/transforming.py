"""VGDL: a sprite of another type takes a sprite's place."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.layout import AMOUNTS, FIXED
from oponente.games.vgdl.sprites import amount_of, before_x, before_y, change_amount, kill, remove
from oponente.kernel import subroutine


@subroutine
def carry_over(game: Any, state: Any, old: Any, slot: Any, force: Any) -> None:
    """Give the new sprite in `slot` what the old one has: direction, place before, health, resources."""
    new = state.sprites[slot]
    types = game.program.types
    if types[old.type].oriented and types[new.type].oriented and (force or (new.ox == 0.0 and new.oy == 0.0)):
        new.ox, new.oy = old.ox, old.oy
    new.before_x, new.before_y = before_x(state, old), before_y(state, old)
    new.stamp = state.tick
    new.health = old.health
    for resource in range(AMOUNTS):
        new.amounts[resource] += old.amounts[resource]
    if old.more >= 0:
        for resource in range(AMOUNTS, game.program.n_resources):
            change_amount(game, state, new, resource, amount_of(state, old, resource))


@subroutine
def retire(game: Any, state: Any, handle: Any, old: Any, slot: Any) -> None:
    """Remove the old sprite; if both are avatars, the new one is the player's from now on."""
    types = game.program.types
    new = state.sprites[slot]
    if handle < FIXED and types[old.type].avatar:
        if not types[new.type].avatar:
            kill(game, state, handle)
            return
        if old.player >= 0:
            new.player = old.player
            state.avatar[np.int64(old.player)] = slot
    remove(state, handle)
