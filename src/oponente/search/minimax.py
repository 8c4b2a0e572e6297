"""Minimax to a fixed depth (C. Shannon, "Programming a computer for playing chess", 1950).

The player at the root maximises its own value; whoever else moves minimises it. Positions at the depth limit and
terminal ones are valued by the evaluator. Every action is tried in the game's order, and an action replaces the best so
far only if it is strictly better, so the first of equals is chosen.

The recursion is an explicit stack with one frame per ply:

1. *Enter.* A terminal or horizon position has a value at once. Any other is expanded: its actions are listed.
2. *Next.* The frame's next action leads one ply deeper.
3. *Leave.* With no action left, the frame's best value goes to the frame above.

A chance event is a ply, too: its value is the mean over its outcomes (expectiminimax, D. Michie 1966), and a principal
variation ends there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, actions, apply, chance, copy_state, entry, evaluate, expired, player
from oponente.kernel.rules import max_chance
from oponente.search.deepening import CUT, EXPANDED, STOPPED


@entry
def minimax(
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

    Args:
        game, evaluator: tables with tokens.
        states: array of ``depth + 1`` records, the root first.
        me: the player whose value is maximised.
        depth: plies to look ahead, at least 1.
        max_nodes: nodes to expand before the search stops.
        moves, probs: int32 and float64, ``(depth + 1, room)``, room for `MAX_ACTIONS` and `MAX_CHANCE`: work space.
        lines: int32, ``(depth + 2, depth + 2)``, filled with -1: row 0 receives the principal variation.
        root_values: float64, `MAX_ACTIONS` long: receives the value of each action at the root.
        values: float64, ``(depth + 1, players)``: row 0 receives the evaluation at the end of the principal variation.
        control: see :mod:`oponente.kernel.clock`.
        report: int64: receives nodes expanded, positions cut off at the horizon, and 1 if the search was stopped.
    """
    counts = np.empty(depth + 1, np.int64)
    nexts = np.empty(depth + 1, np.int64)
    best = np.empty(depth + 1, np.float64)
    movers = np.empty(depth + 1, np.int64)
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
                    return best[0] if ply > 0 else 0.0
                report[EXPANDED] += 1
                movers[ply] = mover
                if max_chance(game) > 0 and mover == CHANCE:
                    counts[ply] = chance(game, states[ply], moves[ply], probs[ply])
                    best[ply] = 0.0
                    lines[ply, ply] = -1
                    values[ply, :] = 0.0
                else:
                    counts[ply] = actions(game, states[ply], moves[ply])
                    best[ply] = -np.inf if mover == me else np.inf
                nexts[ply] = 0
                copy_state(game, states, ply + 1, ply)
                apply(game, states[ply + 1], moves[ply, 0])
                ply += 1
                continue
        # 3. Leave: `value` belongs to the action that the frame above has tried last
        if ply == 0:
            return value
        ply -= 1
        tried = nexts[ply]
        if ply == 0:
            root_values[tried] = value
        if max_chance(game) > 0 and movers[ply] == CHANCE:
            best[ply] += probs[ply, tried] * value
            for p in range(values.shape[1]):
                values[ply, p] += probs[ply, tried] * values[ply + 1, p]
        elif tried == 0 or (value > best[ply] if movers[ply] == me else value < best[ply]):
            best[ply] = value
            lines[ply, ply] = moves[ply, tried]
            for i in range(ply + 1, depth + 1):
                lines[ply, i] = lines[ply + 1, i]
            for p in range(values.shape[1]):
                values[ply, p] = values[ply + 1, p]
        # 2. Next
        nexts[ply] = tried + 1
        entering = tried + 1 < counts[ply]
        if entering:
            copy_state(game, states, ply + 1, ply)
            apply(game, states[ply + 1], moves[ply, tried + 1])
            ply += 1
        else:
            value = best[ply]
