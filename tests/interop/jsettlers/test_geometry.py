"""JSettlers' coordinates and ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.games.catalogue import load_game
from oponente.games.catan.board import HARBOUR_ENDS, edge_ends
from oponente.games.catan.names import board_of
from oponente.interop.jsettlers import geometry
from oponente.interop.jsettlers.message import MessageError, parse
from oponente.interop.jsettlers.session import BoardLayout, LegalNodes
from oponente.interop.jsettlers.transcript import read_transcript
from tests.interop.jsettlers.helpers import TRANSCRIPTS

# From the specification: place of each harbour in the board message, what it faces, and its nodes.
HARBOURS = {
    0: (3, (0x27, 0x38)), 2: (4, (0x5A, 0x6B)), 8: (4, (0x9C, 0xAD)), 21: (5, (0xCD, 0xDC)), 32: (6, (0xC9, 0xDA)),
    35: (6, (0xA5, 0xB6)), 33: (1, (0x72, 0x83)), 22: (2, (0x43, 0x52)), 9: (2, (0x25, 0x34)),
}  # fmt: skip


def test_every_node_edge_and_hex_has_one_of_ours():
    assert sorted(geometry.NODE_OF.values()) == list(range(54))
    assert len(geometry.EDGE_OF) == len(set(geometry.EDGE_OF.values())) == 72
    assert sorted(geometry.TILE_OF.values()) == list(range(19))


def test_edges_end_at_the_nodes_of_the_specification():
    assert geometry.edge_nodes(0x22) == (0x23, 0x32)
    assert geometry.edge_nodes(0x23) == (0x23, 0x34)
    assert geometry.edge_nodes(0x5A) == (0x5A, 0x6B)
    for theirs, ours in geometry.EDGE_OF.items():
        assert {geometry.NODE_OF[node] for node in geometry.edge_nodes(theirs)} == set(edge_ends(ours))


def test_harbours_lie_where_the_specification_has_them():
    found = {
        place: (facing, {geometry.THEIR_NODE[node] for node in HARBOUR_ENDS[harbour]})
        for place, (harbour, facing) in geometry.HARBOUR_AT.items()
    }
    assert found == {place: (facing, set(nodes)) for place, (facing, nodes) in HARBOURS.items()}


@given(st.integers(0, 2**32))
def test_boards_come_back(seed):
    board = board_of(load_game("catan", {"numbers": "random"}).start(seed))
    layout = geometry.write_board("a game", board)
    assert geometry.read_board(parse(layout.format())) == board


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
def test_recorded_boards_come_back(path):
    found = 0
    for entry in read_transcript(path):
        if isinstance(entry.message, BoardLayout):
            board = geometry.read_board(entry.message)
            if board is not None:
                found += 1
                assert geometry.write_board(entry.message.game, board) == entry.message
        elif isinstance(entry.message, LegalNodes):
            assert geometry.sorted_nodes(entry.message.nodes) == list(range(54))
    assert found == 1


def test_resources_are_reordered():
    # Theirs: clay, ore, sheep, wheat, wood; ours: lumber, brick, wool, grain, ore.
    assert geometry.our_counts((1, 2, 3, 4, 5)) == (5, 1, 3, 4, 2)
    assert geometry.their_counts((5, 1, 3, 4, 2)) == (1, 2, 3, 4, 5)


def test_what_is_no_place_is_refused():
    for read in (geometry.node_of, geometry.edge_of, geometry.tile_of, geometry.resource_of):
        with pytest.raises(MessageError):
            read(0)
