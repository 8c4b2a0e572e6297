"""Means by key in a hashed table of fixed size: of actions and sequences in playouts, and all-moves-as-first.

Action ids may be any 31-bit numbers, so what belongs to an action is found by hashing. A table that is full learns
nothing about new keys.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import entry, mix64, njit

EMPTY = np.uint64(0)
PROBES = 16
"""Slots that are looked at for a key."""
NO_SLOT = -1

_ONE, _SEAT_BITS, _ACTION_BITS = np.uint64(1), np.uint64(3), np.uint64(32)


class Averages(NamedTuple):
    """Means by key."""

    keys: Any
    """uint64: the key, scrambled; 0: the slot is free. The length is a power of 2."""
    visits: Any
    """int32: how many values there were."""
    totals: Any
    """float64: their sum."""


def new_averages(size: int) -> Averages:
    """Return an empty table with at least `size` slots."""
    slots = 1 << max(0, size - 1).bit_length()
    return Averages(np.zeros(slots, np.uint64), np.zeros(slots, np.int32), np.zeros(slots, np.float64))


@njit
def action_key(player: Any, action: Any) -> Any:
    """Return the key of a player's action."""
    return mix64((np.uint64(action) << _SEAT_BITS) + np.uint64(player + 1)) | _ONE


@njit
def sequence_key(earlier: Any, player: Any, action: Any) -> Any:
    """Return the key of a sequence of actions: of the earlier ones, by their key, and one more."""
    return mix64(earlier ^ ((np.uint64(action) << _SEAT_BITS) + np.uint64(player + 1))) | _ONE


@njit
def node_key(node: Any, action: Any) -> Any:
    """Return what :func:`action_key` is scrambled with to belong to a node: `action` is such a key."""
    return mix64(action + (np.uint64(node) << _ACTION_BITS)) | _ONE


@njit
def find(table: Any, key: Any) -> Any:
    """Return the slot of a key, `NO_SLOT` if there is none."""
    mask = np.uint64(table.keys.size - 1)
    slot = key >> _ONE
    for _ in range(PROBES):
        slot &= mask
        held = table.keys[slot]
        if held == key:
            return np.int64(slot)
        if held == EMPTY:
            return np.int64(NO_SLOT)
        slot += _ONE
    return np.int64(NO_SLOT)


@njit
def add(table: Any, key: Any, value: Any, count: Any) -> None:
    """Count `count` values, whose sum is `value`, for a key."""
    mask = np.uint64(table.keys.size - 1)
    slot = key >> _ONE
    for _ in range(PROBES):
        slot &= mask
        held = table.keys[slot]
        if held == EMPTY:
            table.keys[slot] = key
            table.visits[slot] = 0
            table.totals[slot] = 0.0
            held = key
        if held == key:
            table.visits[slot] += count
            table.totals[slot] += value
            return
        slot += _ONE
