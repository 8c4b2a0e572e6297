"""The tree: nodes in preallocated arrays, children in linked lists, a bound on memory.

Children are made when they are first tried, so that a node with thousands of actions costs no more than what was tried
of it. Those of one node lie side by side as far as slots were reserved for them, which is what selection is fast by.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import atomic_add, entry, inlined, njit, record
from oponente.kernel.atomics import field_adder, field_loader, field_publisher
from oponente.kernel.memory import private_zeros

ROOT = 0
"""Node 0 is the root; with multiple observers, nodes 0 to n - 1 are the roots of the players' trees."""
NO_NODE = 0
"""Ends a list: the root is nobody's child."""
UNKNOWN = -3
"""The mover of a node that was not looked at."""
LINE = 64
"""Bytes of a cache line."""
BLOCK = 8
"""Slots reserved at a time for the children of one node."""

Stats = record(
    ("average", "f8"),  # reward of who chose the node; infinite before the first visit
    ("spread", "f8"),  # 1 / sqrt(visits)
    ("visits", "i4"),  # simulations through the node
    ("sibling", "i4"),  # the next older child of the same parent, or NO_NODE
    ("action", "i4"),  # the action or outcome that leads to the node
    ("first", "i4"),  # the newest child, or NO_NODE
)
"""What selection looks at in every child, close together."""

Node = record(
    ("order", "u8"),  # a permutation of the listed actions, see `expansion.draw_from_order`; plain searches only
    ("children", "i4"),  # how many children there are
    ("listed", "i4"),  # how many actions the rules list here; 0: not known; closed loop only
    ("room", "i4"),  # slots reserved behind the newest child
    ("available", "i4"),  # visits of the parent at which the action was legal; open loop only
    ("pending", "i4"),  # simulations of all threads on their way through the node
    ("lock", "i4"),  # 0, or more while a thread makes a child
    ("chooser", "i1"),  # who took the action, or CHANCE
    ("mover", "i1"),  # who moves here, CHANCE, TERMINAL or UNKNOWN; closed loop only
    ("stale", "i1"),  # whether the player had been lately where the action led
    ("lost", "i1"),  # whether the action was seen to lose the game at once
)
"""What else is known of a node."""

MAX_VISITS = int(np.iinfo(np.int32).max)
"""Visits that a node can count."""

BYTES_PER_NODE = Stats.itemsize + Node.itemsize
"""Without the values."""

add_visits = field_adder("visits")
add_available = field_adder("available")
add_pending = field_adder("pending")
add_lock = field_adder("lock", ordering=True)
load_first = field_loader("first")
load_children = field_loader("children")
publish_first = field_publisher("first")
publish_children = field_publisher("children")


class Tree(NamedTuple):
    """A search tree."""

    used: Any
    """int64, one item: slots handed out."""
    stats: Any
    """Array of `Stats`, one a node."""
    nodes: Any
    """Array of `Node`, likewise."""
    values: Any
    """float64, `Config.width` a node: the sum of the rewards of each player, and what some techniques need besides,
    at the places that `Config` says: ``heuristic`` (one a player: the evaluation, backed up by minimax), ``lower`` and
    ``upper`` (one a player: proven least and greatest reward), ``estimate`` (what was thought of the action before it
    was tried, the greater the better for who takes it: with `MCTSParameters.estimate` what it adds to the evaluator's
    value, as that is; with `MCTSParameters.bias` the evaluation as a reward), ``prior`` (probability of the action; of
    chance outcomes, theirs), ``squares`` (sum of the squared rewards of who chose the node), ``stamp`` (the last
    simulation through the node), ``least`` and ``greatest`` (one a player: rewards of simulations through the node),
    ``ended`` (how many simulations ended at the node, then the sum of the rewards of each player in these),
    ``expected`` (one a player: value by open-loop expectimax)."""


def new_tree(capacity: int, config: Any) -> Tree:
    """Return an empty tree with room for `capacity` nodes (memory is taken only as nodes are used).

    Args:
        capacity: nodes.
        config: a `Config` record.

    Raises:
        MemoryError: with one line, if the machine does not have as much.
    """
    try:
        return Tree(
            used=private_zeros(1, np.dtype(np.int64)),
            stats=aligned(capacity, Stats),
            nodes=aligned(capacity, Node),
            values=np.empty(capacity * int(config.width), np.float64),
        )
    except MemoryError:
        raise MemoryError(f"no memory for a tree of {capacity} nodes; give a smaller capacity") from None


def part_of(tree: Tree, capacity: int, config: Any) -> Tree:
    """Return a tree with room for `capacity` nodes in the memory of one that has as much or more."""
    values = tree.values[: capacity * int(config.width)]
    return Tree(used=tree.used, stats=tree.stats[:capacity], nodes=tree.nodes[:capacity], values=values)


def aligned(count: int, dtype: np.dtype[Any]) -> Any:
    """Return an array that begins where a cache line does."""
    raw = np.empty(count * dtype.itemsize + LINE, np.uint8)
    begin = -raw.ctypes.data % LINE
    return raw[begin : begin + count * dtype.itemsize].view(dtype)


@njit
def clear_tree(tree: Any, config: Any) -> None:
    """Leave nothing but a root for each tree."""
    tree.used[0] = config.trees
    for node in range(config.trees):
        clear_node(tree, node, np.int64(0), np.int64(0), config, True)
        tree.stats[node].sibling = NO_NODE


@inlined
def clear_node(tree: Any, node: Any, action: Any, chooser: Any, config: Any, extras: Any) -> None:
    """Make a node one that was never visited."""
    stats, fresh = tree.stats[node], tree.nodes[node]
    stats.average = np.inf  # before anything that was visited
    stats.spread = 0.0
    stats.visits = 0
    stats.action = action
    stats.first = NO_NODE
    fresh.children = 0
    fresh.listed = 0
    fresh.room = 0
    fresh.available = 0
    fresh.pending = 0
    fresh.lock = 0
    fresh.chooser = chooser
    fresh.mover = UNKNOWN
    fresh.lost = 0
    fresh.stale = 0
    begin = node * config.width
    for i in range(begin, begin + config.width):
        tree.values[i] = 0.0
    if extras is not None and config.solver:
        for p in range(config.players):
            tree.values[begin + config.lower_at + p] = config.least
            tree.values[begin + config.upper_at + p] = config.greatest
    if extras is not None and config.normalising:
        for p in range(config.players):
            tree.values[begin + config.least_at + p] = np.inf
            tree.values[begin + config.greatest_at + p] = -np.inf


@inlined
def add_child(
    tree: Any, parent: Any, action: Any, chooser: Any, wanted: Any, config: Any, extras: Any, shared: Any
) -> Any:
    """Make a child of `parent` that was never visited and return it; `NO_NODE` if there is no room for one.

    The arguments are those of :func:`new_child`.
    """
    node = new_child(tree, parent, action, chooser, wanted, config, extras, shared)
    if node != NO_NODE:
        link_child(tree, parent, node, config, shared)
    return node


@inlined
def new_child(
    tree: Any, parent: Any, action: Any, chooser: Any, wanted: Any, config: Any, extras: Any, shared: Any
) -> Any:
    """Make a child of `parent` that nobody finds before :func:`link_child`; `NO_NODE` if there is no room for one.

    Args:
        tree: the tree.
        parent: the node that gets the child.
        action: that leads to it.
        chooser: who takes it.
        wanted: how many more children the parent may get: slots for some are reserved.
        config: `Config` record.
        extras, shared: what is compiled in.
    """
    room = np.int64(tree.nodes[parent].room)
    if room > 0:
        node = np.int64(tree.stats[parent].first) + 1
        tree.nodes[parent].room = room - 1
    else:
        node, reserved = take_slots(tree, min(max(wanted, 1), BLOCK), config, shared)
        if reserved == 0:
            return np.int64(NO_NODE)
        tree.nodes[parent].room = reserved - 1
    clear_node(tree, node, action, chooser, config, extras)
    tree.stats[node].sibling = tree.stats[parent].first
    return node


@inlined
def link_child(tree: Any, parent: Any, node: Any, config: Any, shared: Any) -> None:
    """Put a child, about which all is written, among those of its parent.

    Who finds as many children as there are finds all of them in the list, if the number is read first.
    """
    children = np.int32(tree.nodes[parent].children + 1)
    if shared is not None and config.shared:
        publish_first(tree.stats, parent, np.int32(node))
        publish_children(tree.nodes, parent, children)
    else:
        tree.stats[parent].first = node
        tree.nodes[parent].children = children


@inlined
def take_slots(tree: Any, wanted: Any, config: Any, shared: Any) -> Any:
    """Reserve up to `wanted` slots; return the first and how many."""
    capacity = np.int64(tree.stats.size)
    if shared is not None and config.shared:
        begin = np.int64(atomic_add(tree.used, 0, np.int64(wanted)))
    else:
        begin = np.int64(tree.used[0])
        tree.used[0] = min(begin + wanted, capacity)
    return begin, max(np.int64(0), min(np.int64(wanted), capacity - begin))


@njit
def try_lock(tree: Any, node: Any) -> bool:
    """Take the right to make children of a node, if no other thread has it."""
    if add_lock(tree.nodes, node, np.int32(1)) == 0:
        return True
    add_lock(tree.nodes, node, np.int32(-1))
    return False


@njit
def unlock(tree: Any, node: Any) -> None:
    """Give the right back."""
    add_lock(tree.nodes, node, np.int32(-1))


@njit
def find_child(tree: Any, parent: Any, action: Any, chooser: Any) -> Any:
    """Return the child that `chooser`'s action leads to, `NO_NODE` if there is none."""
    child = np.int64(load_first(tree.stats, parent))
    while child != NO_NODE and (tree.stats[child].action != action or tree.nodes[child].chooser != chooser):
        child = np.int64(tree.stats[child].sibling)
    return child


# --- memory --------------------------------------------------------------------------------------------------------


@entry
def transplant(old: Any, new: Any, root: Any, oldest: Any, config: Any, origin: Any) -> Any:
    """Copy the part of a tree at and below a node into an empty tree, breadth first; return the slots used.

    Args:
        old, new: trees of equal capacity.
        root: the node of `old` that becomes the root of `new`.
        oldest: nodes below the root whose last simulation was before this become leaves; only where stamps are kept.
        config: array of one `Config`.
        origin: int32, work space: for each slot of `new` the node that it came from, -1 for one that is reserved.
    """
    used, done = np.int64(1), np.int64(0)
    origin[0] = root
    new.stats[0].sibling = NO_NODE
    c = config[0]
    while done < used:
        node, copy = np.int64(origin[done]), done
        done += 1
        if node < 0:
            continue
        copy_node(old, new, node, copy, c)
        new.stats[copy].first, new.nodes[copy].children, new.nodes[copy].room = NO_NODE, 0, 0
        if node != root and c.stamping and old.values[node * c.width + c.stamp_at] < oldest:
            new.nodes[copy].listed = 0
            continue
        count = np.int64(old.nodes[node].children)
        if count == 0:
            continue
        # The newest child gets the last slot, so that the order stays the same.
        spare = min(np.int64(old.nodes[node].room), new.stats.size - used - count)
        child = np.int64(old.stats[node].first)
        for i in range(count):
            place = used + count - 1 - i
            origin[place] = child
            new.stats[place].sibling = place - 1 if i + 1 < count else NO_NODE
            child = np.int64(old.stats[child].sibling)
        new.stats[copy].first, new.nodes[copy].children, new.nodes[copy].room = used + count - 1, count, spare
        for reserved in range(used + count, used + count + spare):
            origin[reserved] = -1
        used += count + spare
    new.used[0] = used
    return used


@njit
def copy_node(old: Any, new: Any, node: Any, copy: Any, config: Any) -> None:
    """Copy all that is known of a node but its place among its siblings, which is there already."""
    sibling = new.stats[copy].sibling
    new.stats[copy] = old.stats[node]
    new.stats[copy].sibling = sibling
    new.nodes[copy] = old.nodes[node]
    new.nodes[copy].pending = 0
    new.nodes[copy].lock = 0
    for i in range(config.width):
        new.values[copy * config.width + i] = old.values[node * config.width + i]


@entry
def age_to_forget(tree: Any, room: Any, config: Any) -> Any:
    """Return the stamp before which nodes must become leaves so that at most `room` nodes stay.

    Reserved slots count as nodes.
    """
    c = config[0]
    used = min(np.int64(tree.used[0]), np.int64(tree.stats.size))
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
        if tree.nodes[node].children == 0:
            continue
        if node != ROOT:
            stamps[inner], sizes[inner] = (
                np.int64(tree.values[node * c.width + c.stamp_at]),
                tree.nodes[node].children + tree.nodes[node].room,
            )
            inner += 1
        child = np.int64(tree.stats[node].first)
        while child != NO_NODE:
            stack[depth] = child
            depth += 1
            child = np.int64(tree.stats[child].sibling)
    order = np.argsort(stamps[:inner])
    kept = 1 + np.int64(tree.nodes[ROOT].children) + np.int64(tree.nodes[ROOT].room)
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
