"""VGDL: continuous physics: speeds in pixels a tick, gravity, friction, jumps."""

from __future__ import annotations

from typing import Any

from oponente.games.vgdl.motion import drift
from oponente.kernel import njit


@njit
def fall(game: Any, state: Any, s: Any) -> None:
    drift(game, state, s)


@njit
def walk(game: Any, state: Any, s: Any) -> None:
    drift(game, state, s)
