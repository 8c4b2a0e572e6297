"""The client on a server that replays recorded games, and on one that does not behave."""

import socket
import threading

import pytest

from oponente.arena import Store, load_recording
from oponente.games.catan.agents import RandomAgent
from oponente.interop.jsettlers import client as client_module
from oponente.interop.jsettlers.client import Client, ClientError, ClientSettings, RefusedError
from oponente.interop.jsettlers.results import keep, statistics
from oponente.interop.jsettlers.session import Invitation
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


def play_on(server, script, agent, monkeypatch):
    monkeypatch.setattr(client_module, "Seat", scripted_seat(script))
    settings = ClientSettings(
        port=server.port, cookie="tasty", nickname="pybot", robot_class="research.RandomBot", max_offers=100,
        answer_seconds=10.0, silence_seconds=10.0, idle_seconds=10.0, reconnects=1,
    )  # fmt: skip
    return Client(settings, lambda: agent(script)).run()


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


def test_games_at_a_time_have_clocks_of_their_own():
    client = Client(ClientSettings(), RandomAgent)
    connection = client_module._Connection(client, None)
    invitations = [Invitation(game, 0, "-") for game in "ab"]
    tables = [client_module._Table(connection, invitation) for invitation in invitations]
    tables[0].control.start(100.0)
    assert tables[1].control.array[DEADLINE] == 0
    client.control.stop()
    assert all(table.control.stopped for table in tables)


class Server(threading.Thread):
    """Says the same to every client, after the client's first two messages, and closes the connection."""

    def __init__(self, texts):
        super().__init__(daemon=True)
        self.texts, self.heard, self.connections = texts, [], 0
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
                for text in self.texts:
                    connection.sendall(encode(text))
                try:
                    while data := connection.recv(1000):
                        heard += decoder.feed(data)
                        if heard[-1].startswith("9999"):
                            break
                except OSError:
                    pass
                self.heard = heard


WELCOME = "1071|120,35,0.13,1.0,1.0,3.0,1.0,1,1"


def run_against(texts, **settings):
    server = Server(texts)
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
