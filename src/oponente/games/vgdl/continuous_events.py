"""VGDL: running the pairs that continuous physics treats otherwise.

Bouncing off walls considers all walls that are touched at once. And to test whether a sprite touches another has an
effect of its own if it is of a class that knows whether it stands on something: it may turn out that it stands on the
other. So all sprites of such pairs are tested in every tick.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.motion import displacement_y
from oponente.games.vgdl.running import run_effect
from oponente.games.vgdl.sprites import SECOND, before_y, is_dead, sprite_of
from oponente.games.vgdl.touching import collect_fixed, collect_hits, reach_of, touch
from oponente.kernel import njit, subroutine

FEEL = 3
"""Pixels below it that a sprite feels the ground in."""


@subroutine
def run_effect_freely(game: Any, state: Any, pair: Any, number: Any, first: Any, newcomers: Any) -> None:
    """Run an effect of a pair for all instances of a first type."""
    p = game.program
    kind = p.effects[number].kind
    lands = p.physics[first].lands
    slot = np.int64(state.group[first].head)
    while slot >= 0 and state.sprites[slot].id < newcomers:
        s1 = state.sprites[slot]
        if not s1.dead:
            if lands and not s1.grounded:
                feel_ground(game, state, pair, slot, s1, newcomers)
            count = collect_hits(game, state, pair, slot, s1, newcomers)
            if kind in (k.E_WALL_BOUNCE, k.E_WALL_REVERSE):
                if count > 0:
                    state.n_hits = count
                    h2 = np.int64(state.hits[0])
                    run_effect(game, state, number, slot, s1, h2, sprite_of(game, state, h2, SECOND))
            else:
                run_for_hits(game, state, number, slot, s1, count)
        slot = np.int64(s1.next)


@subroutine
def run_for_hits(game: Any, state: Any, number: Any, h1: Any, s1: Any, count: Any) -> None:
    """Run an effect for those of the sprites that were touched that still are when their turn comes."""
    lands = game.program.physics[s1.type].lands
    for i in range(count):
        h2 = np.int64(state.hits[i])
        s2 = sprite_of(game, state, h2, SECOND)
        if lands:
            feel(game, state, s1, s2)
        if touch(s1, s2):
            run_effect(game, state, number, h1, s1, h2, s2)
            if is_dead(state, h1):
                return


@subroutine
def feel_ground(game: Any, state: Any, pair: Any, h1: Any, s1: Any, newcomers: Any) -> None:
    """Find out whether a sprite stands on a second one of the pair."""
    p = game.program
    left, top, right, bottom = reach_of(game, s1.x, s1.y + FEEL, s1.w, s1.h)
    for i in range(pair.seconds, pair.seconds + pair.n_seconds):
        second = np.int64(p.ints[i])
        if not p.physics[second].solid:
            continue
        if state.group[second].fixed > 0:
            count = collect_fixed(game, state, second, left, top, right, bottom, h1, np.int64(0))
            for j in range(count):
                feel(game, state, s1, sprite_of(game, state, np.int64(state.hits[j]), SECOND))
        if state.group[second].count > 0:
            slot = np.int64(state.group[second].head)
            while slot >= 0 and state.sprites[slot].id < newcomers:
                if slot != h1:
                    feel(game, state, s1, state.sprites[slot])
                slot = np.int64(state.sprites[slot].next)


@njit
def feel(game: Any, state: Any, s1: Any, s2: Any) -> None:
    """Find out whether a sprite stands on another: this one lies below, close, is solid, and the first moves down."""
    if s1.grounded or not game.program.physics[s2.type].solid or displacement_y(state, s1) <= 0:
        return
    if before_y(state, s2) <= s1.y + s1.h // 2:
        return
    y = s1.y + FEEL
    if s1.x < s2.x + s2.w and s2.x < s1.x + s1.w and y < s2.y + s2.h and s2.y < y + s1.h:
        s1.grounded = 1
