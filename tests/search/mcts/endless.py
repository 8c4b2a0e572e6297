"""A game that the second player never ends: after one action of the first it alone moves."""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import Token, njit, record
from oponente.kernel.game import NoOptions

NAME, PLAYERS, MAX_ACTIONS = "endless", 2, 2

State = record(
    ("moved", "i1"),
)


class Tables(NamedTuple):
    """No options."""

    token: Token


def tables(options: NoOptions) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Nobody has moved."""
    state.moved = 0


@njit
def player(game: Any, state: Any) -> Any:
    """Return who acts."""
    return 1 if state.moved else 0


@njit
def actions(game: Any, state: Any, out: Any) -> Any:
    """List what the player may do."""
    out[0], out[1] = 0, 1
    return 2


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Note that the first player has moved."""
    state.moved = 1


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """Never asked for."""
    out[:] = 0.0
