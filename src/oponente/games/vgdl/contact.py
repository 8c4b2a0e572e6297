"""VGDL: which pairs of sprites may touch, found by the cells that they lie in.

Before the events of a tick every moving sprite enters its kind in the cells that it lies in. Then each takes note of
the kinds that are there: moving ones and fixed ones, which the program lists by cell. For two kinds that meet the pairs
of the InteractionSet that they may belong to become active; no other pair is looked at. A sprite that is moved or
created by an event does the same again. So the set of active pairs may be too large, never too small.

Around the level is a ring of cells for what lies beyond the edge.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import njit, subroutine
from oponente.kernel.bits import bit, lowest_bit

_0, _1 = np.uint64(0), np.uint64(1)


@njit
def column_of(game: Any, x: Any) -> Any:
    """Return the column of cells that a pixel lies in, counted with the ring."""
    column = np.int64(math.floor((x + 0.5) * game.program.inverse))
    return min(max(column, np.int64(-1)), np.int64(game.program.columns)) + 1


@njit
def row_of(game: Any, y: Any) -> Any:
    """Return the row of cells likewise."""
    row = np.int64(math.floor((y + 0.5) * game.program.inverse))
    return min(max(row, np.int64(-1)), np.int64(game.program.rows)) + 1


@njit
def span(game: Any, s: Any) -> Any:
    """Return the cells that a sprite lies in: the first, how many more to the right, and how many rows more below."""
    left, top = column_of(game, s.x), row_of(game, s.y)
    right, bottom = column_of(game, s.x + s.w - 1), row_of(game, s.y + s.h - 1)
    return top * game.program.stride + left, right - left, bottom - top


@njit
def is_outside(game: Any, s: Any) -> bool:
    """Tell whether a sprite is not wholly on the screen."""
    p = game.program
    return s.x < 0 or s.y < 0 or s.x + s.w > p.width or s.y + s.h > p.height


@njit
def kinds_at(game: Any, state: Any, s: Any, wanted: Any) -> Any:
    """Return, of the kinds in `wanted`, those that may touch a sprite; its own may be among them if it is in its cells
    itself, and kinds that moved on.
    """
    first, wide, high = span(game, s)
    return kinds_in(game, state, first, wide, high, wanted, _0)


@njit
def kinds_in(game: Any, state: Any, first: Any, wide: Any, high: Any, wanted: Any, own: Any) -> Any:
    """Return, of the kinds in `wanted`, those in a rectangle of cells; of the kind `own`, of which a sprite is known to
    be there, only if there may be another one.
    """
    p = game.program
    moving = crowd = fixed = _0
    for row in range(high + 1):
        begin = first + row * p.stride
        for c in range(begin, begin + wide + 1):
            cell = p.cells[c]
            moving |= state.touching[c]
            crowd |= state.crowded[c]
            fixed |= cell.lasting
            if cell.n_mortal != 0 and cell.fixed & wanted != _0:
                for i in range(cell.mortal, cell.mortal + cell.n_mortal):
                    if (state.alive[i >> 6] >> np.uint64(i & 63)) & _1 != _0:
                        fixed |= p.types[p.fixed[i].type].bit
    return (moving & ~own | crowd & own | fixed) & wanted


@njit
def matters(game: Any, s: Any) -> bool:
    """Tell whether any event can come of where a sprite is."""
    t = game.program.types[s.type]
    return t.near != _0 or t.edge != 0


@njit
def enter(game: Any, state: Any, first: Any, wide: Any, high: Any, own: Any) -> None:
    """Enter a sprite of kind `own` in its cells."""
    for row in range(high + 1):
        begin = first + row * game.program.stride
        for c in range(begin, begin + wide + 1):
            before = state.touching[c]
            state.crowded[c] |= before & own
            state.touching[c] = before | own


@njit
def look_around(game: Any, state: Any, s: Any, first: Any, wide: Any, high: Any) -> None:
    """Take note of the kinds that a sprite may touch, and activate the pairs that they form with it."""
    t = game.program.types[s.type]
    s.met = kinds_in(game, state, first, wide, high, t.near, t.bit)
    if s.met != _0:
        activate(game, state, lowest_bit(t.bit), s.met)


@subroutine
def note(game: Any, state: Any, s: Any) -> None:
    """Do all of that for a sprite that an event has moved or created."""
    t = game.program.types[s.type]
    if t.edge and is_outside(game, s):
        state.outside = 1
    if t.near != _0:
        state.moved |= t.bit
        first, wide, high = span(game, s)
        enter(game, state, first, wide, high, t.bit)
        look_around(game, state, s, first, wide, high)


@subroutine
def activate(game: Any, state: Any, kind: Any, met: Any) -> None:
    """Activate the pairs that a kind forms with others."""
    p = game.program
    while met != _0:
        other = lowest_bit(met)
        met &= met - _1
        for i in range(p.kinds_begin[kind, other], p.kinds_end[kind, other]):
            pair = p.ints[i]
            state.active[pair >> 6] |= bit(pair & 63)


@subroutine
def find_contacts(game: Any, state: Any) -> None:
    """Enter all moving sprites."""
    p = game.program
    for i in range((p.n_pairs + 63) >> 6):
        state.active[i] = p.always[i]
    for c in range(p.stride * (p.rows + 2)):
        state.touching[c] = state.crowded[c] = _0
    state.outside = 0
    state.moved = _0
    count = np.int64(0)
    for slot in range(state.slots):
        s = state.sprites[slot]
        if s.type < 0:
            continue
        t = p.types[s.type]
        if t.near != _0:
            first, wide, high = span(game, s)
            enter(game, state, first, wide, high, t.bit)
            entered = state.entered[count]
            entered.slot, entered.first, entered.wide, entered.high = slot, first, wide, high
            count += 1
        if t.edge and is_outside(game, s):
            state.outside = 1
    for i in range(count):
        entered = state.entered[i]
        s = state.sprites[entered.slot]
        look_around(game, state, s, np.int64(entered.first), np.int64(entered.wide), np.int64(entered.high))
