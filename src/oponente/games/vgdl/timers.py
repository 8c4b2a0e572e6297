"""VGDL: the queue of effects that are due at a tick.

It is ordered by tick; of several that are due at the same tick the one that was put in last comes first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.layout import BLANK, TIMER
from oponente.games.vgdl.sprites import NONE, take_slot
from oponente.kernel import subroutine


@subroutine
def queue(game: Any, state: Any, effect: Any, due: Any) -> None:
    """Put an effect in the queue."""
    if effect < 0:
        return
    slot = take_slot(state)
    if slot < 0:
        return
    state.sprites[slot] = game.program.templates[BLANK]
    timer = state.sprites[slot]
    timer.type = TIMER
    timer.begun, timer.made = due, effect
    before, after = np.int64(NONE), np.int64(state.timers)
    while after >= 0 and state.sprites[after].begun < due:
        before, after = after, np.int64(state.sprites[after].next)
    timer.next = after
    if before >= 0:
        state.sprites[before].next = slot
    else:
        state.timers = slot
