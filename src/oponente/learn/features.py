"""Features of positions for learning: the encoding of a game, or others that the game has by name.

A game names modules of features (:mod:`oponente.kernel.evaluation`) in ``FEATURES`` of its heuristics: tables with a
token, as evaluators are.
"""

from __future__ import annotations

from typing import Any

from oponente.kernel import Game, apply, entry, evaluate, features, player


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
