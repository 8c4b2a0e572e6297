"""The simulations of Monte Carlo tree search: one compiled function for every combination of techniques.

Sources: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning" (ECML 2006); C. Browne et al., "A survey of Monte
Carlo tree search methods" (2012), algorithm 2; P. Cowling, E. Powley, D. Whitehouse, "Information set Monte Carlo tree
search" (IEEE TCIAIG 2012); D. Perez et al., "Open loop search for general video game playing" (GECCO 2015).
Differences: rewards are kept for each player (max^n), and in a closed loop a leaf gets children at its second visit,
which gives the same search with fewer nodes.

In a *closed loop* a node is a state, and chance nodes are nodes. In an *open loop* it is a sequence of actions: which
state is met there differs from simulation to simulation, and with it the player to move, what is legal, and whether the
game is over; statistics of an action are kept apart by who takes it, and it is judged by how often it was legal. With
*multiple observers* each player has a tree of the actions as that player sees them, and chooses in that.

One simulation:

1. *Determinization*, in an open loop: what the player at the root can't know is drawn anew, and so is the stream of a
   game with sampled chance.
2. *Selection and expansion* (:mod:`~oponente.search.mcts.selection`, :mod:`~oponente.search.mcts.expansion`).
3. *Simulation*: a playout, or several from the same leaf.
4. *Backpropagation* (:mod:`~oponente.search.mcts.backup`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import (
    CHANCE,
    TERMINAL,
    apply,
    copy_state,
    determinize,
    entry,
    expired,
    inlined,
    likelihood,
    njit,
    observe,
    observed,
    player,
    playout_action,
    publish,
    random_unit,
    reseed,
    returns,
    sample_chance,
    stale,
    wait_turn,
)
from oponente.search.mcts.amaf import count_as_first, link_repeats
from oponente.search.mcts.backup import back_up, back_up_heuristics, prove_upwards
from oponente.search.mcts.expansion import UNKNOWN_ACTION, step, step_chance
from oponente.search.mcts.parameters import BEST_REPLY, GRAVE
from oponente.search.mcts.playouts import CUT_OFF, guided_play_out, learn, note
from oponente.search.mcts.rewards import evaluated, judged, perspective
from oponente.search.mcts.sharing import announce, hand_over_all, take_back
from oponente.search.mcts.solver import is_proven, prove_end
from oponente.search.mcts.store import (
    NO_NODE,
    ROOT,
    UNKNOWN,
    add_child,
    clear_tree,
    find_child,
    try_lock,
    unlock,
)
from oponente.search.mcts.work import MAX_DEPTH
from oponente.search.playout import POLL_EVERY, play_out

DONE, STOPPED, BROKEN, FULL, PROVEN = range(5)
"""Why a kernel returned: all simulations were run; the control said so; the rules are broken; the tree is full and is
to forget something; the root is proven."""

WORK_STATE, ROOT_STATE, SPARE_STATE = range(3)
"""Records of the states that a kernel gets."""

SIMULATIONS, DEEPEST, REASON, REDUNDANT = range(4)
REPORT_SIZE = 4
"""What a kernel reports, int64."""

WALKED, OVER, SETTLED, LAWLESS, FAR, LATE = range(6)
"""How the way through the tree ended: at a leaf, at the end of the game, at a proven position, at one that the rules
give nothing for, at the horizon, when the time was over."""

ROUND, WEIGHT, PREFIX, DECIDED, ENDED = 0, 1, 2, 3, 16
"""Items of the mailbox: how many leaves were handed out; of the last one how many playouts it gets, how long the trace
was there and how many own decisions it held; whether there are no more. From `RESULTS` on, `RESULT_STRIDE` for each
worker: the last round that it has finished."""
RESULTS, RESULT_STRIDE = 32, 16


@entry
def reset(tree: Any, config: Any) -> Any:
    """Forget all that the tree holds."""
    clear_tree(tree, config[0])
    return 0


@entry
def simulate(
    game: Any,
    policy: Any,
    judge: Any,
    evaluator: Any,
    prior: Any,
    belief: Any,
    states: Any,
    tree: Any,
    memory: Any,
    works: Any,
    rewards: Any,
    spare: Any,
    arms: Any,
    mailbox: Any,
    leaf: Any,
    results: Any,
    rng: Any,
    configs: Any,
    report: Any,
    control: Any,
    extras: Any,
    opened: Any,
    shared: Any,
) -> Any:
    """Grow a tree by simulations.

    Args:
        game, policy, judge, evaluator, prior, belief: tables with tokens.
        states: array of three records: one for work, the root, one for estimates.
        tree: the tree; several threads may share it.
        memory: what this thread has learnt (:func:`~oponente.search.mcts.playouts.new_memory`); threads that play out
            one leaf share it.
        works: array of records of work space (:mod:`~oponente.search.mcts.work`), one for each playout at a leaf.
        rewards, spare: float64 work space, one a player.
        arms: int32: actions at the root that are searched in turn, if `Config.arms` says how many.
        mailbox: int64, for several playouts at a leaf: what its threads tell each other.
        leaf: array of one record: the leaf.
        results: float64, a row for each playout at a leaf: the rewards, and whether there are any.
        rng: stream.
        configs: array of one `Config`.
        report: int64, `REPORT_SIZE`: receives simulations run, depth of the deepest node, why it returned, and how many
            actions of playouts undid the last, if these are counted.
        control: see :mod:`oponente.kernel.clock`.
        extras, opened, shared: what is compiled in besides the plainest search, each None (no) or True: techniques (all
            that `Config.plain` excludes), open loops, other threads on the same tree. Numba leaves out what can be
            reached only where one of them is not None.
    """
    config = configs[0]
    work = works[config.worker]
    players = np.int64(config.players)
    state = states[WORK_STATE]
    iteration, end, round_ = np.int64(config.begin), np.int64(config.end), np.int64(0)
    deepest, reason, weight = np.int64(0), np.int64(DONE), np.int64(1)
    node, depth, length, ended, exact = np.int64(ROOT), np.int64(0), np.int64(0), np.int64(WALKED), True
    # Each thread counts from the same number on: the numbers of its simulations grow, and tell about when they were.
    earlier = np.int64(config.serial) - iteration
    work.redundant = 0
    while True:
        if extras is not None and config.worker > 0:
            round_ += 1
            weight = await_leaf(mailbox, round_)
            if weight == 0:
                break
            if config.worker >= weight:
                continue
            states[WORK_STATE] = leaf[0]
            ended = np.int64(WALKED)
            take_trace(work, works[0], mailbox)
        else:
            if iteration >= end:
                break
            if expired(control):
                reason = np.int64(STOPPED)
                break
            if extras is not None and config.solver and is_proven(tree, np.int64(ROOT), config):
                reason = np.int64(PROVEN)
                break
            if extras is not None and config.recycling and tree.used[0] >= tree.stats.size:
                reason = np.int64(FULL)
                break
            copy_state(game, states, WORK_STATE, ROOT_STATE)
            # 1. Determinization
            if opened is not None and config.open:
                if extras is not None and config.belief_samples > 0:
                    draw_likely(game, belief, states, rng, config)
                elif config.honest:
                    determinize(game, state, config.seat, rng)
                reseed(game, state, rng)
            # 2. Selection and expansion
            node, depth, length, ended, exact = descend(
                game,
                policy,
                judge,
                evaluator,
                prior,
                states,
                tree,
                memory,
                work,
                spare,
                arms,
                rng,
                iteration,
                config,
                control,
                extras,
                opened,
                shared,
            )
            if ended == LAWLESS:
                reason = np.int64(BROKEN)
                break
            if extras is not None and ended == LATE:
                if shared is not None and config.shared:
                    take_back(tree, work, length)
                reason = np.int64(STOPPED)
                break
            deepest = max(deepest, depth)
            if extras is not None:
                weight = min(np.int64(config.batch), end - iteration)
                if config.batch > 1 and ended == WALKED:
                    leaf[0] = states[WORK_STATE]
                    round_ += 1
                    mailbox[WEIGHT], mailbox[PREFIX], mailbox[DECIDED] = weight, work.length, work.decisions
                    publish(mailbox, ROUND, round_)
        # 3. Simulation
        plies = np.int64(0)
        if ended == WALKED:
            if extras is not None and config.guided:
                plies = guided_play_out(game, policy, state, rng, work, memory, config, control)
            else:
                plies = np.int64(play_out(game, policy, state, rng, work.buffer, control))
        if extras is not None and (plies == CUT_OFF or ended == FAR):
            evaluated(game, judge, evaluator, state, rewards, config)
        elif extras is not None and ended == SETTLED:
            for p in range(players):
                rewards[p] = tree.values[node * config.width + config.lower_at + p]
        elif plies >= 0:
            judged(game, judge, state, rewards, config.reward, config.low, config.high)
        complete = plies != -1
        if extras is not None:
            note_result(results, config.worker, rewards, complete)
            if config.worker > 0:
                publish(mailbox, RESULTS + RESULT_STRIDE * np.int64(config.worker), round_)
                continue
            # Where the value of the leaf is known, it counts as often as there would have been playouts.
            playouts = weight if ended == WALKED else np.int64(1)
            if playouts > 1:
                complete = await_results(results, mailbox, playouts, round_)
            alike = weight // playouts
            if complete and (config.learning or config.amaf != 0):
                for k in range(playouts):
                    learn_from(tree, works, memory, results[k], k, alike, length, earlier + iteration + 1, config)
            add_up(results, rewards, work.squares, playouts, alike)
        if not complete:
            if shared is not None and config.shared:
                take_back(tree, work, length)
            reason = np.int64(STOPPED)
            break
        # 4. Backpropagation
        if extras is not None:
            if config.losses and depth > 0 and exact and plies == 0 and ended != SETTLED and ended != FAR:  # noqa: PLR1714
                note_loss(game, state, tree, node, spare, config)
            if config.solver and ended == OVER and depth > 0:
                prove_end(tree, node, rewards, weight, config)
            if config.solver and depth > 0 and (ended == OVER or ended == SETTLED):  # noqa: PLR1714, SIM109
                prove_upwards(tree, work.path, depth, work, config)
        back_up(tree, work, length, rewards, weight, earlier + iteration, config, extras, shared)
        if extras is not None and config.implicit > 0.0:
            back_up_heuristics(tree, work.path, length, config)
        iteration += weight
    if shared is not None and config.shared:
        hand_over_all(tree, work, config, extras)
    if extras is not None and config.batch > 1 and config.worker == 0:
        publish(mailbox, ENDED, np.int64(1))
    report[SIMULATIONS], report[DEEPEST], report[REASON] = iteration - config.begin, deepest, reason
    report[REDUNDANT] = work.redundant
    return 0


# --- 1. determinization --------------------------------------------------------------------------------------------


@njit
def draw_likely(game: Any, belief: Any, states: Any, rng: Any, config: Any) -> None:
    """Draw what the player at the root can't know: of some samples, what is likeliest most likely.

    Source of the weighing: D. Rubin, sampling-importance-resampling (1987).
    """
    total = 0.0
    for sample in range(config.belief_samples):
        copy_state(game, states, SPARE_STATE, ROOT_STATE)
        determinize(game, states[SPARE_STATE], config.seat, rng)
        weight = likelihood(belief, game, states[SPARE_STATE], config.seat)
        total += weight
        if random_unit(rng) * total < weight or sample == 0:
            copy_state(game, states, WORK_STATE, SPARE_STATE)


# --- 2. selection and expansion ------------------------------------------------------------------------------------


@inlined
def descend(
    game: Any,
    policy: Any,
    judge: Any,
    evaluator: Any,
    prior: Any,
    states: Any,
    tree: Any,
    memory: Any,
    work: Any,
    spare: Any,
    arms: Any,
    rng: Any,
    iteration: Any,
    config: Any,
    control: Any,
    extras: Any,
    opened: Any,
    shared: Any,
) -> Any:
    """Go from the root to a leaf; ``states[WORK_STATE]`` goes along, the nodes are written to the path.

    Returns:
        The leaf, how many plies below the root it is, how many nodes the path has, how the way ended (`WALKED`, `OVER`,
        `SETTLED`, `LAWLESS`, `FAR` or `LATE`), and whether the state belongs to the leaf (not if there was no room for
        a node).
    """
    trees = np.int64(1)
    if extras is not None:
        trees = np.int64(config.trees)
    limit = np.int64(MAX_DEPTH + 1)
    state = states[WORK_STATE]
    closed = opened is None or not config.open
    node, depth, length = np.int64(ROOT), np.int64(0), trees
    reference, replied, drawn = np.int64(ROOT), np.int64(0), np.int64(0)
    for t in range(trees):
        work.current[t] = t
        work.path[t] = t
    work.length = work.decisions = 0
    work.begins[0] = 0
    while True:
        if opened is not None and config.open:
            mover = np.int64(player(game, state))
        else:
            mover = np.int64(tree.nodes[node].mover)
            if mover == UNKNOWN:
                mover = np.int64(player(game, state))
                tree.nodes[node].mover = mover
                if extras is not None and (config.implicit > 0.0 or config.bias > 0.0):
                    value_node(game, judge, evaluator, state, tree, node, spare, config)
        if mover == TERMINAL:
            return node, depth, length, np.int64(OVER), True
        if extras is not None and mover == config.seat:
            if work.decisions == config.horizon:
                return node, depth, length, np.int64(FAR), True
            work.decisions += 1
        if (closed and tree.stats[node].visits == 0 and depth > 0) or depth + 1 >= limit:
            if extras is not None and mover == config.seat:
                work.decisions -= 1  # it is taken in the playout
            return node, depth, length, np.int64(WALKED), True
        if extras is not None:
            if config.solver and depth > 0 and is_proven(tree, node, config):
                return node, depth, length, np.int64(SETTLED), True
            if config.amaf != GRAVE or tree.stats[node].visits > config.grave_ref:
                reference = node
            if opened is not None and config.drawn and mover >= 0 and mover != config.seat:
                action = np.int64(playout_action(policy, game, state, rng, work.buffer))
                if config.traced:
                    note(work, mover, action)
                apply(game, state, action)
                drawn += 1
                if drawn % POLL_EVERY == 0 and expired(control):
                    return node, depth, length, np.int64(LATE), False
                continue
        chooser_node = node
        if mover == CHANCE:
            if opened is not None and config.open:
                action = np.int64(sample_chance(game, state, rng))
                child = node
                if trees == 1:
                    child = obtain_child(tree, node, action, mover, config, extras, shared)
            else:
                child, action = step_chance(game, state, tree, node, work, rng, config, extras, shared)
        else:
            if extras is not None and trees > 1:
                chooser_node = np.int64(work.current[mover])
            if extras is not None and config.arms > 0 and depth == 0:
                action = np.int64(arms[iteration % config.arms])
                child = obtain_child(tree, chooser_node, action, mover, config, extras, shared)
            else:
                child, action = step(
                    game,
                    policy,
                    evaluator,
                    prior,
                    states,
                    tree,
                    chooser_node,
                    mover,
                    reference,
                    replied,
                    work,
                    spare,
                    rng,
                    memory,
                    config,
                    extras,
                    opened,
                    shared,
                )
        if child < 0:
            return node, depth, length, np.int64(LAWLESS), True
        if action == UNKNOWN_ACTION:
            if extras is not None and mover == config.seat:
                work.decisions -= 1  # likewise
            return node, depth, length, np.int64(WALKED), True
        if extras is not None:
            if config.backup == BEST_REPLY and mover >= 0:
                if mover == config.seat:
                    replied = np.int64(0)
                elif replied == 0 and child != work.usual:
                    replied = mover + 1
            if config.traced:
                note(work, mover, action)
            if (
                trees > 1
                and child != NO_NODE
                and not follow(game, state, tree, work, mover, action, child, config, shared)
            ):
                child = np.int64(NO_NODE)
        apply(game, state, action)
        if child == NO_NODE:
            return node, depth, length, np.int64(WALKED), False
        if extras is not None and config.taboo > 0.0 and mover == config.seat and tree.stats[child].visits == 0:
            tree.nodes[child].stale = stale(policy, game, state)
        depth += 1
        fresh = not closed and mover != CHANCE and tree.stats[child].visits == 0
        if extras is not None and trees > 1:
            node = np.int64(work.current[config.seat])
            for t in range(trees):
                work.path[length] = work.current[t]
                if shared is not None and config.shared:
                    announce(tree, work, length)
                length += 1
        else:
            node = child
            work.path[length] = node
            if extras is not None and config.traced:
                work.begins[length] = work.length
            if shared is not None and config.shared:
                announce(tree, work, length)
            length += 1
        if fresh:
            return node, depth, length, np.int64(WALKED), True


@njit
def obtain_child(tree: Any, node: Any, action: Any, chooser: Any, config: Any, extras: Any, shared: Any) -> Any:
    """Return the child that an action leads to, made if need be; `NO_NODE` if there is no room for it."""
    child = find_child(tree, node, action, chooser)
    if child != NO_NODE:
        return child
    if shared is not None and config.shared:
        if not try_lock(tree, node):
            return child
        child = find_child(tree, node, action, chooser)
    if child == NO_NODE:
        child = add_child(tree, node, action, chooser, np.int64(1), config, extras, shared)
        if child != NO_NODE and config.open:
            tree.nodes[child].available = 1
    if shared is not None and config.shared:
        unlock(tree, node)
    return child


@njit
def follow(
    game: Any, state: Any, tree: Any, work: Any, mover: Any, action: Any, child: Any, config: Any, shared: Any
) -> bool:
    """Go on in all players' trees by the action as each sees it; false if one of them has no room for a node."""
    for t in range(config.trees):
        if t == mover:
            work.reached[t] = child
        else:
            seen = np.int64(observed(game, state, action, t))
            work.reached[t] = obtain_child(tree, np.int64(work.current[t]), seen, mover, config, True, shared)
            if work.reached[t] == NO_NODE:
                return False
    for t in range(config.trees):
        work.current[t] = work.reached[t]
    return True


@njit
def value_node(
    game: Any, judge: Any, evaluator: Any, state: Any, tree: Any, node: Any, spare: Any, config: Any
) -> None:
    """Note what a state that was reached for the first time looks like."""
    evaluated(game, judge, evaluator, state, spare, config)
    if config.implicit > 0.0:
        for p in range(config.players):
            tree.values[node * config.width + config.heuristic_at + p] = spare[p]
    if config.bias > 0.0:
        who, sign, shift = perspective(np.int64(tree.nodes[node].chooser), config)
        tree.values[node * config.width + config.estimate_at] = shift + sign * spare[who]


# --- 3. several playouts from a leaf -------------------------------------------------------------------------------


@njit
def await_leaf(mailbox: Any, round_: Any) -> Any:
    """Wait for a leaf; return how many playouts it gets, 0 if there are no more leaves."""
    turns = 0
    while observe(mailbox, ROUND) < round_:
        if observe(mailbox, ENDED) != 0:
            return np.int64(0)
        turns = wait_turn(turns)
    return np.int64(mailbox[WEIGHT])


@njit
def take_trace(work: Any, first: Any, mailbox: Any) -> None:
    """Copy what was played on the way to the leaf; the first worker adds to its trace, but changes nothing in it."""
    length = np.int64(mailbox[PREFIX])
    for i in range(length):
        work.movers[i] = first.movers[i]
        work.actions[i] = first.actions[i]
    work.length = length
    work.decisions = np.int64(mailbox[DECIDED])


@njit
def note_result(results: Any, worker: Any, rewards: Any, complete: Any) -> None:
    """Note the rewards of a playout, or that it was broken off."""
    for p in range(rewards.size):
        results[worker, p] = rewards[p]
    results[worker, rewards.size] = 1.0 if complete else 0.0


@njit
def await_results(results: Any, mailbox: Any, count: Any, round_: Any) -> bool:
    """Wait for the other playouts from the leaf; false if any was broken off, or its thread has failed."""
    complete = True
    for worker in range(count):
        turns = 0
        while worker > 0 and observe(mailbox, RESULTS + RESULT_STRIDE * worker) < round_:
            if observe(mailbox, ENDED) != 0:
                return False
            turns = wait_turn(turns)
        complete = complete and results[worker, results.shape[1] - 1] > 0.0
    return complete


@njit
def add_up(results: Any, rewards: Any, squares: Any, count: Any, alike: Any) -> None:
    """Write the sums of the rewards of some playouts, in a fixed order, and of their squares.

    There were `alike` simulations like each of them.
    """
    for p in range(rewards.size):
        rewards[p], squares[p] = 0.0, 0.0
        for worker in range(count):
            reward = results[worker, p]
            rewards[p] += alike * reward
            squares[p] += alike * reward * reward


@njit
def learn_from(
    tree: Any, works: Any, memory: Any, rewards: Any, k: Any, alike: Any, length: Any, generation: Any, config: Any
) -> None:
    """Learn from a playout from the leaf, of `alike` ones; the path is in the first work space."""
    work, path = works[k], works[0].path
    if config.learning:
        learn(work, memory, rewards, alike, config)
    if config.amaf != 0:
        link_repeats(work, generation)
        for d in range(length):
            if tree.stats[path[d]].visits > 0:
                count_as_first(work, memory, np.int64(path[d]), np.int64(works[0].begins[d]), rewards, alike, config)


# --- 4. backpropagation --------------------------------------------------------------------------------------------


@njit
def note_loss(game: Any, state: Any, tree: Any, node: Any, spare: Any, config: Any) -> None:
    """Mark a finished game that whoever chose it has lost: somebody else got more, or nobody got more than the least.

    The utilities decide, whatever the rewards are.
    """
    chooser = np.int64(tree.nodes[node].chooser)
    if chooser < 0:
        return
    returns(game, state, spare)
    lost = spare[chooser] <= config.low
    for p in range(spare.size):
        lost = lost or spare[p] > spare[chooser]
    if lost:
        tree.nodes[node].lost = 1
