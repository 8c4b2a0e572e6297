"""Make the opening book of the Connect Four solver.

    python benchmarks/make_connect4_book.py --stones 4 --progress book.progress

solves all positions with up to that many stones, and writes the book anew whenever all with one more stone are solved.
What is solved is kept in the progress file, so that a run that was interrupted, or a second run with another number of
stones, goes on where the last one stopped. The file may be used by one process at a time.
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
from oponente.games.connect4.solver_search import WORST

Position = tuple[int, int]
_ENTRY = struct.Struct("<Qb")


def main() -> None:
    """Solve what is missing, then write the book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, default=4, help="stones of the deepest positions (default 4)")
    parser.add_argument("--progress", type=Path, required=True, help="file that keeps what is solved")
    parser.add_argument("--table-mib", type=int, default=512, help="transposition table of the solver (default 512)")
    parser.add_argument("--output", type=Path, default=Path(book_module.__file__).with_name(book_module.FILE))
    arguments = parser.parse_args()

    solver = Solver(table_mib=arguments.table_mib, book=False)
    known: dict[int, int] = dict(_ENTRY.iter_unpack(whole_entries(arguments.progress)))
    layer: dict[int, Position] = {book_key(0, 0): (0, 0)}
    least: dict[int, int] = {book_key(0, 0): WORST}
    scores: dict[int, int] = {}
    for stones in range(arguments.stones + 1):
        solve_layer(solver, layer, least, known, arguments.progress)
        scores |= {key: known[key] for key in layer}
        keys = sorted(scores)
        book = Book(stones, np.array(keys, np.uint64), np.array([scores[key] for key in keys], np.int8))
        aside = arguments.output.with_suffix(".writing")
        aside.write_bytes(book.dump())
        aside.replace(arguments.output)
        print(f"{stones} stones: {len(keys)} positions, {arguments.output.stat().st_size} bytes: {arguments.output}")
        following: dict[int, Position] = {}
        least = {}
        for key, position in layer.items():
            for child in children(*position):
                following[book_key(*child)] = child
                # No move is better for the parent's mover than its score.
                least[book_key(*child)] = max(least.get(book_key(*child), WORST), -known[key])
        layer = following


def solve_layer(
    solver: Solver, layer: dict[int, Position], least: dict[int, int], known: dict[int, int], progress: Path
) -> None:
    """Solve the positions of a layer that are not known yet, given lower bounds of their scores."""
    missing = [key for key in layer if key not in known]
    start = time.monotonic()
    with progress.open("ab") as file:
        for done, key in enumerate(missing, 1):
            mine, theirs = layer[key]
            swap = (mine | theirs).bit_count() % 2 == 1
            known[key] = solver.solve(*((theirs, mine) if swap else (mine, theirs)), lower=least[key])
            file.write(_ENTRY.pack(key, known[key]))
            file.flush()
            now = time.monotonic()
            left = (now - start) / done * (len(missing) - done)
            print(f"{done} of {len(missing)} solved in {now - start:.0f} s, about {left:.0f} s left", flush=True)


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


def has_row(stones: int) -> bool:
    """Tell whether four stones lie in a row."""
    return any(stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in (1, 6, 7, 8))


if __name__ == "__main__":
    main()
