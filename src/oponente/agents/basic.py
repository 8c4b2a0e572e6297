"""Agents that need no search: uniformly random, and a person at the terminal."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.kernel import Game, IllegalActionError, State, derive_seed

COLUMNS = 100
"""Width of what a person is told."""
LEAVING = ("quit", "exit")
"""Words that leave the game."""
HELPING = ("help", "h")
"""Words that list the moves, as ``?`` does, unless they are moves of the game."""
GIVING_UP = ("resign", "q", "leave", "give up", "stop")
"""Words of people who look for :data:`LEAVING`."""


class RandomAgent(Agent):
    """Plays each listed legal action with equal probability."""

    name = "random"
    native = True

    def choose(self, view: View, budget: Budget) -> int:
        """Return a random legal action."""
        actions = view.legal_actions
        # 64 random bits: what the remainder favours is beyond measuring.
        return int(actions[derive_seed(view.seed, "random") % len(actions)])


class Resigned(Exception):
    """A person has left the game."""


class HumanAgent(Agent):
    """A person at the terminal: shows the position, reads a move. Talks on standard error; results go elsewhere.

    The module of a game's notation may help, all functions are called with what the person knows:

    ``help_text(state, actions)``
        the legal moves arranged for reading.
    ``split_answer(state, text)``
        a list of the moves in one answer, for decisions that follow one another directly; IllegalActionError if
        they can't all be made.
    ``brief_text(state)``
        what to show, in place of the whole position, to somebody who decides again straight after a move; "" for all.
    """

    name = "human"

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._waiting: list[str] = []  # moves of the last answer that are still to be made
        self._next = -1  # the ply straight after the last answer

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget what was typed in another game."""
        self._waiting, self._next = [], -1

    def choose(self, view: View, budget: Budget) -> int:
        """Ask until the answer is a legal move.

        Raises:
            Resigned: the person typed ``quit``, or the input has ended.
        """
        again = view.ply == self._next
        action = self._waiting_move(view) if again else None
        if action is None:
            self._waiting = []
            brief = _hook(view, "brief_text")
            shown = str(brief(_known(view))) if again and brief else ""
            _say(f"\n{shown or view.text()}\n\n")
            action = self._ask(view)
        self._next = view.ply + 1
        return action

    def _waiting_move(self, view: View) -> int | None:
        """Return the next move of an answer with several, if there is one and the position allows it."""
        if not self._waiting:
            return None
        try:
            return view.parse_action(self._waiting.pop(0))
        except IllegalActionError as error:
            _say(f"{_wrapped(str(error))}\n")
            return None

    def _ask(self, view: View) -> int:
        while True:
            prompt = f"Player {view.seat + 1}, your move (? lists them, quit leaves): "
            _say(prompt)
            line = sys.stdin.readline()
            if not sys.stdin.isatty():  # a terminal shows what is typed; a transcript would run on in the same line
                _say(f"{line.strip()[: COLUMNS - len(prompt)]}\n")
            word = line.strip().lower()
            if not line or word in LEAVING:
                raise Resigned(f"player {view.seat + 1} has left")
            if word == "?":
                _say(f"{_moves_text(view)}\n")
            elif word:
                try:
                    return self._read(view, line.strip())
                except IllegalActionError as error:
                    # Only now, since a game may have moves of these names.
                    if word in HELPING:
                        _say(f"{_moves_text(view)}\n")
                    else:
                        _say("to leave the game write quit\n" if word in GIVING_UP else f"{_wrapped(str(error))}\n")

    def _read(self, view: View, text: str) -> int:
        """Return the move that an answer denotes; if it holds several, the others wait."""
        action, self._waiting = read_answer(view, text)
        return action

    @property
    def reproducible(self) -> bool:
        """A person is not."""
        return False


def read_answer(view: View, text: str) -> tuple[int, list[str]]:
    """Return the legal action that an answer of a person denotes, and the texts of those that are to follow directly.

    Raises:
        IllegalActionError: it denotes none, or they can't all be made.
    """
    split = _hook(view, "split_answer")
    first, *others = split(_known(view), text) if split else [text]
    return view.parse_action(first), others


def _hook(view: View, name: str) -> Any:
    """Return a function of the game's notation, None if it has none of that name."""
    return getattr(view.game.text, name, None)


def _known(view: View) -> State:
    """Return a state that holds what the seat knows, and a sample of the rest."""
    return view.determinize(view.stream("text"))


def _moves_text(view: View) -> str:
    """Return the listed legal moves, as the game's ``help_text`` arranges them, else on one line."""
    arrange = _hook(view, "help_text")
    if arrange:
        return str(arrange(_known(view), view.legal_actions))
    return _wrapped(" ".join(view.action_text(action) for action in view.legal_actions))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, COLUMNS, subsequent_indent="  ", break_on_hyphens=False)


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
