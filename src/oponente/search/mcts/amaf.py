"""All moves as first: what an action is worth if it is played at any later time.

Sources: S. Gelly, D. Silver, "Combining online and offline knowledge in UCT" (ICML 2007), RAVE; D. Paz, L. Rubin (PUCRS
2016), eq. 2.7, its weight ``max(0, (V - n) / V)``; D. Helmbold, A. Parker-Wood, "All-moves-as-first heuristics in
Monte-Carlo Go" (2009), the constant weight; T. Cazenave, "Generalized rapid action value estimation" (IJCAI 2015),
GRAVE: the statistics of the closest ancestor that has enough visits.

A node's statistics begin with its second visit, since most nodes get no more than one. An action that a player repeats
counts once, where it is first played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit
from oponente.search.mcts.averages import action_key, add, find, node_key
from oponente.search.mcts.parameters import AMAF, RAVE
from oponente.search.mcts.rewards import gain
from oponente.search.mcts.work import MAX_TRACE


@njit
def link_repeats(work: Any, generation: Any) -> None:
    """Note for each action of the trace where the same player took it before.

    `generation` tells this simulation from all before; it grows from 1.
    """
    size = np.int64(MAX_TRACE)
    begin = generation * size
    mask = np.uint64(work.latest.size - 1)
    for i in range(work.length):
        work.before[i] = -1
        slot = action_key(np.int64(work.movers[i]), np.int64(work.actions[i]))
        while True:
            slot &= mask
            held = np.int64(work.latest[slot]) - begin
            if held < 0:
                break
            if work.movers[held] == work.movers[i] and work.actions[held] == work.actions[i]:
                work.before[i] = held
                break
            slot += np.uint64(1)
        work.latest[slot] = begin + i


@njit
def count_as_first(work: Any, memory: Any, node: Any, begin: Any, rewards: Any, weight: Any, config: Any) -> None:
    """Count a simulation, `weight` times, for all played from a node on; the trace was `begin` actions long there."""
    for i in range(begin, work.length):
        mover = np.int64(work.movers[i])
        if mover >= 0 and work.before[i] < begin:
            key = node_key(node, action_key(mover, np.int64(work.actions[i])))
            add(memory, key, weight * gain(rewards, mover, config), weight)


@njit
def mixed_in(mean: Any, visits: Any, memory: Any, reference: Any, player: Any, action: Any, config: Any) -> float:
    """Return the mean of an action with what is known of it as a later move mixed in.

    Args:
        mean, visits: of the child.
        memory: of the thread.
        reference: the node whose statistics count.
        player: who takes the action.
        action: the action.
        config: `Config` record.
    """
    slot = find(memory, node_key(reference, action_key(player, action)))
    if slot < 0:
        return mean
    seen = memory[slot].visits
    other = memory[slot].total / seen
    if config.amaf == AMAF:
        weight = config.amaf_weight
    elif config.amaf == RAVE:
        weight = max(0.0, (config.rave_visits - visits) / config.rave_visits)
    else:
        weight = seen / (seen + visits + config.grave_bias * seen * visits)
    if visits == 0:
        weight = 1.0
    return weight * other + (1.0 - weight) * mean
