"""VGDL: how sprites with continuous physics react to walls and paddles."""

from __future__ import annotations

from typing import Any

from oponente.kernel import njit


@njit
def stop_at_wall(game: Any, state: Any, s1: Any, s2: Any) -> None:
    pass


@njit
def reverse_at_wall(game: Any, state: Any, s1: Any) -> None:
    pass


@njit
def bounce_off_paddle(game: Any, state: Any, s1: Any, s2: Any, degrees: Any) -> None:
    pass
