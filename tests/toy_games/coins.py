"""Coins: one player, a random start, perfect information.

Ten cells in a row hold coins worth 0 to 9. From the left end the player walks a step or jumps over a cell, and takes
the coin there.

Actions: 1 steps, 2 jumps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import TERMINAL, Token, njit, random_below, record
from oponente.kernel.game import NoOptions

NAME = "coins"
PLAYERS = 1
MAX_ACTIONS = 2
UTILITY = (0.0, 90.0)
CELLS = 10


class Tables(NamedTuple):
    """The game has no options."""

    token: Token


State = record(("worth", "i1", CELLS), ("cell", "i1"), ("purse", "i1"))


def tables(options: NoOptions) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Lay the coins."""
    for i in range(CELLS):
        state.worth[i] = random_below(rng, 10)


@njit
def player(game: Any, state: Any) -> int:
    """Until the right end is reached."""
    return TERMINAL if state.cell >= CELLS - 1 else 0


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """A jump needs two cells ahead."""
    out[0], out[1] = 1, 2
    return 2 if state.cell + 2 < CELLS else 1


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Move and take the coin."""
    state.cell += action
    state.purse += state.worth[state.cell]


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """The purse."""
    out[0] = state.purse
