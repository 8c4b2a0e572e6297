"""Features of positions for learning: the encoding of a game, or others that the game has by name.

A module of features holds their number ``FEATURES`` and a compiled ``features(kind, game, state, seat, out)``, which
writes what the seat knows to `out` (float32). A game names such modules in ``FEATURES`` of its heuristics: tables with
a token, as evaluators are.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, NamedTuple

from oponente.kernel import Game, Token, apply, encode, entry, evaluate, player
from oponente.kernel.tokens import generic
from oponente.learn import encoding


@generic(required=False)
def features(kind: Any, game: Any, state: Any, seat: Any, out: Any) -> None:
    """Write the features of a state, as a seat knows it, to `out`: the game's encoding unless a module says else."""
    encode(game, state, seat, out)


class Encoding(NamedTuple):
    """The encoding of the game."""

    token: Token


ENCODING = Encoding(Token(encoding.__name__))


def _known(game: Game) -> dict[str, tuple[Any, int]]:
    package = game.rules.__name__.rpartition(".")[0]
    named: dict[str, Any] = {}
    if package == f"oponente.games.{game.name}" and importlib.util.find_spec(f"{package}.heuristics"):
        named = getattr(importlib.import_module(f"{package}.heuristics"), "FEATURES", {})
    known = {name: (kind, int(kind.token.module.FEATURES)) for name, kind in named.items()}
    return {**known, "encoding": (ENCODING, game.encoding)} if game.encoding else known


def feature_names(game: Game) -> list[str]:
    """Return the names of the features that a game has, its own first.

    Raises:
        ValueError: it has none.
    """
    names = list(_known(game))
    if not names:
        raise ValueError(f"{game.name} has no features for learning: its rules define no encode")
    return names


def features_of(game: Game, name: str) -> tuple[Any, int]:
    """Return the tables of the features of that name, and how many features there are.

    Raises:
        ValueError: the game has none of that name.
    """
    if name not in _known(game):
        raise ValueError(f"{game.name} has no features {name!r}; it has {', '.join(feature_names(game))}")
    return _known(game)[name]


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
