"""Risk: the thesis's agent Monte Carlo, which is Cluster in all but the attack.

A tree kept across games holds positions that were met when it was to attack. At each such decision it finds or makes
the node of the position. A node without children, or with too few, draws an action at random; if it is new, the agent
*explores* for the rest of the game, where Cluster attacks and nothing is noted. A node with children: one time in
twenty an action at random, otherwise that of the child with the greatest ``v/n + sqrt(2) sqrt(ln N / n)``, the last of
equals, N being the visits of the node. An attack is repeated to the end and counts as one action.

In the end 1 is added to the values of all nodes noted, or taken off, and 1 to their visits; each action noted that was
followed by another node makes that its child (:meth:`oponente.games.risk.thesis.tree.Tree.learn`).

The thesis proposes coarser states, in which so many more positions are the same, and a minimum of children before they
are compared; both are parameters here.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.games.risk.board import armies_at, larger
from oponente.games.risk.moves import ATTACKING, DONE
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.cluster import cluster_attack, cluster_other_step
from oponente.games.risk.thesis.common import EXPLORING, PATH, STEPS, attack_with, enemies, is_own, owned_at
from oponente.games.risk.thesis.random import is_able
from oponente.kernel import mix64, njit, random_below, random_unit
from oponente.kernel.bits import lowest_bit, popcount

MOST_STEPS = 1024
NODES, EDGES = 0, 1
"""Where a tree's counts have the number of nodes and of edges."""
EXPLORATION = math.sqrt(2.0)
_BASIS = np.uint64(0x9E3779B97F4A7C15)


@njit
def montecarlo_step(game: Any, state: Any, rng: Any, memory: Any, tree: Any, key: Any) -> int:
    """Return what Monte Carlo does.

    Args:
        game, state: the position.
        rng: stream.
        memory: int32, the agent's row.
        tree: see :class:`oponente.games.risk.thesis.tree.TreeArrays`.
        key: int16 work space, one per territory.
    """
    if state.phase != ATTACKING:
        return cluster_other_step(game, state, memory)
    if memory[EXPLORING]:
        return cluster_attack(game, state, memory)
    origin, target = np.int64(state.origin), np.int64(state.target)
    if origin != NONE and not is_own(state, target) and armies_at(state, origin) >= 2:
        return attack_with(origin, target)
    if memory[STEPS] == MOST_STEPS:
        memory[EXPLORING] = 1
        return cluster_attack(game, state, memory)
    return decide(game, state, rng, memory, tree, key)


@njit
def decide(game: Any, state: Any, rng: Any, memory: Any, tree: Any, key: Any) -> int:
    """Return the action for the node of the position, and note both."""
    write_key(game, state, tree.coarse[0], key)
    node = find_node(tree, key)
    fresh = node < 0
    if fresh:
        node = add_node(tree, key)
    action = np.int64(DONE)
    if tree.nodes[node].edges < tree.branching[0] or random_unit(rng) < tree.randomness[0]:
        action = random_attack_or_pass(game, state, rng)
    else:
        action = best_action(tree, node)
    steps = np.int64(memory[STEPS])
    memory[PATH + 2 * steps], memory[PATH + 2 * steps + 1] = node, action
    memory[STEPS] = steps + 1
    memory[EXPLORING] = fresh
    return action


@njit
def write_key(game: Any, state: Any, coarse: Any, key: Any) -> None:
    """Write the armies of each territory, those of others below zero; or the class of their number."""
    for territory in range(game.rules.territories):
        armies = armies_at(state, territory)
        if coarse:
            armies = army_class(armies)
        key[territory] = armies if is_own(state, territory) else -armies


@njit
def army_class(armies: Any) -> int:
    """Return the class of a number of armies: 1, 2, 3, 4-5, 6-9, 10-19, 20 and more."""
    if armies < 4:
        return armies
    if armies < 6:
        return np.int64(4)
    if armies < 10:
        return np.int64(5)
    return np.int64(6) if armies < 20 else np.int64(7)


@njit
def key_slot(tree: Any, key: Any) -> Any:
    """Return where the search for a key begins in the hash table."""
    value = _BASIS
    for territory in range(key.size):
        value = mix64(value ^ np.uint64(np.int64(key[territory]) + 65536))
    return np.int64(value & np.uint64(tree.slots.size - 1))


@njit
def find_node(tree: Any, key: Any) -> int:
    """Return the node with a key, -1 if there is none."""
    slot = key_slot(tree, key)
    while tree.slots[slot] > 0:
        node = np.int64(tree.slots[slot]) - 1
        same = True
        for territory in range(key.size):
            same = same and tree.nodes[node].armies[territory] == key[territory]
        if same:
            return node
        slot = (slot + 1) & (tree.slots.size - 1)
    return np.int64(-1)


@njit
def add_node(tree: Any, key: Any) -> int:
    """Add a node with a key that no other has; return its number."""
    node = np.int64(tree.counts[NODES])
    tree.counts[NODES] = node + 1
    for territory in range(key.size):
        tree.nodes[node].armies[territory] = key[territory]
    tree.nodes[node].visits = tree.nodes[node].value = tree.nodes[node].edges = 0
    tree.nodes[node].first = -1
    slot = key_slot(tree, key)
    while tree.slots[slot] > 0:
        slot = (slot + 1) & (tree.slots.size - 1)
    tree.slots[slot] = node + 1
    return node


@njit
def best_action(tree: Any, node: Any) -> int:
    """Return the action that leads to the child with the greatest upper confidence bound, the last of equals."""
    best, action = -np.inf, np.int64(DONE)
    width = math.log(larger(np.int64(tree.nodes[node].visits), 1))
    edge = np.int64(tree.nodes[node].first)
    while edge >= 0:
        child = np.int64(tree.edges[edge].child)
        visits = larger(np.int64(tree.nodes[child].visits), 1)
        bound = tree.nodes[child].value / visits + EXPLORATION * math.sqrt(width / visits)
        if bound >= best:
            best, action = bound, np.int64(tree.edges[edge].action)
        edge = np.int64(tree.edges[edge].next)
    return action


@njit
def random_attack_or_pass(game: Any, state: Any, rng: Any) -> int:
    """Return an attack from a random territory that can attack to a random neighbour, or, as likely as one of all
    possible attacks would be if they were equally likely, the end of attacks.
    """
    able, pairs = 0, 0
    for place in range(game.rules.territories):
        territory = owned_at(state, place)
        if is_able(game, state, territory):
            able += 1
            pairs += popcount(enemies(game, state, territory))
    if random_below(rng, pairs + 1) == 0:
        return np.int64(DONE)
    n = random_below(rng, able)
    for place in range(game.rules.territories):
        territory = owned_at(state, place)
        if is_able(game, state, territory):
            if n == 0:
                hostile = enemies(game, state, territory)
                for _ in range(random_below(rng, popcount(hostile))):
                    hostile &= hostile - np.uint64(1)
                return attack_with(territory, lowest_bit(hostile))
            n -= 1
    return np.int64(DONE)
