"""VGDL: the sprites of a pair that touch, in the order in which the framework finds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.contact import column_of, row_of
from oponente.games.vgdl.layout import FIXED
from oponente.games.vgdl.sprites import is_alive
from oponente.kernel import njit, subroutine

_0 = np.uint64(0)


@njit
def touch(s1: Any, s2: Any) -> bool:
    """Tell whether two rectangles overlap; touching edges do not."""
    return s1.x < s2.x + s2.w and s2.x < s1.x + s1.w and s1.y < s2.y + s2.h and s2.y < s1.y + s1.h


@subroutine
def collect_hits(game: Any, state: Any, pair: Any, h1: Any, s1: Any, newcomers: Any) -> Any:
    """List the second sprites that a first one touches, in order; return how many."""
    p = game.program
    count = np.int64(0)
    left, top, right, bottom = reach(game, s1)
    for i in range(pair.seconds, pair.seconds + pair.n_seconds):
        second = np.int64(p.ints[i])
        if state.group[second].fixed > 0:
            count = collect_fixed(game, state, second, left, top, right, bottom, h1, count)
        if state.group[second].count > 0:
            slot = np.int64(state.group[second].head)
            while slot >= 0 and state.sprites[slot].id < newcomers:
                s2 = state.sprites[slot]
                if slot != h1 and touch(s1, s2):
                    state.hits[count] = slot
                    count += 1
                slot = np.int64(s2.next)
    return count


@njit
def collect_fixed(
    game: Any, state: Any, second: Any, left: Any, top: Any, right: Any, bottom: Any, h1: Any, count: Any
) -> Any:
    """Add the fixed sprites of a type in some cells, but for one, to those that are listed; return how many are now."""
    p = game.program
    for row in range(top, bottom + 1):
        for c in range(row * p.stride + left, row * p.stride + right + 1):
            cell = p.cells[c]
            for part in range(2):
                begin = np.int64(cell.mortal if part == 0 else cell.immortal)
                length = np.int64(cell.n_mortal if part == 0 else cell.n_immortal)
                for fixed in range(begin, begin + length):
                    if p.fixed[fixed].type == second and fixed + FIXED != h1 and is_alive(game, state, fixed):
                        state.hits[count] = fixed + FIXED
                        count += 1
    return count


@subroutine
def list_candidates(game: Any, state: Any, pair: Any, first: Any, newcomers: Any) -> Any:
    """List the fixed sprites of a type in whose cells moving second sprites are, in order; return how many."""
    p = game.program
    mask = p.types[first].bit
    count = np.int64(0)
    for i in range(pair.seconds, pair.seconds + pair.n_seconds):
        second = np.int64(p.ints[i])
        if state.group[second].count == 0:
            continue
        slot = np.int64(state.group[second].head)
        while slot >= 0 and state.sprites[slot].id < newcomers:
            s = state.sprites[slot]
            if s.met & mask != _0:
                left, top, right, bottom = reach(game, s)
                for row in range(top, bottom + 1):
                    for c in range(row * p.stride + left, row * p.stride + right + 1):
                        count = add_candidates(game, state, c, first, count)
            slot = np.int64(s.next)
    return count


@njit
def reach(game: Any, s: Any) -> Any:
    """Return the columns and rows of cells that a sprite lies in: left, top, right, bottom."""
    return reach_of(game, s.x, s.y, s.w, s.h)


@njit
def reach_of(game: Any, x: Any, y: Any, w: Any, h: Any) -> Any:
    """Return the same of a rectangle."""
    from_x, from_y = column_of(game, x), row_of(game, y)
    return from_x, from_y, column_of(game, x + w - 1), row_of(game, y + h - 1)


@subroutine
def add_candidates(game: Any, state: Any, c: Any, first: Any, count: Any) -> Any:
    """Insert the fixed sprites of a type in a cell into the ordered list."""
    p = game.program
    cell = p.cells[c]
    listed = state.candidates
    for part in range(2):
        begin = np.int64(cell.mortal if part == 0 else cell.immortal)
        length = np.int64(cell.n_mortal if part == 0 else cell.n_immortal)
        for fixed in range(begin, begin + length):
            if p.fixed[fixed].type != first or not is_alive(game, state, fixed):
                continue
            at = count
            while at > 0 and listed[at - 1] > fixed:
                at -= 1
            if at > 0 and listed[at - 1] == fixed:
                continue
            for j in range(count, at, -1):
                listed[j] = listed[j - 1]
            listed[at] = fixed
            count += 1
    return count
