"""Several threads on one tree: locks only where children are made, no visit lost, few writes to what all read.

Where two threads write to the same memory, each write costs as much as a short playout. Nodes near the root would be
written to in every simulation, though one more visit changes nothing there. So a thread keeps what it has found of an
often visited node to itself until that is a small share (1 / `SHARE`) of all that is known of it, and then hands it
over. Elsewhere threads rarely meet; there every simulation counts at once, and is announced on its way down, so that
the others take other ways (G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008, virtual
loss; A. Liu et al., "Watch the unobserved", ICLR 2020).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import atomic_add, inlined, njit
from oponente.search.mcts.parameters import MAXN
from oponente.search.mcts.rewards import perspective
from oponente.search.mcts.store import add_pending, add_visits
from oponente.search.mcts.work import SLOTS

BUSY = 128
"""Visits from which on a node is one that is often visited."""
SHARE = 32
MOST = 256
"""Visits that a thread keeps to itself at most."""


@inlined
def announce(tree: Any, work: Any, place: Any) -> None:
    """Let other threads know that a simulation is on its way through the node at a place of the path."""
    node = np.int64(work.path[place])
    work.announced[place] = 0
    if tree.stats[node].visits < BUSY:
        work.announced[place] = 1
        add_pending(tree.nodes, node, np.int32(1))


@njit
def take_back(tree: Any, work: Any, length: Any) -> None:
    """Forget that a simulation is on its way: it was broken off."""
    for i in range(length):
        if work.announced[i] != 0:
            add_pending(tree.nodes, np.int64(work.path[i]), np.int32(-1))


@inlined
def keep(tree: Any, work: Any, place: Any, totals: Any, weight: Any, config: Any, extras: Any) -> None:
    """Count a simulation for the node at a place of its path, at once or later."""
    node = np.int64(work.path[place])
    square = 0.0
    if extras is not None and config.kind != 0:
        who, sign, shift = perspective(np.int64(tree.nodes[node].chooser), config)
        square = squared(totals[who], work.squares[who], sign, shift, weight)
    visits = np.int64(tree.stats[node].visits)
    if visits < BUSY:
        add(tree, node, weight, totals, square, config, extras)
        if work.announced[place] != 0:
            add_pending(tree.nodes, node, np.int32(-1))
        return
    if work.announced[place] != 0:
        add_pending(tree.nodes, node, np.int32(-1))
    kept = work.kept[node % SLOTS]
    if kept.node != node:
        hand_over(tree, kept, config, extras)
        kept.node = node
    kept.visits += weight
    kept.squares += square
    for p in range(config.players):
        kept.totals[p] += totals[p]
    if kept.visits >= min(visits // SHARE, MOST):
        hand_over(tree, kept, config, extras)


@njit
def hand_over(tree: Any, kept: Any, config: Any, extras: Any) -> None:
    """Add what is kept of a node to the tree."""
    if kept.visits > 0:
        add(tree, np.int64(kept.node), np.int64(kept.visits), kept.totals, kept.squares, config, extras)
        kept.visits = 0
        kept.squares = 0.0
        for p in range(config.players):
            kept.totals[p] = 0.0


@njit
def hand_over_all(tree: Any, work: Any, config: Any, extras: Any) -> None:
    """Add all that a thread keeps to the tree."""
    for slot in range(SLOTS):
        hand_over(tree, work.kept[slot], config, extras)


@njit
def add(tree: Any, node: Any, weight: Any, totals: Any, square: Any, config: Any, extras: Any) -> None:
    """Add to a node what some simulations have found."""
    add_visits(tree.stats, node, np.int32(weight))
    for p in range(config.players):
        atomic_add(tree.values, node * config.width + p, totals[p])
    if extras is not None and config.kind != 0:
        atomic_add(tree.values, node * config.width + config.squares_at, square)
    if node >= config.trees:
        refresh(tree, node, config, extras)


@inlined
def refresh(tree: Any, node: Any, config: Any, extras: Any) -> None:
    """Derive what plain selection looks at from the sums of a node."""
    who, sign, shift = np.int64(max(tree.nodes[node].chooser, 0)), 1.0, 0.0
    if extras is not None and config.backup != MAXN:
        who, sign, shift = perspective(np.int64(tree.nodes[node].chooser), config)
    inverse = 1.0 / tree.stats[node].visits
    mean = tree.values[node * config.width + who] * inverse
    if extras is not None and config.backup != MAXN:
        mean = shift + sign * mean
    tree.stats[node].average = mean
    tree.stats[node].spread = math.sqrt(inverse)


@njit
def squared(total: Any, square: Any, sign: Any, shift: Any, weight: Any) -> Any:
    """Return the sum of ``(shift + sign r)^2`` over playouts: `total` is that of the rewards r, `square` of ``r^2``."""
    return weight * shift * shift + 2.0 * sign * shift * total + square
