"""VGDL: a controller that plays by what it observes of a game: planning where that pays, tree search elsewhere.

Before the first tick it finds out by trial whether the game is *deterministic* (the same actions under other random
numbers give the same states) and *patient* (nothing changes while nothing is done). Then, with one player:

- It plans (:mod:`oponente.games.vgdl.exploring`) in one future, first with width 1, unless `novelty` is off, then with
  width 0 (Lipovetzky, Geffner 2012; T. and H. Geffner 2015). Where a game is deterministic and patient the search goes
  on over several ticks while nothing is done.
- A plan that wins is tried in several futures, and so is what is left of the last one. The one that wins most often is
  followed, if it does so often enough.
- Else the tree search decides, with loss avoidance (Santos 2017; D. Soemers et al., "Enhancements for real-time Monte
  Carlo tree search in general video game playing", CIG 2016). Where it sees no difference between the actions, a plan
  that gains points is followed.

With several players, and without `planning`, the tree search decides alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.view import View
from oponente.games.vgdl.controllers import BothAgent, BothParameters
from oponente.games.vgdl.exploring import Explorer, Outcome, Plan
from oponente.games.vgdl.kinds import NIL
from oponente.kernel import Control, Game, State, option, random_below
from oponente.search.analysis import Analysis, MoveAnalysis
from oponente.search.mcts.decision import RootMove, root_moves

RESERVE = 0.003
"""Seconds of a decision that are left for everything but the searches."""
TICK = 0.04
"""Seconds of a decision, if nothing else is said."""
TRIALS, TRIAL_TICKS = 6, 60
"""Courses by which a game is judged before it begins, and their length."""
FUTURES = 8
"""In which a plan is tried."""
CLEAR = 0.5
"""Share of futures in which a plan must win to be followed for that alone."""
PATIENCE = 600
"""Ticks that it thinks at most while nothing is done."""


@dataclass(frozen=True)
class PortfolioParameters:
    """How long it thinks."""

    iterations: int | None = option(
        None, low=1, high=10**6, log=True, meaning="simulations of the tree search a decision; none: by time alone"
    )
    ticks: int | None = option(
        None,
        low=1,
        high=10**9,
        log=True,
        meaning="ticks that each planning search of a decision plays at most; none: by time alone",
    )
    time: float | None = option(
        None, low=0.005, high=1e6, log=True, meaning="seconds for a decision; 0.04 if no other limit is given"
    )
    planning: float = option(
        0.6, low=0.0, high=1.0, meaning="share of the time for planning; 0: the tree search decides alone"
    )
    novelty: bool = option(
        True,
        meaning="leave out of plans what brings nothing new (iterated width 1) before only what was seen before is left"
        " out",
    )
    deterministic: str = option(
        "auto",
        choices=("auto", "yes", "no"),
        meaning="whether plans are followed to their end, and searched for over several ticks, as in games without"
        " chance: auto (found out by trial before the first tick), yes, no",
    )


@dataclass(frozen=True)
class _Nature:
    """What was observed of a game."""

    deterministic: bool
    patient: bool


class PortfolioAgent(SearchAgent):
    """Plans where the game is predictable enough, and searches a tree elsewhere."""

    name = "strong"
    Parameters = PortfolioParameters
    native = True

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._tree = BothAgent(BothParameters(redundancy=None, reuse=False, noise=0.0, final="robust"))
        self._explorer: Explorer | None = None
        self._forget()

    @property
    def reproducible(self) -> bool:
        """Only if the limits of both searches are counts."""
        p = self.parameters
        return p.time is None and p.iterations is not None and (p.ticks is not None or not self._plans)

    @property
    def _plans(self) -> bool:
        return bool(self.parameters.planning > 0.0)

    def _forget(self) -> None:
        self._nature: _Nature | None = None
        self._plan: tuple[int, ...] = ()
        self._width: int | None = None
        """Of the search that goes on; None: there is none."""
        self._thought = 0

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before."""
        self._tree.begin_game(game, seat)
        self._forget()

    def check(self, game: Game) -> None:
        """All games will do."""
        self._tree.check(game)

    def prepare(self, game: Game) -> None:
        """Compile the searches."""
        self._tree.prepare(game)
        if game.num_players == 1 and self._plans:
            explorer, state = self._planner(), game.start()
            explorer.begin(state, 1)
            explorer.search(Control(), 1)
            explorer.try_plan((NIL,), 1, np.zeros(4, np.uint64))

    def _planner(self) -> Explorer:
        if self._explorer is None:
            self._explorer = Explorer()
        return self._explorer

    # --- a decision ------------------------------------------------------------------------------------------------

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Plan, then search a tree if there is no plan that wins."""
        p, begin = self.parameters, time.perf_counter()
        self._tree.tree_shape = self.tree_shape
        alone = view.game.num_players > 1 or not self._plans
        limited = p.iterations is not None and (p.ticks is not None or alone)
        seconds = p.time
        if budget.seconds is not None:
            seconds = budget.seconds if seconds is None else min(seconds, budget.seconds)
        if seconds is None and not limited:
            seconds = TICK
        if alone:
            return self._tree.analyse(view, _part(budget, p.iterations, _left(seconds, begin)))
        root = view.determinize(view.stream("root"))
        if self._nature is None:
            self._nature = self._judged(root, view)
        action = self._planned(view, root, budget, begin, seconds)
        if action is not None:
            return Analysis(
                action,
                moves=tuple(MoveAnalysis(a, None) for a in view.legal_actions),
                principal_variation=(action, *self._plan),
                nodes=self._planner().ticks,
                seconds=time.perf_counter() - begin,
            )
        return self._tree.analyse(view, _part(budget, p.iterations, _left(seconds, begin)))

    def _judged(self, root: State, view: View) -> _Nature:
        """Return what the game is taken for."""
        nature, wish = observe(root, view), self.parameters.deterministic
        return nature if wish == "auto" else replace(nature, deterministic=wish == "yes")

    def _planned(self, view: View, root: State, budget: Budget, begin: float, seconds: float | None) -> int | None:
        """Return the next action of a plan; None: the tree search decides."""
        nature, explorer, rng = self._nature, self._planner(), view.stream("futures")
        assert nature is not None
        futures = 1 if nature.deterministic else FUTURES
        explorer.look_from(root)
        kept, followed = self._plan, Outcome(0.0, 0.0, 0.0)
        if kept:
            followed = explorer.try_plan(kept, futures, rng)
            if followed.wins == 1.0 and nature.deterministic:
                return self._follow(kept)
        patient = nature.deterministic and nature.patient and self._thought < PATIENCE
        plan = self._search(root, budget, begin, seconds, patient)
        self._plan = ()
        if plan.value == float("inf"):
            found = explorer.try_plan(plan.actions, futures, rng)
            best, outcome = (kept, followed) if followed.wins >= found.wins else (plan.actions, found)
        else:
            best, outcome = kept, followed
        if best and outcome.wins >= CLEAR:
            return self._checked(view, budget, begin, seconds, best, futures)
        if patient and self._width is not None:
            self._thought += 1
            return NIL
        if nature.deterministic and plan.value > 0.0:
            return self._follow(plan.actions)
        return self._compared(view, budget, begin, seconds, best if outcome.wins > 0.0 else plan.actions, explorer, rng)

    def _follow(self, plan: tuple[int, ...]) -> int:
        self._plan, self._width = plan[1:], None
        return plan[0]

    def _search(self, root: State, budget: Budget, begin: float, seconds: float | None, patient: bool) -> Plan:
        """Return the best plan: of width 1, or of width 0 if that finds no win."""
        explorer, control = self._planner(), budget.control.fork()
        try:
            best = None
            for width in (1, 0) if self.parameters.novelty else (0,):
                if self._width is not None and width > self._width:
                    continue
                left = _left(seconds, begin)
                if left is not None:
                    share = 1.0 if patient else self.parameters.planning
                    control.start(max(1e-4, left - (1.0 - share) * ((seconds or 0.0) - RESERVE)) / (1 + width))
                if self._width != width:
                    explorer.begin(root, width, long=patient)
                    self._width = width if patient else None
                plan = explorer.search(control, self.parameters.ticks)
                if best is None or plan.value > best.value:
                    best = plan
                if plan.value == float("inf"):
                    break
                if self._width is not None and not (plan.exhausted or explorer.full):
                    break  # it goes on with the next decision
                if self._width is not None:
                    self._width = None
                    if width == 0:
                        self._thought = PATIENCE  # there is no more to be found
            assert best is not None
            return best
        finally:
            budget.control.join(control)

    def _checked(
        self,
        view: View,
        budget: Budget,
        begin: float,
        seconds: float | None,
        plan: tuple[int, ...],
        futures: int,
    ) -> int | None:
        """Follow a plan that wins, unless the tree search has seen its first action lose at once."""
        if futures > 1:
            self._tree.choose(view, _part(budget, self.parameters.iterations, _left(seconds, begin)))
            moves = self._moves()
            lost = {move.action for move in moves if move.lost}
            if plan[0] in lost and len(lost) < len(moves):
                self._plan = ()
                analysis = self._tree.last_analysis
                return None if analysis is None else analysis.action
        return self._follow(plan)

    def _compared(
        self,
        view: View,
        budget: Budget,
        begin: float,
        seconds: float | None,
        plan: tuple[int, ...],
        explorer: Explorer,
        rng: Any,
    ) -> int | None:
        """Follow a plan that gains points where the tree search sees no difference, else do what that finds."""
        action = self._tree.choose(view, _part(budget, self.parameters.iterations, _left(seconds, begin)))
        moves = self._moves()
        safe = [move for move in moves if not move.lost and move.visits]
        flat = not safe or max(move.mean for move in safe) - min(move.mean for move in safe) < 1e-9
        if not plan or not flat:
            return action
        outcome = explorer.try_plan(plan, FUTURES, rng)
        if (outcome.wins > 0.0 or outcome.gain > 0.0) and plan[0] not in {m.action for m in moves if m.lost}:
            return self._follow(plan)
        return action

    def _moves(self) -> list[RootMove]:
        search = self._tree.search
        return [] if search is None else root_moves(search.engines[0])


def _left(seconds: float | None, begin: float) -> float | None:
    """Return what is left of the time; None: it is not limited."""
    return None if seconds is None else max(1e-3, seconds - RESERVE - (time.perf_counter() - begin))


def _part(budget: Budget, iterations: int | None, seconds: float | None) -> Budget:
    return Budget(iterations=iterations, seconds=seconds, control=budget.control)


# --- what kind of game it is ---------------------------------------------------------------------------------------


def observe(root: State, view: View) -> _Nature:
    """Find out by trial whether a game is deterministic, and whether it is patient."""
    rng = view.stream("trial")
    deterministic = True
    for trial in range(TRIALS):
        one, other = (view.determinize(view.stream("future", trial, i)) for i in range(2))
        one.undoable = other.undoable = False
        for _ in range(TRIAL_TICKS):
            if one.is_terminal or other.is_terminal:
                break
            actions = one.legal_actions
            action = int(actions[int(random_below(rng, len(actions)))])
            one.apply(action)
            other.apply(action)
        deterministic = deterministic and _content(one) == _content(other)
        if not deterministic:
            break
    waiting = root.copy()
    before = _content(waiting)
    patient = True
    for _ in range(TRIAL_TICKS):
        if not waiting.is_terminal:
            waiting.apply(NIL)
    patient = not waiting.is_terminal and _content(waiting) == before
    return _Nature(deterministic, patient)


def _content(state: State) -> Any:
    """Return what can be told of a position, but for its age and random numbers; only of memory that is in use."""
    record, program = state.record, state.game.tables.program
    sprites = state.array["sprites"][0][: int(record.slots)]
    sprites = sprites[sprites["type"] >= 0]
    fields = ("type", "x", "y", "ox", "oy", "health", "disabled")
    columns = tuple(sprites[name].tobytes() for name in fields)
    alive = record.alive[: (int(program.n_mortal) + 63) // 64]
    return float(record.score[0]), int(record.ended), alive.tobytes(), columns, sprites["amounts"].tobytes()
