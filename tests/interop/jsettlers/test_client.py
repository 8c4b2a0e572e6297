"""The client on a server that replays recorded games, and on one that does not behave."""

import asyncio
import json
import socket
import threading
import time
from types import SimpleNamespace

import pytest

from oponente.arena import StorageError, Store, load_recording
from oponente.games.catan.agents import RandomAgent
from oponente.interop.jsettlers import client as client_module
from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.client import Client, ClientError, ClientSettings, RefusedError
from oponente.interop.jsettlers.message import parse
from oponente.interop.jsettlers.results import from_json, keep, statistics, to_json
from oponente.interop.jsettlers.session import Invitation, Leave
from oponente.interop.jsettlers.transcript import read_transcript
from oponente.interop.jsettlers.wire import Decoder, encode
from oponente.kernel.clock import DEADLINE
from tests.interop.jsettlers.helpers import FOLDER
from tests.interop.jsettlers.scripted import Script, ScriptedAgent, scripted_seat
from tests.interop.jsettlers.server import ScriptedServer


def play_script(name, monkeypatch):
    with ScriptedServer(FOLDER / name) as server:
        script = Script(server.entries)
        results = play_on(server, script, ScriptedAgent, monkeypatch)
    return server, script, results


def play_on(server, script, agent, monkeypatch, finished=lambda result: None, **given):
    monkeypatch.setattr(client_module, "Seat", scripted_seat(script))
    settings = ClientSettings(
        port=server.port, cookie="tasty", nickname="pybot", robot_class="research.RandomBot", max_offers=100,
        answer_seconds=10.0, silence_seconds=10.0, idle_seconds=10.0, reconnects=1, **given,
    )  # fmt: skip
    return Client(settings, lambda: agent(script), finished).run()


@pytest.mark.parametrize(
    ("name", "scores", "place"),
    [("client-1.jsonl.gz", (3, 7, 9, 10), 0), ("client-2.jsonl.gz", (8, 3, 10, 6), 1)],
)
def test_a_recorded_game_is_played_byte_for_byte(name, scores, place, monkeypatch, tmp_path):
    server, script, results = play_script(name, monkeypatch)
    assert server.problems == []
    assert server.compared == sum(not entry.incoming for entry in server.entries)
    assert script.at == len(script.places)
    (result,) = results
    assert (result.status, result.differences) == ("played", ())
    assert (result.refused, result.forced, result.unanswered, result.forfeits) == (0, 0, 0, 0)
    first = result.nicknames.index("pybot")
    assert [int(row["points"]) for row in result.facts][first] == scores[place]
    assert sorted(int(row["points"]) for row in result.facts) == sorted(scores)
    # Our player has heard how it ended.
    returns = tuple(1.0 if seat == result.winner else -1.0 for seat in range(4))
    assert script.heard == [("begin", first), ("end", returns, ""), "close"]
    report = statistics(results)
    assert (report["games"], report["agent"]["wins"], report["opponents"]["wins"]) == (1, 0, 1)
    # The game is one by our rules: it is kept, and replayed.
    with Store(tmp_path / "games.db") as store:
        match = keep(store, result, "random", 1)
    state = load_recording(tmp_path / "games.db", match=match).final_state()
    assert state.is_terminal
    assert [int(points) for points in state.record.points + state.record.cards[:, 4]] == [
        int(row["points"]) for row in result.facts
    ]


def test_what_has_come_before_the_connection_is_lost_counts(monkeypatch):
    # While our player thinks, the server plays the game to its end, and closes the connection.
    path = FOLDER / "client-1.jsonl.gz"
    last = max(entry.line for entry in read_transcript(path) if not entry.incoming)
    with ScriptedServer(path, unawaited=last) as server:
        script = Script(server.entries)

        class Slow(ScriptedAgent):
            def choose(self, view, budget):
                action = super().choose(view, budget)
                if script.at == len(script.places):
                    server.go_on.set()
                    server.join()
                return action

        (result,) = play_on(server, script, Slow, monkeypatch)
    assert server.problems == []
    assert script.at == len(script.places)
    assert (result.status, result.differences) == ("played", ())


def test_a_game_that_is_left_at_the_limit_of_turns_is_shared_by_all(monkeypatch):
    with ScriptedServer(FOLDER / "client-1.jsonl.gz") as server:
        script = Script(server.entries)
        (result,) = play_on(server, script, ScriptedAgent, monkeypatch, max_turns=12)
    assert (result.status, result.winner) == ("capped", None)
    assert script.heard == [("begin", result.seat), ("end", (-0.5,) * 4, "after 12 turns"), "close"]


def test_who_hears_of_no_end_of_a_lost_game_is_closed_with_the_run(monkeypatch):
    with ScriptedServer(FOLDER / "client-1.jsonl.gz") as server:
        script = Script(server.entries)
        del server.entries[len(server.entries) // 2 :]
        with pytest.raises(ClientError):
            play_on(server, script, ScriptedAgent, monkeypatch)
    assert [heard if heard == "close" else heard[0] for heard in script.heard] == ["begin", "close"]


def test_games_at_a_time_have_clocks_of_their_own():
    client = Client(ClientSettings(), RandomAgent)
    connection = client_module._Connection(client, None)
    invitations = [Invitation(game, 0, "-") for game in "ab"]
    tables = [client_module._Table(connection, invitation) for invitation in invitations]
    tables[0].control.start(100.0)
    assert tables[1].control.array[DEADLINE] == 0
    client.control.stop()
    assert all(table.control.stopped for table in tables)


def test_a_game_that_can_not_be_told_is_lost_and_its_agent_free(monkeypatch):
    monkeypatch.setattr(client_module, "result_of", lambda *_: 1 // 0)
    heard = []
    client = Client(ClientSettings(), RandomAgent, heard.append)
    table = client_module._Table(client_module._Connection(client, None), Invitation("a game", 0, "-"))
    table._finish("played")
    table._finish("lost", "later")
    (result,) = client.results
    assert heard == [result]
    assert (result.game, result.status) == ("a game", "lost")
    assert result.reason.startswith("ZeroDivisionError: ")
    assert statistics([result])["lost"] == client.lost_in_a_row == 1
    assert from_json(json.loads(json.dumps(to_json(result)))) == result
    assert client.take_agent() is table.agent


def fail_to_keep(error):
    def finished(result):
        raise error

    return finished


@pytest.mark.parametrize(
    ("games", "error"), [(1, StorageError("games.db: database or disk is full")), (2, OSError("no space left"))]
)
def test_a_game_that_can_not_be_kept_ends_the_run(games, error, monkeypatch):
    with ScriptedServer(FOLDER / "client-1.jsonl.gz") as server, pytest.raises(type(error)) as caught:
        play_on(server, Script(server.entries), ScriptedAgent, monkeypatch, fail_to_keep(error), games=games)
    assert caught.value is error
    assert server.problems == []


def test_a_lost_game_that_can_not_be_kept_ends_the_run():
    error = StorageError("games.db: database is locked")
    server = Server([WELCOME, "1023|a game,0,-"])
    settings = ClientSettings(port=server.port, silence_seconds=0.1, idle_seconds=1.0, reconnects=2)
    client = Client(settings, RandomAgent, fail_to_keep(error))
    with pytest.raises(StorageError) as caught:
        client.run()
    server.listener.close()
    assert caught.value is error
    assert server.connections == 1


@pytest.mark.parametrize("error", [StorageError("games.db: database is locked"), OSError("no space left")])
def test_games_that_go_on_are_left_when_another_can_not_be_kept(error, monkeypatch):
    class LosesAnother(client_module.Seat):
        def opening(self):
            return super().opening() if self.game == "a game" else 1 // 0

    monkeypatch.setattr(client_module, "Seat", LosesAnother)
    server = Server([WELCOME, "1023|a game,0,-", "1023|another,1,-"])
    settings = ClientSettings(port=server.port, games=2, parallel=2, silence_seconds=10.0, reconnects=1)
    client = Client(settings, RandomAgent, fail_to_keep(error))
    with pytest.raises(type(error)) as caught:
        client.run()
    server.listener.close()
    assert caught.value is error
    assert server.ended.wait(5)
    assert [message.game for text in server.heard if isinstance(message := parse(text), Leave)] == ["another", "a game"]


def test_a_transcript_that_can_not_be_written_ends_the_run(monkeypatch):
    with (
        ScriptedServer(FOLDER / "client-1.jsonl.gz") as server,
        pytest.raises(OSError, match="No space left") as caught,
    ):
        play_on(server, Script(server.entries), ScriptedAgent, monkeypatch, transcript="/dev/full")
    assert caught.value.filename == "/dev/full"


class Server(threading.Thread):
    """Says the same to every client, after the client's first two messages, and closes the connection.

    Args:
        texts: what it says; of lists, the first to the first client and so on, the last one to all more.
        chatter: what it says again and again then, until the client leaves.
    """

    def __init__(self, texts, chatter=()):
        super().__init__(daemon=True)
        self.texts, self.chatter, self.heard, self.connections = texts, chatter, [], 0
        self.ended = threading.Event()  # once a connection has
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                connection.settimeout(5)
                decoder, heard = Decoder(), []
                while len(heard) < 2:
                    heard += decoder.feed(connection.recv(1000))
                texts = self.texts
                if texts and isinstance(texts[0], list):
                    texts = texts[min(self.connections, len(texts)) - 1]
                for text in texts:
                    connection.sendall(encode(text))
                try:
                    while self.chatter:
                        for text in self.chatter:
                            connection.sendall(encode(text))
                        time.sleep(0.05)
                    while data := connection.recv(1000):
                        heard += decoder.feed(data)
                        if heard[-1].startswith("9999"):
                            break
                except OSError:
                    pass
                self.heard = heard
                self.ended.set()


PING, IN_USE = "9999|150000", "1059|Somebody with that nickname is in use"
WELCOME = "1071|120,35,0.13,1.0,1.0,3.0,1.0,1,1"


def run_against(texts, chatter=(), **settings):
    server = Server(texts, chatter)
    wanted = {"retry_seconds": 0.01, "reconnects": 3, "idle_seconds": 1.0, "answer_seconds": 2.0, **settings}
    client = Client(ClientSettings(port=server.port, **wanted), RandomAgent)
    with pytest.raises(ClientError) as caught:
        client.run()
    server.listener.close()
    return server, client, caught


def test_a_refused_robot_says_why_and_does_not_try_again():
    server, _, caught = run_against(["1059|Your cookie is wrong"])
    assert isinstance(caught.value, RefusedError)
    assert "Your cookie is wrong" in str(caught.value)
    assert server.connections == 1


def test_who_was_let_in_tries_again_while_the_server_has_not_noticed_that_the_connection_is_lost():
    server, client, caught = run_against([[WELCOME, PING], [IN_USE], [IN_USE], [WELCOME, PING], [IN_USE]], reconnects=5)
    assert (server.connections, client.made) == (5, 2)
    assert not isinstance(caught.value, RefusedError)
    assert "is in use; 0 of 1 games are finished" in str(caught.value)


def test_a_connection_is_closed_though_nothing_more_goes_out(monkeypatch):
    monkeypatch.setattr(client_module, "CLOSE_SECONDS", 0.1)

    async def close_full():
        with socket.create_server(("127.0.0.1", 0)) as listener:
            connection = client_module._Connection(Client(ClientSettings(), RandomAgent), None)
            _, connection._writer = await asyncio.open_connection(*listener.getsockname())
            connection._writer.write(bytes(1 << 24))  # nobody reads it
            await connection._close()
            await asyncio.sleep(0)
            return connection._writer.get_extra_info("socket").fileno()

    assert asyncio.run(close_full()) == -1


def test_a_server_that_is_too_old_is_told():
    _, _, caught = run_against(["1019|a game"])
    assert "2.5 or later" in str(caught.value)


def test_pings_are_answered_and_a_lost_connection_is_made_anew():
    server, client, caught = run_against([WELCOME, "9999|150000"])
    assert server.heard[-1] == "9999|150000"
    assert server.connections == client.made == 3
    assert "0 of 1 games" in str(caught.value)


def test_waiting_for_an_invitation_has_a_limit():
    _, _, caught = run_against([WELCOME])
    assert "no invitation within 1 s" in str(caught.value)


def test_without_a_server_the_tries_have_a_limit():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ClientError, match=f"127.0.0.1:{port}: Connection refused; 0 of 1 games"):
        Client(ClientSettings(port=port, reconnects=2, retry_seconds=0.01), RandomAgent).run()


def test_spare_agents_play_first_and_all_are_closed_with_the_run(monkeypatch):
    closed = []

    def close(agent):
        closed.append(agent)

    monkeypatch.setattr(RandomAgent, "close", close)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    spare = RandomAgent()
    client = Client(ClientSettings(port=port, reconnects=1), RandomAgent, spare=[spare])
    taken = [client.take_agent() for _ in range(2)]
    assert taken[0] is spare
    with pytest.raises(ClientError):
        client.run()
    assert closed == taken


@pytest.mark.parametrize(
    ("texts", "chatter", "told"),
    [
        ([], ["9999|1"], "no welcome within 2 s"),
        ([WELCOME], ["9999|1", WELCOME, "1079|a game,1,-"], "no invitation within 1 s"),
        ([WELCOME, "1023|a game,0,-"], ["1091|a game\x01Hello"], "no invitation within 1 s"),
    ],
)
def test_waits_have_a_limit_whatever_is_said_meanwhile(texts, chatter, told):
    began = time.monotonic()
    _, client, caught = run_against(texts, chatter, silence_seconds=1.0)
    assert told in str(caught.value)
    assert time.monotonic() - began < 10
    assert [result.reason for result in client.results] == ["silence"] * (len(texts) - 1)


def test_who_loses_every_game_gives_up():
    # Seat 4 is none.
    _, client, caught = run_against([WELCOME], ["1023|a game,4,-", "1017|a game,somebody"])
    assert "20 games one after another were lost" in str(caught.value)
    assert sum(result.reason == "the mirror has lost the game" for result in client.results) == 20
    assert client.made == 1


def test_a_request_without_an_answer_is_not_the_end_of_a_game():
    client = Client(ClientSettings(answer_seconds=0.05), RandomAgent)
    sent = []
    connection = SimpleNamespace(client=client, settings=client.settings, send=sent.extend, tables={}, pool=None)
    table = client_module._Table(connection, Invitation("a game", 0, "-"))

    def ask_again():
        if table.seat.request is None:
            table.seat._send(play.EndTurn("a game"))

    async def think():
        ask_again()

    table._think = think
    ask_again()
    asyncio.run(table.play())
    assert table.seat.account.unanswered == client_module.MAX_OVERDUE - 1
    assert [result.reason for result in client.results] == ["silence"]
    assert isinstance(sent[-1], Leave)


def test_what_a_server_says_is_told_in_one_line():
    _, _, caught = run_against(["1059|no\nway\x1b[31m"])
    assert str(caught.value).endswith(r"no\nway\x1b[31m")


@pytest.mark.parametrize("host", ["x" * 70, "a..b", "\udcff"])
def test_a_host_that_can_not_be_one_is_told(host):
    with pytest.raises(ClientError, match="expected a name or an address"):
        client_module.await_server(ClientSettings(host=host))
