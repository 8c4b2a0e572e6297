"""Catan: the agents of Skoric (FER 2022) that evaluate: one step ahead, and by expectiminimax."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.ensemble import SCRIPT, Ensemble
from oponente.agents.view import View
from oponente.games.catan.linear import SEATS, Linear, corrected, linear
from oponente.games.catan.network import Network, network
from oponente.games.catan.networks import NeuralParameters, read_network
from oponente.games.catan.onestep import choose_action
from oponente.games.catan.trader import Trader, trader
from oponente.games.catan.weights import LinearParameters
from oponente.kernel import Game, Stream, option
from oponente.kernel.arrays import Arrays
from oponente.kernel.memory import private_zeros
from oponente.search.analysis import Analysis, MoveAnalysis
from oponente.search.methods import ORDERS, STARS


class OneStepEnsemble(Ensemble):
    """Plays games between agents of one kind that look one step ahead, each with an evaluation of its own."""

    def __init__(self, agents: Sequence[Agent], game: Game) -> None:
        self._agents = [cast(OneStepPlayer, agent) for agent in agents]
        self._policies: dict[tuple[int, ...], Any] = {}

    def policy(self, seating: Sequence[int]) -> Any:
        """Return the policy for a seating."""
        key = tuple(seating)
        if key not in self._policies:
            agents = [self._agents[number] for number in key]
            self._policies[key] = agents[0].seated([*agents, *agents[:1] * (SEATS - len(agents))])
        return self._policies[key]


class ValueEnsemble(OneStepEnsemble):
    """Plays games between agents with linear evaluations."""


class NeuralEnsemble(OneStepEnsemble):
    """Plays games between agents with networks."""


class OneStepPlayer(SearchAgent):
    """Takes the action after which the own evaluation is greatest; a subclass says which evaluation.

    It makes no offers and rejects all, unless the policy by its evaluation has a ``chosen_of`` of its own.
    """

    native = True

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._evaluation: Any = None
        self._stream: Stream | None = None
        self._actions: Any = np.zeros(0, np.int32)
        self._values: Any = np.zeros(0)

    @classmethod
    @abstractmethod
    def seated(cls, agents: Sequence[Any]) -> Any:
        """Return the evaluation, which is its policy as well, of agents of this class, one for each of four seats."""

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the stream of the game before."""
        self._stream = None

    def choose(self, view: View, budget: Budget) -> int:
        """Look one step ahead. The stream that decides between equals goes on through the whole game."""
        return self._weighed(view)[1]

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Return what each action is worth. Offers, answers, and what is the only thing to do, have no value.

        A counter-offer that is made is not among the moves, since none is listed. What the players can expect is not
        told: an action is worth something to who takes it, and is not compared with what others may do.
        """
        count, chosen = self._weighed(view)
        moves = tuple(
            MoveAnalysis(int(action), None if np.isnan(value) else float(value))
            for action, value in zip(self._actions[:count], self._values[:count], strict=True)
        )
        return Analysis(chosen, moves=moves, principal_variation=(chosen,), nodes=count, depth=1)

    def _weighed(self, view: View) -> tuple[int, int]:
        """Weigh all actions; return how many there are, and the best."""
        if self._stream is None:
            self._stream = view.stream(SCRIPT)
        game = view.game
        if self._evaluation is None:
            self._evaluation = self.seated([self] * SEATS)
        if self._actions.size != game.max_actions:
            self._actions = private_zeros(game.max_actions, np.dtype(np.int32))
            self._values = private_zeros(game.max_actions, np.dtype(np.float64))
        state = view.position_for(self._evaluation)
        choose = game.bound(
            choose_action, self._evaluation, lambda: (state.array, self._stream, self._actions, self._values)
        )
        count, chosen = choose(state.array, self._stream, self._actions, self._values)
        return int(count), int(chosen)

    def prepare(self, game: Game) -> None:
        """Compile the policy."""
        self.choose(View(game.start(), 0), Budget())
        self._stream = None


@dataclass(frozen=True)
class ValueParameters(LinearParameters):
    """The weights of the linear evaluation, and whether the agent trades with players."""

    trades: bool = option(
        False, meaning="whether it offers, answers and counters trades with players, by what both sides gain"
    )


class ValuePlayer(OneStepPlayer):
    """Takes the action after which the linear evaluation is greatest, chance by its mean; one of equals at random."""

    Parameters: ClassVar[type] = ValueParameters
    ensemble = ValueEnsemble

    @classmethod
    def seated(cls, agents: Sequence[Any]) -> Linear | Trader:
        """Return the linear evaluation with each agent's weights; if one of them trades, as what trades by it."""
        evaluation = linear(*(agent.parameters.effective for agent in agents))
        trades = [agent.parameters.trades for agent in agents]
        return trader(evaluation, trades) if any(trades) else evaluation


class NeuralPlayer(OneStepPlayer):
    """Takes the action after which a small neural network's output is greatest; one of equals at random."""

    Parameters: ClassVar[type] = NeuralParameters
    ensemble = NeuralEnsemble
    tuning_network = "network"

    def network_arrays(self) -> Arrays:
        """Return the network, for its evolution (:mod:`oponente.learn.network_space`)."""
        return read_network(self.parameters.network)

    @classmethod
    def seated(cls, agents: Sequence[Any]) -> Network:
        """Return the evaluation by each agent's network."""
        return network(*(read_network(agent.parameters.network) for agent in agents))

    def check(self, game: Game) -> None:
        """Refuse files that hold no network."""
        read_network(self.parameters.network)


# --- tree search -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TreeLimits:
    """Limits of the tree search, and what it does about chance and hidden information."""

    depth: int | None = option(3, low=1, high=20, meaning="plies to look ahead; none: nodes or time decide")
    nodes: int | None = option(
        None, low=1, high=2**62, log=True, meaning="nodes to expand at most (deepens ply by ply)"
    )
    time: float | None = option(
        None, low=0.001, high=1e6, log=True, meaning="seconds for a decision (deepens ply by ply)"
    )
    cutoff: float = option(
        0.0, low=0.0, high=1.0, meaning="least probability, from the root on, of a position that is searched further"
    )
    chance: str = option(
        "free",
        choices=("ply", "free"),
        meaning="whether a chance event is a ply, or free: not cut off before it, if 1 in 10,000 or likelier",
    )
    samples: int = option(
        1, low=1, high=10_000, log=True, meaning="samples of what is hidden that are searched to each depth"
    )
    cheat: bool = option(False, meaning="search the true state, hidden parts included")
    order: str = option(
        "history", choices=tuple(ORDERS), meaning="order of actions: listed, history (and killers), evaluation"
    )
    table: float = option(
        16.0, low=0.0, high=65536.0, log=True, meaning="size of the transposition table in MiB; 0: none"
    )
    star: str = option("none", choices=tuple(STARS), meaning="pruning at chance nodes")
    offers: bool = option(False, meaning="whether it makes offers to other players")


@dataclass(frozen=True)
class TreeParameters(LinearParameters, TreeLimits):
    """The same, and the weights of the evaluation at the horizon."""


def tree_evaluation(parameters: TreeParameters) -> Linear:
    """Return the evaluation of the tree search: opponents' weights that are positive count as -10."""
    return linear(corrected(parameters.effective))
