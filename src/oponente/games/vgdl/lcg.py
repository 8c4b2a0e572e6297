"""VGDL: the framework's random numbers, the documented 48-bit linear congruential generator of java.util.Random.

Its state is part of a game's state, so that the same seed gives the same game, tick by tick, as in the framework.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.layout import DRAW_DOUBLE, DRAW_FLOAT, DRAWS
from oponente.kernel import njit, subroutine

_FACTOR = np.uint64(0x5DEECE66D)
_TERM = np.uint64(0xB)
_MASK = np.uint64((1 << 48) - 1)
_S17, _S22, _S21, _S24 = (np.uint64(n) for n in (17, 22, 21, 24))


@njit
def seeded(seed: Any) -> Any:
    """Return the generator's state for a seed."""
    return (np.uint64(seed) ^ _FACTOR) & _MASK


@njit
def step(state: Any) -> Any:
    """Advance the generator; return its 48 bits."""
    bits = (state.rng * _FACTOR + _TERM) & _MASK
    state.rng = bits
    return bits


@njit
def note(state: Any, kind: Any) -> None:
    """Note a draw, if draws are noted."""
    if state.noting != 0 and state.draws < DRAWS:
        state.draw[state.draws] = kind
        state.draws += 1


@subroutine
def next_int(state: Any, n: Any) -> Any:
    """Draw a whole number from 0 to n - 1."""
    note(state, n)
    if n & (n - 1) == 0:
        return np.int64((np.uint64(n) * (step(state) >> _S17)) >> np.uint64(31))
    while True:
        bits = np.int64(step(state) >> _S17)
        value = bits % n
        if bits - value + (n - 1) < 1 << 31:
            return value


@njit
def next_float(state: Any) -> Any:
    """Draw a number from [0, 1) with 24 random bits."""
    note(state, DRAW_FLOAT)
    return np.float64(step(state) >> _S24) * (1.0 / (1 << 24))


@njit
def next_double(state: Any) -> Any:
    """Draw a number from [0, 1) with 53 random bits."""
    note(state, DRAW_DOUBLE)
    high = np.int64(step(state) >> _S22)
    low = np.int64(step(state) >> _S21)
    return np.float64((high << 27) + low) * (1.0 / (1 << 53))
