"""The tree of a search over plans: edges, nodes by outcome, and which plan is tried next."""

import numpy as np
import pytest

from oponente.games.risk.plan_tree import EDGES, NODES, NOTHING, add_edge, clear, find_edge, follow, new_tree, select
from oponente.kernel import stream

PLANS = np.array([5, 7, 9], np.int32)


def tried(tree, node, plan, visits, total):
    edge = find_edge(tree, node, plan)
    if edge == NOTHING:
        edge = add_edge(tree, node, plan)
    for where in (tree.edges[edge], tree.nodes[node]):
        where["visits"] += visits
        where["total"] += total
    return edge


@pytest.fixture
def tree():
    return new_tree(16)


def test_an_edge_leads_to_a_node_for_each_outcome(tree):
    edge = add_edge(tree, 0, 7)
    assert (find_edge(tree, 0, 7), find_edge(tree, 0, 5)) == (edge, NOTHING)
    failed, succeeded = follow(tree, edge, False), follow(tree, edge, True)
    assert len({0, failed, succeeded}) == 3
    assert (follow(tree, edge, False), follow(tree, edge, True)) == (failed, succeeded)
    assert find_edge(tree, failed, 7) == NOTHING
    assert tree.counts[NODES] == 3
    assert tree.counts[EDGES] == 1


def test_what_was_not_tried_comes_first(tree):
    rng = stream(1)
    assert {int(select(tree, 0, PLANS, 3, 0.1, rng)) for _ in range(40)} == {0, 1, 2}
    tried(tree, 0, 5, 1, 0.0)
    assert {int(select(tree, 0, PLANS, 3, 0.1, rng)) for _ in range(40)} == {1, 2}


def test_a_plan_whose_rollout_was_broken_off_was_not_tried(tree):
    rng = stream(1)
    for plan in (5, 7):
        tried(tree, 0, plan, 1, 1.0)
    add_edge(tree, 0, 9)
    assert {int(select(tree, 0, PLANS, 3, 0.1, rng)) for _ in range(20)} == {2}


def test_the_best_is_tried_again_and_others_in_the_end(tree):
    rng = stream(2)
    tried(tree, 0, 5, 10, 9.0)
    tried(tree, 0, 7, 10, 1.0)
    tried(tree, 0, 9, 10, 1.0)
    assert select(tree, 0, PLANS, 3, 0.1, rng) == 0
    for _ in range(400):
        plan = PLANS[select(tree, 0, PLANS, 3, 2.0, rng)]
        tried(tree, 0, plan, 1, 0.9 if plan == 5 else 0.1)
    visits = [int(tree.edges[find_edge(tree, 0, plan)]["visits"]) for plan in PLANS]
    assert visits[0] > 5 * max(visits[1:])
    assert min(visits[1:]) > 10


def test_clearing_leaves_a_root(tree):
    tried(tree, 0, 5, 1, 1.0)
    clear(tree)
    assert tree.counts.tolist() == [1, 0]
    assert find_edge(tree, 0, 5) == NOTHING
    assert select(tree, 0, PLANS[:1], 1, 0.1, stream(3)) == 0
