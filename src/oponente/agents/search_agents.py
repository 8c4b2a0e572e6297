"""The Monte Carlo searches with a tree as agents: parameters from the command line, one decision after the other."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from oponente.agents.base import Budget, SearchAgent, refuse_idle
from oponente.agents.named import choose_by_name
from oponente.agents.view import View
from oponente.kernel import OUTCOME, Game, State, option, with_default
from oponente.search.analysis import Analysis
from oponente.search.mcts import MCTS, REWARDS, MCTSParameters, idle
from oponente.search.mcts.store import MAX_VISITS

MAX_ITERATIONS = MAX_VISITS
"""Simulations of a decision: no more can be counted."""


@dataclass(frozen=True)
class BudgetParameters:
    """How long a tree search thinks."""

    iterations: int | None = option(
        None, low=1, high=MAX_ITERATIONS, log=True, meaning="simulations per decision; 1000 if no time is given"
    )
    time: float | None = option(None, low=0.001, high=1e6, log=True, meaning="seconds for a decision")


def within(budget: Budget, parameters: Any) -> tuple[Budget, int]:
    """Return the budget with the clock started, and how many simulations it and an agent's parameters allow."""
    budget = budget.limited(iterations=parameters.iterations, seconds=parameters.time)
    iterations = budget.iterations
    if iterations is None:
        iterations = 1000 if budget.seconds is None else MAX_ITERATIONS
    return budget, iterations


@dataclass(frozen=True)
class UCTParameters(MCTSParameters, BudgetParameters):
    """Budget and techniques of UCT: without any others, unless they are asked for."""


@dataclass(frozen=True)
class StrongParameters(UCTParameters):
    """The same; positions are proven and trees are reused where that is possible."""

    solver: str = with_default(MCTSParameters, "solver", "auto")
    reuse: bool | None = with_default(MCTSParameters, "reuse", None)


class MonteCarloAgent(SearchAgent):
    """What the Monte Carlo agents have in common."""

    native = True

    def check(self, game: Game) -> None:
        """Refuse playout policies and rewards that the game does not have."""
        self._policy(game)
        self._reward(game)

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        state = game.first_decision()
        one = type(self)(replace(self.parameters, iterations=1, time=None))
        one.choose(View(state, state.player), Budget())
        one.prepare_further()

    def prepare_further(self) -> None:
        """Compile what the first decision did not need, which has been made."""

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


class UCTAgent(MonteCarloAgent):
    """UCT: Monte Carlo tree search with upper confidence bounds; plays the move visited most.

    Where something is hidden from the player or drawn inside the state, the tree is one of action sequences and every
    simulation starts from another determinization (:mod:`oponente.search.mcts.kernel`).
    """

    name = "uct"
    Parameters = UCTParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.search: MCTS | None = None
        """The search with its tree as the last decision left it; None before the first."""
        self._search_game: Game | None = None
        """The game whose evaluators, prior and belief the search has."""

    @property
    def reproducible(self) -> bool:
        """Not with a time budget, nor where threads may share a tree: also with PIMC, in games that hide nothing."""
        p = self.parameters
        return super().reproducible and (p.threads == 1 or p.parallel != "tree")

    def idle(self) -> dict[str, str]:
        """Return what changes nothing; see :func:`oponente.search.mcts.idle`."""
        return idle(self.parameters)

    def check(self, game: Game) -> None:
        """Refuse what the game does not have or allow, and parameters that can't go together."""
        super().check(game)
        refuse_idle(self)
        self._new_search(game).check_game(game)

    def prepare_further(self) -> None:
        """Compile what later decisions do with the tree."""
        if self.search is not None:
            self.search.prepare()

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the tree: what is reused must not outlive a game."""
        if self.search is not None:
            self.search.forget()

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position."""
        budget, iterations = within(budget, self.parameters)
        if self.search is None or self._search_game is not view.game:
            self.search, self._search_game = self._new_search(view.game), view.game
        self.search.policy = self._policy(view.game)
        state = self.world(view)
        return self.search.search(state, view.stream("uct"), iterations, budget.control, self.tree_shape)

    def world(self, view: View) -> State:
        """Return the state to search from."""
        return self.searched(view.true_state() if self.parameters.cheat else view.determinize(view.stream("root")))

    def _new_search(self, game: Game) -> MCTS:
        p = self.parameters
        reward, judge = self._reward(game)
        estimated = p.estimate != "none"
        named = p.estimate if estimated else p.evaluation
        evaluator = choose_by_name(game, game.evaluators, named, "evaluator") if estimated or p.evaluates else OUTCOME
        if estimated and p.evaluates:  # the same one, or they are refused
            choose_by_name(game, game.evaluators, p.evaluation, "evaluator")
        known = {field.name: getattr(p, field.name) for field in fields(MCTSParameters)}
        return MCTS(
            MCTSParameters(**{**known, "reward": reward}),
            policy=self._policy(game),
            judge=judge,
            evaluator=evaluator,
            prior=_chosen(game, game.priors, p.prior, "prior"),
            belief=_chosen(game, game.beliefs, p.belief, "belief"),
        )


class MCTSAgent(UCTAgent):
    """Monte Carlo tree search that also proves positions and reuses its tree where it can; else as `uct`."""

    name = "mcts"
    Parameters = StrongParameters


def _chosen(game: Game, known: dict[str, Any], name: str, what: str) -> Any:
    """Return the prior or belief of that name, None for ``none``."""
    if name == "none":
        return None
    if name not in known:
        raise ValueError(f"{game.name} has no {what} {name!r}; it has {', '.join(known) or 'none'}")
    return known[name]
