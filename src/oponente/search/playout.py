"""Playouts: a game played to its end by a playout policy (Monte Carlo simulation, rollout)."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import (
    CHANCE,
    TERMINAL,
    apply,
    entry,
    expired,
    initial,
    njit,
    player,
    playout_action,
    returns,
    sample_chance,
)

POLL_EVERY = 16
"""Plies between two looks at the clock."""


@njit
def play_out(game: Any, policy: Any, state: Any, rng: Any, buffer: Any, control: Any) -> int:
    """Play `state` to its end in place.

    Returns:
        The number of actions and chance outcomes applied; -1 if `control` broke the playout off.
    """
    count = 0
    while True:
        mover = player(game, state)
        if mover == TERMINAL:
            return count
        if mover == CHANCE:
            action = sample_chance(game, state, rng)
        else:
            action = playout_action(policy, game, state, rng, buffer)
        apply(game, state, action)
        count += 1
        if count % POLL_EVERY == 0 and expired(control):
            return -1


@entry
def playouts(game: Any, policy: Any, states: Any, rng: Any, buffer: Any, games: Any, control: Any, totals: Any) -> Any:
    """Play whole games from fresh start positions.

    Args:
        game, policy: tables with tokens.
        states: array of two records, for work.
        rng: stream.
        buffer: int32, `MAX_ACTIONS` long.
        games: how many to play.
        control: see :mod:`oponente.kernel.clock`.
        totals: float64, one per player: the sums of the returns are added here.

    Returns:
        The number of games played (fewer only if stopped) and of actions applied in them.
    """
    result = np.empty(totals.size, np.float64)
    length = 0
    for i in range(games):
        if expired(control):
            return i, length
        states[0] = states[1]  # the second record stays all zero
        initial(game, states[0], rng)
        plies = play_out(game, policy, states[0], rng, buffer, control)
        if plies < 0:
            return i, length
        length += plies
        returns(game, states[0], result)
        totals += result
    return games, length
