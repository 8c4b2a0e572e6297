"""Risk: what is hidden, and samples of it: others' cards, missions, and capitals until all are chosen.

How many cards everybody has is seen by all, and so are cards that are traded; when the discards are shuffled to be the
deck, all know which cards these are, and that all others are in hands. A player who is out no longer counts as
knowing the cards that the victor took.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES
from oponente.games.risk.cards import random_card
from oponente.games.risk.moves import (
    CAPITAL,
    CHOOSING_CAPITAL,
    DRAW_CARD,
    DRAWING,
    MISSIONS,
    OVER,
    UNSEEN_CAPITAL,
    UNSEEN_CARD,
)
from oponente.games.risk.setup import sample_capitals
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, popcount


@njit
def masked(state: Any, action: Any, player: Any) -> int:
    """Return an action as a player sees it: draws and choices of capitals are seen by who makes them."""
    if player != state.mover:
        if state.phase == DRAWING:
            return DRAW_CARD + UNSEEN_CARD
        if state.phase == CHOOSING_CAPITAL:
            return CAPITAL + UNSEEN_CAPITAL
    return action


@njit
def sample_hidden(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Draw anew all that a player can't know."""
    if game.rules.cards:
        sample_cards(game, state, player, rng)
    if game.rules.victory == MISSIONS:
        sample_missions(game, state, player, rng)
    if state.phase == CHOOSING_CAPITAL:
        sample_capitals(game, state, player, rng)


@njit
def sample_cards(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Deal the cards that a player can't see anew to the others and the deck.

    Of every hand it is known how many cards it has that were in hands when the deck was shuffled last.
    """
    unseen = game.rules.all_cards & ~state.hand[player] & ~state.discard
    kept, drawn = unseen & ~state.shuffled, unseen & state.shuffled
    for seat in range(game.rules.players):
        if seat != player:
            hand = NO_TERRITORIES
            for _ in range(popcount(state.hand[seat] & ~state.shuffled)):
                card = bit(random_card(kept, rng))
                kept &= ~card
                hand |= card
            for _ in range(popcount(state.hand[seat] & state.shuffled)):
                card = bit(random_card(drawn, rng))
                drawn &= ~card
                hand |= card
            state.hand[seat] = hand
    state.deck = drawn


@njit
def sample_missions(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Deal the missions of others anew: no mission twice, and none that would have ended the game.

    Each is drawn on its own, and all again if two are the same, so that all possible ways are equally likely.
    """
    players, missions = np.int64(game.rules.players), np.int64(game.rules.missions)
    while True:
        dealt, again = np.uint32(1) << np.uint32(state.mission[player]), False
        for seat in range(players):
            if seat == player:
                continue
            if state.phase == OVER and seat == state.winner:
                mission = np.int64(state.mission[seat])  # shown at the end
            else:
                mission = random_below(rng, missions)
                while state.ruled_out[seat] >> np.uint32(mission) & np.uint32(1):
                    mission = random_below(rng, missions)
            taken = np.uint32(1) << np.uint32(mission)
            again = again or dealt & taken != np.uint32(0)
            dealt |= taken
            state.mission[seat] = mission
        if not again:
            return
