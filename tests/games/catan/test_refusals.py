"""Catan: a move that is not legal is refused with the reason."""

import copy

import pytest

import oponente.games.catan.text as notation
from oponente.games.catan import moves, rules
from oponente.games.catan.cards import DEVELOPMENT_CARDS
from oponente.games.catan.moves import BEFORE_ROLL, DISCARDING, FREE_ROADS, ROBBING, offer_id
from oponente.games.catan.names import EDGES
from oponente.games.catan.refusals import refusal
from oponente.kernel import Game, IllegalActionError, random_below, stream
from tests.games.catan.positions import Position

KNIGHT, PLENTY, MONOPOLY, ROADS, _ = range(len(DEVELOPMENT_CARDS))
RICH = {"lumber": 4, "brick": 4, "wool": 4, "grain": 4, "ore": 4}


def state_of(position):
    """Return the state of a position, in a game with Catan's notation."""
    state = position.state.copy()
    state.game = copy.copy(state.game)
    state.game.text = notation
    return state


def told(position, text):
    """Return what a person is told who writes a move that is not possible."""
    with pytest.raises(IllegalActionError) as refused:
        state_of(position).parse_action(text)
    reason = str(refused.value)
    assert "\n" not in reason
    assert "legal:" not in reason
    return reason


def settled():
    """Return a position in which two players have built and the first one, with no cards, is on turn."""
    return (
        Position()
        .settlement(0, "c4")
        .road(0, "c4-c5-c6")
        .settlement(1, "c8", "d5")
        .road(1, "c7-c8", "d5-d6")
        .city(1, "e4")
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "settlement c6",
            "a settlement costs 1 lumber 1 brick 1 wool 1 grain: you lack 1 lumber 1 brick 1 wool 1 grain",
        ),
        ("dice 8", "that is for chance to decide, not for you"),
        ("draws knight", "that is for chance to decide, not for you"),
        ("city c4", "a city costs 2 grain 3 ore: you lack 2 grain 3 ore"),
        ("road c6-c7", "a road costs 1 lumber 1 brick: you lack 1 lumber 1 brick"),
        ("buy card", "a development card costs 1 wool 1 grain 1 ore: you lack 1 wool 1 grain 1 ore"),
        ("bank 4 ore for wool", "that takes 4 ore: you lack 4 ore"),
        ("bank ore for wool", "that takes 4 ore: you lack 4 ore"),
        ("bank 3 ore for wool", "the bank takes 4 ore for one card from you"),
        ("offer 2 ore for 1 wool", "that takes 2 ore: you lack 2 ore"),
        ("offer 0 ore for 1 wool", "no gifts: each side gives at least one card"),
        ("offer 1 ore for 0 wool", "no gifts: each side gives at least one card"),
        ("offer 1 ore for 1 ore", "an offer has no resource on both sides: each side gives other cards"),
        ("offer 32 ore for 1 wool", "an offer has at most 31 cards of a resource"),
        ("offer 16 ore 16 ore for 1 wool", "an offer has at most 31 cards of a resource"),
        ("knight", "you have no knight card"),
        ("year of plenty ore ore", "you have no year of plenty card"),
        ("monopoly ore", "you have no monopoly card"),
        ("road building", "you have no road building card"),
        ("roll", "you have rolled already: trade, build, or end the turn"),
        ("robber 3", "the robber moves only after a 7 and after a knight"),
        ("discard ore", "nobody has to discard now"),
        ("accept", "there is no offer to answer"),
        ("reject", "there is no offer to answer"),
        ("counter 1 ore for 1 wool", "there is no offer to counter: make one yourself with offer"),
        ("confirm player 2", "you have made no offer that is still open"),
        ("withdraw", "you have made no offer that is still open"),
    ],
)
def test_who_has_nothing_is_told_what_is_missing(text, reason):
    assert told(settled(), text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("settlement c4", "your settlement is at c4 already"),
        ("settlement e4", "player 2's city is at e4 already"),
        ("settlement c5", "c5 is too near to your settlement at c4: the next intersection must be free"),
        ("settlement c7", "c7 is too near to player 2's settlement at c8: the next intersection must be free"),
        ("settlement a4", "none of your roads leads to a4"),
        ("city c8", "a city replaces a settlement of yours: at c8 is player 2's settlement"),
        ("city a4", "a city replaces a settlement of yours: at a4 is nothing"),
        ("road c4-c5", "your road is on c4-c5 already"),
        ("road c7-c8", "player 2's road is on c7-c8 already"),
        ("road a4-a5", "a4-a5 joins no road, settlement or city of yours"),
    ],
)
def test_a_wrong_place_is_named(text, reason):
    assert told(settled().give(0, **RICH), text) == reason


def test_a_building_in_the_way_is_named():
    position = Position().road(0, "c4-c5-c6").settlement(1, "c6").give(0, **RICH)
    assert told(position, "road c6-c7") == "player 2's settlement at c6 is in the way to c6-c7"


def test_pieces_run_out():
    position = Position().settlement(0, "a3", "a5", "a7", "b2", "b4").road(0, "c4-c5").give(0, **RICH)
    assert "all your 5 settlements are on the board" in told(position, "settlement c5")
    position = Position().city(0, "a3", "a5", "a7", "b2").settlement(0, "c4").give(0, **RICH)
    assert told(position, "city c4") == "all your 4 cities are on the board"
    position = Position().road(0, "c1-c2-c3-c4-c5-c6-c7-c8-c9-c10-c11", "d1-d2-d3-d4-d5-d6").give(0, **RICH)
    assert told(position, "road d6-d7") == "all your 15 roads are on the board"
    assert told(position.develop(0, ROADS), "road building") == "all your 15 roads are on the board"
    position = Position().give(0, **RICH)
    position.record.deck[:] = 0
    assert told(position, "buy card") == "no development cards are left"


def test_cards_of_the_bank_run_out():
    position = Position().give(0, lumber=4, ore=18).develop(0, PLENTY)
    assert told(position, "year of plenty ore ore") == "the bank has 1 ore"
    assert told(position, "year of plenty wool") == "year of plenty takes two cards: year of plenty ore grain"
    position.give(0, ore=1)
    assert told(position, "year of plenty wool ore") == "the bank has no ore"
    assert told(position, "bank 4 lumber for ore") == "the bank has no ore"


def test_development_cards():
    assert told(Position().develop(0, KNIGHT, fresh=True), "knight") == (
        "you bought your knight card this turn: it can be played from your next turn on"
    )
    position = Position().develop(0, KNIGHT)
    position.record.card_played = 1
    assert told(position, "knight") == "only one development card a turn: you have played one already"
    assert told(position, "monopoly ore") == "you have no monopoly card"
    assert told(Position().develop(0, ROADS), "road building") == "there is no free path that joins your roads"


@pytest.mark.parametrize(
    "text", ["end", "road c6-c7", "buy card", "offer 1 ore for 1 wool", "bank ore for wool", "road"]
)
def test_before_the_roll(text):
    position = settled().turn(0, BEFORE_ROLL)
    assert told(position, text) == "roll first: write roll"


def test_what_must_be_done_first():
    position = settled().give(0, **RICH)
    position.turn(0, ROBBING)
    assert told(position, "end").startswith("move the robber first: write robber 1")
    position.turn(0, FREE_ROADS).record.free_roads = 2
    assert told(position, "end").startswith("place 2 free roads first: write road ")
    position.turn(0, DISCARDING).record.owed[0] = 5
    assert told(position, "end") == "discard 5 more first: write discard lumber"
    assert told(position, "discard") == "discard what? for example discard lumber"
    assert told(position, "discard 2 wool") == "discard one card with each move: discard wool"
    start = Position()
    start.state = start.game.start(0)
    assert told(start, "roll") == "place a settlement first: write settlement a3"
    start.do(state_of(start).parse_action("settlement c4"))
    assert told(start, "road a3-a4") == "the road must start at the settlement just placed, at c4"


def test_the_robber():
    position = settled().give(1, ore=1).turn(0, ROBBING)
    position.settlement(2, "b7")
    tiles = {a // 5: a % 5 for a in position.listed_in(moves.MOVE_ROBBER, 95)}
    rich = next(tile for tile, victim in tiles.items() if victim == 1)
    poor = next(tile for tile, victim in tiles.items() if victim == moves.NOBODY_ROBBED)
    here = int(position.record.robber)
    assert "must move to another hex" in told(position, f"robber {here + 1}")
    assert told(position, f"robber {rich + 1} player 1") == f"you can't rob yourself: robber {rich + 1} player 2"
    assert "player 4 has no settlement or city at hex" in told(position, f"robber {rich + 1} player 4")
    assert told(position, f"robber {poor + 1} player 4").endswith(f": robber {poor + 1}")
    with pytest.raises(IllegalActionError, match=r"somebody must be robbed there: robber \d+ player 2"):
        state_of(position).apply(moves.MOVE_ROBBER + 5 * rich + moves.NOBODY_ROBBED)
    position = Position(friendly_robber=True).settlement(1, "c8").turn(0, ROBBING)
    near = next(
        t for t in range(19) if t not in {a // 5 for a in position.listed_in(moves.MOVE_ROBBER, 95)} and t != here
    )
    assert told(position, f"robber {near + 1}").endswith("the friendly robber stays away")


def test_trade_that_is_not_possible():
    assert "only with the bank" in told(Position(trade=False).give(0, ore=1), "offer 1 ore for 1 wool")
    position = Position().give(0, ore=1)
    position.record.offers = 5
    assert told(position, "offer 1 ore for 1 wool") == "no offers are left this turn: 5 offers a turn at most"


def test_answers_and_confirmation():
    position = Position().give(0, ore=2).give(1, wool=1).give(3, wool=2, grain=1)
    position.do(offer_id((0, 0, 0, 0, 1), (0, 0, 2, 0, 0)))
    assert told(position, "accept") == "accepting takes 2 wool: you lack 1 wool"
    assert told(position, "counter 1 grain for 1 ore") == "that takes 1 grain: you lack 1 grain"
    assert told(position, "withdraw") == "only player 1, who made the offer, may withdraw"
    assert told(position, "confirm player 2") == "only player 1, who made the offer, may confirm"
    assert told(position, "roll").startswith("answer the offer first: write reject or counter 1 wool for")
    position.do(moves.REJECT, moves.REJECT, moves.ACCEPT)
    assert told(position, "confirm player 2") == "player 2 has not accepted"
    assert told(position, "confirm player 1") == "you can't trade with yourself"
    assert told(position, "confirm") == "confirm with whom? for example confirm player 4"
    assert told(position, "end").startswith("confirm a trade, or withdraw first: write confirm player 4 or withdraw")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("road", "road where? for example road c3-c4"),
        ("settlement", "settlement where? for example settlement c6"),
        ("city", "city where? for example city c4"),
        ("robber", "the robber moves only after a 7 and after a knight"),
        ("monopoly", "monopoly of what? for example monopoly wool"),
        ("year of plenty", "year of plenty which two cards? for example year of plenty ore grain"),
        ("play year of plenty", "year of plenty which two cards? for example year of plenty ore grain"),
        ("bank", "bank what for what? for example bank 4 lumber for brick"),
        ("offer", "offer what for what? for example offer 2 lumber for 1 brick"),
        ("confirm", "you have made no offer that is still open"),
        ("discard", "nobody has to discard now"),
        ("dice", "dice which sum? for example dice 8"),
    ],
)
def test_a_word_alone_is_asked_what_it_wants(text, reason):
    position = Position().settlement(0, "c4").road(0, "c6-c5-c4").give(0, **RICH)
    assert told(position, text) == reason


def random_positions(players, seed, count):
    """Yield the states of a random game in which somebody is to move."""
    game = Game(rules, {"players": str(players)}, text=notation)
    state, rng = game.start(seed), stream(seed, "test")
    for _ in range(count):
        if state.is_terminal:
            return
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        yield state
        choices = [*state.legal_actions, *notation.open_actions(state)]
        state.apply(int(choices[random_below(rng, len(choices))]))


ACTIONS = [
    *(moves.ROLL, moves.BUY_CARD, moves.PLAY_KNIGHT, moves.PLAY_ROAD_BUILDING, moves.END_TURN),
    *(moves.ACCEPT, moves.REJECT, moves.WITHDRAW),
    *range(moves.PLAY_MONOPOLY, moves.PLAY_MONOPOLY + 5),
    *range(moves.PLAY_YEAR_OF_PLENTY, moves.PLAY_YEAR_OF_PLENTY + 30),
    *range(moves.DISCARD, moves.DISCARD + 5),
    *range(moves.CONFIRM, moves.CONFIRM + 4),
    *range(moves.MOVE_ROBBER, moves.MOVE_ROBBER + 95),
    *(moves.BUILD_ROAD + number for number in EDGES),
    *range(moves.BUILD_SETTLEMENT, moves.BUILD_SETTLEMENT + 54),
    *range(moves.BUILD_CITY, moves.BUILD_CITY + 54),
    *range(moves.BANK_TRADE, moves.BANK_TRADE + 25),
    offer_id((1, 0, 0, 0, 0), (0, 1, 0, 0, 0)),
    offer_id((0, 0, 0, 0, 5), (0, 1, 0, 0, 0)),
    offer_id((0, 0, 0, 0, 0), (0, 1, 0, 0, 0)),
]
"""All actions but most offers."""


@pytest.mark.parametrize("players", [2, 4])
def test_every_refusal_has_a_reason_that_tells_only_what_the_player_knows(players):
    rng = stream(players, "guess")
    for number, state in enumerate(random_positions(players, 70 + players, 500)):
        if number % 9:
            continue
        sample = state.determinize(state.player, rng)
        for action in ACTIONS:
            if state.is_legal(action):
                continue
            reason = refusal(state, action)
            pair = action - moves.PLAY_YEAR_OF_PLENTY
            backwards = 0 <= pair < 25 and pair // 5 > pair % 5
            assert reason or backwards, action
            assert reason == refusal(sample, action)


def test_what_is_no_action_has_no_reason():
    state = state_of(Position())
    for action in (-1, 4, 59, 2**31 - 1, 2**40, moves.BUILD_ROAD + 127, moves.DRAW_CARD + 20):
        assert refusal(state, action) is None
    with pytest.raises(IllegalActionError, match=r"is not legal here; legal: "):
        state.apply(moves.BUILD_ROAD + 127)
