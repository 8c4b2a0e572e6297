"""Tic-tac-toe: notation and the board for a terminal.

A move is the number of its cell, 1 to 9, row by row from the top left; a position is the moves that lead to it, one
after the other ("519").
"""

from __future__ import annotations

from oponente.kernel import IllegalActionError, State
from oponente.kernel.notation import quoted

SYMBOLS = "XO"


def action_text(state: State, action: int) -> str:
    """Return the digit of a cell."""
    return str(action + 1)


def parse_action(state: State, text: str) -> int:
    """Return the cell that a digit denotes.

    Raises:
        IllegalActionError: the text is no digit from 1 to 9.
    """
    digit = text.strip()
    if len(digit) != 1 or digit not in "123456789":
        raise IllegalActionError(f"{quoted(text)} is no cell: write a digit from 1 to 9")
    return int(digit) - 1


def split_position(text: str) -> list[str]:
    """Return the moves in the text of a position: its digits (blanks between them are allowed)."""
    return list("".join(text.split()))


def cell_owner(state: State, cell: int) -> int | None:
    """Return who has marked a cell, or None."""
    return next((player for player in (0, 1) if int(state.record.marks[player]) >> cell & 1), None)


def state_text(state: State, seat: int | None = None) -> str:
    """Return the board: X for the first player, O for the second, digits for empty cells."""
    owners = [cell_owner(state, cell) for cell in range(9)]
    signs = [str(cell + 1) if owner is None else SYMBOLS[owner] for cell, owner in enumerate(owners)]
    lines = [" ".join(signs[row : row + 3]) for row in (0, 3, 6)]
    if state.is_terminal:
        winner = int(state.record.winner)
        lines.append("draw" if winner == state.game.rules.DRAW else f"{SYMBOLS[winner]} has won")
    else:
        lines.append(f"{SYMBOLS[state.player]} to move")
    return "\n".join(lines)
