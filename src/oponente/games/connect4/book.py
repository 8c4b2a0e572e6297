"""Connect Four: the opening book of the perfect solver.

A book holds the exact scores of all positions up to some number of stones, one entry for a position and its mirror
image; positions whose mover wins at once or can't avert the loss at once may be missing, for no search is needed there.

The file: a header (magic, version, stones of the deepest entries, number of entries, SHA-256 of the rest), then,
compressed with zlib, the ascending keys as differences, byte plane by byte plane, and the scores as signed bytes.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from oponente.games.connect4.bitboard import BOTTOM, COLUMNS, HEIGHT

FILE = "opening_book.bin"
_MAGIC, _VERSION = b"OPC4BOOK", 1
_HEADER = struct.Struct("<8sHHI32s")
_LARGEST_SCORE = 21
_MOST_ENTRIES = 1 << 22


class Book:
    """Exact scores of early positions.

    Args:
        stones: how many stones the deepest entries have.
        keys: canonical keys, ascending.
        scores: the score of each for the side to move.
    """

    def __init__(self, stones: int, keys: npt.NDArray[np.uint64], scores: npt.NDArray[np.int8]) -> None:
        self.stones, self.keys, self.scores = stones, keys, scores

    def score(self, mine: int, theirs: int) -> int | None:
        """Return the score of the position for the side to move, which has the stones `mine`; None if it isn't here."""
        if (mine | theirs).bit_count() > self.stones:
            return None
        key = book_key(mine, theirs)
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        return int(self.scores[at]) if at < len(self.keys) and int(self.keys[at]) == key else None

    def dump(self) -> bytes:
        """Return the bytes of the book's file."""
        differences = np.diff(self.keys, prepend=np.uint64(0)).astype("<u8")
        planes = differences.view(np.uint8).reshape(-1, 8).T
        payload = zlib.compress(planes.tobytes() + self.scores.astype(np.int8).tobytes(), 9)
        return _HEADER.pack(_MAGIC, _VERSION, self.stones, len(self.keys), hashlib.sha256(payload).digest()) + payload

    @classmethod
    def load(cls, data: bytes, name: str = "the opening book") -> Book:
        """Read a book from the bytes of its file; ValueError tells what is wrong with them."""
        if len(data) < _HEADER.size or data[: len(_MAGIC)] != _MAGIC:
            raise ValueError(f"{name} is not a Connect Four opening book")
        _, version, stones, count, checksum = _HEADER.unpack_from(data)
        if version != _VERSION:
            raise ValueError(f"{name} has version {version} of the book format; this program reads version {_VERSION}")
        payload = data[_HEADER.size :]
        damaged = f"{name} is damaged: install the package again, or use the solver without its book"
        if hashlib.sha256(payload).digest() != checksum or count > _MOST_ENTRIES:
            raise ValueError(damaged)
        plain = zlib.decompress(payload)
        if len(plain) != 9 * count:
            raise ValueError(damaged)
        planes = np.frombuffer(plain, np.uint8, 8 * count).reshape(8, count)
        keys = np.cumsum(np.ascontiguousarray(planes.T).view("<u8").reshape(-1), dtype=np.uint64)
        scores = np.frombuffer(plain, np.int8, count, 8 * count)
        if count and (np.any(keys[1:] <= keys[:-1]) or np.abs(scores).max() > _LARGEST_SCORE):
            raise ValueError(damaged)
        return cls(stones, keys, scores)


@cache
def shipped_book() -> Book:
    """Return the book that comes with the package."""
    file = resources.files(__package__).joinpath(FILE)
    return Book.load(file.read_bytes(), f"the opening book {FILE}")


def book_key(mine: int, theirs: int) -> int:
    """Return the key of a position in the book, the same as for its mirror image."""
    full = mine | theirs
    return min(mine + full, _mirrored(mine) + _mirrored(full)) + int(BOTTOM)


def _mirrored(bits: int) -> int:
    return sum((bits >> column * HEIGHT & 127) << (COLUMNS - 1 - column) * HEIGHT for column in range(COLUMNS))
