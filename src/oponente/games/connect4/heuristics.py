"""Connect Four: the evaluation of the FCUP report (Gomes, Maia, Sobral 2022), and a prior that goes by it.

A win is worth 512, a loss -512, a draw 0. Elsewhere every segment of four cells in a row counts: 50, 10 or 1 for three,
two or one own stones and none of the opponent's, as much below zero for the opponent's, 0 if it is mixed or empty.
With another length to connect, a segment has that length and counts by the stones that it lacks.

The prior of a column is 1 and what a stone of either player would gain by falling there: the own one builds, the
opponent's would be kept from building. What ends the game for either counts as the report's win.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.connect4.rules import DRAW, NOBODY, ONE, TWO, column_bottom, column_mask, has_row
from oponente.kernel import Token, njit
from oponente.kernel.bits import popcount

WIN_VALUE = 512.0
LACKING_ONE, LACKING_TWO, LACKING_THREE = 50.0, 10.0, 1.0


class Report(NamedTuple):
    """Has no tables."""

    token: Token


EVALUATORS = {"report": Report(Token(__name__))}
PRIORS = {"report": Report(Token(__name__))}


def value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:
    """Return the bounds of the values: at most four segments begin at each cell, and one loses what the other wins."""
    greatest = max(WIN_VALUE, 4 * LACKING_ONE * game.rows * game.columns)
    return -greatest, greatest, 0.0


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give the report's value to the first player and its negative to the second."""
    if state.winner == NOBODY:
        value = board_value(game, state.stones[0], state.stones[1])
    elif state.winner == DRAW:
        value = 0.0
    else:
        value = WIN_VALUE if state.winner == 0 else -WIN_VALUE
    out[0], out[1] = value, -value


@njit
def board_value(game: Any, own: Any, other: Any) -> float:
    """Return the sum over all segments of the board."""
    low = np.uint64(game.rows)
    board = board_mask(game)
    total = 0.0
    for step in (ONE, low, low + ONE, low + TWO):
        total += segments_value(game, own, other, board, step) - segments_value(game, other, own, board, step)
    return total


@njit
def segments_value(game: Any, own: Any, other: Any, board: Any, step: Any) -> float:
    """Return what the segments in one direction are worth to the owner of `own`.

    Bit i of every mask speaks of the segment that begins at cell i. The stones in a segment are counted in binary, all
    segments at once: `ones`, `twos`, `fours` are the digits of the count.
    """
    inside, free = board, ~other
    ones, twos, fours = own, np.uint64(0), np.uint64(0)
    stones, cells, taken = own, board, other
    for _ in range(game.connect - 1):
        stones, cells, taken = stones >> step, cells >> step, taken >> step
        inside &= cells
        free &= ~taken
        carry = ones & stones
        ones ^= stones
        fours |= twos & carry
        twos ^= carry
    open_segments = inside & free
    if game.connect == 4:
        three, two, one = ones & twos, twos & ~ones, ones & ~twos & ~fours
        return (
            LACKING_ONE * popcount(open_segments & three)
            + LACKING_TWO * popcount(open_segments & two)
            + LACKING_THREE * popcount(open_segments & one)
        )
    total = 0.0
    for cell in range(64):
        if open_segments >> np.uint64(cell) & ONE:
            lacking = game.connect
            for i in range(game.connect):
                lacking -= np.int64(own >> (np.uint64(cell) + np.uint64(i) * step) & ONE)
            if lacking < game.connect:
                total += (
                    LACKING_ONE if lacking == 1 else LACKING_TWO if lacking == 2 else LACKING_THREE * (lacking == 3)
                )
    return total


@njit
def board_mask(game: Any) -> Any:
    """Return all cells of the board."""
    column = (ONE << np.uint64(game.rows)) - ONE
    mask = np.uint64(0)
    for c in range(game.columns):
        mask |= column << np.uint64(c * (game.rows + 1))
    return mask


@njit
def prior_weights(prior: Any, game: Any, state: Any, actions: Any, count: Any, out: Any) -> None:
    """Weigh columns by what a stone of either player would gain there."""
    mover = state.ply & 1
    own, other = state.stones[mover], state.stones[1 - mover]
    full, before = own | other, board_value(game, own, other)
    for i in range(count):
        column = np.int64(actions[i])
        cell = (full + column_bottom(game, column)) & ~full & column_mask(game, column)
        gained = board_value(game, own | cell, other) - before
        kept = before - board_value(game, own, other | cell)
        out[i] = 1.0 + max(gained, 0.0) + max(kept, 0.0)
        if has_row(game, own | cell) or has_row(game, other | cell):
            out[i] += WIN_VALUE
