"""Perft: counts of all courses of play up to a depth, the signature of a game's rules.

A change of the rules that was not meant shows as a changed count (the idea is computer chess's "performance test").
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import CHANCE, TERMINAL, Control, State, actions, apply, chance, copy_state, entry, expired, player


@entry
def count_courses(
    game: Any, states: Any, depth: Any, buffers: Any, counts: Any, places: Any, probs: Any, totals: Any, control: Any
) -> Any:
    """Walk the tree of all actions and chance outcomes, depth first.

    Args:
        game: tables with a token.
        states: array of ``depth + 1`` records; the first is the root.
        depth: how many plies.
        buffers: int32, ``depth + 1`` rows as long as `MAX_ACTIONS` and `MAX_CHANCE` allow, for work.
        counts, places: int64, ``depth + 1`` long, for work: actions at each ply of the path, and which is next.
        probs: float64, `MAX_CHANCE` long at least, for work.
        totals: int64, ``depth + 1`` rows of two: positions at each ply, and how many of them end the game.
        control: see :mod:`oponente.kernel.clock`.

    Returns:
        Whether the walk came to its end.
    """
    ply = 0
    entered = True
    while ply >= 0:
        if entered:
            # Count the position, list what follows it.
            entered = False
            totals[ply, 0] += 1
            places[ply] = counts[ply] = 0
            mover = player(game, states[ply])
            if mover == TERMINAL:
                totals[ply, 1] += 1
            elif ply < depth:
                if mover == CHANCE:
                    counts[ply] = chance(game, states[ply], buffers[ply], probs)
                else:
                    counts[ply] = actions(game, states[ply], buffers[ply])
            if expired(control):
                return False
        if places[ply] == counts[ply]:
            ply -= 1
            continue
        action = buffers[ply, places[ply]]
        places[ply] += 1
        copy_state(game, states, ply + 1, ply)
        ply += 1
        apply(game, states[ply], action)
        entered = True
    return True


def perft(state: State, depth: int, control: Control | None = None) -> npt.NDArray[np.int64]:
    """Return, for each ply from 0 to `depth`, how many courses of play lead there and how many of them end the game.

    Courses that ended earlier do not count again. At chance nodes every outcome counts as one.

    Args:
        state: the root.
        depth: how many plies.
        control: stop flag and deadline.

    Returns:
        int64 array of shape (depth + 1, 2): positions, ends.

    Raises:
        TimeoutError: the control told it to stop.
    """
    game = state.game
    states = game.new_states(depth + 1)
    states[0] = state.array[0]
    width = max(game.max_actions, game.max_chance)
    buffers = np.zeros((depth + 1, width), np.int32)
    counts, places = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    totals = np.zeros((depth + 1, 2), np.int64)
    control = control or Control()
    probs = np.zeros(width)
    if not count_courses(game.tables, states, depth, buffers, counts, places, probs, totals, control.array):
        raise TimeoutError(f"stopped after {int(totals[:, 0].sum())} positions")
    return totals
