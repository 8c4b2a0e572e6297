"""The Monte Carlo searches with a tree as agents: parameters from the command line, one decision after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.named import choose_by_name
from oponente.agents.view import View
from oponente.kernel import OUTCOME, Game, option
from oponente.search.analysis import Analysis
from oponente.search.mcts import FORMULAS, REWARDS, UCT
from oponente.search.open_loop import OpenLoopUCT

MAX_ITERATIONS = 2**31 - 1
"""Visits are counted in 32 bits."""


@dataclass(frozen=True)
class UCTParameters:
    """Budget, formula and reward of UCT."""

    iterations: int | None = option(
        None, low=1, high=MAX_ITERATIONS, meaning="simulations per decision; 1000 if no time is given"
    )
    time: float | None = option(None, low=0.001, high=1e6, meaning="seconds for a decision")
    c: float = option(1.0, low=0.0, meaning="constant of the selection formula")
    formula: str = option(
        "plain",
        choices=tuple(FORMULAS),
        meaning="exploration term: plain c sqrt(ln N/n), root2 c sqrt(2 ln N/n), uct 2 c sqrt(2 ln N/n)",
    )
    reward: str = option("unit", meaning="worth of a finished game: unit, utility, win, or an evaluator of the game")
    playouts: str = option("default", meaning="playout policy: default (the game's own), uniform, or a name")
    capacity: int = option(
        2_000_000, low=1000, high=200_000_000, meaning="nodes the tree may hold (about 60 bytes each)"
    )
    cheat: bool = option(False, meaning="search the true state, hidden parts included")


class MonteCarloAgent(SearchAgent):
    """What the Monte Carlo agents have in common."""

    native = True

    def check(self, game: Game) -> None:
        """Refuse playout policies and rewards that the game does not have."""
        self._policy(game)
        self._reward(game)

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        state = game.start()
        while state.is_chance:
            state.apply(state.chance_outcomes[0][0])
        one = type(self)(replace(self.parameters, iterations=1, time=None))
        one.choose(View(state, state.player), Budget())

    def _policy(self, game: Game) -> Any:
        return choose_by_name(game, game.policies, self.parameters.playouts, "playout policy")

    def _reward(self, game: Game) -> tuple[str, Any]:
        """Return the kind of reward, and the evaluator that judges finished games where it is ``value``."""
        name = self.parameters.reward
        if name in REWARDS and name != "value":
            return name, OUTCOME
        if name not in game.evaluators:
            known = ", ".join([*(kind for kind in REWARDS if kind != "value"), *game.evaluators])
            raise ValueError(f"{game.name} has no reward {name!r}; it has {known}")
        return "value", game.evaluators[name]

    def _limited(self, budget: Budget) -> tuple[Budget, int]:
        """Return the budget with the clock started, and how many simulations it allows."""
        budget = budget.limited(iterations=self.parameters.iterations, seconds=self.parameters.time)
        iterations = budget.iterations
        if iterations is None:
            iterations = 1000 if budget.seconds is None else MAX_ITERATIONS
        return budget, iterations


class UCTAgent(MonteCarloAgent):
    """UCT: Monte Carlo tree search with upper confidence bounds; plays the move visited most.

    Where something is hidden from the player or drawn inside the state, the tree is one of action sequences and every
    simulation starts from another determinization (:mod:`oponente.search.open_loop`).
    """

    name = "uct"
    Parameters = UCTParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.search: UCT | OpenLoopUCT | None = None
        """The search with its tree as the last decision left it; None before the first."""

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position."""
        budget, iterations = self._limited(budget)
        game, cheat = view.game, self.parameters.cheat
        if self.search is None:
            self.search = self._new_search(game)
        self.search.policy = self._policy(game)
        state = view.true_state() if cheat else view.determinize(view.stream("root"))
        return self.search.search(state, view.stream("uct"), iterations, budget.control)

    def _new_search(self, game: Game) -> UCT | OpenLoopUCT:
        p = self.parameters
        reward, judge = self._reward(game)
        if game.sampled_chance or not (game.perfect_information or p.cheat):
            return OpenLoopUCT(
                exploration=FORMULAS[p.formula] * p.c,
                reward=reward,
                policy=self._policy(game),
                judge=judge,
                capacity=p.capacity,
                honest=not p.cheat,
            )
        return UCT(formula=p.formula, c=p.c, reward=reward, judge=judge, capacity=p.capacity)
