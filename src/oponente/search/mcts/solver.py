"""MCTS-Solver: what is proven of a position, for any number of players and with chance.

Sources: M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo tree search solver" (2008); T. Cazenave, A. Saffidine,
"Score bounded Monte-Carlo tree search" (2010); J. Nijssen, M. Winands, "Enhancements for multi-player Monte-Carlo tree
search" (2010). Differences: each node has a proven least and greatest reward *for each player*, so nothing needs to be
zero-sum; at chance nodes they are averaged, outcomes not seen yet counting with the least and the greatest reward there
is; what is proven is not simulated again.

A node is proven when both bounds of all players meet. If several actions are best for the player to move, max^n has no
single value: one that is proven for all players counts if there is any, else the newest, with which the search goes on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import CHANCE, njit
from oponente.search.mcts.store import NO_NODE, load_children, load_first


@njit
def is_proven(tree: Any, node: Any, config: Any) -> bool:
    """Tell whether the value of a node is known for every player."""
    for p in range(config.players):
        if (
            tree.values[node * config.width + config.lower_at + p]
            < tree.values[node * config.width + config.upper_at + p]
        ):
            return False
    return True


@njit
def prove_end(tree: Any, node: Any, totals: Any, weight: Any, config: Any) -> None:
    """Note the rewards of a finished game, of which `totals` is `weight` times as much."""
    for p in range(config.players):
        at = node * config.width + p
        tree.values[at + config.lower_at] = tree.values[at + config.upper_at] = totals[p] / weight


@njit
def tighten(tree: Any, node: Any, config: Any, low: Any, high: Any) -> bool:
    """Derive the bounds of a node from its children's; tell whether they have changed.

    Args:
        tree: the tree.
        node: a node that was expanded.
        config: `Config` record.
        low, high: float64 work space, one a player.
    """
    if tree.nodes[node].mover == CHANCE:
        average_bounds(tree, node, config, low, high)
    else:
        choose_bounds(tree, node, config, low, high)
    changed = False
    for p in range(config.players):
        at = node * config.width + p
        if low[p] > tree.values[at + config.upper_at] or high[p] < tree.values[at + config.lower_at]:
            # Another one of several best actions counts now, and is worth something else to this player.
            tree.values[at + config.lower_at], tree.values[at + config.upper_at] = low[p], high[p]
            changed = True
        if low[p] > tree.values[at + config.lower_at]:
            tree.values[at + config.lower_at] = low[p]
            changed = True
        if high[p] < tree.values[at + config.upper_at]:
            tree.values[at + config.upper_at] = high[p]
            changed = True
    return changed


@njit
def average_bounds(tree: Any, node: Any, config: Any, low: Any, high: Any) -> None:
    """Write the bounds of a chance node."""
    more = load_children(tree.nodes, node) < tree.nodes[node].listed
    for p in range(config.players):
        low[p], high[p] = 0.0, 0.0
    left = 1.0
    child = np.int64(load_first(tree.stats, node))
    while child != NO_NODE:
        prob = tree.values[child * config.width + config.prior_at]
        left -= prob
        for p in range(config.players):
            low[p] += prob * tree.values[child * config.width + config.lower_at + p]
            high[p] += prob * tree.values[child * config.width + config.upper_at + p]
        child = np.int64(tree.stats[child].sibling)
    if more and left > 0.0:
        for p in range(config.players):
            low[p] += left * config.least
            high[p] += left * config.greatest


@njit
def choose_bounds(tree: Any, node: Any, config: Any, low: Any, high: Any) -> None:
    """Write the bounds of a node at which a player chooses."""
    mover = np.int64(tree.nodes[node].mover)
    more = load_children(tree.nodes, node) < tree.nodes[node].listed
    newest = np.int64(load_first(tree.stats, node))
    best, sure, others = np.int64(NO_NODE), -np.inf, -np.inf
    # The child that is sure of most, and what others may reach.
    child, settled = newest, False
    while child != NO_NODE:
        at = child * config.width + mover
        lower = tree.values[at + config.lower_at]
        if best == NO_NODE or lower > sure or (lower == sure and not settled and is_proven(tree, child, config)):
            if best != NO_NODE:
                others = max(others, tree.values[best * config.width + config.upper_at + mover])
            best, sure, settled = child, lower, is_proven(tree, child, config)
        else:
            others = max(others, tree.values[at + config.upper_at])
        child = np.int64(tree.stats[child].sibling)
    if more:
        others = max(others, config.greatest)
    if sure >= others:
        for p in range(config.players):
            low[p], high[p] = (
                tree.values[best * config.width + config.lower_at + p],
                tree.values[best * config.width + config.upper_at + p],
            )
        return
    # Any child that may be best may be chosen.
    for p in range(config.players):
        low[p], high[p] = np.inf, -np.inf
    child = newest
    while child != NO_NODE:
        if tree.values[child * config.width + config.upper_at + mover] >= sure:
            for p in range(config.players):
                low[p] = min(low[p], tree.values[child * config.width + config.lower_at + p])
                high[p] = max(high[p], tree.values[child * config.width + config.upper_at + p])
        child = np.int64(tree.stats[child].sibling)
    if more:
        for p in range(config.players):
            low[p], high[p] = min(low[p], config.least), max(high[p], config.greatest)
    low[mover] = sure
