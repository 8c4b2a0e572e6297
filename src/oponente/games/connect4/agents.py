"""Agents that play Connect Four only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from oponente.agents.base import Budget
from oponente.agents.search_agents import AlphaBetaAgent, DepthFirstAgent, DepthParameters, MinimaxAgent
from oponente.agents.view import View
from oponente.kernel import option
from oponente.search.analysis import Analysis

REPORT_DEPTHS = (3, 3, 6)
"""Depth of the FCUP report's first, second and third own move, where the first one is searched at all."""
REPORT_LATER_DEPTH = 8


@dataclass(frozen=True)
class ScheduledParameters(DepthParameters):
    """Limits and evaluation of a depth-first search, and the report's depth schedule."""

    schedule: str = option(
        "none",
        choices=("none", "report"),
        meaning="report: centre as the game's first move, own moves 1 and 2 at depth 3, 3 at 6, later ones at 8",
    )


class _Scheduled(DepthFirstAgent):
    """A depth-first search that can follow the depth schedule of the FCUP report (Gomes, Maia, Sobral 2022)."""

    Parameters = ScheduledParameters

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


class ScheduledAlphaBetaAgent(_Scheduled, AlphaBetaAgent):
    """Alpha-beta: the moves of minimax, with lines left out that can't matter; by the report's schedule on request."""


def _stones(view: View) -> int:
    return int(view.determinize(view.stream("stones")).record.ply)
