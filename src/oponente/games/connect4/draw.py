"""Connect Four: the board as an SVG picture. Columns carry ``data-column``, the digit that one types for them."""

from __future__ import annotations

from oponente.games.connect4.text import cell_owner
from oponente.kernel import State

CELL, MARGIN = 60, 16
#: Colours that also people with red-green blindness tell apart; the ring or cross tells them without colour.
SEAT_COLOURS = ("#d7263d", "#ffd23f")
STONE_EDGES = ("#8c1226", "#c79a00")
FRAME, HOLE, INK = "#1b4f9c", "#f4f7fb", "#22303c"


def svg(state: State, seat: int | None = None) -> str:
    """Return the board: a cross on the first player's stones, a ring on the second's, the last stone dotted.

    Under the board stand the column numbers and whose turn it is; a winning row is framed.
    """
    options = state.game.options
    width = options.columns * CELL + 2 * MARGIN
    board_height = options.rows * CELL + 2 * MARGIN
    height = board_height + 62
    won = completed_cells(state)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif">',
        f"<title>Connect Four, {_status(state)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<rect width="{width}" height="{board_height}" rx="14" fill="{FRAME}"/>',
    ]
    last = _last_cell(state)
    for column in range(options.columns):
        x = MARGIN + column * CELL + CELL // 2
        parts.append(
            f'<g data-column="{(column + 1) % 10}">'
            f'<rect x="{x - CELL // 2}" y="{MARGIN}" width="{CELL}" height="{options.rows * CELL}" fill="{FRAME}"/>'
        )
        for row in range(options.rows):
            y = MARGIN + (options.rows - 1 - row) * CELL + CELL // 2
            parts.append(f'<g data-slot="{column + 1}-{row + 1}">')
            parts += _cell(x, y, cell_owner(state, column, row), (column, row) in won, (column, row) == last)
            parts.append("</g>")
        parts.append(
            f'<text x="{x}" y="{board_height + 22}" text-anchor="middle" font-size="18" fill="{INK}">'
            f"{(column + 1) % 10}</text></g>"
        )
    parts.append(
        f'<text x="{width // 2}" y="{board_height + 50}" text-anchor="middle" font-size="18" fill="{INK}">'
        f"{_status(state)}</text></svg>"
    )
    return "".join(parts)


def places_of(state: State, action: int) -> list[str]:
    """Return where an action lies in the picture: attribute and value of the elements, in the order of choosing."""
    return [f"column {(action + 1) % 10}"]


def piece_place_of(state: State, action: int) -> str:
    """Return where the piece of an action comes to lie: attribute and value of the element."""
    row = next(row for row in range(state.game.options.rows) if cell_owner(state, action, row) is None)
    return f"slot {action + 1}-{row + 1}"


def _cell(x: int, y: int, owner: int | None, won: bool, last: bool) -> list[str]:
    radius = CELL // 2 - 5
    if owner is None:
        return [f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{HOLE}"/>']
    fill, edge = SEAT_COLOURS[owner], STONE_EDGES[owner]
    parts = [f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{edge}" stroke-width="3"/>']
    if owner == 0:
        arm = radius // 2
        parts.append(
            f'<path d="M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} {y + arm}" '
            f'stroke="{edge}" stroke-width="4" stroke-linecap="round"/>'
        )
    else:
        parts.append(f'<circle cx="{x}" cy="{y}" r="{radius // 2}" fill="none" stroke="{edge}" stroke-width="4"/>')
    if won:
        parts.append(f'<circle cx="{x}" cy="{y}" r="{radius + 1}" fill="none" stroke="#fff" stroke-width="5"/>')
    if last:
        parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#fff" stroke="{INK}" stroke-width="1.5"/>')
    return parts


def _last_cell(state: State) -> tuple[int, int] | None:
    if not state.history:
        return None
    column = state.history[-1]
    filled = [row for row in range(state.game.options.rows) if cell_owner(state, column, row) is not None]
    return (column, filled[-1]) if filled else None


def completed_cells(state: State) -> set[tuple[int, int]]:
    """Return the cells (column, row) of all winning rows on the board."""
    options = state.game.options
    found: set[tuple[int, int]] = set()
    for column in range(options.columns):
        for row in range(options.rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(options.connect)]
                if not all(0 <= c < options.columns and 0 <= r < options.rows for c, r in line):
                    continue
                owners = {cell_owner(state, c, r) for c, r in line}
                if len(owners) == 1 and None not in owners:
                    found |= set(line)
    return found


def _status(state: State) -> str:
    if not state.is_terminal:
        return f"player {state.player + 1} to move"
    winner = int(state.record.winner)
    return "draw" if winner == state.game.rules.DRAW else f"player {winner + 1} has won"
