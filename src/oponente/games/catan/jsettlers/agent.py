"""The robots as an agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.games.catan.jsettlers.memory import FAST, SMART, new_memory
from oponente.games.catan.jsettlers.policy import new_policy
from oponente.games.catan.moves import ACCEPT, END_TURN, OFFER, REJECT, offered
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
        self._listener = Listener(0)

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before."""
        self._begun = False

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the robot does."""
        if not self._begun:
            self._begun = True
            self._memory[:] = new_memory(self._strategy(view))
            self._listener = Listener(view.game.num_players)
        self._listener.listen(view.history, self._memory[0].selling)
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


class Listener:
    """Hears what players offer and refuse, and concludes who sells what.

    Args:
        players: how many play.
    """

    def __init__(self, players: int) -> None:
        self._players = players
        self._heard = 0
        self._mover = 0
        self._offer = 0
        self._answers: list[int] = []  # who has not answered the offer yet

    def listen(self, history: Sequence[int], selling: Any) -> None:
        """Take in what has happened since the last time.

        Args:
            history: all actions.
            selling: uint8, (4, 5): whether a player sells a resource, is changed.
        """
        for action in history[self._heard :]:
            if action == END_TURN:
                self._mover = (self._mover + 1) % self._players
                self._answers = []
            elif self._answers and (action >= OFFER or action in (ACCEPT, REJECT)):
                self._answer(self._answers.pop(0), action, selling)
            elif action >= OFFER:
                self._offer = action
                self._answers = [seat for seat in range(self._players) if seat != self._mover]
                self._note(self._mover, action, selling)
        self._heard = len(history)

    def _answer(self, seat: int, action: int, selling: Any) -> None:
        if action == REJECT:
            for resource, count in enumerate(offered(self._offer)[1]):
                if count:
                    selling[seat, resource] = 0
        elif action >= OFFER:
            self._note(seat, action, selling)

    @staticmethod
    def _note(seat: int, offer: int, selling: Any) -> None:
        """Note that a player sells what it offers, and not what it asks for."""
        for resource, (given, wanted) in enumerate(zip(*offered(offer), strict=True)):
            if given:
                selling[seat, resource] = 1
            elif wanted:
                selling[seat, resource] = 0
