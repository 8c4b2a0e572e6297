"""Games against the robots of a real server, where the environment gives one: nothing may be refused or differ."""

import pytest

from oponente.games.catalogue import load_game, make_agent
from oponente.interop.jsettlers.client import Client, ClientSettings
from oponente.interop.jsettlers.conform import conform
from oponente.interop.jsettlers.given import COOKIE, HOST, PORT, WANTED, given_server
from oponente.interop.jsettlers.results import statistics

needs_server = pytest.mark.skipif(given_server() is None, reason=f"no JSettlers server: {WANTED}")


@needs_server
@pytest.mark.parametrize("spec", ["random", "value:weights=learned,trades=true"])
def test_games_are_clean(spec, tmp_path):
    server, transcript = given_server(), tmp_path / "games.jsonl"
    settings = ClientSettings(
        server.host, server.port, server.cookie, games=2, idle_seconds=120, transcript=str(transcript)
    )
    game = load_game("catan", {"preset": "jsettlers"})
    results = Client(settings, lambda: make_agent(spec, game)).run()
    found = statistics(results)
    assert (found["games"], found["lost"]) == (2, 0)
    troubles = ("refused", "forced", "unanswered", "forfeits", "differences")
    assert [found[name] for name in troubles] == [0] * len(troubles)
    again = conform(transcript)
    assert (again["differences"], again["first_differences"]) == (0, [])
    assert again["checks"]["final_points"] > 0


def test_a_server_is_given_by_the_environment(monkeypatch):
    for name in (HOST, PORT, COOKIE):
        monkeypatch.delenv(name, raising=False)
    assert given_server() is None
    monkeypatch.setenv(COOKIE, "sesame42")
    server = given_server()
    assert (server.host, server.port, server.cookie) == ("127.0.0.1", 8880, "sesame42")
    assert "sesame42" not in repr(server)
    monkeypatch.setenv(HOST, "::1")
    monkeypatch.setenv(PORT, "8881")
    assert str(given_server()) == "::1:8881"
    # As on the command line, what is set to nothing is not set.
    monkeypatch.setenv(HOST, "")
    monkeypatch.setenv(PORT, "")
    assert str(given_server()) == "127.0.0.1:8880"
    for port in ("0", "x", "65536", "²", "9" * 5000):
        monkeypatch.setenv(PORT, port)
        with pytest.raises(ValueError, match="expected a port"):
            given_server()
    monkeypatch.delenv(PORT)
    monkeypatch.setenv(COOKIE, "secret,1")
    with pytest.raises(ValueError, match=f"{COOKIE}: expected at most") as caught:
        given_server()
    assert "secret" not in str(caught.value)
