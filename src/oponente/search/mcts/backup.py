"""Backpropagation: what a simulation has found goes to all nodes on its way.

With max^n (C. Luckhardt, K. Irani 1986; N. Sturtevant 2008 for UCT) each node sums a reward for each player, and
whoever moves goes by the own one; paranoid and best-reply only change whose reward a player goes by (see
:func:`~oponente.search.mcts.rewards.perspective`), so that rewards need never be signed anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import CHANCE, inlined, njit
from oponente.search.mcts.rewards import perspective
from oponente.search.mcts.sharing import keep, refresh, squared
from oponente.search.mcts.solver import tighten
from oponente.search.mcts.store import NO_NODE, load_first


@inlined
def back_up(
    tree: Any,
    work: Any,
    length: Any,
    totals: Any,
    weight: Any,
    stamp: Any,
    config: Any,
    extras: Any,
    shared: Any,
) -> None:
    """Add the rewards of a simulation to the nodes of its path.

    Args:
        tree: the tree.
        work: its path holds the nodes, its squares the sums of the squared rewards of each player.
        length: how many nodes there are.
        totals: float64, the sum of the rewards of each player over the playouts from the leaf.
        weight: how many playouts there were.
        stamp: of the simulation.
        config: `Config` record.
        extras, shared: what is compiled in.
    """
    players = np.int64(totals.size)
    for i in range(length - 1, -1, -1):
        node = np.int64(work.path[i])
        if extras is not None and config.solver:
            within_bounds(tree, node, totals, work.squares, weight, config)
        if extras is not None and config.stamping:
            tree.values[node * config.width + config.stamp_at] = stamp
        if shared is not None and config.shared:
            keep(tree, work, i, totals, weight, config, extras)
            continue
        tree.stats[node].visits += weight
        for p in range(players):
            tree.values[node * config.width + p] += totals[p]
        if extras is not None and config.normalising:
            widen(tree, node, totals, weight, config)
        if extras is not None and config.expecting:
            expect(tree, node, totals, weight, i == length - 1, config)
        if i > 0:
            refresh(tree, node, config, extras)
        if extras is not None and config.kind != 0:
            who, sign, shift = perspective(np.int64(tree.nodes[node].chooser), config)
            tree.values[node * config.width + config.squares_at] += squared(
                totals[who], work.squares[who], sign, shift, weight
            )


@njit
def widen(tree: Any, node: Any, totals: Any, weight: Any, config: Any) -> None:
    """Note the least and the greatest reward of the simulations through a node; of several at once their mean."""
    for p in range(config.players):
        reward, at = totals[p] / weight, node * config.width + p
        tree.values[at + config.least_at] = min(tree.values[at + config.least_at], reward)
        tree.values[at + config.greatest_at] = max(tree.values[at + config.greatest_at], reward)


@njit
def expect(tree: Any, node: Any, totals: Any, weight: Any, ended: Any, config: Any) -> None:
    """Work out what a node is worth by open-loop expectimax, after a simulation through it that is counted already."""
    begin, at = node * config.width, node * config.width + config.ended_at
    if ended:
        tree.values[at] += weight
        for p in range(config.players):
            tree.values[at + 1 + p] += totals[p]
    visits, reached = np.float64(tree.stats[node].visits), 0.0
    child = np.int64(tree.stats[node].first)
    while child != NO_NODE:
        reached += tree.stats[child].visits
        child = np.int64(tree.stats[child].sibling)
    # Simulations that went on where there was no room for a node count as having ended here.
    below = visits - tree.values[at]
    known = visits if reached > 0.0 else max(tree.values[at], 1.0)
    for p in range(config.players):
        tree.values[begin + config.expected_at + p] = tree.values[at + 1 + p] / known
    if reached == 0.0:
        return
    # Who moves here differs between simulations: each counts as often as it was so.
    for chooser in range(CHANCE, config.players):
        seen, best, best_value = 0.0, np.int64(NO_NODE), -np.inf
        who, sign, _ = perspective(np.int64(chooser), config)
        child = np.int64(tree.stats[node].first)
        while child != NO_NODE:
            n = np.float64(tree.stats[child].visits)
            if n > 0.0 and tree.nodes[child].chooser == chooser:
                seen += n
                if chooser == CHANCE:
                    for p in range(config.players):
                        value = tree.values[child * config.width + config.expected_at + p]
                        tree.values[begin + config.expected_at + p] += value * n / reached * below / known
                else:
                    value = sign * tree.values[child * config.width + config.expected_at + who]
                    if value > best_value:
                        best, best_value = child, value
            child = np.int64(tree.stats[child].sibling)
        if best != NO_NODE:
            for p in range(config.players):
                value = tree.values[best * config.width + config.expected_at + p]
                tree.values[begin + config.expected_at + p] += value * seen / reached * below / known


@njit
def within_bounds(tree: Any, node: Any, totals: Any, squares: Any, weight: Any, config: Any) -> None:
    """Move the rewards of a simulation to between what is proven of a node: it was no good play of who chose it.

    (A simulation that tries what may be better than a proven action must not make the position look worse than that.)
    """
    for p in range(config.players):
        at = node * config.width + p
        lower, upper = tree.values[at + config.lower_at] * weight, tree.values[at + config.upper_at] * weight
        if totals[p] < lower or totals[p] > upper:
            totals[p] = min(max(totals[p], lower), upper)
            squares[p] = totals[p] * totals[p] / weight


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
        child = np.int64(load_first(tree.stats, node))
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
    child = np.int64(load_first(tree.stats, node))
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
