"""How the depth-first searches are driven: to one depth, or deeper and deeper within a budget (iterative deepening).

Source: D. Slate, L. Atkin, "Chess 4.5: the Northwestern University chess program" (1977). The last depth completed
counts. A search that orders its actions or has a transposition table deepens also where only a depth is given, because
what it learns at one depth makes the next one cheaper.

With an *aspiration window* (J. Gillogly, 1978) a depth begins with the guess that its value is close to the last one,
and is searched again without the window on the side on which the guess was wrong.

Where the position is a sample of what the player can't know, several samples can be searched, each to the same depth;
the action with the greatest mean value is chosen. That assumes of all players that they will know in the search what
is hidden now (M. Ginsberg, "GIB: imperfect information in a computationally challenging game", 2001).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.kernel import Control, Game, State, Stream, random_below, value_bounds
from oponente.search.analysis import Analysis, MoveAnalysis, TreeNode, TreeShape
from oponente.search.depth_first import search_depth_first
from oponente.search.frames import (
    BEST_REPLY,
    EXPANDED,
    MAXN,
    NOTES,
    SETTINGS,
    STOPPED,
    Work,
    new_work,
)
from oponente.search.methods import ORDERS, STARS, Method
from oponente.search.top import top_of_tree, tree_of_means
from oponente.search.transposition import TranspositionTable

MAX_DEPTH = 200
"""Plies."""
MAX_PATH = 1000
"""Positions on a path, where some decisions or chance events are no plies: the last one is evaluated, however it is."""


@dataclass
class _Result:
    """What the search of one position to one depth found."""

    variation: tuple[int, ...]
    known: Any
    """A row for each action at the root: the value for the player to move, then for every player; NaN: not known."""
    complete: bool
    """Whether no position was cut off: a deeper search would find the same."""
    value: float
    values: tuple[float, ...]
    tree: TreeNode | None


class DepthFirstSearch:
    """A depth-first search of positions of one game. Keeps its memory, but nothing that it has found out.

    Args:
        method: which one.
        evaluator: tables with a token.
        game: the game.
    """

    def __init__(self, method: Method, evaluator: Any, game: Game) -> None:
        self.method, self.evaluator, self.game = method, evaluator, game
        self._table = TranspositionTable(method.table, game.num_players)
        self._work: Work | None = None
        bounds = value_bounds(evaluator, game.tables)
        low, high = bounds.low, bounds.high
        if method.margin and method.rule != MAXN and game.num_players > 1:
            low, high = low - high, high - low
        bounded = bool(np.isfinite([low, high]).all())
        self._settings = np.zeros(1, SETTINGS)
        fixed = self._settings[0]
        fixed.low, fixed.high, fixed.most = low, high, bounds.most
        fixed.cutoff, fixed.players, fixed.rule = method.cutoff, game.num_players, method.rule
        fixed.prune, fixed.free_chance, fixed.margin = method.prune, method.free_chance, method.margin
        fixed.star = STARS[method.star] if bounded and method.rule != MAXN else 0
        fixed.order = 0 if method.rule == MAXN else ORDERS[method.order]
        fixed.table = self._table.used

    def search(
        self,
        roots: State | Sequence[State],
        *,
        depth: int | None = None,
        nodes: int | None = None,
        control: Control | None = None,
        shape: TreeShape | None = None,
        ties: Stream | None = None,
    ) -> Analysis:
        """Return the analysis of a position.

        With a node budget, or a control that has a deadline, the search deepens up to `depth` and the last depth
        completed counts.

        Args:
            roots: the position, where a player is to move; or samples of what it may be.
            depth: plies to look ahead at most; None only with another limit.
            nodes: nodes to expand at most, all depths and samples together.
            control: stop flag and deadline.
            shape: how much of the tree to show.
            ties: chooses among actions of the same value; None: the first in the game's order is taken.

        Raises:
            ValueError: no player is to move, or nothing limits the search.
        """
        begin = time.perf_counter()
        control = control or Control()
        samples = [roots] if isinstance(roots, State) else list(roots)
        if any(root.player < 0 for root in samples):
            raise ValueError("no player is to move")
        limited = nodes is not None or control.has_deadline
        if depth is None and not limited:
            raise ValueError("nothing limits the search: give depth, nodes or time")
        limit = min(MAX_DEPTH, depth or MAX_DEPTH)
        narrowed = self.method.aspiration is not None  # the window is around the value of the depth before
        deepening = limited or self._table.used or self._settings[0].order != 0 or narrowed
        work = self._begin(limit, nodes, len(samples) > 1 or ties is not None, shape)
        found: list[_Result] | None = None
        reached = 0
        for plies in range(1, limit + 1) if deepening else (limit,):
            results = self._search_samples(work, samples, plies, found, control, shape)
            if results is None:
                break
            found, reached = results, plies
            if all(result.complete for result in results):
                break
            work.history[:] *= 0.5
        seconds = time.perf_counter() - begin
        spent = int(work.report[EXPANDED])
        if found is None:  # stopped before the first depth was done: any legal action, honestly without a value
            first = samples[0].legal_actions[0]
            unseen = tuple(MoveAnalysis(action, None) for action in samples[0].legal_actions)
            return Analysis(first, moves=unseen, principal_variation=(first,), nodes=spent, seconds=seconds)
        return _combined(samples[0], found, spent, reached, seconds, shape, ties)

    def _begin(self, limit: int, nodes: int | None, every_root: bool, shape: TreeShape | None) -> Work:
        """Return clean memory for a search, and write what is settled for all of it."""
        method, settings = self.method, self._settings[0]
        stretching = method.free_chance or (method.rule == BEST_REPLY and self.game.num_players > 2)
        rows = MAX_PATH if stretching else 1 + limit
        notes = NOTES if shape is not None else 1
        if self._work is None or self._work.frames.size < rows or self._work.notes.size < notes:
            self._work = new_work(self.game, rows, self._table.entries, notes)
        work = self._work
        work.frames["killer"] = work.frames["older_killer"] = -1
        work.history[:] = 0.0
        work.report[:] = 0
        self._table.begin()
        settings.stamp = self._table.stamp
        settings.max_nodes = np.iinfo(np.int64).max if nodes is None else nodes
        settings.every_root = every_root
        settings.shown = 0 if shape is None else shape.depth
        return work

    def _search_samples(
        self,
        work: Work,
        samples: list[State],
        depth: int,
        earlier: list[_Result] | None,
        control: Control,
        shape: TreeShape | None,
    ) -> list[_Result] | None:
        """Return what the search of each sample to one depth found; None if it was stopped."""
        results = []
        for i, root in enumerate(samples):
            result = self._search_one(work, root, depth, earlier[i] if earlier else None, control, None if i else shape)
            if result is None:
                return None
            results.append(result)
        return results

    def _search_one(
        self, work: Work, root: State, depth: int, earlier: _Result | None, control: Control, shape: TreeShape | None
    ) -> _Result | None:
        settings, width = self._settings[0], self.method.aspiration
        settings.me = root.player
        settings.hint = -1 if earlier is None else earlier.variation[0]
        alpha, beta = -np.inf, np.inf
        if earlier is not None and width is not None and not settings.every_root and settings.prune:
            alpha, beta = earlier.value - width, earlier.value + width
        while True:
            if not self._run(work, root, depth, alpha, beta, control):
                return None
            frame = work.frames[0]
            low, high = float(frame.low), float(frame.high)
            if alpha < low == high < beta or (alpha, beta) == (-np.inf, np.inf) or settings.rule == MAXN:
                break
            alpha, beta = (-np.inf, beta) if high <= alpha else (alpha, np.inf)
        listed = list(root.legal_actions)
        variation, known = _line(work), work.root_values[: len(listed)].copy()
        values, complete = tuple(map(float, work.values[0])), not frame.cut
        tree = None if shape is None else top_of_tree(work, root, shape, variation, settings.low)
        if settings.table and settings.rule != BEST_REPLY and not self.method.free_chance:
            variation = self._extended(work, root, variation, depth, control)
        return _Result(variation, known, complete, low, values, tree)

    def _run(self, work: Work, root: State, depth: int, alpha: float, beta: float, control: Control) -> bool:
        """Search one position with one window; tell whether the search came to its end."""
        settings = self._settings[0]
        settings.left, settings.alpha, settings.beta = depth, alpha, beta
        work.states[0] = root.array[0]
        work.root_values[:] = np.nan
        search_depth_first(self.game.tables, self.evaluator, work, self._settings, control.array)
        return not work.report[STOPPED]

    def _extended(
        self, work: Work, root: State, variation: tuple[int, ...], depth: int, control: Control
    ) -> tuple[int, ...]:
        """Return a principal variation to its end: a hit in the table breaks it off, so what follows is searched again.

        It stays as it is when the budget is used up.
        """
        settings = self._settings[0]
        shown, settings.shown, settings.hint = int(settings.shown), 0, -1
        at = root.copy()
        done = 0
        while True:
            for action in variation[done:]:
                at.apply(action)
            done = len(variation)
            if done >= depth or at.player < 0:
                break
            if not self._run(work, at, depth - done, -np.inf, np.inf, control):
                work.report[STOPPED] = 0
                break
            variation += _line(work)
        settings.shown = shown
        return variation


def search_to_depth(
    method: Method,
    evaluator: Any,
    root: State,
    *,
    depth: int | None,
    nodes: int | None = None,
    control: Control | None = None,
    shape: TreeShape | None = None,
) -> Analysis:
    """Return the analysis of one position; see :meth:`DepthFirstSearch.search`."""
    search = DepthFirstSearch(method, evaluator, root.game)
    return search.search(root, depth=depth, nodes=nodes, control=control, shape=shape)


def _line(work: Work) -> tuple[int, ...]:
    """Return the principal variation that the kernel found."""
    line = work.lines[0]
    return tuple(map(int, line[: int(np.argmax(line < 0))]))


def _combined(
    root: State,
    results: list[_Result],
    nodes: int,
    depth: int,
    seconds: float,
    shape: TreeShape | None,
    ties: Stream | None,
) -> Analysis:
    """Return the analysis of samples that were searched to the same depth."""
    actions = list(root.legal_actions)
    first = results[0]
    if len(results) == 1 and ties is None:
        means, best, values, tree = first.known, actions.index(first.variation[0]), first.values, first.tree
    else:
        means = np.mean([result.known for result in results], axis=0)
        equals = np.flatnonzero(means[:, 0] == means[:, 0].max())
        best = int(equals[0 if ties is None else random_below(ties, len(equals))])
        values = tuple(map(float, means[best, 1:]))
        tree = None if shape is None or first.tree is None else tree_of_means(first.tree, root, means, best, shape)
    agreed = first.variation[0] == actions[best]
    return Analysis(
        action=actions[best],
        values=values,
        moves=tuple(
            MoveAnalysis(action, None if np.isnan(means[i, 0]) else float(means[i, 0]))
            for i, action in enumerate(actions)
        ),
        principal_variation=first.variation if agreed else (actions[best],),
        nodes=nodes,
        depth=depth,
        seconds=seconds,
        tree=tree,
    )
