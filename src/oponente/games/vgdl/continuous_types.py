"""VGDL: what a description says of a type's continuous physics becomes numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.classes import ClassFacts
from oponente.games.vgdl.layout import FASTEST
from oponente.games.vgdl.values import Values


def physics_of_type(values: Values, physics: Any, facts: ClassFacts) -> None:
    """Write the `Physics` record of a type of sprites.

    Args:
        values: what its line says.
        physics: the record.
        facts: of its class.
    """
    # The framework keeps the mass in single precision: with 0.2 a push of 1 gives a speed below 5 (in its recordings).
    physics.mass = np.float32(values.positive("mass", 1.0))
    physics.gravity = values.number("gravity", 0.0)
    physics.friction = values.number("friction", 0.0)
    fastest = values.number("max_speed", facts.max_speed)
    physics.max_speed = min(fastest, FASTEST) if fastest >= 0.0 else FASTEST
    physics.jump = values.number("jump_strength", facts.jump)
    physics.turn = values.number("angle_diff", facts.turn)
    physics.ground_speedup = values.positive("ground_speedup_factor", 1.0)
    physics.air_slowdown = values.positive("air_slowdown_factor", 2.0)
    physics.solid = values.flag("solid", False)
    physics.lands = facts.lands
    physics.facing = -1 if values.integer("facing_dir", 1) < 0 else 1
    physics.steers = values.flag("airsteering", False)
