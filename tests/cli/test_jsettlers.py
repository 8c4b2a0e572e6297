import socket

from oponente.cli import jsettlers


def test_without_a_server_no_agent_is_made_ready(run, monkeypatch):
    def load_agent(*_):
        raise AssertionError("an agent was loaded")

    monkeypatch.setattr(jsettlers, "load_agent", load_agent)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    status, _, error = run("jsettlers", "--port", port, "--cookie", "x", "--agent", "random", "--reconnects", 1)
    assert status == 2
    last = error.splitlines()[-1]
    assert f":{port}: " in last
    assert "is a server running there?" in last
