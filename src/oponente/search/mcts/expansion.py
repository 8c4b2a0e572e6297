"""Expansion: how a node gets children.

Without knowledge an action is drawn among those not yet tried, each equally likely, and becomes a child when it is
tried. With a prior or an estimate all listed actions become children at once, as far as progressive widening allows (R.
Coulom,
"Computing Elo ratings of move patterns in the game of Go", 2007; G. Chaslot et al., "Progressive strategies for
Monte-Carlo tree search", 2008: unpruning), the best first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import (
    actions,
    apply,
    chance,
    copy_state,
    evaluate,
    inlined,
    njit,
    playout_action,
    prior_weights,
    random_below,
    random_unit,
    sample_chance,
)
from oponente.search.mcts.averages import action_key
from oponente.search.mcts.parameters import BEST_REPLY, FIXED, TUNED, URGENT
from oponente.search.mcts.rewards import perspective
from oponente.search.mcts.selection import (
    best_candidate,
    gather,
    reward_span,
    scale_of,
    select,
    select_available,
    select_shared,
    tuned_variance,
)
from oponente.search.mcts.store import (
    NO_NODE,
    add_available,
    add_child,
    find_child,
    link_child,
    load_first,
    new_child,
    try_lock,
    unlock,
)

BROKEN_RULES = -1
"""In place of a child: a state lists nothing, or an outcome is drawn that is not listed."""
UNKNOWN_ACTION = -1
PACKED = 16
"""Lists up to this long are permuted in a single word."""
IN_ORDER = np.uint64(0xFEDCBA9876543210)
NIBBLE, ONE, ZERO = np.uint64(15), np.uint64(1), np.uint64(0)
HASHED = 64
"""Lists longer than this are searched by hashing."""


# --- which actions have a child ------------------------------------------------------------------------------------


@njit
def arrange(tree: Any, node: Any, mover: Any, work: Any, count: Any, config: Any, opened: Any) -> Any:
    """Move the listed actions that have a child to the front of the buffer; write these children to `candidates`.

    Returns:
        How many have a child.
    """
    hashed = count > HASHED
    if hashed:
        index_actions(work, count)
    tried = np.int64(0)
    if opened is not None and config.open:
        child = np.int64(load_first(tree.stats, node))
        while child != NO_NODE and tried < count:
            if tree.nodes[child].chooser == mover and to_front(work, tried, count, tree.stats[child].action, hashed):
                work.candidates[tried] = child
                tried += 1
            child = np.int64(tree.stats[child].sibling)
        return tried
    # In the order in which they were made, so that what is drawn among the others depends on that alone.
    tried = gather(tree, node, work)
    for i in range(tried):
        to_front(work, i, count, tree.stats[work.candidates[tried - 1 - i]].action, hashed)
    return tried


@njit
def to_front(work: Any, front: Any, count: Any, action: Any, hashed: Any) -> bool:
    """Swap an action of the buffer to place `front`, if it is there or behind; tell whether it is."""
    place = place_of(work, front, count, action, hashed)
    if place < front:
        return False
    other = np.int64(work.buffer[front])
    if hashed:
        a, b = slot_of(work, np.int64(action)), slot_of(work, other)
        work.places[a], work.places[b] = front + 1, place + 1
    work.buffer[front], work.buffer[place] = work.buffer[place], other
    return True


@njit
def place_of(work: Any, front: Any, count: Any, action: Any, hashed: Any) -> Any:
    """Return where an action is in the buffer from `front` on, -1 if it is not."""
    if hashed:
        place = work.places[slot_of(work, np.int64(action))] - 1
        return place if place >= front else np.int64(-1)
    for i in range(front, count):
        if work.buffer[i] == action:
            return np.int64(i)
    return np.int64(-1)


@njit
def index_actions(work: Any, count: Any) -> None:
    """Hash the places of the first `count` actions of the buffer."""
    work.places[:] = 0
    for i in range(count):
        work.places[slot_of(work, np.int64(work.buffer[i]))] = i + 1


@njit
def slot_of(work: Any, action: Any) -> Any:
    """Return the slot of `places` that holds an action's place + 1, or the free one (0) where it would be."""
    mask = np.uint64(work.places.size - 1)
    slot = action_key(np.int64(0), action) & mask
    while work.places[slot] != 0 and work.buffer[work.places[slot] - 1] != action:
        slot = (slot + np.uint64(1)) & mask
    return slot


@inlined
def draw_from_order(
    tree: Any, node: Any, mover: Any, count: Any, tried: Any, work: Any, rng: Any, config: Any, shared: Any
) -> Any:
    """Make a child for one of the listed actions in the buffer that have none, each equally likely, and return it.

    The node keeps a permutation of the list, 4 bits an action, whose first `tried` ones have a child; what is drawn is
    the same as if the list itself had been permuted, as :func:`try_any` does.
    """
    order = tree.nodes[node].order if tried > 0 else IN_ORDER
    front = np.uint64(4 * tried)
    place = np.uint64(4 * (tried + random_below(rng, count - tried)))
    drawn = (order >> place) & NIBBLE
    order ^= (((order >> front) & NIBBLE) ^ drawn) * ((ONE << front) ^ (ONE << place)) if place != front else ZERO
    action = np.int64(work.buffer[np.int64(drawn)])
    child = add_child(tree, node, action, mover, count - tried, config, None, shared)
    if child != NO_NODE:
        tree.nodes[node].order = order
    return child


# --- a player's turn -----------------------------------------------------------------------------------------------


@inlined
def step(
    game: Any,
    policy: Any,
    evaluator: Any,
    prior: Any,
    states: Any,
    tree: Any,
    node: Any,
    mover: Any,
    reference: Any,
    replied: Any,
    work: Any,
    spare: Any,
    rng: Any,
    memory: Any,
    config: Any,
    extras: Any,
    opened: Any,
    shared: Any,
) -> Any:
    """Choose how a simulation goes on from a node at which a player moves, whose state is ``states[0]``.

    Returns:
        The child and the action; for the child `NO_NODE` if there is no room for it, for the action `UNKNOWN_ACTION` if
        the simulation ends its way through the tree here; for the child `BROKEN_RULES` if nothing is listed.
    """
    count, tried = np.int64(tree.nodes[node].listed), np.int64(tree.nodes[node].children)
    ready = count == 0 or (opened is not None and config.open)
    if ready:
        count = np.int64(actions(game, states[0], work.buffer))
        if count == 0:
            return np.int64(BROKEN_RULES), np.int64(UNKNOWN_ACTION)
        if opened is not None and config.open:
            tried = arrange(tree, node, mover, work, count, config, opened)
            count_available(tree, work.candidates, tried, config, shared)
        else:
            tree.nodes[node].listed = count
    more = tried < count
    if extras is None:
        return step_plainly(
            game, policy, states, tree, node, mover, count, tried, ready, work, rng, config, opened, shared
        )
    more = more and (config.widening == 0.0 or tried < allowed(tree, node, config))
    if config.backup == BEST_REPLY and mover != config.seat:
        if tried == 0:
            child, action = try_any(
                game, policy, states, tree, node, mover, count, tried, ready, work, rng, config, extras, opened, shared
            )
            work.usual = child
            return child, action
        # In an open loop only actions that are legal now are candidates, the newest first.
        work.usual = oldest(tree, node, mover) if not config.open else np.int64(work.candidates[tried - 1])
        if replied != 0 and replied != mover + 1:
            return np.int64(work.usual), np.int64(tree.stats[work.usual].action)
    if more and config.informed:
        tried = make_children(
            game, evaluator, prior, states, tree, node, mover, count, tried, work, spare, config, opened, shared
        )
    elif more and config.first_play == URGENT:
        child, action = try_any(
            game, policy, states, tree, node, mover, count, tried, ready, work, rng, config, extras, opened, shared
        )
        # Where the tree is full, simulations go on with the actions that have nodes, if there are any.
        if child != NO_NODE or (config.open and action != UNKNOWN_ACTION and tried == 0):
            return child, action
    if not config.open:
        tried = gather(tree, node, work)
    elif config.informed and tried == 0:
        # No room: the simulation goes on with an action that has no node.
        return np.int64(NO_NODE), np.int64(work.buffer[tried + random_below(rng, count - tried)])
    if config.wander > 0.0 and tried > 0 and random_unit(rng) < config.wander:
        child = np.int64(work.candidates[random_below(rng, tried)])
        return child, np.int64(tree.stats[child].action)
    child, bound = best_candidate(tree, node, reference, mover, work.candidates, tried, memory, rng, config)
    if (
        more
        and not config.informed
        and config.first_play != URGENT
        and untried_bound(tree, node, mover, config) > bound
    ):
        another, action = try_any(
            game, policy, states, tree, node, mover, count, tried, ready, work, rng, config, extras, opened, shared
        )
        if another != NO_NODE:
            return another, action
    if child == NO_NODE:
        return child, np.int64(UNKNOWN_ACTION)
    return child, np.int64(tree.stats[child].action)


@inlined
def step_plainly(
    game: Any,
    policy: Any,
    states: Any,
    tree: Any,
    node: Any,
    mover: Any,
    count: Any,
    tried: Any,
    ready: Any,
    work: Any,
    rng: Any,
    config: Any,
    opened: Any,
    shared: Any,
) -> Any:
    """Do what :func:`step` does for a search without techniques: try every action once, then select."""
    if tried < count:
        if opened is None and count <= PACKED:
            child, action = try_in_order(
                game, states, tree, node, mover, count, tried, ready, work, rng, config, shared
            )
        else:
            child, action = try_any(
                game, policy, states, tree, node, mover, count, tried, ready, work, rng, config, None, opened, shared
            )
        if child != NO_NODE or (opened is not None and action != UNKNOWN_ACTION and tried == 0):
            return child, action
        if tried == 0:
            return np.int64(NO_NODE), np.int64(UNKNOWN_ACTION)
    if opened is not None:
        child = select_available(tree, work.candidates, tried, config, shared)
    elif shared is not None:
        child = select_shared(tree, node, config)
    else:
        child = select(tree, node, config.exploration)
    return child, np.int64(tree.stats[child].action)


@inlined
def try_in_order(
    game: Any,
    states: Any,
    tree: Any,
    node: Any,
    mover: Any,
    count: Any,
    tried: Any,
    ready: Any,
    work: Any,
    rng: Any,
    config: Any,
    shared: Any,
) -> Any:
    """Do what :func:`try_any` does for short lists in a closed loop."""
    if shared is not None:
        if not try_lock(tree, node):
            return np.int64(NO_NODE), np.int64(UNKNOWN_ACTION)
        tried = np.int64(tree.nodes[node].children)
    child, action = np.int64(NO_NODE), np.int64(UNKNOWN_ACTION)
    if tried < count:
        if not ready:
            actions(game, states[0], work.buffer)
        child = draw_from_order(tree, node, mover, count, tried, work, rng, config, shared)
        if child != NO_NODE:
            action = np.int64(tree.stats[child].action)
    if shared is not None:
        unlock(tree, node)
    return child, action


@njit
def count_available(tree: Any, children: Any, count: Any, config: Any, shared: Any) -> None:
    """Count that the actions of some children are legal at a visit of their parent."""
    for k in range(count):
        if shared is not None and config.shared:
            add_available(tree.nodes, np.int64(children[k]), np.int32(1))
        else:
            tree.nodes[children[k]].available += 1


@njit
def allowed(tree: Any, node: Any, config: Any) -> Any:
    """Return how many children progressive widening allows."""
    return max(
        np.int64(1), np.int64(math.ceil(config.widening * (tree.stats[node].visits + 1.0) ** config.widening_power))
    )


@njit
def oldest(tree: Any, node: Any, mover: Any) -> Any:
    """Return the child of a player's action that was made first."""
    found = child = np.int64(load_first(tree.stats, node))
    while child != NO_NODE:
        if tree.nodes[child].chooser == mover:
            found = child
        child = np.int64(tree.stats[child].sibling)
    return found


@njit
def untried_bound(tree: Any, node: Any, mover: Any, config: Any) -> float:
    """Return the urgency of actions that were not tried and about which nothing is known."""
    who, sign, shift = perspective(mover, config)
    visits = tree.stats[node].visits
    base, span = scale_of(tree, node, who, sign, shift, config)
    if config.first_play == FIXED:
        return (config.fpu - base) / span if span > 0.0 else config.fpu
    if visits == 0:
        return np.inf
    width, unit = math.log(visits), 1.0
    if config.kind == TUNED:
        width *= tuned_variance(0.0, width)
        unit = 1.0 if span > 0.0 else reward_span(config)
    mean = shift + sign * tree.values[node * config.width + who] / visits - config.fpu
    if span > 0.0:
        mean = (mean - base) / span
    return mean + config.exploration * math.sqrt(width) * unit


@inlined
def try_any(
    game: Any,
    policy: Any,
    states: Any,
    tree: Any,
    node: Any,
    mover: Any,
    count: Any,
    tried: Any,
    ready: Any,
    work: Any,
    rng: Any,
    config: Any,
    extras: Any,
    opened: Any,
    shared: Any,
) -> Any:
    """Draw an action without a child, each equally likely, and make its child.

    With best-reply backups the others' first action is the playout policy's.

    Args:
        count: how many actions are listed.
        tried: how many of them have a child.
        ready: whether the buffer holds them; in an open loop they are arranged.

    The other arguments are those of :func:`step`.

    Returns:
        The child, `NO_NODE` if there is no room; the action, `UNKNOWN_ACTION` if another thread is at work here.
    """
    if shared is not None and config.shared and not try_lock(tree, node):
        return np.int64(NO_NODE), np.int64(UNKNOWN_ACTION)
    if not ready:
        actions(game, states[0], work.buffer)
    if (shared is not None and config.shared) or opened is None or not config.open:
        tried = arrange(tree, node, mover, work, count, config, opened)
    child, action = np.int64(NO_NODE), np.int64(UNKNOWN_ACTION)
    if tried < count:
        place = tried + random_below(rng, count - tried)
        if extras is not None and tried == 0 and config.backup == BEST_REPLY and mover != config.seat:
            usual = np.int64(playout_action(policy, game, states[0], rng, work.candidates))
            place = max(place_of(work, np.int64(0), count, usual, False), np.int64(0))
        action = np.int64(work.buffer[place])
        wanted = np.int64(count - tried)
        if opened is not None and config.open:
            wanted = np.int64(1)
        child = add_child(tree, node, action, mover, wanted, config, extras, shared)
        if opened is not None and child != NO_NODE and config.open:
            tree.nodes[child].available = 1
    if shared is not None and config.shared:
        unlock(tree, node)
    return child, action


@njit
def make_children(
    game: Any,
    evaluator: Any,
    prior: Any,
    states: Any,
    tree: Any,
    node: Any,
    mover: Any,
    count: Any,
    tried: Any,
    work: Any,
    spare: Any,
    config: Any,
    opened: Any,
    shared: Any,
) -> Any:
    """Make children for the actions without one, as far as widening allows and there is room.

    They get their prior, and as an estimate what they add to what the evaluator says for the player whose reward the
    mover goes by (:func:`~oponente.search.mcts.rewards.perspective`); ``states[2]`` is work space.
    Where not all get a node, those with the best priors do, without priors those with the best estimates.

    Returns:
        How many of the actions have a child now: these are the candidates, those made here behind the `tried` others.
    """
    if config.shared and not try_lock(tree, node):
        return tried
    if not config.open:
        count = np.int64(actions(game, states[0], work.buffer))
    tried = arrange(tree, node, mover, work, count, config, opened)
    who, sign, _ = perspective(mover, config)
    total = 1.0
    if config.uses_prior:
        prior_weights(prior, game, states[0], work.buffer, count, work.scores)
        total = 0.0
        for i in range(count):
            total += work.scores[i]
    before = 0.0
    if config.estimating and tried < count:
        evaluate(evaluator, game, states[0], spare)
        before = sign * spare[who]
    limit = count if config.widening == 0.0 else min(count, allowed(tree, node, config))
    by_estimate = limit < count and not config.uses_prior and config.estimating
    if by_estimate:
        for i in range(tried, count):
            work.scores[i] = sign * value_after(game, evaluator, states, np.int64(work.buffer[i]), spare, who)
    for i in range(tried, limit):
        if limit < count and (by_estimate or config.uses_prior):
            best_first(work, i, count)
        action = np.int64(work.buffer[i])
        child = new_child(tree, node, action, mover, limit - i, config, True, shared)
        if child == NO_NODE:
            break
        if config.open:
            tree.nodes[child].available = 1
        if config.uses_prior:
            tree.values[child * config.width + config.prior_at] = work.scores[i] / total if total > 0.0 else 1.0 / count
        if config.estimating:
            value = work.scores[i] if by_estimate else sign * value_after(game, evaluator, states, action, spare, who)
            tree.values[child * config.width + config.estimate_at] = value - before
        link_child(tree, node, child, config, shared)
        work.candidates[tried] = child
        tried += 1
    if config.shared:
        unlock(tree, node)
    return tried


@njit
def value_after(game: Any, evaluator: Any, states: Any, action: Any, spare: Any, who: Any) -> float:
    """Return what an action in ``states[0]`` is worth to a player; ``states[2]`` is work space."""
    copy_state(game, states, 2, 0)
    apply(game, states[2], action)
    evaluate(evaluator, game, states[2], spare)
    return spare[who]


@njit
def best_first(work: Any, place: Any, count: Any) -> None:
    """Swap the action with the greatest score from `place` on to `place`."""
    best = place
    for i in range(place + 1, count):
        if work.scores[i] > work.scores[best]:
            best = i
    work.buffer[place], work.buffer[best] = work.buffer[best], work.buffer[place]
    work.scores[place], work.scores[best] = work.scores[best], work.scores[place]


# --- chance --------------------------------------------------------------------------------------------------------


@njit
def step_chance(
    game: Any, state: Any, tree: Any, node: Any, work: Any, rng: Any, config: Any, extras: Any, shared: Any
) -> Any:
    """Draw how a simulation goes on from an explicit chance node; results as of :func:`step`."""
    outcome = np.int64(sample_chance(game, state, rng))
    chooser = np.int64(-1)
    child = find_child(tree, node, outcome, chooser)
    if child != NO_NODE:
        return child, outcome
    if shared is not None and config.shared and not try_lock(tree, node):
        return np.int64(NO_NODE), np.int64(UNKNOWN_ACTION)
    prob = 0.0
    if tree.nodes[node].listed == 0 or (extras is not None and config.solver):
        count = np.int64(chance(game, state, work.buffer, work.scores))
        place = place_of(work, np.int64(0), count, outcome, False)
        if place >= 0:
            prob = work.scores[place]
        possible = 0
        for i in range(count):
            possible += work.scores[i] > 0.0
        tree.nodes[node].listed = possible
        if place < 0:
            return np.int64(BROKEN_RULES), np.int64(UNKNOWN_ACTION)
    if shared is not None and config.shared:
        child = find_child(tree, node, outcome, chooser)
    if child == NO_NODE:
        child = new_child(tree, node, outcome, chooser, np.int64(1), config, extras, shared)
        if child != NO_NODE:
            if extras is not None and config.solver:
                tree.values[child * config.width + config.prior_at] = prob
            link_child(tree, node, child, config, shared)
    if config.shared:
        unlock(tree, node)
    return child, outcome if child != NO_NODE else np.int64(UNKNOWN_ACTION)
