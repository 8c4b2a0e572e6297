"""Storm: chance that is drawn from a stream inside the state.

One ship sails ten columns eastwards, one each turn, and steers north, straight on or south in a channel of five rows.
Wind from a random direction moves it as well. Each turn that it ends on the middle row gives a point.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import TERMINAL, Token, next_u64, njit, random_below, record
from oponente.kernel.game import NoOptions

NAME = "storm"
PLAYERS = 1
MAX_ACTIONS = 3
UTILITY = (0.0, 10.0)
SAMPLED_CHANCE = True
ROWS, COLUMNS = 5, 10


class Tables(NamedTuple):
    """The game has no options."""

    token: Token


State = record(("rng", "u8", 4), ("row", "i1"), ("column", "i1"), ("points", "i1"))


def tables(options: NoOptions) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Start in the middle."""
    state.row = ROWS // 2
    reseed(game, state, rng)


@njit
def reseed(game: Any, state: Any, rng: Any) -> None:
    """Give the wind a new stream."""
    for i in range(4):
        state.rng[i] = next_u64(rng)


@njit
def player(game: Any, state: Any) -> int:
    """There is one player."""
    return TERMINAL if state.column == COLUMNS else 0


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """Steer north, straight on or south."""
    out[0], out[1], out[2] = 0, 1, 2
    return 3


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Steer, then let the wind blow."""
    row = state.row + action - 1 + random_below(state.rng, 3) - 1
    state.row = min(max(row, 0), ROWS - 1)
    state.column += 1
    state.points += state.row == ROWS // 2


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """The points."""
    out[0] = state.points
