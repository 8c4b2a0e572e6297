"""Make the opening book of the Connect Four solver.

    python benchmarks/make_connect4_book.py --stones 5 --progress book.progress

solves all positions with that many stones and derives those with fewer. What is solved is kept in the progress file, so
that a run that was interrupted, or a second run with another number of stones, goes on where the last one stopped. The
file may be used by one process at a time.
"""

from __future__ import annotations

import argparse
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from oponente.games.connect4 import book as book_module
from oponente.games.connect4.bitboard import COLUMNS, HEIGHT, ROWS
from oponente.games.connect4.book import Book, book_key
from oponente.games.connect4.solver import Solver

Position = tuple[int, int]
_ENTRY = struct.Struct("<Qb")


def main() -> None:
    """Solve what is missing, then write the book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, default=5, help="stones of the deepest positions (default 5)")
    parser.add_argument("--progress", type=Path, required=True, help="file that keeps what is solved")
    parser.add_argument("--table-mib", type=int, default=512, help="transposition table of the solver (default 512)")
    parser.add_argument("--output", type=Path, default=Path(book_module.__file__).with_name(book_module.FILE))
    arguments = parser.parse_args()

    layers: list[dict[int, Position]] = [{book_key(0, 0): (0, 0)}]
    for _ in range(arguments.stones):
        layers.append({book_key(*child): child for position in layers[-1].values() for child in children(*position)})
    scores = solve_layer(layers[-1], arguments.progress, arguments.table_mib)
    for layer in reversed(layers[:-1]):
        for key, (mine, theirs) in layer.items():
            # No game is over before the seventh stone, and the loser of a longer one has a child in the book too.
            wins = [(43 - (mine | theirs).bit_count()) // 2] if wins_at_once(mine, theirs) else []
            scores[key] = max(wins + [-scores[book_key(*child)] for child in children(mine, theirs)])
    keys = sorted(key for layer in layers for key in layer)
    book = Book(arguments.stones, np.array(keys, np.uint64), np.array([scores[key] for key in keys], np.int8))
    arguments.output.write_bytes(book.dump())
    print(f"{len(keys)} positions, {arguments.output.stat().st_size} bytes: {arguments.output}")


def solve_layer(layer: dict[int, Position], progress: Path, table_mib: int) -> dict[int, int]:
    """Return the scores of all positions of the layer, solving those that the progress file lacks."""
    known = dict(_ENTRY.iter_unpack(whole_entries(progress)))
    missing = [key for key in layer if key not in known]
    solver = Solver(table_mib=table_mib, book=False)
    start = shown = time.monotonic()
    with progress.open("ab") as file:
        for done, key in enumerate(missing, 1):
            mine, theirs = layer[key]
            swap = (mine | theirs).bit_count() % 2 == 1
            known[key] = solver.solve(*((theirs, mine) if swap else (mine, theirs)))
            file.write(_ENTRY.pack(key, known[key]))
            file.flush()
            now = time.monotonic()
            if now - shown > 10 or done == len(missing):
                shown = now
                left = (now - start) / done * (len(missing) - done)
                print(f"{done} of {len(missing)} solved in {now - start:.0f} s, about {left:.0f} s left", flush=True)
    return known


def whole_entries(progress: Path) -> bytes:
    """Return the entries of the progress file, and cut off one that an interrupted run left unfinished."""
    data = progress.read_bytes() if progress.exists() else b""
    whole = len(data) // _ENTRY.size * _ENTRY.size
    if whole < len(data):
        with progress.open("r+b") as file:
            file.truncate(whole)
    return data[:whole]


def children(mine: int, theirs: int) -> Iterator[Position]:
    """Yield the positions one stone on in which the game is not over."""
    for move in moves(mine | theirs):
        if not has_row(mine | move):
            yield theirs, mine | move


def moves(full: int) -> Iterator[int]:
    """Yield the lowest free cell of each column with room."""
    for column in range(COLUMNS):
        move = (full + (1 << column * HEIGHT)) & (((1 << ROWS) - 1) << column * HEIGHT)
        if move:
            yield move


def wins_at_once(mine: int, theirs: int) -> bool:
    """Tell whether the side to move has a winning move."""
    return any(has_row(mine | move) for move in moves(mine | theirs))


def has_row(stones: int) -> bool:
    """Tell whether four stones lie in a row."""
    return any(stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in (1, 6, 7, 8))


if __name__ == "__main__":
    main()
