"""What is sent to a seat says nothing that it can't know: the same is sent whatever lies hidden."""

import random

import pytest

from oponente.agents.view import known
from oponente.arena.telling import happened
from oponente.games.catalogue import load_game
from oponente.kernel import stream
from oponente.web import room
from oponente.web.line import asked, choices, lines, picture
from web.helpers import HEADERS

GAMES = [("catan", {"players": "3"}), ("risk", {"players": "4", "rules": "war-grow", "setup": "dealt"})]
PLIES = 150


def sent(state, seat):
    """Return what a browser is sent of a position."""
    seen = known(state, seat)
    mine = state.player == seat
    return (
        picture(seen, seat),
        lines(seen, seat),
        asked(seen),
        choices(state, list(state.legal_actions)) if mine else [],
    )


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_what_is_sent_does_not_depend_on_what_is_hidden(name, options):
    state = load_game(name, options).start(11)
    generator, rng, worlds = random.Random(5), stream(7, "test"), stream(8, "test")
    differed = told = 0
    for _ in range(PLIES):
        if state.is_terminal:
            break
        seat = generator.randrange(state.game.num_players)
        other = state.determinize(seat, worlds)
        differed += other.array.tobytes() != state.array.tobytes()
        assert sent(other, seat) == sent(state, seat)
        before = state.copy()
        if state.is_chance:
            state.apply_chance(rng)
        else:
            # What leads to hidden cards is taken more often.
            texts = {state.action_text(action): action for action in state.legal_actions}
            wanted = [one for word, one in texts.items() if word.startswith(("buy", "attack", "knight", "trade", "to"))]
            state.apply(generator.choice(wanted if wanted and generator.random() < 0.7 else list(texts.values())))
        action = state.history[-1]
        line = happened(before, action, state, (seat,))
        if before.observed(action, seat) == action and not other.is_chance and other.is_legal(action):
            other.apply(action)
            assert happened(before, action, other, (seat,)) == line
            told += 1
    assert differed > PLIES / 10
    assert told > PLIES / 10


def test_nobody_who_plays_is_told_the_seed(site):
    """From the seed all cards and dice follow."""
    begun = site.play(game="catan", seats=[{}, {}], options={"players": "2"}, pace=0)
    assert set(begun) == {"seats", "watch"}
    for key in (*begun["seats"], begun["watch"]):
        with site.client.websocket_connect(f"/room/{key}", headers=HEADERS) as socket:
            assert '"seed":null' in socket.receive_text()


def test_agents_that_see_everything_tell_nothing(site, monkeypatch):
    """Whoever asks an agent that looks at the true state is told what it thinks of one that could be."""
    asked_about = []

    def analysing(agent, state, ply, seconds):
        asked_about.append(state)
        raise ValueError("that is enough")

    monkeypatch.setattr(room, "Analysing", analysing)
    options = {"players": "3", "rules": "war-grow", "setup": "dealt"}
    begun = site.play(game="risk", seats=[{}, {}, {"agent": "random"}], options=options, seed=1, pace=0)
    with site.seat(begun["seats"][0]) as first, site.seat(begun["seats"][1]) as second:
        mover = first if first.until(lambda it: it.get("player", -1) >= 0)["player"] == 0 else second
        position = mover.turn()
        mover.send("analyse", ply=position["ply"], agent="uct:20:cheat=true", seconds=0.1)
        assert mover.until(lambda it: it["done"], "analysis")["failed"] == "that is enough"
    (state,) = asked_about
    table = next(iter(site.client.app._app.state.lobby._entered))
    true = table.line.state(position["ply"])
    assert state.array.tobytes() == known(true, true.player).array.tobytes()
    assert state.array.tobytes() != true.array.tobytes()
