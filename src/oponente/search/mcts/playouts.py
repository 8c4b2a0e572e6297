"""Playouts that do more than follow a policy: note what is played, learn from it, end early.

Sources: H. Finnsson, Y. Björnsson, "Simulation-based approach to general game playing" (AAAI 2008), MAST with the Gibbs
choice; M. Tak, M. Winands, Y. Björnsson, "N-grams and the last-good-reply policy applied in general game playing" (IEEE
TCIAIG 2012), NST and the epsilon-greedy choice; R. Lorentz, "Amazons discover Monte-Carlo" (2008), the cut-off; B.
Santos (UFJF 2017), redundant actions, eq. 5.1 and 5.2. What is learnt is kept by player, as the reward that the player
goes by in the tree.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oponente.kernel import (
    CHANCE,
    TERMINAL,
    actions,
    apply,
    expired,
    njit,
    player,
    playout_action,
    random_below,
    random_unit,
    redundant,
    sample_chance,
)
from oponente.search.mcts.averages import action_key, add, find, new_averages, sequence_key, table_size
from oponente.search.mcts.parameters import EPSILON, MAST, NST, MCTSParameters
from oponente.search.mcts.rewards import gain
from oponente.search.mcts.work import MAX_TRACE
from oponente.search.playout import POLL_EVERY

MOVES_SIZE = 1 << 16
SEQUENCES_SIZE = 1 << 19
AMAF_SIZE = 1 << 21
"""Means that are kept at most, of each kind."""
MEANS_PER_NODE = 64
"""Means of each kind that are kept at most for each node of the tree: many small trees must not take much memory."""
CUT_OFF = -2
"""What a playout returns that ended with an evaluation."""


def new_memory(parameters: MCTSParameters, nodes: int) -> Any:
    """Return the table of what a thread learns from the simulations that it runs; `nodes` bounds the tree.

    It holds, by player, actions (MAST), sequences of two and three actions (NST), and what players took later in
    simulations through a node (AMAF).
    """
    return new_averages(_means(parameters, nodes))


def part_of_memory(memory: Any, parameters: MCTSParameters, nodes: int) -> Any:
    """Return a table for `nodes` nodes in the memory of one for as many or more."""
    return memory[: table_size(_means(parameters, nodes))]


def _means(parameters: MCTSParameters, nodes: int) -> int:
    """Return how many means there may be."""
    size = 1
    if parameters.learns:
        size += min(MOVES_SIZE, MEANS_PER_NODE * nodes)
    if parameters.guide == "nst":
        size += min(SEQUENCES_SIZE, MEANS_PER_NODE * nodes)
    if parameters.amaf != "none":
        size += min(AMAF_SIZE, MEANS_PER_NODE * nodes)
    return size


@njit
def note(work: Any, mover: Any, action: Any) -> None:
    """Note an action, as long as there is room."""
    length = work.length
    if length < MAX_TRACE:
        work.movers[length] = mover
        work.actions[length] = action
        work.length = length + 1


@njit
def guided_play_out(
    game: Any,
    policy: Any,
    state: Any,
    rng: Any,
    work: Any,
    memory: Any,
    config: Any,
    control: Any,
) -> Any:
    """Play `state` on in place, to its end or to the cut-off.

    Returns:
        How many actions and chance outcomes were applied; `CUT_OFF` if the state is to be evaluated; -1 if `control`
        broke the playout off.
    """
    count = np.int64(0)
    avoiding = config.redundancy >= 0.0 or config.counting
    if avoiding:
        for p in range(config.players):
            work.last[p] = -1
    while True:
        mover = np.int64(player(game, state))
        if mover == TERMINAL:
            return count
        if mover == CHANCE:
            action = np.int64(sample_chance(game, state, rng))
        else:
            if config.cutoff >= 0 and count >= config.cutoff:
                return np.int64(CUT_OFF)
            if mover == config.seat:
                if work.decisions == config.horizon:
                    return np.int64(CUT_OFF)
                work.decisions += 1
            if config.guide != 0 and (config.guide_choice != EPSILON or random_unit(rng) >= config.epsilon):
                listed = actions(game, state, work.buffer)
                action = guided_action(listed, mover, work, memory, config, rng)
            elif config.redundancy >= 0.0:
                listed = actions(game, state, work.buffer)
                action = less_redundant(game, policy, state, listed, np.int64(work.last[mover]), work, config, rng)
            else:
                action = np.int64(playout_action(policy, game, state, rng, work.buffer))
            if avoiding:
                before = np.int64(work.last[mover])
                if config.counting and mover == config.seat and before >= 0:
                    work.redundant += redundant(policy, game, state, before, action)
                work.last[mover] = action
        if config.traced:
            note(work, mover, action)
        apply(game, state, action)
        count += 1
        if count % POLL_EVERY == 0 and expired(control):
            return np.int64(-1)


@njit
def less_redundant(
    game: Any, policy: Any, state: Any, count: Any, before: Any, work: Any, config: Any, rng: Any
) -> Any:
    """Draw one of n actions; the r redundant ones share the probability p / n, the others the rest (eq. 5.2)."""
    undoing = 0
    if before >= 0:
        for i in range(count):
            work.scores[i] = 1.0 if redundant(policy, game, state, before, np.int64(work.buffer[i])) else 0.0
            undoing += work.scores[i] > 0.0
    if undoing * (count - undoing) == 0:  # none or all
        return np.int64(work.buffer[random_below(rng, count)])
    chosen_kind = 1.0 if random_unit(rng) * count < config.redundancy else 0.0
    left = random_below(rng, undoing if chosen_kind > 0.0 else count - undoing)
    for i in range(count):
        if work.scores[i] == chosen_kind:
            if left == 0:
                return np.int64(work.buffer[i])
            left -= 1
    return np.int64(work.buffer[0])


@njit
def guided_action(count: Any, mover: Any, work: Any, memory: Any, config: Any, rng: Any) -> Any:
    """Return the action with the best mean, one of equals at random, or one drawn with Gibbs probabilities."""
    best, equals, chosen = -np.inf, 0, np.int64(0)
    for i in range(count):
        score = learnt(np.int64(work.buffer[i]), mover, work, memory, config)
        work.scores[i] = score
        if score > best:
            best, equals, chosen = score, 1, np.int64(i)
        elif score == best:
            equals += 1
            if random_below(rng, equals) == 0:
                chosen = np.int64(i)
    if config.guide_choice == EPSILON:
        return np.int64(work.buffer[chosen])
    total = 0.0
    for i in range(count):
        work.scores[i] = math.exp((work.scores[i] - best) / config.temperature)
        total += work.scores[i]
    left = random_unit(rng) * total
    for i in range(count - 1):
        left -= work.scores[i]
        if left < 0.0:
            return np.int64(work.buffer[i])
    return np.int64(work.buffer[count - 1])


@njit
def learnt(action: Any, mover: Any, work: Any, memory: Any, config: Any) -> float:
    """Return the mean reward of an action, for NST that of the sequences that it would end averaged in.

    One never seen is worth as much as can be; where that is not known, 0.
    """
    key = action_key(mover, action)
    slot = find(memory, key)
    if slot < 0:
        return config.greatest if config.greatest < np.inf else 0.0
    mean = memory[slot].total / memory[slot].visits
    if config.guide == MAST:
        return mean
    length, means = work.length, 1
    for earlier in range(1, min(3, length + 1)):
        if length >= MAX_TRACE:
            break
        key = sequence_key(key, work.movers[length - earlier], work.actions[length - earlier])
        slot = find(memory, key)
        if slot < 0 or memory[slot].visits < config.nst_visits:
            break
        mean += memory[slot].total / memory[slot].visits
        means += 1
    return mean / means


@njit
def learn(work: Any, memory: Any, rewards: Any, weight: Any, config: Any) -> None:
    """Count a simulation, `weight` times, for every action in it, for NST for every sequence of up to three."""
    for i in range(work.length):
        mover = np.int64(work.movers[i])
        if mover < 0:
            continue
        key = action_key(mover, np.int64(work.actions[i]))
        total = weight * gain(rewards, mover, config)
        add(memory, key, total, weight)
        if config.guide == NST:
            for earlier in range(1, min(3, i + 1)):
                key = sequence_key(key, work.movers[i - earlier], work.actions[i - earlier])
                add(memory, key, total, weight)
