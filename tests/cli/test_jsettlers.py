import socket

import pytest

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


@pytest.mark.parametrize("option", ["--cookie", "--nickname"])
@pytest.mark.parametrize("word", ["a,b", "a|b", "a\nb", "x" * 101])
def test_a_word_that_no_message_can_hold_is_refused(run, option, word):
    status, _, error = run("jsettlers", option, word, "--agent", "random", "--reconnects", 1)
    assert status == 2
    assert error == f"oponente: {option}: expected at most 100 printable characters, without , and |"


def test_a_host_that_can_not_be_one_is_told_in_one_line(run):
    status, _, error = run("jsettlers", "--host", "a..b", "--agent", "random")
    assert (status, error) == (2, "oponente: host a..b: expected a name or an address")
