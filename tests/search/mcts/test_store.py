"""The tree: nothing depends on what was in its memory before."""

from dataclasses import fields

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import Game, stream
from oponente.search.mcts import MCTS, engine
from oponente.search.mcts.parameters import MCTSParameters
from oponente.search.mcts.selection import select
from oponente.search.mcts.store import BYTES_PER_NODE, ROOT, add_child, clear_tree, new_tree
from tests.search import random_tree
from tests.search.random_tree import TOKENS


def test_what_a_node_takes_is_what_the_parameter_says():
    (capacity,) = (field for field in fields(MCTSParameters) if field.name == "capacity")
    assert f"({BYTES_PER_NODE} bytes each and {np.dtype(np.float64).itemsize} for" in capacity.metadata["meaning"]


def dirty_tree(capacity, config):
    """Return an empty tree whose memory is full of what is no number."""
    tree = new_tree(capacity, config)
    for array in (tree.stats, tree.nodes, tree.values):
        array.view(np.uint8)[:] = 0xFF
    return tree


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"loop": "open"},
        {"solver": "on"},
        {"formula": "puct"},
        {"formula": "tuned"},
        {"amaf": "rave"},
        {"recycle": True, "capacity": 40},
        {"loop": "open", "expectimax": True, "normalise": True},
        {"implicit": 0.3, "evaluation": "payoff"},
        {"estimate": "payoff", "widening": 1.0},
    ],
    ids=str,
)
def test_memory_may_hold_anything(monkeypatch, settings):
    game = Game(random_tree, {"seed": "3", "depth": "4", "players": "2"})
    found = []
    for made in (new_tree, dirty_tree):
        monkeypatch.setattr(engine, "new_tree", made)
        search = MCTS(**TOKENS, **settings)
        analysis = search.search(game.start(), stream(1), 60)
        found.append((analysis.action, analysis.values, analysis.moves, search.used))
    assert found[0] == found[1]


def test_a_child_whose_first_simulation_was_broken_off_comes_first():
    search = MCTS()
    search.search(load_game("tictactoe").start(), stream(1), 0)
    config = search.engines[0]._packed[0]
    tree = dirty_tree(10, config)
    clear_tree(tree, config)
    visited, broken_off = (int(add_child(tree, ROOT, action, 0, 2, config, None, None)) for action in (0, 1))
    for node in (ROOT, visited):
        tree.stats["visits"][node] = 1
    tree.stats["average"][visited], tree.stats["spread"][visited] = 1.0, 1.0
    assert select(tree, ROOT, 1.0) == broken_off
