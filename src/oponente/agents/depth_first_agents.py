"""The depth-first searches as agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.named import choose_by_name
from oponente.agents.view import View
from oponente.kernel import Control, Game, State, option
from oponente.search.alphabeta import alphabeta
from oponente.search.analysis import Analysis
from oponente.search.deepening import MAX_DEPTH, search_to_depth
from oponente.search.minimax import minimax


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
