"""JSettlers' board: its coordinates, numbers and codes, and ours.

A coordinate is a byte: the high half counts half-steps along the axis from north-west to south-east, the low half those
along the axis from south-west to north-east. Hexes, nodes and edges share the grid. The board message lists 37 hexes
row by row from the north-west, the sea around the island included; resources are 1 clay, 2 ore, 3 sheep, 4 wheat,
5 wood.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oponente.games.catan.board import HARBOUR_ENDS, HARBOURS, TILES, tile_corners
from oponente.games.catan.cards import (
    BRICK,
    DESERT,
    GRAIN,
    KNIGHT,
    LUMBER,
    MONOPOLY,
    ORE,
    ROAD_BUILDING,
    VICTORY_POINT,
    WOOL,
    YEAR_OF_PLENTY,
)
from oponente.games.catan.layout import ANY, Board
from oponente.games.catan.names import EDGES_BY_ENDS
from oponente.interop.jsettlers.message import MessageError
from oponente.interop.jsettlers.session import BoardLayout

# --- resources and cards -------------------------------------------------------------------------------------------

RESOURCE_OF = {1: BRICK, 2: ORE, 3: WOOL, 4: GRAIN, 5: LUMBER}
"""Our resource by their number."""
THEIR_RESOURCE = {ours: theirs for theirs, ours in RESOURCE_OF.items()}

HIDDEN_CARD = 0
CARD_OF = {1: ROAD_BUILDING, 2: YEAR_OF_PLENTY, 3: MONOPOLY, **dict.fromkeys(range(4, 9), VICTORY_POINT), 9: KNIGHT}
"""Our development card by their number; each of the five victory points has its own."""
THEIR_CARD = {ROAD_BUILDING: 1, YEAR_OF_PLENTY: 2, MONOPOLY: 3, KNIGHT: 9}
"""Their number of the cards that can be played."""


MAX_CARDS = 100
"""Cards of a resource that a message may tell of: what the records of our rules, and the ledger, have room for."""


def our_counts(theirs: Sequence[int]) -> tuple[int, ...]:
    """Return numbers of cards by our resources; MessageError if one is no number of cards."""
    if not all(0 <= count <= MAX_CARDS for count in theirs):
        raise MessageError(f"{tuple(theirs)} are no numbers of cards, 0 to {MAX_CARDS}")
    return tuple(theirs[THEIR_RESOURCE[resource] - 1] for resource in range(5))


def their_counts(ours: Sequence[int]) -> tuple[int, ...]:
    """Return numbers of cards in their order of resources."""
    return tuple(ours[RESOURCE_OF[number]] for number in range(1, 6))


def resource_of(number: int) -> int:
    """Return our resource; MessageError if there is none of the number."""
    if number not in RESOURCE_OF:
        raise MessageError(f"{number} is no resource")
    return RESOURCE_OF[number]


# --- places --------------------------------------------------------------------------------------------------------

ROWS = (
    (0x17, 0x39, 0x5B, 0x7D),
    (0x15, 0x37, 0x59, 0x7B, 0x9D),
    (0x13, 0x35, 0x57, 0x79, 0x9B, 0xBD),
    (0x11, 0x33, 0x55, 0x77, 0x99, 0xBB, 0xDD),
    (0x31, 0x53, 0x75, 0x97, 0xB9, 0xDB),
    (0x51, 0x73, 0x95, 0xB7, 0xD9),
    (0x71, 0x93, 0xB5, 0xD7),
)
"""The hexes of the board message, row by row, the sea around the island included."""
HEXES = tuple(hex_ for row in ROWS for hex_ in row)
LAND = tuple(hex_ for row in ROWS[1:-1] for hex_ in row[1:-1])
"""The hex of each of our tiles."""
TILE_OF = {hex_: tile for tile, hex_ in enumerate(LAND)}

_CORNERS = (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
"""From a hex to its corners, clockwise from the north."""
NODE_OF = {
    hex_ + step: node for tile, hex_ in enumerate(LAND) for step, node in zip(_CORNERS, tile_corners(tile), strict=True)
}
"""Our node by their coordinate."""
THEIR_NODE = {node: coordinate for coordinate, node in NODE_OF.items()}


def edge_nodes(edge: int) -> tuple[int, int]:
    """Return the coordinates of the nodes at both ends of an edge."""
    if edge & 0x11 == 0:
        return edge + 0x01, edge + 0x10
    return edge, edge + 0x11


EDGE_OF = {
    edge: EDGES_BY_ENDS[frozenset(NODE_OF[node] for node in edge_nodes(edge))]
    for edge in range(0x100)
    if all(node in NODE_OF for node in edge_nodes(edge))
    and frozenset(NODE_OF[node] for node in edge_nodes(edge)) in EDGES_BY_ENDS
}
"""Our edge by their coordinate."""
THEIR_EDGE = {edge: coordinate for coordinate, edge in EDGE_OF.items()}


def node_of(coordinate: int) -> int:
    """Return our node; MessageError if there is none at the coordinate."""
    if coordinate not in NODE_OF:
        raise MessageError(f"there is no node {coordinate}")
    return NODE_OF[coordinate]


def edge_of(coordinate: int) -> int:
    """Return our edge; MessageError if there is none at the coordinate."""
    if coordinate not in EDGE_OF:
        raise MessageError(f"there is no edge {coordinate}")
    return EDGE_OF[coordinate]


def tile_of(coordinate: int) -> int:
    """Return our tile; MessageError if no land lies at the coordinate."""
    if coordinate not in TILE_OF:
        raise MessageError(f"there is no land at {coordinate}")
    return TILE_OF[coordinate]


# --- the board message ---------------------------------------------------------------------------------------------

_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
_SEA = 6
_SHARED = {1: (0, 1), 2: (1, 2), 3: (2, 3), 4: (3, 4), 5: (4, 5), 6: (5, 0)}
"""The two corners of a harbour's hex on that side."""


def _harbours() -> dict[int, tuple[int, int]]:
    """Return, by place in the board message, our number of the harbour that may be there, and what it faces."""
    ours = {frozenset(ends): number for number, ends in enumerate(HARBOUR_ENDS)}
    found = {}
    for place, hex_ in enumerate(HEXES):
        for facing, (a, b) in _SHARED.items():
            nodes = frozenset(NODE_OF.get(hex_ + _CORNERS[corner], -1) for corner in (a, b))
            if hex_ not in TILE_OF and nodes in ours:
                found[place] = ours[nodes], facing
    return found


HARBOUR_AT = _harbours()


def read_board(layout: BoardLayout) -> Board | None:
    """Return the board of a message, None for the empty one before a game.

    Raises:
        MessageError: it is none of the base game.
    """
    if all(value == _SEA for value in layout.hexes):
        if {*layout.numbers, layout.robber} != {-1}:
            raise MessageError("there are numbers or a robber on a board without land")
        return None
    terrain, numbers = [DESERT] * TILES, [0] * TILES
    harbours = [-1] * HARBOURS
    for place, (hex_, value, number) in enumerate(zip(HEXES, layout.hexes, layout.numbers, strict=True)):
        if hex_ in TILE_OF:
            tile = TILE_OF[hex_]
            terrain[tile] = DESERT if value == 0 else resource_of(value)
            numbers[tile] = _token(number)
        elif value > _SEA:
            harbour, kind = _read_harbour(place, value)
            harbours[harbour] = kind
        elif value != _SEA:
            raise MessageError(f"hex {hex_:02x} is {value}, and lies in the sea")
    if -1 in harbours:
        raise MessageError("the board lacks a harbour")
    return Board(tuple(terrain), tuple(numbers), tuple(harbours), tile_of(layout.robber))


def _token(number: int) -> int:
    if number == -1:
        return 0
    if not 0 <= number < len(_NUMBERS):
        raise MessageError(f"{number} is no number token")
    return _NUMBERS[number]


def _read_harbour(place: int, value: int) -> tuple[int, int]:
    kind, facing = (ANY, value - _SEA) if value < 16 else (resource_of(value & 15), value >> 4)
    if place not in HARBOUR_AT or HARBOUR_AT[place][1] != facing:
        raise MessageError(f"hex {HEXES[place]:02x} has no harbour that faces {facing}")
    return HARBOUR_AT[place][0], kind


def write_board(game: str, board: Board) -> BoardLayout:
    """Return the message of a board."""
    hexes, numbers = [_SEA] * len(HEXES), [-1] * len(HEXES)
    for place, hex_ in enumerate(HEXES):
        if hex_ in TILE_OF:
            tile = TILE_OF[hex_]
            resource, number = board.terrain[tile], board.numbers[tile]
            hexes[place] = 0 if resource == DESERT else THEIR_RESOURCE[resource]
            numbers[place] = _NUMBERS.index(number) if number else -1
        elif place in HARBOUR_AT:
            harbour, facing = HARBOUR_AT[place]
            kind = board.harbours[harbour]
            hexes[place] = _SEA + facing if kind == ANY else facing << 4 | THEIR_RESOURCE[kind]
    return BoardLayout(game, tuple(hexes), tuple(numbers), LAND[board.robber])


def sorted_nodes(nodes: Iterable[int]) -> list[int]:
    """Return our nodes of their coordinates, in order; MessageError if one is none."""
    return sorted(node_of(node) for node in nodes)
