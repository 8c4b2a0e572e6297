"""Which of equal children is taken, and whose loss an estimate of an opponent's action tells."""

import pytest

from oponente import load_game
from oponente.kernel import Game, stream
from oponente.search.mcts import MCTS
from tests.search import random_tree
from tests.search.random_tree import TOKENS, payoff_of


@pytest.mark.parametrize(("loop", "first"), [("closed", -1), ("open", 0)])
def test_of_actions_with_equal_priors(loop, first):
    """In a closed loop the one made last is tried first, in an open one that made first."""
    root = load_game("tictactoe").position("5")
    analysis = MCTS(formula="puct", loop=loop).search(root, stream(1), 1)
    assert [move.action for move in analysis.moves if move.visits] == [root.legal_actions[first]]


@pytest.mark.parametrize("settings", [{"loop": "closed"}, {"loop": "open"}, {"loop": "closed", "widening": 1.0}])
def test_paranoid_opponents_try_first_what_seems_to_harm(settings):
    """Estimates tell what the player at the root loses by an opponent's action, not what the opponent gains."""
    looked = 0
    for seed in range(6):
        game = Game(random_tree, {"seed": str(seed), "depth": "3", "players": "3"})
        search = MCTS(backup="paranoid", estimate="payoff", **settings, **TOKENS)
        search.search(game.start(), stream(seed), 12)
        engine = search.engines[0]
        visits, actions = engine.tree.stats["visits"], engine.tree.stats["action"]
        for child in engine.children(0):
            place = int(game.tables.first[0]) + int(actions[child])
            mover, first = int(game.tables.mover[place]), int(game.tables.first[place])
            if mover < 0:
                continue
            sign = 1 if mover == engine.seat else -1
            looks = [sign * payoff_of(game, first + action)[engine.seat] for action in range(game.tables.count[place])]
            tried = [looks[int(actions[node])] for node in engine.children(child) if visits[node]]
            assert sorted(tried) == sorted(looks)[len(looks) - len(tried) :]
            looked += 0 < len(tried) < len(looks) and sign < 0
    assert looked > 3
