"""Catan: what trades are worth to each side, and the priors of offers and of their acceptance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from oponente.games.catalogue import load_game
from oponente.games.catan import moves
from oponente.games.catan.bargaining import gain_of_cards
from oponente.games.catan.cards import pack
from oponente.games.catan.inputs import INPUTS, fill_hand, fill_inputs
from oponente.games.catan.linear import LEARNED, LEAST, TEMPERATURE
from oponente.kernel import State
from oponente.search.mcts.priors import action_priors
from tests.games.catan.test_agents import in_main_phase
from tests.games.catan.test_inputs import random_state
from tests.games.catan.test_linear import hands_alone

pytestmark = pytest.mark.compiled
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)
FOR_SETTLEMENT = (1, 1, 1, 0, 2)
"""Lumber, brick, wool, no grain, two ore: grain for one ore makes a settlement payable."""


def one(resource: int) -> tuple[int, ...]:
    return tuple(int(at == resource) for at in range(5))


def swap(given: int, wanted: int) -> int:
    return moves.offer_id(one(given), one(wanted))


def with_hands(*hands: tuple[int, ...]) -> State:
    """Return a position after the first player's roll in which all players have just these cards, and all know it."""
    state = in_main_phase(load_game("catan"), hands[0])
    record = state.record
    for seat, cards in enumerate(hands):
        if seat:
            record.bank += record.known[seat, seat]
            record.bank -= pack(cards)
            record.known[seat, :] = pack(cards)
    return state.copy()


def weights(state: State) -> dict[int, float]:
    """Return the prior of each listed action, the greatest of them as 1 + LEAST."""
    actions = list(state.legal_actions)
    found = action_priors(state, state.game.priors["learned"], actions)
    return {action: prior / max(found) * (1.0 + LEAST) for action, prior in zip(actions, found, strict=True)}


def worth(hand: tuple[int, ...]) -> float:
    """Return what the learned evaluation gives for a hand of at most two of each, without cards of costs twice."""
    held = [min(1, number) for number in hand]
    city = (min(1.0, hand[GRAIN] / 2) + min(1.0, hand[ORE] / 3)) / 2
    settlement = (held[LUMBER] + held[BRICK] + held[WOOL] + held[GRAIN]) / 4
    road, card = (held[LUMBER] + held[BRICK]) / 2, (held[WOOL] + held[GRAIN] + held[ORE]) / 3
    return (
        LEARNED["for_city"] * city
        + LEARNED["for_settlement"] * settlement
        + LEARNED["for_road"] * road
        + LEARNED["for_card"] * card
    )


def test_an_offer_is_weighed_by_what_it_brings_where_somebody_gains_by_it():
    nothing = (0, 0, 0, 0, 0)
    state = with_hands(FOR_SETTLEMENT, (0, 0, 0, 2, 0), nothing, nothing)
    found = weights(state)
    best = swap(ORE, GRAIN)
    gain = worth((1, 1, 1, 1, 1)) - worth(FOR_SETTLEMENT)
    assert gain > 0.0
    assert worth((0, 0, 0, 1, 1)) > worth((0, 0, 0, 2, 0))
    still = found[moves.END_TURN] - LEAST
    assert found[best] - LEAST == pytest.approx(still * math.exp(gain / TEMPERATURE), rel=1e-6)
    offers = {action: weight for action, weight in found.items() if action >= moves.OFFER}
    assert max(offers, key=offers.get) == best
    assert offers[swap(ORE, WOOL)] == pytest.approx(LEAST)  # nobody has a wool


def test_an_offer_by_which_nobody_gains_has_hardly_any_weight():
    # The other one would give the grain that its city needs, for a second wool.
    state = with_hands((0, 0, 2, 0, 0), (0, 0, 1, 2, 2), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0))
    assert worth((0, 0, 2, 1, 2)) < worth((0, 0, 1, 2, 2))
    assert weights(state)[swap(WOOL, GRAIN)] == pytest.approx(LEAST)


@pytest.mark.parametrize(("given", "wanted", "better"), [(ORE, GRAIN, True), (WOOL, GRAIN, False)])
def test_who_gains_by_an_offer_rather_accepts_it(given, wanted, better):
    partner = (0, 0, 1, 2, 0)
    state = with_hands(FOR_SETTLEMENT, partner, (0, 0, 0, 0, 0), (0, 0, 0, 0, 0))
    state.apply(swap(given, wanted))
    found = weights(state)
    after = tuple(number - one(wanted)[at] + one(given)[at] for at, number in enumerate(partner))
    gain = worth(after) - worth(partner)
    assert (gain > 0.0) == better
    assert (found[moves.ACCEPT] > found[moves.REJECT]) == better
    least, most = sorted((found[moves.ACCEPT], found[moves.REJECT]))
    assert most == pytest.approx(1.0 + LEAST)
    assert least == pytest.approx(LEAST + math.exp(-abs(gain) / TEMPERATURE))


def test_a_trade_changes_what_the_opponents_have_as_well():
    """The network tells the cards of the opponents, and 1000 and more for each own card."""
    state = random_state(1, 60)
    tables, seat, now = state.game.tables, 0, np.zeros(INPUTS)
    fill_inputs(tables, state.array[0], seat, now)
    cards, lost, got = pack((2, 1, 1, 0, 0)), pack((2, 0, 0, 0, 0)), pack((0, 0, 0, 0, 1))
    fill_hand(tables, cards, now)
    assert gain_of_cards(hands_alone(), tables, seat, cards, now, lost, got) == 1004 - 2 * 1000 + 1
