"""Backpropagation: what a simulation has found goes to all nodes on its way.

With max^n (C. Luckhardt, K. Irani 1986; N. Sturtevant 2008 for UCT) each node sums a reward for each player, and
whoever moves goes by the own one; paranoid and best-reply only change whose reward a player goes by (see
:func:`~oponente.search.mcts.selection.perspective`), so that rewards need never be signed anew.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import CHANCE, atomic_add, inlined, njit
from oponente.search.mcts.parameters import MAXN
from oponente.search.mcts.selection import perspective
from oponente.search.mcts.solver import tighten
from oponente.search.mcts.store import NO_NODE, add_pending, add_visits


@inlined
def back_up(tree: Any, path: Any, length: Any, totals: Any, squares: Any, weight: Any, stamp: Any, config: Any) -> None:
    """Add the rewards of a simulation to the nodes of its path.

    Args:
        tree: the tree.
        path: int32, the nodes.
        length: how many.
        totals, squares: float64, one a player: sums over the playouts from the leaf.
        weight: how many playouts there were.
        stamp: of the simulation.
        config: `Config` record.
    """
    players = np.int64(totals.size)
    for i in range(length - 1, -1, -1):
        node = np.int64(path[i])
        if config.solver:
            within_bounds(tree, node, totals, weight, config)
        if config.shared:
            visits = np.int64(add_visits(tree.stats, node, np.int32(weight))) + weight
            for p in range(players):
                atomic_add(tree.values, node * config.width + p, totals[p])
            if i >= config.trees:
                add_pending(tree.nodes, node, np.int32(-1))
        else:
            visits = np.int64(tree.stats[node].visits) + weight
            tree.stats[node].visits = visits
            for p in range(players):
                tree.values[node * config.width + p] += totals[p]
        if config.stamping:
            tree.values[node * config.width + config.stamp_at] = stamp
        if i < config.trees:
            continue
        who, sign, shift = np.int64(max(tree.nodes[node].chooser, 0)), 1.0, 0.0
        if config.backup != MAXN:
            who, sign, shift = perspective(np.int64(tree.nodes[node].chooser), config)
        inverse = 1.0 / visits
        mean = tree.values[node * config.width + who] * inverse
        if config.backup != MAXN:
            mean = shift + sign * mean
        tree.stats[node].average = mean
        tree.stats[node].spread = math.sqrt(inverse)
        if config.kind != 0:
            add_squares(tree, node, totals[who], squares[who], sign, shift, weight, config)


@njit
def within_bounds(tree: Any, node: Any, totals: Any, weight: Any, config: Any) -> None:
    """Move the rewards of a simulation to between what is proven of a node: it was no good play of who chose it.

    (A simulation that tries what may be better than a proven action must not make the position look worse than that.)
    """
    for p in range(config.players):
        at = node * config.width + p
        lower, upper = tree.values[at + config.lower_at] * weight, tree.values[at + config.upper_at] * weight
        totals[p] = min(max(totals[p], lower), upper)


@njit
def add_squares(tree: Any, node: Any, total: Any, square: Any, sign: Any, shift: Any, weight: Any, config: Any) -> None:
    """Add the squared rewards of who chose a node: ``(shift + sign r)^2`` summed over the playouts."""
    value = weight * shift * shift + 2.0 * sign * shift * total + square
    if config.shared:
        atomic_add(tree.values, node * config.width + config.squares_at, value)
    else:
        tree.values[node * config.width + config.squares_at] += value


@njit
def prove_upwards(tree: Any, path: Any, leaf: Any, work: Any, config: Any) -> None:
    """Carry what was proven of the node at place `leaf` of the path towards the root, as far as it changes anything."""
    for i in range(leaf - 1, -1, -1):
        if not tighten(tree, np.int64(path[i]), config, work.low, work.high):
            return


@njit
def back_up_heuristics(tree: Any, path: Any, length: Any, config: Any) -> None:
    """Give every inner node of the path the evaluation of the child that is best for its mover; chance averages.

    Source: M. Lanctot, M. Winands, T. Pepels, N. Sturtevant, "Monte Carlo tree search with heuristic evaluations using
    implicit minimax backups" (2014).
    """
    for i in range(length - 2, -1, -1):
        node = np.int64(path[i])
        mover = np.int64(tree.nodes[node].mover)
        if mover == CHANCE:
            average_heuristics(tree, node, config)
            continue
        who, sign, _ = perspective(mover, config)
        best, best_value = np.int64(NO_NODE), -np.inf
        child = np.int64(tree.stats[node].first)
        while child != NO_NODE:
            value = sign * tree.values[child * config.width + config.heuristic_at + who]
            if tree.stats[child].visits > 0 and value >= best_value:
                best, best_value = child, value
            child = np.int64(tree.stats[child].sibling)
        if best != NO_NODE:
            for p in range(config.players):
                tree.values[node * config.width + config.heuristic_at + p] = tree.values[
                    best * config.width + config.heuristic_at + p
                ]


@njit
def average_heuristics(tree: Any, node: Any, config: Any) -> None:
    """Give a chance node the mean evaluation of its outcomes, by how often they were drawn."""
    visits = 0
    for p in range(config.players):
        tree.values[node * config.width + config.heuristic_at + p] = 0.0
    child = np.int64(tree.stats[node].first)
    while child != NO_NODE:
        n = tree.stats[child].visits
        visits += n
        for p in range(config.players):
            tree.values[node * config.width + config.heuristic_at + p] += (
                n * tree.values[child * config.width + config.heuristic_at + p]
            )
        child = np.int64(tree.stats[child].sibling)
    if visits > 0:
        for p in range(config.players):
            tree.values[node * config.width + config.heuristic_at + p] /= visits
