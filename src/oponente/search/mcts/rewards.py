"""What a finished game, and one that is broken off, is worth to each player, and by whose reward a player goes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import TERMINAL, Game, evaluate, njit, player, returns, value_bounds
from oponente.search.mcts.parameters import MAXN, UNIT, VALUE, WIN, Evaluations, MCTSParameters

SCALES = 20.0
"""Parts of the span of an evaluator's bounds that are taken for its scale, where values of both signs are possible."""


def evaluations_of(parameters: MCTSParameters, judge: Any, evaluator: Any, game: Game) -> Evaluations:
    """Return how the values of an evaluator become rewards.

    Those of the judge are rewards. Others whose bounds lie within those of utilities are taken for utilities. Where
    all bounds are of one sign, the least and the greatest value count as the least and the greatest reward. Where both
    signs are possible, 0 stands for an even game, and small differences count more than ones between great values.

    Args:
        parameters: of the search.
        judge: of finished games, where the reward is ``value``.
        evaluator: of unfinished games.
        game: the game.

    Raises:
        ValueError: the scale is needed and not given.
    """
    scale, judged_ = parameters.evaluation_scale, parameters.reward == "value"
    if judged_ and (scale == 0.0 or (scale is None and evaluator is judge)):
        return Evaluations(as_reward=True)
    if judged_:
        raise ValueError(
            "where an evaluator judges finished games, unfinished ones must be evaluated by the same, or on the same"
            " scale (evaluation_scale=0)"
        )
    if scale is not None and scale > 0.0:
        return Evaluations(scale)
    low, high = game.utility
    if scale is not None:
        return Evaluations(0.0, low, high)
    bounds = value_bounds(evaluator, game.tables)
    if not bounds.low < bounds.high < math.inf or bounds.low == -math.inf:
        raise ValueError(
            f"{game.name}: the evaluator tells no bounds of its values; say by evaluation_scale what difference is"
            " great, or 0 if they are utilities"
        )
    if low <= bounds.low and bounds.high <= high:
        return Evaluations(0.0, low, high)
    if bounds.low < 0.0 < bounds.high:
        return Evaluations((bounds.high - bounds.low) / SCALES)
    return Evaluations(0.0, bounds.low, bounds.high)


@njit
def judged(game: Any, judge: Any, state: Any, rewards: Any, reward: Any, low: Any, high: Any) -> None:
    """Write what a finished game is worth to each player to `rewards` (see `REWARDS`)."""
    if reward == VALUE:
        evaluate(judge, game, state, rewards)
    else:
        returns(game, state, rewards)
        to_rewards(rewards, reward, low, high)


@njit
def to_rewards(utilities: Any, reward: Any, low: Any, high: Any) -> None:
    """Turn utilities into rewards, in place (see `REWARDS`)."""
    if reward == UNIT:
        for p in range(utilities.size):
            utilities[p] = (utilities[p] - low) / (high - low)
    elif reward == WIN:
        best, holders = -np.inf, 0
        for p in range(utilities.size):
            if utilities[p] > best:
                best, holders = utilities[p], 1
            elif utilities[p] == best:
                holders += 1
        for p in range(utilities.size):
            utilities[p] = 1.0 if holders == 1 and utilities[p] == best else 0.0


@njit
def evaluated(game: Any, judge: Any, evaluator: Any, state: Any, rewards: Any, config: Any) -> None:
    """Write what a game is worth to each player as it stands, on the scale of the rewards, to `rewards`."""
    if player(game, state) == TERMINAL:
        judged(game, judge, state, rewards, config.reward, config.low, config.high)
        return
    evaluate(evaluator, game, state, rewards)
    for p in range(rewards.size):
        rewards[p] = on_reward_scale(rewards[p], config)


@njit
def on_reward_scale(value: Any, config: Any) -> float:
    """Return a player's evaluation as a reward (see :class:`~oponente.search.mcts.parameters.Evaluations`)."""
    if config.as_reward:
        return value
    if config.scale > 0.0:
        share = 0.5 + 0.5 * math.tanh(value / config.scale)
    else:
        share = min(max((value - config.lowest) / (config.highest - config.lowest), 0.0), 1.0)
    return config.least + share * (config.greatest - config.least)


@njit
def perspective(mover: Any, config: Any) -> Any:
    """Return whose reward a player maximises, its sign, and what is added to make it a reward again.

    With paranoid and best-reply backups everybody but the player at the root minimises that player's reward.
    """
    if config.backup == MAXN or mover == config.seat or mover < 0:
        return max(mover, np.int64(0)), 1.0, 0.0
    shift = config.least + config.greatest
    return np.int64(config.seat), -1.0, shift if -np.inf < shift < np.inf else 0.0


@njit
def gain(rewards: Any, mover: Any, config: Any) -> float:
    """Return the reward that a player goes by."""
    who, sign, shift = perspective(mover, config)
    return shift + sign * rewards[who]
