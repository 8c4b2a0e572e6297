"""The top of a search's tree: of depth-first searches from what their kernel noted, of others from their moves."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from oponente.kernel import CHANCE, State
from oponente.search.analysis import MoveAnalysis, TreeNode, TreeShape
from oponente.search.frames import NOTED, Work


def top_of_tree(work: Work, root: State, shape: TreeShape, variation: Sequence[int], floor: float) -> TreeNode:
    """Return the top of the tree that the search of `root` has just left in its notes.

    Args:
        work: the memory of the search.
        root: the position that was searched.
        shape: how much to show.
        variation: the principal variation.
        floor: the least value that a position can have.
    """
    return _Notes(work, shape, root.player, floor).node(0, root.copy(), "", shape.depth, tuple(variation))


def tree_of_means(tree: TreeNode, root: State, means: Any, best: int, shape: TreeShape) -> TreeNode:
    """Return one tree for several samples: what was found at the root, and below the tree of the first sample.

    Args:
        tree: that of the first sample.
        root: the first sample.
        means: a row an action at the root: mean value for the player to move, then for every player; NaN: not known.
        best: the place of the chosen action.
        shape: how much to show.
    """
    known = {child.label: child for child in tree.children}
    actions = list(root.legal_actions)
    order = sorted(range(len(actions)), key=lambda i: (i != best, -np.nan_to_num(means[i, 0], nan=-np.inf)))
    children = []
    for i in order[: shape.width]:
        label = root.action_text(actions[i])
        child = known.get(label, TreeNode(label, None))
        value, values = float(means[i, 0]), tuple(map(float, means[i, 1:]))
        children.append(dataclasses.replace(child, value=value, values=values, bound="", best=i == best))
    return dataclasses.replace(
        tree,
        value=float(means[best, 0]),
        values=tuple(map(float, means[best, 1:])),
        bound="",
        hidden=len(actions) - len(children),
        children=tuple(children),
    )


def tree_of_moves(root: State, moves: Sequence[MoveAnalysis], means: Any, chosen: int, shape: TreeShape) -> TreeNode:
    """Return a tree of one ply, of a search that keeps no more.

    Args:
        root: the position that was searched.
        moves: the actions at the root.
        means: a row an action: mean value for every player.
        chosen: the action chosen.
        shape: how much to show.
    """
    order = sorted(
        range(len(moves)),
        key=lambda i: (moves[i].action != chosen, -(-np.inf if moves[i].value is None else float(moves[i].value or 0))),
    )
    children = tuple(
        TreeNode(
            label=root.action_text(moves[i].action),
            player=None,
            value=moves[i].value,
            values=() if moves[i].value is None else tuple(map(float, means[i])),
            visits=moves[i].visits,
            best=moves[i].action == chosen,
        )
        for i in order[: shape.width]
    )
    visits = sum(move.visits for move in moves)
    return TreeNode(
        label="",
        player=root.player,
        value=children[0].value,
        values=children[0].values,
        visits=visits,
        best=True,
        hidden=len(moves) - len(children),
        children=children,
    )


class _Notes:
    """The notes of a search, read as a tree."""

    def __init__(self, work: Work, shape: TreeShape, me: int, floor: float) -> None:
        self.notes, self.values = work.notes, work.note_values
        self.width, self.me, self.floor = shape.width, me, floor
        self.below: dict[int, list[int]] = {}
        for row in range(1, int(work.report[NOTED])):
            if self.notes[row].done:
                self.below.setdefault(int(self.notes[row].parent), []).append(row)

    def node(self, row: int, state: State, label: str, depth: int, variation: tuple[int, ...] | None) -> TreeNode:
        """Return the node of a row; `variation` is what follows on the principal variation, None beside it."""
        note = self.notes[row]
        best = variation[0] if variation else None
        children = []
        rows = self.below.get(row, []) if depth > 0 else []
        for each in sorted(rows, key=lambda r: self._rank(r, int(note.mover), best))[: self.width]:
            action = int(self.notes[each].move)
            after = state.copy()
            after.apply(action)
            following = variation[1:] if variation and action == best else None
            children.append(self.node(each, after, state.action_text(action), depth - 1, following))
        value, bound = self._value(row)
        return TreeNode(
            label=label,
            player=int(note.mover),
            value=value,
            values=tuple(map(float, self.values[row])) if bound == "=" else (),
            visits=int(note.nodes),
            bound=bound,
            probability=float(note.prob) if note.prob >= 0.0 else None,
            best=variation is not None,
            hidden=int(note.count) - len(children),
            children=tuple(children),
        )

    def _value(self, row: int) -> tuple[float | None, str]:
        low, high = float(self.notes[row].low), float(self.notes[row].high)
        if low == high:
            return low, "="
        if low > self.floor:
            return low, ">="
        return (high, "<=") if np.isfinite(high) else (None, "")

    def _rank(self, row: int, mover: int, best: int | None) -> tuple[bool, bool, float]:
        """Return a key: the principal variation comes first, then what the mover likes; outcomes by probability."""
        note = self.notes[row]
        if mover == CHANCE:
            return False, False, -float(note.prob)
        exact = note.low == note.high
        worth = self.values[row, mover] if exact else note.high if mover == self.me else -note.low
        return int(note.move) != best, not exact, -float(worth)
