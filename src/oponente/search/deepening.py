"""How fixed-depth searches are driven: to one depth, or deeper and deeper within a budget (iterative deepening)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.kernel import Control, State
from oponente.search.analysis import Analysis, MoveAnalysis

#: Layout of a report array.
EXPANDED, CUT, STOPPED = range(3)

MAX_DEPTH = 200


@dataclass
class _Result:
    """What one search to one depth found."""

    values: Any
    moves: list[MoveAnalysis]
    variation: tuple[int, ...]
    complete: bool
    """Whether no position was cut off: a deeper search would find the same."""


def search_to_depth(
    kernel: Callable[..., Any],
    evaluator: Any,
    root: State,
    *,
    depth: int | None,
    nodes: int | None = None,
    control: Control | None = None,
) -> Analysis:
    """Return the analysis of `root`.

    With a node budget, or a control that has a deadline, the search deepens ply by ply up to `depth` and the last depth
    completed counts; otherwise it goes to `depth` at once.

    Args:
        kernel: :func:`~oponente.search.minimax.minimax` or :func:`~oponente.search.alphabeta.alphabeta`.
        evaluator: tables with a token.
        root: where a player is to move.
        depth: plies to look ahead at most; None only with another limit.
        nodes: nodes to expand at most, all depths together.
        control: stop flag and deadline.

    Raises:
        ValueError: no player is to move, nothing limits the search, or the game has more than two players or draws
            inside its state.
    """
    begin = time.perf_counter()
    control = control or Control()
    deepening = nodes is not None or control.has_deadline
    if root.player < 0:
        raise ValueError("no player is to move")
    game = root.game
    if game.num_players > 2 or game.sampled_chance:
        raise ValueError(f"{game.name} is no game for one or two whose chance events are listed")
    if depth is None and not deepening:
        raise ValueError("nothing limits the search: give depth, nodes or time")
    limit = min(MAX_DEPTH, depth or MAX_DEPTH)
    report = np.zeros(3, np.int64)
    found, reached = None, 0
    for d in range(1, limit + 1) if deepening else (limit,):
        result = _search(kernel, evaluator, root, d, nodes, control, report)
        if result is None:
            break
        found, reached = result, d
        if result.complete:
            break
    seconds = time.perf_counter() - begin
    if found is None:  # stopped before the first depth was done: any legal action, honestly without a value
        first = root.legal_actions[0]
        unseen = tuple(MoveAnalysis(action, None) for action in root.legal_actions)
        return Analysis(first, moves=unseen, principal_variation=(first,), nodes=int(report[EXPANDED]), seconds=seconds)
    return Analysis(
        action=found.variation[0],
        values=found.values,
        moves=tuple(found.moves),
        principal_variation=found.variation,
        nodes=int(report[EXPANDED]),
        depth=reached,
        seconds=seconds,
    )


def _search(
    kernel: Callable[..., float],
    evaluator: Any,
    root: State,
    depth: int,
    nodes: int | None,
    control: Control,
    report: Any,
) -> _Result | None:
    game = root.game
    states = game.new_states(depth + 1)
    states[0] = root.array[0]
    lines = np.full((depth + 2, depth + 2), -1, np.int32)
    root_values = np.full(game.max_actions, np.nan)
    report[CUT] = 0
    room = max(game.max_actions, game.max_chance)
    values = np.zeros((depth + 1, game.num_players))
    kernel(
        game.tables,
        evaluator,
        states,
        root.player,
        depth,
        np.iinfo(np.int64).max if nodes is None else nodes,
        np.empty((depth + 1, room), np.int32),
        np.empty((depth + 1, room), np.float64),
        lines,
        root_values,
        values,
        control.array,
        report,
    )
    if report[STOPPED]:
        return None
    actions = list(root.legal_actions)
    known = [None if np.isnan(value) else float(value) for value in root_values]
    moves = [MoveAnalysis(action, known[i]) for i, action in enumerate(actions)]
    variation = []
    for action in lines[0]:
        if action < 0:
            break
        variation.append(int(action))
    return _Result(tuple(map(float, values[0])), moves, tuple(variation), bool(report[CUT] == 0))
