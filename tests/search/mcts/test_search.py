"""One search of several trees or with a limit: what is played of equals, when it ends, what is kept for the next."""

import pytest

from oponente import load_game, make_agent
from oponente.kernel import Control, stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.search import MORE
from oponente.search.mcts.store import MAX_VISITS


@pytest.mark.parametrize("limited", [True, False])
@pytest.mark.parametrize("refused", [0, 2, 1000])
def test_max_robust_looks_again_within_its_limit(monkeypatch, refused, limited):
    """Of a time limit it begins with half, so that there is some left to search on in."""
    game, asked = load_game("tictactoe"), []

    def is_max_robust(moves):
        asked.append(sum(move.visits for move in moves))
        return len(asked) > refused

    search, control = MCTS(final="max-robust"), Control()
    search.search(game.start(), stream(1), 1)
    monkeypatch.setattr("oponente.search.mcts.search.is_max_robust", is_max_robust)
    control.start(1.0 if limited else None)
    search.search(game.start(), stream(1), MAX_VISITS if limited else 80, control)
    assert asked == sorted(asked)
    if refused == 0:
        assert len(asked) == 1
    elif refused == 2:
        assert len(asked) == 3
    else:
        assert 3 < len(asked) <= MORE + 2
    assert search.simulations <= 2 * asked[0]
    if not limited:
        assert search.simulations == {0: 80, 2: 100, 1000: 160}[refused]


@pytest.mark.parametrize("ties", ["first", "random"])
def test_of_equal_votes_the_first_listed_is_played(ties):
    root = load_game("tictactoe").start()
    equal = other = 0
    for seed in range(40):
        search = MCTS(threads=2, parallel="root", combine="vote", ties=ties)
        analysis = search.search(root, stream(seed), 4)
        tried = [move for move in analysis.moves if move.visits]
        best = max((move.visits, move.value) for move in tried)
        equals = [move.action for move in tried if (move.visits, move.value) == best]
        equal += len(equals) > 1
        other += len(equals) > 1 and analysis.action != equals[0]
    assert equal > 5
    assert (other > 0) == (ties == "random")


@pytest.mark.parametrize(
    "settings",
    [{"observers": "pimc"}, {"observers": "multiple"}, {"threads": 2, "parallel": "root"}, {"root": "gumbel"},
     {"root": "halving"}, {"opponents": "policy", "loop": "open"}],
)  # fmt: skip
def test_a_tree_is_reused_where_that_is_possible(settings):
    assert MCTS(reuse=None).parameters.reuse is True
    assert MCTS(reuse=None, **settings).parameters.reuse is False
    with pytest.raises(ValueError, match="reuse=true"):
        MCTS(reuse=True, **settings)
    for name in ("connect4", "tictactoe"):
        make_agent("mcts:20," + ",".join(f"{key}={value}" for key, value in settings.items()), load_game(name))
