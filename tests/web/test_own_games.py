"""Games and agents of a user's own, which the server was started with."""

import asyncio
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import toy_games
from oponente.arena.match import MatchSpec
from oponente.arena.play import play_game
from oponente.arena.replay import load_recording
from oponente.games.catalogue import GameSpec
from oponente.web import lobby, table
from oponente.web.app import create_app
from oponente.web.forms import Menu
from oponente.web.messages import Act, NewGame, NewSeat, Resign, TakeBack
from web.helpers import ORIGIN, Site, run

RULES = '''
"""Nim with one heap: take 1 to 3 stones in turn; whoever takes the last one wins."""

from dataclasses import dataclass
from typing import NamedTuple

from oponente.kernel import TERMINAL, Token, njit, option, record

NAME, PLAYERS, MAX_ACTIONS = "nim", 2, 3
State = record(("stones", "i4"), ("mover", "i4"))


@dataclass(frozen=True)
class Options:
    stones: int = option(21, low=1, high=1000, meaning="stones at the start")


class Tables(NamedTuple):
    token: Token
    stones: int


def tables(options):
    return Tables(Token(__name__), options.stones)


@njit
def initial(game, state, rng):
    state.stones = game.stones


@njit
def player(game, state):
    return state.mover if state.stones > 0 else TERMINAL


@njit
def actions(game, state, out):
    count = min(3, state.stones)
    for i in range(count):
        out[i] = i + 1
    return count


@njit
def apply(game, state, action):
    state.stones -= action
    state.mover = 1 - state.mover


@njit
def returns(game, state, out):
    out[state.mover], out[1 - state.mover] = -1.0, 1.0
'''
AGENT = '''
from oponente import Agent


class Grabber(Agent):
    """Takes all that it may."""

    name = "grabber"

    def choose(self, view, budget):
        return max(view.legal_actions)
'''

LATE = """
    def end_game(self, returns, reason):
        raise ValueError("not yet")

    def close(self):
        raise OSError("no longer there")
"""
DEAF = '''
import time
from pathlib import Path

from oponente import Agent


class Deaf(Agent):
    """Hears nothing until a file is there."""

    name = "deaf"
    closed = 0

    def choose(self, view, budget):
        while not Path(OVER).exists():
            time.sleep(0.01)
        return view.legal_actions[0]

    def close(self):
        self.closed += 1
'''


@pytest.fixture
def menu(tmp_path):
    """A menu with a game and an agent in files."""
    (tmp_path / "nim.py").write_text(RULES)
    (tmp_path / "agents.py").write_text(AGENT)
    return Menu([str(tmp_path / "nim.py")], [str(tmp_path / "agents.py")])


def test_it_is_played_kept_and_looked_at(menu, records):
    with TestClient(create_app(records, menu=menu), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        site = Site(client)
        offered = client.get("/api/games").json()["games"]
        assert offered[-1]["game"] == "nim"
        assert offered[-1]["about"].startswith("Nim with one heap")
        described = site.post("/api/describe", {"game": "nim"}, 200)
        assert [one["name"] for one in described["options"]] == ["stones"]
        assert {"grabber", "uct", "random"} <= {one["agent"] for one in described["agents"]}
        begun = site.play(game="nim", seats=[{}, {"agent": "grabber"}], options={"stones": "9"}, seed=1, pace=0)
        with site.seat(begun["seats"][0]) as seat:
            for take in "123":  # 1 and 3, 2 and 3: nothing is left to take
                if not seat.turn()["legal"]:
                    break
                seat.act(take)
            end = seat.until(lambda it: it["match"]) if not seat.position["match"] else seat.position
        assert end["returns"] == [-1.0, 1.0]
    # Once more, after a restart; without the file it is only listed.
    with TestClient(create_app(records, menu=menu), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        assert client.get("/api/records").json()["matches"][0]["can_show"]
        room = Site(client).post("/api/replay", {"match": end["match"]})["room"]
        with Site(client).seat(room) as seat:
            assert seat.until(lambda it: "svg" in it)["last"] == 4
    with TestClient(create_app(records), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        assert not client.get("/api/records").json()["matches"][0]["can_show"]
        refused = Site(client).post("/api/replay", {"match": end["match"]}, 422)
        assert "--game-file" in refused["error"]
    assert load_recording(records, 0, end["match"]).agents == ("human", "grabber")


def test_it_has_a_tournament(menu, records):
    with TestClient(create_app(records, menu=menu), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        wanted = {"game": "nim", "entrants": ["grabber", "random"], "blocks": 3}
        room = Site(client).post("/api/tournament", wanted)["room"]
        with client.websocket_connect(f"/room/{room}", headers={"origin": ORIGIN, "host": "localhost"}) as socket:
            while '"done":true' not in (told := socket.receive_text()):
                pass
    assert '"failed"' not in told
    assert '"games":6' in told


def test_what_agents_raise_at_the_end_is_noted(tmp_path, records, capsys):
    (tmp_path / "agents.py").write_text(f"{AGENT}{LATE}")
    menu = Menu((), [str(tmp_path / "agents.py")])
    with TestClient(create_app(records, menu=menu), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        site = Site(client)
        begun = site.play(game="tictactoe", seats=[{"agent": "grabber"}] * 2, seed=1, pace=0)
        with site.seat(begun["watch"]) as seat:
            assert seat.until(lambda it: it["match"])["returns"] == [1.0, -1.0]
    err = capsys.readouterr().err
    assert err.count("note: grabber raised ValueError when the game was over: not yet\n") == 2
    assert err.count("note: grabber raised OSError at the end: no longer there\n") == 2


@pytest.fixture
def deaf(tmp_path, monkeypatch):
    """A menu with an agent that ignores the stop flag; it answers once the test is over."""
    monkeypatch.setattr(table, "STOP_SECONDS", 0.1)
    over = tmp_path / "over"
    (tmp_path / "deaf.py").write_text(DEAF.replace("OVER", repr(str(over))))
    yield Menu((), [str(tmp_path / "deaf.py")])
    over.touch()


@pytest.mark.parametrize("what", ["close", "resign", "take back"])
def test_an_agent_that_never_stops_is_let_go_of(deaf, records, what):
    async def play():
        rooms = lobby.Lobby(records, deaf)
        begun = await rooms.begin(NewGame("tictactoe", [NewSeat(), NewSeat("deaf")], pace=0))
        room, seat = await rooms.find(begun["seats"][0])
        visitor = room.enter(seat)
        first = room.agents[1]
        while room.line is None or room._answer is None:
            await asyncio.sleep(0.01)
        room.handle(visitor, Act(0, 4))
        while room.thinking is None:
            await asyncio.sleep(0.01)
        if what == "resign":
            room.handle(visitor, Resign())
            while room.kept_as is None:
                await asyncio.sleep(0.01)
            assert room.returns == (-1.0, 1.0)
        elif what == "take back":
            room.handle(visitor, TakeBack())
            while room.line is None or len(room.line) or room._answer is None:
                await asyncio.sleep(0.01)
            assert type(room.agents[1]).name == "deaf"
            assert room.agents[1] is not first
            room.handle(visitor, Act(0, 0))
            while room.thinking is None:
                await asyncio.sleep(0.01)
            assert room.line.actions == [0]
        await rooms.close()
        assert not room.failed
        assert first.closed == 0  # it may not be touched while it thinks

    run(asyncio.wait_for(play(), 240))


@pytest.mark.parametrize("seats", [("random", "random", "random"), (None, "random", "random")])
def test_a_game_that_does_not_wait_may_have_dice(tmp_path, records, seats):
    rules = tmp_path / "pig.py"
    # Who is to move may be asked again and again, or the dice.
    toy = Path(toy_games.__file__).with_name("pig.py").read_text()
    rules.write_text(f"{toy}\n\nFRAME_MS, KEYS, IDLE = 20, {{}}, ROLL\n")

    async def play():
        rooms = lobby.Lobby(records, Menu([str(rules)]))
        wanted = NewGame("pig", [NewSeat(seat) for seat in seats], {"players": "3"}, seed=4, pace=0)
        begun = await rooms.begin(wanted)
        room, seat = await rooms.find(begun["seats"][0] or begun["watch"])
        room.enter(seat)
        while not (room.kept_as or room.failed):
            await asyncio.sleep(0.02)
        assert not room.failed, room.reason
        await rooms.close()
        return room

    room = run(asyncio.wait_for(play(), 240))
    assert room.reason == ""
    assert sorted(room.returns) == [-1.0, -1.0, 1.0]
    assert any(room.line.state(ply).is_chance for ply in range(len(room.line)))
    if None not in seats:  # it is the game of the match
        game = GameSpec("pig", (("players", "3"),), str(rules))
        played = play_game(MatchSpec(game, seats, games=1, seed=4, rotate=False), 0)
        assert tuple(room.line.actions) == played.actions


def test_names_are_taken_once(tmp_path):
    (tmp_path / "mine.py").write_text(RULES.replace('"nim"', '"catan"'))
    with pytest.raises(ValueError, match="already"):
        Menu([str(tmp_path / "mine.py")])
