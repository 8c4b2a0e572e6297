"""What an agent is: something that chooses an action from a view of the game, within a budget."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from oponente.agents.view import View
from oponente.kernel import Control, Game, State, changed
from oponente.search.analysis import Analysis, TreeShape


@dataclass(frozen=True)
class NoParameters:
    """The parameters of an agent that has none."""


@dataclass
class Budget:
    """How much an agent may think about one decision. None means no limit from here; agents have limits of their own.

    A budget also carries the stop flag: the thread that started the agent stops it through ``control.stop()``.
    """

    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    control: Control = field(default_factory=Control)

    def limited(
        self,
        *,
        iterations: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
    ) -> Budget:
        """Return the tighter of this budget and the given limits, with the clock started now."""
        budget = Budget(
            _tighter(self.iterations, iterations),
            _tighter(self.nodes, nodes),
            _tighter(self.depth, depth),
            _tighter(self.seconds, seconds),
            self.control,
        )
        budget.control.start(budget.seconds)
        return budget


def _tighter(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else min(a, b)


class AgentError(Exception):
    """An agent can't go on, or gives up; the message is one line that says why, to be read after the agent's name."""


class Agent(ABC):
    """Chooses actions. One instance serves one seat of one game at a time; all chance it needs comes from the view's
    seed.

    A subclass sets `name`, may set the other class variables, and defines :meth:`choose` (a :class:`SearchAgent`:
    `analyse`).
    """

    name: ClassVar[str]
    """The word that selects the agent in specs."""
    Parameters: ClassVar[type] = NoParameters
    """Frozen dataclass of the parameters, declared with :func:`oponente.kernel.option`."""
    required: ClassVar[tuple[str, ...]] = ()
    """Parameters that must be given."""
    native: bool = False
    """Whether nearly all its work is done in kernels, without the interpreter lock (such agents run on threads)."""
    ensemble: ClassVar[Any] = None
    """Class of ensembles: agents that all have this same one play their games in one kernel. None: each is asked."""

    def __init__(self, parameters: Any = None) -> None:
        self.parameters: Any = self.Parameters() if parameters is None else parameters

    @abstractmethod
    def choose(self, view: View, budget: Budget) -> int:
        """Return a legal action for the seat of `view`, which is to move."""

    @property
    def spec(self) -> str:
        """The text that makes an equal agent: the name, and the parameters that differ from their defaults."""
        values = ",".join(f"{key}={quote(value)}" for key, value in changed(self.parameters).items())
        return f"{self.name}:{values}" if values else self.name

    @property
    def reproducible(self) -> bool:
        """Whether the same seed gives the same choice on every machine; false for agents that look at the clock."""
        return getattr(self.parameters, "time", None) is None

    def idle(self) -> Mapping[str, str]:
        """Return the parameters that change nothing beside the values of the others, each with what it would take."""
        return {}

    def check(self, game: Game) -> None:
        """Raise ValueError, with one line that says why, if the agent can't play `game`."""

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before: a new one begins, in which the agent has the given seat.

        What an agent keeps between decisions must not outlive its game, or results would depend on which games the same
        worker played before.
        """

    def end_game(self, returns: Sequence[float], reason: str) -> None:
        """Hear how the game has ended; not called for games that are broken off and count for nothing.

        Args:
            returns: the utility of each seat.
            reason: why it has ended, if not by its rules, else empty.
        """

    def prepare(self, game: Game) -> None:
        """Do what takes long once (compile kernels, load files), before a clock runs."""

    def close(self) -> None:
        """Give back what the agent holds (processes, files)."""

    def __repr__(self) -> str:
        return f"<Agent {self.spec}>"


class SearchAgent(Agent):
    """An agent that can explain itself: it chooses what its analysis chooses."""

    last_analysis: Analysis | None = None
    """What it thought at its last decision."""
    tree_shape: TreeShape | None = None
    """How much of the search tree analyses hold (:attr:`~oponente.search.analysis.Analysis.tree`); None: nothing, which
    costs nothing. What is chosen must not depend on it."""

    def choose(self, view: View, budget: Budget) -> int:
        """Return the action that :meth:`analyse` chooses."""
        self.last_analysis = self.analyse(view, budget)
        return self.last_analysis.action

    def searched(self, state: State) -> State:
        """Return the position in which the agent searches, given one that it may know.

        The agents of a game may leave out actions that they don't consider, by giving the same position another game.
        """
        return state

    @abstractmethod
    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Return what the agent thinks of the position, the chosen action included."""

    def findings(self, view: View, analysis: Analysis) -> dict[str, Any]:
        """Return the analysis as plain values for a list of results, in the agent's own terms.

        An agent whose findings are exact gives them the names under which lists of solved positions hold theirs.
        """
        return {
            "action": view.action_text(analysis.action),
            "values": list(analysis.values),
            "moves_analysed": [
                {"move": view.action_text(move.action), "value": move.value, "visits": move.visits}
                for move in analysis.moves
            ],
            "nodes": analysis.nodes,
            "depth": analysis.depth,
        }


def refuse_idle(agent: Agent) -> None:
    """Raise ValueError, with one line, if a parameter of an agent is not at its default and would change nothing."""
    given = changed(agent.parameters)
    for name, needed in agent.idle().items():
        if name in given:
            raise ValueError(f"{agent.name}: {name} changes nothing without {needed}")


def quote(text: str) -> str:
    """Return a value as specs have it: in double quotes if it holds signs that mean something there."""
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',:" =') or not text else text
