"""Symmetries of a game: what turns or mirrors the board and leaves everything else as it is.

The rules may tell them by ``symmetries(tables)`` (:mod:`oponente.kernel.rules`). Learners see positions through all of
them; the conformance suite plays through each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Symmetry(NamedTuple):
    """A symmetry of a game.

    Players, chances and utilities stay as they are: only places change.
    """

    features: npt.NDArray[np.int64]
    """Where the features come from: ``encode`` of the symmetric state is that of the state, taken at these."""
    action: Callable[[int], int]
    """Returns the action, or outcome, in the symmetric state that is what the given one is in the state."""
    state: Callable[[Any], Any]
    """Returns the symmetric state of an array of one record, as a new array."""


def places_from(places: npt.NDArray[np.int64], offset: int = 0, features: int = 1) -> npt.NDArray[np.int64]:
    """Return where the features of places come from.

    Args:
        places: where each place goes.
        offset: of the features of the first place.
        features: of each place, one after the other.

    >>> places_from(np.array([1, 2, 0]), offset=10, features=2).tolist()
    [14, 15, 10, 11, 12, 13]
    """
    origins = np.argsort(places)
    return (offset + origins[:, None] * features + np.arange(features)).ravel()


def bits_moved(mask: int, places: npt.NDArray[np.int64]) -> int:
    """Return a bit mask with each bit at its new place.

    >>> bits_moved(0b011, np.array([1, 2, 0]))
    6
    """
    return sum(1 << int(place) for bit, place in enumerate(places) if mask >> bit & 1)
