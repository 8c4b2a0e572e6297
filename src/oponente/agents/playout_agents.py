"""Agents that play courses of the game to their ends and keep no tree."""

from __future__ import annotations

from dataclasses import dataclass

from oponente.agents.base import Budget
from oponente.agents.search_agents import MAX_ITERATIONS, MonteCarloAgent
from oponente.agents.view import View
from oponente.kernel import option
from oponente.search.analysis import Analysis
from oponente.search.flat import search_flat


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
            self.searched(view.true_state() if cheat else view.determinize(view.stream("root"))),
            view.stream("playouts"),
            iterations,
            policy=self._policy(view.game),
            reward=reward,
            judge=judge,
            honest=not cheat,
            control=budget.control,
        )
