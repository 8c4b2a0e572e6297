"""VGDL: the controllers of the framework and of the UFJF thesis.

Sources: D. Perez-Liebana et al., "The 2014 general video game playing competition" (IEEE TCIAIG 2016), the sample
controllers; B. Santos, "Monte Carlo tree search experiments in general video game playing" (UFJF 2017).

They look at the actions of their avatar only, without doing nothing where there is one player, as the framework lists
them; other players act at random. A simulation begins with other random numbers than the game's.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.playout_agents import (
    RandomSearchAgent,
    RandomSearchParameters,
    RollingHorizonAgent,
    RollingHorizonParameters,
)
from oponente.agents.search_agents import UCTAgent, UCTParameters, within
from oponente.agents.view import View
from oponente.games.vgdl.heuristics import OLETS, Scoring, scoring
from oponente.games.vgdl.knowledge import Knowledge, forget, learn, new_knowledge
from oponente.games.vgdl.playouts import OPPOSITES, TRAIL, no_habits, no_trail
from oponente.games.vgdl.redundancy import found_by_trial
from oponente.kernel import Game, State, derive_seed, option, with_default
from oponente.search.analysis import Analysis
from oponente.search.mcts import MCTS
from oponente.search.mcts.parameters import FORMULAS, OPPONENTS

LENGTH = 10
"""Ticks that the sample controllers look ahead."""
UNDOING = 0.5
"""p of the thesis, equation 5.2."""


def with_nil(game: Game, listed: bool) -> Game:
    """Return the same game in which doing nothing is listed among the actions, or not."""
    if game.options.nil == listed:
        return game
    options = {**game.changed_options, "nil": str(listed).lower()}
    other = Game(game.rules, options, game.text, game.draw, facts=game.facts, kept=True)
    other.evaluators, other.policies = game.evaluators, game.policies
    other.priors, other.beliefs, other.features = game.priors, game.beliefs, game.features
    return other


class _Considering:
    """A controller that considers the actions that the framework lists for it."""

    nil: bool | None = None
    """Whether it considers to do nothing; None: where there are several players."""
    _games: tuple[Game, Game] | None = None
    """The game that was played last, and it with the actions that are considered."""

    def searched(self, state: State) -> State:
        """Return the position in the game with the actions that are considered."""
        game = state.game
        if self._games is None or self._games[0] is not game:
            listed = game.num_players > 1 if self.nil is None else self.nil
            self._games = game, with_nil(game, listed)
        return state if self._games[1] is game else State(self._games[1], state.array, state.history)


# --- tree search ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ControllerParameters(UCTParameters):
    """The sample controller's settings of Monte Carlo tree search."""

    formula: str = option(
        "root2",
        choices=tuple(FORMULAS),
        meaning="exploration term, as in other games; root2 with c = 1 is K = sqrt(2)",
    )
    reward: str = option(
        "score", meaning="worth of a simulation: score (a win adds 10 million), another evaluator, unit, utility, win"
    )
    legality: bool = option(
        False, meaning="N of the formula: how often the action was legal since it is in the tree; false: visits"
    )
    normalise: bool = option(
        True, meaning="scale the means of children to the least and greatest reward of simulations through their parent"
    )
    horizon: int | None = option(
        LENGTH, low=1, high=10**6, log=True, meaning="ticks after which a simulation ends, tree and playout together"
    )
    evaluation: str = option("score", meaning="evaluator of unfinished games")
    evaluation_scale: float | None = option(
        0.0, low=0.0, high=1e9, log=True, meaning="0: evaluations are rewards as they are"
    )
    opponents: str = option(
        "policy",
        choices=OPPONENTS,
        meaning="the other players' actions: policy (drawn, see others), tree (searched, as the own are)",
    )
    others: str = option(
        "random",
        choices=("random", "learned"),
        meaning="how the other players' actions are drawn: random, learned (as often as they took them so far)",
    )
    noise: float = with_default(UCTParameters, "noise", 1e-6)
    final: str = with_default(UCTParameters, "final", "sample")
    ties: str = with_default(UCTParameters, "ties", "random")
    undone: str = option(
        "trial",
        choices=("trial", "fixed"),
        meaning="how actions that undo others are known, for redundancy: found by trial before the first tick, or fixed"
        " (opposite directions)",
    )
    knowledge: int = option(
        0,
        low=0,
        high=10**4,
        log=True,
        meaning="simulations of a decision, at most half, that are random and teach what collisions bring; how near the"
        " avatar is to what brings something is added to evaluations (Soemers et al. 2016); 0: none",
    )


class ControllerAgent(_Considering, UCTAgent):
    """The framework's sample tree search: open-loop UCT, 10 ticks deep, that maximises the score."""

    name = "mcts"
    Parameters = ControllerParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.redundant = 0
        """Actions in the playouts of this game that undid the last one, if they are counted."""
        self._tried = False
        self._playouts = OPPOSITES
        self._knowledge: Knowledge | None = new_knowledge() if self.parameters.knowledge else None

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the tree, which actions undo others, and what collisions bring."""
        super().begin_game(game, seat)
        self.redundant, self._tried = 0, False
        self._playouts = OPPOSITES._replace(habits=no_habits())
        if self._knowledge is not None:
            forget(self._knowledge)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position."""
        p = self.parameters
        if not self._tried and p.undone == "trial" and (p.redundancy is not None or p.count_redundant):
            self._playouts = self._playouts._replace(
                undoes=found_by_trial(view.determinize(view.stream("trial")), view.seat)
            )
        self._tried = True
        if p.others == "learned" and view.game.num_players > 1:
            self._learn(view)
        if self._knowledge is not None:
            budget = self._study(self._knowledge, view, budget)
        analysis = super().analyse(view, budget)
        self.redundant += 0 if self.search is None else self.search.redundant
        return analysis

    def _learn(self, view: View) -> None:
        """Count what the others did in the last tick, which all have seen."""
        record = view.determinize(view.stream("look")).record
        if record.tick >= 0:
            for player in range(view.game.num_players):
                if player != view.seat:
                    self._playouts.habits[player, int(record.last[player])] += 1.0

    def _study(self, knowledge: Knowledge, view: View, budget: Budget) -> Budget:
        """Learn what collisions bring; return what is left to search with."""
        begin = time.perf_counter()
        budget, iterations = within(budget, self.parameters)
        courses = min(self.parameters.knowledge, iterations // 2)
        learn(knowledge, self.world(view), view.seat, courses, view.stream("knowledge"))
        seconds = budget.seconds
        if seconds is not None:
            seconds = max(0.5 * seconds, seconds - (time.perf_counter() - begin))
        return budget.limited(iterations=iterations - courses, seconds=seconds)

    def _policy(self, game: Game) -> Any:
        if self.parameters.playouts == "default":
            return self._playouts
        return super()._policy(game)

    def _new_search(self, game: Game) -> MCTS:
        search = self._without_knowledge(game)
        if self._knowledge is not None:
            evaluator = search.tokens.evaluator
            if not isinstance(evaluator, Scoring):
                raise ValueError(
                    "knowledge adds to what evaluators of unfinished games say that go by the score: there must be a"
                    " horizon or a cutoff, and such an evaluator"
                )
            search.tokens = search.tokens._replace(evaluator=evaluator._replace(knowledge=self._knowledge))
        return search

    def _without_knowledge(self, game: Game) -> MCTS:
        if game.num_players > 1:
            return super()._new_search(game)
        given = self.parameters
        # There are no others, so the tree leaves nothing out.
        self.parameters = replace(given, opponents="tree")
        try:
            return super()._new_search(game)
        finally:
            self.parameters = given


@dataclass(frozen=True)
class RedundancyParameters(ControllerParameters):
    """The same; actions that undo the last are less likely in playouts."""

    redundancy: float | None = option(
        UNDOING,
        low=0.0,
        high=1.0,
        meaning="weight of actions that undo one's last: p of Santos 2017, eq. 5.2; none: the published program, which"
        " for one player never applied its weights",
    )


class RedundancyAgent(ControllerAgent):
    """The thesis's MR: playouts in which actions that undo the last one are less likely."""

    name = "mr"
    Parameters = RedundancyParameters


@dataclass(frozen=True)
class LossAvoidanceParameters(ControllerParameters):
    """The same; what was seen to lose at once is not played."""

    avoid_losses: bool = with_default(UCTParameters, "avoid_losses", True)


class LossAvoidanceAgent(ControllerAgent):
    """The thesis's ND: never plays an action after which a loss was seen, unless all are such."""

    name = "nd"
    Parameters = LossAvoidanceParameters


@dataclass(frozen=True)
class BothParameters(LossAvoidanceParameters, RedundancyParameters):
    """Both."""


class BothAgent(ControllerAgent):
    """The thesis's MR+ND: both."""

    name = "mr+nd"
    Parameters = BothParameters


@dataclass(frozen=True)
class OletsParameters(ControllerParameters):
    """The settings of OLETS: a leaf is evaluated at once, nodes are worth their expectimax, and the part of the tree
    that the game goes on with is kept, its root counted as one simulation.

    Where several play and the others' actions are drawn, they are not in the tree, and none of it is kept.
    """

    reward: str = option("olets", meaning="worth of a simulation: olets, another evaluator, unit, utility, win")
    evaluation: str = with_default(ControllerParameters, "evaluation", "olets")
    normalise: bool = option(False, meaning="scale the means of children to the rewards seen through their parent")
    formula: str = option("plain", choices=tuple(FORMULAS), meaning="exploration term, as in other games")
    c: float = with_default(UCTParameters, "c", math.sqrt(2.0))
    horizon: int | None = option(None, low=1, high=10**6, log=True, meaning="ticks after which a simulation ends")
    cutoff: int | None = option(0, low=0, high=10**6, log=True, meaning="plies of a playout; 0: none is made")
    expectimax: bool = option(True, meaning="open-loop expectimax in place of means")
    wander: float = option(0.05, low=0.0, high=1.0, meaning="share of selections in which any child is taken")
    taboo: float = option(
        0.5, low=0.0, high=1e6, log=True, meaning="what is subtracted where the avatar is at one of its last 15 places"
    )
    reuse: bool | None = with_default(UCTParameters, "reuse", None)
    squash: bool = with_default(UCTParameters, "squash", True)


class OletsAgent(ControllerAgent):
    """OLETS: open-loop expectimax tree search, without playouts (the winner of the competition of 2014)."""

    name = "olets"
    Parameters = OletsParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._evaluator = scoring(OLETS)
        if self._knowledge is not None:
            self._evaluator = self._evaluator._replace(knowledge=self._knowledge)
        self._step = 0

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before, and where the avatar was."""
        super().begin_game(game, seat)
        self._playouts, self._step = self._playouts._replace(trail=no_trail()), 0

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position, and note where the avatar is."""
        record = view.determinize(view.stream("look")).record
        self._evaluator.origin[0] = int(record.tick)
        avatar = record.sprites[int(record.avatar[view.seat])]
        self._playouts.trail[view.seat, self._step % TRAIL] = int(avatar.x), int(avatar.y)
        self._step += 1
        return super().analyse(view, budget)

    def _new_search(self, game: Game) -> MCTS:
        search, p = super()._new_search(game), self.parameters
        own = {"judge": p.reward, "evaluator": p.evaluation}
        search.tokens = search.tokens._replace(
            **{name: self._evaluator for name, wish in own.items() if wish == OletsParameters.evaluation}
        )
        return search


# --- without a tree ------------------------------------------------------------------------------------------------


class RandomControllerAgent(_Considering, Agent):
    """Plays each action that its avatar has with equal probability; doing nothing only where several play."""

    name = "random"
    native = True

    def choose(self, view: View, budget: Budget) -> int:
        """Return a random action."""
        actions = self.searched(view.determinize(view.stream("world"))).legal_actions
        return int(actions[derive_seed(view.seed, "random") % len(actions)])


@dataclass(frozen=True)
class OneStepParameters:
    """What the agent that looks one tick ahead goes by."""

    evaluation: str = option("simple", meaning="evaluator after the tick: simple (score, nearness of portals or NPCs)")


class OneStepAgent(SearchAgent):
    """The framework's sample that looks one tick ahead: plays the action after which the evaluator gives most."""

    name = "one-step"
    Parameters = OneStepParameters
    native = True

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        evaluation = self.parameters.evaluation
        self._tree = ControllerAgent(
            ControllerParameters(reward=evaluation, evaluation=evaluation, normalise=False, horizon=1, final="max")
        )

    def check(self, game: Game) -> None:
        """Refuse evaluators that the game does not have."""
        self._tree.check(game)

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        self._tree.prepare(game)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Try every action once."""
        self._tree.tree_shape = self.tree_shape
        state = self._tree.searched(view.determinize(view.stream("world")))
        return self._tree.analyse(view, budget.limited(iterations=len(state.legal_actions)))


@dataclass(frozen=True)
class SamplePlansParameters(RandomSearchParameters):
    """The sample controller's settings of random search."""

    evaluation: str = option("win-score", meaning="evaluator at the end: win-score (1000 for a win), score, or another")
    replay: bool = with_default(RandomSearchParameters, "replay", False)


class SamplePlansAgent(_Considering, RandomSearchAgent):
    """The framework's sample of random search: random plans of 10 ticks, each played once, doing nothing among the
    actions."""

    name = "rs"
    Parameters = SamplePlansParameters
    nil = True


@dataclass(frozen=True)
class EvolutionParameters(RollingHorizonParameters):
    """The sample controller's settings of rolling horizon evolution."""

    evaluation: str = option("win-score", meaning="evaluator at the end: win-score (1000 for a win), score, or another")
    mutation: float = with_default(RollingHorizonParameters, "mutation", 0.0)
    distinct: bool = with_default(RollingHorizonParameters, "distinct", True)
    replay: bool = with_default(RollingHorizonParameters, "replay", False)
    shift: bool = with_default(RollingHorizonParameters, "shift", False)


class EvolutionAgent(_Considering, RollingHorizonAgent):
    """The framework's sample of rolling horizon evolution: 10 plans of 10 ticks, each played once, the best one
    kept, one gene mutated, tournaments of two different plans."""

    name = "rhea"
    Parameters = EvolutionParameters
    nil = True
