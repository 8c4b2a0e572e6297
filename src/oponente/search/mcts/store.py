"""The tree: nodes in preallocated arrays, children in linked lists, a bound on memory.

Children are made when they are first tried, so that a node with thousands of actions costs no more than what was tried
of it. Those of one node lie side by side as far as slots were reserved for them, which is what selection is fast by.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import atomic_add, entry, njit, volatile_load
from oponente.kernel.atomics import publish
from oponente.kernel.memory import private_zeros

ROOT = 0
"""Node 0 is the root; with multiple observers, nodes 0 to n - 1 are the roots of the players' trees."""
NO_NODE = 0
"""Ends a list: the root is nobody's child."""
UNKNOWN = -3
"""The mover of a node that was not looked at."""
BLOCK = 8
"""Slots reserved at a time for the children of one node."""
ALIGNED = 16
"""Items of 8 bytes that keep a counter apart from what other threads write."""


class Tree(NamedTuple):
    """A search tree. All arrays have an item for each node unless they say otherwise; those that no switched-on
    technique needs have length 1.
    """

    used: Any
    """int64, one item: slots handed out."""
    visits: Any
    """int32: simulations through the node."""
    totals: Any
    """float64, one a player and node: sums of the rewards."""
    bounds: Any
    """float64, two a node: mean reward of who chose it, and ``1 / sqrt(visits)``, ready for selection."""
    action: Any
    """int32: the action or outcome that leads to the node."""
    chooser: Any
    """int8: who took that action, or `CHANCE`."""
    mover: Any
    """int8: who moves at the node, `CHANCE`, `TERMINAL` or `UNKNOWN`. Closed loop only."""
    first: Any
    """int32: the newest child, or `NO_NODE`."""
    sibling: Any
    """int32: the next older child of the same parent, or `NO_NODE`."""
    children: Any
    """int32: how many children there are."""
    listed: Any
    """int32: how many actions the rules list at the node; 0: not known. Closed loop only."""
    room: Any
    """int32: slots reserved behind the newest child."""
    available: Any
    """int32: visits of the parent at which the action was legal. Open loop only."""
    estimate: Any
    """float64: what was thought of the action before it was tried, in rewards of who takes it."""
    prior: Any
    """float64: prior probability of the action; of chance outcomes, the probability."""
    squares: Any
    """float64: sum of the squared rewards of who chose the node."""
    heuristic: Any
    """float64, one a player and node: the evaluation, backed up by minimax."""
    lower: Any
    """float64, one a player and node: proven least reward."""
    upper: Any
    """float64, likewise: proven greatest reward."""
    pending: Any
    """int32: simulations on their way through the node."""
    stamp: Any
    """int64: the last simulation through the node."""
    lost: Any
    """int8: whether the action was seen to lose the game at once."""
    lock: Any
    """int32: 0, or more while a thread makes a child of the node."""


def new_tree(capacity: int, players: int, config: Any) -> Tree:
    """Return an empty tree with room for `capacity` nodes (memory is taken only as nodes are used).

    Args:
        capacity: nodes.
        players: of the game.
        config: a `Config` record; decides which arrays are needed.
    """

    def array(dtype: Any, per_node: int = 1, needed: Any = True) -> Any:
        return np.empty(capacity * per_node if needed else 1, dtype)

    return Tree(
        used=private_zeros(1, np.dtype(np.int64)),
        visits=array(np.int32),
        totals=array(np.float64, players),
        bounds=array(np.float64, 2),
        action=array(np.int32),
        chooser=array(np.int8),
        mover=array(np.int8),
        first=array(np.int32),
        sibling=array(np.int32),
        children=array(np.int32),
        listed=array(np.int32),
        room=array(np.int32),
        available=array(np.int32, needed=config.open),
        estimate=array(np.float64, needed=config.informed or config.bias > 0.0),
        prior=array(np.float64, needed=config.uses_prior or config.solver),
        squares=array(np.float64, needed=config.kind),
        heuristic=array(np.float64, players, config.implicit > 0.0),
        lower=array(np.float64, players, config.solver),
        upper=array(np.float64, players, config.solver),
        pending=array(np.int32, needed=config.shared),
        stamp=array(np.int64, needed=config.stamping),
        lost=array(np.int8, needed=config.losses),
        lock=array(np.int32, needed=config.shared),
    )


@njit
def clear_tree(tree: Any, config: Any, players: Any) -> None:
    """Leave nothing but a root for each tree."""
    tree.used[0] = config.trees
    for node in range(config.trees):
        clear_node(tree, node, np.int64(0), np.int64(0), config, players)
        tree.sibling[node] = NO_NODE


@njit
def clear_node(tree: Any, node: Any, action: Any, chooser: Any, config: Any, players: Any) -> None:
    """Make a node one that was never visited."""
    tree.visits[node] = 0
    for p in range(players):
        tree.totals[node * players + p] = 0.0
    tree.bounds[2 * node] = np.inf  # before anything that was visited
    tree.action[node] = action
    tree.chooser[node] = chooser
    tree.mover[node] = UNKNOWN
    tree.first[node] = NO_NODE
    tree.children[node] = 0
    tree.listed[node] = 0
    tree.room[node] = 0
    if not config.plain:
        clear_extras(tree, node, config, players)
    if config.shared:
        tree.pending[node] = 0
        tree.lock[node] = 0
    if config.stamping:
        tree.stamp[node] = 0
    if config.losses:
        tree.lost[node] = 0


@njit
def clear_extras(tree: Any, node: Any, config: Any, players: Any) -> None:
    """Clear what only some techniques need."""
    if config.open:
        tree.available[node] = 0
    if config.informed or config.bias > 0.0:
        tree.estimate[node] = 0.0
    if config.uses_prior or config.solver:
        tree.prior[node] = 0.0
    if config.kind != 0:
        tree.squares[node] = 0.0
    if config.implicit > 0.0:
        for p in range(players):
            tree.heuristic[node * players + p] = 0.0
    if config.solver:
        for p in range(players):
            tree.lower[node * players + p] = config.least
            tree.upper[node * players + p] = config.greatest


@njit
def add_child(
    tree: Any, parent: Any, action: Any, chooser: Any, wanted: Any, config: Any, players: Any
) -> Any:
    """Make a child of `parent` that was never visited and return it; `NO_NODE` if there is no room for one.

    Args:
        tree: the tree.
        parent: the node that gets the child.
        action: that leads to it.
        chooser: who takes it.
        wanted: how many more children the parent may get: slots for some are reserved.
        config: `Config` record.
        players: of the game.
    """
    room = np.int64(tree.room[parent])
    if room > 0:
        node = np.int64(tree.first[parent]) + 1
        tree.room[parent] = room - 1
    else:
        node, reserved = take_slots(tree, min(max(wanted, 1), BLOCK), config)
        if reserved == 0:
            return np.int64(NO_NODE)
        tree.room[parent] = reserved - 1
    clear_node(tree, node, action, chooser, config, players)
    tree.sibling[node] = tree.first[parent]
    tree.children[parent] += 1
    if config.shared:
        publish(tree.first, parent, np.int32(node))
    else:
        tree.first[parent] = node
    return node


@njit
def take_slots(tree: Any, wanted: Any, config: Any) -> Any:
    """Reserve up to `wanted` slots; return the first and how many."""
    capacity = np.int64(tree.visits.size)
    if config.shared:
        begin = np.int64(atomic_add(tree.used, 0, np.int64(wanted)))
    else:
        begin = np.int64(tree.used[0])
        tree.used[0] = min(begin + wanted, capacity)
    return begin, max(np.int64(0), min(np.int64(wanted), capacity - begin))


@njit
def try_lock(tree: Any, node: Any) -> bool:
    """Take the right to make children of a node, if no other thread has it."""
    if atomic_add(tree.lock, node, np.int32(1)) == 0:
        return True
    atomic_add(tree.lock, node, np.int32(-1))
    return False


@njit
def unlock(tree: Any, node: Any) -> None:
    """Give the right back."""
    atomic_add(tree.lock, node, np.int32(-1))


@njit
def find_child(tree: Any, parent: Any, action: Any, chooser: Any) -> Any:
    """Return the child that `chooser`'s action leads to, `NO_NODE` if there is none."""
    child = np.int64(volatile_load(tree.first, parent))
    while child != NO_NODE and (tree.action[child] != action or tree.chooser[child] != chooser):
        child = np.int64(tree.sibling[child])
    return child


# --- memory --------------------------------------------------------------------------------------------------------


@entry
def transplant(old: Any, new: Any, root: Any, oldest: Any, config: Any, players: Any, origin: Any) -> Any:
    """Copy the part of a tree at and below a node into an empty tree, breadth first; return the slots used.

    Args:
        old, new: trees of equal capacity.
        root: the node of `old` that becomes the root of `new`.
        oldest: nodes below the root whose last simulation was before this become leaves; only where stamps are kept.
        config: array of one `Config`.
        players: of the game.
        origin: int32, work space: for each slot of `new` the node that it came from, -1 for one that is reserved.
    """
    used, done = np.int64(1), np.int64(0)
    origin[0] = root
    c = config[0]
    while done < used:
        node, copy = np.int64(origin[done]), done
        done += 1
        if node < 0:
            continue
        copy_node(old, new, node, copy, c, players)
        new.first[copy], new.children[copy], new.room[copy] = NO_NODE, 0, 0
        if node != root and c.stamping and old.stamp[node] < oldest:
            new.listed[copy] = 0
            continue
        count = np.int64(old.children[node])
        if count == 0:
            continue
        # The newest child gets the last slot, so that the order stays the same.
        spare = min(np.int64(old.room[node]), new.visits.size - used - count)
        child = np.int64(old.first[node])
        for i in range(count):
            place = used + count - 1 - i
            origin[place] = child
            new.sibling[place] = place - 1 if i + 1 < count else NO_NODE
            child = np.int64(old.sibling[child])
        new.first[copy], new.children[copy], new.room[copy] = used + count - 1, count, spare
        for place in range(used + count, used + count + spare):
            origin[place] = -1
        used += count + spare
    new.sibling[0] = NO_NODE
    new.used[0] = used
    return used


@njit
def copy_node(old: Any, new: Any, node: Any, copy: Any, config: Any, players: Any) -> None:
    """Copy all that is known of a node but its place."""
    new.visits[copy], new.action[copy], new.listed[copy] = old.visits[node], old.action[node], old.listed[node]
    new.chooser[copy], new.mover[copy] = old.chooser[node], old.mover[node]
    new.bounds[2 * copy], new.bounds[2 * copy + 1] = old.bounds[2 * node], old.bounds[2 * node + 1]
    for p in range(players):
        to, origin = copy * players + p, node * players + p
        new.totals[to] = old.totals[origin]
        if config.implicit > 0.0:
            new.heuristic[to] = old.heuristic[origin]
        if config.solver:
            new.lower[to], new.upper[to] = old.lower[origin], old.upper[origin]
    if config.open:
        new.available[copy] = old.available[node]
    if config.informed or config.bias > 0.0:
        new.estimate[copy] = old.estimate[node]
    if config.uses_prior or config.solver:
        new.prior[copy] = old.prior[node]
    if config.kind != 0:
        new.squares[copy] = old.squares[node]
    if config.shared:
        new.pending[copy], new.lock[copy] = 0, 0
    if config.stamping:
        new.stamp[copy] = old.stamp[node]
    if config.losses:
        new.lost[copy] = old.lost[node]


@entry
def age_to_forget(tree: Any, room: Any) -> Any:
    """Return the stamp before which nodes must become leaves so that at most `room` nodes stay.

    Reserved slots count as nodes.
    """
    used = min(np.int64(tree.used[0]), np.int64(tree.visits.size))
    seen = np.zeros(used, np.int8)
    stamps = np.empty(used, np.int64)
    sizes = np.empty(used, np.int64)
    inner = 0
    # Reachable nodes only: slots may be reserved.
    stack = np.empty(used, np.int64)
    stack[0] = ROOT
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if tree.children[node] == 0 or seen[node]:
            continue
        seen[node] = 1
        if node != ROOT:
            stamps[inner], sizes[inner] = tree.stamp[node], tree.children[node] + tree.room[node]
            inner += 1
        child = np.int64(tree.first[node])
        while child != NO_NODE:
            stack[depth] = child
            depth += 1
            child = np.int64(tree.sibling[child])
    order = np.argsort(stamps[:inner])
    kept = 1 + np.int64(tree.children[ROOT]) + np.int64(tree.room[ROOT])
    oldest = np.int64(np.iinfo(np.int64).max)
    for k in range(inner - 1, -1, -1):
        node = order[k]
        kept += sizes[node]
        if kept > room:
            break
        oldest = stamps[node]
    # Nodes of one stamp stay or go together; the one that did not fit may share it.
    if kept > room and inner > 0 and stamps[order[k]] == oldest:
        oldest += 1
    return oldest
