"""Which sprites may touch, against looking at all pairs of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from oponente.games.vgdl.contact import find_contacts
from oponente.games.vgdl.layout import AREA, SHIFT
from oponente.kernel import entry
from tests.games.vgdl.worlds import World

CELL, COLUMNS, ROWS = 10, 8, 5
SIZES = (1, 7, 10, 10, 10, 10, 13, 35)


@entry
def contacts(game: Any, states: Any) -> None:
    find_contacts(game, states[0])


def world() -> World:
    return World(
        """
        wall > Immovable
        food > Resource
        rover > Missile speed=1
        drifter > RandomNPC
        avatar > MovingAvatar
        """,
        """
        avatar wall > stepBack
        food avatar > collectResource
        rover drifter > killSprite
        rover rover > turnAround
        drifter avatar > killSprite
        food drifter > killSprite
        rover EOS > killSprite
        """,
        "wwwwwwww\nwffr rfw\nwAfdrffw\nwfrdffdw\nwwwwwwww",
        mapping="f > food\nr > rover\nd > drifter",
    )


def cells(s: Any) -> set[tuple[int, int]]:
    """Return columns and rows that a sprite lies in; what lies beyond the edge is in the ring."""

    def line(at: int, count: int) -> int:
        return min(max(at // CELL, -1), count)

    columns = range(line(int(s.x), COLUMNS), line(int(s.x + s.w) - 1, COLUMNS) + 1)
    rows = range(line(int(s.y), ROWS), line(int(s.y + s.h) - 1, ROWS) + 1)
    return {(column, row) for column in columns for row in rows}


def overlap(a: Any, b: Any) -> bool:
    return bool(a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h)


class Box:
    """A fixed sprite as a rectangle."""

    def __init__(self, fixed: Any) -> None:
        self.x, self.y, self.w, self.h, self.type = int(fixed.x), int(fixed.y), CELL, CELL, int(fixed.type)


@pytest.mark.parametrize("seed", range(4))
def test_what_touches_is_found_and_what_is_in_other_cells_is_not(seed: int) -> None:
    played = world()
    tables, record = played.game.tables, played.state.record
    program, rng = tables.program, np.random.default_rng(seed)
    assert program.n_mortal == 9
    slots = [slot for slot in range(int(record.slots)) if record.sprites[slot].type >= 0]
    for _ in range(50):
        for slot in slots:
            s = record.sprites[slot]
            s.x, s.y = rng.integers(-30, CELL * COLUMNS + 30), rng.integers(-30, CELL * ROWS + 30)
            s.w, s.h = rng.choice(SIZES), rng.choice(SIZES)
            if rng.integers(2):  # in one cell, as most sprites of a game are
                s.x, s.y, s.w, s.h = s.x // CELL * CELL, s.y // CELL * CELL, CELL, CELL
        for i in range(int(program.n_mortal)):
            record.alive[i >> 6] ^= np.uint64(int(rng.integers(2)) << (i & 63))
        contacts(tables, played.state.array)
        alive = [i >= program.n_mortal or int(record.alive[i >> 6]) >> (i & 63) & 1 for i in range(program.n_fixed)]
        fixed = [Box(program.fixed[i]) for i in range(program.n_fixed) if alive[i]]
        moving = [record.sprites[slot] for slot in slots]
        outside = False
        for number, s in enumerate(moving):
            t = program.types[s.type]
            outside |= bool(t.edge) and (s.x < 0 or s.y < 0 or s.x + s.w > 80 or s.y + s.h > 50)
            others = [other for i, other in enumerate(moving) if i != number] + fixed
            touched = [other for other in others if overlap(s, other)]
            near = [other for other in others if cells(s) & cells(other)]
            assert kinds(program, touched) & int(t.near) & ~int(s.met) == 0
            assert int(s.met) & ~kinds(program, near) == 0
            for other in touched:
                for first, second in ((s.type, other.type), (other.type, s.type)):
                    assert all(is_active(record, pair) for pair in pairs_of(program, int(first), int(second)))
        assert bool(record.outside) == outside


def kinds(program: Any, found: list[Any]) -> int:
    return int(np.bitwise_or.reduce([program.types[other.type].bit for other in found] or [np.uint64(0)]))


def pairs_of(program: Any, first: int, second: int) -> list[int]:
    """Return the pairs of the InteractionSet that two types form in this order."""
    pairs = program.pairs[: program.n_pairs]
    return [
        i
        for i, pair in enumerate(pairs)
        if first in program.ints[pair.firsts : pair.firsts + pair.n_firsts]
        and second in program.ints[pair.seconds : pair.seconds + pair.n_seconds]
    ]


def is_active(record: Any, pair: int) -> bool:
    return bool(int(record.active[pair >> 6]) >> (pair & 63) & 1)


def test_every_pixel_lies_in_its_own_cell() -> None:
    most = AREA // 3  # in a level of one row, the ring around it included
    for cell in range(1, 1001):  # pixels, as square_size allows
        borders = np.arange(most + 1, dtype=np.int64) * cell
        for pixels in (borders[:-1], borders[1:] - 1):
            assert np.array_equal((pixels * -(-(1 << SHIFT) // cell)) >> SHIFT, pixels // cell), cell
