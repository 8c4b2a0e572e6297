"""Flat Monte Carlo: the same number of playouts for every action, and the action with the best mean.

Source: B. Abramson, "Expected-outcome: a general model of static evaluation" (1990). In a game that hides something
from the player, every playout starts from another determinization; one with sampled chance, from another stream.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from oponente.kernel import (
    OUTCOME,
    UNIFORM,
    Control,
    State,
    Stream,
    actions,
    apply,
    copy_state,
    determinize,
    entry,
    expired,
    reseed,
)
from oponente.kernel.memory import private_zeros
from oponente.kernel.random import generator
from oponente.search.analysis import Analysis, MoveAnalysis, TreeShape
from oponente.search.mcts import REWARDS, judged
from oponente.search.playout import play_out
from oponente.search.top import tree_of_moves


@entry
def flat_monte_carlo(
    game: Any,
    policy: Any,
    judge: Any,
    states: Any,
    seat: Any,
    honest: Any,
    rng: Any,
    order: Any,
    moves: Any,
    buffer: Any,
    visits: Any,
    totals: Any,
    rewards: Any,
    iterations: Any,
    reward: Any,
    low: Any,
    high: Any,
    control: Any,
) -> Any:
    """Run playouts from ``states[1]``, action after action in turn; return the number of playouts and of actions.

    Args:
        game, policy, judge: tables with tokens; the judge is an evaluator, for the reward ``value``.
        states: array of two records: one for work, the root.
        seat: the player to move at the root.
        honest: whether what `seat` can't know is drawn anew for each playout.
        rng: stream.
        order: int64, places in the list of actions at the root, each once: in which order they get their turn.
        moves, buffer: int32, `MAX_ACTIONS` long: the first receives the actions at the root.
        visits, totals: int64, and float64 with a column per player, a row per action: results.
        rewards: float64 work space, one per player.
        iterations: playouts at most.
        reward, low, high: see :mod:`oponente.search.mcts`.
        control: see :mod:`oponente.kernel.clock`.
    """
    count = actions(game, states[1], moves)
    for iteration in range(iterations):
        if expired(control):
            return iteration, count
        index = order[iteration % count]
        copy_state(game, states, 0, 1)
        state = states[0]
        if honest:
            determinize(game, state, seat, rng)
        reseed(game, state, rng)
        apply(game, state, moves[index])
        if play_out(game, policy, state, rng, buffer, control) < 0:
            return iteration, count
        judged(game, judge, state, rewards, reward, low, high)
        visits[index] += 1
        for p in range(rewards.size):
            totals[index, p] += rewards[p]
    return iterations, count


def search_flat(
    root: State,
    rng: Stream,
    iterations: int,
    *,
    policy: Any = UNIFORM,
    reward: str = "unit",
    judge: Any = OUTCOME,
    honest: bool = True,
    control: Control | None = None,
    shape: TreeShape | None = None,
) -> Analysis:
    """Return the analysis of `root` after `iterations` playouts, or fewer if `control` stops the search.

    Raises:
        ValueError: no player is to move at the root.
    """
    begin = time.perf_counter()
    if root.player < 0:
        raise ValueError("no player is to move")
    game, players = root.game, root.game.num_players
    states = game.new_states(2)
    states[1] = root.array[0]
    # Where playouts don't go round, the actions that get more must not be those that the game lists first.
    order = generator(rng).permutation(len(root.legal_actions))
    moves = np.empty(game.max_actions, np.int32)
    visits, totals = np.zeros(game.max_actions, np.int64), np.zeros((game.max_actions, players))
    done, count = flat_monte_carlo(
        game.tables,
        policy,
        judge,
        states,
        root.player,
        honest,
        rng,
        order,
        moves,
        private_zeros(game.max_actions, np.dtype(np.int32)),
        visits,
        totals,
        private_zeros(players, np.dtype(np.float64)),
        iterations,
        REWARDS[reward],
        *game.utility,
        (control or Control()).array,
    )
    means = totals[:count] / np.maximum(visits[:count, None], 1)
    best = int(np.argmax(np.where(visits[:count] > 0, means[:, root.player], -np.inf)))
    analysed = tuple(
        MoveAnalysis(int(moves[i]), float(means[i, root.player]) if visits[i] else None, int(visits[i]))
        for i in range(count)
    )
    chosen = int(moves[best])
    return Analysis(
        action=chosen,
        values=tuple(float(value) for value in means[best]) if done else (),
        moves=analysed,
        principal_variation=(chosen,),
        nodes=int(done),
        depth=1,
        seconds=time.perf_counter() - begin,
        tree=tree_of_moves(root, analysed, means, chosen, shape) if shape is not None else None,
    )
