"""Our games as OpenSpiel Python games.

    >>> import pyspiel
    >>> import oponente.interop.openspiel.games
    >>> game = pyspiel.load_game("oponente_connect4", {"columns": "8"})

Importing this module registers every game of the package as ``oponente_NAME``; :func:`register` registers a user's,
``register("nim", "nim.py")``.
The game's options are parameters, as texts; ``seed`` decides what varies between start positions (Catan's board).
Actions are counted from 0 (:mod:`oponente.interop.environments.numbering`), outcomes of chance by their place among the
possible ones. A player observes the game's features.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pyspiel

from oponente.games.catalogue import BUILT_IN, load_game
from oponente.interop.environments.numbering import ActionNumbers
from oponente.kernel import Game, State, declared, stream

LONGEST = 1_000_000
"""Actions and chance outcomes that a game is announced to have at most; there is no such limit."""


class _Held:
    """A state that is copied as one, not field by field, and the numbers of its game's actions."""

    def __init__(self, state: State, numbers: ActionNumbers) -> None:
        self.state, self.numbers = state, numbers

    def __deepcopy__(self, _memo: Any) -> _Held:
        return _Held(self.state.copy(), self.numbers)


def game_type(game: Game) -> Any:
    """Return what OpenSpiel knows of a kind of game.

    Raises:
        ValueError: its players move at the same time, or it draws from inside its state.
    """
    if game.simultaneous or game.sampled_chance:
        raise ValueError(f"OpenSpiel wants players in turn and explicit chance; {game.name} has not")
    kinds = pyspiel.GameType
    low, high = game.utility
    return kinds(
        short_name=f"oponente_{game.name}",
        long_name=f"oponente's {game.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.max_chance else kinds.ChanceMode.DETERMINISTIC,
        information=(
            kinds.Information.PERFECT_INFORMATION if game.perfect_information
            else kinds.Information.IMPERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM if game.num_players == 2 and low == -high else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=1,
        provides_information_state_string=game.perfect_information,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=bool(game.encoding),
        parameter_specification={
            "seed": 0,
            **{field.name: "" for field in declared(type(game.options))},  # empty: the default
        },
    )  # fmt: skip


class SpielGame(pyspiel.Game):
    """A game of ours with its options.

    Args:
        name: the game's name.
        kind: see :func:`game_type`.
        parameters: ``seed``, and options as texts; empty ones are left at their default.
        file: path of a Python file that holds a user's game; None: it is one of the package.
        rules: the game, if it is loaded already; options and `file` are not looked at then.

    Raises:
        ValueError: an option is wrong.
        RulesError: see :class:`~oponente.interop.environments.numbering.ActionNumbers`.
    """

    def __init__(
        self,
        name: str,
        kind: Any,
        parameters: dict[str, Any] | None = None,
        *,
        file: str | None = None,
        rules: Game | None = None,
    ) -> None:
        given = dict(parameters or {})
        self.seed = int(given.pop("seed", 0))
        options = {key: str(value) for key, value in given.items() if str(value) != ""}
        self.rules = load_game(name, options, file=file) if rules is None else rules
        """The game."""
        self.numbers = ActionNumbers(self.rules)
        low, high = self.rules.utility
        zero_sum = self.rules.num_players == 2 and low == -high
        information = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbers),
            max_chance_outcomes=self.rules.max_chance,
            num_players=self.rules.num_players,
            min_utility=low,
            max_utility=high,
            max_game_length=LONGEST,
            **({"utility_sum": 0.0} if zero_sum else {}),
        )
        super().__init__(kind, information, parameters or {})

    def new_initial_state(self, _state: Any = None) -> SpielState:
        """Return a start position."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what shows a player the game's features."""
        if params:
            raise ValueError(f"observers of {self.rules.name} take no parameters")
        return Observer(self.rules)


class SpielState(pyspiel.State):
    """A state of ours."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._held = _Held(game.rules.start(game.seed), game.numbers)
        self._held.state.undoable = False

    def place(self, state: State) -> None:
        """Put a position of ours in place of the start; it is changed then. OpenSpiel knows of nothing before it."""
        state.undoable = False
        self._held.state = state

    def __deepcopy__(self, memo: Any) -> Any:
        return self.clone()

    @property
    def ours(self) -> State:
        """The state as ours."""
        return self._held.state

    def current_player(self) -> Any:
        """Return who is to move, chance, or that the game is over."""
        state = self.ours
        if state.is_terminal:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if state.is_chance else state.player

    def _legal_actions(self, player: int) -> list[int]:
        if self.ours.player != player:
            return []
        return self._held.numbers.places(sorted(self.ours.legal_actions))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may do, by place among the possible outcomes."""
        return [(place, chance) for place, (_, chance) in enumerate(self.ours.chance_outcomes)]

    def _number(self, action: int) -> int:
        return self.ours.chance_outcomes[action][0] if self.ours.is_chance else self._held.numbers.number(action)

    def _apply_action(self, action: int) -> None:
        self.ours.apply(self._number(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.ours.action_text(self._number(action))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.ours.is_terminal

    def returns(self) -> list[float]:
        """Return the utilities, all 0 until the game is over."""
        return self.ours.returns if self.ours.is_terminal else [0.0] * self.ours.game.num_players

    def information_state_string(self, player: int | None = None) -> str:
        """Return what a player knows of the past, of games in which that is all of it."""
        return self.history_str()  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self.ours.text()


class Observer:
    """Shows a player the features of what it knows."""

    def __init__(self, game: Game) -> None:
        self.tensor = np.zeros(game.encoding, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor."""
        if len(self.tensor):
            self.tensor[:] = state.ours.encode(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position as text, as the player knows it."""
        known = state.ours.determinize(player, stream(0, "observation", len(state.ours.history)))
        return known.text(player)


def as_it_is(game: Game) -> SpielGame:
    """Return a loaded game, which need not be registered.

    Raises:
        ValueError: see :func:`game_type`.
        RulesError: see :class:`SpielGame`.
    """
    return SpielGame(game.name, game_type(game), rules=game)


def register(name: str, file: str | None = None) -> None:
    """Register a game with OpenSpiel, as ``oponente_NAME``.

    Args:
        name: the game's name.
        file: path of a Python file that holds the rules of a user's game; None: it is one of the package.

    Raises:
        ValueError: there is no such game, its players move at the same time, or it draws from inside its state.
        UserFileError, RulesError: the file can't be loaded, or holds no complete game of that name.
    """
    kind = game_type(load_game(name, file=file))

    def create(parameters: dict[str, Any] | None = None) -> SpielGame:
        return SpielGame(name, kind, parameters, file=file)

    # OpenSpiel lets go of it after Python has ended, which crashes unless somebody else still holds it.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(create))
    pyspiel.register_game(kind, create)


for _name in BUILT_IN:
    _game = load_game(_name)
    if not (_game.simultaneous or _game.sampled_chance):
        register(_name)
