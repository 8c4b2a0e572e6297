"""Catan through the protocol, without a browser: dice that stay the same, cards that stay hidden."""

import random

from oponente.agents.view import known
from oponente.games.catalogue import load_game
from oponente.kernel import stream
from oponente.web.line import asked, picture
from web.placing import placed


def test_taking_back_gives_the_same_dice(site):
    begun = site.play(game="catan", seats=[{}, {"agent": "simple"}], options={"players": "2"}, seed=3, pace=0)
    with site.seat(begun["seats"][0]) as seat:
        generator = random.Random(1)
        for _ in range(4):  # set-up: settlement and road, twice
            position = seat.turn()
            seat.act(generator.choice(position["legal"])["text"])
        seat.act("roll")
        after = seat.turn()
        back = seat.take_back()
        assert back["legal"][0]["text"] == "roll"
        seat.act("roll")
        again = seat.turn()
        assert [again[key] for key in ("svg", "last")] == [after[key] for key in ("svg", "last")]
        assert len(seat.log) == again["last"]
        first = seat.take_back(ply=0)
        assert first["last"] == 0
        assert first["legal"][0]["text"].startswith("settlement")


def hidden_game(site, seed):
    """Play Catan for two persons at random for a while, and return the two seats with all that they received."""
    begun = site.play(game="catan", seats=[{}, {}], options={"players": "2", "trade": "false"}, seed=seed, pace=0)
    generator = random.Random(seed)
    with (
        site.seat(begun["seats"][0]) as first,
        site.seat(begun["seats"][1]) as second,
        site.seat(begun["watch"]) as watcher,
    ):
        seats, drawn = [first, second], []
        for seat in seats:
            seat.until(lambda it: "svg" in it)
        while len(drawn) < 3 and first.position["status"] != "over":
            mover = next(seat for seat in seats if seat.position["legal"])
            texts = [choice["text"] for choice in mover.position["legal"]]
            if "buy card" in texts:
                drawn.append(seats.index(mover))
            ply = mover.position["last"]
            mover.act("buy card" if "buy card" in texts else generator.choice(texts))
            for seat in seats:
                seat.until(lambda it, ply=ply: it["last"] > ply and (it["player"] >= 0 or it["status"] == "over"))
        watcher.until(lambda it: it.get("hidden"))
        return begun, first, second, watcher, drawn


CARDS = ("knight", "victory point", "road building", "year of plenty", "monopoly")


def test_hidden_cards_never_reach_another_seat(site):
    _, first, second, watcher, drawn = hidden_game(site, 5)
    assert drawn
    for number, seat in enumerate((first, second)):
        other = (second, first)[number]
        own = [text for _, text in seat.log if text.startswith(f"player {number + 1} draws")]
        theirs = [text for _, text in seat.log if text.startswith(f"player {2 - number} draws")]
        assert all(any(card in text for card in CARDS) for text in own)
        assert all("draws a card" in text for text in theirs)
        assert len(own) == len([text for _, text in other.log if text.startswith(f"player {number + 1} draws")])
        # In the bytes: no message names what the other one has drawn.
        for text in seat.received:
            assert f"player {2 - number} draws " not in text.replace(f"player {2 - number} draws a card", "")
    assert not any("svg" in text or "log" in text for text in watcher.received)


def test_what_is_sent_does_not_depend_on_what_is_hidden():
    """Two games that differ in nothing but the other one's cards look the same, byte by byte."""
    game = load_game("catan", {"players": "2", "trade": "false"})
    state = game.start(3)
    generator = random.Random(2)
    rng = stream(4, "test")
    while not (int(state.record.cards[1].sum()) >= 1 and state.player == 0):
        assert not state.is_terminal
        if state.is_chance:
            state.apply_chance(rng)
        else:
            texts = {state.action_text(action): action for action in state.legal_actions}
            buys = state.player == 1 and "buy card" in texts
            state.apply(texts["buy card"] if buys else generator.choice(list(texts.values())))
    other = state.copy()
    cards = other.array[0]["cards"][1]
    deck = other.array[0]["deck"]
    kind = int(cards.argmax())
    swap = next(card for card in range(5) if card != kind and deck[card])
    cards[kind] -= 1
    cards[swap] += 1
    deck[swap] -= 1
    deck[kind] += 1
    assert picture(known(state, 0), 0) == picture(known(other, 0), 0)
    assert picture(state, None) != picture(other, None)


def test_others_decisions_are_not_analysed(site):
    begun = site.play(game="catan", seats=[{}, {}], options={"players": "2"}, seed=1, pace=0)
    with (
        site.seat(begun["seats"][0]) as first,
        site.seat(begun["seats"][1]) as second,
        site.seat(begun["watch"]) as eye,
    ):
        first.turn()
        second.until(lambda it: "svg" in it)
        eye.until(lambda it: it.get("hidden"))
        second.send("analyse", ply=0, agent="uct:10", seconds=0.1)
        assert "hidden" in second.error()
        eye.send("analyse", ply=0, agent="uct:10", seconds=0.1)
        assert "hidden" in eye.error()
        second.send("moments", agent="uct:10")
        assert "over" in second.error()


def test_places_are_in_the_picture():
    assert placed("catan", {"players": "3"}, 300) == {"node", "edge", "tile"}


def test_what_is_asked_is_told():
    assert asked(load_game("catan").start(1)) == "place a settlement"
