"""VGDL: what a simulation of the controller OLETS is worth.

Source: D. Perez-Liebana et al., "The 2014 general video game playing competition" (IEEE TCIAIG 2016), section on the
controller adrienctx (open-loop expectimax tree search), which won it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.kernel import Token, njit

WIN_FACTOR, LOSS_FACTOR = 100.0, 2000.0


class Olets(NamedTuple):
    """The evaluator."""

    token: Token
    origin: npt.NDArray[np.int64]
    """One item: the tick at the root."""


def new_olets() -> Olets:
    """Return an evaluator for searches from the start."""
    return Olets(Token(__name__), np.full(1, -1, np.int64))


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player its score; a win adds 100 times its size, a loss takes away 2000 times, less the later it is."""
    for player in range(out.size):
        value = state.score[player]
        size = 1.0 + abs(value)
        if state.ended and state.win[player] == 1:
            value += WIN_FACTOR * size
        elif state.ended and state.win[player] == 0:
            depth = np.float64(state.tick - evaluator.origin[0])
            value -= LOSS_FACTOR / ((1.0 + depth) * (1.0 + depth)) * size
        out[player] = value
