"""Catan: who looks one step ahead by the linear evaluation, and trades with other players by it.

A trade is worth to a player what the evaluation of the new hand is above that of the old one. A trader

* *offers* a card for a card, where that is better than what it could do next, short of building, among the offers by
  which an opponent gains as well who is likely to have the card: first the one by which it gains most, and as the
  n-th offer of a turn the n-th best of those that are then possible (what it has offered before it does not recall);
* *accepts* by what it gains; else makes a counter-offer by which both gain, if there is one;
* *confirms* with whoever leaves it best off, of equals who has fewest points;
* never trades with who needs two points or less to win.

What others hold it estimates from what all could see, and it takes them to value cards as it does itself: so it uses
nothing that its seat does not know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.bargaining import gain_of_cards, is_near
from oponente.games.catan.cards import count_of, holds, one
from oponente.games.catan.inputs import HAND, INPUTS, fill_inputs
from oponente.games.catan.knowledge import hand
from oponente.games.catan.linear import Linear
from oponente.games.catan.linear import judge as judge_linear
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BANK_TRADE,
    CONFIRM,
    CONFIRMING,
    MAIN,
    REJECT,
    WITHDRAW,
)
from oponente.games.catan.onestep import best_action, best_of, expected_share
from oponente.games.catan.trade import can_confirm, given_in, one_for_one, wanted_in
from oponente.kernel import Token, local_floats, njit

OWN_KNOWLEDGE = True

LIKELY = 0.5
"""So many cards must be expected in a hand for a trade in which it gives one."""


class Trader(NamedTuple):
    """A policy."""

    token: Token
    linear: Linear
    trades: Any
    """bool, one for each seat: who else makes no offers, and rejects all."""


_TOKEN = Token(__name__)


def trader(linear: Linear, trades: list[bool]) -> Trader:
    """Return the policy by a linear evaluation, given who trades."""
    return Trader(_TOKEN, linear, np.array(trades, np.bool_))


@njit
def judge(policy: Any, seat: Any, inputs: Any) -> float:
    """Return the value of a position for a seat."""
    return judge_linear(policy.linear, seat, inputs)


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Look one step ahead, and trade."""
    return best_action(policy, game, state, rng, buffer)


@njit
def chosen_of(policy: Any, game: Any, state: Any, actions: Any, count: Any, values: Any, rng: Any) -> int:
    """Return what is done, given the listed actions and how good they are."""
    chosen = best_of(state, actions, count, values, rng)
    seat = np.int64(state.actor)
    if policy.trades[seat]:
        if state.phase == ANSWERING:
            return answer_to_offer(policy, game, state, seat)
        if state.phase == CONFIRMING:
            return partner_of(policy, game, state, seat)
        if state.phase == MAIN and game.rules.trade and state.offers < game.rules.offers and chosen >= BANK_TRADE:
            # BANK_TRADE and END_TURN have the greatest numbers of what is no offer: nothing is built.
            own_turn = np.nan
            for i in range(count):
                if actions[i] == chosen:
                    own_turn = values[i]
            offer = offer_of(policy, game, state, seat, own_turn)
            if offer >= 0:
                return offer
    return chosen


@njit
def expected_gain(policy: Any, game: Any, state: Any, seat: Any, other: Any, lost: Any, got: Any) -> float:
    """Return how much better off another player would be, as a seat can tell; -infinity if it is not likely to have it.

    Only the hand's terms matter, since a trade changes nothing else, so that all other inputs may be 0.

    Args:
        policy, game, state: as everywhere.
        seat: who judges, by its own evaluation.
        other: the player.
        lost: resource that it gives one card of.
        got: resource that it gets one card of.
    """
    inputs = local_floats(INPUTS)
    for i in range(INPUTS):
        inputs[i] = 0.0
    for resource in range(5):
        inputs[HAND + resource] = expected_share(game, state, other, seat, resource)
    if inputs[HAND + lost] < LIKELY:
        return -np.inf
    before: float = judge(policy, seat, inputs)
    inputs[HAND + lost] = max(0.0, inputs[HAND + lost] - 1.0)
    inputs[HAND + got] += 1.0
    after: float = judge(policy, seat, inputs)
    return after - before


@njit
def finds_partner(policy: Any, game: Any, state: Any, seat: Any, given: Any, wanted: Any) -> bool:
    """Tell whether there is an opponent who can be expected to accept a card for a card, and may have it."""
    for other in range(game.rules.players):
        fit = other != seat and not is_near(game, state, other)
        if fit and expected_gain(policy, game, state, seat, other, wanted, given) > 0.0:
            return True
    return False


@njit
def offer_of(policy: Any, game: Any, state: Any, seat: Any, otherwise: Any) -> int:
    """Return the offer to make, -1 for none.

    Args:
        policy, game, state, seat: as everywhere.
        otherwise: how good what would be done next is; an offer must promise more.
    """
    now = local_floats(INPUTS)
    fill_inputs(game, state, seat, now)
    least: float = otherwise - judge(policy, seat, now)
    cards = hand(state, seat)
    gains = local_floats(25)
    for given in range(5):
        for wanted in range(5):
            gains[5 * given + wanted] = -np.inf
            if given != wanted and count_of(cards, given) > 0:
                gain = gain_of_cards(policy, game, seat, cards, now, one(given), one(wanted))
                if gain > max(least, 0.0) and finds_partner(policy, game, state, seat, given, wanted):
                    gains[5 * given + wanted] = gain
    for _ in range(state.offers):
        best = np.argmax(gains[:25])
        gains[best] = -np.inf
    best = np.int64(np.argmax(gains[:25]))
    return one_for_one(best // 5, best % 5) if gains[best] > 0.0 else -1


@njit
def answer_to_offer(policy: Any, game: Any, state: Any, seat: Any) -> int:
    """Return the answer to the offer that stands: accept, a counter-offer, or reject."""
    if is_near(game, state, state.mover):
        return REJECT
    now = local_floats(INPUTS)
    fill_inputs(game, state, seat, now)
    cards, lost, got = hand(state, seat), wanted_in(state.offer), given_in(state.offer)
    if holds(cards, lost) and gain_of_cards(policy, game, seat, cards, now, lost, got) > 0.0:
        return ACCEPT
    best, chosen = 0.0, REJECT
    for given in range(5):
        for wanted in range(5):
            # What it offers it has for certain.
            if given != wanted and count_of(cards, given) > 0 and count_of(got, wanted) > 0:
                gain = gain_of_cards(policy, game, seat, cards, now, one(given), one(wanted))
                if gain > best and expected_gain(policy, game, state, seat, state.mover, wanted, given) > 0.0:
                    best, chosen = gain, one_for_one(given, wanted)
    return chosen


@njit
def partner_of(policy: Any, game: Any, state: Any, seat: Any) -> int:
    """Return with whom to trade, or with nobody."""
    now = local_floats(INPUTS)
    fill_inputs(game, state, seat, now)
    cards = hand(state, seat)
    best, fewest, chosen = 0.0, 0, WITHDRAW
    for other in range(game.rules.players):
        if other == seat or not can_confirm(state, other) or is_near(game, state, other):
            continue
        lost, got = given_in(state.offer), wanted_in(state.offer)
        if state.answer[other] != ACCEPT:
            lost, got = wanted_in(state.answer[other]), given_in(state.answer[other])
        gain = gain_of_cards(policy, game, seat, cards, now, lost, got)
        points = int(state.points[other])
        if gain > best or (gain == best and gain > 0.0 and points < fewest):
            best, fewest, chosen = gain, points, CONFIRM + other
    return chosen
