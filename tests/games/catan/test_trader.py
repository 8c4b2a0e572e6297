"""Catan: the agent that trades by the linear evaluation: what it offers, accepts, counters and confirms."""

from __future__ import annotations

import pytest

from oponente.agents.base import Budget
from oponente.agents.view import View
from oponente.arena import MatchSpec, Table
from oponente.games.catalogue import GameSpec, load_game, make_agent
from oponente.games.catan import moves
from oponente.kernel import State, stream
from tests.games.catan.test_agents import decide
from tests.games.catan.test_bargaining import (
    BRICK,
    GRAIN,
    LUMBER,
    ORE,
    swap,
    with_hands,
    worth,
)

pytestmark = pytest.mark.compiled
TRADER = "value:weights=learned,trades=true"
NOTHING = (0, 0, 0, 0, 0)
FOR_CARD = (1, 0, 1, 0, 2)
"""Lumber, wool, two ore: nothing can be built, and grain for one ore makes a development card payable."""


def plays(state: State) -> int:
    return decide(state.game, TRADER, state)


def with_points(state: State, seat: int, points: int) -> State:
    """Return the position with a player who has so many points on the board."""
    state.record.points[seat] = points
    return state.copy()


def test_it_offers_what_brings_it_most_among_what_others_can_be_expected_to_accept():
    state = with_hands(FOR_CARD, (0, 0, 0, 2, 0), NOTHING, NOTHING)
    assert plays(state) == swap(ORE, GRAIN)
    assert decide(state.game, "value:weights=learned", state) < moves.OFFER
    # Nobody is known to have grain: no offer.
    assert plays(with_hands(FOR_CARD, (0, 0, 2, 0, 0), NOTHING, NOTHING)) < moves.OFFER
    # Who has some needs it for a city, and has ore enough.
    assert worth((0, 0, 0, 1, 4)) < worth((0, 0, 0, 2, 3))
    assert plays(with_hands(FOR_CARD, (0, 0, 0, 2, 3), NOTHING, NOTHING)) != swap(ORE, GRAIN)


def test_after_an_offer_that_came_to_nothing_it_makes_another_one_and_in_the_end_none():
    state, made = with_hands((2, 0, 2, 0, 2), (0, 2, 0, 2, 0), NOTHING, NOTHING), []
    while plays(state) >= moves.OFFER:
        made.append(plays(state))
        state.apply(made[-1])
        while state.player != 0:
            state.apply(moves.REJECT)
    assert len(made) > 1
    assert len(set(made)) == len(made)


def test_it_makes_no_offer_to_who_is_about_to_win():
    state = with_hands(FOR_CARD, (0, 0, 0, 2, 0), NOTHING, NOTHING)
    assert plays(with_points(state, 1, 7)) == swap(ORE, GRAIN)
    assert plays(with_points(state, 1, 8)) < moves.OFFER


@pytest.mark.parametrize(("points", "answer"), [(7, moves.ACCEPT), (8, moves.REJECT)])
def test_it_accepts_what_it_gains_by_but_not_from_who_is_about_to_win(points, answer):
    state = with_points(with_hands(FOR_CARD, (0, 0, 0, 2, 0), NOTHING, NOTHING), 0, points)
    state.apply(swap(ORE, GRAIN))
    assert plays(state) == answer


def test_it_counters_where_another_trade_serves_both():
    # It needs its only brick more than a second grain, but has lumber to spare; the other one has neither.
    state = with_hands((0, 0, 0, 3, 0), (2, 1, 1, 1, 0), NOTHING, NOTHING)
    assert worth((2, 0, 1, 2, 0)) < worth((2, 1, 1, 1, 0)) < worth((1, 1, 1, 2, 0))
    state.apply(swap(GRAIN, BRICK))
    assert plays(state) == swap(LUMBER, GRAIN)
    state.apply(swap(LUMBER, GRAIN))
    for _ in range(2):
        state.apply(moves.REJECT)
    assert plays(state) == moves.CONFIRM + 1


def test_who_lacks_the_cards_asked_for_can_counter():
    state = with_hands((0, 0, 0, 3, 0), (2, 0, 1, 1, 0), NOTHING, NOTHING)
    state.apply(swap(GRAIN, BRICK))
    assert list(state.legal_actions) == [moves.REJECT]
    assert plays(state) == swap(LUMBER, GRAIN)
    assert decide(state.game, "value:weights=learned", state) == moves.REJECT


def test_it_reads_nothing_that_its_seat_does_not_know():
    """At offers, answers and confirmations of a game among traders."""
    game = load_game("catan")
    compared = dict.fromkeys((moves.MAIN, moves.ANSWERING, moves.CONFIRMING), 0)
    for seed in range(20):
        state, rng = game.start(seed), stream(seed, "game")
        agents = [make_agent(TRADER, game) for _ in range(4)]
        while not state.is_terminal and min(compared.values()) < 10:
            if state.is_chance:
                state.apply(state.sample_chance(rng))
                continue
            seat, phase = state.player, int(state.record.phase)
            action = agents[seat].choose(View(state, seat, 1), Budget())
            if phase in compared and (phase != moves.MAIN or action >= moves.OFFER):
                other = state.determinize(seat, stream(len(state.history), "poison"))
                if other.array.tobytes() != state.array.tobytes():
                    asked = [make_agent(TRADER, game) for _ in range(2)]
                    one, two = (
                        agent.choose(View(position, seat, 1), Budget())
                        for agent, position in zip(asked, (state, other), strict=True)
                    )
                    assert one == two
                    compared[phase] += 1
            state.apply(action)
    assert min(compared.values()) >= 10


def test_it_confirms_with_who_has_fewest_points_and_never_with_who_is_about_to_win():
    hands = (FOR_CARD, (0, 0, 0, 2, 0), (0, 0, 0, 2, 0), (0, 0, 0, 2, 0))
    state = with_hands(*hands)
    for seat, points in ((1, 4), (2, 3), (3, 5)):
        state = with_points(state, seat, points)
    state.apply(swap(ORE, GRAIN))
    for _ in range(3):
        state.apply(moves.ACCEPT)
    assert plays(state) == moves.CONFIRM + 2
    assert plays(with_points(state, 2, 8)) == moves.CONFIRM + 1
    for seat in (1, 2, 3):
        state = with_points(state, seat, 9)
    assert plays(state) == moves.WITHDRAW


def test_traders_do_better_than_who_never_trade():
    spec = MatchSpec(GameSpec("catan", ()), (TRADER, TRADER, *["value:weights=learned"] * 2), 400, 3)
    table, won = Table(spec), 0
    for index in range(400):
        record = table.play(index)
        won += sum(value == 1.0 and seat.agent < 2 for seat, value in zip(record.seats, record.returns, strict=True))
    assert won > 226  # if trade did not matter: once in 200 times


def test_games_in_one_kernel_are_those_of_agents_that_are_asked():
    spec = MatchSpec(GameSpec("catan", ()), (TRADER, "value", TRADER, "value:weights=learned"), 2, 5)
    together, apart = Table(spec), Table(spec)
    apart.ensemble = None
    for index in range(2):
        a, b = together.play(index), apart.play(index)
        assert (a.actions, a.returns) == (b.actions, b.returns)
        assert any(action >= moves.OFFER for action in a.actions)
