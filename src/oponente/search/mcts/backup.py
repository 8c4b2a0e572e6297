"""Backpropagation: what a simulation has found goes to all nodes on its way.

With max^n (C. Luckhardt, K. Irani 1986; N. Sturtevant 2008 for UCT) each node sums a reward for each player, and whoever
moves goes by the own one; paranoid and best-reply only change whose reward a player goes by (see
:func:`~oponente.search.mcts.selection.perspective`), so that rewards need never be signed anew.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import CHANCE, atomic_add, njit
from oponente.search.mcts.parameters import MAXN
from oponente.search.mcts.selection import perspective
from oponente.search.mcts.solver import tighten
from oponente.search.mcts.store import NO_NODE


@njit
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
    for i in range(length):
        node = np.int64(path[i])
        if config.shared:
            visits = np.int64(atomic_add(tree.visits, node, np.int32(weight))) + weight
            for p in range(players):
                atomic_add(tree.totals, node * players + p, totals[p])
            if i >= config.trees:
                atomic_add(tree.pending, node, np.int32(-1))
        else:
            visits = np.int64(tree.visits[node]) + weight
            tree.visits[node] = visits
            for p in range(players):
                tree.totals[node * players + p] += totals[p]
        if config.stamping:
            tree.stamp[node] = stamp
        if i < config.trees:
            continue
        who, sign, shift = np.int64(max(tree.chooser[node], 0)), 1.0, 0.0
        if config.backup != MAXN:
            who, sign, shift = perspective(np.int64(tree.chooser[node]), config)
        inverse = 1.0 / visits
        mean = tree.totals[node * players + who] * inverse
        if config.backup != MAXN:
            mean = shift + sign * mean
        tree.bounds[2 * node] = mean
        tree.bounds[2 * node + 1] = math.sqrt(inverse)
        if config.kind != 0:
            add_squares(tree, node, totals[who], squares[who], sign, shift, weight, config)


@njit
def add_squares(
    tree: Any, node: Any, total: Any, square: Any, sign: Any, shift: Any, weight: Any, config: Any
) -> None:
    """Add the squared rewards of who chose a node: ``(shift + sign r)^2`` summed over the playouts."""
    value = weight * shift * shift + 2.0 * sign * shift * total + square
    if config.shared:
        atomic_add(tree.squares, node, value)
    else:
        tree.squares[node] += value


@njit
def prove_upwards(tree: Any, path: Any, leaf: Any, work: Any, config: Any) -> None:
    """Carry what was proven of the node at place `leaf` of the path towards the root, as far as it changes anything."""
    players = np.int64(work.rewards.size)
    for i in range(leaf - 1, -1, -1):
        if not tighten(tree, np.int64(path[i]), players, config, work.low, work.high):
            return


@njit
def back_up_heuristics(tree: Any, path: Any, length: Any, players: Any, config: Any) -> None:
    """Give every inner node of the path the evaluation of the child that is best for its mover; chance averages.

    Source: M. Lanctot, M. Winands, T. Pepels, N. Sturtevant, "Monte Carlo tree search with heuristic evaluations using
    implicit minimax backups" (2014).
    """
    for i in range(length - 2, -1, -1):
        node = np.int64(path[i])
        mover = np.int64(tree.mover[node])
        if mover == CHANCE:
            average_heuristics(tree, node, players)
            continue
        who, sign, _ = perspective(mover, config)
        best, best_value = np.int64(NO_NODE), -np.inf
        child = np.int64(tree.first[node])
        while child != NO_NODE:
            value = sign * tree.heuristic[child * players + who]
            if tree.visits[child] > 0 and value >= best_value:
                best, best_value = child, value
            child = np.int64(tree.sibling[child])
        if best != NO_NODE:
            for p in range(players):
                tree.heuristic[node * players + p] = tree.heuristic[best * players + p]


@njit
def average_heuristics(tree: Any, node: Any, players: Any) -> None:
    """Give a chance node the mean evaluation of its outcomes, by how often they were drawn."""
    visits = 0
    for p in range(players):
        tree.heuristic[node * players + p] = 0.0
    child = np.int64(tree.first[node])
    while child != NO_NODE:
        n = tree.visits[child]
        visits += n
        for p in range(players):
            tree.heuristic[node * players + p] += n * tree.heuristic[child * players + p]
        child = np.int64(tree.sibling[child])
    if visits > 0:
        for p in range(players):
            tree.heuristic[node * players + p] /= visits
