"""Catan through the protocol, without a browser: dice that stay the same, cards that stay hidden."""

import random

from oponente.games.catalogue import load_game
from oponente.web.line import asked
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
        assert "hidden" in second.until(lambda it: it["done"], "analysis")["failed"]
        eye.send("analyse", ply=0, agent="uct:10", seconds=0.1)
        assert "hidden" in eye.until(lambda it: it["done"], "analysis")["failed"]
        second.send("moments", agent="uct:10")
        assert "over" in second.until(lambda it: it["done"], "moments")["failed"]


def test_places_are_in_the_picture():
    assert placed("catan", {"players": "3"}, 300) == {"node", "edge", "tile"}


def test_what_is_asked_is_told():
    assert asked(load_game("catan").start(1)) == "place a settlement"
