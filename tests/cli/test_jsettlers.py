import socket

import pytest

from oponente.agents.base import Agent
from oponente.arena import StorageError
from oponente.cli import jsettlers
from oponente.interop.jsettlers import client, session
from tests.interop.jsettlers.helpers import FOLDER
from tests.interop.jsettlers.scripted import Script, ScriptedAgent, scripted_seat
from tests.interop.jsettlers.server import ScriptedServer


def test_without_a_server_no_agent_is_made_ready(run, monkeypatch):
    def prepare(*_):
        raise AssertionError("an agent was made ready")

    monkeypatch.setattr(Agent, "prepare", prepare)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    status, _, error = run("jsettlers", "--port", port, "--cookie", "x", "--agent", "random", "--reconnects", 1)
    assert status == 2
    last = error.splitlines()[-1]
    assert f":{port}: " in last
    assert "is a server running there?" in last


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--agent", "nobody", "there is no agent 'nobody'; "),
        ("--out", "missing/games.db", "there is no folder missing"),
        ("--port", "abc", "'abc': expected a whole number, at least 1, at most 65535"),
        ("--offer-seconds", "long", "'long': expected a number, at least 0.1, at most 3600"),
    ],
)
def test_mistakes_are_told_before_a_server_is_asked(run, monkeypatch, option, value, told):
    def await_server(_):
        raise AssertionError("a server was asked")

    monkeypatch.setattr(jsettlers, "await_server", await_server)
    status, _, error = run("jsettlers", "--agent", "random", option, value)
    assert status == 2
    assert told in error
    assert error.count("\n") == 0


@pytest.mark.parametrize("option", ["--cookie", "--nickname"])
@pytest.mark.parametrize("word", ["a,b", "a|b", "a\nb", "x" * 101])
def test_a_word_that_no_message_can_hold_is_refused(run, option, word):
    status, _, error = run("jsettlers", option, word, "--agent", "random", "--reconnects", 1)
    assert status == 2
    assert error == f"oponente: {option}: expected at most 100 printable characters, without , and |"


def test_a_host_that_can_not_be_one_is_told_in_one_line(run):
    status, _, error = run("jsettlers", "--host", "a..b", "--agent", "random")
    assert (status, error) == (2, "oponente: host a..b: expected a name or an address")


def test_a_game_that_can_not_be_kept_is_told(run, monkeypatch):
    def keep(*_):
        raise StorageError("games.db: database or disk is full")

    monkeypatch.setattr(jsettlers, "keep", keep)
    monkeypatch.setattr(jsettlers, "await_server", lambda settings: None)
    with ScriptedServer(FOLDER / "client-1.jsonl.gz") as server:
        # What was said before, the recorded client has said with other words than ours.
        first = next(at for at, entry in enumerate(server.entries) if isinstance(entry.message, session.Invitation))
        server.entries = server.entries[first:]
        script = Script(server.entries)
        monkeypatch.setattr(jsettlers, "seat_agent", lambda *_: ScriptedAgent(script))
        monkeypatch.setattr(client, "Seat", scripted_seat(script))
        status, out, error = run("jsettlers", "--port", server.port, "--nickname", "pybot", "--max-offers", 100)
    assert (status, error) == (2, "oponente: games.db: database or disk is full")
    assert out.startswith("1 games on ")
