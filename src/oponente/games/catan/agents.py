"""Agents for Catan: those of the theses, and the searches with the theses' details as their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from oponente.agents.base import Agent, Budget
from oponente.agents.search_agents import (
    AlphaBetaAgent,
    DepthFirstAgent,
    DepthParameters,
    MinimaxAgent,
    MonteCarloAgent,
    UCTParameters,
    choose_by_name,
)
from oponente.agents.view import View
from oponente.games.catan.moves import ANSWERING, CONFIRMING, REJECT, WITHDRAW
from oponente.kernel import Game, State, option
from oponente.search.analysis import Analysis
from oponente.search.greedy import search_greedy
from oponente.search.mcts import FORMULAS
from oponente.search.open_loop import OpenLoopUCT


def offerless(game: Game) -> Game:
    """Return the same game without trade between players, in which no offers are listed."""
    if not game.options.rule("trade"):
        return game
    others = {name: value for name, value in game.changed_options.items() if name != "offers"}
    other = Game(game.rules, {**others, "trade": "false"}, game.text, game.draw, facts=game.facts, kept=True)
    other.evaluators, other.policies = game.evaluators, game.policies
    return other


class _Offerless:
    """Looks ahead in the game without offers."""

    _games: tuple[Game, Game] | None = None
    """The game that was played last, and it without offers."""

    def _without_offers(self, state: State) -> State:
        """Return the same position in the game without offers."""
        if self._games is None or self._games[0] is not state.game:
            self._games = state.game, offerless(state.game)
        return State(self._games[1], state.array, state.history)


# --- agents that look at most one step ahead -----------------------------------------------------------------------


class _PolicyAgent(Agent):
    """Plays a playout policy."""

    native = True
    policy: ClassVar[str]

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the policy does."""
        return view.policy_action(view.game.policies[self.policy], view.stream("policy"))

    def prepare(self, game: Game) -> None:
        """Compile the policy."""
        self.choose(View(game.start(), 0), Budget())


class RandomAgent(_PolicyAgent):
    """Plays each listed legal action with equal probability, but makes no offers and rejects all."""

    name = "random"
    policy = "random"


class WeightedRandomAgent(_PolicyAgent):
    """Draws among the legal actions by weight: city 1000, settlement 700, road 300, buying a card 250, playing one 50,
    all else 1.
    """

    name = "weighted-random"
    policy = "weighted-random"


class SimpleAgent(_PolicyAgent):
    """The agent of Paz and Rubin (2016): a city if it can, else a settlement if it can, else something at random."""

    name = "simple"
    policy = "simple"


class GreedyPointsAgent(_Offerless, Agent):
    """Takes the action that leaves it most victory points, one of equals at random; makes no offers, rejects all."""

    name = "greedy-vp"
    native = True

    def choose(self, view: View, budget: Budget) -> int:
        """Look one step ahead."""
        state = self._without_offers(view.determinize(view.stream("world")))
        if state.record.phase == ANSWERING:
            return REJECT
        if state.record.phase == CONFIRMING:
            return WITHDRAW
        return search_greedy(state, view.game.evaluators["points"], view.stream("greedy"))

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        self.choose(View(game.start(), 0), Budget())


# --- two players ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CatanDepthParameters(DepthParameters):
    """Limits and evaluation of a depth-first search of one possible position."""

    depth: int | None = option(None, low=1, high=20, meaning="plies to look ahead; 2 if there is no other limit")
    evaluation: str = option("points", meaning="evaluator at the horizon: default (the game's own), outcome, or a name")
    cheat: bool = option(False, meaning="search the true state, hidden parts included")


class _TwoPlayerAgent(_Offerless, DepthFirstAgent):
    """A depth-first search for two players, in which chance events count with their means.

    It searches a sample of what it can't see, and makes no offers.
    """

    Parameters = CatanDepthParameters

    def check(self, game: Game) -> None:
        """Refuse games of three and four."""
        if game.num_players != 2:
            raise ValueError(
                f"{self.name} plays catan for two; this game has {game.num_players} players: give --option players=2"
            )
        self._evaluator(game)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position."""
        p = self.parameters
        budget = budget.limited(nodes=p.nodes, depth=p.depth, seconds=p.time)
        depth = budget.depth
        if depth is None and budget.nodes is None and budget.seconds is None:
            depth = 2
        state = view.true_state() if p.cheat else view.determinize(view.stream(self.name))
        return self._search(self._without_offers(state), depth, budget.nodes, budget.control)


class CatanMinimaxAgent(_TwoPlayerAgent, MinimaxAgent):
    """Minimax for two players: every line of play to a fixed depth, chance events by their means."""


class CatanAlphaBetaAgent(_TwoPlayerAgent, AlphaBetaAgent):
    """Alpha-beta for two players: the moves of minimax, with lines left out that can't matter."""


# --- Monte Carlo tree search ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CatanUCTParameters(UCTParameters):
    """Budget, formula and reward of UCT; the defaults are those of Paz and Rubin (2016) but for honest play."""

    c: float = option(1.0, low=0.0, meaning="constant of the selection formula (C_p)")
    formula: str = option(
        "uct",
        choices=tuple(FORMULAS),
        meaning="exploration term: plain c sqrt(ln N/n), root2 c sqrt(2 ln N/n), uct 2 c sqrt(2 ln N/n)",
    )
    reward: str = option("thesis", meaning="worth of a finished game: unit, utility, win, or an evaluator of the game")
    playouts: str = option("simple", meaning="playout policy: default (the game's own), uniform, or a name")
    estimate: str = option("none", meaning="evaluator for actions not yet tried, none: they are tried in random order")
    offers: bool = option(False, meaning="whether it makes offers to other players")


@dataclass(frozen=True)
class CatanMCTSParameters(CatanUCTParameters):
    """The same with the greedy tree policy: no exploration, new nodes valued by a quick estimate."""

    c: float = option(0.0, low=0.0, meaning="constant of the selection formula; 0: the greedy tree policy")
    estimate: str = option(
        "potential", meaning="evaluator for actions not yet tried, none: they are tried in random order"
    )


class CatanUCTAgent(_Offerless, MonteCarloAgent):
    """UCT as Paz and Rubin (2016) play Catan with it: playouts by `simple`, rewarded with points and an early win.

    It is honest unless told to cheat: every simulation starts from another sample of what it can't see.
    """

    name = "uct"
    Parameters = CatanUCTParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._search: OpenLoopUCT | None = None

    def check(self, game: Game) -> None:
        """Refuse policies and evaluators that the game does not have."""
        super().check(game)
        self._estimator(game)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position."""
        budget, iterations = self._limited(budget)
        p = self.parameters
        state = view.true_state() if p.cheat else view.determinize(view.stream("root"))
        if not p.offers:
            state = self._without_offers(state)
        if self._search is None:
            reward, judge = self._reward(view.game)
            self._search = OpenLoopUCT(
                exploration=FORMULAS[p.formula] * p.c,
                reward=reward,
                judge=judge,
                policy=self._policy(view.game),
                estimator=self._estimator(view.game),
                capacity=p.capacity,
                honest=not p.cheat,
            )
        return self._search.search(state, view.stream("uct"), iterations, budget.control)

    def _estimator(self, game: Game) -> Any:
        name = self.parameters.estimate
        return None if name == "none" else choose_by_name(game, game.evaluators, name, "evaluator")


class CatanMCTSAgent(CatanUCTAgent):
    """MCTS as Paz and Rubin (2016) first play Catan with it: the greedy tree policy, quick estimates of new nodes."""

    name = "mcts"
    Parameters = CatanMCTSParameters
