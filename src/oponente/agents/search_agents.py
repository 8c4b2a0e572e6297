"""The searches as agents: parameters from the command line, one decision after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.view import View
from oponente.kernel import OUTCOME, Control, Game, State, option
from oponente.search.alphabeta import alphabeta
from oponente.search.analysis import Analysis
from oponente.search.deepening import MAX_DEPTH, search_to_depth
from oponente.search.flat import search_flat
from oponente.search.mcts import FORMULAS, REWARDS, UCT
from oponente.search.minimax import minimax
from oponente.search.open_loop import OpenLoopUCT

MAX_ITERATIONS = 2**31 - 1
"""Visits are counted in 32 bits."""


def choose_by_name(game: Game, known: dict[str, Any], name: str, what: str) -> Any:
    """Return the evaluator or policy of that name; ``default`` is the game's first.

    Raises:
        ValueError: the game has none of that name.
    """
    if name == "default":
        return next(iter(known.values()))
    if name not in known:
        raise ValueError(f"{game.name} has no {what} {name!r}; it has {', '.join(known)}")
    return known[name]


# --- searches with an evaluation -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class DepthParameters:
    """Limits and evaluation of a depth-first search."""

    depth: int | None = option(None, low=1, high=MAX_DEPTH, meaning="plies to look ahead; 6 if there is no other limit")
    nodes: int | None = option(None, low=1, high=2**62, meaning="nodes to expand at most (deepens ply by ply)")
    time: float | None = option(None, low=0.001, high=1e6, meaning="seconds for a decision (deepens ply by ply)")
    evaluation: str = option(
        "default", meaning="evaluator at the horizon: default (the game's own), outcome, or a name"
    )


class DepthFirstAgent(SearchAgent):
    """What minimax and alpha-beta have in common; a subclass names the kernel."""

    Parameters = DepthParameters
    native = True
    kernel: Any

    def check(self, game: Game) -> None:
        """Refuse games that are not for two players, hide something, or have chance."""
        if game.num_players != 2 or not game.perfect_information or game.max_chance or game.sampled_chance:
            raise ValueError(
                f"{self.name} plays games for two with perfect information and no chance; {game.name} is none"
            )
        self._evaluator(game)

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        self._search(game.start(), 1, None, Control())

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position as deep as the parameters and the budget allow."""
        limits = self.limits(view)
        budget = budget.limited(nodes=limits.nodes, depth=limits.depth, seconds=limits.time)
        depth = budget.depth
        if depth is None and budget.nodes is None and budget.seconds is None:
            depth = 6
        return self._search(view.determinize(view.stream(self.name)), depth, budget.nodes, budget.control)

    def limits(self, view: View) -> Any:
        """Return the parameters for this decision; subclasses may let them depend on the position."""
        return self.parameters

    def _evaluator(self, game: Game) -> Any:
        return choose_by_name(game, game.evaluators, self.parameters.evaluation, "evaluator")

    def _search(self, state: State, depth: int | None, nodes: int | None, control: Control) -> Analysis:
        kernel = type(self).kernel
        return search_to_depth(kernel, self._evaluator(state.game), state, depth=depth, nodes=nodes, control=control)


class MinimaxAgent(DepthFirstAgent):
    """Minimax: every line of play to a fixed depth."""

    name = "minimax"
    kernel = staticmethod(minimax)


class AlphaBetaAgent(DepthFirstAgent):
    """Alpha-beta: the moves of minimax, with lines left out that can't matter."""

    name = "alphabeta"
    kernel = staticmethod(alphabeta)


# --- Monte Carlo ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FlatMonteCarloParameters:
    """Budget and reward of flat Monte Carlo."""

    iterations: int | None = option(
        None, low=1, high=MAX_ITERATIONS, meaning="playouts per decision; 1000 if no time is given"
    )
    time: float | None = option(None, low=0.001, high=1e6, meaning="seconds for a decision")
    reward: str = option("unit", meaning="worth of a finished game: unit, utility, win, or an evaluator of the game")
    playouts: str = option("default", meaning="playout policy: default (the game's own), uniform, or a name")
    cheat: bool = option(False, meaning="search the true state, hidden parts included")


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


class FlatMonteCarloAgent(MonteCarloAgent):
    """Flat Monte Carlo: as many playouts for each action, and the best mean."""

    name = "flat-mc"
    Parameters = FlatMonteCarloParameters

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Run playouts from every action in turn."""
        budget, iterations = self._limited(budget)
        cheat = self.parameters.cheat
        reward, judge = self._reward(view.game)
        return search_flat(
            view.true_state() if cheat else view.determinize(view.stream("root")),
            view.stream("playouts"),
            iterations,
            policy=self._policy(view.game),
            reward=reward,
            judge=judge,
            honest=not cheat,
            control=budget.control,
        )


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
