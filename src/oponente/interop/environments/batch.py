"""Many games at once: one compiled call steps an array of states."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.agents.named import choose_by_name
from oponente.interop.environments.numbering import ActionNumbers, unlisted
from oponente.interop.environments.observing import check_limit
from oponente.kernel import (
    CHANCE,
    TERMINAL,
    UNIFORM,
    Game,
    State,
    actions,
    apply,
    encode,
    entry,
    initial,
    njit,
    player,
    playout_action,
    returns,
    sample_chance,
    stream,
)
from oponente.kernel.rules import max_actions

RESTART = -1
"""In place of an action: begin a new game."""
GOES_ON, OVER, BROKEN_OFF, ILLEGAL = range(4)
"""What a step has come to: the game goes on; is over; has reached the limit of plies; the action was not legal."""
_NO_LEARNER = -1
MASK, FEATURES, LIMIT = range(3)
"""Switches of a batch: whether masks and features are written; after how many plies a game is broken off (0: never)."""


@njit
def place_of(number: Any, numbers: Any, table: Any) -> Any:
    """Return the place of an action among all that the game lists; -1 if it is none of them."""
    if number < table.size:
        return table[number]
    low, high = 0, numbers.size
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low if low < numbers.size and numbers[low] == number else -1


@njit
def go_on(game: Any, policy: Any, state: Any, rng: Any, buffer: Any, learner: Any, plies: Any, limit: Any) -> Any:
    """Let chance, and all but the learner if there is one, act until somebody is to move who is asked from outside.

    Returns:
        Who is to move, or `TERMINAL`; how many plies there are now. It stops at the limit.
    """
    mover = int(player(game, state))
    while mover != TERMINAL and (limit == 0 or plies < limit):
        if mover == CHANCE:
            action = sample_chance(game, state, rng)
        elif learner == mover or learner == _NO_LEARNER:  # noqa: SIM109, PLR1714 (compiled `in` wants equal types)
            break
        else:
            action = playout_action(policy, game, state, rng, buffer)
        apply(game, state, action)
        plies += 1
        mover = int(player(game, state))
    return mover, plies


@entry
def step_batch(
    game: Any,
    policy: Any,
    states: Any,
    rngs: Any,
    choices: Any,
    learners: Any,
    switches: Any,
    numbers: Any,
    table: Any,
    movers: Any,
    plies: Any,
    legal: Any,
    counts: Any,
    mask: Any,
    rewards: Any,
    status: Any,
    features: Any,
    last: Any,
) -> Any:
    """Step each of n games by one action; a game that is over begins anew.

    Args:
        game, policy: tables with tokens; the policy plays the seats of nobody.
        states: n + 1 records, the last one all zero.
        rngs: n streams.
        choices: int32, n: for each game a place among the game's actions, or `RESTART`.
        learners: int32, n: the seat that is asked from outside in each game, -1: all are.
        switches: int64, see `MASK`, `FEATURES`, `LIMIT`.
        numbers, table: see :class:`~oponente.interop.environments.numbering.ActionNumbers`.
        movers, plies: int32 and int64, n: who is to move; plies of the game so far.
        legal, counts: int32, n x MAX_ACTIONS and n: places of the legal actions; read to know what is legal, then
            written.
        mask: uint8, n x number of actions: 1 where legal.
        rewards: float64, n x players: written, 0 while the game goes on.
        status: int8, n.
        features: float32, n x ENCODING: what the player to move knows.
        last: float32, n x ENCODING: written where a game has ended, what the learner, else the last mover, knew then.

    Returns:
        -1, or the number of an action that the game lists and does not declare.
    """
    buffer = np.empty(max_actions(game), np.int32)
    count = choices.size
    for i in range(count):
        state, rng = states[i], rngs[i]
        learner, limit = learners[i], switches[LIMIT]
        status[i] = GOES_ON
        rewards[i, :] = 0.0
        mover = int(movers[i])
        fresh = choices[i] == RESTART
        if not fresh:
            found = False
            for k in range(counts[i]):
                found = found or legal[i, k] == choices[i]
            acting = mover
            if not found:
                status[i] = ILLEGAL
            else:
                apply(game, state, numbers[choices[i]])
                mover, plies[i] = go_on(game, policy, state, rng, buffer, learner, plies[i] + 1, limit)
                if mover == TERMINAL:
                    status[i] = OVER
                    returns(game, state, rewards[i])
                elif limit > 0 and plies[i] >= limit:
                    status[i] = BROKEN_OFF
            fresh = status[i] != GOES_ON
            if fresh and switches[FEATURES] != 0:
                encode(game, state, acting if learner == _NO_LEARNER else learner, last[i])
        while fresh:
            states[i] = states[count]
            initial(game, state, rng)
            mover, plies[i] = go_on(game, policy, state, rng, buffer, learner, 0, 0)
            fresh = mover == TERMINAL  # over before the learner was asked
        movers[i] = mover
        if switches[MASK] != 0:
            for k in range(counts[i]):
                mask[i, legal[i, k]] = 0
        counts[i] = actions(game, state, buffer)
        for k in range(counts[i]):
            place = place_of(buffer[k], numbers, table)
            if place < 0:
                counts[i] = 0
                return buffer[k]
            legal[i, k] = place
            if switches[MASK] != 0:
                mask[i, place] = 1
        if switches[FEATURES] != 0:
            encode(game, state, mover, features[i])
    return -1


class StepResult(NamedTuple):
    """What has come of a step of each game; the arrays are written anew by the next one."""

    rewards: npt.NDArray[np.float64]
    """n x players: the utilities where a game is over by its rules, else 0."""
    status: npt.NDArray[np.int8]
    """`GOES_ON`, `OVER`, `BROKEN_OFF` or `ILLEGAL`. But in the first case, a new game has begun."""


class Batch:
    """Thousands of games of one kind, stepped together.

    >>> from oponente import load_game
    >>> batch = Batch(load_game("connect4"), 1000, seed=5)
    >>> rewards, status = batch.step(batch.sample())

    Args:
        game: the game.
        count: how many games.
        seed: of all chance in them, from 0; one seed gives the same games for the same actions. None: any one is drawn.
        learner: the seat that is asked from outside; None: all are, in turn. An array: one seat for each game.
        policy: the playout policy by which the other seats play: ``uniform``, or a name of the game's.
        mask: whether :attr:`mask` is kept.
        features: whether :attr:`features` and :attr:`last_features` are kept.
        max_plies: after so many actions and chance outcomes a game is broken off; None: never.

    Raises:
        ValueError: something is out of range; the policy sees what its player must not know; the game has no features.
        RulesError: see :class:`~oponente.interop.environments.numbering.ActionNumbers`.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        seed: int | None = None,
        learner: int | npt.ArrayLike | None = None,
        policy: str = "uniform",
        mask: bool = False,
        features: bool = False,
        max_plies: int | None = None,
    ) -> None:
        if count < 1:
            raise ValueError(f"a batch of {count} games: at least 1 is needed")
        if features and not game.encoding:
            raise ValueError(f"{game.name} has no features: its rules need encode and ENCODING")
        check_limit(max_plies)
        self.game = game
        self.actions = ActionNumbers(game)
        self._policy = choose_by_name(game, game.policies, policy, "playout policy")
        honest = self._policy is UNIFORM or getattr(self._policy.token.module, "OWN_KNOWLEDGE", False)
        if learner is not None and not (honest or game.perfect_information):
            raise ValueError(f"playout policy {policy!r} sees what is hidden from its player: choose another one")
        self.learners: npt.NDArray[np.int32] = np.empty(count, np.int32)
        """The seat that is asked in each game, -1: all are."""
        self.learners[:] = _NO_LEARNER if learner is None else _seats(game, count, learner)
        size = game.encoding if features else 1
        self.states = game.new_states(count + 1)
        """The records, and one more that is all zero."""
        self.movers = np.zeros(count, np.int32)
        """The seat that is to move in each game."""
        self.plies = np.zeros(count, np.int64)
        """Actions and chance outcomes of each game so far."""
        self.legal = np.zeros((count, game.max_actions), np.int32)
        """For each game the legal actions, as places among all; only the first :attr:`counts` of a row count."""
        self.counts = np.zeros(count, np.int32)
        """How many legal actions there are."""
        self.mask = np.zeros((count, len(self.actions) if mask else 1), np.uint8)
        """1 for each legal action, if wanted."""
        self.features = np.zeros((count, size), np.float32)
        """What the player to move knows, if wanted."""
        self.last_features = np.zeros((count, size), np.float32)
        """The same at the end of the last game: of the learner, or of who moved last."""
        self._rewards = np.zeros((count, game.num_players))
        self._status = np.zeros(count, np.int8)
        self._switches = np.array([mask, features, max_plies or 0], np.int64)
        self._rngs = np.zeros((count, 4), np.uint64)
        self._choices = np.zeros(count, np.int32)
        self._sampler: np.random.Generator
        self.seed: int
        """The last one that was given, or that was drawn."""
        self.reset(secrets.randbits(63) if seed is None else seed)

    def __len__(self) -> int:
        return len(self.counts)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; with a seed, those that it gives, else the next ones."""
        if seed is not None:
            self.seed = seed
            for i in range(len(self)):
                self._rngs[i] = stream(seed, "batch", i)
            self._sampler = np.random.Generator(np.random.PCG64(seed))
        self._step(np.full(len(self), RESTART, np.int32))

    def step(self, choices: npt.ArrayLike) -> StepResult:
        """Take one action in each game; games that are over begin anew.

        Args:
            choices: n places of actions, or `RESTART`. A game in which one is not legal ends at once, as `ILLEGAL`.

        Raises:
            ValueError: there is not one for each game, or one is no place of an action.
        """
        given = np.asarray(choices)
        if given.shape != self._choices.shape:
            raise ValueError(f"actions of shape {given.shape}: expected {self._choices.shape}, one for each game")
        if given.dtype.kind not in "iu" or given.min() < RESTART or given.max() >= len(self.actions):
            raise ValueError(f"actions are numbered 0 to {len(self.actions) - 1}")
        self._choices[:] = given
        return self._step(self._choices)

    def sample(self) -> npt.NDArray[np.int32]:
        """Return a legal action for each game, each equally likely."""
        drawn = (self._sampler.random(len(self)) * self.counts).astype(np.int32)
        return self.legal[np.arange(len(self)), drawn]

    def state(self, index: int) -> State:
        """Return a copy of the state of one game; its history is empty."""
        return State(self.game, self.states[index : index + 1].copy(), [])

    def _step(self, choices: npt.NDArray[np.int32]) -> StepResult:
        undeclared = step_batch(
            self.game.tables, self._policy, self.states, self._rngs, choices, self.learners, self._switches,
            self.actions.numbers, self.actions.table, self.movers, self.plies, self.legal, self.counts, self.mask,
            self._rewards, self._status, self.features, self.last_features,
        )  # fmt: skip
        if undeclared >= 0:
            raise unlisted(self.game, undeclared)
        return StepResult(self._rewards, self._status)


def _seats(game: Game, count: int, learner: int | npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
    """Return a seat, or one for each game; ValueError if it is neither."""
    seats = np.asarray(learner)
    if seats.shape not in {(), (count,)}:
        raise ValueError(f"learners of shape {seats.shape}: expected one seat, or {(count,)}, one for each game")
    if seats.dtype.kind not in "iu" or (seats < 0).any() or (seats >= game.num_players).any():
        raise ValueError(f"learner {seats.tolist()}: {game.name} has seats 0 to {game.num_players - 1}")
    return seats
