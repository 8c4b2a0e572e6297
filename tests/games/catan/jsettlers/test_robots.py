"""The robots of JSettlers offline: estimates by hand, what they remember, whole games, and their calibration."""

import numpy as np
import pytest

from oponente.arena import MatchSpec, run_match
from oponente.games.catalogue import GameSpec, load_game, make_agent
from oponente.games.catan.cards import CARD_COST, CITY_COST, EMPTY, ROAD_COST, SETTLEMENT_COST, pack
from oponente.games.catan.jsettlers.agent import Listener
from oponente.games.catan.jsettlers.speed import exchanged, interval, rolls_until
from oponente.games.catan.jsettlers.trading import for_the_bank, rarest_lacking
from oponente.games.catan.layout import ANY
from oponente.games.catan.moves import (
    ACCEPT,
    BANK_TRADE,
    BUY_CARD,
    CONFIRM,
    END_TURN,
    OFFER,
    REJECT,
    ROLL,
    offer_id,
)

OPTIONS = (("numbers", "random"), ("offers", "30"), ("preset", "jsettlers"), ("turn_limit", "400"))


def weights(*percents):
    """Return percentages by resource (lumber, brick, wool, grain, ore), packed."""
    return sum(percent << 12 * resource for resource, percent in enumerate(percents))


@pytest.mark.parametrize(("percent", "rolls"), [(14, 7), (11, 9), (8, 13), (6, 17), (3, 33), (28, 4), (0, 55555)])
def test_a_resource_comes_every_so_many_rolls(percent, rolls):
    assert interval(weights(percent), 0) == rolls


@pytest.mark.parametrize(
    ("cards", "price", "yields", "reach", "rolls"),
    [
        (EMPTY, ROAD_COST, (14, 11, 0, 0, 0), 0, 9),  # lumber at 7, brick at 9
        (ROAD_COST, ROAD_COST, (0, 0, 0, 0, 0), 0, 0),
        (pack((5, 0, 0, 0, 0)), ROAD_COST, (0, 0, 0, 0, 0), 0, 0),  # four lumber for a brick
        (pack((4, 0, 0, 0, 0)), ROAD_COST, (14, 0, 0, 0, 0), 0, 7),
        (pack((4, 0, 0, 0, 0)), ROAD_COST, (14, 0, 0, 0, 0), 1 << ANY, 0),
        (pack((2, 0, 0, 0, 0)), ROAD_COST, (14, 0, 0, 0, 0), 1, 7),  # at a lumber harbour
        (EMPTY, CITY_COST, (0, 0, 0, 14, 14), 0, 21),  # three ore at 7, 14, 21
        (EMPTY, CARD_COST, (0, 0, 0, 0, 0), 0, 40),  # never
        (EMPTY, SETTLEMENT_COST, (14, 14, 14, 0, 0), 0, 35),  # grain for four of a kind besides the one that is needed
    ],
)
def test_rolls_until_a_price_can_be_paid(cards, price, yields, reach, rolls):
    assert rolls_until(cards, price, weights(*yields), reach, 40) == rolls


def test_the_rarest_is_taken_first_in_exchange():
    cards = exchanged(pack((9, 0, 0, 0, 0)), SETTLEMENT_COST, weights(14, 3, 14, 14, 0), 0)
    assert cards in (pack((1, 1, 1, 0, 0)), pack((1, 1, 0, 1, 0)))


@pytest.mark.parametrize(
    ("cards", "price", "yields", "reach", "wanted", "given"),
    [
        # From games on a server; lumber, brick, wool, grain, ore. What is not needed first, though brick is more
        # frequent;
        ((0, 3, 2, 4, 0), ROAD_COST, (17, 33, 90, 17, 25), 1 << ANY, 0, 3),
        # for a settlement, brick: it is needed, but comes more often than the lumber that it is given for;
        ((0, 3, 2, 4, 0), SETTLEMENT_COST, (17, 33, 90, 17, 25), 1 << ANY, 0, 1),
        # the same with wool, of which none is left then, before grain, of which one is;
        ((1, 0, 3, 4, 1), SETTLEMENT_COST, (0, 17, 50, 20, 33), 1 << ANY, 1, 2),
        # what comes more rarely than what is wanted: only if enough of it stays.
        ((1, 2, 6, 0, 0), SETTLEMENT_COST, (0, 33, 20, 50, 8), 1 << 1, 3, 2),
        ((0, 0, 0, 1, 3), CITY_COST, (0, 0, 0, 25, 17), 1 << ANY, 3, -1),
        ((0, 0, 0, 1, 3), CITY_COST, (0, 0, 0, 17, 25), 1 << ANY, 3, 4),
        # Nothing is given for itself.
        ((0, 0, 0, 2, 2), CITY_COST, (0, 0, 0, 25, 17), 1 << 4, 4, -1),
        # Of what comes as often, brick goes before ore, wool, grain and lumber, and is wanted last.
        ((4, 4, 4, 1, 0), CITY_COST, (25, 25, 25, 0, 25), 0, 3, 1),
        ((4, 0, 4, 1, 0), CITY_COST, (25, 25, 25, 0, 25), 0, 3, 2),
        ((0, 0, 0, 4, 0), SETTLEMENT_COST, (25, 25, 25, 33, 25), 0, 0, 3),
    ],
)
def test_what_is_given_to_the_bank(cards, price, yields, reach, wanted, given):
    assert rarest_lacking(pack(cards), price, weights(*yields), -1) == wanted
    assert for_the_bank(pack(cards), price, weights(*yields), reach, wanted) == given


def test_offers_and_refusals_tell_who_sells():
    selling = np.zeros((4, 5), np.uint8)
    listener = Listener(4)
    offer = offer_id((1, 0, 0, 0, 0), (0, 0, 0, 0, 1))
    selling[:, 4] = 1
    history = [ROLL, END_TURN, offer, REJECT, ACCEPT]
    listener.listen(history, selling)
    # Seat 1 offers lumber for ore; seat 0 refuses, seat 2 accepts, seat 3 has not answered.
    assert selling[1].tolist() == [1, 0, 0, 0, 0]
    assert selling[:, 4].tolist() == [0, 0, 1, 1]
    listener.listen([*history, offer_id((0, 1, 0, 0, 0), (1, 0, 0, 0, 0))], selling)
    assert selling[3].tolist() == [0, 1, 0, 0, 1]


def test_specs_come_back():
    game = load_game("catan", dict(OPTIONS))
    for spec in ("jsettlers", "jsettlers:strategy=fast", "jsettlers:strategy=smart"):
        assert make_agent(spec, game).spec == spec
    assert make_agent("jsettlers:fast", game).spec == "jsettlers:strategy=fast"


def counts(records):
    """Return mean rolls, points by rank, accepted trades, trades with the bank and cards bought of finished games."""
    done = [record for record in records if max(seat.facts["points"] for seat in record.seats) >= 10]

    def mean(test):
        return sum(test(action) for record in done for action in record.actions) / len(done)

    ranks = np.mean([sorted((seat.facts["points"] for seat in record.seats), reverse=True) for record in done], axis=0)
    return {
        "finished": len(done),
        "rolls": mean(lambda action: action == ROLL),
        "ranks": ranks,
        "accepted": mean(lambda action: CONFIRM <= action < CONFIRM + 4),
        "bank": mean(lambda action: BANK_TRADE <= action < END_TURN),
        "bought": mean(lambda action: action == BUY_CARD),
        "offers": mean(lambda action: action >= OFFER),
    }


@pytest.mark.compiled
def test_games_between_all_kinds_end_without_a_forfeit_and_come_again():
    agents = ("jsettlers:strategy=smart", "jsettlers:strategy=fast", "jsettlers", "random")
    spec = MatchSpec(GameSpec("catan", OPTIONS), agents, 12, 3)
    records = run_match(spec).records
    assert {record.status for record in records} == {"played"}
    assert [record.without_times() for record in run_match(spec).records] == [
        record.without_times() for record in records
    ]
    found = counts(records)
    assert found["finished"] >= 11
    assert found["bank"] > 5
    assert found["offers"] > 5
    # Nobody who has been to the bank makes an offer in the same turn.
    for record in records:
        been = False
        for action in record.actions:
            been = action != END_TURN and (been or BANK_TRADE <= action < END_TURN)
            assert not (been and action >= OFFER)
    # Robots beat random play.
    assert sum(record.returns[record.agents.index(3)] > 0 for record in records) <= 2


@pytest.fixture(scope="module")
def calibration():
    return counts(run_match(MatchSpec(GameSpec("catan", OPTIONS), ("jsettlers",) * 4, 1000, 11), workers=2).records)


@pytest.mark.long
def test_games_are_as_those_of_the_servers_robots(calibration):
    assert calibration["finished"] >= 950
    assert calibration["rolls"] == pytest.approx(80.5, rel=0.1)
    assert calibration["ranks"] == pytest.approx([10.1, 7.7, 6.2, 5.1], rel=0.1)
    assert calibration["accepted"] == pytest.approx(10.7, rel=0.1)
    assert calibration["bought"] == pytest.approx(15.5, rel=0.1)


@pytest.mark.long
def test_trades_with_the_bank_are_as_many(calibration):
    assert calibration["bank"] == pytest.approx(37.3, rel=0.1)
