"""Greedy one-step search, and single moves of a playout policy: what agents do that look no further."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import State, Stream, actions, apply, copy_state, entry, evaluate, playout_action, random_below
from oponente.kernel.memory import private_zeros
from oponente.kernel.rules import max_actions


@entry
def greedy_action(game: Any, evaluator: Any, states: Any, seat: Any, rng: Any, buffer: Any, values: Any) -> int:
    """Return the listed action after which the evaluator gives `seat` most; one of equals at random.

    Args:
        game, evaluator: tables with tokens.
        states: array of two records: the position, and one for work.
        seat: who is to move.
        rng: stream.
        buffer: int32, `MAX_ACTIONS` long.
        values: float64 work space, one per player.
    """
    best, chosen, equals = -np.inf, np.int64(0), 0
    for i in range(actions(game, states[0], buffer)):
        copy_state(game, states, 1, 0)
        apply(game, states[1], buffer[i])
        evaluate(evaluator, game, states[1], values)
        if values[seat] > best:
            best, chosen, equals = values[seat], np.int64(buffer[i]), 1
        elif values[seat] == best:
            equals += 1
            if random_below(rng, equals) == 0:
                chosen = np.int64(buffer[i])
    return chosen


@entry
def policy_action(game: Any, policy: Any, states: Any, rng: Any) -> int:
    """Return what a playout policy does in a position, the only record of `states`."""
    return np.int64(playout_action(policy, game, states[0], rng, np.empty(max_actions(game), np.int32)))


def search_greedy(state: State, evaluator: Any, rng: Stream) -> int:
    """Return the greedy action of the player to move; see :func:`greedy_action`."""
    game = state.game
    states = game.new_states(2)
    states[:1].view(np.uint8)[:] = np.frombuffer(state.array.tobytes(), np.uint8)
    buffer = private_zeros(game.max_actions, np.dtype(np.int32))
    values = private_zeros(game.num_players, np.dtype(np.float64))
    return int(greedy_action(game.tables, evaluator, states, state.player, rng, buffer, values))


def play_policy(state: State, policy: Any, rng: Stream) -> int:
    """Return what a playout policy does in a position."""
    game = state.game
    act = game.bound(policy_action, policy, lambda: (state.array, rng))
    return int(act(state.array, rng))
