"""Selection: which child a simulation goes on to.

Sources of the formulas: :data:`oponente.search.mcts.parameters.FORMULAS`. Children are looked at from the newest to the
oldest; where an open loop has just made several, these last, as they were made. Of equals the last one is taken in a
closed loop without priors and estimates, else the first one, unless `noise` is asked for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import inlined, njit, random_unit
from oponente.search.mcts.amaf import mixed_in
from oponente.search.mcts.averages import action_key, find
from oponente.search.mcts.parameters import FIXED, FROM_PARENT, LOSS, PUCT, TUNED, URGENT
from oponente.search.mcts.rewards import perspective
from oponente.search.mcts.solver import is_proven
from oponente.search.mcts.store import NO_NODE, ROOT, load_first

KNOWN, ESTIMATED, UNTRIED = range(3)
"""Kinds of children, the more wanted the greater: proven ones, ones with a mean, ones that must be tried first."""


@inlined
def select(tree: Any, node: Any, exploration: Any) -> Any:
    """Return the child that maximises ``mean + exploration sqrt(ln N / n)``; plain searches need no more than this.

    A child never visited comes before all others.
    """
    width = exploration * math.sqrt(math.log(max(tree.stats[node].visits, 1)))  # none: the first was broken off
    child = np.int64(tree.stats[node].first)
    best: Any = child
    best_bound = -np.inf
    while child != NO_NODE:
        bound = tree.stats[child].average + width * tree.stats[child].spread
        if bound >= best_bound:
            best, best_bound = child, bound
        child = np.int64(tree.stats[child].sibling)
    return best


@inlined
def select_shared(tree: Any, node: Any, config: Any) -> Any:
    """Do what :func:`select` does while other threads have simulations on their way (see `PENDING`).

    A child that another thread visits for the first time comes last.
    """
    parent_visits = np.int64(tree.stats[node].visits) + tree.nodes[node].pending
    width = config.exploration * math.sqrt(math.log(max(parent_visits, 1)))
    child = np.int64(load_first(tree.stats, node))
    best: Any = child
    best_bound = -np.inf
    while child != NO_NODE:
        bound = plain_bound(tree, child, width, config, True)
        if bound >= best_bound:
            best, best_bound = child, bound
        child = np.int64(tree.stats[child].sibling)
    return best


@inlined
def select_available(tree: Any, candidates: Any, count: Any, config: Any, shared: Any) -> Any:
    """Do what :func:`select` does in an open loop: an action is judged by how often it was legal."""
    best, best_bound = np.int64(NO_NODE), -np.inf
    for k in range(count):
        child = np.int64(candidates[k])
        width = config.exploration * math.sqrt(math.log(max(tree.nodes[child].available, 1)))
        bound = plain_bound(tree, child, width, config, shared)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@inlined
def plain_bound(tree: Any, child: Any, width: Any, config: Any, shared: Any) -> Any:
    """Return ``mean + width / sqrt(n)`` of a child, infinite if it was never visited."""
    if shared is not None:
        pending = np.int64(tree.nodes[child].pending)
        if pending > 0:
            visits = np.int64(tree.stats[child].visits)
            if visits == 0:
                return -np.inf
            mean = tree.stats[child].average
            if config.pending == LOSS:
                mean = (mean * visits + max(config.least, -1e9) * pending) / (visits + pending)
            return mean + width / math.sqrt(visits + pending)
    return tree.stats[child].average + width * tree.stats[child].spread


@njit
def gather(tree: Any, node: Any, work: Any) -> Any:
    """Write the children of a node to the candidates, the newest first; return how many."""
    count = np.int64(0)
    child = np.int64(load_first(tree.stats, node))
    while child != NO_NODE and count < work.candidates.size:
        work.candidates[count] = child
        count += 1
        child = np.int64(tree.stats[child].sibling)
    return count


@njit
def best_candidate(
    tree: Any,
    node: Any,
    reference: Any,
    mover: Any,
    candidates: Any,
    count: Any,
    memory: Any,
    rng: Any,
    config: Any,
) -> Any:
    """Return the best of some children, and its bound.

    Args:
        tree: the tree.
        node: their parent.
        reference: the node whose AMAF statistics count.
        mover: who moves at the parent.
        candidates: int32, the children.
        count: how many.
        memory: of the thread.
        rng: shakes the bounds where that is wanted.
        config: `Config` record.
    """
    who, sign, shift = perspective(mover, config)
    visits = np.int64(tree.stats[node].visits)
    parent_mean = shift + sign * tree.values[node * config.width + who] / visits if visits > 0 else 0.0
    if config.shared:
        visits += tree.nodes[node].pending
    base, span = scale_of(tree, node, who, sign, shift, config)
    sure, lower = surest(tree, candidates, count, who, config) if config.solver else -np.inf, 0.0
    best, best_bound, best_tier, sure_found = np.int64(NO_NODE), -np.inf, np.int64(-1), False
    for k in range(count):
        child = np.int64(candidates[k])
        tier = np.int64(ESTIMATED)
        n = np.int64(tree.stats[child].visits)
        if config.shared:
            n += tree.nodes[child].pending
        if config.solver:
            # One that can't be better than the surest is left alone; of what is proven there is nothing to be learnt.
            at = child * config.width + who
            lower, upper = tree.values[at + config.lower_at], tree.values[at + config.upper_at]
            if upper <= sure and (lower < sure or sure_found):
                continue
            sure_found = sure_found or lower == sure
            if lower >= upper and is_proven(tree, child, config):
                tier = np.int64(KNOWN)
        if tier == KNOWN:
            bound = lower
        elif n < config.breadth and node == (config.seat if config.trees > 1 else ROOT):
            tier, bound = np.int64(UNTRIED), -np.float64(n)
        elif n == 0 and config.first_play == URGENT:
            tier = np.int64(UNTRIED)
            bound = tree.values[child * config.width + config.estimate_at] if config.informed else 0.0
        else:
            bound = child_bound(
                tree, child, n, visits, who, sign, shift, parent_mean, reference, mover, base, span, memory, config
            )
            if config.noise > 0.0:
                bound = (bound + config.noise) * (1.0 + config.noise * (random_unit(rng) - 0.5))
        better = bound > best_bound if config.open or config.informed else bound >= best_bound
        if tier > best_tier or (tier == best_tier and better):
            best, best_bound, best_tier = child, bound, tier
    return best, best_bound


@njit
def scale_of(tree: Any, node: Any, who: Any, sign: Any, shift: Any, config: Any) -> Any:
    """Return the least reward of the simulations through a node for who moves there, and by how much others exceed it.

    The second is 0 where means are not to be scaled.
    """
    if not config.normalising or tree.stats[node].visits == 0:
        return 0.0, 0.0
    at = node * config.width + who
    least, greatest = tree.values[at + config.least_at], tree.values[at + config.greatest_at]
    return (least if sign > 0.0 else shift - greatest), greatest - least


@njit
def surest(tree: Any, candidates: Any, count: Any, who: Any, config: Any) -> float:
    """Return the greatest reward that a player is sure of."""
    sure = -np.inf
    for k in range(count):
        sure = max(sure, tree.values[np.int64(candidates[k]) * config.width + config.lower_at + who])
    return sure


@njit
def child_bound(
    tree: Any,
    child: Any,
    n: Any,
    parent_visits: Any,
    who: Any,
    sign: Any,
    shift: Any,
    parent_mean: Any,
    reference: Any,
    mover: Any,
    base: Any,
    span: Any,
    memory: Any,
    config: Any,
) -> float:
    """Return the value of a child for selection; `n` and `parent_visits` include simulations on their way.

    `base` and `span` are what :func:`scale_of` returns for the parent.
    """
    visits = np.int64(tree.stats[child].visits)
    sampled = 0.0
    if visits > 0:
        total = tree.values[child * config.width + who]
        sampled = shift + sign * total / visits
        if config.expecting:
            total = visits * tree.values[child * config.width + config.expected_at + who]
        if sign < 0.0:
            total = shift * visits - total
        if config.shared and config.pending == LOSS and n > visits:
            mean = (total + (n - visits) * max(config.least, -1e9)) / n
        else:
            mean = total / visits
    else:
        mean = first_play(tree, child, parent_mean, config)
    if config.solver:
        at = child * config.width + who
        mean = min(max(mean, tree.values[at + config.lower_at]), tree.values[at + config.upper_at])
    if config.amaf != 0:
        mean = mixed_in(mean, visits, memory, reference, mover, np.int64(tree.stats[child].action), config)
    if config.implicit > 0.0 and visits > 0:
        value = shift + sign * tree.values[child * config.width + config.heuristic_at + who]
        mean = (1.0 - config.implicit) * mean + config.implicit * value
    if config.taboo > 0.0 and tree.nodes[child].stale:
        mean -= config.taboo
    if span > 0.0:
        mean = (mean - base) / span
    bound = mean + exploration_term(tree, child, n, parent_visits, sampled, span, config)
    if config.bias > 0.0:
        bound += config.bias * tree.values[child * config.width + config.estimate_at] / (n + 1)
    if config.history > 0.0:
        slot = find(memory, action_key(mover, np.int64(tree.stats[child].action)))
        if slot >= 0:
            # The formula is one for rewards in 0 .. 1; a scaled mean is so already.
            unit = span if span > 0.0 else reward_span(config)
            origin = base if span > 0.0 else reward_origin(config)
            played = (memory[slot].total / memory[slot].visits - origin) / unit
            share = mean if span > 0.0 else (mean - origin) / unit
            term = config.history * played / (max(n * (1.0 - share), 0.0) + 1.0)
            bound += term if span > 0.0 else unit * term
    return bound


@njit
def first_play(tree: Any, child: Any, parent_mean: Any, config: Any) -> float:
    """Return what a child counts with that was never visited."""
    estimate = tree.values[child * config.width + config.estimate_at] if config.informed else 0.0
    if config.first_play == FIXED:
        return config.fpu + estimate
    return parent_mean - config.fpu + estimate


@njit
def exploration_term(tree: Any, child: Any, n: Any, parent_visits: Any, sampled: Any, span: Any, config: Any) -> float:
    """Return what is added to the mean of a child: the less often it was tried, the more.

    What was never tried gets nothing where it counts with a fixed number (Gelly and Wang), and as much as if it had
    been tried once where it counts with the mean of the parent: with no more than that mean it would never be tried.

    Args:
        tree: the tree.
        child: a child.
        n: its visits.
        parent_visits: those of its parent.
        sampled: the mean of the rewards that it was given; 0 if it was never visited.
        span: that the means are divided by; 0: they are not.
        config: `Config` record.
    """
    if config.exploration == 0.0:
        return 0.0
    if config.kind == PUCT:
        return (
            config.exploration
            * tree.values[child * config.width + config.prior_at]
            * math.sqrt(max(parent_visits, np.int64(1)))
            / (1 + n)
        )
    legal = np.int64(tree.nodes[child].available)
    chances = legal if config.by_legality else parent_visits + (1 if config.open else 0)
    if n == 0 and config.first_play != FROM_PARENT:
        return 0.0
    if chances < 1:
        return 0.0
    ratio = math.log(chances) / max(n, np.int64(1))
    if config.kind != TUNED:
        return config.exploration * math.sqrt(ratio)
    visits = max(np.int64(tree.stats[child].visits), np.int64(1))
    variance = tree.values[child * config.width + config.squares_at] / visits - sampled * sampled
    unit = span if span > 0.0 else reward_span(config)
    widest = tuned_variance(variance / (unit * unit), ratio)
    return config.exploration * math.sqrt(ratio * widest) * (1.0 if span > 0.0 else unit)


@njit
def tuned_variance(variance: Any, ratio: Any) -> float:
    """Return how great the variance of rewards in 0 .. 1 may be, of n with this variance; `ratio` is ln N / n."""
    return min(0.25, max(variance, 0.0) + math.sqrt(2.0 * ratio))


@njit
def reward_origin(config: Any) -> float:
    """Return the least reward; 0 where it is not known."""
    return config.least if config.least > -np.inf else 0.0


@njit
def reward_span(config: Any) -> float:
    """Return the difference of the greatest and the least reward; 1 where it is not known."""
    span = config.greatest - config.least
    return span if 0.0 < span < np.inf else 1.0
