"""UCT: Monte Carlo tree search with upper confidence bounds, for any number of players.

Sources: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning" (ECML 2006); C. Browne et al., "A survey of Monte
Carlo tree search methods" (2012), algorithm 2. Differences: each node keeps a reward per player, and whoever moves at a
node maximises the own one (max^n); chance nodes draw an outcome with its probability; a leaf is expanded at its second
visit, which gives the same search with fewer nodes.

One simulation:

1. *Selection.* From the root, the mover picks the child that maximises ``mean + K sqrt(ln N) / sqrt(n)``, children
   never visited first, in random order; at chance nodes an outcome is drawn.
2. *Expansion.* A leaf that was visited before gets its children, if there is room.
3. *Simulation.* The playout policy finishes the game.
4. *Backpropagation.* The rewards of all players are added along the path.

The final move is the *robust child*, the one visited most.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import (
    CHANCE,
    OUTCOME,
    TERMINAL,
    UNIFORM,
    Control,
    RulesError,
    State,
    Stream,
    actions,
    apply,
    chance,
    copy_state,
    entry,
    evaluate,
    expired,
    njit,
    player,
    random_below,
    returns,
    sample_chance,
)
from oponente.kernel.memory import private_zeros
from oponente.kernel.rules import max_chance
from oponente.search.analysis import Analysis, MoveAnalysis
from oponente.search.playout import play_out

FORMULAS: dict[str, float] = {"plain": 1.0, "root2": math.sqrt(2.0), "uct": 2.0 * math.sqrt(2.0)}
"""Selection formulas by name: what K is for c = 1.

``plain``: ``c sqrt(ln N / n)``; ``root2``: ``c sqrt(2 ln N / n)``, with c = 1 UCB1 (Auer et al. 2002); ``uct``:
``2 c sqrt(2 ln N / n)``, Kocsis and Szepesvari's C_p as Browne et al. write it.
"""

REWARDS: dict[str, int] = {"unit": 0, "utility": 1, "win": 2, "value": 3}
"""What a finished game is worth: utility scaled to [0, 1]; utility as it is; 1 for a sole win and 0 otherwise; what an
evaluator says (the *judge*)."""
UNIT, UTILITY, WIN, VALUE = REWARDS.values()

ROOT = 0
BROKEN_RULES = -1
MAX_DEPTH = 1 << 12


class Tree(NamedTuple):
    """A search tree in preallocated arrays. Node 0 is the root; the children of a node lie side by side.

    Invariant: the first `tried` children of a node have been visited, the others never.
    """

    visits: Any
    """int32: simulations through the node."""
    totals: Any
    """float64, one row a node: sum of the rewards of each player."""
    bounds: Any
    """float64, two a node: mean reward of the player who chose it, and ``1 / sqrt(visits)``, ready for selection."""
    action: Any
    """int32: the action or outcome that leads to the node."""
    mover: Any
    """int8: who moves at the node, `CHANCE` or `TERMINAL`; valid once visited."""
    first: Any
    """int32: first child; 0: not expanded."""
    children: Any
    """int32: number of children."""
    tried: Any
    """int32: number of children visited."""


def new_tree(capacity: int, players: int) -> Tree:
    """Return an empty tree with room for `capacity` nodes (memory is taken only as nodes are used)."""
    return Tree(
        visits=np.empty(capacity, np.int32),
        totals=np.empty((capacity, players), np.float64),
        bounds=np.empty((capacity, 2), np.float64),
        action=np.empty(capacity, np.int32),
        mover=np.empty(capacity, np.int8),
        first=np.empty(capacity, np.int32),
        children=np.empty(capacity, np.int32),
        tried=np.empty(capacity, np.int32),
    )


@njit
def clear_node(tree: Any, node: Any, action: Any) -> None:
    """Make a node one that was never visited."""
    tree.visits[node] = 0
    tree.totals[node, :] = 0.0
    tree.action[node] = action
    tree.first[node] = 0
    tree.children[node] = 0
    tree.tried[node] = 0


@njit
def select(tree: Any, node: Any, exploration: Any) -> Any:
    """Return the child with the greatest upper confidence bound; all children have been visited."""
    first = np.int64(tree.first[node])
    width = exploration * math.sqrt(math.log(tree.visits[node]))
    best: Any = first
    best_bound = -np.inf
    for child in range(first, first + tree.children[node]):
        bound = tree.bounds[child, 0] + width * tree.bounds[child, 1]
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@njit
def take_untried(tree: Any, node: Any, rng: Any) -> Any:
    """Return a child that was never visited, each equally likely, and count it as tried.

    Swapping it to the front of the untried ones keeps the invariant; they differ in nothing but their action.
    """
    tried = np.int64(tree.tried[node])
    front = np.int64(tree.first[node]) + tried
    chosen = front + random_below(rng, tree.children[node] - tried)
    tree.action[front], tree.action[chosen] = tree.action[chosen], tree.action[front]
    tree.tried[node] = tried + 1
    return front


@njit
def find_outcome(tree: Any, node: Any, outcome: Any) -> Any:
    """Return the child of a chance node that `outcome` leads to, -1 if `chance` did not list it."""
    first = np.int64(tree.first[node])
    for child in range(first, first + tree.children[node]):
        if tree.action[child] == outcome:
            return child
    return -1


@njit
def expand(game: Any, tree: Any, node: Any, state: Any, used: Any, buffer: Any, probs: Any) -> Any:
    """Give a node its children, if there is room; return the number of nodes then in use, -1 if nothing is listed."""
    if max_chance(game) > 0 and tree.mover[node] == CHANCE:
        count = chance(game, state, buffer, probs)
    else:
        count = actions(game, state, buffer)
    if count == 0:
        return -1
    if used + count > tree.visits.size:
        return used
    for i in range(count):
        clear_node(tree, used + i, np.int64(buffer[i]))
    tree.first[node] = used
    tree.children[node] = count
    return used + count


@njit
def judged(game: Any, judge: Any, state: Any, rewards: Any, reward: Any, low: Any, high: Any) -> None:
    """Write what a finished game is worth to each player to `rewards` (see `REWARDS`)."""
    if reward == VALUE:
        evaluate(judge, game, state, rewards)
    else:
        returns(game, state, rewards)
        to_rewards(rewards, reward, low, high)


@njit
def to_rewards(utilities: Any, reward: Any, low: Any, high: Any) -> None:
    """Turn utilities into rewards, in place (see `REWARDS`)."""
    if reward == UNIT:
        for p in range(utilities.size):
            utilities[p] = (utilities[p] - low) / (high - low)
    elif reward == WIN:
        best, holders = -np.inf, 0
        for p in range(utilities.size):
            if utilities[p] > best:
                best, holders = utilities[p], 1
            elif utilities[p] == best:
                holders += 1
        for p in range(utilities.size):
            utilities[p] = 1.0 if holders == 1 and utilities[p] == best else 0.0


@entry
def simulate(
    game: Any,
    policy: Any,
    judge: Any,
    states: Any,
    tree: Any,
    rng: Any,
    buffer: Any,
    probs: Any,
    path: Any,
    rewards: Any,
    iterations: Any,
    exploration: Any,
    reward: Any,
    low: Any,
    high: Any,
    control: Any,
) -> Any:
    """Grow a tree from ``states[1]`` by simulations; what the tree held before is forgotten.

    Args:
        game, policy, judge: tables with tokens; the judge is an evaluator, for the reward ``value``.
        states: array of two records: one for work, the root.
        tree: see :class:`Tree`.
        rng: stream.
        buffer, probs: int32 and float64 work space for `MAX_ACTIONS` and `MAX_CHANCE`.
        path: int32 work space; its length bounds the depth of the tree.
        rewards: float64 work space, one per player.
        iterations: how many simulations at most.
        exploration: K of the selection formula.
        reward: one of `REWARDS`.
        low, high: the range of utilities.
        control: see :mod:`oponente.kernel.clock`.

    Returns:
        Simulations run (`BROKEN_RULES` if a state is not terminal and lists nothing, or an outcome is drawn that is not
        listed), nodes in use, and the depth of the deepest node.
    """
    # One integer type throughout: with two, Numba would compile what is called here twice.
    root, used, deepest = np.int64(ROOT), np.int64(1), np.int64(0)
    clear_node(tree, root, np.int64(0))
    full = False
    for iteration in range(iterations):
        if expired(control):
            return np.int64(iteration), used, deepest
        copy_state(game, states, 0, 1)
        state = states[0]
        node, depth = root, np.int64(0)
        path[0] = root
        while True:
            if tree.visits[node] == 0:
                tree.mover[node] = player(game, state)
                if node != ROOT:
                    break
            if tree.mover[node] == TERMINAL:
                break
            # 2. Expansion
            if tree.first[node] == 0:
                if full:
                    break
                grown = expand(game, tree, node, state, used, buffer, probs)
                if grown < 0:
                    return np.int64(BROKEN_RULES), used, deepest
                full = grown == used
                used = grown
                if full:
                    break
            # 1. Selection
            if max_chance(game) > 0 and tree.mover[node] == CHANCE:
                node = find_outcome(tree, node, np.int64(sample_chance(game, state, rng)))
                if node < 0:
                    return np.int64(BROKEN_RULES), used, deepest
            elif tree.tried[node] < tree.children[node]:
                node = take_untried(tree, node, rng)
            else:
                node = select(tree, node, exploration)
            apply(game, state, tree.action[node])
            depth += 1
            path[depth] = node
            if depth + 1 == path.size:
                if tree.visits[node] == 0:
                    tree.mover[node] = player(game, state)
                break
        deepest = max(deepest, depth)
        # 3. Simulation
        if tree.mover[node] != TERMINAL and play_out(game, policy, state, rng, buffer, control) < 0:
            return np.int64(iteration), used, deepest
        judged(game, judge, state, rewards, reward, low, high)
        # 4. Backpropagation
        for i in range(depth + 1):
            node = path[i]
            visits = tree.visits[node] + 1
            tree.visits[node] = visits
            for p in range(rewards.size):
                tree.totals[node, p] += rewards[p]
            if i > 0:
                chooser = max(tree.mover[path[i - 1]], 0)
                inverse = 1.0 / visits
                tree.bounds[node, 0] = tree.totals[node, chooser] * inverse
                tree.bounds[node, 1] = math.sqrt(inverse)
    return np.int64(iterations), used, deepest


class UCT:
    """UCT with its work space, which is kept between searches.

    Args:
        formula, c: selection formula, one of `FORMULAS`, and its constant.
        reward: what a finished game is worth, one of `REWARDS`.
        policy: playout policy.
        judge: evaluator, for the reward ``value``.
        capacity: nodes that the tree may hold; when it is full, it grows no more and playouts go on from its leaves.
    """

    def __init__(
        self,
        *,
        formula: str = "plain",
        c: float = 1.0,
        reward: str = "unit",
        policy: Any = UNIFORM,
        judge: Any = OUTCOME,
        capacity: int = 2_000_000,
    ) -> None:
        self.exploration = FORMULAS[formula] * c
        self.reward = REWARDS[reward]
        self.policy = policy
        self.judge = judge
        self.capacity = capacity
        self._tree: Tree | None = None
        self.simulations = self.used = self.depth = 0  # of the last search

    def search(self, root: State, rng: Stream, iterations: int, control: Control | None = None) -> Analysis:
        """Return the analysis of `root` after `iterations` simulations, or fewer if `control` stops the search.

        Raises:
            ValueError: no player is to move at the root.
        """
        begin = time.perf_counter()
        if root.player < 0:
            raise ValueError("no player is to move")
        tree = self._simulate(root, rng, iterations, control or Control())
        return self._analyse(root, tree, time.perf_counter() - begin)

    @property
    def expanded(self) -> int:
        """How many nodes of the last search's tree have children: positions whose actions were listed."""
        return 0 if self._tree is None else int(np.count_nonzero(self._tree.first[: self.used]))

    def _simulate(self, root: State, rng: Stream, iterations: int, control: Control) -> Tree:
        game = root.game
        capacity = min(self.capacity, 1 + iterations * max(game.max_actions, game.max_chance))
        if self._tree is None or self._tree.visits.size < capacity or self._tree.totals.shape[1] != game.num_players:
            self._tree = new_tree(capacity, game.num_players)
        states = game.new_states(2)
        states[1] = root.array[0]
        size = max(game.max_actions, game.max_chance)
        self.simulations, self.used, self.depth = simulate(
            game.tables,
            self.policy,
            self.judge,
            states,
            self._tree,
            rng,
            private_zeros(size, np.dtype(np.int32)),
            private_zeros(size, np.dtype(np.float64)),
            private_zeros(MAX_DEPTH, np.dtype(np.int32)),
            private_zeros(game.num_players, np.dtype(np.float64)),
            iterations,
            self.exploration,
            self.reward,
            *game.utility,
            control.array,
        )
        if self.simulations == BROKEN_RULES:
            raise RulesError(f"{game.name}: a state lists no action, or sample_chance draws what chance does not list")
        return self._tree

    def _analyse(self, root: State, tree: Tree, seconds: float) -> Analysis:
        moves = {
            int(tree.action[child]): MoveAnalysis(
                int(tree.action[child]),
                float(tree.totals[child, root.player] / tree.visits[child]) if tree.visits[child] else None,
                int(tree.visits[child]),
            )
            for child in _children(tree, ROOT)
        }
        ordered = tuple(
            moves.get(action, MoveAnalysis(action, None)) for action in root.legal_actions
        )  # stopped before the root was expanded: nothing is known
        variation = _principal_variation(tree)
        visits = int(tree.visits[ROOT])
        return Analysis(
            action=variation[0] if variation else ordered[0].action,
            values=tuple(float(total / visits) for total in tree.totals[ROOT]) if visits else (),
            moves=ordered,
            principal_variation=variation,
            nodes=int(self.simulations),
            depth=int(self.depth),
            seconds=seconds,
        )


def _children(tree: Tree, node: int) -> range:
    first = int(tree.first[node])
    return range(first, first + int(tree.children[node]))


def _principal_variation(tree: Tree) -> tuple[int, ...]:
    """Follow the robust child: most visits, then the greater mean."""
    actions_, node = [], ROOT
    while tree.first[node] and tree.tried[node]:
        visited = [child for child in _children(tree, node) if tree.visits[child]]
        if not visited:  # its first simulation was broken off
            break
        node = max(visited, key=lambda child: (tree.visits[child], tree.bounds[child, 0]))
        actions_.append(int(tree.action[node]))
    return tuple(actions_)
