"""Risk: a search over plans by rollouts, cut off after some turns and judged by the evaluation.

The plans of the turn are a tree (:mod:`oponente.games.risk.plan_tree`), in which UCT chooses (L. Kocsis, C. Szepesvári
2006). Each rollout draws anew what is hidden, carries plans out, chance included, down to one that was not tried there,
lets scripted agents play on for all seats, and evaluates the position some turns later: the rollout algorithm of D.
Bertsekas, J. Tsitsiklis, C. Wu (1997), which improves on the agent that plays on for the own seat. The plan chosen is
the one tried most.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.lux.script import Script, new_memory, new_script
from oponente.games.risk.names import action_text
from oponente.games.risk.plan_tree import (
    EDGES,
    NODES,
    NOTHING,
    PlanTree,
    add_edge,
    clear,
    find_edge,
    follow,
    new_tree,
    select,
)
from oponente.games.risk.plans import ATTACK, DONE_WITH, KEEP, MOVE, PLACE, list_plans, next_step
from oponente.games.risk.playout import ANGRY
from oponente.games.risk.state import SEATS
from oponente.games.risk.thesis.common import is_own
from oponente.kernel import (
    CHANCE,
    TERMINAL,
    Control,
    Game,
    State,
    Stream,
    apply,
    copy_state,
    determinize,
    entry,
    evaluate,
    expired,
    njit,
    player,
    playout_action,
    sample_chance,
)
from oponente.kernel.memory import private_zeros
from oponente.search.analysis import Analysis, MoveAnalysis
from oponente.search.early import lead_of, run_until_settled

LONGEST = 4000
"""Raw actions of a rollout at most."""
TREE_SIZE = 1 << 15
"""Nodes and edges of a tree at most: when it is full, rollouts begin where it ends."""
PLAIN = "plain"
"""In place of an agent of Lux: the policy of :mod:`oponente.games.risk.playout`."""


@njit
def carry_out(game: Any, state: Any, plan: Any, rng: Any) -> None:
    """Carry a plan out, chance included."""
    mover, turn = np.int64(state.mover), np.int64(state.turn)
    begun = False
    for _ in range(LONGEST):
        actor = player(game, state)
        if actor == TERMINAL or state.mover != mover or state.turn != turn:
            return
        if actor == CHANCE:
            action = np.int64(sample_chance(game, state, rng))
        else:
            action = np.int64(next_step(game, state, plan, begun))
            if action == DONE_WITH:
                return
            begun = True
        apply(game, state, action)


@njit
def play_on(game: Any, policy: Any, state: Any, last_turn: Any, rng: Any, buffer: Any, control: Any) -> bool:
    """Let the policy play all seats until a turn has passed; tell whether it was not stopped."""
    for count in range(LONGEST):
        actor = player(game, state)
        if actor == TERMINAL or np.int64(state.turn) > last_turn:
            return True
        if actor == CHANCE:
            action = np.int64(sample_chance(game, state, rng))
        else:
            action = np.int64(playout_action(policy, game, state, rng, buffer))
        apply(game, state, action)
        if count % 32 == 0 and expired(control):
            return False
    return True


@njit
def descend(game: Any, tree: Any, state: Any, seat: Any, exploration: Any, rng: Any, plans: Any, buffer: Any) -> int:
    """Go down the tree as long as the player's turn lasts, to a plan that was not tried there; return how many edges
    lead there, which are noted in ``tree.path``.
    """
    node, depth, turn = np.int64(0), 0, np.int64(state.turn)
    while depth < tree.path.size and player(game, state) == seat and state.turn == turn:
        count = list_plans(game, state, plans, buffer)
        if count == 1:
            carry_out(game, state, np.int64(plans[0]), rng)
            continue
        chosen = np.int64(plans[select(tree, node, plans, count, exploration, rng)])
        edge = find_edge(tree, node, chosen)
        fresh = edge < 0 or tree.edges[edge].visits == 0
        if edge < 0:
            if tree.counts[EDGES] == tree.edges.size:
                return depth
            edge = add_edge(tree, node, chosen)
        carry_out(game, state, chosen, rng)
        tree.path[depth] = edge
        tree.path_nodes[depth] = node
        depth += 1
        if fresh or tree.counts[NODES] == tree.nodes.size:
            return depth
        node = follow(tree, edge, ATTACK <= chosen < MOVE and is_own(state, chosen % 64))
    return depth


@entry
def search_plans(
    game: Any,
    policy: Any,
    evaluator: Any,
    states: Any,
    rng: Any,
    plans: Any,
    buffer: Any,
    tree: Any,
    values: Any,
    seat: Any,
    horizon: Any,
    exploration: Any,
    iterations: Any,
    control: Any,
) -> Any:
    """Try the plans at ``states[1]`` and those that follow in the same turn; return how many rollouts there were: none
    where there is but one plan.

    Args:
        game, policy, evaluator: tables with tokens; the policy plays all seats.
        states: array of two records: one for work, the root.
        rng: stream.
        plans, buffer: int32, `MAX_ACTIONS` long, for work.
        tree: see :class:`PlanTree`, with nothing but the root: the result.
        values: float64 work space, one per player: what a rollout was worth to each.
        seat: who is to move.
        horizon: turns, the present one not counted, after which a rollout ends.
        exploration: constant of UCB1.
        iterations: rollouts at most.
        control: see :mod:`oponente.kernel.clock`.
    """
    if list_plans(game, states[1], plans, buffer) == 1:
        if find_edge(tree, 0, np.int64(plans[0])) < 0:
            add_edge(tree, 0, plans[0])
        return 0
    for iteration in range(iterations):
        if expired(control):
            return iteration
        copy_state(game, states, 0, 1)
        state = states[0]
        determinize(game, state, seat, rng)
        last_turn = np.int64(state.turn) + horizon
        depth = descend(game, tree, state, seat, exploration, rng, plans, buffer)
        if not play_on(game, policy, state, last_turn, rng, buffer, control):
            return iteration
        evaluate(evaluator, game, state, values)
        value = 0.5 * (values[seat] + 1.0)
        for i in range(depth):
            node, edge = tree.path_nodes[i], tree.path[i]
            tree.nodes[node].visits += 1
            tree.nodes[node].total += value
            tree.edges[edge].visits += 1
            tree.edges[edge].total += value
            for other in range(values.size):
                tree.worths[edge, other] += values[other]
    return np.int64(iterations)


@entry
def plan_step(game: Any, states: Any, plan: Any, begun: Any) -> int:
    """Return the raw action that a plan takes next; see :func:`oponente.games.risk.plans.next_step`."""
    return np.int64(next_step(game, states[0], plan, begun))


class PlanSearch:
    """Searches for plans in a game.

    Args:
        game: that is searched in.
        profile: the Lux agent that plays the own seat in rollouts; `others`: that for all other seats. `PLAIN` for all
            of them: the policy of :mod:`oponente.games.risk.playout`.
        evaluator: judges positions.
        horizon: rounds after which a rollout ends, each of as many turns as players have territories at the root.
        exploration: constant of UCB1; shares are from 0 to 1.
        early: whether a search ends when no other plan can get as many rollouts in the rest of its budget.
    """

    def __init__(
        self,
        game: Game,
        profile: str,
        others: str,
        evaluator: Any,
        horizon: int,
        exploration: float,
        *,
        early: bool = False,
    ) -> None:
        self.game = game
        self._early = early
        self._profiles = profile, others
        self._evaluator, self._horizon, self._exploration = evaluator, horizon, exploration
        self._policies: dict[int, Any] = {}
        self._tree = new_tree(TREE_SIZE)

    def search(self, root: State, rng: Stream, iterations: int, control: Control) -> tuple[int, Analysis]:
        """Return the plan for the player to move at `root`, and the analysis of its first raw actions."""
        begin = time.perf_counter()
        game, seat, tree = root.game, root.player, self._tree
        states = game.new_states(2)
        states[1] = root.array[0]
        clear(tree)
        policy = self._policy(seat)
        plans, buffer = (private_zeros(game.max_actions, np.dtype(np.int32)) for _ in range(2))
        values = private_zeros(game.num_players, np.dtype(np.float64))
        turns = self._horizon * players_left(root)

        def run(rollouts: int, until: Control = control) -> int:
            return int(
                search_plans(
                    game.tables,
                    policy,
                    self._evaluator,
                    states,
                    rng,
                    plans,
                    buffer,
                    tree,
                    values,
                    seat,
                    turns,
                    self._exploration,
                    rollouts,
                    until.array,
                )
            )

        if self._early:
            # There is another plan wherever there are rollouts, and one that was not tried counts with none.
            done = run_until_settled(
                run, lambda: lead_of([*(int(edge["visits"]) for edge in _edges(tree)), 0]), iterations, control
            )
        else:
            done = run(iterations)
        if not _edges(tree):  # the time was over before anything was tried
            done += run(1, Control())
        edges = _edges(tree)
        best = max(edges, key=lambda edge: (edge["visits"], edge["total"]))
        found: dict[int, tuple[int, float]] = {}
        for edge in edges:
            action = int(plan_step(game.tables, states[1:], int(edge["plan"]), False))
            tried, total = found.get(action, (0, 0.0))
            found[action] = tried + int(edge["visits"]), total + float(edge["total"])
        moves = [
            MoveAnalysis(action, 2 * total / tried - 1 if tried else None, tried)
            for action, (tried, total) in found.items()
        ]
        action = int(plan_step(game.tables, states[1:], int(best["plan"]), False))
        visits = int(best["visits"])
        worths = tree.worths[find_edge(tree, 0, int(best["plan"])), : game.num_players]
        return int(best["plan"]), Analysis(
            action=action,
            values=tuple(float(worth) / visits for worth in worths) if visits else (),
            moves=in_order(root, moves),
            principal_variation=(action,),
            nodes=done,
            depth=1,
            seconds=time.perf_counter() - begin,
        )

    def _policy(self, seat: int) -> Any:
        own, others = self._profiles
        if own == others == PLAIN:
            return ANGRY
        if seat not in self._policies:
            profiles = np.full(SEATS, PROFILES[others])
            profiles[seat] = PROFILES[own]
            self._policies[seat] = new_script(profiles, new_memory())
        script: Script = self._policies[seat]
        script.memory[:] = 0
        return script


def _edges(tree: PlanTree) -> list[Any]:
    """Return the edges of the root, in the order in which they were tried."""
    found, edge = [], int(tree.nodes[0]["first"])
    while edge != NOTHING:
        found.append(tree.edges[edge])
        edge = int(tree.edges[edge]["next"])
    return found[::-1]


def players_left(state: State) -> int:
    """Return how many players have territories."""
    return sum(int(mask) != 0 for mask in state.record.held[: state.game.num_players])


def in_order(state: State, moves: Iterable[MoveAnalysis]) -> tuple[MoveAnalysis, ...]:
    """Return moves in the order in which the game lists their actions; those that are open follow, by number."""
    places = {int(action): place for place, action in enumerate(state.legal_actions)}
    return tuple(sorted(moves, key=lambda move: (places.get(move.action, len(places)), move.action)))


def plan_text(state: State, plan: int) -> str:
    """Return what a plan means."""
    territories = state.game.options.world.territories
    ends = f"{territories[plan // 64 % 64].name} > {territories[plan % 64].name}" if plan >= ATTACK else ""
    if plan >= MOVE:
        return f"move all {ends}"
    if plan >= KEEP:
        return f"attack {ends} to the end, move the least in"
    if plan >= ATTACK:
        return f"attack {ends} to the end, move all in"
    return f"place all {territories[plan % 64].name}" if plan >= PLACE else action_text(state, plan)
