"""Risk: how turns go from phase to phase, and who has won.

What happens sets the phase that is next; :func:`settle` then passes over phases in which there is nothing to decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import may_attack
from oponente.games.risk.board import NO_TERRITORIES
from oponente.games.risk.cards import LEFT_CARDS, hand_size
from oponente.games.risk.fortify import begin_moving, may_move
from oponente.games.risk.income import income, nothing_to_place, waive
from oponente.games.risk.missions import check_secret
from oponente.games.risk.moves import (
    ATTACKING,
    BEGINNING,
    DOMINATION,
    DRAWING,
    ENDING,
    MOVING,
    OVER,
    PLACING,
    TRADING,
)
from oponente.games.risk.state import DRAW, NONE
from oponente.kernel import CHANCE, TERMINAL, njit


@njit
def settle(game: Any, state: Any) -> None:
    """Go on until something is to be decided: where phases end explicitly, at every phase."""
    while True:
        phase = state.phase
        if phase == BEGINNING:
            begin_turn(game, state)
        elif phase == PLACING:
            if game.rules.explicit or not nothing_to_place(game, state):
                return
            end_placing(game, state)
        elif phase == ATTACKING:
            if game.rules.explicit or may_attack(game, state):
                return
            end_attacks(game, state)
        elif phase == MOVING:
            if state.moves_left > 0 and (game.rules.explicit or may_move(game, state)):
                return
            state.phase = ENDING
        elif phase == ENDING:
            end_turn(game, state)
        else:
            return


@njit
def begin_turn(game: Any, state: Any) -> None:
    """Begin the turn of `mover`, unless the limit is reached, or what `mover` has to do was done in another's turn."""
    if game.rules.turn_limit and state.turn >= game.rules.turn_limit:
        end(state, DRAW)
        return
    state.turn += 1
    state.actor = state.mover
    state.conquered = state.capturing = 0
    state.origin = state.target = NONE
    check_victory(game, state)
    if state.phase == OVER:
        return
    income(game, state)
    trade_or_place(game, state)


@njit
def trade_or_place(game: Any, state: Any) -> None:
    """Go on with cards if there may be a set among them, which only their owner knows; else place armies."""
    least = LEFT_CARDS + 1 if state.capturing else 3
    if game.rules.cards and hand_size(state, state.mover) >= least:
        state.phase = TRADING
    else:
        state.phase = PLACING


@njit
def end_placing(game: Any, state: Any) -> None:
    """Go on with attacks. Armies for which there is no room are lost, unless they are kept for later turns."""
    if not game.rules.keep_armies:
        waive(game, state)
    state.capturing = 0
    round_number = (np.int64(state.turn) + game.rules.players - 1) // game.rules.players
    state.phase = ENDING if round_number < game.rules.first_attack else ATTACKING


@njit
def end_attacks(game: Any, state: Any) -> None:
    """Go on with moving armies."""
    state.origin = state.target = NONE
    begin_moving(game, state)
    state.phase = MOVING


@njit
def end_turn(game: Any, state: Any) -> None:
    """Draw a card if a territory was conquered and there are cards to draw; then it is the next player's turn."""
    check_victory(game, state)
    if state.phase == OVER:
        return
    state.moves_left = 0
    state.origin = state.target = NONE
    if game.rules.cards and state.conquered:
        if state.deck == NO_TERRITORIES:
            state.deck, state.discard = state.discard, NO_TERRITORIES
            state.shuffled = state.deck
        if state.deck != NO_TERRITORIES:
            state.phase = DRAWING
            state.actor = CHANCE
            return
    pass_turn(game, state)


@njit
def pass_turn(game: Any, state: Any) -> None:
    """Pass the turn on to the next player who is still in the game."""
    state.conquered = 0
    mover = np.int64(state.mover)
    while True:
        mover = (mover + 1) % game.rules.players
        if state.held[mover]:
            break
    state.mover = mover
    state.phase = BEGINNING


@njit
def check_victory(game: Any, state: Any) -> None:
    """End the game if the player on turn has won: is the last one, or has done what the kind of victory asks."""
    if state.turn == 0 or state.phase == OVER:
        return
    alive = 0
    for seat in range(game.rules.players):
        alive += state.held[seat] != NO_TERRITORIES
    if alive == 1 or (game.rules.victory != DOMINATION and check_secret(game, state)):
        end(state, state.mover)


@njit
def end(state: Any, winner: Any) -> None:
    """End the game."""
    state.winner = winner
    state.phase = OVER
    state.actor = TERMINAL
