"""Memory that one thread writes to all the time, apart from what other threads use."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Processors fetch memory in pairs of 64-byte lines; two threads that write to one pair wait for each other.
SEPARATION = 128


def private_zeros(count: int, dtype: np.dtype[Any]) -> Any:
    """Return a one-dimensional array of zeros with `SEPARATION` bytes of its own memory in front and behind."""
    return _between(np.zeros(_size(count, dtype), np.uint8), dtype)


def private_space(count: int, dtype: np.dtype[Any]) -> Any:
    """Return the same array with whatever was in that memory before: for those who write to it before they read."""
    return _between(np.empty(_size(count, dtype), np.uint8), dtype)


def _size(count: int, dtype: np.dtype[Any]) -> int:
    return count * dtype.itemsize + 2 * SEPARATION


def _between(raw: Any, dtype: np.dtype[Any]) -> Any:
    return raw[SEPARATION:-SEPARATION].view(dtype)
