"""What our seat makes of the server's answers."""

from typing import ClassVar

import pytest

from oponente import View
from oponente.agents.base import Budget
from oponente.games.catalogue import load_game, make_agent
from oponente.games.catan.agents import RandomAgent
from oponente.games.catan.board import DOWN
from oponente.games.catan.cards import ROAD_BUILDING
from oponente.games.catan.moves import ACCEPT, BUILD_ROAD, DISCARDING, FREE_ROADS, OFFER
from oponente.games.catan.names import board_of, roads_of
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.filling import renewed
from oponente.interop.jsettlers.geometry import THEIR_EDGE, THEIR_RESOURCE, our_counts, write_board
from oponente.interop.jsettlers.ledger import Ledger
from oponente.interop.jsettlers.message import parse
from oponente.interop.jsettlers.play import GameState
from oponente.interop.jsettlers.seat import ANSWER, ANSWER_SECONDS, DISCARD_SECONDS, DISCARDS, TURN, Seat
from oponente.interop.jsettlers.session import Invitation
from oponente.interop.jsettlers.transcript import read_transcript
from oponente.kernel import stream
from tests.interop.jsettlers.helpers import TRANSCRIPTS


def moments():
    """Yield our seat in a recorded game after each message, and its decision then."""
    seat = None
    for entry in read_transcript(TRANSCRIPTS[1]):
        if not entry.incoming:
            continue
        if seat is None:
            if isinstance(entry.message, Invitation):
                seat = Seat(entry.message, "pybot", RandomAgent(), 1)
            continue
        seat.receive(entry.message)
        yield seat, seat.decision()


def guessed(monkeypatch, seed):
    """Return what our seat has to decide in a recorded game up to the first unseen discard, with its number: what is
    not known is guessed by a seed.
    """
    make = Ledger.__init__
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "__init__", lambda ledger, players, _seed=0: make(ledger, players, seed))
        return [
            (seat.mirror.seat, decision.state.copy())
            for seat, decision in moments()
            if decision is not None and decision.state is not None and not seat.mirror.ledger.discards
        ]


def test_what_the_agent_is_shown_does_not_depend_on_guesses(monkeypatch):
    """But for cards that were discarded unseen: of these one guess stands for all."""
    agent = make_agent("value:weights=learned,trades=true", load_game("catan", {"preset": "jsettlers"}))
    poisoned = 0
    for (seat, state), (_, other) in zip(guessed(monkeypatch, 1), guessed(monkeypatch, 2), strict=True):
        poisoned += state != other
        views = [View(each, seat, seed=3, history=[]) for each in (state, other)]
        assert views[0].text() == views[1].text()
        assert views[0].determinize(stream(1)) == views[1].determinize(stream(1))
        chosen = []
        for view in views:
            agent.begin_game(state.game, seat)  # so that nothing is left of the other one
            chosen.append(agent.choose(view, Budget()))
        assert chosen[0] == chosen[1]
    assert poisoned > 100


def asked():
    """Return a seat in a recorded game that is made an offer, and a player who could accept it, too."""
    for seat, decision in moments():
        if decision is None or decision.kind != ANSWER or decision.state is None or not decision.state.is_legal(ACCEPT):
            continue
        offer, mirror = seat.mirror.trading.current, seat.mirror
        for player, place in mirror.seats.items():
            wanted = zip(mirror.hand(place), our_counts(offer.get), strict=True)
            if player not in (seat.player, offer.player) and all(has >= get for has, get in wanted):
                return seat, decision, offer, player
    return pytest.fail("there is no such offer")


def test_who_accepts_second_is_late_and_not_refused():
    seat, decision, offer, other = asked()
    assert seat.answer(decision, [ACCEPT]) == [play.Accept(seat.game, seat.player, offer.player)]
    seat.receive(play.Accept(seat.game, other, offer.player, (*offer.give, *offer.get)))
    seat.receive(play.ClearOffer(seat.game, -1))
    seat.receive(play.Reject(seat.game, seat.player, play.Reject.CANNOT_NOW))
    assert (seat.account.late, seat.account.refused, seat.request) == (1, 0, None)
    assert seat.mirror.differences == []


def test_an_acceptance_of_what_is_open_can_be_refused():
    seat, decision, *_ = asked()
    seat.answer(decision, [ACCEPT])
    seat.receive(play.Reject(seat.game, seat.player, play.Reject.CANNOT_NOW))
    assert (seat.account.late, seat.account.refused) == (0, 1)


def on_turn():
    """Return a seat that is on turn after its dice, with a development card for two roads."""
    for seat, decision in moments():
        if decision is not None and decision.kind == TURN and seat.mirror.announced == GameState.PLAY1:
            seat.mirror.record.cards[seat.mirror.seat, ROAD_BUILDING] = 1
            return seat
    return pytest.fail("it is never on turn")


def play_road_building(seat, roads):
    """Play the card by the server's messages; return what the seat sends when it has placed a road."""
    mirror = seat.mirror
    first, second = roads
    seat.receive(play.Card(seat.game, seat.player, play.CardAction.PLAY, (1,)))
    seat.receive(play.PlayerElement(seat.game, seat.player, play.Action.SET, play.Element.CARD_PLAYED, 1))
    seat.receive(play.State(seat.game, first))
    place = next(iter(mirror.live.legal_actions)) - BUILD_ROAD
    seat.receive(play.PutPiece(seat.game, seat.player, play.Piece.ROAD, THEIR_EDGE[place]))
    return seat.receive(play.State(seat.game, second))


def take_edges(mirror, seat, edges):
    """Give a player roads, wherever they lie."""
    record = mirror.record
    for edge in edges:
        if edge < DOWN:
            record.across[seat] = int(record.across[seat]) | 1 << edge
        else:
            record.down[seat] = int(record.down[seat]) | 1 << edge - DOWN
    mirror.state = renewed(mirror.live)


def free_edges(mirror):
    """Return the edges without a road."""
    return sorted(set(THEIR_EDGE) - {edge for seat in range(4) for edge in roads_of(mirror.live, seat)})


def road_places(mirror):
    """Return the edges where who is on turn may place a free road."""
    state = mirror.live.copy()
    state.record.phase, state.record.free_roads = FREE_ROADS, 2
    return [action - BUILD_ROAD for action in renewed(state).legal_actions]


def test_the_last_road_is_the_second_free_one():
    seat = on_turn()
    mirror = seat.mirror
    take_edges(mirror, mirror.seat, free_edges(mirror)[::4][: 14 - len(roads_of(mirror.live, mirror.seat))])
    assert play_road_building(seat, (GameState.PLACING_FREE_ROAD2, GameState.PLAY1)) == []
    assert mirror.differences == []
    assert seat.decision().kind == TURN


def test_a_second_free_road_without_a_place_is_given_up():
    seat = on_turn()
    mirror = seat.mirror
    left = road_places(mirror)[0]
    take_edges(mirror, (mirror.seat + 1) % 4, [edge for edge in free_edges(mirror) if edge != left])
    sent = play_road_building(seat, (GameState.PLACING_FREE_ROAD1, GameState.PLACING_FREE_ROAD2))
    assert sent == [play.CancelBuild(seat.game, play.Piece.ROAD)]
    assert seat.decision() is None
    seat.receive(play.State(seat.game, GameState.PLAY1))
    assert mirror.differences == []
    assert seat.decision().kind == TURN
    assert (seat.account.refused, seat.account.unanswered) == (0, 0)


def discarding():
    """Return a seat that must discard, and how many cards."""
    for seat, decision in moments():
        if decision is not None and decision.kind == DISCARDS:
            return seat, int(decision.state.record.owed[seat.mirror.seat])
    return pytest.fail("it never discards")


@pytest.mark.parametrize("asked", [False, True])
def test_discards_by_the_server_are_taken_and_counted(asked):
    seat, count = discarding()
    mirror, seat.account.forced = seat.mirror, 0
    if asked:  # our own come too late
        seat._send(play.Discard(seat.game, None, (count, 0, 0, 0, 0), 0))
    hand = list(mirror.hand(mirror.seat))
    size = mirror.ledger.size(mirror.seat)
    left = count
    for resource, has in enumerate(hand):
        gone = min(has, left)
        left -= gone
        if gone:
            seat.receive(
                play.PlayerElement(seat.game, seat.player, play.Action.LOSE, THEIR_RESOURCE[resource], gone, "Y")
            )
    assert mirror.differences == []
    assert mirror.ledger.size(mirror.seat) == size - count
    assert sum(mirror.hand(mirror.seat)) == size - count
    assert (seat.account.forced, seat.account.refused, seat.request) == (1, 0, None)
    assert seat.decision() is None


def test_discards_of_another_by_the_server_are_taken():
    seat, _ = discarding()
    mirror = seat.mirror
    for other in range(4):
        owed = int(mirror.record.owed[other])
        if other != mirror.seat and owed:
            size = mirror.ledger.size(other)
            player = mirror.their_player(other)
            seat.receive(play.PlayerElement(seat.game, player, play.Action.LOSE, play.Element.UNKNOWN, owed, "Y"))
            assert (mirror.differences, seat.account.forced) == ([], 0)
            assert size - owed <= mirror.ledger.size(other) <= size


def test_answers_that_are_awaited_have_limits():
    class Asked(RandomAgent):
        seconds: ClassVar[list] = []

        def choose(self, view, budget):
            self.seconds.append(budget.seconds)
            return super().choose(view, budget)

    agent = Asked()
    seat, decision, *_ = asked()
    seat.agent = agent
    seat.decide(decision, Budget(seconds=60.0))
    assert agent.seconds == [ANSWER_SECONDS]
    seat, count = discarding()
    seat.agent = agent
    seat.decide(seat.decision(), Budget())
    assert agent.seconds[1:] == [DISCARD_SECONDS / count] * count


def test_the_agent_knows_how_many_offers_it_has_made_and_may_make():
    def offers(state):
        return [action for action in state.legal_actions if action >= OFFER]

    seat, decision = next(
        (seat, decision)
        for seat, decision in moments()
        if decision is not None and decision.kind == TURN and offers(decision.state)
    )
    assert decision.state.game.options.rule("offers") == seat.max_offers == 5
    assert int(decision.state.record.offers) == 0
    for made in range(1, 6):
        seat.answer(decision, offers(decision.state)[:1])
        seat.request = None
        state = seat._state(TURN)
        assert int(state.record.offers) == made
        assert bool(offers(state)) == (made < 5)


NOT_CARDS = "2147483647,0,0,0,0"


@pytest.mark.parametrize(
    "text",
    [
        f"1052|{{}},{NOT_CARDS},3",
        f"1040|{{}},{NOT_CARDS},{NOT_CARDS},3",
        "1040|{},0,0,0,0,0,-1,1,0,0,0,3",
        f"1041|{{}},0,true,true,true,true,{NOT_CARDS},0,1,0,0,0",
        "1041|{},0,false,true,true,true,-1,0,0,0,0,0,1,0,0,0",
        f"1033|{{}},p0,{NOT_CARDS},0",
        "1036|{},false,false,false,false",
        "1061|{},10,7,true,true",
        "1012|{},somebody,4,false",
    ],
)
def test_what_can_not_be_is_a_difference(text):
    for seat, decision in moments():
        if decision is not None and decision.kind == TURN and int(seat.mirror.record.turn) > 1:
            break
    known = len(seat.mirror.differences)
    assert seat.receive(parse(text.format(seat.game))) == []
    assert len(seat.mirror.differences) > known


@pytest.mark.parametrize(
    ("invitation", "told", "field"),
    [
        (Invitation("a game", 4, "-"), [], "player"),
        (Invitation("a game", 0, "VP=tx"), ["1012|a game,me,0,true", "1012|a game,you,1,true"], "options"),
        (Invitation("a game", 0, "-"), ["1012|a game,me,0,true"], "options"),
        (Invitation("a game", 0, "-"), ["1096|a game|99|1"], "game_element"),
    ],
)
def test_a_game_that_can_not_be_is_a_difference(invitation, told, field):
    seat = Seat(invitation, "me", RandomAgent(), 1)
    board = write_board("a game", board_of(load_game("catan").start()))
    for message in (*map(parse, told), board, play.Turn("a game", 0, GameState.START1A)):
        seat.receive(message)
    assert field in {difference.field for difference in seat.mirror.differences}
    assert seat.decision() is None


def test_who_has_rolled_a_seven_decides_nothing_before_the_server_waits():
    for seat, decision in moments():
        if decision is not None and decision.kind == TURN and seat.mirror.announced == GameState.ROLL_OR_CARD:
            break
    record = seat.mirror.record
    record.phase, record.owed = DISCARDING, 1
    seat.receive(play.ClearOffer(seat.game, seat.player))
    assert seat.decision() is None
