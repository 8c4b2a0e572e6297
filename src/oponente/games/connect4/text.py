"""Connect Four: notation and the board for a terminal.

A move is the number of its column, counted from 1 on the left; a position is the moves that lead to it, one after the
other ("44433"). On boards of ten columns the last one is written 0.
"""

from __future__ import annotations

from oponente.kernel import Game, IllegalActionError, State

SYMBOLS = "XO"


def action_text(state: State, action: int) -> str:
    """Return the digit of a column."""
    return str((action + 1) % 10)


def parse_action(state: State, text: str) -> int:
    """Return the column that a digit denotes.

    Raises:
        IllegalActionError: the text is no digit of a column on the board.
    """
    columns = state.game.options.columns
    digit = text.strip()
    if len(digit) != 1 or digit not in "0123456789":
        raise IllegalActionError(f"{text!r} is no column: write a digit from 1 to {columns % 10 or '9, or 0'}")
    column = (int(digit) - 1) % 10
    if column >= columns:
        raise IllegalActionError(f"there is no column {digit}: the board has {columns}")
    return column


def parse_position(game: Game, text: str) -> State:
    """Return the position after the moves in `text` (blanks between them are allowed).

    Raises:
        ValueError: a move is not legal; the message names it and its place.
    """
    state = game.start()
    for number, digit in enumerate("".join(text.split()), 1):
        try:
            state.apply(state.parse_action(digit))
        except IllegalActionError as error:
            if state.is_terminal:
                reason = "the game is over before it"
            elif digit.isdigit() and (int(digit) - 1) % 10 < game.options.columns:
                reason = "the column is full"
            else:
                reason = str(error)
            raise IllegalActionError(f"move {number} ({digit}) of {text!r}: {reason}") from None
    return state


def cell_owner(state: State, column: int, row: int) -> int | None:
    """Return whose stone lies on a cell (row 0 is the lowest), or None."""
    cell = 1 << (column * (state.game.options.rows + 1) + row)
    for player in (0, 1):
        if int(state.record.stones[player]) & cell:
            return player
    return None


def state_text(state: State) -> str:
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
