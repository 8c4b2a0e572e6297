"""A game in which what the opponent may do depends on its hidden card. Whoever does something illegal scores.

A card is dealt to player 1. Player 0 says one of two things, then player 1 acts twice: it passes, or does one of two
things that only the holder of its card may do. The utility of player 0 is 0, or 1 if anything illegal was done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import CHANCE, TERMINAL, Token, njit, random_below, record
from oponente.kernel.game import NoOptions

NAME, PLAYERS, MAX_ACTIONS, MAX_CHANCE, HIDDEN_INFORMATION = "known hand", 2, 3, 2, True
PASS, UNSEEN = 4, 9

State = record(("card", "i1"), ("phase", "i1"), ("illegal", "i1"))


class Tables(NamedTuple):
    """No options."""

    token: Token


def tables(options: NoOptions) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Nobody has a card yet."""
    state.card = -1


@njit
def player(game: Any, state: Any) -> Any:
    """Return who acts."""
    if state.phase == 0:
        return CHANCE
    if state.phase == 1:
        return 0
    return 1 if state.phase < 4 else TERMINAL


@njit
def actions(game: Any, state: Any, out: Any) -> Any:
    """List what the player may do."""
    if state.phase == 1:
        out[0], out[1] = 0, 1
        return 2
    out[0], out[1], out[2] = PASS, 10 + state.card, 20 + state.card
    return 3


@njit
def chance(game: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    """Deal a card."""
    for card in range(2):
        outcomes[card], probabilities[card] = card, 0.5
    return 2


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Note what is done, also if it is not legal."""
    if state.phase == 0:
        state.card = action
    elif state.phase > 1 and action != PASS and action % 10 != state.card:
        state.illegal = 1
    state.phase += 1


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """Give player 0 what is illegal."""
    out[0], out[1] = state.illegal, -state.illegal


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> Any:
    """Only player 1 sees its card."""
    return UNSEEN if state.phase == 0 and player == 0 else action


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Deal another card."""
    if player == 0 and state.phase != 0:
        state.card = random_below(rng, 2)
