"""Catan: what the dice bring."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import ONE, TILE_NODES
from oponente.games.catan.cards import EMPTY, count_of, holds, some
from oponente.games.catan.knowledge import gain, hand_size
from oponente.games.catan.robber import next_to_discard
from oponente.games.catan.turn import go_on
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount


@njit
def roll(game: Any, state: Any, number: Any) -> None:
    """Let the dice show a number: resources for all, or the robber."""
    state.rolled = number
    if number != 7:
        produce(game, state, number)
        go_on(state)
        return
    for seat in range(game.rules.players):
        size = hand_size(state, seat)
        state.owed[seat] = size // 2 if size > game.rules.discard_limit else 0
    next_to_discard(game, state)


@njit
def production(state: Any, seat: Any, tiles: Any) -> Any:
    """Return the cards that tiles bring a player if the bank has enough: 1 for a settlement, 2 for a city."""
    cards = EMPTY
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - ONE
        corners = TILE_NODES[tile]
        amount = popcount(state.settlements[seat] & corners) + 2 * popcount(state.cities[seat] & corners)
        cards += some(state.terrain[tile], amount)
    return cards


@njit
def produce(game: Any, state: Any, number: Any) -> None:
    """Give all players what a number brings them.

    If the bank has too few cards of a resource, nobody gets any of it; but if only one player is due, that player gets
    what is left (almanac, "Resource production").
    """
    tiles = np.uint64(state.tiles_with[number]) & ~bit(state.robber)
    cards = (
        production(state, 0, tiles),
        production(state, 1, tiles),
        production(state, 2, tiles),
        production(state, 3, tiles),
    )
    due = cards[0] + cards[1] + cards[2] + cards[3]
    if due == EMPTY:
        return
    bank = state.bank
    short = not holds(bank, due)
    for seat in range(game.rules.players):
        if cards[seat] != EMPTY:
            got = short_production(game, bank, cards[seat], due) if short else cards[seat]
            gain(state, seat, got)
            state.bank -= got


@njit
def short_production(game: Any, bank: Any, cards: Any, due: Any) -> Any:
    """Return what a player gets of `cards` when the bank can't pay all that is `due`."""
    got = EMPTY
    for resource in range(5):
        wanted = count_of(cards, resource)
        if count_of(due, resource) <= count_of(bank, resource):
            got += some(resource, wanted)
        elif wanted == count_of(due, resource) and not game.rules.lone_claimant_unpaid:
            got += some(resource, count_of(bank, resource))
    return got
