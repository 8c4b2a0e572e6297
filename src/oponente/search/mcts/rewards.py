"""What a finished game, and one that is broken off, is worth to each player, and by whose reward a player goes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import TERMINAL, evaluate, njit, player, returns
from oponente.search.mcts.parameters import MAXN, UNIT, UTILITY, VALUE, WIN


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
    """Return a player's evaluation as a reward (see `MCTSParameters.evaluation_scale`)."""
    if config.scale > 0.0:
        share = 0.5 + 0.5 * math.tanh(value / config.scale)
    elif config.reward == VALUE:
        return value
    else:
        share = min(max((value - config.low) / (config.high - config.low), 0.0), 1.0)
    if config.reward in (UTILITY, VALUE):
        return config.low + share * (config.high - config.low)
    return share


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
