"""Catan: the island as an SVG picture, the players beside it.

Elements carry ``data-node``, ``data-edge`` and ``data-tile`` with the names of the notation (``c4``, ``c4-c5``, ``7``),
and pieces ``data-seat``, counted from 1. The root tells where the board alone is, and the panels alone, as the values
of a ``viewBox``: ``data-board`` and ``data-beside``, for narrow screens.
"""

from __future__ import annotations

import functools
import math

from oponente.games.catan.board import (
    DOWN,
    EDGES,
    HARBOUR_ENDS,
    NODES,
    TILES,
    bits,
    edge_ends,
    node_place,
    tile_corners,
    tile_place,
)
from oponente.games.catan.cards import DESERT, RESOURCES
from oponente.games.catan.layout import ANY, Board
from oponente.games.catan.moves import (
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    MOVE_ROBBER,
)
from oponente.games.catan.names import board_of, edge_text, node_text, roads_of
from oponente.games.catan.panels import WIDTH as PANELS
from oponente.games.catan.panels import headline, panels
from oponente.games.catan.svg import (
    DESERT_COLOUR,
    INK,
    RESOURCE_COLOURS,
    SEAT_COLOURS,
    SEAT_INKS,
    icon,
    icons,
    middle,
    title,
)
from oponente.kernel import State

SIDE = 60
"""Length of an edge."""
_HALF = SIDE * math.sqrt(3) / 2
_LEFT, _TOP = 118, 74
_SEA_WIDTH, _SEA_HEIGHT = round(2 * _LEFT + 10 * _HALF), 2 * _TOP + 8 * SIDE
_GAP = 14
_COAST = 16
"""How far from the hexes labels of harbours stay: the beach is 11 wide."""
_LABEL = 11
"""Half the height of these labels."""
_SEA, _BEACH, _PIER = "#8fc6e6", "#f0e2b6", "#7a5530"
_NAME = "#5c4417"
"""Of the names of intersections."""
_HIGH = "#b3122a"
"""Of the numbers 6 and 8."""
_PIECE_EDGE = "#1b1b1b"
_HEX = "M0-60L52-30V30L0 60L-52 30V-30z"


def svg(state: State, seat: int | None = None) -> str:
    """Return the board and what a seat knows of all players; None: everything."""
    beside, panels_height = panels(state, seat, _SEA_WIDTH + 2 * _GAP, _GAP)
    left = _SEA_WIDTH + 1.5 * _GAP
    width = _SEA_WIDTH + PANELS + 3 * _GAP
    height = max(_SEA_HEIGHT + 2 * _GAP, panels_height)
    board = board_of(state)
    y = (height - _SEA_HEIGHT) // 2
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" data-board="{_GAP} {y} {_SEA_WIDTH} {_SEA_HEIGHT}" '
            f'data-beside="{left:g} 0 {PANELS + _GAP} {panels_height}" '
            f'font-family="system-ui, sans-serif" fill="{INK}">',
            title(f"Catan, {headline(state)}"),
            icons(),
            f'<rect width="{width}" height="{height}" fill="#f6f8fa"/>',
            f'<g transform="translate({_GAP} {y})">',
            f'<rect width="{_SEA_WIDTH}" height="{_SEA_HEIGHT}" rx="18" fill="{_SEA}"/>',
            f'<g transform="translate({_LEFT} {_TOP + SIDE})">',
            *_harbours(board),
            *_tiles(board, int(state.record.rolled)),
            *_edges(state),
            *_nodes(state),
            "</g></g>",
            *beside,
            "</svg>",
        ]
    )


def places_of(state: State, action: int) -> list[str]:
    """Return where an action lies in the picture: attribute and value of the elements, in the order of choosing."""
    if MOVE_ROBBER <= action < BUILD_ROAD:
        return [f"tile {(action - MOVE_ROBBER) // 5 + 1}"]
    if BUILD_ROAD <= action < BUILD_SETTLEMENT:
        return [f"edge {edge_text(action - BUILD_ROAD)}"]
    if BUILD_SETTLEMENT <= action < BANK_TRADE:
        return [f"node {node_text(action - (BUILD_SETTLEMENT if action < BUILD_CITY else BUILD_CITY))}"]
    return []


def node_point(node: int) -> tuple[float, float]:
    """Return where a node is, from the centre of the first row's tiles and the westernmost nodes."""
    row, column = node_place(node)
    northern = (column - (4, 3, 2, 3, 4, 5)[row]) % 2 == 0
    return round((column - 1) * _HALF, 1), row * 1.5 * SIDE - (SIDE if northern else SIDE / 2)


def tile_point(tile: int) -> tuple[float, float]:
    """Return where the centre of a tile is."""
    row, column = tile_place(tile)
    return round((column - 1) * _HALF, 1), row * 1.5 * SIDE


def _tiles(board: Board, rolled: int) -> list[str]:
    beach = "".join(f"M{x:g} {y:g}m0-60l52 30v60l-52 30l-52-30v-60z" for x, y in map(tile_point, range(TILES)))
    parts = [
        f'<path d="{beach}" fill="{_BEACH}" stroke="{_BEACH}" stroke-width="22" stroke-linejoin="round"/>',
    ]
    for tile in range(TILES):
        x, y = tile_point(tile)
        terrain, number = board.terrain[tile], board.numbers[tile]
        name = "desert" if terrain == DESERT else RESOURCES[terrain]
        fill = DESERT_COLOUR if terrain == DESERT else RESOURCE_COLOURS[terrain]
        robbed = board.robber == tile
        what = f"tile {tile + 1}: {name}{f' {number}' if number else ''}{', robber' if robbed else ''}"
        parts.append(
            f'<g data-tile="{tile + 1}" transform="translate({x:g} {y:g})">{title(what)}'
            f'<path d="{_HEX}" fill="{fill}" stroke="{_BEACH}" stroke-width="5"/>'
            f"{icon(0, -32, terrain)}"
        )
        ink = "#fff" if name in ("lumber", "brick") else INK
        parts.append(middle(0, 33, f"{name} #{tile + 1}", 10, fill=ink))
        if number:
            parts.append(_token(number, produces=number == rolled and not robbed))
        if robbed:
            parts.append(_robber(-30 if number else 0))
        parts.append("</g>")
    return parts


def _token(number: int, *, produces: bool) -> str:
    """Return a number token: the more pips, the more often it is rolled; a ring if it was rolled this turn."""
    ways = 6 - abs(7 - number)
    fill = _HIGH if number in (6, 8) else INK
    ring = '<circle cy="3" r="21" fill="none" stroke="#fff" stroke-width="4"/>' if produces else ""
    pips = "".join(f'<circle cx="{5 * i - 2.5 * (ways - 1):g}" cy="13" r="1.8"/>' for i in range(ways))
    size = 21 if number in (6, 8) else 18
    return (
        f'{ring}<circle cy="3" r="18" fill="#fdf6df" stroke="#a98f55"/>'
        f'<g fill="{fill}">{middle(0, 8, str(number), size, bold=True)}{pips}</g>'
    )


def _robber(x: float) -> str:
    return (
        f'<path data-robber="" transform="translate({x:g} 4)" '
        'd="M-12 20q0-6 5-8q-6-14 0-22a8 8 0 1 1 14 0q6 8 0 22q5 2 5 8z" '
        'fill="#2b2b33" stroke="#fff" stroke-width="2"/>'
    )


def _harbours(board: Board) -> list[str]:
    return [_harbour(ends, kind) for ends, kind in zip(HARBOUR_ENDS, board.harbours, strict=True)]


@functools.cache  # where its label has room takes longer to find than all else of a picture
def _harbour(ends: tuple[int, int], kind: int) -> str:
    tile = next(t for t in range(TILES) if set(ends) <= set(tile_corners(t)))
    points = [node_point(end) for end in ends]
    x0, y0 = tile_point(tile)
    x, y = (sum(point[axis] for point in points) / 2 for axis in (0, 1))
    label = "3:1" if kind == ANY else f"2:1 {RESOURCES[kind]}"
    half = 4 * len(label) + 4
    step_x, step_y = (x - x0) / _HALF, (y - y0) / _HALF
    while not _at_sea(x, y, half):
        x, y = x + step_x, y + step_y
    fill, ink = ("#fff", INK) if kind == ANY else (RESOURCE_COLOURS[kind], "#fff" if kind < 2 else INK)
    piers = "".join(f"M{x:.0f} {y:.0f}L{a:.0f} {b:.0f}" for a, b in points)
    names = " and ".join(map(node_text, ends))
    return (
        f'<g data-harbour="{" ".join(map(node_text, ends))}">{title(f"harbour {label} at {names}")}'
        f'<path d="{piers}" stroke="{_PIER}" stroke-width="6" stroke-dasharray="5 2"/>'
        f'<rect x="{x - half:.0f}" y="{y - 11:.0f}" width="{2 * half}" height="22" rx="11" fill="{fill}" '
        f'stroke="{_PIER}" stroke-width="2"/>'
        f"{middle(round(x), round(y + 4.5), label, 13, fill=ink, bold=True)}</g>"
    )


def _at_sea(x: float, y: float, half: int) -> bool:
    """Tell whether a harbour's label around a point, `half` its width, lies clear of the beach."""
    for tile in range(TILES):
        dx, dy = (at - centre for at, centre in zip((x, y), tile_point(tile), strict=True))
        # Two convex shapes are apart if they are so along one of the normals of their sides.
        apart = abs(dy) >= SIDE + _COAST + _LABEL
        for angle in (0, 60, 120):
            across, along = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            reach = _HALF + _COAST + abs(across) * half + abs(along) * _LABEL
            apart = apart or abs(dx * across + dy * along) >= reach
        if not apart:
            return False
    return True


def _edges(state: State) -> list[str]:
    owners = {edge: seat for seat in range(state.game.num_players) for edge in roads_of(state, seat)}
    # The places of roads come first, so that no one of them covers a road.
    parts = ['<g stroke="#000" stroke-opacity="0" stroke-width="12" pointer-events="stroke">']
    for edge in EDGES:
        if edge not in owners:
            parts.append(f'<path data-edge="{edge_text(edge)}" d="{_line(edge)}">{title(edge_text(edge))}</path>')
    outline = "".join(map(_line, owners))
    parts.append(
        f'</g><path d="{outline}" stroke="{_PIECE_EDGE}" stroke-width="13" stroke-linecap="round"/>'
        '<g stroke-width="9" stroke-linecap="round" font-size="9.5" font-weight="bold" text-anchor="middle">'
    )
    for edge, seat in owners.items():
        (x1, y1), (x2, y2) = (node_point(end) for end in edge_ends(edge))
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        parts.append(
            f'<g data-edge="{edge_text(edge)}" data-seat="{seat + 1}">'
            f"{title(f'road of player {seat + 1} at {edge_text(edge)}')}"
            f'<path d="{_line(edge)}" stroke="{SEAT_COLOURS[seat]}"/>'
            f'<text x="{x:.0f}" y="{y + 3.5:.0f}" fill="{SEAT_INKS[seat]}">{seat + 1}</text></g>'
        )
    return [*parts, "</g>"]


def _line(edge: int) -> str:
    """Return the path of a road: a little shorter than the edge."""
    (x1, y1), (x2, y2) = (node_point(end) for end in edge_ends(edge))
    dx, dy = (x2 - x1) * 0.25, (y2 - y1) * 0.25
    if edge >= DOWN:
        return f"M{x1:.0f} {y1 + dy:.0f}V{y2 - dy:.0f}"
    return f"M{x1 + dx:.0f} {y1 + dy:.0f}L{x2 - dx:.0f} {y2 - dy:.0f}"


def _nodes(state: State) -> list[str]:
    record = state.record
    buildings: dict[int, tuple[int, bool]] = {}
    for seat in range(state.game.num_players):
        buildings |= dict.fromkeys(bits(record.settlements[seat]), (seat, False))
        buildings |= dict.fromkeys(bits(record.cities[seat]), (seat, True))
    parts = [f'<g text-anchor="middle" font-size="8.5" fill="{_NAME}">']
    for node in range(NODES):
        if node not in buildings:
            x, y = node_point(node)
            name = node_text(node)
            parts.append(
                f'<g data-node="{name}"><circle cx="{x:g}" cy="{y:g}" r="9" fill="{_BEACH}"/>'
                f'<text x="{x:g}" y="{y + 3:g}">{name}</text></g>'
            )
    parts.append("</g>")
    for node, (seat, city) in buildings.items():
        x, y = node_point(node)
        what = "city" if city else "settlement"
        shape = "M-19 13V-3H-4V-11L7-21L18-11V13z" if city else "M-12 11V-4L0-15L12-4V11z"
        number = middle(7 if city else 0, 8, str(seat + 1), 15 if city else 13, bold=True)
        parts.append(
            f'<g data-node="{node_text(node)}" data-seat="{seat + 1}" data-piece="{what}" '
            f'transform="translate({x:g} {y:g})" fill="{SEAT_INKS[seat]}">'
            f"{title(f'{what} of player {seat + 1} at {node_text(node)}')}"
            f'<path d="{shape}" fill="{SEAT_COLOURS[seat]}" stroke="#fff" stroke-width="6" stroke-linejoin="round"/>'
            f'<path d="{shape}" fill="{SEAT_COLOURS[seat]}" stroke="{_PIECE_EDGE}" stroke-width="2.5" '
            f'stroke-linejoin="round"/>{number}</g>'
        )
    # Over all pieces: below a building its name, which `city c4` needs.
    parts.append(
        f'<g text-anchor="middle" font-size="8.5" fill="{_NAME}" stroke="{_BEACH}" stroke-width="3" '
        'paint-order="stroke" stroke-linejoin="round">'
    )
    for node in buildings:
        x, y = node_point(node)
        parts.append(f'<text data-name="" x="{x:g}" y="{y + 22:g}">{node_text(node)}</text>')
    parts.append("</g>")
    return parts
