"""Risk: the tree of a search over plans: what was tried in the turn of the player to move, and what came of it.

The tree is an *open-loop* one: it holds no positions. A node is where the player has to decide after certain plans,
told apart by whether each attack among them succeeded; an edge is a plan that was tried there. Positions that dice make
of the same plans share a node, and plans that are not possible in all of them are tried where they are.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.risk.state import SEATS
from oponente.kernel import njit, random_below

NODE = np.dtype((np.record, np.dtype([("total", "f8"), ("visits", "i4"), ("first", "i4")], align=True)))
_LINKS = [("next", "i4"), ("failed", "i4"), ("succeeded", "i4")]
EDGE = np.dtype((np.record, np.dtype([("total", "f8"), ("plan", "i4"), ("visits", "i4"), *_LINKS], align=True)))
NODES, EDGES = 0, 1
"""Where the counts have the number of nodes and of edges."""
NOTHING = -1
"""In place of an edge or a node: there is none."""
DEEPEST = 64
"""Plans of a turn that are noted at most."""


class PlanTree(NamedTuple):
    """A tree. The edges of a node are a list linked by ``next``."""

    nodes: npt.NDArray[Any]
    """The first is the root."""
    edges: npt.NDArray[Any]
    worths: npt.NDArray[np.float64]
    """A row per edge: what its rollouts were worth to each seat, in the unit of the evaluation, added up."""
    counts: npt.NDArray[np.int64]
    path: npt.NDArray[np.int64]
    """Edges of the rollout that goes on."""
    path_nodes: npt.NDArray[np.int64]
    """Where they begin."""


def new_tree(size: int) -> PlanTree:
    """Return a tree with a root, and room for so many nodes and edges."""
    path = np.zeros((2, DEEPEST), np.int64)
    worths = np.zeros((size, SEATS))
    tree = PlanTree(np.zeros(size, NODE), np.zeros(size, EDGE), worths, np.zeros(2, np.int64), path[0], path[1])
    clear(tree)
    return tree


def clear(tree: PlanTree) -> None:
    """Leave nothing but a root that was never visited."""
    tree.nodes[0] = (0.0, 0, NOTHING)
    tree.counts[:] = 1, 0


@njit
def find_edge(tree: Any, node: Any, plan: Any) -> int:
    """Return the edge of a plan at a node, -1 if there is none."""
    edge = np.int64(tree.nodes[node].first)
    while edge >= 0 and tree.edges[edge].plan != plan:
        edge = np.int64(tree.edges[edge].next)
    return edge


@njit
def add_edge(tree: Any, node: Any, plan: Any) -> int:
    """Add an edge for a plan to a node; return it."""
    edge = np.int64(tree.counts[EDGES])
    tree.counts[EDGES] = edge + 1
    tree.edges[edge].plan, tree.edges[edge].visits, tree.edges[edge].total = plan, 0, 0.0
    tree.edges[edge].failed = tree.edges[edge].succeeded = NOTHING
    tree.worths[edge] = 0.0
    tree.edges[edge].next = tree.nodes[node].first
    tree.nodes[node].first = edge
    return edge


@njit
def follow(tree: Any, edge: Any, succeeded: Any) -> int:
    """Return the node to which an edge leads by the outcome of its attack; it is made where there is none yet."""
    node = np.int64(tree.edges[edge].succeeded if succeeded else tree.edges[edge].failed)
    if node == NOTHING:
        node = np.int64(tree.counts[NODES])
        tree.counts[NODES] = node + 1
        tree.nodes[node].first, tree.nodes[node].visits, tree.nodes[node].total = NOTHING, 0, 0.0
        if succeeded:
            tree.edges[edge].succeeded = node
        else:
            tree.edges[edge].failed = node
    return node


@njit
def select(tree: Any, node: Any, plans: Any, count: Any, exploration: Any, rng: Any) -> int:
    """Return the place of the plan with the greatest upper confidence bound. One not yet tried counts as tried once,
    with the mean of all; of these a random one is chosen.

    A plan whose only rollout was broken off has an edge, but was not tried.
    """
    visits = np.int64(tree.nodes[node].visits)
    mean = tree.nodes[node].total / visits if visits > 0 else 1.0
    width = math.log(visits + 1)
    best, chosen, fresh = -1.0, np.int64(0), 0
    for i in range(count):
        edge = find_edge(tree, node, plans[i])
        if edge >= 0 and tree.edges[edge].visits > 0:
            tried = np.int64(tree.edges[edge].visits)
            bound = tree.edges[edge].total / tried + exploration * math.sqrt(width / tried)
            if bound > best:
                best, chosen = bound, np.int64(i)
        else:
            fresh += 1
    if fresh > 0 and mean + exploration * math.sqrt(width) >= best:
        wanted = random_below(rng, fresh)
        for i in range(count):
            edge = find_edge(tree, node, plans[i])
            if edge < 0 or tree.edges[edge].visits == 0:
                if wanted == 0:
                    return np.int64(i)
                wanted -= 1
    return chosen
