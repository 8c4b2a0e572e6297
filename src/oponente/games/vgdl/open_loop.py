"""VGDL: the framework's sample controller, open-loop Monte Carlo tree search with a depth limit.

Source: D. Perez-Liebana et al., "The 2014 general video game playing competition" (IEEE TCIAIG 2016), the controller
sampleMCTS. A node stands for a sequence of the player's actions. Each iteration copies the state at the root and plays
the actions anew, with other random numbers:

1. *Selection.* Where all actions have a child, the child that maximises its mean, scaled by the least and greatest
   value seen below the node, plus ``K sqrt(ln(N + 1) / n)``; tiny noise breaks ties.
2. *Expansion.* Where some have none, one of these is drawn.
3. *Roll-out* with uniformly drawn actions until the game ends or `depth` actions from the root.
4. *Value.* The score, plus or minus `DECIDED` if the player has won or lost.
5. *Backpropagation* along the nodes.

Other players draw their actions uniformly from all that they can do, doing nothing too if the game lists that (option
``nil``).

The same entry measures how fast ticks and copies are: without a tree and with another depth it only plays or copies.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from oponente.games.vgdl.kinds import NIL
from oponente.games.vgdl.rules import MAX_ACTIONS, copy_state, reseed
from oponente.games.vgdl.tick import tick
from oponente.kernel import entry, expired, njit, random_below, random_unit

DECIDED = 1e7
"""What a win adds to the score, and a loss takes away."""
NOISE = 1e-6
ROOT, WORK = 0, 1
"""Which of the two states is what."""


class Tree(NamedTuple):
    """A tree in preallocated arrays. Node 0 is the root."""

    visits: Any
    """int32."""
    totals: Any
    """float64: sum of the values."""
    low: Any
    """float64: least value seen."""
    high: Any
    """float64: greatest value seen."""
    children: Any
    """int32, one row a node: the child of each action of the player's, 0: none."""


def new_tree(capacity: int) -> Tree:
    """Return an empty tree with room for `capacity` nodes."""
    return Tree(
        visits=np.zeros(capacity, np.int32),
        totals=np.zeros(capacity, np.float64),
        low=np.zeros(capacity, np.float64),
        high=np.zeros(capacity, np.float64),
        children=np.zeros((capacity, MAX_ACTIONS), np.int32),
    )


@njit
def clear_node(tree: Any, node: Any) -> None:
    """Make a node one that was never visited."""
    tree.visits[node] = 0
    tree.totals[node] = 0.0
    tree.low[node], tree.high[node] = np.inf, -np.inf
    for i in range(MAX_ACTIONS):
        tree.children[node, i] = 0


@njit
def list_actions(game: Any, state: Any, player: Any, with_nil: Any, out: Any) -> Any:
    """List what a player's avatar can do, in the framework's order; return how many."""
    p = game.program
    s = state.sprites[np.int64(state.avatar[player])]
    count = np.int64(0)
    if with_nil or s.disabled:
        out[count] = NIL
        count += 1
    if s.disabled == 0:
        t = p.types[s.type]
        for i in range(t.legal, t.legal + t.n_legal):
            out[count] = p.ints[i]
            count += 1
    if count == 0:
        out[count] = NIL
        count += 1
    return count


@njit
def best_child(tree: Any, node: Any, count: Any, exploration: Any, rng: Any) -> Any:
    """Return the number of the action whose child has the best upper confidence bound."""
    best, best_bound = np.int64(0), -np.inf
    width = tree.high[node] - tree.low[node]
    log_visits = math.log(tree.visits[node] + 1.0)
    for i in range(count):
        child = tree.children[node, i]
        mean = tree.totals[child] / (tree.visits[child] + NOISE)
        if width > 0.0:
            mean = (mean - tree.low[node]) / width
        bound = mean + exploration * math.sqrt(log_visits / (tree.visits[child] + NOISE))
        bound = (bound + NOISE) * (1.0 + NOISE * (random_unit(rng) - 0.5))
        if bound > best_bound:
            best, best_bound = np.int64(i), bound
    return best


@njit
def untried(tree: Any, node: Any, count: Any, rng: Any) -> Any:
    """Return the number of an action without a child, drawn from all such; -1 if there is none."""
    left = np.int64(0)
    for i in range(count):
        left += tree.children[node, i] == 0
    if left == 0:
        return np.int64(-1)
    skip = random_below(rng, left)
    for i in range(count):
        if tree.children[node, i] == 0:
            if skip == 0:
                return np.int64(i)
            skip -= 1
    return np.int64(-1)


@njit
def value_of(state: Any, player: Any) -> float:
    """Return the score, and what a win or a loss means."""
    value = state.score[player]
    if state.ended:
        value += DECIDED if state.win[player] == 1 else -DECIDED if state.win[player] == 0 else 0.0
    return value


@entry
def search(
    game: Any,
    states: Any,
    tree: Any,
    player: Any,
    iterations: Any,
    depth: Any,
    exploration: Any,
    rng: Any,
    control: Any,
) -> Any:
    """Run iterations from ``states[0]``; what the tree held before is forgotten.

    Args:
        game: tables of a VGDL game.
        states: array of two records, the second one for work: it holds the last state of the last iteration.
        tree: room for more nodes than there are iterations; with room for one node no tree is grown.
        player: whose actions are searched.
        iterations: how many at most.
        depth: of each, in ticks.
        exploration: K.
        rng: stream.
        control: stops the search.

    Returns:
        Iterations and ticks that were run.
    """
    clear_node(tree, 0)
    used, ticks = np.int64(1), np.int64(0)
    path = np.empty(max(depth, 1) + 1 if tree.visits.size > 1 else 1, np.int64)
    own, other = np.empty(MAX_ACTIONS, np.int64), np.empty(MAX_ACTIONS, np.int64)
    for iteration in range(iterations):
        if expired(control):
            return np.int64(iteration), ticks
        copy_state(game, states, WORK, ROOT)
        state = states[WORK]
        reseed(game, state, rng)
        node, length, growing = np.int64(0), np.int64(1), tree.visits.size > 1
        path[0] = 0
        for _ in range(depth):
            if state.ended:
                break
            count = list_actions(game, state, player, False, own)
            choice = np.int64(-1)
            if growing:
                choice = untried(tree, node, count, rng)
                if choice >= 0:
                    growing = False
                    if used < tree.visits.size:
                        clear_node(tree, used)
                        tree.children[node, choice] = used
                        path[length] = used
                        length += 1
                        used += 1
                else:
                    choice = best_child(tree, node, count, exploration, rng)
                    node = np.int64(tree.children[node, choice])
                    path[length] = node
                    length += 1
            if choice < 0:
                choice = np.int64(random_below(rng, count))
            for i in range(game.program.players):
                if i == player:
                    state.chosen[i] = own[choice]
                else:
                    known = list_actions(game, state, i, game.program.list_nil != 0, other)
                    state.chosen[i] = other[random_below(rng, known)]
            tick(game, state)
            ticks += 1
        value = value_of(state, player)
        for i in range(length):
            visited = path[i]
            tree.visits[visited] += 1
            tree.totals[visited] += value
            tree.low[visited] = min(tree.low[visited], value)
            tree.high[visited] = max(tree.high[visited], value)
    return iterations, ticks
