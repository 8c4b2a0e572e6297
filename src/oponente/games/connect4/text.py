"""Connect Four: notation and the board for a terminal.

A move is the number of its column, counted from 1 on the left; a position is the moves that lead to it, one after the
other ("44433"). On boards of ten columns the last one is written 0.
"""

from __future__ import annotations

from oponente.kernel import IllegalActionError, State
from oponente.kernel.notation import quoted

SYMBOLS = "XO"


def action_text(state: State, action: int) -> str:
    """Return the digit of a column."""
    return str((action + 1) % 10)


def parse_action(state: State, text: str) -> int:
    """Return the column that a digit denotes.

    Raises:
        IllegalActionError: the text is no digit of a column with room.
    """
    columns, rows = state.game.options.columns, state.game.options.rows
    digit = text.strip()
    if len(digit) != 1 or digit not in "0123456789":
        raise IllegalActionError(f"{quoted(text)} is no column: write a digit from 1 to {columns % 10 or '9, or 0'}")
    column = (int(digit) - 1) % 10
    if column >= columns:
        raise IllegalActionError(f"there is no column {digit}: the board has {columns}")
    if not state.is_terminal and cell_owner(state, column, rows - 1) is not None:
        raise IllegalActionError(f"column {digit} is full")
    return column


def split_position(text: str) -> list[str]:
    """Return the moves in the text of a position: its digits (blanks between them are allowed)."""
    return list("".join(text.split()))


def cell_owner(state: State, column: int, row: int) -> int | None:
    """Return whose stone lies on a cell (row 0 is the lowest), or None."""
    cell = 1 << (column * (state.game.options.rows + 1) + row)
    for player in (0, 1):
        if int(state.record.stones[player]) & cell:
            return player
    return None


def state_text(state: State, seat: int | None = None) -> str:
    """Return the board: X for the first player, O for the second."""
    options = state.game.options
    lines = []
    for row in reversed(range(options.rows)):
        owners = [cell_owner(state, column, row) for column in range(options.columns)]
        lines.append(" ".join("." if owner is None else SYMBOLS[owner] for owner in owners))
    lines.append(" ".join(str((column + 1) % 10) for column in range(options.columns)))
    if state.is_terminal:
        winner = int(state.record.winner)
        lines.append("draw" if winner == state.game.rules.DRAW else f"{SYMBOLS[winner]} has won")
    else:
        lines.append(f"{SYMBOLS[state.player]} to move")
    return "\n".join(lines)
