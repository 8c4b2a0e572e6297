"""Tic-tac-toe and Connect Four against OpenSpiel: legal moves, whose turn, end and outcome at every ply."""

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import TERMINAL

pyspiel = pytest.importorskip("pyspiel")

GAMES = 1500


@pytest.mark.parametrize(("ours", "theirs"), [("tictactoe", "tic_tac_toe"), ("connect4", "connect_four")])
def test_same_game(ours, theirs):
    game, peer = load_game(ours), pyspiel.load_game(theirs)
    rng = np.random.default_rng(20)
    outcomes = set()
    for _ in range(GAMES):
        state, other = game.start(), peer.new_initial_state()
        while True:
            assert state.is_terminal == other.is_terminal()
            if other.is_terminal():
                break
            assert state.player == other.current_player()
            assert list(state.legal_actions) == other.legal_actions()
            action = int(rng.choice(other.legal_actions()))
            state.apply(action)
            other.apply_action(action)
        assert state.player == TERMINAL
        assert list(state.legal_actions) == []
        assert state.returns == other.returns()
        outcomes.add(tuple(state.returns))
    assert outcomes == {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)} or (ours == "connect4" and len(outcomes) >= 2)
