"""Agents for Catan: those of the theses, and the searches with the theses' details as their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.depth_first_agents import (
    AlphaBetaAgent,
    AlphaBetaParameters,
    BestReplyAgent,
    DepthFirstAgent,
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
from oponente.agents.search_agents import UCTAgent, UCTParameters
from oponente.agents.view import View
from oponente.games.catan.evaluating import NeuralPlayer, TreeParameters, ValuePlayer, tree_evaluation
from oponente.games.catan.jsettlers.agent import JSettlersRobot
from oponente.games.catan.linear import Linear
from oponente.games.catan.moves import ANSWERING, CONFIRMING, END_TURN, REJECT, WITHDRAW
from oponente.games.catan.tact import answer_as_trader, countering, helping, tactful
from oponente.kernel import Game, State, option, stream, with_default
from oponente.search.analysis import Analysis
from oponente.search.greedy import search_greedy
from oponente.search.mcts.parameters import LOOPS
from oponente.search.methods import EXPECTIMINIMAX


def offerless(game: Game) -> Game:
    """Return the same game without trade between players, in which no offers are listed."""
    if not game.options.rule("trade"):
        return game
    others = {name: value for name, value in game.changed_options.items() if name != "offers"}
    other = Game(game.rules, {**others, "trade": "false"}, game.text, game.draw, facts=game.facts, kept=True)
    other.evaluators, other.policies = game.evaluators, game.policies
    other.priors, other.beliefs, other.features = game.priors, game.beliefs, game.features
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


class ValueAgent(ValuePlayer):
    """Takes the action after which a linear evaluation with 25 weights is greatest, chance by its mean (Skoric 2022).

    It makes no offers and rejects all, but for ``trades=true``: then it offers, answers and counters by what both sides
    gain (:mod:`oponente.games.catan.trader`).
    """

    name = "value"


class NeuralAgent(NeuralPlayer):
    """Takes the action after which a neural network 48-32-16-1 values the position most, chance by its mean.

    It makes no offers and rejects all.
    """

    name = "neural"


# --- depth-first searches --------------------------------------------------------------------------------------------


_OFFERS = "whether it makes offers to other players"


@dataclass(frozen=True)
class CatanMinimaxParameters(MinimaxParameters):
    """Limits and evaluation of minimax."""

    depth: int | None = option(None, low=1, high=20, meaning="plies to look ahead; 2 if there is no other limit")
    evaluation: str = with_default(MinimaxParameters, "evaluation", "points")
    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanAlphaBetaParameters(AlphaBetaParameters):
    """Limits and evaluation of alpha-beta."""

    depth: int | None = option(None, low=1, high=20, meaning="plies to look ahead; 2 if there is no other limit")
    evaluation: str = with_default(AlphaBetaParameters, "evaluation", "points")
    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanExpectiminimaxParameters(ExpectiminimaxParameters):
    """Limits and evaluation of expectiminimax."""

    depth: int | None = option(None, low=1, high=20, meaning="plies to look ahead; 2 if there is no other limit")
    evaluation: str = with_default(ExpectiminimaxParameters, "evaluation", "points")
    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanMaxNParameters(MaxNParameters):
    """Limits and evaluation of max^n."""

    depth: int | None = option(None, low=1, high=20, meaning="plies to look ahead; 2 if there is no other limit")
    evaluation: str = with_default(MaxNParameters, "evaluation", "points")
    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanOneStepParameters(OneStepParameters):
    """Evaluation of the agent that looks one action ahead."""

    evaluation: str = with_default(OneStepParameters, "evaluation", "potential")
    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanFlatMonteCarloParameters(FlatMonteCarloParameters):
    """Budget and reward of flat Monte Carlo."""

    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanRandomSearchParameters(RandomSearchParameters):
    """Budget of random search, and what its plans are."""

    evaluation: str = with_default(RandomSearchParameters, "evaluation", "potential")
    offers: bool = option(False, meaning=_OFFERS)


@dataclass(frozen=True)
class CatanRollingHorizonParameters(RollingHorizonParameters):
    """Budget of rolling horizon evolution, and how plans evolve."""

    evaluation: str = with_default(RollingHorizonParameters, "evaluation", "potential")
    offers: bool = option(False, meaning=_OFFERS)


class _Tactful(_Offerless, SearchAgent):
    """A search that, where it makes offers, helps nobody to win."""

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position."""
        analysis = super().analyse(view, budget)  # type: ignore[safe-super]  # of the search that comes after this
        return tactful(analysis, view) if self.parameters.offers else analysis

    def prepare(self, game: Game) -> None:
        """Compile also what is asked after a search."""
        super().prepare(game)
        if self.parameters.offers:
            helping(game.start(), [END_TURN])


class _OffersOnRequest(_Tactful):
    """A search that makes no offers unless told to: each would be as good as the next one, without end."""

    def searched(self, state: State) -> State:
        """Return the position in the game without offers."""
        return state if self.parameters.offers else self._without_offers(state)


class _CatanDepthFirstAgent(_OffersOnRequest, DepthFirstAgent):
    """A depth-first search of samples of what it can't see."""

    def default_depth(self, game: Game) -> int:
        """Look two plies ahead."""
        return 2


class CatanMinimaxAgent(_CatanDepthFirstAgent, MinimaxAgent):
    """Minimax for two players: every line of play to a fixed depth, chance events by their means."""

    Parameters = CatanMinimaxParameters


class CatanAlphaBetaAgent(_CatanDepthFirstAgent, AlphaBetaAgent):
    """Alpha-beta for two players: the moves of minimax, with lines left out that can't matter."""

    Parameters = CatanAlphaBetaParameters


class CatanExpectiminimaxAgent(_CatanDepthFirstAgent, ExpectiminimaxAgent):
    """Expectiminimax: alpha-beta that prunes at chance nodes, too; the others all play against it."""

    Parameters = CatanExpectiminimaxParameters


class CatanParanoidAgent(_CatanDepthFirstAgent, ParanoidAgent):
    """Paranoid search: alpha-beta, the others all play against it."""

    Parameters = CatanAlphaBetaParameters


class CatanMaxNAgent(_CatanDepthFirstAgent, MaxNAgent):
    """Max^n: each player maximises the own value."""

    Parameters = CatanMaxNParameters


class CatanBestReplyAgent(_CatanDepthFirstAgent, BestReplyAgent):
    """Best-reply search: only one opponent at a time plays against it."""

    Parameters = CatanAlphaBetaParameters


class CatanOneStepAgent(_OffersOnRequest, OneStepAgent):
    """Takes the action after which the evaluator gives it most, chance by its mean; one of equals at random."""

    Parameters = CatanOneStepParameters


class TreeAgent(_CatanDepthFirstAgent):
    """Expectiminimax over the linear evaluation of `value` (Skoric 2022): dice, thefts and drawn cards expanded."""

    name = "tree"
    Parameters = TreeParameters
    method = EXPECTIMINIMAX

    def _evaluator(self, game: Game) -> Linear:
        return tree_evaluation(self.parameters)


# --- playouts without a tree ---------------------------------------------------------------------------------------


class CatanFlatMonteCarloAgent(_OffersOnRequest, FlatMonteCarloAgent):
    """Flat Monte Carlo: as many playouts for each action, and the best mean."""

    Parameters = CatanFlatMonteCarloParameters


class CatanRandomSearchAgent(_OffersOnRequest, RandomSearchAgent):
    """Random search: plans at random, and the first action of the best."""

    Parameters = CatanRandomSearchParameters


class CatanRollingHorizonAgent(_OffersOnRequest, RollingHorizonAgent):
    """Rolling horizon evolution: plans bettered by evolution, and the first action of the best."""

    Parameters = CatanRollingHorizonParameters


# --- Monte Carlo tree search ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CatanUCTParameters(UCTParameters):
    """Budget, formula and reward of UCT; the defaults are those of Paz and Rubin (2016) but for honest play."""

    c: float = option(1.0, low=0.0, meaning="constant of the selection formula (C_p)")
    formula: str = with_default(UCTParameters, "formula", "uct")
    reward: str = with_default(UCTParameters, "reward", "thesis")
    playouts: str = with_default(UCTParameters, "playouts", "simple")
    estimate: str = with_default(UCTParameters, "estimate", "none")
    loop: str = option(
        "open",
        choices=LOOPS,
        meaning="closed: nodes are states and chance nodes explicit, open: nodes are sequences of actions (Perez et al."
        " 2015); auto: closed where the state is known and chance is explicit",
    )
    offers: bool = option(False, meaning="whether it makes offers to other players")


@dataclass(frozen=True)
class CatanMCTSParameters(CatanUCTParameters):
    """The same with the greedy tree policy: no exploration, new nodes valued by a quick estimate."""

    c: float = option(0.0, low=0.0, meaning="constant of the selection formula; 0: the greedy tree policy")
    estimate: str = with_default(UCTParameters, "estimate", "potential")


class CatanUCTAgent(_OffersOnRequest, UCTAgent):
    """UCT as Paz and Rubin (2016) play Catan with it: playouts by `simple`, rewarded with points and an early win.

    It is honest unless told to cheat: every simulation starts from another sample of what it can't see.
    """

    Parameters = CatanUCTParameters


class CatanMCTSAgent(CatanUCTAgent):
    """MCTS as Paz and Rubin (2016) first play Catan with it: the greedy tree policy, quick estimates of new nodes."""

    name = "mcts"
    Parameters = CatanMCTSParameters


@dataclass(frozen=True)
class CatanStrongParameters(CatanUCTParameters):
    """Budget and techniques of the strongest search."""

    c: float = option(0.5, low=0.0, meaning="constant of the selection formula")
    formula: str = with_default(UCTParameters, "formula", "puct")
    prior: str = with_default(UCTParameters, "prior", "learned")
    reward: str = with_default(UCTParameters, "reward", "unit")
    playouts: str = with_default(UCTParameters, "playouts", "learned")
    cutoff: int | None = with_default(UCTParameters, "cutoff", 24)
    evaluation: str = with_default(UCTParameters, "evaluation", "chances")
    early: bool = with_default(UCTParameters, "early", True)
    offers: bool = with_default(CatanUCTParameters, "offers", True)
    counters: bool = option(False, meaning="whether it makes counter-offers where both sides gain by them")


class CatanStrongAgent(CatanUCTAgent):
    """A strong search for Catan: PUCT with the learned `value` as its prior and in playouts, which a network values.

    Whoever plays well one step ahead is bettered by games that it plays on from each choice (Tesauro, Galperin 1996),
    and these can be broken off where a network tells how likely each player is to win (Lorentz 2008); the tree turns to
    what looks good by the prior (Rosin 2011; Silver et al. 2016).
    """

    name = "strong"
    Parameters = CatanStrongParameters

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position; in place of a rejection, make a counter-offer by which both sides gain."""
        analysis = super().analyse(view, budget)
        return countering(analysis, view) if self.parameters.counters else analysis

    def prepare(self, game: Game) -> None:
        """Compile also what makes counter-offers."""
        super().prepare(game)
        if self.parameters.counters:
            answer_as_trader(game.start(), stream(0))


class JSettlersAgent(JSettlersRobot):
    """A robot of JSettlers: builds what it plans by the speed of its dice rolls, trades with all, never searches."""

    name = "jsettlers"
