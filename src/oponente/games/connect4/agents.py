"""Agents that play Connect Four only."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.depth_first_agents import (
    AlphaBetaAgent,
    AlphaBetaParameters,
    DepthFirstAgent,
    MinimaxAgent,
    MinimaxParameters,
)
from oponente.agents.view import View
from oponente.games.connect4.solver import Solver, Stopped
from oponente.kernel import Control, Game, State, option
from oponente.search.analysis import Analysis, MoveAnalysis, TreeShape
from oponente.search.deepening import search_to_depth
from oponente.search.methods import ALPHABETA
from oponente.search.top import tree_of_moves

REPORT_DEPTHS = (3, 3, 6)
"""Depth of the FCUP report's first, second and third own move, where the first one is searched at all."""
REPORT_LATER_DEPTH = 8


def _schedule() -> Any:
    """Return the parameter that the searches have in common."""
    return option(
        "none",
        choices=("none", "report"),
        meaning="report: centre as the game's first move, own moves 1 and 2 at depth 3, 3 at 6, later ones at 8",
    )


@dataclass(frozen=True)
class ScheduledMinimaxParameters(MinimaxParameters):
    """Limits and evaluation of minimax, and the report's depth schedule."""

    schedule: str = _schedule()


@dataclass(frozen=True)
class ScheduledAlphaBetaParameters(AlphaBetaParameters):
    """The same for alpha-beta."""

    schedule: str = _schedule()


class _Scheduled(DepthFirstAgent):
    """A depth-first search that can follow the depth schedule of the FCUP report (Gomes, Maia, Sobral 2022)."""

    def check(self, game: Game) -> None:
        """Refuse a depth beside a schedule."""
        super().check(game)
        if self.parameters.schedule != "none" and self.parameters.depth is not None:
            raise ValueError(f"{self.name}: schedule=report sets the depth itself; leave out depth")

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Take the centre as the game's first move if the schedule says so, else search."""
        if self.parameters.schedule == "report" and _stones(view) == 0:
            centre = view.game.options.columns // 2
            return Analysis(action=centre, principal_variation=(centre,))
        return super().analyse(view, budget)

    def limits(self, view: View) -> Any:
        """Let the schedule decide on the depth."""
        if self.parameters.schedule == "none":
            return self.parameters
        own_moves = _stones(view) // 2
        depth = REPORT_DEPTHS[own_moves] if own_moves < len(REPORT_DEPTHS) else REPORT_LATER_DEPTH
        return replace(self.parameters, depth=depth)


class ScheduledMinimaxAgent(_Scheduled, MinimaxAgent):
    """Minimax: every line of play to a fixed depth, or by the report's schedule."""

    Parameters = ScheduledMinimaxParameters


class ScheduledAlphaBetaAgent(_Scheduled, AlphaBetaAgent):
    """Alpha-beta: the moves of minimax, with lines left out that can't matter; by the report's schedule on request."""

    Parameters = ScheduledAlphaBetaParameters


# --- perfect play --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SolverParameters:
    """What the solver may use."""

    book: bool = option(True, meaning="answer early positions from the opening book")
    table: float = option(64.0, low=0.01, high=65536.0, log=True, meaning="size of the transposition table in MiB")


class SolverAgent(SearchAgent):
    """Perfect play on the standard board, with the exact score of every column; of equal ones the most central.

    Its own time is not limited. If two thirds of a budget from outside run out, alpha-beta steps in with the rest, to
    depth 8 at most.
    """

    name = "solver"
    Parameters = SolverParameters
    native = True

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._solver: Solver | None = None
        self._exact = True
        """Whether the last analysis is the solver's own."""

    def check(self, game: Game) -> None:
        """Refuse boards other than 7 columns by 6 rows with four to connect."""
        if game.name != "connect4" or game.changed_options:
            raise ValueError("solver plays connect4 on the standard board only: 7 columns, 6 rows, 4 to connect")

    def prepare(self, game: Game) -> None:
        """Compile the solver and load its book."""
        nearly_full = game.position("446323116125713546635334125521577677")
        self.analyse(View(nearly_full, nearly_full.player), Budget())
        _step_in(nearly_full, Control())

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Return the exact score of every column, as :mod:`oponente.games.connect4.solver` defines it."""
        budget = budget.limited()
        budget.control.part(2, 3)  # the rest of a limited time is for the search that steps in
        if self._solver is None:
            self._solver = Solver(table_mib=self.parameters.table, book=self.parameters.book)
        self._solver.reset()  # what it did must not depend on the decisions before
        begin = time.perf_counter()
        state = view.determinize(view.stream("solver"))
        first, second = (int(stones) for stones in state.record.stones)
        try:
            scores = self._solver.move_scores(first, second, control=budget.control)
        except Stopped:
            budget.control.part(3, 3)
            self._exact = False
            return _step_in(state, budget.control, self.tree_shape)
        self._exact = True
        known = [(score, column) for column, score in enumerate(scores) if score is not None]
        best = max(known, key=lambda move: (move[0], -abs(move[1] - len(scores) // 2)))
        moves = tuple(MoveAnalysis(column, float(score)) for score, column in known)
        gains = [[score if player == state.player else -score for player in (0, 1)] for score, _ in known]
        shape = self.tree_shape
        return Analysis(
            action=best[1],
            values=tuple(float(best[0] if player == state.player else -best[0]) for player in (0, 1)),
            moves=moves,
            principal_variation=(best[1],),
            nodes=self._solver.nodes,
            depth=len(scores) * state.game.options.rows - int(state.record.ply),
            seconds=time.perf_counter() - begin,
            tree=None if shape is None else tree_of_moves(state, moves, gains, best[1], shape),
        )

    def findings(self, view: View, analysis: Analysis) -> dict[str, Any]:
        """Return the score of the position and of every column (null if it is full).

        Where the last analysis was that of alpha-beta, which stepped in, they are what it says, by other names.
        """
        if not self._exact:
            return super().findings(view, analysis)
        scores = {move.action: int(move.value) for move in analysis.moves if move.value is not None}
        return {
            "score": max(scores.values()),
            "move_scores": [scores.get(column) for column in range(view.game.options.columns)],
        }


def _step_in(state: State, control: Control, shape: TreeShape | None = None) -> Analysis:
    """Search a position to depth 8, or as deep as the time allows."""
    return search_to_depth(ALPHABETA, state.game.evaluators["report"], state, depth=8, control=control, shape=shape)


def _stones(view: View) -> int:
    return int(view.determinize(view.stream("stones")).record.ply)
