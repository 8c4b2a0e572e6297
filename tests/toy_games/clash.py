"""Clash: simultaneous moves.

In each of five rounds all players choose in secret to rest (0), guard (1) or strike (2); then all choices count at
once. A strike costs an energy, which resting gives, and takes a life from everybody who neither guards nor strikes.
Most lives at the end win.

An action that another seat can't see yet is `HIDDEN`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from oponente.kernel import TERMINAL, Token, njit, random_below, record
from oponente.kernel.options import option

NAME = "clash"
MAX_ACTIONS = 3
ENCODING = 6
SIMULTANEOUS = True
REST, GUARD, STRIKE = 0, 1, 2
HIDDEN = 3
ROUNDS = 5


@dataclass(frozen=True)
class Options:
    """How many play."""

    players: int = option(2, low=2, high=3, meaning="players")


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    players: int


State = record(
    ("lives", "i1", 3),
    ("energy", "i1", 3),
    ("choice", "i1", 3),  # made in this round; hidden from the others
    ("turn", "i1"),
    ("played", "i1"),
)


def tables(options: Options) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__), options.players)


def players(options: Options) -> int:
    """Return how many play."""
    return options.players


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """All have five lives and no energy."""
    for seat in range(game.players):
        state.lives[seat] = 5


@njit
def player(game: Any, state: Any) -> int:
    """Choices are collected in the order of the seats."""
    return TERMINAL if state.played == ROUNDS else state.turn


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """Strike only with energy."""
    out[0], out[1], out[2] = REST, GUARD, STRIKE
    return 3 if state.energy[state.turn] > 0 else 2


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Note a choice; the last one of a round lets all count."""
    state.choice[state.turn] = action
    state.turn += 1
    if state.turn == game.players:
        tick(game, state)


@njit
def tick(game: Any, state: Any) -> None:
    """Let all choices of the round count at once."""
    strikes = 0
    for seat in range(game.players):
        strikes += state.choice[seat] == STRIKE
    for seat in range(game.players):
        if state.choice[seat] == REST:
            state.energy[seat] += 1
            state.lives[seat] = max(0, state.lives[seat] - strikes)
        elif state.choice[seat] == STRIKE:
            state.energy[seat] -= 1
        state.choice[seat] = 0
    state.turn = 0
    state.played += 1


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """1 for most lives alone, 0 for all if several have them, else -1."""
    best, holders = -1, 0
    for seat in range(game.players):
        if state.lives[seat] > best:
            best, holders = state.lives[seat], 1
        elif state.lives[seat] == best:
            holders += 1
    for seat in range(game.players):
        out[seat] = 0.0 if holders > 1 else 1.0 if state.lives[seat] == best else -1.0


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """A choice is the chooser's secret."""
    return action if player == state.turn else HIDDEN


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Draw the choices that others have made in this round from those that they could make."""
    for seat in range(state.turn):
        if seat != player:
            state.choice[seat] = random_below(rng, 3 if state.energy[seat] > 0 else 2)


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """Lives and energy, one's own first."""
    for i in range(3):
        seat = (player + i) % game.players
        out[2 * i] = state.lives[seat] if i < game.players else 0
        out[2 * i + 1] = state.energy[seat] if i < game.players else 0
