"""Playouts that do more than follow a policy: note what is played, learn from it, end early.

Sources: H. Finnsson, Y. Björnsson, "Simulation-based approach to general game playing" (AAAI 2008), MAST with the Gibbs
choice; M. Tak, M. Winands, Y. Björnsson, "N-grams and the last-good-reply policy applied in general game playing" (IEEE
TCIAIG 2012), NST and the epsilon-greedy choice; R. Lorentz, "Amazons discover Monte-Carlo" (2008), the cut-off; B.
Santos (UFJF 2017), redundant actions, eq. 5.1 and 5.2. What is learnt is kept by player.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

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
from oponente.search.mcts.averages import Averages, action_key, add, find, new_averages, sequence_key
from oponente.search.mcts.parameters import EPSILON, MAST, NST, MCTSParameters
from oponente.search.playout import POLL_EVERY

MAX_TRACE = 1 << 13
"""Actions of a simulation that are noted; later ones count nowhere."""
MOVES_SIZE = 1 << 16
SEQUENCES_SIZE = 1 << 19
CUT_OFF = -2
"""What a playout returns that ended with an evaluation."""


class Memory(NamedTuple):
    """What a thread learns from the simulations that it runs."""

    moves: Averages
    """By player and action."""
    sequences: Averages
    """By player and the last two or three actions."""
    amaf: Averages
    """By node, player and action: rewards of simulations through the node in which the player took it later."""


class Trace(NamedTuple):
    """The actions of one simulation, in the tree and in the playout."""

    length: Any
    """int64, one item."""
    movers: Any
    """int8: who took the action; `CHANCE` too."""
    actions: Any
    """int32."""
    last: Any
    """int64, one a player: their last action, -1 before the first."""
    before: Any
    """int32: where the same player took the same action before, -1 if nowhere. Filled for AMAF."""
    places: Any
    """int64, twice as long, all zero at first: finds it, see :mod:`oponente.search.mcts.amaf`."""


def new_memory(parameters: MCTSParameters, nodes: int) -> Memory:
    """Return empty tables of the size that the parameters need; `nodes` bounds the tree."""
    sequences = parameters.guide == "nst"
    amaf = min(1 << 22, max(1 << 16, 8 * nodes)) if parameters.amaf != "none" else 1
    return Memory(
        new_averages(MOVES_SIZE if parameters.learns else 1),
        new_averages(SEQUENCES_SIZE if sequences else 1),
        new_averages(amaf),
    )


def new_trace(players: int, *, needed: bool) -> Trace:
    """Return an empty trace."""
    size = MAX_TRACE if needed else 1
    return Trace(
        length=np.zeros(1, np.int64),
        movers=np.zeros(size, np.int8),
        actions=np.zeros(size, np.int32),
        last=np.zeros(players, np.int64),
        before=np.zeros(size, np.int32),
        places=np.zeros(2 * size, np.int64),
    )


@njit
def note(trace: Any, mover: Any, action: Any) -> None:
    """Note an action, as long as there is room."""
    length = trace.length[0]
    if length < trace.movers.size:
        trace.movers[length] = mover
        trace.actions[length] = action
        trace.length[0] = length + 1


@njit
def guided_play_out(
    game: Any,
    policy: Any,
    state: Any,
    rng: Any,
    buffer: Any,
    scores: Any,
    trace: Any,
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
    avoiding = config.redundancy >= 0.0
    if avoiding:
        trace.last[:] = -1
    while True:
        mover = np.int64(player(game, state))
        if mover == TERMINAL:
            return count
        if mover == CHANCE:
            action = np.int64(sample_chance(game, state, rng))
        else:
            if config.cutoff >= 0 and count >= config.cutoff:
                return np.int64(CUT_OFF)
            if config.guide != 0 and (config.guide_choice != EPSILON or random_unit(rng) >= config.epsilon):
                listed = actions(game, state, buffer)
                action = guided_action(buffer, listed, mover, scores, trace, memory, config, rng)
            elif avoiding:
                listed = actions(game, state, buffer)
                action = less_redundant(game, policy, state, buffer, listed, trace.last[mover], scores, config, rng)
            else:
                action = np.int64(playout_action(policy, game, state, rng, buffer))
            if avoiding:
                trace.last[mover] = action
        if config.traced:
            note(trace, mover, action)
        apply(game, state, action)
        count += 1
        if count % POLL_EVERY == 0 and expired(control):
            return np.int64(-1)


@njit
def less_redundant(
    game: Any, policy: Any, state: Any, buffer: Any, count: Any, before: Any, scores: Any, config: Any, rng: Any
) -> Any:
    """Draw one of n actions; the r redundant ones share the probability p / n, the others the rest (eq. 5.2)."""
    undoing = 0
    if before >= 0:
        for i in range(count):
            scores[i] = 1.0 if redundant(policy, game, state, before, np.int64(buffer[i])) else 0.0
            undoing += scores[i] > 0.0
    if undoing == 0 or undoing == count:
        return np.int64(buffer[random_below(rng, count)])
    chosen_kind = 1.0 if random_unit(rng) * count < config.redundancy else 0.0
    left = random_below(rng, undoing if chosen_kind > 0.0 else count - undoing)
    for i in range(count):
        if scores[i] == chosen_kind:
            if left == 0:
                return np.int64(buffer[i])
            left -= 1
    return np.int64(buffer[0])


@njit
def guided_action(
    buffer: Any, count: Any, mover: Any, scores: Any, trace: Any, memory: Any, config: Any, rng: Any
) -> Any:
    """Return the action with the best mean, one of equals at random, or one drawn with Gibbs probabilities."""
    best, equals, chosen = -np.inf, 0, np.int64(0)
    for i in range(count):
        score = learnt(np.int64(buffer[i]), mover, trace, memory, config)
        scores[i] = score
        if score > best:
            best, equals, chosen = score, 1, np.int64(i)
        elif score == best:
            equals += 1
            if random_below(rng, equals) == 0:
                chosen = np.int64(i)
    if config.guide_choice == EPSILON:
        return np.int64(buffer[chosen])
    total = 0.0
    for i in range(count):
        scores[i] = math.exp((scores[i] - best) / config.temperature)
        total += scores[i]
    left = random_unit(rng) * total
    for i in range(count - 1):
        left -= scores[i]
        if left < 0.0:
            return np.int64(buffer[i])
    return np.int64(buffer[count - 1])


@njit
def learnt(action: Any, mover: Any, trace: Any, memory: Any, config: Any) -> float:
    """Return the mean reward of an action, for NST that of the sequences that it would end averaged in.

    One never seen is worth as much as can be; where that is not known, 0.
    """
    key = action_key(mover, action)
    slot = find(memory.moves, key)
    if slot < 0:
        return config.greatest if config.greatest < np.inf else 0.0
    mean = memory.moves.totals[slot] / memory.moves.visits[slot]
    if config.guide == MAST:
        return mean
    length, means = trace.length[0], 1
    for earlier in range(1, min(3, length + 1)):
        if length >= trace.movers.size:
            break
        key = sequence_key(key, trace.movers[length - earlier], trace.actions[length - earlier])
        slot = find(memory.sequences, key)
        if slot < 0 or memory.sequences.visits[slot] < config.nst_visits:
            break
        mean += memory.sequences.totals[slot] / memory.sequences.visits[slot]
        means += 1
    return mean / means


@njit
def learn(trace: Any, memory: Any, rewards: Any, weight: Any, config: Any) -> None:
    """Count the rewards of a simulation for every action in it, for NST for every sequence of up to three."""
    for i in range(trace.length[0]):
        mover = np.int64(trace.movers[i])
        if mover < 0:
            continue
        key = action_key(mover, np.int64(trace.actions[i]))
        add(memory.moves, key, rewards[mover], weight)
        if config.guide == NST:
            for earlier in range(1, min(3, i + 1)):
                key = sequence_key(key, trace.movers[i - earlier], trace.actions[i - earlier])
                add(memory.sequences, key, rewards[mover], weight)
