"""VGDL: when a game ends, and who wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.sprites import count_family
from oponente.kernel import njit, subroutine

WIN, LOSS, UNDECIDED = 1, 0, -1
"""What `win` holds for a player."""


@subroutine
def check_endings(game: Any, state: Any) -> None:
    """End the game if a termination fires; the first of the file decides.

    A StopCounter stands before the others in a program, since it stops all that count sprites.
    """
    p = game.program
    blocked = False
    for i in range(p.n_terminations):
        t = p.terminations[i]
        if t.kind == k.T_STOP_COUNTER:
            blocked = blocked or total_of(game, state, t) != t.limit
        elif t.kind == k.T_TIMEOUT:
            if state.tick >= t.limit:
                end_in_time(game, state, t)
                return
        elif not blocked and fires(game, state, t):
            end(game, state, t)
            return
    if state.tick >= p.max_ticks:
        state.ended = 1
        for player in range(p.players):
            if state.win[player] != WIN:
                state.win[player] = LOSS


@njit
def total_of(game: Any, state: Any, t: Any) -> Any:
    """Return how many sprites there are of the types that a termination counts."""
    total = np.int64(0)
    for i in range(3):
        if t.types[i] >= 0:
            total += count_family(game, state, t.types[i])
    return total


@njit
def counts_match(game: Any, state: Any, t: Any) -> bool:
    """Tell whether the counted sprites are as many as the limit, or more if that is enough."""
    total = total_of(game, state, t)
    return total == t.limit or (t.minimum != 0 and total > t.limit)


@njit
def fires(game: Any, state: Any, t: Any) -> bool:
    """Tell whether the condition of a termination that counts sprites holds."""
    if t.kind == k.T_SPRITE_COUNTER:
        return total_of(game, state, t) <= t.limit
    if t.kind == k.T_SPRITE_COUNTER_MORE:
        return total_of(game, state, t) >= t.limit
    if t.kind == k.T_MULTI_SPRITE_COUNTER:
        return counts_match(game, state, t)
    if total_of(game, state, t) != t.limit:
        return False
    present = 0
    for i in range(3):
        if t.types[i] >= 0:
            counted = game.program.types[t.types[i]]
            for j in range(counted.subtypes + 1, counted.subtypes + counted.n_descendants):
                present += count_family(game, state, game.program.ints[j]) > 0
    return present == t.subtypes


@njit
def end(game: Any, state: Any, t: Any) -> None:
    """End the game: those win whom the termination names, or who have the most points."""
    players = game.program.players
    state.ended = 1
    if not t.count_score:
        for player in range(players):
            state.win[player] = t.win[player]
        return
    best, any_points = state.score[0], False
    for player in range(players):
        best = max(best, state.score[player])
        any_points = any_points or state.score[player] != 0.0
    for player in range(players):
        state.win[player] = WIN if any_points and state.score[player] == best else LOSS


@njit
def end_in_time(game: Any, state: Any, t: Any) -> None:
    """End the game because its time is over; counters may decide who wins."""
    p = game.program
    if not t.use_counter:
        end(game, state, t)
        return
    state.ended = 1
    if t.compare:
        equal = True
        for i in range(1, p.n_counters):
            equal = equal and state.counters[i] == state.counters[0]
        for player in range(p.players):
            state.win[player] = WIN if (player == 0) != equal else LOSS
        return
    for player in range(p.players):
        won = p.n_counters == p.players and player < t.n_limits and state.counters[player] == t.limits[player]
        if p.last_limit_only and player != p.players - 1:
            won = False
        state.win[player] = WIN if won else LOSS
