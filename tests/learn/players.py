"""An agent without luck, good and bad, for the tests of learning."""

from __future__ import annotations

from dataclasses import dataclass

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.kernel import option

ORDERS = {
    "usual": (4, 0, 2, 6, 8, 1, 3, 5, 7),
    "level": (0, 6, 7, 8, 2, 1, 5, 4, 3),  # draws with it, whoever begins
    "losing": (5, 6, 7, 4, 3, 0, 8, 1, 2),  # loses to it, whoever begins
    "walk": (1, 2),  # of the coins: takes all of them
    "jump": (2, 1),
}
"""The actions that are liked, the best first."""


@dataclass(frozen=True)
class Parameters:
    plan: str = option("usual", choices=tuple(ORDERS), meaning="which actions it likes")
    taste: float = option(0.5, low=0.0, high=1.0, meaning="changes nothing")


class Fixed(Agent):
    """Takes the action that it likes best."""

    name = "fixed"
    Parameters = Parameters

    def choose(self, view: View, budget: Budget) -> int:
        """Look at nothing but what is legal."""
        return next(action for action in ORDERS[self.parameters.plan] if view.is_legal(action))
