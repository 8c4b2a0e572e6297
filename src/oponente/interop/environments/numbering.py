"""Actions as numbers without gaps, from 0, as libraries for learning want them.

A game's own numbers of actions may have gaps, and be large. Which there are, the constant ``ACTION_NUMBERS`` of its
rules says: an array of all numbers that ``actions`` ever lists, ascending. A game without it has the numbers below
``MAX_ACTIONS``.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import Game, RulesError

_DIRECT = 1 << 13
"""Numbers below this are looked up in a table."""


class ActionNumbers:
    """The actions that a game lists, counted from 0.

    Args:
        game: the game.

    Raises:
        RulesError: the game has open actions and does not say which numbers it lists, or it says it wrong.
    """

    def __init__(self, game: Game) -> None:
        declared = getattr(game.rules, "ACTION_NUMBERS", None)
        if declared is None and game.open_actions:
            raise RulesError(f"{game.name} lists only some of its actions: its rules need ACTION_NUMBERS to say which")
        self.numbers: npt.NDArray[np.int32] = np.asarray(
            np.arange(game.max_actions) if declared is None else declared, np.int32
        )
        """The game's number of each action."""
        if self.numbers.ndim != 1 or (np.diff(self.numbers) <= 0).any() or self.numbers[0] < 0:
            raise RulesError(f"{game.name}: ACTION_NUMBERS must be ascending numbers from 0 on")
        direct = self.numbers[self.numbers < _DIRECT]
        self.table: npt.NDArray[np.int32] = np.full(1 + int(direct.max(initial=0)), -1, np.int32)
        """The place of each number below `_DIRECT`, -1 where there is no such action."""
        self.table[direct] = np.arange(len(direct))
        self._game = game

    def __len__(self) -> int:
        return len(self.numbers)

    def number(self, place: Any) -> int:
        """Return the game's number of the action at a place.

        Raises:
            TypeError: the place is no whole number.
            ValueError: there is no action at it; places are not counted from the end.
        """
        index = operator.index(place)
        if not 0 <= index < len(self):
            raise ValueError(f"action {index}: actions are numbered 0 to {len(self) - 1}")
        return int(self.numbers[index])

    def place(self, action: int) -> int:
        """Return the place of one of the game's actions.

        Raises:
            RulesError: the game did not say that there is one of that number.
        """
        return self.places([action])[0]

    def places(self, actions: Sequence[int]) -> list[int]:
        """Return the place of each of some actions of the game, in their order.

        Raises:
            RulesError: the game did not say that there is one of that number.
        """
        wanted = np.asarray(actions, np.int64)
        places = np.searchsorted(self.numbers, wanted)
        wrong = self.numbers[np.minimum(places, len(self) - 1)] != wanted
        if wrong.any():
            raise unlisted(self._game, int(wanted[wrong][0]))
        found: list[int] = places.tolist()
        return found


def unlisted(game: Game, action: int) -> RulesError:
    """Return the error that a game lists an action that it did not declare."""
    return RulesError(
        f"{game.name} lists action {action}, which is not among its ACTION_NUMBERS (if the rules have no such constant:"
        f" not below MAX_ACTIONS, {game.max_actions})"
    )
