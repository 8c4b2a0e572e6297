"""VGDL: the playout policy of the controllers, and what it knows: which actions undo others, how others have played.

Source: B. Santos, "Monte Carlo tree search experiments in general video game playing" (master's thesis, UFJF 2017),
section 5.1, of redundant actions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.vgdl.kinds import DOWN, LEFT, RIGHT, UP
from oponente.games.vgdl.layout import PLAYERS
from oponente.games.vgdl.rules import MAX_ACTIONS
from oponente.kernel import Token, njit, random_unit
from oponente.kernel.rules import actions, sample_action

Table = npt.NDArray[np.uint8]
"""A row for each action, and in it a 1 for each action that undoes it."""
Habits = npt.NDArray[np.float64]
"""A row for each player: how often it has taken each action. All 0: it is taken to play at random."""


Trail = npt.NDArray[np.int32]
"""A row for each player: the places where its avatar has been lately, in pixels."""
TRAIL = 15
"""How many (the controller OLETS)."""
NOWHERE = -(1 << 20)


class Playouts(NamedTuple):
    """Uniformly random actions but for players whose habits are known."""

    token: Token
    undoes: Table
    habits: Habits
    trail: Trail


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> Any:
    """Draw from the listed actions: all alike, or as often as the player took them so far, each once more."""
    mover = np.int64(state.mover)
    known = 0.0
    for action in range(MAX_ACTIONS):
        known += policy.habits[mover, action]
    if known == 0.0:
        return np.int64(sample_action(game, state, rng, buffer))
    count = np.int64(actions(game, state, buffer))
    total = 0.0
    for i in range(count):
        total += policy.habits[mover, buffer[i]] + 1.0
    left = random_unit(rng) * total
    for i in range(count - 1):
        left -= policy.habits[mover, buffer[i]] + 1.0
        if left < 0.0:
            return np.int64(buffer[i])
    return np.int64(buffer[count - 1])


@njit
def redundant(policy: Any, game: Any, state: Any, before: Any, action: Any) -> Any:
    """Look it up."""
    return policy.undoes[before, action] != 0


@njit
def stale(policy: Any, game: Any, state: Any) -> Any:
    """Tell whether a player whose trail is known has been lately where its avatar is."""
    for player in range(game.program.players):
        s = state.sprites[np.int64(state.avatar[player])]
        for i in range(TRAIL):
            if policy.trail[player, i, 0] == s.x and policy.trail[player, i, 1] == s.y:
                return True
    return False


def table(pairs: list[tuple[int, int]]) -> Table:
    """Return the table in which for each pair the second action undoes the first."""
    undoes = np.zeros((MAX_ACTIONS, MAX_ACTIONS), np.uint8)
    for before, action in pairs:
        undoes[before, action] = 1
    return undoes


def no_habits() -> Habits:
    """Return the habits of players of whom nothing is known."""
    return np.zeros((PLAYERS, MAX_ACTIONS))


def no_trail() -> Trail:
    """Return the trails of players who have been nowhere."""
    return np.full((PLAYERS, TRAIL, 2), NOWHERE, np.int32)


OPPOSITES = Playouts(
    Token(__name__), table([(UP, DOWN), (DOWN, UP), (LEFT, RIGHT), (RIGHT, LEFT)]), no_habits(), no_trail()
)
"""All play at random; opposite directions undo each other."""
