"""Games in which all seats are played by agents of one kind, from the start to the end in one kernel.

Asking an agent costs Python thousands of times what a simple rule of play costs. Where all agents of a match are
*scripted* by one policy (:mod:`oponente.kernel.evaluation`) that knows which of them has which seat, a whole game is
one call, and it is the same game, action for action, as if each were asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
    player,
    playout_action,
    sample_chance,
    stream,
)

OVER, FULL, STOPPED, ILLEGAL, UNSEEDED = range(5)
"""Why :func:`play_scripted` returns; `UNSEEDED` + seat for the one whose stream is not there."""
SCRIPT = "script"
"""The path of a scripted agent's stream below the seed of its first decision in a game."""


@entry
def play_scripted(
    game: Any,
    policy: Any,
    states: Any,
    chance: Any,
    streams: Any,
    seeded: Any,
    history: Any,
    count: Any,
    asked: Any,
    buffer: Any,
    control: Any,
) -> Any:
    """Play ``states[0]`` on, all seats by the policy.

    Args:
        game, policy: tables with tokens.
        states: array of one record.
        chance: stream of chance outcomes.
        streams: uint64, a stream per seat, for its decisions.
        seeded: bool, one per seat: whether its stream is there.
        history: int32: actions and outcomes are written from `count` on.
        count: how many there are already.
        asked: int64, one per seat: decisions are counted here.
        buffer: int32, `MAX_ACTIONS` long.
        control: see :mod:`oponente.kernel.clock`.

    Returns:
        The number of actions in `history`, and why it returns; at `ILLEGAL` the action stands behind them.
    """
    state = states[0]
    while True:
        mover = np.int64(player(game, state))
        if mover == TERMINAL:
            return count, OVER
        if count == history.size:
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
    """What came of a game."""

    actions: list[int]
    """All actions and chance outcomes."""
    asked: list[int]
    """Decisions of each seat."""
    ended: int
    """`OVER`, `FULL` (the limit of plies), `STOPPED` or `ILLEGAL`."""
    illegal: int | None = None
    """The action that was not legal."""


class Ensemble(ABC):
    """Plays games of scripted agents."""

    @abstractmethod
    def policy(self, seating: Sequence[int]) -> Any:
        """Return the tables of the policy that plays all seats in the game that begins.

        Args:
            seating: the number of the agent in each seat. Each has just been told that a game begins.
        """

    def prepare(self, game: Game) -> None:
        """Compile what plays the games. The agents are not prepared each: they are not asked."""
        self.play(game.start(), range(game.num_players), stream(0), lambda seat, ply: 0, 1, Control())

    def play(
        self,
        state: State,
        seating: Sequence[int],
        chance: Stream,
        seed: Callable[[int, int], int],
        limit: int | None,
        control: Control,
    ) -> ScriptedGame:
        """Play a state on to its end, in place.

        Args:
            state: the position; its history begins the game's.
            seating: the number of the agent in each seat.
            chance: stream of chance outcomes.
            seed: gives the seed of a decision by seat and ply.
            limit: plies at most; None: any number.
            control: breaks the game off.
        """
        game, players = state.game, state.game.num_players
        policy = self.policy(seating)
        streams, seeded = np.zeros((players, 4), np.uint64), np.zeros(players, np.bool_)
        asked = np.zeros(players, np.int64)
        history = _first_part(state.history, limit)
        count = len(state.history)
        buffer = np.zeros(game.max_actions, np.int32)
        run = game.bound(
            play_scripted,
            policy,
            lambda: (state.array, chance, streams, seeded, history, 0, asked, buffer, control.array),
        )
        # Who moves first is known; each return for a stream is a call more.
        mover = state.player
        if mover >= 0:
            streams[mover], seeded[mover] = stream(seed(mover, count), SCRIPT), True
        while True:
            count, ended = run(state.array, chance, streams, seeded, history, count, asked, buffer, control.array)
            if ended >= UNSEEDED:
                seat = int(ended) - UNSEEDED
                streams[seat] = stream(seed(seat, count), SCRIPT)
                seeded[seat] = True
            elif ended == FULL and (limit is None or history.size < limit):
                history = _longer(history, limit)
            else:
                break
        illegal = int(history[count]) if ended == ILLEGAL else None
        state.history = history[:count].tolist()
        state._cache = (TERMINAL, [], []) if ended == OVER else None
        return ScriptedGame(state.history, asked.tolist(), int(ended), illegal)


_PART = 4096
"""Plies that there is room for at first."""


def _first_part(history: list[int], limit: int | None) -> npt.NDArray[np.int32]:
    size = len(history) + _PART
    part = np.zeros(size if limit is None else min(size, limit), np.int32)
    part[: len(history)] = history
    return part


def _longer(history: npt.NDArray[np.int32], limit: int | None) -> npt.NDArray[np.int32]:
    size = 2 * history.size
    longer = np.zeros(size if limit is None else min(size, limit), np.int32)
    longer[: history.size] = history
    return longer
