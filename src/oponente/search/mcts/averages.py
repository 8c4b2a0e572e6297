"""Means by key in a hashed table of fixed size: of actions and sequences in playouts, and all-moves-as-first.

Action ids may be any 31-bit numbers, so what belongs to an action is found by hashing. A table that is full learns
nothing about new keys.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import mix64, njit, record

EMPTY = np.uint64(0)
PROBES = 16
"""Slots that are looked at for a key."""
NO_SLOT = -1

_ONE, _SEAT_BITS, _ACTION_BITS = np.uint64(1), np.uint64(3), np.uint64(32)


Entry = record(("key", "u8"), ("visits", "i8"), ("total", "f8"))
"""A mean: the key, scrambled (0: the entry is free), how many values there were, and their sum."""


def new_averages(size: int) -> Any:
    """Return an empty table: an array of at least `size` entries, the length a power of 2."""
    return np.zeros(table_size(size), Entry)


def table_size(size: int) -> int:
    """Return the length of a table of at least `size` entries."""
    return 1 << max(0, size - 1).bit_length()


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
    mask = np.uint64(table.size - 1)
    slot = key >> _ONE
    for _ in range(PROBES):
        slot &= mask
        held = table[slot].key
        if held == key:
            return np.int64(slot)
        if held == EMPTY:
            return np.int64(NO_SLOT)
        slot += _ONE
    return np.int64(NO_SLOT)


@njit
def add(table: Any, key: Any, value: Any, count: Any) -> None:
    """Count `count` values, whose sum is `value`, for a key."""
    mask = np.uint64(table.size - 1)
    slot = key >> _ONE
    for _ in range(PROBES):
        slot &= mask
        held = table[slot].key
        if held == EMPTY:
            table[slot].key = held = key
        if held == key:
            table[slot].visits += count
            table[slot].total += value
            return
        slot += _ONE
