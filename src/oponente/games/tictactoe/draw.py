"""Tic-tac-toe: the board as an SVG picture. Cells carry ``data-cell``, the digit that one types for them."""

from __future__ import annotations

from oponente.games.tictactoe.text import cell_owner
from oponente.kernel import State

CELL, MARGIN = 80, 12
SEAT_COLOURS = CROSS, NOUGHT = "#0b6fb8", "#c2410c"
INK, GRID, WON = "#22303c", "#7b8794", "#fff3bf"


def svg(state: State, seat: int | None = None) -> str:
    """Return the board: crosses for the first player, noughts for the second; a filled line is shaded."""
    width = 3 * CELL + 2 * MARGIN
    height = width + 34
    won = _won_cells(state)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif">',
        f"<title>Tic-tac-toe, {_status(state)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for cell in range(9):
        x, y = MARGIN + cell % 3 * CELL, MARGIN + cell // 3 * CELL
        fill = WON if cell in won else "#fff"
        parts.append(
            f'<g data-cell="{cell + 1}"><rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}"/>'
            f"{_mark(cell_owner(state, cell), x + CELL // 2, y + CELL // 2, cell)}</g>"
        )
    for i in (1, 2):
        at, far = MARGIN + i * CELL, MARGIN + 3 * CELL
        parts.append(
            f'<path d="M{at} {MARGIN}V{far}M{MARGIN} {at}H{far}" stroke="{GRID}" stroke-width="4" '
            f'stroke-linecap="round"/>'
        )
    parts.append(
        f'<text x="{width // 2}" y="{height - 12}" text-anchor="middle" font-size="18" fill="{INK}">'
        f"{_status(state)}</text></svg>"
    )
    return "".join(parts)


def places_of(state: State, action: int) -> list[str]:
    """Return where an action lies in the picture: attribute and value of the elements, in the order of choosing."""
    return [f"cell {action + 1}"]


def _mark(owner: int | None, x: int, y: int, cell: int) -> str:
    arm = CELL // 2 - 18
    if owner is None:
        return f'<text x="{x}" y="{y + 5}" text-anchor="middle" font-size="14" fill="#aab4be">{cell + 1}</text>'
    if owner == 0:
        return (
            f'<path d="M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} {y + arm}" '
            f'stroke="{CROSS}" stroke-width="9" stroke-linecap="round"/>'
        )
    return f'<circle cx="{x}" cy="{y}" r="{arm}" fill="none" stroke="{NOUGHT}" stroke-width="9"/>'


def _won_cells(state: State) -> set[int]:
    winner = int(state.record.winner)
    if winner not in (0, 1):
        return set()
    marks = int(state.record.marks[winner])
    lines = [int(line) for line in state.game.rules.LINES if marks & int(line) == int(line)]
    return {cell for cell in range(9) if any(line >> cell & 1 for line in lines)}


def _status(state: State) -> str:
    if not state.is_terminal:
        return f"player {state.player + 1} to move"
    winner = int(state.record.winner)
    return "draw" if winner == state.game.rules.DRAW else f"player {winner + 1} has won"
