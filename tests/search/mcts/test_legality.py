"""In an open loop a node has children that are not legal in every world: none of them is played where it is not."""

import pytest

from oponente.kernel import Game, stream
from oponente.kernel.compilation import COMPILED
from oponente.search.mcts import MCTS
from tests.search.mcts import known_hand

pytestmark = pytest.mark.skipif(COMPILED, reason="a game of its own: CI plays it in the interpreter, without compiling")


@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"backup": "paranoid"},
        {"backup": "best-reply"},
        {"first_play": "parent"},
        {"widening": 1.0},
        {"wander": 0.3},
        {"guide": "mast"},
        {"history": 0.5},
    ],
    ids=str,
)
def test_only_legal_actions_are_taken(settings, observers):
    state = Game(known_hand).start()
    state.apply(0)
    search = MCTS(observers=observers, reward="utility", **settings)
    for seed in (0, 2, 3):
        assert search.search(state, stream(seed), 300).values[0] == 0.0
