"""What environments show of a state, and how."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.interop.environments.numbering import ActionNumbers
from oponente.kernel import Game, State

FEATURES, IMAGE = "features", "image"


def check_limit(max_plies: int | None) -> None:
    """Refuse a limit of plies below 1 with a ValueError."""
    if max_plies is not None and max_plies < 1:
        raise ValueError(f"a limit of {max_plies} plies: expected 1 or more")


class Observer:
    """Turns states into arrays.

    Args:
        game: the game.
        kind: ``features`` (the game's ``encode``), or ``image`` (``image(state, seat)`` of the module that draws the
            game: uint8, height x width x 3, always of the same size).

    Raises:
        ValueError: the game has no such observation.
    """

    def __init__(self, game: Game, kind: str = FEATURES) -> None:
        if kind not in (FEATURES, IMAGE):
            raise ValueError(f"observation {kind!r}: expected {FEATURES} or {IMAGE}")
        self._paint = getattr(game.draw, "image", None)
        if kind == FEATURES and not game.encoding:
            raise ValueError(f"{game.name} has no features: its rules need encode and ENCODING")
        if kind == IMAGE and self._paint is None:
            raise ValueError(f"{game.name} has no images: the module that draws it needs image(state, seat)")
        self.kind = kind
        self.actions = ActionNumbers(game)
        self.shape = (game.encoding,) if kind == FEATURES else self.look(game.start(), 0).shape
        self.dtype = np.dtype(np.float32 if kind == FEATURES else np.uint8)

    def look(self, state: State, seat: int) -> npt.NDArray[Any]:
        """Return what a seat sees."""
        if self.kind == FEATURES:
            return state.encode(seat)
        assert self._paint is not None
        return np.asarray(self._paint(state, seat), np.uint8)

    def mask(self, state: State) -> npt.NDArray[np.int8]:
        """Return 1 for each action that the player to move may take."""
        mask = np.zeros(len(self.actions), np.int8)
        for action in state.legal_actions:
            mask[self.actions.place(action)] = 1
        return mask

    def bounds(self) -> tuple[Any, Any]:
        """Return the least and the greatest value of an observation."""
        return (0, 255) if self.kind == IMAGE else (-np.inf, np.inf)
