"""Rolling horizon evolution: plans of own actions, bettered by evolution until the budget is spent.

Source: D. Perez, S. Samothrakis, S. Lucas, P. Rohlfshagen, "Rolling horizon evolution versus tree search for
navigation in single-player real-time games" (2013); R. Gaina, J. Liu, S. Lucas, D. Perez-Liebana, "Analysis of vanilla
rolling horizon evolution parameters in general video game playing" (2017); R. Gaina, S. Lucas, D. Perez-Liebana,
"Rolling horizon evolution enhancements in general video game playing" (2017: shift buffer, rollouts).

A *plan* is a sequence of genes, one for each of the next own decisions. A gene is a number; at its decision it stands
for one of the actions that are listed there, so that every plan can be carried out on every course of the game. To
value a plan, it is played: the other players act by a playout policy, chance draws, and after the last gene the policy
may act for everybody for some plies more (the *rollout*). What the evaluator says of the position then is the worth of
this playout; the worth of the plan is the mean over all its playouts. Where something is hidden, each playout starts
from another determinization; where chance is drawn inside the state, from another stream.

1. *First generation.* Random plans. With the *shift buffer*, one of them is the best plan of the last decision without
   its first gene.
2. *Elites.* The best plans survive. They are played once more, since luck may have made them the best, unless that is
   not wanted (`replay`).
3. *Offspring.* All others are replaced: two parents, each the best of a random few (tournament), are crossed gene by
   gene (uniform crossover), and each gene is drawn anew with a probability (mutation), one at least. A plan may come
   twice in a tournament, unless these are to be `distinct`.
4. With budget left, go to 2. The first action of the best plan is played.

Variants: ``1+1`` keeps one plan and one mutant of it (a random mutation hill climber); ``flat`` replaces by plans
drawn afresh, without inheritance, which is random search.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import (
    CHANCE,
    TERMINAL,
    UNIFORM,
    Control,
    Game,
    State,
    Stream,
    actions,
    apply,
    copy_state,
    determinize,
    entry,
    evaluate,
    expired,
    next_u64,
    njit,
    player,
    playout_action,
    random_below,
    random_unit,
    record,
    reseed,
    sample_chance,
)
from oponente.kernel.memory import private_zeros
from oponente.search.analysis import Analysis, MoveAnalysis, TreeShape
from oponente.search.playout import POLL_EVERY
from oponente.search.top import tree_of_moves

EVOLUTION = record(
    ("iterations", "i8"),  # playouts at most
    ("mutation", "f8"),  # probability that a gene is drawn anew
    ("me", "i4"),
    ("actions", "i4"),  # listed at the root
    ("rollout", "i4"),  # plies after the plan
    ("elites", "i4"),
    ("tournament", "i4"),  # how many plans each parent is the best of
    ("known", "i4"),  # plans of the first generation that are given
    ("crossed", "i1"),  # whether plans have two parents
    ("fresh", "i1"),  # whether plans are drawn afresh
    ("honest", "i1"),  # whether what is hidden is drawn anew for each playout
    ("replay", "i1"),  # whether elites are played once more in each generation
    ("distinct", "i1"),  # whether the plans of a tournament are all different
)
VARIANTS = ("evolution", "1+1", "flat")
PATIENCE = 10_000
"""Plies after which a playout is evaluated though the plan is not carried out."""
LINE = 16
"""How many plies of a plan's first playout are noted."""


@njit
def play_plan(
    game: Any,
    policy: Any,
    evaluator: Any,
    states: Any,
    settings: Any,
    plan: Any,
    line: Any,
    values: Any,
    rng: Any,
    buffer: Any,
    control: Any,
) -> bool:
    """Play a plan from ``states[1]``; tell whether the playout came to its end.

    Args:
        game, policy, evaluator: tables with tokens.
        states: array of two records: one for work, the root.
        settings: record :data:`EVOLUTION`.
        plan: genes.
        line: int32: receives the actions until a chance event, ended by -1.
        values: float64: receives what each player gets.
        rng: stream.
        buffer: int32, `MAX_ACTIONS` long.
        control: see :mod:`oponente.kernel.clock`.
    """
    copy_state(game, states, 0, 1)
    state = states[0]
    if settings.honest:
        determinize(game, state, settings.me, rng)
    reseed(game, state, rng)
    done, ply, noted, last = 0, 0, 0, -1
    line[0] = -1
    while True:
        mover = player(game, state)
        if mover == TERMINAL or ply == PATIENCE:
            break
        if done == plan.size and last < 0:
            last = ply + settings.rollout
        if ply == last:
            break
        if mover == CHANCE:
            action = sample_chance(game, state, rng)
            noted = LINE
        elif mover == settings.me and done < plan.size:
            action = buffer[np.int64(plan[done]) % actions(game, state, buffer)]
            done += 1
        else:
            action = playout_action(policy, game, state, rng, buffer)
        if noted < LINE:
            line[noted], line[noted + 1] = action, -1
            noted += 1
        apply(game, state, action)
        ply += 1
        if ply % POLL_EVERY == 0 and expired(control):
            return False
    evaluate(evaluator, game, state, values)
    return True


@entry
def evolve(
    game: Any,
    policy: Any,
    evaluator: Any,
    states: Any,
    settings_: Any,
    plans: Any,
    others: Any,
    worth: Any,
    played: Any,
    lines: Any,
    visits: Any,
    totals: Any,
    rng: Any,
    buffer: Any,
    control: Any,
) -> Any:
    """Better plans until the budget is spent; return how many playouts there were, and the best plan's place.

    Args:
        game, policy, evaluator: tables with tokens.
        states: array of two records: one for work, the root.
        settings_: array of one record :data:`EVOLUTION`.
        plans: uint32, a row a plan; the first `known` are given.
        others: the same for work.
        worth: float64, a row a plan: sum over its playouts of what each player gets.
        played: int64, likewise: playouts of the plan.
        lines: int32, a row a plan, ``LINE + 1`` long: its first playout.
        visits, totals: int64, and float64 with a column per player, a row per action at the root: results.
        rng: stream.
        buffer: int32, `MAX_ACTIONS` long.
        control: see :mod:`oponente.kernel.clock`.
    """
    settings = settings_[0]
    size, length, players = plans.shape[0], plans.shape[1], totals.shape[1]
    values = np.empty(players, np.float64)
    line = np.empty(LINE + 1, np.int32)
    order = np.arange(size)
    for k in range(settings.known, size):
        draw_plan(plans, k, rng)
    iteration, at, first = 0, 0, 0
    while iteration < settings.iterations and not expired(control):
        if at == size:
            # 2. and 3.: a new generation.
            put_best_first(plans, worth, played, lines, settings.elites, settings.me)
            for k in range(settings.elites, size):
                if settings.fresh:
                    draw_plan(others, k, rng)
                else:
                    one = pick_parent(order, worth, played, settings, rng)
                    other = pick_parent(order, worth, played, settings, rng) if settings.crossed else one
                    make_child(plans, one, other, others, k, settings.mutation, rng)
            for k in range(settings.elites, size):
                for i in range(length):
                    plans[k, i] = others[k, i]
                played[k] = 0
                worth[k, :] = 0.0
            at = 0 if settings.replay else int(settings.elites)
        if not play_plan(game, policy, evaluator, states, settings, plans[at], line, values, rng, buffer, control):
            break
        if played[at] == 0:
            for i in range(LINE + 1):
                lines[at, i] = line[i]
        played[at] += 1
        first = np.int64(plans[at, 0]) % settings.actions
        visits[first] += 1
        for p in range(players):
            worth[at, p] += values[p]
            totals[first, p] += values[p]
        iteration += 1
        at += 1
    best = -1
    for k in range(size):
        if played[k] > 0 and (
            best < 0 or mean_worth(worth, played, k, settings.me) > mean_worth(worth, played, best, settings.me)
        ):
            best = k
    return iteration, best


@njit
def mean_worth(worth: Any, played: Any, k: Any, me: Any) -> float:
    """Return the mean over the playouts of a plan; a plan that was not played is worth nothing."""
    return worth[k, me] / played[k] if played[k] > 0 else -np.inf


@njit
def draw_plan(plans: Any, k: Any, rng: Any) -> None:
    """Draw all genes of a plan."""
    for i in range(plans.shape[1]):
        plans[k, i] = draw_gene(rng)


@njit
def draw_gene(rng: Any) -> Any:
    """Draw a gene: 31 bits, so that every number of actions divides them evenly enough."""
    return np.uint32(next_u64(rng) >> np.uint64(33))


@njit
def pick_parent(order: Any, worth: Any, played: Any, settings: Any, rng: Any) -> int:
    """Return the best of a few random plans; of none, the best of all, which is the first.

    `order` holds each plan once, and does so afterwards, too.
    """
    if settings.tournament == 0:
        return 0
    size, best = order.size, -1
    for i in range(settings.tournament):
        if settings.distinct:
            j = i + random_below(rng, size - i)
            order[i], order[j] = order[j], order[i]
            rival = order[i]
        else:
            rival = random_below(rng, size)
        if best < 0 or mean_worth(worth, played, rival, settings.me) > mean_worth(worth, played, best, settings.me):
            best = rival
    return best


@njit
def make_child(plans: Any, one: Any, other: Any, to: Any, k: Any, mutation: Any, rng: Any) -> None:
    """Cross two plans and mutate the result, in one gene at least."""
    length = plans.shape[1]
    changed = random_below(rng, length)
    for i in range(length):
        parent = one if one == other or next_u64(rng) & np.uint64(1) == 0 else other
        to[k, i] = plans[parent, i]
        if i == changed or random_unit(rng) < mutation:
            to[k, i] = draw_gene(rng)


@njit
def put_best_first(plans: Any, worth: Any, played: Any, lines: Any, count: Any, me: Any) -> None:
    """Bring the best plans to the first places, the best one foremost."""
    for place in range(count):
        best = place
        for k in range(place + 1, plans.shape[0]):
            if mean_worth(worth, played, k, me) > mean_worth(worth, played, best, me):
                best = k
        if best != place:
            for i in range(plans.shape[1]):
                plans[place, i], plans[best, i] = plans[best, i], plans[place, i]
            for i in range(lines.shape[1]):
                lines[place, i], lines[best, i] = lines[best, i], lines[place, i]
            for p in range(worth.shape[1]):
                worth[place, p], worth[best, p] = worth[best, p], worth[place, p]
            played[place], played[best] = played[best], played[place]


class RollingHorizon:
    """Rolling horizon evolution of one seat of one game; keeps its best plan for the next decision.

    Args:
        game: the game.
        evaluator: tables with a token: says what a position is worth.
        policy: tables with a token: how others play, and everybody after the plan.
        length: own decisions that a plan covers.
        population: plans.
        elites: plans that survive a generation; fewer than the population.
        mutation: probability that a gene is drawn anew.
        tournament: how many random plans each parent is the best of.
        rollout: plies after the plan.
        variant: one of `VARIANTS`; ``1+1`` decides on population, elites and tournament itself.
        shift: whether the last best plan is kept.
        honest: whether what is hidden is drawn anew for each playout.
        replay: whether plans that survive are played once more in each generation.
        distinct: whether the plans of a tournament are all different; then there are at most `population` of them.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Any,
        policy: Any = UNIFORM,
        *,
        length: int = 10,
        population: int = 10,
        elites: int = 1,
        mutation: float = 0.1,
        tournament: int = 2,
        rollout: int = 0,
        variant: str = "evolution",
        shift: bool = True,
        honest: bool = True,
        replay: bool = True,
        distinct: bool = False,
    ) -> None:
        if variant == "1+1":
            population, elites = 2, 1
        self.game, self.evaluator, self.policy, self.shift = game, evaluator, policy, shift
        self._settings = np.zeros(1, EVOLUTION)
        fixed = self._settings[0]
        fixed.mutation, fixed.rollout, fixed.elites, fixed.tournament = mutation, rollout, elites, tournament
        fixed.crossed, fixed.fresh, fixed.honest = variant == "evolution", variant == "flat", honest
        fixed.replay, fixed.distinct = replay, distinct
        if variant == "1+1":
            fixed.tournament = 0  # the only parent is the plan that was kept
        self._plans = np.zeros((population, length), np.uint32)
        self._kept: npt.NDArray[np.uint32] | None = None

    def search(
        self,
        root: State,
        rng: Stream,
        iterations: int,
        control: Control | None = None,
        shape: TreeShape | None = None,
    ) -> Analysis:
        """Return the analysis of `root` after `iterations` playouts, or fewer if `control` stops the search.

        Raises:
            ValueError: no player is to move at the root.
        """
        begin = time.perf_counter()
        if root.player < 0:
            raise ValueError("no player is to move")
        game, listed = self.game, list(root.legal_actions)
        players, size = game.num_players, len(self._plans)
        settings = self._settings[0]
        settings.me, settings.actions, settings.iterations = root.player, len(listed), iterations
        settings.known = 0
        if self.shift and self._kept is not None:
            # Its last gene is the first again: as good as any.
            self._plans[0], settings.known = np.roll(self._kept, -1), 1
        states = game.new_states(2)
        game.put(states, 1, root.array)
        worth, played = np.zeros((size, players)), np.zeros(size, np.int64)
        lines = np.full((size, LINE + 1), -1, np.int32)
        visits, totals = np.zeros(len(listed), np.int64), np.zeros((len(listed), players))
        done, best = evolve(
            game.tables,
            self.policy,
            self.evaluator,
            states,
            self._settings,
            self._plans,
            np.zeros_like(self._plans),
            worth,
            played,
            lines,
            visits,
            totals,
            rng,
            private_zeros(game.max_actions, np.dtype(np.int32)),
            (control or Control()).array,
        )
        means = totals / np.maximum(visits[:, None], 1)
        moves = tuple(
            MoveAnalysis(action, float(means[i, root.player]) if visits[i] else None, int(visits[i]))
            for i, action in enumerate(listed)
        )
        if best < 0:  # stopped before the first playout: any legal action, honestly without a value
            self._kept = None
            return Analysis(
                listed[0], moves=moves, principal_variation=(listed[0],), seconds=time.perf_counter() - begin
            )
        self._kept = self._plans[best].copy()
        action = listed[int(self._kept[0]) % len(listed)]
        line = lines[best]
        variation = tuple(map(int, line[: int(np.argmax(line < 0))]))
        return Analysis(
            action=action,
            values=tuple(map(float, worth[best] / played[best])),
            moves=moves,
            principal_variation=variation or (action,),
            nodes=int(done),
            depth=int(self._plans.shape[1]),
            seconds=time.perf_counter() - begin,
            tree=tree_of_moves(root, moves, means, action, shape) if shape is not None else None,
        )

    def forget(self) -> None:
        """Forget the plan: another game begins."""
        self._kept = None
