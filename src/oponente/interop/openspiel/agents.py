"""OpenSpiel's bots as agents: ``openspiel:mcts:1000``, ``openspiel:uniform_random``.

They play games of perfect information: Connect Four and tic-tac-toe in OpenSpiel's own C++ versions where the options
are the usual ones, all others through :mod:`oponente.interop.openspiel.games`, which is much slower.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.agents.base import Agent, Budget
from oponente.agents.view import View
from oponente.games.catalogue import is_built_in
from oponente.interop.environments.numbering import ActionNumbers
from oponente.kernel import Game, RulesError, derive_seed, option

NATIVE = {"connect4": "connect_four", "tictactoe": "tic_tac_toe"}
"""OpenSpiel's own versions, whose actions have the same numbers as ours."""
MCTS = "mcts"


@dataclass(frozen=True)
class OpenSpielParameters:
    """Which bot, and the budget of its search."""

    bot: str = option(MCTS, meaning="mcts, or a bot that OpenSpiel has registered, such as uniform_random")
    simulations: int = option(1000, low=1, high=10**9, log=True, meaning="simulations of mcts for a decision")
    rollouts: int = option(1, low=1, high=10**6, log=True, meaning="random games of mcts at each new node")
    c: float = option(2.0, low=0.0, meaning="constant of the selection formula of mcts")
    solve: bool = option(False, meaning="whether mcts marks positions that it has solved")


class OpenSpielAgent(Agent):
    """A bot of OpenSpiel's (Apache-2.0), which must be installed: its MCTS in C++, or any that it has registered."""

    name = "openspiel"
    Parameters = OpenSpielParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._games: tuple[Game, Any] | None = None  # the one that was played last, as ours and as OpenSpiel's

    def check(self, game: Game) -> None:
        """Refuse games that hide something, or that OpenSpiel can't have."""
        if not game.perfect_information or game.sampled_chance:
            raise ValueError(f"openspiel plays games of perfect information with explicit chance; {game.name} is none")
        if not _is_native(game):
            try:
                ActionNumbers(game)
            except RulesError as error:
                raise ValueError(str(error)) from None
        if importlib.util.find_spec("pyspiel") is None:
            raise ValueError("agent openspiel needs OpenSpiel: pip install open_spiel")
        bot = self.parameters.bot
        if bot == MCTS:
            return
        known = sorted(_pyspiel().registered_bots())
        if bot not in known:
            raise ValueError(f"OpenSpiel has no bot {bot!r}; it has {MCTS}, {', '.join(known)}")

    def prepare(self, game: Game) -> None:
        """Load the game."""
        self._loaded(game)

    def _loaded(self, game: Game) -> Any:
        """Return the game as OpenSpiel has it."""
        if self._games is None or self._games[0] is not game:
            self._games = game, _load(game)
        return self._games[1]

    def choose(self, view: View, budget: Budget) -> int:
        """Ask a new bot, seeded for this decision."""
        pyspiel = _pyspiel()
        game = self._loaded(view.game)
        state = game.new_initial_state()
        if hasattr(state, "ours"):
            # Start positions differ, where they are drawn.
            state.place(view.true_state())
        else:
            for action in view.history:
                state.apply_action(action)
        p, seed = self.parameters, derive_seed(view.seed, "openspiel") >> 33
        if p.bot == MCTS and hasattr(state, "ours"):
            bot = self._python_mcts(game, seed)
        elif p.bot == MCTS:
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=p.rollouts, seed=seed)
            bot = pyspiel.MCTSBot(
                game, evaluator, p.c, p.simulations, 1000, p.solve, seed, False, pyspiel.ChildSelectionPolicy.UCT
            )
        else:
            bot = pyspiel.load_bot(p.bot, game, view.seat)
        return self._number(state, bot.step(state))

    def _python_mcts(self, game: Any, seed: int) -> Any:
        """Return OpenSpiel's MCTS in Python: the one in C++ crashes on games in Python."""
        from open_spiel.python.algorithms import mcts

        p, random = self.parameters, np.random.RandomState(seed % 2**32)
        evaluator = mcts.RandomRolloutEvaluator(p.rollouts, random)
        return mcts.MCTSBot(game, p.c, p.simulations, evaluator, p.solve, random)

    @property
    def reproducible(self) -> bool:
        """Only the search is seeded."""
        return bool(self.parameters.bot == MCTS)

    def _number(self, state: Any, place: int) -> int:
        return int(state.get_game().numbers.numbers[place]) if hasattr(state, "ours") else int(place)


def _is_native(game: Game) -> bool:
    """Return whether OpenSpiel has the same game in C++."""
    return game.name in NATIVE and is_built_in(game) and not game.changed_options


def _load(game: Game) -> Any:
    if _is_native(game):
        return _pyspiel().load_game(NATIVE[game.name])
    from oponente.interop.openspiel import games  # late, as what it imports

    return games.as_it_is(game)


def _pyspiel() -> Any:
    import pyspiel  # late: it takes a while, and only who plays with it needs it

    return pyspiel
