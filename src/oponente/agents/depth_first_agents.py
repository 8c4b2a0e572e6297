"""The depth-first searches as agents (:mod:`oponente.search.methods`), and the agent that looks one action ahead."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from oponente.agents.base import Budget, SearchAgent, refuse_idle
from oponente.agents.named import choose_by_name
from oponente.agents.view import View
from oponente.kernel import Game, State, option, with_default
from oponente.search.analysis import Analysis
from oponente.search.deepening import MAX_DEPTH, DepthFirstSearch
from oponente.search.methods import (
    ALPHABETA,
    BEST_REPLY_SEARCH,
    EXPECTIMINIMAX,
    MAX_N,
    MINIMAX,
    ORDERS,
    PARANOID_SEARCH,
    STARS,
    Method,
)
from oponente.search.network_files import evaluation_text

DEFAULT_DEPTH, DEFAULT_DEPTH_WITH_CHANCE = 6, 3
"""Where nothing else limits a search."""


@dataclass(frozen=True)
class DepthParameters:
    """Limits and evaluation of a depth-first search, and what it does about chance and hidden information."""

    depth: int | None = option(
        None,
        low=1,
        high=MAX_DEPTH,
        log=True,
        meaning="plies to look ahead; if there is no other limit 6, with chance 3",
    )
    nodes: int | None = option(
        None, low=1, high=2**62, log=True, meaning="nodes to expand at most (deepens ply by ply)"
    )
    time: float | None = option(
        None, low=0.001, high=1e6, log=True, meaning="seconds for a decision (deepens ply by ply)"
    )
    evaluation: str = option(
        "default",
        given=evaluation_text,
        meaning="evaluator at the horizon: default (the game's own), outcome, a name, or a file of a network",
    )
    chance: str = option(
        "ply",
        choices=("ply", "free"),
        meaning="whether a chance event is a ply, or free: not cut off before it, if 1 in 10,000 or likelier",
    )
    samples: int = option(
        4,
        low=1,
        high=10_000,
        log=True,
        meaning="samples of what is hidden that are searched to each depth (if anything is)",
    )
    cheat: bool = option(False, meaning="search the true state, hidden parts included")


@dataclass(frozen=True)
class MinimaxParameters(DepthParameters):
    """The same, and what is maximised."""

    objective: str = option(
        "own", choices=("own", "lead"), meaning="what is maximised: the own value, or the lead over the best other's"
    )


@dataclass(frozen=True)
class AlphaBetaParameters(MinimaxParameters):
    """The same, and what makes pruning better."""

    order: str = option(
        "history", choices=tuple(ORDERS), meaning="order of actions: listed, history (and killers), evaluation"
    )
    table: float = option(
        16.0, low=0.0, high=65536.0, log=True, meaning="size of the transposition table in MiB; 0: none"
    )
    aspiration: float | None = option(
        None, low=0.0, meaning="half the width of the window around the last depth's value; none: no window"
    )
    star: str = option("star1", choices=tuple(STARS), meaning="pruning at chance nodes (if the evaluator has bounds)")


@dataclass(frozen=True)
class ExpectiminimaxParameters(AlphaBetaParameters):
    """The same, with more pruning at chance nodes and the probability cut-off."""

    star: str = with_default(AlphaBetaParameters, "star", "star2")
    cutoff: float = option(
        0.0, low=0.0, high=1.0, meaning="least probability, from the root on, of a position that is searched further"
    )


@dataclass(frozen=True)
class MaxNParameters(DepthParameters):
    """Limits and evaluation of max^n."""

    prune: bool = option(True, meaning="shallow pruning (if the evaluator has bounds)")
    table: float = option(
        16.0, low=0.0, high=65536.0, log=True, meaning="size of the transposition table in MiB; 0: none"
    )


class DepthFirstAgent(SearchAgent):
    """What the depth-first searches have in common; a subclass names the method."""

    Parameters: ClassVar[type] = DepthParameters
    native = True
    method: ClassVar[Method]
    max_players: ClassVar[int | None] = None
    """How many players the method is for at most; None: any number."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._search: DepthFirstSearch | None = None

    def idle(self) -> dict[str, str]:
        """Return what is not used where nothing is hidden from the search."""
        return {"samples": "cheat=false"} if self.parameters.cheat else {}

    def check(self, game: Game) -> None:
        """Refuse games with too many players, and evaluators that the game does not have."""
        if self.max_players is not None and game.num_players > self.max_players:
            raise ValueError(
                f"{self.name} plays games for two; {game.name} has {game.num_players} players here: "
                "take paranoid, maxn, best-reply or expectiminimax"
            )
        refuse_idle(self)
        if getattr(self.parameters, "aspiration", None) is not None and self.sample_count(game) > 1:
            raise ValueError(
                f"{self.name}: aspiration changes nothing where several samples are searched, since the value of every"
                f" action is wanted; for {game.name} give samples=1"
            )
        self._evaluator(game)

    def prepare(self, game: Game) -> None:
        """Compile the search."""
        state = game.first_decision()
        self.search_for(self.searched(state)).search(self.searched(state), depth=1)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search the position as deep as the parameters and the budget allow."""
        limits = self.limits(view)
        budget = budget.limited(nodes=limits.nodes, depth=limits.depth, seconds=limits.time)
        depth = budget.depth
        if depth is None and budget.nodes is None and budget.seconds is None:
            depth = self.default_depth(view.game)
        samples = self.samples(view)
        return self.search_for(samples[0]).search(
            samples, depth=depth, nodes=budget.nodes, control=budget.control, shape=self.tree_shape
        )

    def samples(self, view: View) -> list[State]:
        """Return the positions to search: what might be, or what is."""
        if self.parameters.cheat:
            return [self.searched(view.true_state())]
        count = self.sample_count(view.game)
        return [self.searched(view.determinize(view.stream(self.name, i))) for i in range(count)]

    def sample_count(self, game: Game) -> int:
        """Return how many positions are searched for a decision: several only where something is hidden or drawn."""
        certain = self.parameters.cheat or (game.perfect_information and not game.sampled_chance)
        return 1 if certain else int(self.parameters.samples)

    def default_depth(self, game: Game) -> int:
        """Return how many plies to look ahead where nothing limits the search."""
        return DEFAULT_DEPTH_WITH_CHANCE if game.max_chance else DEFAULT_DEPTH

    def limits(self, view: View) -> Any:
        """Return the parameters for this decision; subclasses may let them depend on the position."""
        return self.parameters

    def search_for(self, state: State) -> DepthFirstSearch:
        """Return the search for positions of the state's game, whose memory is kept between decisions."""
        if self._search is None or self._search.game is not state.game:
            self._search = DepthFirstSearch(self._configured(), self._evaluator(state.game), state.game)
        return self._search

    def _configured(self) -> Method:
        """Return the method as the parameters have it."""
        p = self.parameters
        changes = {
            field.name: getattr(p, field.name)
            for field in dataclasses.fields(Method)
            if field.name != "rule" and hasattr(p, field.name)
        }
        margin = getattr(p, "objective", "own") == "lead"
        return dataclasses.replace(self.method, **changes, free_chance=p.chance == "free", margin=margin)

    def _evaluator(self, game: Game) -> Any:
        return choose_by_name(game, game.evaluators, self.parameters.evaluation, "evaluator")


class MinimaxAgent(DepthFirstAgent):
    """Minimax for two players: every line of play to a fixed depth, chance events by their means."""

    name = "minimax"
    Parameters = MinimaxParameters
    method = MINIMAX
    max_players = 2


class AlphaBetaAgent(DepthFirstAgent):
    """Alpha-beta for two players: the moves of minimax, with lines left out that can't matter."""

    name = "alphabeta"
    Parameters = AlphaBetaParameters
    method = ALPHABETA
    max_players = 2


class ExpectiminimaxAgent(DepthFirstAgent):
    """Expectiminimax: alpha-beta that prunes at chance nodes, too; any number of players, the others all against it."""

    name = "expectiminimax"
    Parameters = ExpectiminimaxParameters
    method = EXPECTIMINIMAX


class ParanoidAgent(DepthFirstAgent):
    """Paranoid search: alpha-beta for any number of players, the others all against it."""

    name = "paranoid"
    Parameters = AlphaBetaParameters
    method = PARANOID_SEARCH


class MaxNAgent(DepthFirstAgent):
    """Max^n: any number of players, each of whom maximises the own value."""

    name = "maxn"
    Parameters = MaxNParameters
    method = MAX_N


class BestReplyAgent(DepthFirstAgent):
    """Best-reply search: any number of players, of whom only one at a time plays against it."""

    name = "best-reply"
    Parameters = AlphaBetaParameters
    method = BEST_REPLY_SEARCH


# --- one action ahead ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneStepParameters:
    """Evaluation of an agent that looks one action ahead."""

    evaluation: str = option(
        "default",
        given=evaluation_text,
        meaning="evaluator after the action: default (the game's own), outcome, a name, or a file of a network",
    )
    samples: int = option(
        4, low=1, high=10_000, log=True, meaning="samples of what is hidden that count (if anything is)"
    )
    cheat: bool = option(False, meaning="look at the true state, hidden parts included")


class OneStepAgent(DepthFirstAgent):
    """Takes the action after which the evaluator gives it most, chance by its mean; one of equals at random."""

    name = "one-step"
    Parameters = OneStepParameters
    method = dataclasses.replace(MINIMAX, free_chance=True)

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Look at every action."""
        budget = budget.limited()
        samples = self.samples(view)
        return self.search_for(samples[0]).search(
            samples,
            depth=1,
            nodes=budget.nodes,
            control=budget.control,
            shape=self.tree_shape,
            ties=view.stream("equals"),
        )

    def _configured(self) -> Method:
        return self.method
