"""Playing at the terminal a game that goes on by itself: at a steady rate, whatever is pressed.

Such a game says so in the module of its notation: ``KEYS`` has the actions of keys, by the names that curses gives
them, for one person after the other at the same keyboard, ``IDLE`` is the action of who presses none. Where it has
``place_of(state, seat)``, the column and row of a player in the text of a position, a terminal that is too small for
all of it shows the part around the persons. The last line of the text tells how the game stands, and is always shown.
"""

from __future__ import annotations

import contextlib
import curses
import sys
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from oponente.agents.base import Agent, Budget
from oponente.agents.basic import HumanAgent, Resigned
from oponente.arena.play import RESERVE, Course, begin
from oponente.kernel import Game, derive_seed, stream

PAUSE, LEAVE = "p", "q"
FIRST_SECONDS = 1.0
"""Seconds that an agent has more for its first decision, if the game says nothing of that."""

Decide = Callable[[Course, Agent, int, Budget], int]
"""Asks an agent for its action: where the game stands, who, the seed of the decision, the budget."""


def check_live(game: Game, people: int) -> tuple[Mapping[str, int], ...]:
    """Return the keys of each of so many people at the keyboard.

    Raises:
        click.UsageError: the game can't be played live, by these, or here.
    """
    keys: tuple[Mapping[str, int], ...] = getattr(game.text, "KEYS", ())
    if not keys:
        raise click.UsageError(f"{game.name} is no game that goes on by itself: leave out --live")
    if people > len(keys):
        raise click.UsageError(f"{people} people at one keyboard: --live is for at most {len(keys)}")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--live needs a terminal: leave it out, and type the moves")
    if people == 1:
        return ({key: action for keyboard in keys for key, action in keyboard.items()},)
    return keys[:people]


def play_live(
    course: Course, seats: Sequence[Agent], seed: int, keys: Sequence[Mapping[str, int]], rate: float, decide: Decide
) -> None:
    """Play to the end on a screen of its own.

    Args:
        course: where it begins.
        seats: who plays.
        seed: of the agents and of chance.
        keys: the action of each key, for each person in the order of the seats.
        rate: decisions of each player a second.
        decide: asks an agent.

    Raises:
        Resigned: somebody has pressed the key for it.
        AgentFailedError: an agent has failed.
        click.ClickException: the terminal can't do it.
    """
    for seat, agent in enumerate(seats):
        begin(agent, course.state.game, seat)
    try:
        curses.wrapper(lambda screen: _Live(screen, course, seats, seed, keys, rate, decide).run())
    except curses.error as error:
        raise click.ClickException(f"--live: this terminal can't be used ({error}); leave it out") from error


class _Live:
    """A game on the screen."""

    def __init__(
        self,
        screen: Any,
        course: Course,
        seats: Sequence[Agent],
        seed: int,
        keys: Sequence[Mapping[str, int]],
        rate: float,
        decide: Decide,
    ) -> None:
        self._screen, self._course, self._seats, self._seed, self._decide = screen, course, seats, seed, decide
        self._period = 1.0 / rate
        self._chance = stream(seed, "play", "chance")
        people = [seat for seat, agent in enumerate(seats) if isinstance(agent, HumanAgent)]
        self._keys = dict(zip(people, keys, strict=True))
        self._pressed: dict[int, int] = {}
        """The last action of each person, by the seat, since it was asked last."""
        self._asked = [False] * len(seats)
        self._idle: int = course.state.game.text.IDLE

    def run(self) -> None:
        """Play to the end."""
        state = self._course.state
        # A terminal that can't hide its cursor shows it.
        with contextlib.suppress(curses.error):
            curses.curs_set(0)
        due, asked = time.monotonic(), set(range(len(self._seats)))
        while not state.is_terminal:
            if state.is_chance:
                self._course.apply_chance(self._chance)
                continue
            if state.player in asked:  # a tick ends before anybody is asked a second time
                asked.clear()
                self._draw()
                due = max(time.monotonic(), due + self._period)
                self._listen(due)
            asked.add(state.player)
            self._course.apply(self._action(state.player))
        self._draw("The game is over: press a key")
        self._screen.timeout(-1)
        self._screen.getch()

    def _action(self, seat: int) -> int:
        state = self._course.state
        if seat in self._keys:
            action = self._pressed.pop(seat, self._idle)
            return action if state.is_legal(action) else self._idle
        clock = state.game.real_time
        seconds = self._period if clock is None else min(self._period, clock.decision)
        seconds = max(seconds - RESERVE, RESERVE)
        if not self._asked[seat]:
            self._asked[seat] = True
            seconds += FIRST_SECONDS if clock is None else clock.start
        ply_seed = derive_seed(self._seed, "play", len(state.history))
        return self._decide(self._course, self._seats[seat], ply_seed, Budget(seconds=seconds))

    def _listen(self, due: float) -> None:
        """Note what is pressed until then."""
        paused = False
        while True:
            left = due - time.monotonic()
            if left <= 0 and not paused:
                return
            self._screen.timeout(-1 if paused else max(1, int(left * 1000)))
            key = self._key()
            if key == LEAVE:
                raise Resigned(f"player {min(self._keys, default=0) + 1} has left")
            if key == PAUSE:
                paused = not paused
                self._draw("paused: p goes on" if paused else "")
                due = time.monotonic() + self._period
            for seat, keys in self._keys.items():
                if key in keys:
                    self._pressed[seat] = keys[key]

    def _key(self) -> str:
        """Return what was pressed, "" for nothing."""
        code = self._screen.getch()
        if code < 0:
            return ""
        if code == curses.KEY_RESIZE:
            self._draw()
        return curses.keyname(code).decode("ascii", "replace")

    def _draw(self, message: str = "") -> None:
        """Show the position, as much as there is room for, and a line below."""
        height, width = self._screen.getmaxyx()
        state = self._course.state
        place_of = getattr(state.game.text, "place_of", None)
        places = [] if place_of is None else [place_of(state, seat) for seat in self._keys]
        below = message or f"{PAUSE} pauses, {LEAVE} leaves"
        self._screen.erase()
        for row, line in enumerate(fitted(state.text(), below, height, width, places)):
            # Nothing may be written into the very last place: the cursor has no room behind it.
            self._screen.insnstr(row, 0, line, width)
        self._screen.refresh()


def fitted(text: str, below: str, height: int, width: int, places: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Return the lines of a screen: of a position's text what there is room for, its last line always, and one below.

    Args:
        text: the position; the last line tells how the game stands.
        below: the line below.
        height: lines of the screen.
        width: characters of a line.
        places: columns and rows in the text that are to be seen, the first one by all means.
    """
    *rows, status = text.split("\n")
    # A long line may take a third of the screen.
    told = (textwrap.wrap(status, max(1, width)) or [""])[: max(1, height // 3)]
    room = max(0, height - len(told) - 1)
    top = _window(len(rows), room, [row for _, row in places])
    left = _window(max(map(len, rows), default=0), width, [column for column, _ in places])
    return [*(row[left : left + width] for row in rows[top : top + room]), *told, below[:width]][:height]


def _window(length: int, room: int, wanted: Sequence[int]) -> int:
    """Return where to begin with what is shown: of so many as there is room for, in the middle of what is wanted."""
    first, last = min(wanted, default=0), max(wanted, default=0)
    if last - first >= room:
        first = last = wanted[0] if wanted else 0
    return max(0, min((first + last + 1 - room) // 2, length - room))
