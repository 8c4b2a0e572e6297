"""Alpha-beta to a fixed depth (D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975).

As :mod:`oponente.search.minimax`, but a frame whose value can no longer matter is left early: `alpha` is what the
root's player is sure of on the way to the frame, `beta` what the others are sure to hold it to. At the root, an action
replaces the best so far only if it is strictly better and pruning never hides such an action, so value and choice are
those of minimax, always. Below a chance event nothing is known from above: all its outcomes are searched in full.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, actions, apply, chance, copy_state, entry, evaluate, expired, player
from oponente.kernel.rules import max_chance
from oponente.search.deepening import CUT, EXPANDED, STOPPED


@entry
def alphabeta(
    game: Any,
    evaluator: Any,
    states: Any,
    me: Any,
    depth: Any,
    max_nodes: Any,
    moves: Any,
    probs: Any,
    lines: Any,
    root_values: Any,
    values: Any,
    control: Any,
    report: Any,
) -> float:
    """Return the value of ``states[0]`` for player `me`, who is to move there.

    The arguments are those of :func:`oponente.search.minimax.minimax`. Of an action at the root that was no better than
    the best before it, no more is known, and its place in `root_values` stays as it was.
    """
    counts = np.empty(depth + 1, np.int64)
    nexts = np.empty(depth + 1, np.int64)
    alpha = np.empty(depth + 2, np.float64)
    beta = np.empty(depth + 2, np.float64)
    maximising = np.empty(depth + 1, np.bool_)
    drawing = np.zeros(depth + 1, np.bool_)
    mean = np.empty(depth + 1, np.float64)
    alpha[0], beta[0] = -np.inf, np.inf
    ply, entering, value = 0, True, 0.0
    while True:
        # 1. Enter
        if entering:
            mover = player(game, states[ply])
            if mover == TERMINAL or ply == depth:
                evaluate(evaluator, game, states[ply], values[ply])
                value = values[ply, me]
                if expired(control):
                    report[STOPPED] = 1
                    return value
                report[CUT] += mover != TERMINAL
                lines[ply, ply] = -1
            else:
                if expired(control) or report[EXPANDED] >= max_nodes:
                    report[STOPPED] = 1
                    return alpha[0]
                report[EXPANDED] += 1
                maximising[ply] = mover == me
                drawing[ply] = max_chance(game) > 0 and mover == CHANCE
                if drawing[ply]:
                    counts[ply] = chance(game, states[ply], moves[ply], probs[ply])
                    mean[ply] = 0.0
                    values[ply, :] = 0.0
                    alpha[ply], beta[ply] = -np.inf, np.inf  # all of its outcomes count
                else:
                    counts[ply] = actions(game, states[ply], moves[ply])
                nexts[ply] = 0
                lines[ply, ply] = -1
                copy_state(game, states, ply + 1, ply)
                apply(game, states[ply + 1], moves[ply, 0])
                alpha[ply + 1], beta[ply + 1] = alpha[ply], beta[ply]
                ply += 1
                continue
        # 3. Leave: `value` belongs to the action that the frame above has tried last
        if ply == 0:
            return value
        ply -= 1
        tried = nexts[ply]
        # At the root the first action counts whatever it is worth, as in minimax.
        better = (ply == 0 and tried == 0) or (value > alpha[ply] if maximising[ply] else value < beta[ply])
        if drawing[ply]:
            mean[ply] += probs[ply, tried] * value
            for p in range(values.shape[1]):
                values[ply, p] += probs[ply, tried] * values[ply + 1, p]
        elif better:
            if ply == 0:
                root_values[tried] = value
            if maximising[ply]:
                alpha[ply] = value
            else:
                beta[ply] = value
            lines[ply, ply] = moves[ply, tried]
            for i in range(ply + 1, depth + 1):
                lines[ply, i] = lines[ply + 1, i]
            for p in range(values.shape[1]):
                values[ply, p] = values[ply + 1, p]
        # 2. Next, unless the frame's value can no longer matter
        nexts[ply] = tried + 1
        entering = tried + 1 < counts[ply] and alpha[ply] < beta[ply]
        if entering:
            copy_state(game, states, ply + 1, ply)
            apply(game, states[ply + 1], moves[ply, tried + 1])
            alpha[ply + 1], beta[ply + 1] = alpha[ply], beta[ply]
            ply += 1
        else:
            value = mean[ply] if drawing[ply] else alpha[ply] if maximising[ply] else beta[ply]
