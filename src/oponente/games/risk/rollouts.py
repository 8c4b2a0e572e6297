"""Risk: a search over plans by rollouts, cut off after some turns and judged by the evaluation.

Each plan of the player to move is a bandit's arm (UCB1, P. Auer, N. Cesa-Bianchi, P. Fischer 2002). A rollout draws
anew what is hidden, carries the plan out, lets scripted agents of Lux play on for all seats, and evaluates the position
some turns later: the rollout algorithm of D. Bertsekas, J. Tsitsiklis, C. Wu (1997), which improves on the agent that
plays on for the own seat. The plan chosen is the one tried most.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.lux.script import Script, new_memory, new_script
from oponente.games.risk.plans import ATTACK, DONE_WITH, KEEP, MOVE, PLACE, list_plans, next_step
from oponente.games.risk.state import SEATS
from oponente.kernel import (
    CHANCE,
    TERMINAL,
    Control,
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

LONGEST = 4000
"""Raw actions of a rollout at most."""


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


@entry
def search_plans(
    game: Any,
    policy: Any,
    evaluator: Any,
    states: Any,
    rng: Any,
    plans: Any,
    buffer: Any,
    visits: Any,
    totals: Any,
    values: Any,
    seat: Any,
    horizon: Any,
    exploration: Any,
    iterations: Any,
    control: Any,
) -> Any:
    """Try the plans at ``states[1]`` by rollouts; return how many there were, and how many plans.

    Args:
        game, policy, evaluator: tables with tokens; the policy plays all seats.
        states: array of two records: one for work, the root.
        rng: stream.
        plans, buffer: int32, `MAX_ACTIONS` long; the first receives the plans.
        visits, totals: int64 and float64, one per plan: results.
        values: float64 work space, one per player.
        seat: who is to move.
        horizon: turns, the present one not counted, after which a rollout ends.
        exploration: constant of UCB1.
        iterations: rollouts at most.
        control: see :mod:`oponente.kernel.clock`.
    """
    count = list_plans(game, states[1], plans, buffer)
    for iteration in range(iterations):
        if expired(control) or (count == 1 and iteration > 0):
            return iteration, count
        chosen = np.int64(iteration)
        if iteration >= count:
            best = -np.inf
            width = math.log(iteration)
            for i in range(count):
                bound = totals[i] / visits[i] + exploration * math.sqrt(width / visits[i])
                if bound > best:
                    best, chosen = bound, np.int64(i)
        copy_state(game, states, 0, 1)
        state = states[0]
        determinize(game, state, seat, rng)
        last_turn = np.int64(state.turn) + horizon
        carry_out(game, state, np.int64(plans[chosen]), rng)
        if not play_on(game, policy, state, last_turn, rng, buffer, control):
            return iteration, count
        evaluate(evaluator, game, state, values)
        visits[chosen] += 1
        totals[chosen] += 0.5 * (values[seat] + 1.0)
    return np.int64(iterations), count


@entry
def plan_step(game: Any, states: Any, plan: Any, begun: Any) -> int:
    """Return the raw action that a plan takes next; see :func:`oponente.games.risk.plans.next_step`."""
    return np.int64(next_step(game, states[0], plan, begun))


class PlanSearch:
    """Searches for plans.

    Args:
        profile: the Lux agent that plays the own seat in rollouts; `others`: that for all other seats.
        evaluator: judges positions.
        horizon: rounds after which a rollout ends.
        exploration: constant of UCB1; shares are from 0 to 1.
    """

    def __init__(self, profile: str, others: str, evaluator: Any, horizon: int, exploration: float) -> None:
        self._profiles = profile, others
        self._evaluator, self._horizon, self._exploration = evaluator, horizon, exploration
        self._scripts: dict[int, Script] = {}

    def search(self, root: State, rng: Stream, iterations: int, control: Control) -> tuple[int, Analysis]:
        """Return the plan for the player to move at `root`, and the analysis of its first raw actions."""
        begin = time.perf_counter()
        game, seat = root.game, root.player
        script = self._script(seat)
        script.memory[:] = 0
        states = game.new_states(2)
        states[1] = root.array[0]
        plans, buffer = (private_zeros(game.max_actions, np.dtype(np.int32)) for _ in range(2))
        visits, totals = np.zeros(game.max_actions, np.int64), np.zeros(game.max_actions)
        done, count = search_plans(
            game.tables,
            script,
            self._evaluator,
            states,
            rng,
            plans,
            buffer,
            visits,
            totals,
            private_zeros(game.num_players, np.dtype(np.float64)),
            seat,
            self._horizon * game.num_players,
            self._exploration,
            iterations,
            control.array,
        )
        best = max(range(count), key=lambda i: (visits[i], totals[i]))
        steps = [int(plan_step(game.tables, states[1:], int(plans[i]), False)) for i in range(count)]
        found: dict[int, tuple[int, float]] = {}
        for i, action in enumerate(steps):
            tried, total = found.get(action, (0, 0.0))
            found[action] = tried + int(visits[i]), total + float(totals[i])
        value = 2 * totals[best] / visits[best] - 1 if visits[best] else 0.0
        others = (-value / max(1, game.num_players - 1),) * game.num_players
        return int(plans[best]), Analysis(
            action=steps[best],
            values=tuple(float(value) if s == seat else float(others[s]) for s in range(game.num_players)),
            moves=tuple(
                MoveAnalysis(action, 2 * total / tried - 1 if tried else None, tried)
                for action, (tried, total) in found.items()
            ),
            principal_variation=(steps[best],),
            nodes=int(done),
            depth=1,
            seconds=time.perf_counter() - begin,
        )

    def _script(self, seat: int) -> Script:
        if seat not in self._scripts:
            own, others = self._profiles
            profiles = np.full(SEATS, PROFILES[others])
            profiles[seat] = PROFILES[own]
            self._scripts[seat] = new_script(profiles, new_memory())
        return self._scripts[seat]


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
    return f"place all {territories[plan % 64].name}" if plan >= PLACE else state.action_text(plan)
