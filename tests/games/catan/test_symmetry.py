"""Symmetries of the island: which there are, and that the inputs of the linear evaluation depend on no place.

That the game goes the same way in a symmetric state is a check of the conformance suite.
"""

from __future__ import annotations

import numpy as np
import pytest

from oponente.games.catalogue import load_game
from oponente.games.catan.board import HARBOUR_ENDS, TILES, tile_corners
from oponente.games.catan.symmetry import turns
from oponente.kernel import stream
from oponente.testing.entries import features_one


def test_half_of_the_twelve_keep_the_harbours():
    assert len(turns()) == len({turn.nodes.tobytes() for turn in turns()}) == 6
    assert (turns()[0].nodes == np.arange(54)).all()
    for turn in turns():
        for tile in range(TILES):
            assert {int(turn.nodes[node]) for node in tile_corners(tile)} == set(tile_corners(int(turn.tiles[tile])))
        for number, ends in enumerate(HARBOUR_ENDS):
            assert {int(turn.nodes[node]) for node in ends} == set(HARBOUR_ENDS[int(turn.harbours[number])])
        assert all(sorted(places) == list(range(len(places))) for places in turn)


@pytest.mark.compiled
def test_the_inputs_are_the_same_in_all_symmetric_states():
    game = load_game("catan", {"players": "3"})
    kind, seen = game.features["inputs"], set()
    for seed in range(3):
        state, rng = game.start(seed), stream(seed)
        while not state.is_terminal and len(state.history) < 400:
            if state.is_chance:
                state.apply_chance(rng)
            else:
                state.apply(state.sample_action(rng))
            if len(state.history) % 40:
                continue
            for seat in range(3):
                rows = np.zeros((6, 48), np.float32)
                arrays = [state.array, *(symmetry.state(state.array) for symmetry in game.symmetries)]
                for row, array in zip(rows, arrays, strict=True):
                    features_one(kind, game.tables, array, seat, row)
                assert (rows == rows[0]).all()
                seen.add(rows[0].tobytes())
    assert len(seen) > 50
