"""In which order actions are tried: pruning saves the more the earlier the best one comes.

1. The best action that the transposition table remembers, from a shallower search of the same position.
2. *Killers* (S. Akl, M. Newborn, "The principal continuation and the killer heuristic", 1977): the two actions that
   last ended the search of another position at the same ply.
3. *History* (J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", 1989): what the
   player gained by the action anywhere in the search, each time the square of the depth below it; or
   *evaluation*: what the evaluator says of the position after the action.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit

HISTORY = 1024
"""How many actions of a player the history tells apart."""
REMEMBERED, KILLER = 1e18, 1e15
"""Scores above all that history and evaluation give."""
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(54)


@njit
def history_place(action: Any) -> Any:
    """Return where the history counts an action: its number, scrambled to 10 bits."""
    return np.int64((np.uint64(action) * _FACTOR) >> _SHIFT)


@njit
def score_by_history(frame: Any, branches: Any, history: Any, ply: Any) -> None:
    """Give each branch of a frame its score."""
    for i in range(frame.count):
        branch = branches[ply, i]
        if branch.move == frame.hint:
            branch.score = REMEMBERED
        elif branch.move == frame.killer:
            branch.score = KILLER
        elif branch.move == frame.older_killer:
            branch.score = 0.5 * KILLER
        else:
            branch.score = history[frame.mover, history_place(branch.move)]


@njit
def note_cutoff(frame: Any, history: Any, action: Any) -> None:
    """Remember that an action ended the search of a frame."""
    if frame.killer != action:
        frame.older_killer = frame.killer
        frame.killer = action
    history[frame.mover, history_place(action)] += frame.left * frame.left


@njit
def bring_best_forward(frame: Any, branches: Any, ply: Any) -> None:
    """Exchange the next branch of a frame for the one with the highest score among those not yet searched."""
    best: Any = np.int64(frame.next)
    for i in range(frame.next + 1, frame.count):
        if branches[ply, i].score > branches[ply, best].score:
            best = i
    if best != frame.next:
        one, other = branches[ply, frame.next], branches[ply, best]
        one.move, other.move = other.move, one.move
        one.index, other.index = other.index, one.index
        one.score, other.score = other.score, one.score
        one.prob, other.prob = other.prob, one.prob
        one.low, other.low = other.low, one.low
        one.high, other.high = other.high, one.high
