"""MCTS-Solver: what is proven of a position, for any number of players and with chance.

Sources: M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo tree search solver" (2008); T. Cazenave, A. Saffidine, "Score
bounded Monte-Carlo tree search" (2010); J. Nijssen, M. Winands, "Enhancements for multi-player Monte-Carlo tree search"
(2010). Differences: each node has a proven least and greatest reward *for each player*, so nothing needs to be zero-sum;
at chance nodes they are averaged, outcomes not seen yet counting with the least and the greatest reward there is.

A node is proven when both bounds of all players meet. If several actions are best for the player to move, max^n has no
single value; the action proven first counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import CHANCE, njit
from oponente.search.mcts.store import NO_NODE


@njit
def is_proven(tree: Any, node: Any, players: Any) -> bool:
    """Tell whether the value of a node is known for every player."""
    for p in range(players):  # noqa: SIM110 (Numba compiles no generator expression)
        if tree.lower[node * players + p] < tree.upper[node * players + p]:
            return False
    return True


@njit
def prove_end(tree: Any, node: Any, rewards: Any) -> None:
    """Note the rewards of a finished game."""
    for p in range(rewards.size):
        tree.lower[node * rewards.size + p] = tree.upper[node * rewards.size + p] = rewards[p]


@njit
def tighten(tree: Any, node: Any, players: Any, config: Any, low: Any, high: Any) -> bool:
    """Derive the bounds of a node from its children's; tell whether they have changed.

    Args:
        tree: the tree.
        node: a node that was expanded.
        players: of the game.
        config: `Config` record.
        low, high: float64 work space, one a player.
    """
    if tree.mover[node] == CHANCE:
        average_bounds(tree, node, players, config, low, high)
    else:
        choose_bounds(tree, node, players, config, low, high)
    changed = False
    for p in range(players):
        at = node * players + p
        if low[p] > tree.upper[at] or high[p] < tree.lower[at]:
            # Another one of several best actions counts now, and is worth something else to this player.
            tree.lower[at], tree.upper[at] = low[p], high[p]
            changed = True
        if low[p] > tree.lower[at]:
            tree.lower[at] = low[p]
            changed = True
        if high[p] < tree.upper[at]:
            tree.upper[at] = high[p]
            changed = True
    return changed


@njit
def average_bounds(tree: Any, node: Any, players: Any, config: Any, low: Any, high: Any) -> None:
    """Write the bounds of a chance node."""
    low[:] = 0.0
    high[:] = 0.0
    left = 1.0
    child = np.int64(tree.first[node])
    while child != NO_NODE:
        prob = tree.prior[child]
        left -= prob
        for p in range(players):
            low[p] += prob * tree.lower[child * players + p]
            high[p] += prob * tree.upper[child * players + p]
        child = np.int64(tree.sibling[child])
    if tree.children[node] < tree.listed[node] and left > 0.0:
        for p in range(players):
            low[p] += left * config.least
            high[p] += left * config.greatest


@njit
def choose_bounds(tree: Any, node: Any, players: Any, config: Any, low: Any, high: Any) -> None:
    """Write the bounds of a node at which a player chooses."""
    mover = np.int64(tree.mover[node])
    best, sure, others = np.int64(NO_NODE), -np.inf, -np.inf
    # The child that is sure of most, and what others may reach.
    child = np.int64(tree.first[node])
    while child != NO_NODE:
        at = child * players + mover
        if best == NO_NODE or tree.lower[at] >= sure:
            if best != NO_NODE:
                others = max(others, tree.upper[best * players + mover])
            best, sure = child, tree.lower[at]
        else:
            others = max(others, tree.upper[at])
        child = np.int64(tree.sibling[child])
    if tree.children[node] < tree.listed[node]:
        others = max(others, config.greatest)
    if sure >= others:
        for p in range(players):
            low[p], high[p] = tree.lower[best * players + p], tree.upper[best * players + p]
        return
    # Any child that may be best may be chosen.
    for p in range(players):
        low[p], high[p] = np.inf, -np.inf
    child = np.int64(tree.first[node])
    while child != NO_NODE:
        if tree.upper[child * players + mover] >= sure:
            for p in range(players):
                low[p] = min(low[p], tree.lower[child * players + p])
                high[p] = max(high[p], tree.upper[child * players + p])
        child = np.int64(tree.sibling[child])
    if tree.children[node] < tree.listed[node]:
        for p in range(players):
            low[p], high[p] = min(low[p], config.least), max(high[p], config.greatest)
    low[mover] = sure
