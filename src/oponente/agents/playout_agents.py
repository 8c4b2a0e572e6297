"""Agents that play courses of the game and keep no tree: flat Monte Carlo, rolling horizon evolution, random search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Budget, SearchAgent, refuse_idle
from oponente.agents.named import choose_by_name
from oponente.agents.search_agents import MAX_ITERATIONS, MonteCarloAgent, within
from oponente.agents.view import View
from oponente.kernel import Game, option
from oponente.search.analysis import Analysis
from oponente.search.flat import search_flat
from oponente.search.network_files import evaluation_text
from oponente.search.rolling_horizon import VARIANTS, RollingHorizon


@dataclass(frozen=True)
class FlatMonteCarloParameters:
    """Budget and reward of flat Monte Carlo."""

    iterations: int | None = option(
        None, low=1, high=MAX_ITERATIONS, log=True, meaning="playouts per decision; 1000 if no time is given"
    )
    time: float | None = option(None, low=0.001, high=1e6, log=True, meaning="seconds for a decision")
    reward: str = option("unit", meaning="worth of a finished game: unit, utility, win, or an evaluator of the game")
    playouts: str = option("default", meaning="playout policy: default (the game's own), uniform, or a name")
    cheat: bool = option(False, meaning="search the true state, hidden parts included")


class FlatMonteCarloAgent(MonteCarloAgent):
    """Flat Monte Carlo: as many playouts for each action, and the best mean."""

    name = "flat-mc"
    Parameters = FlatMonteCarloParameters

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Run playouts from every action in turn."""
        budget, iterations = within(budget, self.parameters)
        cheat = self.parameters.cheat
        reward, judge = self._reward(view.game)
        return search_flat(
            self.searched(view.true_state() if cheat else view.determinize(view.stream("root"))),
            view.stream("playouts"),
            iterations,
            policy=self._policy(view.game),
            reward=reward,
            judge=judge,
            honest=not cheat,
            control=budget.control,
            shape=self.tree_shape,
        )


# --- plans ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RandomSearchParameters:
    """Budget of random search, and what its plans are."""

    iterations: int | None = option(
        None, low=1, high=MAX_ITERATIONS, log=True, meaning="playouts per decision; 1000 if no time is given"
    )
    time: float | None = option(None, low=0.001, high=1e6, log=True, meaning="seconds for a decision")
    length: int = option(10, low=1, high=1000, log=True, meaning="own decisions that a plan covers")
    rollout: int = option(
        0, low=0, high=100_000, log=True, meaning="plies after the plan in which the policy acts for everybody"
    )
    evaluation: str = option(
        "default",
        given=evaluation_text,
        meaning="evaluator at the end: default (the game's own), outcome, a name, or a file of a network",
    )
    playouts: str = option("default", meaning="how others play: default (the game's own policy), uniform, or a name")
    replay: bool = option(
        True, meaning="play the plans that survive once more in each generation, since luck may have made them the best"
    )
    cheat: bool = option(False, meaning="search the true state, hidden parts included")


@dataclass(frozen=True)
class RollingHorizonParameters(RandomSearchParameters):
    """The same, and how plans evolve."""

    population: int = option(10, low=2, high=10_000, log=True, meaning="plans")
    elites: int = option(
        1, low=1, high=10_000, log=True, meaning="plans that survive a generation, fewer than population"
    )
    mutation: float = option(0.1, low=0.0, high=1.0, meaning="probability that a gene is drawn anew; one always is")
    tournament: int = option(2, low=1, high=10_000, log=True, meaning="random plans that each parent is the best of")
    distinct: bool = option(False, meaning="the plans of a tournament are all different")
    variant: str = option(
        "evolution", choices=VARIANTS, meaning="evolution, 1+1 (one plan and its mutant), flat (all plans drawn afresh)"
    )
    shift: bool = option(True, meaning="shift buffer: begin with the rest of the last decision's best plan")


class _PlanningAgent(SearchAgent):
    """What random search and rolling horizon evolution have in common."""

    native = True

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._search: RollingHorizon | None = None

    def check(self, game: Game) -> None:
        """Refuse evaluators and policies that the game does not have."""
        self._settings(game)

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the plan of another game."""
        if self._search is not None:
            self._search.forget()

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        state = game.first_decision()
        self.analyse(View(state, state.player), Budget(iterations=1))
        self.begin_game(game, 0)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Better plans within the budget."""
        p = self.parameters
        budget, iterations = within(budget, p)
        root = self.searched(view.true_state() if p.cheat else view.determinize(view.stream("root")))
        if self._search is None or self._search.game is not root.game:
            self._search = RollingHorizon(root.game, **self._settings(root.game))
        return self._search.search(root, view.stream("plans"), iterations, budget.control, self.tree_shape)

    def _settings(self, game: Game) -> dict[str, Any]:
        p = self.parameters
        return {
            "evaluator": choose_by_name(game, game.evaluators, p.evaluation, "evaluator"),
            "policy": choose_by_name(game, game.policies, p.playouts, "playout policy"),
            "length": p.length,
            "rollout": p.rollout,
            "replay": p.replay,
            "honest": not p.cheat,
        }


class RandomSearchAgent(_PlanningAgent):
    """Random search: plans at random, and the first action of the best."""

    name = "random-search"
    Parameters = RandomSearchParameters

    def _settings(self, game: Game) -> dict[str, Any]:
        return {**super()._settings(game), "variant": "flat", "shift": False}


class RollingHorizonAgent(_PlanningAgent):
    """Rolling horizon evolution: plans bettered by evolution, and the first action of the best."""

    name = "rhea"
    Parameters = RollingHorizonParameters

    def idle(self) -> dict[str, str]:
        """Return what the variant does not use."""
        p = self.parameters
        unused = {
            "1+1": ("population", "elites", "tournament", "distinct"),
            "flat": ("tournament", "distinct", "mutation"),
        }
        found = dict.fromkeys(unused.get(p.variant, ()), "another variant")
        return found if p.tournament > 1 else {"distinct": "tournament of 2 plans or more", **found}

    def _settings(self, game: Game) -> dict[str, Any]:
        p = self.parameters
        refuse_idle(self)
        if p.elites >= p.population:
            raise ValueError(f"{self.name}: elites={p.elites} must be fewer than population={p.population}")
        if p.variant == "evolution" and p.distinct and p.tournament > p.population:
            raise ValueError(
                f"{self.name}: tournament={p.tournament} must be at most population={p.population}, as distinct=true"
            )
        names = ("population", "elites", "mutation", "tournament", "distinct", "variant", "shift")
        return {**super()._settings(game), **{name: getattr(p, name) for name in names}}
