"""Features of positions for learning: the encoding of a game, or others that the game has by name.

A game names modules of features (:mod:`oponente.kernel.evaluation`) in ``FEATURES`` of its heuristics: tables with a
token, as evaluators are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import OUTCOME, Game, apply, derive_seed, entry, evaluate, features, player, stream

SCALING_GAMES, SCALING_PLIES = 20, 2000
"""Games at random by which features are scaled where there is no dataset, and how long they are at most."""


def feature_names(game: Game) -> list[str]:
    """Return the names of the features that a game has, its own first.

    Raises:
        ValueError: it has none.
    """
    if not game.features:
        raise ValueError(f"{game.name} has no features for learning: its rules define no encode")
    return list(game.features)


def features_of(game: Game, name: str) -> tuple[Any, int]:
    """Return the tables of the features of that name, and how many features there are.

    Raises:
        ValueError: the game has none of that name.
    """
    if name not in game.features:
        raise ValueError(f"{game.name} has no features {name!r}; it has {', '.join(feature_names(game))}")
    return game.features[name], game.feature_count(name)


def feature_scales(game: Game, name: str, seed: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return mean and standard deviation of features in games at random; 1 for what is always the same.

    Args:
        game: that is played.
        name: of the features.
        seed: of the games.
    """
    kind, width = features_of(game, name)
    found = []
    for number in range(SCALING_GAMES):
        start_seed = derive_seed(seed, "scales", number) >> 1
        state, rng = game.start(start_seed), stream(start_seed, "play")
        state.undoable = False
        while not state.is_terminal and len(state.history) < SCALING_PLIES:
            if state.is_chance:
                state.apply_chance(rng)
            else:
                state.apply(state.sample_action(rng))
        actions = np.array(state.history, np.int32)
        chosen = np.arange(actions.size) % 7 == number % 7  # so that rows are less alike
        rows = np.zeros((int(chosen.sum()) * game.num_players, width), np.float32)
        start, values = game.start(start_seed).array, np.zeros(game.num_players)
        count = sample_positions(game.tables, kind, OUTCOME, start, actions, chosen, rows, values, np.zeros(len(rows)))
        found.append(rows[:count])
    seen = np.concatenate(found)
    scale = seen.std(axis=0)
    scale[scale < 1e-6] = 1.0
    return seen.mean(axis=0), scale


@entry
def sample_positions(
    game: Any, kind: Any, evaluator: Any, states: Any, actions: Any, chosen: Any, rows: Any, values: Any, seats: Any
) -> int:
    """Follow a game and write what is seen at some of its decisions; return how many rows were written.

    Args:
        game, kind, evaluator: tables with tokens: of the game, the features, and what gives the target.
        states: array of one record, the start.
        actions: int32, all actions and outcomes.
        chosen: bool, one for each action: whether the position before it is wanted.
        rows: float32, a row for each player of each position that is wanted: the features.
        values: float64, work space, one for each player.
        seats: float64, one for each row: what the evaluator gives the player of the row.
    """
    state = states[0]
    count = 0
    for i in range(actions.size):
        if chosen[i] and player(game, state) >= 0:
            evaluate(evaluator, game, state, values)
            for seat in range(values.size):
                features(kind, game, state, seat, rows[count])
                seats[count] = values[seat]
                count += 1
        apply(game, state, actions[i])
    return count
