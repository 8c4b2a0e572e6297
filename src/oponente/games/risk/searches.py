"""Risk: the generic searches as agents that think in plans.

They search the game of :mod:`oponente.games.risk.planning`, whose actions are composite ones; a plan once chosen is
carried out, throw after throw, before they think again.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Budget
from oponente.agents.depth_first_agents import (
    AlphaBetaAgent,
    AlphaBetaParameters,
    BestReplyAgent,
    ExpectiminimaxAgent,
    ExpectiminimaxParameters,
    MaxNAgent,
    MaxNParameters,
    MinimaxAgent,
    MinimaxParameters,
    OneStepAgent,
    OneStepParameters,
    ParanoidAgent,
)
from oponente.agents.playout_agents import (
    FlatMonteCarloAgent,
    FlatMonteCarloParameters,
    RandomSearchAgent,
    RandomSearchParameters,
    RollingHorizonAgent,
    RollingHorizonParameters,
)
from oponente.agents.search_agents import MCTSAgent, StrongParameters, UCTAgent, UCTParameters
from oponente.agents.view import View
from oponente.games.risk import planning
from oponente.games.risk.plans import DONE_WITH
from oponente.games.risk.rollouts import in_order, plan_step
from oponente.games.risk.state import FIELDS
from oponente.kernel import Game, State, option, with_default
from oponente.search.analysis import Analysis, MoveAnalysis

CUT_OFF = 60
"""Plies after which playouts end with the evaluation."""


def game_in_plans(game: Game) -> Game:
    """Return a game of Risk in plans, with the same options, evaluators and playout policies."""
    other = Game(planning, game.changed_options, draw=game.draw, facts=game.facts, kept=True)
    other.evaluators, other.policies = game.evaluators, game.policies
    other.priors, other.beliefs, other.features = game.priors, game.beliefs, game.features
    return other


def position_in_plans(position: State, game: Game) -> State:
    """Return a position of Risk, in which no plan is being carried out, as one of the game in plans."""
    array = game.new_states(1)
    for name, *_ in FIELDS:
        array[name] = position.array[name]
    return State(game, array, position.history)


class Follower:
    """Carries out the plan that it has chosen before it thinks again."""

    _plan: int | None = None
    _turn = _ply = -1

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the plan of another game."""
        self._plan, self._turn, self._ply = None, -1, -1
        super().begin_game(game, seat)  # type: ignore[misc]

    def choose(self, view: View, budget: Budget) -> int:
        """Go on with the plan, if there is one; else think."""
        state = view.determinize(view.stream("root"))
        turn = int(state.record.turn)
        if self._plan is not None and turn == self._turn and view.ply > self._ply:
            action = int(plan_step(view.game.tables, state.array, self._plan, True))
            if action != DONE_WITH and view.is_legal(action):
                return action
        self._plan, self._turn, self._ply = None, turn, view.ply
        if len(view.legal_actions) == 1:
            return int(view.legal_actions[0])
        return int(super().choose(view, budget))  # type: ignore[misc]


class _InPlans(Follower):
    """Searches over plans, unless it is to search over raw actions."""

    parameters: Any
    _games: tuple[Game, Game] | None = None
    """The game that was played last, and it in plans."""

    def searched(self, state: State) -> State:
        """Return the position in the game in plans."""
        if not self.parameters.plans:
            return state
        if self._games is None or self._games[0] is not state.game:
            self._games = state.game, game_in_plans(state.game)
        return position_in_plans(state, self._games[1])

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search for a plan; the moves analysed are the first raw actions of plans."""
        analysis: Analysis = super().analyse(view, budget)  # type: ignore[misc]
        if not self.parameters.plans:
            return analysis
        self._plan = analysis.action
        return in_raw_actions(view.determinize(view.stream("root")), analysis)


def in_raw_actions(state: State, analysis: Analysis) -> Analysis:
    """Return an analysis of plans as one of the raw actions that they begin with; several plans may begin alike."""

    def first(plan: int) -> int:
        return int(plan_step(state.game.tables, state.array, plan, False))

    found: dict[int, list[MoveAnalysis]] = {}
    for move in analysis.moves:
        found.setdefault(first(move.action), []).append(move)
    return dataclasses.replace(
        analysis,
        action=first(analysis.action),
        moves=in_order(state, (_together(action, moves) for action, moves in found.items())),
        principal_variation=(first(analysis.action),),
    )


def _together(action: int, moves: list[MoveAnalysis]) -> MoveAnalysis:
    """Return what is known of an action that several plans begin with: the best of them, the visits of all."""
    known = [move for move in moves if move.value is not None]
    best = max(known, key=lambda move: (move.visits, move.value), default=moves[0])
    priors = [move.prior for move in moves if move.prior is not None]
    return MoveAnalysis(action, best.value, sum(move.visits for move in moves), sum(priors) if priors else None)


@dataclass(frozen=True)
class RiskUCTParameters(UCTParameters):
    """Those of `uct`; playouts are cut off, and actions are plans."""

    cutoff: int | None = with_default(UCTParameters, "cutoff", CUT_OFF)
    plans: bool = option(True, meaning="search over plans, which are carried out as actions; false: over actions")


@dataclass(frozen=True)
class RiskMCTSParameters(StrongParameters):
    """Those of `mcts`; playouts are cut off, and actions are plans."""

    cutoff: int | None = with_default(StrongParameters, "cutoff", CUT_OFF)
    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskUCTAgent(_InPlans, UCTAgent):
    """UCT over plans; plays the move visited most."""

    Parameters = RiskUCTParameters


class RiskMCTSAgent(_InPlans, MCTSAgent):
    """Monte Carlo tree search over plans, which also proves positions where it can."""

    Parameters = RiskMCTSParameters


@dataclass(frozen=True)
class RiskFlatMonteCarloParameters(FlatMonteCarloParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskFlatMonteCarloAgent(_InPlans, FlatMonteCarloAgent):
    """Flat Monte Carlo: as many playouts for each plan, and the best mean."""

    Parameters = RiskFlatMonteCarloParameters


@dataclass(frozen=True)
class RiskRandomSearchParameters(RandomSearchParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskRandomSearchAgent(_InPlans, RandomSearchAgent):
    """Random search: courses of plans at random, and the first plan of the best."""

    Parameters = RiskRandomSearchParameters


@dataclass(frozen=True)
class RiskRollingHorizonParameters(RollingHorizonParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskRollingHorizonAgent(_InPlans, RollingHorizonAgent):
    """Rolling horizon evolution: courses of plans bettered by evolution, and the first plan of the best."""

    Parameters = RiskRollingHorizonParameters


@dataclass(frozen=True)
class RiskMinimaxParameters(MinimaxParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskMinimaxAgent(_InPlans, MinimaxAgent):
    """Minimax for two players over plans: every line of play to a fixed depth, chance events by their means."""

    Parameters = RiskMinimaxParameters


@dataclass(frozen=True)
class RiskAlphaBetaParameters(AlphaBetaParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskAlphaBetaAgent(_InPlans, AlphaBetaAgent):
    """Alpha-beta for two players over plans: the moves of minimax, with lines left out that can't matter."""

    Parameters = RiskAlphaBetaParameters


class RiskParanoidAgent(_InPlans, ParanoidAgent):
    """Paranoid search over plans: alpha-beta, the others all play against it."""

    Parameters = RiskAlphaBetaParameters


class RiskBestReplyAgent(_InPlans, BestReplyAgent):
    """Best-reply search over plans: only one opponent at a time plays against it."""

    Parameters = RiskAlphaBetaParameters


@dataclass(frozen=True)
class RiskExpectiminimaxParameters(ExpectiminimaxParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskExpectiminimaxAgent(_InPlans, ExpectiminimaxAgent):
    """Expectiminimax over plans: alpha-beta that prunes at chance nodes, too."""

    Parameters = RiskExpectiminimaxParameters


@dataclass(frozen=True)
class RiskMaxNParameters(MaxNParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskMaxNAgent(_InPlans, MaxNAgent):
    """Max^n over plans: each player maximises the own value."""

    Parameters = RiskMaxNParameters


@dataclass(frozen=True)
class RiskOneStepParameters(OneStepParameters):
    """The same; actions are plans."""

    plans: bool = with_default(RiskUCTParameters, "plans", True)


class RiskOneStepAgent(_InPlans, OneStepAgent):
    """Takes the plan after which the evaluator gives it most, chance by its mean; one of equals at random."""

    Parameters = RiskOneStepParameters


SEARCHES = (
    RiskUCTAgent,
    RiskMCTSAgent,
    RiskFlatMonteCarloAgent,
    RiskRandomSearchAgent,
    RiskRollingHorizonAgent,
    RiskMinimaxAgent,
    RiskAlphaBetaAgent,
    RiskParanoidAgent,
    RiskBestReplyAgent,
    RiskExpectiminimaxAgent,
    RiskMaxNAgent,
    RiskOneStepAgent,
)
"""The searches that think in plans."""
