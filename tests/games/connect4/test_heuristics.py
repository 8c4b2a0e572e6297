"""The report's evaluation against a plain sum over all segments."""

import numpy as np
import pytest

from oponente import load_game
from oponente.games.connect4.heuristics import evaluate
from oponente.games.connect4.text import cell_owner
from oponente.search.mcts.priors import action_priors

WORTH = {1: 50.0, 2: 10.0, 3: 1.0}  # by the stones that a segment lacks


def segments(options):
    """Return the cells of every possible line, in plain terms."""
    cells = {(column, row) for column in range(options.columns) for row in range(options.rows)}
    lines = (
        [(column + i * right, row + i * up) for i in range(options.connect)]
        for column, row in cells
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    )
    return [line for line in lines if cells.issuperset(line)]


def plain_value(state, lines):
    options = state.game.options
    owner = {(c, r): cell_owner(state, c, r) for c in range(options.columns) for r in range(options.rows)}
    total = 0.0
    for line in lines:
        owners = [owner[cell] for cell in line]
        for player, sign in ((0, 1.0), (1, -1.0)):
            own = owners.count(player)
            if own and 1 - player not in owners:
                total += sign * WORTH.get(options.connect - own, 0.0)
    return total


@pytest.mark.parametrize("size", [(7, 6, 4), (5, 5, 3), (4, 15, 5), (8, 6, 6), (6, 6, 2)])
def test_random_positions(size):
    game = load_game("connect4", dict(zip(("columns", "rows", "connect"), map(str, size), strict=True)))
    evaluator = game.evaluators["report"]
    rng = np.random.default_rng(3)
    lines = segments(game.options)
    out = np.zeros(2)
    checked = 0
    for _ in range(40):
        state = game.start()
        while not state.is_terminal:
            evaluate(evaluator, game.tables, state.record, out)
            expected = plain_value(state, lines)
            assert out.tolist() == [expected, -expected]
            checked += 1
            state.apply(int(rng.choice(list(state.legal_actions))))
        evaluate(evaluator, game.tables, state.record, out)
        assert out[0] == 512.0 * state.returns[0]
    assert checked > 100


def test_known_values():
    game = load_game("connect4")
    out = np.zeros(2)
    # One stone at the bottom of the centre column: 4 rows, 1 column, 1 rising and 1 falling diagonal hold it.
    evaluate(game.evaluators["report"], game.tables, game.position("4").record, out)
    assert out.tolist() == [7.0, -7.0]


def test_the_prior_is_what_a_stone_of_either_player_gains():
    game = load_game("connect4")
    lines, rng = segments(game.options), np.random.default_rng(5)
    checked = 0
    for _ in range(10):
        state = game.start()
        while not state.is_terminal:
            actions = list(state.legal_actions)
            prior = action_priors(state, game.priors["report"], actions)
            weights = []
            for action in actions:
                weight, ends, before = 1.0, False, plain_value(state, lines)
                for swapped in (False, True):
                    other = state.copy()
                    if swapped:  # as if it were the opponent's turn
                        other.record.ply += 1
                    mover = 1 - state.player if swapped else state.player
                    other.apply(action)
                    gain = (plain_value(other, lines) - before) * (1.0 if mover == 0 else -1.0)
                    weight += max(gain, 0.0)
                    ends = ends or other.record.winner == mover
                weights.append(weight + 512.0 * ends)
            assert prior == pytest.approx([weight / sum(weights) for weight in weights])
            checked += 1
            state.apply(int(rng.choice(actions)))
    assert checked > 100


def test_the_prior_sees_wins_and_threats():
    game = load_game("connect4")
    for moves in ("112233", "414243"):
        state = game.position(moves)
        actions = list(state.legal_actions)
        prior = action_priors(state, game.priors["report"], actions)
        wins = [a for a in actions if _ends(state, a)]
        assert wins
        assert int(np.argmax(prior)) in [actions.index(a) for a in wins]


def _ends(state, action):
    other = state.copy()
    other.apply(action)
    return other.is_terminal
