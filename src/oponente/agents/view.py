"""What an agent sees: a state from one seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import Game, LegalActions, State, Stream, stream
from oponente.search.greedy import play_policy


def course_texts(state: State, actions: Sequence[int]) -> list[str]:
    """Return a course of play in notation, as far as it can be played on from a state."""
    texts, at = [], state.copy()
    for action in actions:
        if not at.is_legal(action):
            break
        texts.append(at.action_text(action))
        at.apply(action)
    return texts


def known(state: State, seat: int | None) -> State:
    """Return a copy of a state with nothing in it that a seat can't know; None: of all of it."""
    if seat is None or state.game.perfect_information:
        return state.copy()
    view = View(state, seat)
    return view.determinize(view.stream("svg"))


class View:
    """A state as the player in `seat`, who is to move, may know it.

    Args:
        state: the state; the view keeps it private. A mirror of a game on somebody else's server may fill what is
            hidden in any way that is consistent with what the seat knows.
        seat: whose view it is.
        seed: of all chance that the agent needs for this decision.
        history: actions since the start as the seat saw them; None: as in the state (games that hide nothing).
    """

    __slots__ = ("_history", "_state", "seat", "seed")

    def __init__(self, state: State, seat: int, seed: int = 0, history: Sequence[int] | None = None) -> None:
        self._state = state
        self._history = history
        self.seat = seat
        self.seed = seed

    @property
    def game(self) -> Game:
        """The game that is played, with its options."""
        return self._state.game

    @property
    def history(self) -> Sequence[int]:
        """All actions and chance outcomes since the start, masked where the seat could not see them.

        Empty if nobody kept them masked, in a game that hides anything.
        """
        if self._history is not None:
            return tuple(self._history)
        return tuple(self._state.history) if self.game.perfect_information else ()

    @property
    def ply(self) -> int:
        """How many actions and chance outcomes there were since the start."""
        return len(self._state.history)

    @property
    def legal_actions(self) -> LegalActions:
        """The listed legal actions; ``in`` also knows open ones."""
        return self._state.legal_actions

    def is_legal(self, action: int) -> bool:
        """Tell whether the seat may take `action`, listed or open."""
        return self._state.is_legal(action)

    def action_text(self, action: int) -> str:
        """Return the notation of a legal action."""
        return self._state.action_text(action)

    def parse_action(self, text: str) -> int:
        """Return the legal action that `text` denotes; IllegalActionError if it denotes none."""
        return self._state.parse_action(text)

    def variation_texts(self, actions: Sequence[int]) -> list[str]:
        """Return a course of play in notation, as far as it can be played on from what the seat knows."""
        return course_texts(self.determinize(self.stream("variation")), actions)

    def text(self) -> str:
        """Return the position as text, as the seat sees it.

        Where the game's own text takes no heed of the seat, what it can't know is one sample of what might be.
        """
        return self.determinize(self.stream("text")).text(self.seat)

    def encode(self) -> npt.NDArray[np.float32]:
        """Return the feature vector of what the seat knows."""
        return self._state.encode(self.seat)

    def stream(self, *path: int | str) -> Stream:
        """Return the random stream of this decision that `path` names."""
        return stream(self.seed, *path)

    def determinize(self, rng: Stream) -> State:
        """Return a state for the search to work on: all that the seat can't know is drawn from `rng`."""
        return self._state.determinize(self.seat, rng, self.history)

    def policy_action(self, policy: Any, rng: Stream) -> int:
        """Return what a playout policy does at :meth:`position_for` it, drawing from `rng`."""
        return play_policy(self.position_for(policy), policy, rng)

    def position_for(self, policy: Any) -> State:
        """Return the position for the kernels of a policy's module to look at, and not to change.

        It is as :meth:`determinize` makes it from the stream ``world``, unless the module declares ``OWN_KNOWLEDGE``:
        that it reads nothing which the player to move does not know.
        """
        declared = getattr(policy.token.module, "OWN_KNOWLEDGE", False)
        return self._state if declared else self.determinize(self.stream("world"))

    def true_state(self) -> State:
        """Return a copy of the true state, hidden parts included: for agents that declare ``cheat=true``."""
        return self._state.copy()

    def svg(self) -> str:
        """Return the position as an SVG picture, as the seat sees it; see :meth:`text`."""
        return self.determinize(self.stream("svg")).svg(self.seat)

    def _repr_svg_(self) -> str:
        return self.svg()
