"""VGDL: which pairs of sprites may touch, found by the cells that they lie in.

Before the events of a tick every moving sprite enters its kind in the cells that it lies in. Then each takes note of
the kinds that are there: moving ones and fixed ones, which the program lists by cell. For two kinds that meet the pairs
of the InteractionSet that they may belong to become active; no other pair is looked at. A sprite that is moved or
created by an event does the same again. So the set of active pairs may be too large, never too small.

Around the level is a ring of cells for what lies beyond the edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.layout import SHIFT
from oponente.kernel import njit, subroutine
from oponente.kernel.bits import bit, lowest_bit

_0, _1 = np.uint64(0), np.uint64(1)


@njit
def column_of(game: Any, x: Any) -> Any:
    """Return the column of cells that a pixel lies in, counted with the ring."""
    p = game.program
    return (min(max(np.int64(x) + p.cell, 0), p.width + p.cell) * p.reciprocal) >> SHIFT


@njit
def row_of(game: Any, y: Any) -> Any:
    """Return the row of cells likewise."""
    p = game.program
    return (min(max(np.int64(y) + p.cell, 0), p.height + p.cell) * p.reciprocal) >> SHIFT


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
    return ((s.x < 0) | (s.y < 0) | (s.x + s.w > p.width) | (s.y + s.h > p.height)) != 0


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
    if wide > 1 or high > 1:
        return kinds_in_many(game, state, first, wide, high, wanted, own)
    if wide | high == 0:
        at = p.cells[first]
        found = state.touching[first] & ~own | state.crowded[first] & own | at.lasting
        if at.passing & wanted & ~found != _0:
            found |= passing_in(game, state, first, wide, high)
        return found & wanted
    # Between cells a sprite lies in these four, some of which may be the same: to look at one twice costs less than a
    # branch that is foreseen wrongly.
    b, c = first + wide, first + high * p.stride
    d = c + wide
    found = state.touching[first] | state.touching[b] | state.touching[c] | state.touching[d]
    if own & wanted != _0:
        crowd = state.crowded[first] | state.crowded[b] | state.crowded[c] | state.crowded[d]
        found = found & ~own | crowd & own
    at_first, at_b, at_c, at_d = p.cells[first], p.cells[b], p.cells[c], p.cells[d]
    found |= at_first.lasting | at_b.lasting | at_c.lasting | at_d.lasting
    passing = (at_first.passing | at_b.passing | at_c.passing | at_d.passing) & wanted & ~found
    if passing != _0:
        found |= passing_in(game, state, first, wide, high)
    return found & wanted


@subroutine
def passing_in(game: Any, state: Any, first: Any, wide: Any, high: Any) -> Any:
    """Return the kinds of the fixed sprites in a rectangle of cells that can vanish, and have not."""
    p = game.program
    found = _0
    for row in range(high + 1):
        begin = first + row * p.stride
        for c in range(begin, begin + wide + 1):
            cell = p.cells[c]
            for i in range(cell.mortal, cell.mortal + cell.n_mortal):
                if (state.alive[i >> 6] >> np.uint64(i & 63)) & _1 != _0:
                    found |= p.types[p.fixed[i].type].bit
    return found


@subroutine
def kinds_in_many(game: Any, state: Any, first: Any, wide: Any, high: Any, wanted: Any, own: Any) -> Any:
    """Return the same as :func:`kinds_in` for a rectangle of any size."""
    p = game.program
    found = passing_in(game, state, first, wide, high)
    for row in range(high + 1):
        begin = first + row * p.stride
        for c in range(begin, begin + wide + 1):
            found |= state.touching[c] & ~own | state.crowded[c] & own | p.cells[c].lasting
    return found & wanted


@njit
def matters(game: Any, s: Any) -> bool:
    """Tell whether any event can come of where a sprite is."""
    t = game.program.types[s.type]
    return t.near != _0 or t.edge != 0


@njit
def enter(game: Any, state: Any, first: Any, wide: Any, high: Any, own: Any) -> None:
    """Enter a sprite of kind `own` in its cells."""
    if wide > 1 or high > 1:
        enter_many(game, state, first, wide, high, own)
        return
    if wide | high == 0:
        before = state.touching[first]
        state.touching[first] = before | own
        if before & own != _0:
            state.crowded[first] |= own
        return
    # As in `kinds_in`; all is read before anything is written, since some of these may be the same cell.
    b, c = first + wide, first + high * game.program.stride
    d = c + wide
    at_first, at_b, at_c, at_d = state.touching[first], state.touching[b], state.touching[c], state.touching[d]
    state.touching[first], state.touching[b] = at_first | own, at_b | own
    state.touching[c], state.touching[d] = at_c | own, at_d | own
    if (at_first | at_b | at_c | at_d) & own != _0:
        in_first, in_b = state.crowded[first] | at_first & own, state.crowded[b] | at_b & own
        in_c, in_d = state.crowded[c] | at_c & own, state.crowded[d] | at_d & own
        state.crowded[first], state.crowded[b], state.crowded[c], state.crowded[d] = in_first, in_b, in_c, in_d


@subroutine
def enter_many(game: Any, state: Any, first: Any, wide: Any, high: Any, own: Any) -> None:
    """Enter a sprite in a rectangle of cells of any size."""
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
