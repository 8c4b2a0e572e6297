"""Heap: a game with open actions.

From a heap of 1000 stones players take in turn as many as they like, at least one; who takes the last stone wins.
Listed are 1, 2, 3 and all stones; every other number is open.

An action is the number of stones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from oponente.kernel import TERMINAL, Token, njit, record
from oponente.kernel import State as GameState
from oponente.kernel.game import NoOptions

NAME = "heap"
PLAYERS = 2
MAX_ACTIONS = 4
OPEN_ACTIONS = True
STONES = 1000


class Tables(NamedTuple):
    """The game has no options."""

    token: Token


State = record(("stones", "i4"), ("turn", "i1"))


def tables(options: NoOptions) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """All stones are there."""
    state.stones = STONES


@njit
def player(game: Any, state: Any) -> int:
    """Players alternate until the heap is gone."""
    return TERMINAL if state.stones == 0 else state.turn


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List 1 to 3, and all."""
    count = 0
    for number in range(1, 4):
        if number < state.stones:
            out[count] = number
            count += 1
    out[count] = state.stones
    return count + 1


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """Any number up to all."""
    return 1 <= action <= state.stones


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Take stones."""
    state.stones -= action
    state.turn = 1 - state.turn


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """Whose turn it would be has lost."""
    out[state.turn] = -1.0
    out[1 - state.turn] = 1.0


def open_actions(state: GameState) -> Iterator[int]:
    """Yield numbers that are not listed."""
    stones = int(state.record.stones)
    yield from sorted({number for number in (4, stones // 2, stones - 1) if 3 < number < stones})
