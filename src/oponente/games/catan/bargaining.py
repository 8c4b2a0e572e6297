"""Catan: what a trade between players is worth to each side, by an evaluation of positions.

A trade changes two hands and nothing else, so what it is worth to a player is the evaluation with the new hand less
that with the old one. Whether somebody will accept an offer can be told only where hands are known: in the samples of
what is hidden from which searches start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import holds
from oponente.games.catan.inputs import INPUTS, fill_inputs
from oponente.games.catan.knowledge import hand
from oponente.games.catan.onestep import judge, worth_with_hand
from oponente.games.catan.trade import given_in, wanted_in
from oponente.kernel import local_floats, njit


@njit
def gain_of_cards(evaluator: Any, game: Any, seat: Any, cards: Any, now: Any, lost: Any, got: Any) -> float:
    """Return how much better off a player is who gives some of its cards and gets others; `now` holds its inputs."""
    inputs = local_floats(INPUTS)
    after: float = worth_with_hand(evaluator, game, seat, now, inputs, cards - lost + got)
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
    """Return what an offer is worth to who makes it, -infinity if nobody who has the cards is better off by it."""
    given, wanted = given_in(offer), wanted_in(offer)
    for other in range(game.rules.players):
        can = other != state.mover and holds(hand(state, other), wanted)
        if can and gain_of_trade(evaluator, game, state, other, wanted, given) > 0.0:
            return gain_of_trade(evaluator, game, state, state.mover, given, wanted)
    return -np.inf


@njit
def gain_of_accepting(evaluator: Any, game: Any, state: Any) -> float:
    """Return what the offer that stands is worth to the player who answers."""
    return gain_of_trade(evaluator, game, state, state.actor, wanted_in(state.offer), given_in(state.offer))
