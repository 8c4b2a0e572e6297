"""Which games of a match are to be played: a match may have a thousand million, of which a test plays a few hundred.

Indices are made when they are asked for, so that what is in memory grows with the games that were played, not with
those that are wanted.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["MissingGames", "Todo"]


class MissingGames(Collection[int]):
    """The indices of a match's games that are not there yet, ascending.

    Args:
        games: how many the match has.
        there: indices of those that are there, in any order.

    >>> missing = MissingGames(6, [4, 1])
    >>> len(missing), list(missing), 4 in missing, 5 in missing
    (4, [0, 2, 3, 5], False, True)
    """

    def __init__(self, games: int, there: npt.ArrayLike = ()) -> None:
        found = np.unique(np.asarray(there, np.int64))
        self._games = games
        self._there: npt.NDArray[np.int64] = found[(found >= 0) & (found < games)]

    def __len__(self) -> int:
        return self._games - self._there.size

    def __iter__(self) -> Iterator[int]:
        begin = 0
        for there in self._there:
            yield from range(begin, int(there))
            begin = int(there) + 1
        yield from range(begin, self._games)

    def __contains__(self, index: object) -> bool:
        if not isinstance(index, int) or not 0 <= index < self._games:
            return False
        place = int(np.searchsorted(self._there, index))
        return place == self._there.size or int(self._there[place]) != index


class Todo:
    """Games that wait to be played, in order. Several threads may take them.

    Args:
        indices: of the games.
    """

    def __init__(self, indices: Collection[int]) -> None:
        self._lock = threading.Lock()
        self._back: deque[int] = deque()
        """Those that were taken and given back."""
        self._rest, self._count = iter(indices), len(indices)
        """Those that were not taken yet, and how many they are."""

    def __len__(self) -> int:
        return len(self._back) + self._count

    def take(self, games: int) -> list[int]:
        """Take so many, or as many as there are."""
        with self._lock:
            found = [self._back.popleft() for _ in range(min(games, len(self._back)))]
            more = min(games - len(found), self._count)
            self._count -= more
            return found + [next(self._rest) for _ in range(more)]

    def give_back(self, indices: Sequence[int]) -> None:
        """Let games that were taken be the next ones, in that order."""
        with self._lock:
            self._back.extendleft(reversed(indices))

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._back.clear()
            self._rest, self._count = iter(()), 0
