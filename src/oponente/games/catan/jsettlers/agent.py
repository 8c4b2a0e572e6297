"""The robots as an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.games.catan.jsettlers.memory import FAST, SMART, new_memory
from oponente.games.catan.jsettlers.policy import new_policy
from oponente.kernel import Game, option, random_unit

SMART_SHARE = 0.72
"""Of the robots on a server in the games that they were observed in."""


@dataclass(frozen=True)
class JSettlersParameters:
    """Which robot."""

    strategy: str = option(
        "mixed",
        choices=("smart", "fast", "mixed"),
        meaning="smart, fast, or one of them by chance in each game: smart with a probability of 0.72, as on servers",
    )


class JSettlersRobot(Agent):
    """A robot of JSettlers: builds what it plans by the speed of its dice rolls, trades with all, never searches."""

    Parameters = JSettlersParameters
    native = True

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._memory = new_memory(SMART)
        self._policy = new_policy(self._memory)
        self._begun = False

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before."""
        self._begun = False

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the robot does."""
        if not self._begun:
            self._begun = True
            self._memory[:] = new_memory(self._strategy(view))
        return view.policy_action(self._policy, view.stream("robot"))

    def prepare(self, game: Game) -> None:
        """Compile the robot."""
        self.choose(View(game.start(), 0), Budget())
        self._begun = False

    def _strategy(self, view: View) -> int:
        name = self.parameters.strategy
        if name == "mixed":
            return SMART if random_unit(view.stream("strategy")) < SMART_SHARE else FAST
        return SMART if name == "smart" else FAST
