"""A game of one hidden card in which determinization fails: strategy fusion, of known value.

Chance gives the other player, who only waits, a card of `CARDS`. Then player 0 either takes a sure prize of 0.3 (action
0), or goes for the guess (action 1): it names the card (actions 2, 3, ...) without having seen it, and gets 1 if it is
right, -1 if not. With two cards a guess is worth 0 on average, so the sure prize is best: the value of the game is 0.3.
A search that solves each possible world by itself believes that it will know the card by then, and sees 1 behind
action 1.

``determinize`` draws the card anew for player 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import CHANCE, TERMINAL, Token, njit, random_below, record
from oponente.kernel.game import NoOptions

NAME = "secret"
PLAYERS = 2
MAX_ACTIONS = 2
MAX_CHANCE = 2
HIDDEN_INFORMATION = True
CARDS = 2
SURE = 0.3
TAKE, GUESS, NAME_CARD = 0, 1, 2
HIDDEN = 9
State = record(("card", "i1"), ("phase", "i1"), ("named", "i1"))
DEALING, CHOOSING, GUESSING, TOOK, ENDED = range(5)


class Tables(NamedTuple):
    token: Token


def tables(options: NoOptions) -> Tables:
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    state.card = -1


@njit
def player(game: Any, state: Any) -> int:
    if state.phase == DEALING:
        return CHANCE
    return 0 if state.phase in (CHOOSING, GUESSING) else TERMINAL


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    if state.phase == CHOOSING:
        out[0], out[1] = TAKE, GUESS
        return 2
    for card in range(CARDS):
        out[card] = NAME_CARD + card
    return CARDS


@njit
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    for card in range(CARDS):
        out_actions[card] = card
        out_probs[card] = 1.0 / CARDS
    return CARDS


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    if state.phase == DEALING:
        state.card = action
        state.phase = CHOOSING
    elif state.phase == CHOOSING:
        state.phase = TOOK if action == TAKE else GUESSING
    else:
        state.named = action - NAME_CARD
        state.phase = ENDED


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    if state.phase == TOOK:
        out[0] = SURE
    else:
        out[0] = 1.0 if state.named == state.card else -1.0
    out[1] = -out[0]


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    return HIDDEN if state.phase == DEALING and player == 0 else action


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    if player == 0 and state.phase != DEALING:
        state.card = random_below(rng, CARDS)


class Suspicion(NamedTuple):
    """A belief: card 1 is three times as likely as card 0."""

    token: Token


class Peeking(NamedTuple):
    """A prior that knows the card."""

    token: Token


PRIORS = {"peeking": Peeking(Token(__name__))}


@njit
def prior_weights(prior: Any, game: Any, state: Any, actions: Any, count: Any, out: Any) -> None:
    for i in range(count):
        out[i] = 1.0 if actions[i] == NAME_CARD + state.card else 1e-6


BELIEFS = {"suspicion": Suspicion(Token(__name__))}


@njit
def likelihood(belief: Any, game: Any, state: Any, player: Any) -> float:
    return 3.0 if state.card == 1 else 1.0
