"""Tic-tac-toe: the rules.

Two players mark cells of a 3 x 3 board in turn; the first with three own marks in a row, column or diagonal wins; a
full board without one is a draw.

Actions are cells, 0 to 8, row by row from the top left. The board is a bit mask per player, bit i for cell i.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import TERMINAL, Symmetry, Token, bits_moved, njit, places_from, record
from oponente.kernel.game import NoOptions

NAME = "tictactoe"
PLAYERS = 2
UTILITY_SUM = 0.0
CELLS = 9
MAX_ACTIONS = CELLS
ENCODING = 2 * CELLS

# --- components ----------------------------------------------------------------------------------------------------

NOBODY, DRAW = -1, 2
LINES = np.array(
    [0b000000111, 0b000111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001, 0b001010100]
)


class Tables(NamedTuple):
    """The game has no options."""

    token: Token


State = record(
    ("marks", "i4", 2),  # cells of each player
    ("ply", "i1"),  # marks on the board
    ("winner", "i1"),  # -1: none yet; 0 or 1; 2: draw
)


def tables(options: NoOptions) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__))


# --- play ----------------------------------------------------------------------------------------------------------


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Start with an empty board; the first player moves."""
    state.winner = NOBODY


@njit
def player(game: Any, state: Any) -> int:
    """Players alternate until somebody has won or the board is full."""
    return TERMINAL if state.winner != NOBODY else state.ply & 1


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List the empty cells, row by row from the top left."""
    full = state.marks[0] | state.marks[1]
    count = 0
    for cell in range(CELLS):
        if full >> cell & 1 == 0:
            out[count] = cell
            count += 1
    return count


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """Any empty cell may be marked."""
    if state.winner != NOBODY or action < 0 or action >= CELLS:
        return False
    return (state.marks[0] | state.marks[1]) >> action & 1 == 0


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Mark a cell for the player to move."""
    mover = state.ply & 1
    marks = state.marks[mover] | (1 << action)
    state.marks[mover] = marks
    state.ply += 1
    if has_line(marks):
        state.winner = mover
    elif state.ply == CELLS:
        state.winner = DRAW


@njit
def has_line(marks: Any) -> bool:
    """Tell whether the marks fill a row, a column or a diagonal."""
    for line in LINES:  # noqa: SIM110 (Numba compiles no generator expression)
        if marks & line == line:
            return True
    return False


# --- the end -------------------------------------------------------------------------------------------------------


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """1 for the winner, -1 for the loser, 0 for both in a draw."""
    out[0] = out[1] = 0.0
    if state.winner != DRAW:
        out[state.winner] = 1.0
        out[1 - state.winner] = -1.0


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """Nine features for the marks of `player`, then nine for the opponent's: 1 where there is a mark."""
    for cell in range(CELLS):
        out[cell] = state.marks[player] >> cell & 1
        out[CELLS + cell] = state.marks[1 - player] >> cell & 1


def symmetries(tables: Tables) -> list[Symmetry]:
    """Turn and mirror the board: eight in all with the one that moves nothing."""
    board = np.arange(CELLS).reshape(3, 3)
    boards = [np.rot90(side, quarter) for side in (board, board.T) for quarter in range(4)]
    return [_symmetry(turned.ravel()) for turned in boards[1:]]


def _symmetry(places: Any) -> Symmetry:
    """Return the symmetry that takes each cell to a place."""

    def moved(array: Any) -> Any:
        other = array.copy()
        for seat in range(PLAYERS):
            other[0].marks[seat] = bits_moved(int(array[0].marks[seat]), places)
        return other

    features = np.concatenate([places_from(places), places_from(places, CELLS)])
    return Symmetry(features, lambda action: int(places[action]), moved)
