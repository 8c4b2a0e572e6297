"""Catanatron's numbers beside ours, checked against the tables that its recordings come with."""

import json
from pathlib import Path

import pytest

from oponente.games.catan.board import HARBOUR_ENDS, NODE_TILES, edge_ends, tile_corners
from oponente.games.catan.layout import NUMBER_TOKENS, spiral
from oponente.interop.catanatron.numbering import (
    CUBES,
    EDGE_PAIRS,
    OUR_EDGES,
    OUR_TILES,
    THEIR_EDGES,
    THEIR_HARBOURS,
    THEIR_NODES,
    THEIR_TILES,
    tile_at,
)

TOPOLOGY = json.loads((Path(__file__).parents[1] / "data/catanatron/topology.json").read_text())


def test_tiles_lie_at_their_coordinates():
    assert [list(cube) for cube in CUBES] == [tile["cube"] for tile in TOPOLOGY["tiles"]]
    assert sorted(OUR_TILES) == list(range(19))
    for tile in TOPOLOGY["tiles"]:
        ours = tile_at(tuple(tile["cube"]))
        assert THEIR_TILES[ours] == tile["id"]
        assert [THEIR_NODES[node] for node in tile_corners(ours)] == tile["nodes"]


def test_nodes_touch_the_same_tiles_and_neighbours():
    pairs = {frozenset(pair) for pair in EDGE_PAIRS}
    for node in TOPOLOGY["nodes"]:
        ours = THEIR_NODES.index(node["id"])
        assert sorted(THEIR_TILES[tile] for tile in range(19) if int(NODE_TILES[ours]) >> tile & 1) == node["tiles"]
        assert {frozenset((node["id"], other)) for other in node["neighbours"]} == {
            pair for pair in pairs if node["id"] in pair
        }


def test_edges_have_the_same_ends():
    edges = TOPOLOGY["edges"]
    assert len(edges) == len(OUR_EDGES) == 72
    assert [list(pair) for pair in EDGE_PAIRS] == edges
    for number, ends in enumerate(edges):
        ours = OUR_EDGES[number]
        assert THEIR_EDGES[ours] == number
        assert sorted(THEIR_NODES[node] for node in edge_ends(ours)) == ends


def test_harbours_serve_the_same_nodes():
    for ours, ends in enumerate(HARBOUR_ENDS):
        theirs = TOPOLOGY["ports"][THEIR_HARBOURS[ours]]
        assert sorted(THEIR_NODES[node] for node in ends) == sorted(theirs["nodes"])


@pytest.mark.parametrize("corner", range(6))
def test_spirals_differ_by_a_rotation(corner):
    """Theirs begins at one corner always; ours at any of them."""
    theirs = [7, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 1, 6, 5, 4, 3, 2, 0]
    ours = [THEIR_TILES[tile] for tile in spiral(corner, clockwise=False)]
    assert len(NUMBER_TOKENS) == 18
    assert (ours == theirs) == (ours[0] == 7)
