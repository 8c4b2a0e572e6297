"""Catan: how turns begin and end, and who has won."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import VICTORY_POINT
from oponente.games.catan.moves import BEFORE_ROLL, MAIN, OVER
from oponente.games.catan.state import DRAW
from oponente.kernel import TERMINAL, njit


@njit
def all_points(state: Any, seat: Any) -> int:
    """Return a player's victory points, hidden cards included."""
    return state.points[seat] + np.int64(state.cards[seat, VICTORY_POINT])


@njit
def begin_turn(game: Any, state: Any) -> None:
    """Begin the turn of `mover`, unless the limit of turns is reached."""
    if game.rules.turn_limit and state.turn >= game.rules.turn_limit:
        end(state, DRAW)
        return
    state.turn += 1
    state.actor = state.mover
    state.phase = BEFORE_ROLL
    state.rolled = state.card_played = state.offers = 0
    for card in range(5):
        state.fresh[card] = 0


@njit
def end_turn(game: Any, state: Any) -> None:
    """Pass the turn on to the left."""
    state.points_before[state.mover] = max(state.points_before[state.mover], state.points[state.mover])
    state.mover = (state.mover + 1) % game.rules.players
    begin_turn(game, state)


@njit
def go_on(state: Any) -> None:
    """Go on with the turn after an interruption: before the roll, or with trade and building."""
    state.actor = state.mover
    state.phase = MAIN if state.rolled else BEFORE_ROLL


@njit
def check_victory(game: Any, state: Any) -> None:
    """End the game if the player on turn has enough points (rule book, "Ending the game")."""
    if state.phase == OVER:
        return
    if all_points(state, state.mover) >= game.rules.points:
        end(state, state.mover)
    elif game.rules.win_on_any_turn:
        for seat in range(game.rules.players):
            if all_points(state, seat) >= game.rules.points:
                end(state, seat)
                return


@njit
def end(state: Any, winner: Any) -> None:
    """End the game."""
    state.winner = winner
    state.phase = OVER
    state.actor = TERMINAL
