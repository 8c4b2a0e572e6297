"""Games for several players as PettingZoo environments (AEC: one agent acts after the other).

    >>> from oponente.interop.environments.pettingzoo import env
    >>> environment = env("connect4")
    >>> environment.reset(seed=1)

Agents are ``player_0``, ``player_1``, ... by seat. An observation is a dict: ``observation``, what the seat knows, and
``action_mask``. Chance acts by itself. Rewards come at the end: the utilities. One seed gives the same game for the
same actions.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from oponente.games.catalogue import load_game
from oponente.interop.environments.observing import FEATURES, Observer, check_limit
from oponente.kernel import State, derive_seed, stream

MODES = ["ansi", "human", "svg"]


def env(game: str, **arguments: Any) -> Any:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the game, and costs its player.

    The arguments are those of :class:`GameEnv`.
    """
    raw = GameEnv(game, **arguments)
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw.game.utility[0])
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class GameEnv(AECEnv, EzPickle):
    """A game as an environment, without wrappers.

    Args:
        game: the game's name.
        options: its options, as texts.
        game_file: the Python file that holds it, if it is a user's.
        observation: ``features`` or ``image``; see :class:`~oponente.interop.environments.observing.Observer`.
        render_mode: ``ansi`` (text), ``human`` (prints it), ``svg`` (the text of a picture); all of the player to move.
        max_plies: after so many actions and chance outcomes the game is truncated; None: never.

    Raises:
        ValueError: there is no such game, option or observation, or the limit is below 1.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, str] | None = None,
        game_file: str | None = None,
        observation: str = FEATURES,
        render_mode: str | None = None,
        max_plies: int | None = None,
    ) -> None:
        EzPickle.__init__(self, game, options, game_file, observation, render_mode, max_plies)
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode {render_mode!r}: expected one of {', '.join(MODES)}")
        check_limit(max_plies)
        self.game = load_game(game, options, file=game_file)
        self.metadata = {"render_modes": MODES, "name": f"{self.game.name}_v0", "is_parallelizable": False}
        self.render_mode = render_mode
        self._max_plies = max_plies
        self._observer = Observer(self.game, observation)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.agents = list(self.possible_agents)
        low, high = self._observer.bounds()
        count = len(self._observer.actions)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(low, high, self._observer.shape, self._observer.dtype.type),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._seed: int | None = None
        self._games = 0
        self._state: State
        self._chance: Any

    def observation_space(self, agent: str) -> Any:
        """Return the space of what an agent is shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed, the one that it gives, else the next one after it.

        Where no seed was ever given, any one is drawn.
        """
        if seed is not None or self._seed is None:
            self._seed, self._games = secrets.randbits(63) if seed is None else seed, 0
        place = derive_seed(self._seed, "environment", self._games)
        self._games += 1
        self._state = self.game.start(place >> 1)
        self._state.undoable = False
        self._chance = stream(place, "chance")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is selected.

        Raises:
            IllegalActionError: it is not legal.
            ValueError, TypeError: there is no such action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._state.apply(self._observer.actions.number(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Let chance act; say who is next, or how it has ended."""
        state = self._state
        while state.is_chance:
            state.apply_chance(self._chance)
        if state.is_terminal:
            self.rewards = dict(zip(self.agents, state.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._max_plies is not None and len(state.history) >= self._max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.agents[state.player]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows; the mask is all 0 unless it is to move."""
        seat = self.possible_agents.index(agent)
        moves = self._state.player == seat
        mask = self._observer.mask(self._state) if moves else np.zeros(len(self._observer.actions), np.int8)
        return {"observation": self._observer.look(self._state, seat), "action_mask": mask}

    def render(self) -> str | None:
        """Return the position as the render mode says, as the player to move knows it; ``human`` prints it."""
        if self.render_mode is None:
            return None
        seat = self.possible_agents.index(self.agent_selection)
        known = self._state.determinize(seat, stream(self._seed or 0, "render", len(self._state.history)))
        if self.render_mode == "svg":
            return known.svg(seat)
        text = known.text(seat)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is to be given back."""
