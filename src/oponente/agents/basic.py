"""Agents that need no search: uniformly random, and a person at the terminal."""

from __future__ import annotations

import sys

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.kernel import IllegalActionError, derive_seed


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
    """A person at the terminal: shows the position, reads a move. Talks on standard error; results go elsewhere."""

    name = "human"

    def choose(self, view: View, budget: Budget) -> int:
        """Ask until the answer is a legal move.

        Raises:
            Resigned: the person typed ``quit``, or the input has ended.
        """
        _say(f"\n{view.text()}\n\n")
        while True:
            _say(f"Player {view.seat + 1}, your move (? lists them, quit leaves): ")
            line = sys.stdin.readline()
            if not line or line.strip().lower() in ("quit", "exit"):
                raise Resigned(f"player {view.seat + 1} has left")
            if line.strip() == "?":
                _say(f"{_moves_text(view)}\n")
                continue
            try:
                return view.parse_action(line.strip())
            except IllegalActionError as error:
                _say(f"{error}\n")

    @property
    def reproducible(self) -> bool:
        """A person is not."""
        return False


def _moves_text(view: View) -> str:
    """Return the listed legal moves, as the game's ``help_text(state, actions)`` arranges them, else on one line."""
    arrange = getattr(view.game.text, "help_text", None)
    if arrange:
        return str(arrange(view.determinize(view.stream("text")), view.legal_actions))
    return " ".join(view.action_text(action) for action in view.legal_actions)


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
