"""Three players name a number each, after a hidden die; the greatest sum modulo 3 wins. Only player 0 sees the die."""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import CHANCE, TERMINAL, Token, njit, random_below, record

NAME = "trio"
PLAYERS = 3
MAX_ACTIONS = 3
MAX_CHANCE = 3
UTILITY = (0.0, 1.0)
HIDDEN_INFORMATION = True
MASKED = 99

State = record(("ply", "i4"), ("die", "i4"), ("named", "i4", 3))


class Tables(NamedTuple):
    token: Token


def tables(options: Any) -> Tables:
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    state.ply = 0


@njit
def player(game: Any, state: Any) -> int:
    return CHANCE if state.ply == 0 else TERMINAL if state.ply == 4 else state.ply - 1


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    for number in range(3):
        out[number] = number
    return 3


@njit
def chance(game: Any, state: Any, out: Any, probs: Any) -> int:
    for number in range(3):
        out[number] = number
        probs[number] = 1.0 / 3.0
    return 3


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    if state.ply == 0:
        state.die = action
    else:
        # Each seat counts differently, so that three equal numbers need not be a draw.
        state.named[state.ply - 1] = (action * state.ply + state.die) % 3
    state.ply += 1


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    return MASKED if state.ply == 0 and player != 0 else action


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    if player != 0 and state.ply > 0:
        state.die = random_below(rng, 3)


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    for seat in range(3):
        out[seat] = state.named[seat] / 2.0
