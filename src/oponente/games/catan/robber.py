"""Catan: discarding, and moving the robber."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import ALL_TILES, NONE, ONE, nth_node, tiles_at
from oponente.games.catan.building import buildings
from oponente.games.catan.cards import EMPTY, count_of, one
from oponente.games.catan.knowledge import hand, lose
from oponente.games.catan.moves import DISCARD, DISCARDING, MOVE_ROBBER, NOBODY_ROBBED, ROBBING, STEALING
from oponente.games.catan.turn import all_points, go_on
from oponente.kernel import CHANCE, njit, random_below
from oponente.kernel.bits import bit, lowest_bit, popcount

FRIENDLY_POINTS = 3
"""The friendly robber leaves alone players with fewer points."""


@njit
def next_to_discard(game: Any, state: Any) -> None:
    """Let the first player who owes cards discard one; when nobody does, the player on turn moves the robber."""
    for seat in range(game.rules.players):
        if state.owed[seat] > 0:
            state.actor = seat
            state.phase = DISCARDING
            return
    state.actor = state.mover
    state.phase = ROBBING


@njit
def discard(game: Any, state: Any, resource: Any) -> None:
    """Discard one card to the bank."""
    lose(state, state.actor, one(resource))
    state.bank += one(resource)
    state.owed[state.actor] -= 1
    next_to_discard(game, state)


@njit
def tiles_to_rob(game: Any, state: Any, seat: Any) -> Any:
    """Return, as bits, the tiles at which the robber could take a card of a player."""
    if seat >= game.rules.players or seat == state.mover or hand(state, seat) == EMPTY:
        return NONE
    return tiles_at(buildings(state, seat))


@njit
def robber_tiles(game: Any, state: Any) -> Any:
    """Return, as bits, the tiles to which the robber may move: any other one.

    The friendly robber stays away from players with few points. If that leaves it no tile, it may go to any other one.
    """
    others = ALL_TILES & ~bit(state.robber)
    if not game.rules.friendly_robber:
        return others
    spared = NONE
    for seat in range(game.rules.players):
        points = all_points(state, seat) if game.rules.friendly_counts_hidden else np.int64(state.points[seat])
        if seat != state.mover and points < FRIENDLY_POINTS:
            spared |= tiles_at(buildings(state, seat))
    return others & ~spared if others & ~spared else others


@njit
def move_robber(game: Any, state: Any, tile: Any, victim: Any) -> None:
    """Move the robber; chance decides which card the victim loses."""
    state.robber = tile
    if victim == NOBODY_ROBBED:
        go_on(state)
    else:
        state.victim = victim
        state.phase = STEALING
        state.actor = CHANCE


@njit
def list_discards(state: Any, out: Any) -> int:
    """List the kinds of cards in hand."""
    cards = hand(state, state.actor)
    count = 0
    for resource in range(5):
        if count_of(cards, resource) > 0:
            out[count] = DISCARD + resource
            count += 1
    return count


@njit
def list_robber(game: Any, state: Any, out: Any) -> int:
    """List the tiles for the robber, each with every possible victim, or with none if there is none."""
    tiles = robber_tiles(game, state)
    count = 0
    robbed = NONE
    for seat in range(game.rules.players):
        victims = tiles & tiles_to_rob(game, state, seat)
        robbed |= victims
        count = list_robber_at(victims, seat, out, count)
    return list_robber_at(tiles & ~robbed, NOBODY_ROBBED, out, count)


@njit
def list_robber_at(tiles: Any, victim: Any, out: Any, count: Any) -> int:
    """List the robber's moves to each of some tiles, with one victim."""
    while tiles:
        out[count] = MOVE_ROBBER + 5 * lowest_bit(tiles) + victim
        tiles &= tiles - ONE
        count += 1
    return count


@njit
def sample_robber(game: Any, state: Any, rng: Any) -> int:
    """Draw a move of the robber, each listed one equally likely."""
    tiles = robber_tiles(game, state)
    a, b = tiles & tiles_to_rob(game, state, 0), tiles & tiles_to_rob(game, state, 1)
    c, d = tiles & tiles_to_rob(game, state, 2), tiles & tiles_to_rob(game, state, 3)
    moves = (a, b, c, d, tiles & ~(a | b | c | d))
    n = random_below(rng, popcount(a) + popcount(b) + popcount(c) + popcount(d) + popcount(moves[NOBODY_ROBBED]))
    victim = 0
    while n >= popcount(moves[victim]):
        n -= popcount(moves[victim])
        victim += 1
    return MOVE_ROBBER + 5 * nth_node(moves[victim], n) + victim
