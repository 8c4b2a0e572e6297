"""One tick of a VGDL game with given actions, whether or not the avatars know them."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.lcg import seeded
from oponente.games.vgdl.tick import set_up, tick
from oponente.kernel import entry

BEGIN = -1
"""In place of the first action: start the game, from the seed that follows."""


@entry
def advance(game: Any, states: Any, chosen: Any) -> None:
    """Let a tick of ``states[0]`` pass, or start the game in a state that is all 0.

    Args:
        game: tables of a VGDL game.
        states: array of one record.
        chosen: int64, an action for each player; or `BEGIN` and a seed.
    """
    state = states[0]
    if chosen[0] == BEGIN:
        set_up(game, state)
        state.rng = seeded(np.uint64(chosen[1]))
        return
    for player in range(game.program.players):
        state.chosen[player] = chosen[player]
    tick(game, state)
