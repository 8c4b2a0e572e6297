"""Catan: searches that trade help nobody to win, and make counter-offers."""

from __future__ import annotations

import pytest

from oponente.agents.base import Budget
from oponente.agents.view import View
from oponente.games.catalogue import make_agent
from oponente.games.catan import moves
from oponente.games.catan.cards import pack
from oponente.games.catan.tact import countering, helping, tactful, trades
from oponente.kernel import State
from oponente.search.analysis import Analysis, MoveAnalysis
from tests.games.catan.test_bargaining import BRICK, GRAIN, LUMBER, ORE, WOOL, swap, with_hands

pytestmark = pytest.mark.compiled
NOTHING = (0, 0, 0, 0, 0)


def with_points(state: State, seat: int, points: int) -> State:
    state.record.points[seat] = points
    return state.copy()


def leader_has_grain(points: int) -> State:
    """Return a position in which only seat 1 has grain, and seat 2 a brick; seat 0 would like both."""
    return with_points(with_hands((1, 0, 1, 0, 2), (1, 0, 0, 3, 2), (0, 1, 0, 0, 0), NOTHING), 1, points)


def choice(state: State, spec: str, seed: int = 0) -> int:
    return make_agent(spec, state.game).choose(View(state, state.player, seed), Budget())


def test_an_offer_helps_if_only_who_is_near_to_winning_can_accept_it():
    near, far = leader_has_grain(8), leader_has_grain(7)
    offers = [swap(ORE, GRAIN), swap(WOOL, GRAIN), swap(ORE, BRICK), swap(ORE, WOOL)]
    # A wool nobody has: such an offer can be accepted by no one, and so it would be by the leader alone.
    assert helping(near, [*offers, moves.END_TURN]) == [True, True, False, True, False]
    assert helping(far, offers) == [False] * 4


def test_what_is_hidden_may_be_there():
    state = leader_has_grain(9)
    # Seat 0 has not seen where a grain and a brick are, one in either hand, nor what is not among them.
    record = state.record
    record.known[1, 0] -= pack((0, 0, 0, 1, 0))
    record.known[2, 0] = 0
    record.most[1:3], record.mix[1:3] = 0xFFFF, 1
    assert helping(state.copy(), [swap(ORE, GRAIN), swap(ORE, BRICK), swap(ORE, WOOL)]) == [False, False, True]


def test_only_trades_with_players_are_looked_at():
    assert all(map(trades, (moves.ACCEPT, moves.CONFIRM, moves.CONFIRM + 3, swap(ORE, GRAIN), moves.OFFERS_END - 1)))
    others = (moves.REJECT, moves.WITHDRAW, moves.MOVE_ROBBER, moves.BUILD_ROAD, moves.BUILD_CITY, moves.BANK_TRADE)
    assert not any(map(trades, (*others, moves.END_TURN, moves.PLAY_KNIGHT, moves.BUY_CARD, moves.ROLL)))
    # Nothing of the view is needed to tell.
    assert tactful(Analysis(action=moves.BUILD_ROAD), None).action == moves.BUILD_ROAD


@pytest.mark.parametrize(("points", "helps"), [(8, True), (7, False)])
def test_answers_and_confirmations_help_who_is_near(points, helps):
    asked = with_points(with_hands((1, 0, 0, 2, 2), (0, 1, 1, 1, 2), NOTHING, NOTHING), 0, points)
    asked.apply(swap(LUMBER, ORE))
    assert helping(asked, [moves.ACCEPT, swap(BRICK, LUMBER), moves.REJECT]) == [helps, helps, False]
    confirming = leader_has_grain(points)
    for action in (swap(ORE, GRAIN), moves.ACCEPT, moves.REJECT, moves.REJECT):
        confirming.apply(action)
    assert helping(confirming, [moves.CONFIRM + 1, moves.WITHDRAW]) == [helps, False]


def test_of_the_other_actions_the_one_visited_most_is_played():
    state = leader_has_grain(9)
    view = View(state, 0, 1)
    found = (
        MoveAnalysis(moves.END_TURN, 0.2, 5),
        MoveAnalysis(swap(ORE, BRICK), 0.1, 6),
        MoveAnalysis(swap(ORE, GRAIN), 0.3, 9),
        MoveAnalysis(swap(WOOL, GRAIN), None),
    )
    changed = tactful(Analysis(swap(ORE, GRAIN), moves=found), view)
    assert (changed.action, changed.principal_variation) == (swap(ORE, BRICK), (swap(ORE, BRICK),))
    for action in (moves.END_TURN, swap(ORE, BRICK)):
        kept = Analysis(action, moves=found)
        assert tactful(kept, view) is kept


def test_a_rejection_becomes_a_counter_offer_by_which_both_gain():
    # Seat 1 would rather give the grain that completes a settlement of seat 0, which has an ore over.
    state = with_hands((1, 1, 1, 0, 2), (0, 0, 1, 3, 0), NOTHING, NOTHING)
    state.apply(swap(ORE, WOOL))
    view = View(state, 1, 1)
    changed = countering(Analysis(moves.REJECT), view)
    assert changed.action == choice(state, "value:weights=learned,trades=true")
    assert changed.action >= moves.OFFER
    assert state.is_legal(changed.action)
    accepted = Analysis(moves.ACCEPT)
    assert countering(accepted, view) is accepted
    near = with_points(state, 0, 9)
    rejected = Analysis(moves.REJECT)
    assert countering(rejected, View(near, 1, 1)) is rejected


@pytest.mark.parametrize("spec", ["strong:100", "uct:100,offers=true", "one-step:offers=true"])
def test_searches_help_nobody_to_win(spec):
    state = leader_has_grain(9)
    for seed in range(4):
        assert helping(state, [choice(state, spec, seed)]) == [False]
    asked = with_points(with_hands((1, 0, 0, 2, 2), (0, 1, 1, 1, 2), NOTHING, NOTHING), 0, 9)
    asked.apply(swap(LUMBER, ORE))
    for seed in range(4):
        assert choice(asked, spec, seed) == moves.REJECT


def test_strong_makes_counter_offers_where_it_is_told_to():
    state = with_hands((1, 1, 1, 0, 2), (0, 0, 1, 3, 0), NOTHING, NOTHING)
    state.apply(swap(ORE, BRICK))
    assert choice(state, "strong:50") == moves.REJECT
    assert choice(state, "strong:50,counters=true") >= moves.OFFER
