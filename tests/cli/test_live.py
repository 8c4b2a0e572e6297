"""`oponente play --live`: a game that goes on by itself, on a terminal of its own."""

import os
import re
import select
import sys
import time

import pytest

from oponente.cli.main import main

pty = pytest.importorskip("pty")
LONGEST = 600.0
"""Seconds after which the test gives up: compiling is part of it."""
PAUSE = 1.0
"""Seconds between keys."""
RIGHT = b"\x1bOC"


@pytest.fixture
def terminal():
    """Return a function that plays on a terminal, and presses keys: the first once the game is shown, others later."""

    def call(keys, *arguments):
        child, place = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm", LINES="24", COLUMNS="80")
            os.execv(sys.executable, [sys.executable, "-m", "oponente", "play", *map(str, arguments)])
        shown, waiting, begin = b"", list(keys), time.monotonic()
        due = None
        while time.monotonic() - begin < LONGEST:
            if select.select([place], [], [], 0.05)[0]:
                try:
                    shown += os.read(place, 65536)
                except OSError:  # the other end is closed
                    break
            if due is None and b"p pauses, q leaves" in shown:
                due = time.monotonic()
            if due is not None and waiting and time.monotonic() >= due:
                os.write(place, waiting.pop(0))
                due = time.monotonic() + PAUSE
        os.close(place)
        return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return call


def played(shown):
    """Return the actions of the game that was left."""
    assert "player 1 has left; the game ends here." in shown
    return re.search(r"for draw and analyse: .*'(.*)'", shown)[1].split()


def test_keys_steer_and_the_game_goes_on_without_them(terminal):
    shown, status = terminal([RIGHT, b"q"], "vgdl:harvest", "human", "--live", "--rate", 20)
    assert status == 0
    assert "RIGHT" in played(shown)
    assert played(shown).count("NIL") >= 5


def test_nothing_happens_in_a_pause(terminal):
    keys = [RIGHT, b"p", b"", b"", b"", b"pq"]
    shown, _ = terminal(keys, "vgdl", "--option", "game=harvest", "--live", "--rate", 20)
    assert "paused" in shown
    assert len(played(shown)) < 60  # four seconds of pause would have been 80


def test_two_people_at_a_keyboard(terminal):
    """The second one has other keys than the first."""
    keys = [RIGHT + b"w", RIGHT + b"w", b"q"]
    shown, status = terminal(keys, "vgdl", "human", "human", "--option", "game=lancers", "--live", "--rate", 5)
    assert status == 0
    actions = played(shown)
    assert "RIGHT" in actions[::2]
    assert "UP" in actions[1::2]
    assert "UP" not in actions[::2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["connect4", "--live"], "connect4 is no game that goes on by itself: leave out --live"),
        (["vgdl", "--live"], "--live needs a terminal"),
        (["vgdl", "--rate", "5"], "--rate is for games that do not wait: give --live too"),
    ],
)
def test_mistakes_are_one_line(arguments, said, capfd):
    with pytest.raises(SystemExit) as ended:
        main(["play", *arguments])
    err = capfd.readouterr().err
    assert ended.value.code == 2
    assert said in err
    assert err.count("\n") == 1
