"""Catan: what a trade between players is worth to each side, by an evaluation of positions.

A trade changes two hands and nothing else, so what it is worth to a player is the evaluation with the new hand less
that with the old one. Whether somebody will accept an offer can be told only where hands are known: in the samples of
what is hidden from which searches start.

Nobody should help a player who is about to win, whatever a trade is worth by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import count_of, holds, total
from oponente.games.catan.inputs import INPUTS, fill_inputs
from oponente.games.catan.knowledge import hand
from oponente.games.catan.moves import ANSWERING, CONFIRM, CONFIRMING, OFFER, REJECT, WITHDRAW
from oponente.games.catan.onestep import expected_share, judge, worth_with_hand
from oponente.games.catan.trade import given_in, wanted_in
from oponente.kernel import entry, local_floats, njit

NEAR = 2
"""Who lacks so many points or fewer is not traded with."""


@njit
def is_near(game: Any, state: Any, seat: Any) -> bool:
    """Tell whether a player is so near to winning that nobody should help it."""
    near: bool = state.points[seat] + NEAR >= game.rules.points
    return near


@njit
def helps_winner(game: Any, state: Any, action: Any) -> bool:
    """Tell whether an action trades with a player near to winning, or offers what only such players can accept.

    Who can accept is told from what the offerer knows.
    """
    if state.phase == ANSWERING:
        return action != REJECT and is_near(game, state, state.mover)
    if state.phase == CONFIRMING:
        return action != WITHDRAW and is_near(game, state, action - CONFIRM)
    if action < OFFER:
        return False
    near = False
    for other in range(game.rules.players):
        if other != state.mover:
            if is_near(game, state, other):
                near = True
            elif may_have(game, state, other, wanted_in(action)):
                return False
    return near


@njit
def may_have(game: Any, state: Any, other: Any, cards: Any) -> bool:
    """Tell whether who is on turn must think it possible that another player has at least a card of each kind in some
    cards.
    """
    for resource in range(5):
        if count_of(cards, resource) > 0 and expected_share(game, state, other, state.mover, resource) <= 0.0:
            return False
    return True


@entry
def find_helping(game: Any, states: Any, actions: Any, out: Any) -> None:
    """Tell of each action in a position whether it :func:`helps <helps_winner>` somebody to win: `out`, bool."""
    for i in range(actions.size):
        out[i] = helps_winner(game, states[0], actions[i])


@njit
def gain_of_cards(evaluator: Any, game: Any, seat: Any, cards: Any, now: Any, lost: Any, got: Any) -> float:
    """Return how much better off a player is who gives some of its cards and gets others; `now` holds its inputs."""
    inputs = local_floats(INPUTS)
    taken = total(got) - total(lost)
    after: float = worth_with_hand(evaluator, game, seat, now, inputs, cards - lost + got, -1, taken)
    before: float = judge(evaluator, seat, now)
    return after - before


@njit
def gain_of_trade(evaluator: Any, game: Any, state: Any, seat: Any, lost: Any, got: Any) -> float:
    """Return the same of a player in a position."""
    now = local_floats(INPUTS)
    fill_inputs(game, state, seat, now)
    return gain_of_cards(evaluator, game, seat, hand(state, seat), now, lost, got)


@njit
def gain_of_offer(evaluator: Any, game: Any, state: Any, offer: Any) -> float:
    """Return what an offer is worth to who makes it, -infinity if nobody who has the cards is better off by it.

    Those near to winning are not counted.
    """
    given, wanted = given_in(offer), wanted_in(offer)
    for other in range(game.rules.players):
        can = other != state.mover and not is_near(game, state, other) and holds(hand(state, other), wanted)
        if can and gain_of_trade(evaluator, game, state, other, wanted, given) > 0.0:
            return gain_of_trade(evaluator, game, state, state.mover, given, wanted)
    return -np.inf


@njit
def gain_of_accepting(evaluator: Any, game: Any, state: Any) -> float:
    """Return what the offer that stands is worth to the player who answers, -infinity if it helps somebody to win."""
    if is_near(game, state, state.mover):
        return -np.inf
    return gain_of_trade(evaluator, game, state, state.actor, wanted_in(state.offer), given_in(state.offer))
