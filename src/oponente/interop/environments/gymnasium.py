"""Games as Gymnasium environments: for one player, alone or against fixed opponents; one game, or many at once.

    >>> import gymnasium
    >>> import oponente.interop.environments.gymnasium
    >>> environment = gymnasium.make("oponente/connect4-v0", opponents=["uct:100"])
    >>> vector = gymnasium.make_vec("oponente/connect4-v0", num_envs=1000, vectorization_mode="vector_entry_point")

An observation is what the seat knows (the game's features). Which actions are legal is in ``info["action_mask"]``, and
in ``action_masks()``, where libraries with masked policies look for it. An action that is not legal ends the episode
with the least utility. The reward comes at the end: the utility.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from oponente.agents.base import Budget
from oponente.arena.play import Course, begin, close, draw_returns, end, forfeit_returns, seat_agent
from oponente.games.catalogue import BUILT_IN, load_game
from oponente.interop.environments.batch import BROKEN_OFF, GOES_ON, ILLEGAL, Batch
from oponente.interop.environments.observing import FEATURES, Observer, check_limit
from oponente.kernel import derive_seed, stream

ROTATE = -1
"""In place of a seat: the seats in turn, from episode to episode."""


class SoloEnv(gymnasium.Env[npt.NDArray[Any], np.int64], EzPickle):
    """One player against opponents that are agents of the arena; without opponents in a game for one.

    Args:
        game: the game's name.
        opponents: specs of the agents in the other seats, in order; one for all of them is enough. Default: ``random``.
        seat: where the learner sits, from 0; `ROTATE` (-1): in each seat in turn.
        options: the game's options, as texts.
        game_file: the Python file that holds it, if it is a user's.
        agent_files: Python files that hold agents.
        observation: ``features`` or ``image``; see :class:`~oponente.interop.environments.observing.Observer`.
        render_mode: ``ansi`` (text) or ``svg`` (the text of a picture).
        max_plies: after so many actions and chance outcomes the episode is truncated; None: never.

    Raises:
        ValueError: there is no such game, option, agent, seat or observation, or the limit is below 1.
    """

    metadata = {"render_modes": ["ansi", "svg"]}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        game: str,
        opponents: Sequence[str] = ("random",),
        seat: int = ROTATE,
        options: Mapping[str, str] | None = None,
        game_file: str | None = None,
        agent_files: Sequence[str] = (),
        observation: str = FEATURES,
        render_mode: str | None = None,
        max_plies: int | None = None,
    ) -> None:
        EzPickle.__init__(
            self, game, opponents, seat, options, game_file, agent_files, observation, render_mode, max_plies
        )
        check_limit(max_plies)
        if isinstance(opponents, str):
            raise ValueError(f"opponents {opponents!r}: expected a list of agents, such as [{opponents!r}]")
        self.game = load_game(game, options, file=game_file)
        others = self.game.num_players - 1
        specs = list(opponents) * (others if len(opponents) == 1 else 1) if others else []
        if len(specs) != others:
            raise ValueError(f"{self.game.name} has {others} other seats, but {len(specs)} opponents were given")
        if not ROTATE <= seat < self.game.num_players:
            raise ValueError(f"seat {seat}: expected 0 to {others}, or {ROTATE} for each in turn")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode {render_mode!r}: expected {' or '.join(self.metadata['render_modes'])}")
        self.render_mode = render_mode
        self._opponents = [seat_agent(spec, self.game, agent_files) for spec in specs]
        for opponent in self._opponents:
            opponent.prepare(self.game)
        self._fixed, self._max_plies = seat, max_plies
        self._observer = Observer(self.game, observation)
        low, high = self._observer.bounds()
        self.observation_space = spaces.Box(low, high, self._observer.shape, self._observer.dtype.type)
        self.action_space = spaces.Discrete(len(self._observer.actions))
        self._budget = Budget()
        self._seed: int | None = None
        self._episode = 0
        self._over = True
        self.seat = 0
        """Where the learner sits in this episode."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begin an episode; with a seed, the one that it gives, else the next one after it.

        Where no seed was ever given, any one is drawn: ``np_random_seed``; by ``np_random``, if that was set.
        """
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed, self._episode = _seed_of(self), 0
        while True:
            place = derive_seed(self._seed, "episode", self._episode)
            self.seat = self._episode % self.game.num_players if self._fixed == ROTATE else self._fixed
            self._episode += 1
            self._decisions, self._chance = derive_seed(place, "decisions"), stream(place, "chance")
            self._course = Course(self.game.start(place >> 1))
            self._state = self._course.state
            seats = [seat for seat in range(self.game.num_players) if seat != self.seat]
            self._agents = dict(zip(seats, self._opponents, strict=True))
            for seat, agent in self._agents.items():
                begin(agent, self.game, seat)
            self._over = False
            self._go_on(until=None)  # whatever the limit is, an episode has one action of the learner
            if not self._state.is_terminal:
                return self._look(), self._info()
            self._end(self._state.returns)  # before the learner was asked

    def step(self, action: Any) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Take an action; the opponents and chance answer.

        Raises:
            ValueError: the episode is over, or there is no such action.
            oponente.arena.play.AgentFailedError: an opponent has failed.
        """
        if self._over:
            raise ValueError("the episode is over: call reset")
        number = self._observer.actions.number(action)
        if number not in self._state.legal_actions:
            self._end(forfeit_returns(self.game, self.seat), f"player {self.seat + 1} took an action that is not legal")
            return self._look(), float(self.game.utility[0]), True, False, {**self._info(), "illegal": True}
        self._course.apply(number)
        self._go_on(until=self._max_plies)
        terminated = self._state.is_terminal
        truncated = not terminated and self._reached(self._max_plies)
        reward = self._state.returns[self.seat] if terminated else 0.0
        if terminated:
            self._end(self._state.returns)
        elif truncated:
            self._end(draw_returns(self.game), f"after {self._max_plies} plies")
        return self._look(), float(reward), terminated, truncated, self._info()

    def _end(self, returns: Sequence[float], reason: str = "") -> None:
        """Let the episode be over, and tell the opponents."""
        self._over = True
        for agent in self._agents.values():
            end(agent, returns, reason, f"episode {self._episode}")

    def _go_on(self, until: int | None) -> None:
        """Let chance and the opponents act until the learner is asked, or there are so many plies."""
        state, course = self._state, self._course
        while not state.is_terminal and state.player != self.seat and not self._reached(until):
            if state.is_chance:
                course.apply_chance(self._chance)
                continue
            agent = self._agents[state.player]
            view = course.view(state.player, derive_seed(self._decisions, state.player, len(state.history)))
            course.apply_answer(agent, agent.choose(view, self._budget))

    def _reached(self, plies: int | None) -> bool:
        return plies is not None and len(self._state.history) >= plies

    def _look(self) -> npt.NDArray[Any]:
        return self._observer.look(self._state, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal; none are when the episode is over."""
        if self._state.player != self.seat:
            return np.zeros(len(self._observer.actions), np.bool_)
        return self._observer.mask(self._state).astype(np.bool_)

    def render(self) -> Any:
        """Return the position as the learner knows it."""
        if self.render_mode is None:
            return None
        known = self._state.determinize(self.seat, stream(self._seed or 0, "render", len(self._state.history)))
        return known.svg(self.seat) if self.render_mode == "svg" else known.text(self.seat)

    def close(self) -> None:
        """End the opponents."""
        for opponent in self._opponents:
            close(opponent)


class BatchEnv(VectorEnv[npt.NDArray[np.float32], npt.NDArray[np.int64], npt.NDArray[Any]], EzPickle):
    """Many games at once, all stepped by one compiled call, chance and opponents included.

    An environment whose episode has ended begins the next one in the same step; what was seen last is in
    ``info["final_obs"]`` then.

    Args:
        game: the game's name.
        num_envs: how many games.
        policy: the playout policy of all other seats: ``uniform``, or a name of the game's.
        seat: where the learner sits, from 0; `ROTATE` (-1): in game i in seat i modulo the number of players.
        options: the game's options, as texts.
        game_file: the Python file that holds it, if it is a user's.
        max_plies: after so many actions and chance outcomes an episode is truncated; None: never.

    Raises:
        ValueError, RulesError: see :class:`~oponente.interop.environments.batch.Batch`.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        policy: str = "uniform",
        seat: int = ROTATE,
        options: Mapping[str, str] | None = None,
        game_file: str | None = None,
        max_plies: int | None = None,
    ) -> None:
        EzPickle.__init__(self, game, num_envs, policy, seat, options, game_file, max_plies)
        self.num_envs = num_envs
        loaded = load_game(game, options, file=game_file)
        seats = np.arange(num_envs, dtype=np.int32) % loaded.num_players if seat == ROTATE else seat
        self.batch = Batch(
            loaded, num_envs, learner=seats, policy=policy, mask=True, features=True, max_plies=max_plies
        )
        """The games."""
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (loaded.encoding,), np.float32)
        self.single_action_space = spaces.Discrete(len(self.batch.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._seed: int | None = None

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin all games anew; with a seed, those that it gives, else the next ones.

        Where no seed was ever given, any one is drawn: ``np_random_seed``; by ``np_random``, if that was set. Several
        seeds are made into one, which is ``np_random_seed`` then.
        """
        if seed is not None:
            seed = int(seed) if isinstance(seed, int | np.integer) else derive_seed(0, *map(int, seed))
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            seed = self._seed = _seed_of(self)
        self.batch.reset(seed)
        return self.batch.features.copy(), {"action_mask": self.batch.mask.astype(np.bool_)}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float32], Any, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Take one action in each game.

        Raises:
            ValueError: there is not one for each game, or there is no such action.
        """
        given = np.asarray(actions)
        if (given < 0).any():  # a batch knows one such number, which begins a game anew
            raise ValueError(f"actions are numbered 0 to {len(self.batch.actions) - 1}")
        rewards, status = self.batch.step(given)
        own = rewards[self._rows, self.batch.learners]
        own[status == ILLEGAL] = self.batch.game.utility[0]
        truncated = status == BROKEN_OFF
        ended = status != GOES_ON
        info: dict[str, Any] = {"action_mask": self.batch.mask.astype(np.bool_)}
        if ended.any():
            final = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(ended):
                final[i] = self.batch.last_features[i].copy()
            info |= {"final_obs": final, "_final_obs": ended}
        return self.batch.features.copy(), own, ended & ~truncated, truncated, info


def _seed_of(environment: gymnasium.Env[Any, Any] | VectorEnv[Any, Any, Any]) -> int:
    """Return the seed of an environment, drawn if it has none."""
    seed: int | None = environment.np_random_seed
    assert seed is not None  # it is drawn at the latest when it is asked for
    if seed < 0:  # the generator was set, and its seed is not known
        seed = int(environment.np_random.integers(2**63))
    return seed


def register() -> None:
    """Tell Gymnasium of the package's games, as ``oponente/NAME-v0``."""
    for name in BUILT_IN:
        gymnasium.register(
            f"oponente/{name}-v0",
            entry_point=f"{__name__}:SoloEnv",
            vector_entry_point=f"{__name__}:BatchEnv",
            kwargs={"game": name},
        )


register()
