"""Open-loop UCT and information-set UCT: one tree over many possible states.

Source: P. Cowling, E. Powley, D. Whitehouse, "Information set Monte Carlo tree search" (IEEE TCIAIG 2012), single
observer; D. Perez et al., "Open loop search for general video game playing" (GECCO 2015). A node stands for a sequence
of actions, not for a state: which state is met there differs from simulation to simulation, and with it the player to
move, what is legal, and whether the game is over. Statistics of an action are kept apart by who takes it.

One simulation:

1. *Determinization.* All that the player at the root can't know is drawn anew, and so is the stream of a game with
   sampled chance.
2. *Selection.* Among the children whose action is legal here, the one that maximises ``mean + K sqrt(ln A) / sqrt(n)``,
   A being how often it was legal at a visit; if an action is legal that has no child yet, one of those is taken, each
   equally likely. Chance draws.
   With an *estimator*, an evaluator, all actions without a child become children whose value is estimated: the mean
   of the node and what the action adds to what the estimator says. The untried one with the best estimate is taken;
   without exploration (K = 0), the greedy tree policy of Paz and Rubin (PUCRS 2016), only if that is above all means.
   (Relative to the node, since evaluations of positions and of finished games need not be of one scale: S. Gelly,
   Y. Wang, "Exploration exploitation in Go: UCT for Monte-Carlo Go", 2006, on first-play urgency.)
3. *Expansion.* The new action becomes a child, if there is room.
4. *Simulation* and 5. *backpropagation* as in :mod:`oponente.search.mcts`.
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
    Control,
    State,
    Stream,
    actions,
    apply,
    copy_state,
    determinize,
    entry,
    evaluate,
    expired,
    njit,
    player,
    random_below,
    reseed,
    sample_chance,
)
from oponente.kernel.memory import private_zeros
from oponente.search.analysis import Analysis, MoveAnalysis
from oponente.search.mcts import MAX_DEPTH, REWARDS, judged
from oponente.search.playout import play_out

ROOT = 0
UNTRIED = 1e12
"""What raises an estimate above all upper confidence bounds."""


class OpenTree(NamedTuple):
    """A tree whose children are linked lists, in preallocated arrays. Node 0 is the root."""

    visits: Any
    """int32: simulations through the node."""
    available: Any
    """int32: visits of the parent at which the action was legal."""
    estimate: Any
    """float64: what the action adds to what the estimator says, for who takes it."""
    totals: Any
    """float64, one row a node: sum of the rewards of each player."""
    action: Any
    """int32: the action or outcome that leads to the node."""
    mover: Any
    """int8: who took that action, or `CHANCE`."""
    first: Any
    """int32: a child; 0: none."""
    sibling: Any
    """int32: another child of the same parent; 0: none."""


def new_open_tree(capacity: int, players: int) -> OpenTree:
    """Return an empty tree with room for `capacity` nodes (memory is taken only as nodes are used)."""
    return OpenTree(
        visits=np.empty(capacity, np.int32),
        available=np.empty(capacity, np.int32),
        estimate=np.empty(capacity, np.float64),
        totals=np.empty((capacity, players), np.float64),
        action=np.empty(capacity, np.int32),
        mover=np.empty(capacity, np.int8),
        first=np.empty(capacity, np.int32),
        sibling=np.empty(capacity, np.int32),
    )


@njit
def add_child(tree: Any, parent: Any, node: Any, action: Any, mover: Any) -> None:
    """Make `node` a child of `parent` that was never visited."""
    tree.visits[node] = 0
    tree.available[node] = 0
    tree.estimate[node] = 0.0
    for p in range(tree.totals.shape[1]):
        tree.totals[node, p] = 0.0
    tree.action[node] = action
    tree.mover[node] = mover
    tree.first[node] = 0
    if node != parent:
        tree.sibling[node] = tree.first[parent]
        tree.first[parent] = node


@njit
def find_child(tree: Any, parent: Any, action: Any, mover: Any) -> Any:
    """Return the child that `mover`'s action leads to, 0 if there is none."""
    child = np.int64(tree.first[parent])
    while child != 0 and (tree.action[child] != action or tree.mover[child] != mover):
        child = np.int64(tree.sibling[child])
    return child


@njit
def upper_bound(tree: Any, parent: Any, child: Any, mover: Any, exploration: Any) -> float:
    """Return the upper confidence bound of a child.

    One that was only estimated has the mean of its parent and what the action adds; where there is any exploration, it
    comes first.
    """
    visits = tree.visits[child]
    if visits == 0:
        mean = tree.totals[parent, mover] / tree.visits[parent] if tree.visits[parent] > 0 else 0.0
        return mean + tree.estimate[child] + (UNTRIED if exploration > 0.0 else 0.0)
    width = exploration * math.sqrt(math.log(tree.available[child]) / visits) if exploration > 0.0 else 0.0
    return tree.totals[child, mover] / visits + width


@njit
def best_tried(tree: Any, node: Any, mover: Any, legal: Any, count: Any, exploration: Any) -> Any:
    """Find the best of the legal actions of `mover` that have a child, and count each of these as available.

    Actions with a child are moved to the front of `legal`, so that behind them stand those without.

    Returns:
        The child (0: none), its bound, and how many actions have a child.
    """
    tried = np.int64(0)
    best, best_bound = np.int64(0), -np.inf
    child = np.int64(tree.first[node])
    while child != 0:
        if tree.mover[child] == mover:
            for i in range(tried, count):
                if legal[i] == tree.action[child]:
                    legal[i], legal[tried] = legal[tried], legal[i]
                    tried += 1
                    tree.available[child] += 1
                    bound = upper_bound(tree, node, child, mover, exploration)
                    if bound > best_bound:
                        best, best_bound = child, bound
                    break
        child = np.int64(tree.sibling[child])
    return best, best_bound, tried


@njit
def estimate_untried(
    game: Any,
    estimator: Any,
    states: Any,
    tree: Any,
    node: Any,
    mover: Any,
    action: Any,
    used: Any,
    before: Any,
    rewards: Any,
) -> None:
    """Make `used` the child of an action that has none, with an estimate of what it adds to ``states[0]``.

    `before` is what the estimator says of that state. ``states[2]`` is work space.
    """
    copy_state(game, states, 2, 0)
    apply(game, states[2], action)
    evaluate(estimator, game, states[2], rewards)
    add_child(tree, node, used, action, mover)
    tree.available[used] = 1
    tree.estimate[used] = rewards[mover] - before


@entry
def simulate_open(
    game: Any,
    policy: Any,
    judge: Any,
    estimator: Any,
    states: Any,
    tree: Any,
    seat: Any,
    honest: Any,
    estimating: Any,
    rng: Any,
    buffer: Any,
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
        seat: the player to move at the root, whose knowledge counts.
        honest: whether what `seat` can't know is drawn anew in each simulation.
        estimating: whether `estimator`, an evaluator, estimates actions that were not tried.
        states: array of three records: one for work, the root, and one for estimates.
        tree: see :class:`OpenTree`.

    The others are those of :func:`oponente.search.mcts.simulate`.

    Returns:
        Simulations run, nodes in use, and the depth of the deepest node.
    """
    root, used, deepest = np.int64(ROOT), np.int64(1), np.int64(0)
    add_child(tree, root, root, np.int64(0), np.int64(0))
    for iteration in range(iterations):
        if expired(control):
            return np.int64(iteration), used, deepest
        # 1. Determinization
        copy_state(game, states, 0, 1)
        state = states[0]
        if honest:
            determinize(game, state, seat, rng)
        reseed(game, state, rng)
        node, depth = root, np.int64(0)
        path[0] = root
        over = False
        while depth + 1 < path.size:
            mover = np.int64(player(game, state))
            if mover == TERMINAL:
                over = True
                break
            # 2. Selection
            if mover == CHANCE:
                action = np.int64(sample_chance(game, state, rng))
                child = find_child(tree, node, action, mover)
            else:
                count = actions(game, state, buffer)
                child, bound, tried = best_tried(tree, node, mover, buffer, count, exploration)
                before = 0.0
                if estimating and tried < count:
                    evaluate(estimator, game, state, rewards)
                    before = rewards[mover]
                while estimating and tried < count and used < tree.visits.size:
                    action = np.int64(buffer[tried])
                    estimate_untried(game, estimator, states, tree, node, mover, action, used, before, rewards)
                    estimated = upper_bound(tree, node, used, mover, exploration)
                    if estimated > bound:
                        child, bound = used, estimated
                    used += 1
                    tried += 1
                if tried < count:
                    action, child = np.int64(buffer[tried + random_below(rng, count - tried)]), np.int64(0)
                else:
                    action = np.int64(tree.action[child])
            apply(game, state, action)
            # 3. Expansion
            fresh = child == 0 or (mover != CHANCE and tree.visits[child] == 0)
            if child == 0:
                if used == tree.visits.size:
                    break
                child = used
                add_child(tree, node, child, action, mover)
                tree.available[child] = 1
                used += 1
            node = child
            depth += 1
            path[depth] = node
            if fresh and mover != CHANCE:
                break
        deepest = max(deepest, depth)
        # 4. Simulation
        if not over and play_out(game, policy, state, rng, buffer, control) < 0:
            return np.int64(iteration), used, deepest
        judged(game, judge, state, rewards, reward, low, high)
        # 5. Backpropagation
        for i in range(depth + 1):
            tree.visits[path[i]] += 1
            for p in range(rewards.size):
                tree.totals[path[i], p] += rewards[p]
    return np.int64(iterations), used, deepest


class OpenLoopUCT:
    """Open-loop UCT with its work space, which is kept between searches.

    Args:
        exploration: K of the selection formula.
        reward: one of the names in :data:`oponente.search.mcts.REWARDS`.
        policy: playout policy.
        judge: evaluator, for the reward ``value``.
        estimator: evaluator for actions that were not tried; None: they are taken in random order.
        capacity: nodes that the tree may hold; when it is full, it grows no more and playouts go on from its leaves.
        honest: whether what the player can't know is drawn anew in each simulation.
    """

    def __init__(
        self,
        *,
        exploration: float,
        reward: str,
        policy: Any,
        capacity: int,
        honest: bool,
        judge: Any = OUTCOME,
        estimator: Any = None,
    ) -> None:
        self.exploration = exploration
        self.reward = REWARDS[reward]
        self.policy = policy
        self.judge = judge
        self.estimator = estimator
        self.capacity = capacity
        self.honest = honest
        self._tree: OpenTree | None = None

    def search(self, root: State, rng: Stream, iterations: int, control: Control | None = None) -> Analysis:
        """Return the analysis of `root` after `iterations` simulations, or fewer if `control` stops the search.

        Raises:
            ValueError: no player is to move at the root.
        """
        begin = time.perf_counter()
        if root.player < 0:
            raise ValueError("no player is to move")
        game, seat = root.game, root.player
        players = game.num_players
        grows_by = 2 if self.estimator is None else 1 + game.max_actions
        capacity = min(self.capacity, iterations * grows_by + 1)
        tree = self._tree
        if tree is None or tree.visits.size < capacity or tree.totals.shape[1] != players:
            tree = self._tree = new_open_tree(capacity, players)
        states = game.new_states(3)
        states[1] = root.array[0]
        simulations, self.used, depth = simulate_open(
            game.tables,
            self.policy,
            self.judge,
            # Not used if there is none; of a type that is there already, so that nothing more is compiled.
            self.judge if self.estimator is None else self.estimator,
            states,
            tree,
            seat,
            self.honest,
            self.estimator is not None,
            rng,
            private_zeros(game.max_actions, np.dtype(np.int32)),
            private_zeros(MAX_DEPTH, np.dtype(np.int32)),
            private_zeros(players, np.dtype(np.float64)),
            iterations,
            self.exploration,
            self.reward,
            *game.utility,
            (control or Control()).array,
        )
        return _analyse(root, tree, int(simulations), int(depth), time.perf_counter() - begin)


def _analyse(root: State, tree: OpenTree, simulations: int, depth: int, seconds: float) -> Analysis:
    seat = root.player
    known = {
        int(tree.action[child]): MoveAnalysis(
            int(tree.action[child]),
            float(tree.totals[child, seat] / tree.visits[child]) if tree.visits[child] else None,
            int(tree.visits[child]),
        )
        for child in _children(tree, ROOT)
        if tree.mover[child] == seat
    }
    moves = tuple(known.get(action, MoveAnalysis(action, None)) for action in root.legal_actions)
    best = max(moves, key=lambda move: (move.visits, -math.inf if move.value is None else move.value))
    visits = int(tree.visits[ROOT])
    return Analysis(
        action=best.action,
        values=tuple(float(total / visits) for total in tree.totals[ROOT]) if visits else (),
        moves=moves,
        # Further on, what happens depends on what is hidden or drawn: there is no single course of play.
        principal_variation=(best.action,),
        nodes=simulations,
        depth=depth,
        seconds=seconds,
    )


def _children(tree: OpenTree, node: int) -> list[int]:
    found, child = [], int(tree.first[node])
    while child:
        found.append(child)
        child = int(tree.sibling[child])
    return found
