"""Memory that one thread writes to all the time, apart from what other threads use."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Processors fetch memory in pairs of 64-byte lines; two threads that write to one pair wait for each other.
SEPARATION = 128


def private_zeros(count: int, dtype: np.dtype[Any]) -> Any:
    """Return a one-dimensional array of zeros with `SEPARATION` bytes of its own memory in front and behind."""
    raw = np.zeros(count * dtype.itemsize + 2 * SEPARATION, np.uint8)
    return raw[SEPARATION:-SEPARATION].view(dtype)
