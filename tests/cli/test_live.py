"""`oponente play --live`: a game that goes on by itself, on a terminal of its own."""

import os
import re
import select
import sys
import time
from pathlib import Path

import pytest

import toy_games
from oponente.agents.basic import HumanAgent, Resigned
from oponente.arena.play import Course
from oponente.cli.live import _Live, fitted
from oponente.cli.main import main
from oponente.games.catalogue import load_game

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


class Screen:
    """What is written on a terminal of a size."""

    def __init__(self, height, width):
        self.size, self.lines = (height, width), {}

    def getmaxyx(self):
        return self.size

    def erase(self):
        self.lines = {}

    def insnstr(self, row, column, text, width):
        assert (column, width) == (0, self.size[1])
        assert row < self.size[0]
        assert len(text) <= width
        self.lines[row] = text

    def refresh(self):
        pass


def drawn(game, height, width):
    """Return the lines that a person is shown of the start of a game."""
    people = [HumanAgent() for _ in range(game.num_players)]
    screen = Screen(height, width)
    _Live(screen, Course(game.start(1)), people, 1, [{}] * len(people), 10.0, None)._draw()
    return [screen.lines.get(row, "") for row in range(height)]


@pytest.mark.parametrize(("height", "width"), [(13, 80), (12, 80), (6, 80), (4, 80), (13, 9), (5, 7), (3, 18)])
def test_a_small_terminal_shows_how_the_game_stands_and_the_part_around_the_avatar(height, width):
    lines = drawn(load_game("vgdl", {"game": "harvest", "level": "1"}), height, width)
    assert any("@" in line for line in lines)
    assert any(line.startswith("tick 0;") for line in lines)
    assert "".join(lines).endswith("p pauses, q leaves"[:width])


def test_a_very_small_terminal_shows_how_the_game_stands():
    game = load_game("vgdl", {"game": "harvest"})
    assert drawn(game, 2, 40) == ["tick 0; score 0", "p pauses, q leaves"]
    assert drawn(game, 1, 40) == ["tick 0; score 0"]


def test_both_of_two_people_are_shown_where_there_is_room():
    game = load_game("vgdl", {"game": "lancers"})
    rows = game.start(1).text().split("\n")
    where = {who: number for who in "12" for number, row in enumerate(rows[:-1]) if who in row}
    assert where["1"] != where["2"]
    span = abs(where["1"] - where["2"]) + 1
    for height in (span + 2, span + 3):
        assert {"1", "2"} <= set("".join(drawn(game, height, 200)[:-2]))
    assert "1" in "".join(drawn(game, span + 1, 200)[:-2]), "the first, where there is no room for both"


def test_what_does_not_fit_is_left_out_on_both_sides():
    text = "\n".join(["abcdef"] * 9 + ["long line of the game"])
    assert fitted(text, "below", 5, 3, [(3, 4)]) == ["cde", "cde", "cde", "lon", "bel"]
    assert fitted(text, "below", 4, 30, [(3, 8)]) == ["abcdef", "abcdef", "long line of the game", "below"]
    assert fitted(text, "below", 9, 10)[-4:] == ["long line", "of the", "game", "below"]
    assert fitted("only", "below", 9, 10) == ["only", "below"]


class Keyboard(Screen):
    """A terminal where q is pressed once it was drawn so many times."""

    def __init__(self, drawings):
        super().__init__(24, 80)
        self.drawings = drawings

    def refresh(self):
        self.drawings -= 1

    def timeout(self, milliseconds):
        pass

    def getch(self):
        return ord("q") if self.drawings == 0 else -1


def test_a_game_may_begin_with_a_die_and_ask_one_player_again_and_again(tmp_path, monkeypatch):
    monkeypatch.setattr("curses.keyname", lambda code: bytes([code]))  # which needs a terminal
    toy = Path(toy_games.__file__).with_name("pig.py").read_text()
    (tmp_path / "pig.py").write_text(f"{toy}\n\nFRAME_MS, KEYS, IDLE = 20, {{}}, ROLL\n")
    game = load_game("pig", file=str(tmp_path / "pig.py"))
    state = game.start(1)
    state.apply(state.game.text.IDLE)
    assert state.is_chance
    course, people = Course(state), [HumanAgent() for _ in range(game.num_players)]
    with pytest.raises(Resigned, match="player 1 has left"):
        _Live(Keyboard(5), course, people, 1, [{}] * len(people), 1000.0, None).run()
    assert len(state.history) > 5


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
