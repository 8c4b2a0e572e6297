"""VGDL: sprites that walk to and fro on the ground."""

from __future__ import annotations

from typing import Any

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.continuous import jump
from oponente.games.vgdl.lcg import next_float, next_int
from oponente.games.vgdl.motion import drift
from oponente.kernel import subroutine


@subroutine
def walk(game: Any, state: Any, s: Any) -> None:
    """Walk on at full speed, draw another direction where there is no way, and perhaps jump from the ground."""
    t, physics = game.program.types[s.type], game.program.physics[s.type]
    drift(game, state, s)
    if s.ox == 0.0:
        s.ox, s.oy = (1.0 if next_int(state, 2) == 1 else -1.0), 0.0
    elif s.grounded or physics.steers:
        s.ox, s.oy = (1.0 if s.ox > 0.0 else -1.0), 0.0
    s.speed = physics.max_speed
    if s.grounded and t.kind == k.WALKER_JUMPER and next_float(state) < t.prob:
        jump(game, state, s)
    s.grounded = 0
