"""Games in which all seats are played by agents of one kind, from the start to the end in one kernel.

Asking an agent costs Python thousands of times what a simple rule of play costs. Where all agents of a match are
*scripted* by one policy (:mod:`oponente.kernel.evaluation`) that knows which of them has which seat, whole games, and
several of them, are one call, and each is the same game, action for action, as if each agent were asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import (
    CHANCE,
    TERMINAL,
    Control,
    Game,
    State,
    Stream,
    apply,
    entry,
    expired,
    legal,
    njit,
    player,
    playout_action,
    sample_chance,
    stream,
)

GOING_ON, OVER, FULL, STOPPED, ILLEGAL, UNSEEDED = range(6)
"""How a game of :func:`play_scripted` stands; `UNSEEDED` + seat: it waits for the stream of that one."""
SCRIPT = "script"
"""The path of a scripted agent's stream below the seed of its first decision in a game."""


@entry
def play_scripted(
    game: Any,
    policy: Any,
    memory: Any,
    memories: Any,
    states: Any,
    chances: Any,
    streams: Any,
    seeded: Any,
    histories: Any,
    counts: Any,
    asked: Any,
    standing: Any,
    limit: Any,
    buffer: Any,
    control: Any,
) -> None:
    """Play games on, all seats by the policy, until each is over or waits for something.

    Args:
        game, policy: tables with tokens.
        memory: the array in which the policy remembers the game that it plays.
        memories: such an array for each game, along the first axis: what was remembered of it when it was left.
        states: a record for each game.
        chances: uint64, a stream of chance outcomes for each game.
        streams: uint64, a stream for each game and seat, for its decisions.
        seeded: bool, for each game and seat: whether its stream is there.
        histories: int32, a row for each game: actions and outcomes are written from the game's count on.
        counts: int64, how many there are already.
        asked: int64, for each game and seat: decisions are counted here.
        standing: int64, for each game: those with `GOING_ON` are played; how it stands is written. At `ILLEGAL` the
            action stands behind those in the history.
        limit: how many there may be, no more than a row is long.
        buffer: int32, `MAX_ACTIONS` long.
        control: see :mod:`oponente.kernel.clock`.
    """
    for number in range(len(states)):
        if standing[number] != GOING_ON:
            continue
        memory[...] = memories[number]
        counts[number], standing[number] = _play_one(
            game,
            policy,
            states[number],
            chances[number],
            streams[number],
            seeded[number],
            histories[number],
            counts[number],
            asked[number],
            limit,
            buffer,
            control,
        )
        memories[number] = memory
        if standing[number] == STOPPED:
            return


@njit
def _play_one(
    game: Any,
    policy: Any,
    state: Any,
    chance: Any,
    streams: Any,
    seeded: Any,
    history: Any,
    count: Any,
    asked: Any,
    limit: Any,
    buffer: Any,
    control: Any,
) -> Any:
    """Play one game on; return how many actions there are in its history, and how it stands."""
    while True:
        mover = np.int64(player(game, state))
        if mover == TERMINAL:
            return count, OVER
        if count == limit:
            return count, FULL
        if mover == CHANCE:
            action = np.int64(sample_chance(game, state, chance))
        else:
            if not seeded[mover]:
                return count, UNSEEDED + mover
            action = np.int64(playout_action(policy, game, state, streams[mover], buffer))
            asked[mover] += 1
            if not legal(game, state, action):
                history[count] = action
                return count, ILLEGAL
        history[count] = action
        count += 1
        apply(game, state, action)
        if count % 64 == 0 and expired(control):
            return count, STOPPED


@dataclass
class ScriptedGame:
    """A game to play on, and what comes of it."""

    state: State
    """The position; its history begins the game's. It is played on in place."""
    chance: Stream
    """Of chance outcomes."""
    seed: Callable[[int, int], int]
    """Gives the seed of a decision by seat and ply."""
    asked: list[int] = field(default_factory=list)
    """Decisions of each seat."""
    standing: int = GOING_ON
    """In the end `OVER`, `FULL` (the limit of plies), `STOPPED` or `ILLEGAL`."""
    illegal: int | None = None
    """The action that was not legal."""


class Ensemble(ABC):
    """Plays games of scripted agents."""

    together = True
    """Whether several games may be played side by side: what an agent does in one must not depend on others."""
    _work: _Work | None = None

    @abstractmethod
    def policy(self, seating: Sequence[int]) -> Any:
        """Return the tables of the policy that plays all seats in the games that begin, and remembers nothing.

        Args:
            seating: the number of the agent in each seat. Each has just been told that a game begins.
        """

    def memory(self) -> npt.NDArray[Any]:
        """Return the array in which the policy remembers the game that it plays; the same one at each call."""
        return _NO_MEMORY

    def prepare(self, game: Game) -> None:
        """Compile what plays the games. The agents are not prepared each: they are not asked."""
        self.play([ScriptedGame(game.start(), stream(0), lambda seat, ply: 0)], range(game.num_players), 1, Control())

    def play(self, games: Sequence[ScriptedGame], seating: Sequence[int], limit: int | None, control: Control) -> None:
        """Play games on to their ends, in place.

        Args:
            games: of one game with the same options; one at a time unless they may be played `together`.
            seating: the number of the agent in each seat.
            limit: plies at most; None: any number.
            control: breaks the games off.
        """
        game = games[0].state.game
        policy, memory = self.policy(seating), self.memory()
        work = self._work
        if work is None or len(work.counts) < len(games):
            work = self._work = _Work(game, memory, len(games))
        work.begin(games, memory)
        buffer = np.zeros(game.max_actions, np.int32)
        run = game.bound(play_scripted, policy, lambda: (memory, *work.arrays(len(games)), 0, buffer, control.array))
        while True:
            run(memory, *work.arrays(len(games)), work.limit(limit), buffer, control.array)
            if not work.supply(games, limit):
                break
        work.finish(games)


_NO_MEMORY = np.zeros(0, np.int64)
_PART = 4096
"""Plies that there is room for at first."""


class _Work:
    """The arrays of games that are played side by side.

    Args:
        game: the game.
        memory: what a policy remembers of one.
        size: how many games there is room for.
    """

    def __init__(self, game: Game, memory: npt.NDArray[Any], size: int) -> None:
        players = game.num_players
        self.game = game
        self.memories = np.zeros((size, *memory.shape), memory.dtype)
        self.states = game.new_states(size)
        self.chances = np.zeros((size, 4), np.uint64)
        self.streams = np.zeros((size, players, 4), np.uint64)
        self.seeded = np.zeros((size, players), np.bool_)
        self.histories = np.zeros((size, _PART), np.int32)
        self.counts = np.zeros(size, np.int64)
        self.asked = np.zeros((size, players), np.int64)
        self.standing = np.zeros(size, np.int64)

    def arrays(self, count: int) -> tuple[Any, ...]:
        """Return the arrays of the first `count` games, as :func:`play_scripted` takes them."""
        return (
            self.memories,
            self.states[:count],
            self.chances,
            self.streams,
            self.seeded,
            self.histories,
            self.counts,
            self.asked,
            self.standing,
        )

    def limit(self, wanted: int | None) -> int:
        """Return to how many plies games may go for now."""
        room = self.histories.shape[1]
        return room if wanted is None else min(room, wanted)

    def begin(self, games: Sequence[ScriptedGame], memory: npt.NDArray[Any]) -> None:
        """Write down where games begin, each with the memory of a policy that remembers nothing."""
        count = len(games)
        self.memories[:count] = memory
        self.seeded[:count] = False
        self.asked[:count] = 0
        self.standing[:count] = GOING_ON
        while self.histories.shape[1] <= max(len(played.state.history) for played in games):
            self._lengthen()
        for number, played in enumerate(games):
            state, history = played.state, played.state.history
            self.game.put(self.states, number, state.array)
            self.chances[number] = played.chance
            self.counts[number] = len(history)
            self.histories[number, : len(history)] = history
            # Who moves first is known; each return for a stream is a call more.
            if state.player >= 0:
                self._seed(number, played, state.player)

    def supply(self, games: Sequence[ScriptedGame], limit: int | None) -> bool:
        """Give games what they wait for; return whether any goes on."""
        goes_on, longer = False, False
        for number, standing in enumerate(self.standing[: len(games)].tolist()):
            if standing >= UNSEEDED:
                self._seed(number, games[number], standing - UNSEEDED)
            elif standing == FULL and (limit is None or self.histories.shape[1] < limit):
                longer = True
            else:
                continue
            self.standing[number] = GOING_ON
            goes_on = True
        if longer:
            self._lengthen()
        return goes_on and STOPPED not in self.standing[: len(games)]

    def finish(self, games: Sequence[ScriptedGame]) -> None:
        """Hand over what came of the games; those that others were stopped before are stopped as well."""
        counts, asked, standings = self.counts.tolist(), self.asked.tolist(), self.standing.tolist()
        for number, played in enumerate(games):
            state, count = played.state, counts[number]
            self.game.put(state.array, 0, self.states[number : number + 1])
            state.history = self.histories[number, :count].tolist()
            played.asked = asked[number]
            played.standing = STOPPED if standings[number] == GOING_ON else standings[number]
            state._cache = (TERMINAL, [], []) if played.standing == OVER else None
            if played.standing == ILLEGAL:
                played.illegal = int(self.histories[number, count])

    def _seed(self, number: int, played: ScriptedGame, seat: int) -> None:
        self.streams[number, seat] = stream(played.seed(seat, int(self.counts[number])), SCRIPT)
        self.seeded[number, seat] = True

    def _lengthen(self) -> None:
        self.histories = np.concatenate((self.histories, np.zeros_like(self.histories)), axis=1)
