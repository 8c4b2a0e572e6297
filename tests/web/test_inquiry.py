"""Where a game was decided, and how asking about it ends."""

import asyncio
import threading

import pytest

from oponente.games.catalogue import load_game, make_agent
from oponente.search.analysis import Analysis
from oponente.web import inquiry as inquiries
from oponente.web.inquiry import Analysing, Swings, key_moments
from oponente.web.line import Line
from web.helpers import run


def test_moments_are_where_the_values_change_for_good():
    values = [0.5, 0.52, 0.48, 0.5, 0.9, 0.92, 0.88, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1]
    curve = [(2 * ply, [value, 1 - value]) for ply, value in enumerate(values)]
    first, second, *_ = key_moments(curve)
    assert (first["ply"], first["before"], first["seat"]) == (18, 16, 1)
    assert (second["ply"], second["before"], second["seat"]) == (8, 6, 0)
    assert abs(first["swing"] - 0.79) < 0.02


def test_a_single_wrong_value_is_no_moment():
    noisy = [0.5] * 5 + [0.8] + [0.5] * 5 + [0.2] * 5
    assert key_moments([(ply, [value]) for ply, value in enumerate(noisy)])[0]["ply"] == 11


def test_there_may_be_none():
    assert key_moments([]) == []
    assert key_moments([(0, [0.5, 0.5])]) == []
    assert key_moments([(ply, [0.5, 0.5]) for ply in range(9)]) == []


@pytest.mark.parametrize("stopped", ["before", "while it fails"])
def test_who_asks_is_always_told_the_end(stopped, monkeypatch):
    game = load_game("tictactoe")
    inquiry = Analysing(make_agent("uct:5", game), game.start(), 0, 0.1)

    def think(post):
        inquiry.stop()
        raise RuntimeError("it has no answer yet")

    monkeypatch.setattr(inquiry, "think", think)
    if stopped == "before":
        inquiry.stop()

    async def ask():
        told = asyncio.Queue()
        inquiry.begin(told.put_nowait)
        return await told.get(), await told.get()

    begun, ended = run(asyncio.wait_for(ask(), 120))
    assert begun["preparing"]
    assert ended == {"type": "analysis", "done": True, **inquiry.place()}


@pytest.mark.parametrize(
    ("values", "last"),
    [
        (
            (),
            {
                "done": True,
                "failed": "value does not tell what players can expect; ask a tree search, such as uct:time=5",
            },
        ),
        ((0.5, 0.5), {"done": True, "curve": [(0, [0.5, 0.5])], "moments": [], "chances": False}),
        (None, {"done": True, "curve": [], "moments": [], "chances": False}),  # stopped before the first answer
    ],
)
def test_an_agent_that_tells_no_values_finds_no_moments_and_says_so(values, last):
    game = load_game("catan", {"players": "2"})
    state = game.start(3)
    line = Line(state)
    state.apply(state.legal_actions[0])
    line.append(state)
    swings, told = Swings(make_agent("value", game), line), []
    swings.ask = lambda state, seconds: None if values is None else Analysis(0, values)
    swings.agent.prepare = lambda game: None
    inquiries._places.acquire()
    swings._run(told.append)
    assert told[-1] == {"type": "moments", **last}


def test_an_agent_that_raises_at_the_end_keeps_no_place(monkeypatch, capsys):
    monkeypatch.setattr(inquiries, "_places", threading.BoundedSemaphore(1))
    game = load_game("tictactoe")

    def agent():
        made = make_agent("uct:5", game)
        monkeypatch.setattr(made, "close", lambda: 1 / 0)
        return made

    async def ask():
        told = asyncio.Queue()
        inquiry = Analysing(agent(), game.start(), 0, 0.1)
        inquiry.stop()
        inquiry.begin(told.put_nowait)
        while not (await told.get()).get("done"):
            pass
        while not inquiries._places.acquire(blocking=False):
            await asyncio.sleep(0.01)
        # A refusal stays what it is, whatever the agent raises.
        with pytest.raises(ValueError, match="too many analyses"):
            Analysing(agent(), game.start(), 0, 0.1).begin(told.put_nowait)

    run(asyncio.wait_for(ask(), 120))
    assert capsys.readouterr().err.count("raised ZeroDivisionError at the end") == 2
