"""Catan: development cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import NONE
from oponente.games.catan.building import has_place_for_road, pay
from oponente.games.catan.cards import (
    CARD_COST,
    KNIGHT,
    MONOPOLY,
    ROAD_BUILDING,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    count_of,
    holds,
    one,
    some,
)
from oponente.games.catan.knowledge import gain, hand, lose, show_count
from oponente.games.catan.moves import (
    DRAWING,
    FREE_ROADS,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    ROBBING,
)
from oponente.games.catan.roads import NOBODY
from oponente.games.catan.robber import FRIENDLY_POINTS
from oponente.games.catan.state import DRAW
from oponente.games.catan.turn import all_points, go_on
from oponente.kernel import CHANCE, njit, random_below
from oponente.kernel.bits import bit

LARGEST_ARMY_MINIMUM = 3


DEALS = 100_000
"""How often unseen cards are dealt, at most, until nobody would have won already."""


@njit
def playable(state: Any, card: Any) -> bool:
    """Tell whether the player on turn may play a card: one a turn, none bought this turn."""
    return not state.card_played and state.cards[state.mover, card] > state.fresh[card]


@njit
def deck_size(state: Any) -> int:
    """Return how many development cards are left."""
    size = np.int64(0)
    for card in range(5):
        size += np.int64(state.deck[card])
    return size


@njit
def may_buy_card(state: Any, cards: Any) -> bool:
    """Tell whether a development card is left that can be paid with these cards."""
    return holds(cards, CARD_COST) and deck_size(state) > 0


@njit
def buy_card(game: Any, state: Any) -> None:
    """Pay for a development card; chance decides which one."""
    pay(game, state, CARD_COST)
    state.phase = DRAWING
    state.actor = CHANCE


@njit
def draw_card(state: Any, card: Any) -> None:
    """Take a card from the deck."""
    state.deck[card] -= 1
    state.cards[state.mover, card] += 1
    state.fresh[card] += 1
    state.points_before[state.mover] -= 1  # it may be a victory point
    go_on(state)


@njit
def sample_deck(state: Any, rng: Any) -> int:
    """Draw a card from the deck, and leave the deck as it is."""
    left = np.int64(random_below(rng, deck_size(state)))
    card = 0
    while left >= state.deck[card]:
        left -= np.int64(state.deck[card])
        card += 1
    return card


@njit
def play_card(state: Any, card: Any) -> None:
    """Lay a development card open."""
    state.cards[state.mover, card] -= 1
    state.played[state.mover, card] += 1
    state.card_played = 1


@njit
def play_knight(game: Any, state: Any) -> None:
    """Play a knight: move the robber. Three knights, and more than anyone else, make the largest army."""
    play_card(state, KNIGHT)
    knights = state.played[state.mover, KNIGHT]
    holder = state.army_holder
    if (
        knights >= LARGEST_ARMY_MINIMUM
        and holder != state.mover
        and (holder == NOBODY or knights > state.played[holder, KNIGHT])
    ):
        if holder != NOBODY:
            state.points[holder] -= 2
        state.points[state.mover] += 2
        state.army_holder = state.mover
    state.phase = ROBBING


@njit
def play_road_building(game: Any, state: Any) -> None:
    """Play road building: place two roads, or one if there is but one piece or place."""
    play_card(state, ROAD_BUILDING)
    state.free_roads = 2
    state.phase = FREE_ROADS


@njit
def next_free_road(state: Any) -> None:
    """Go on with road building, as long as there is a road and a place for it."""
    state.free_roads -= 1
    if state.free_roads == 0 or not has_place_for_road(state, state.mover):
        state.free_roads = 0
        go_on(state)


@njit
def play_monopoly(game: Any, state: Any, resource: Any) -> None:
    """Play monopoly: all others hand over all their cards of a resource."""
    play_card(state, MONOPOLY)
    for seat in range(game.rules.players):
        if seat != state.mover:
            show_count(state, seat, resource)
    for seat in range(game.rules.players):
        if seat != state.mover:
            cards = some(resource, count_of(hand(state, seat), resource))
            lose(state, seat, cards)
            gain(state, state.mover, cards)


@njit
def play_year_of_plenty(game: Any, state: Any, cards: Any) -> None:
    """Play year of plenty: take two cards from the bank."""
    play_card(state, YEAR_OF_PLENTY)
    state.bank -= cards
    gain(state, state.mover, cards)


@njit
def list_cards(game: Any, state: Any, out: Any, count: Any) -> int:
    """List the development cards that may be played."""
    if state.card_played:
        return count
    if playable(state, KNIGHT):
        out[count] = PLAY_KNIGHT
        count += 1
    if playable(state, ROAD_BUILDING) and has_place_for_road(state, state.mover):
        out[count] = PLAY_ROAD_BUILDING
        count += 1
    if playable(state, MONOPOLY):
        for resource in range(5):
            out[count] = PLAY_MONOPOLY + resource
            count += 1
    if playable(state, YEAR_OF_PLENTY):
        count = list_plenty(game, state, out, count)
    return count


@njit
def list_plenty(game: Any, state: Any, out: Any, count: Any) -> int:
    """List what year of plenty may take: two cards, or one if the bank has but one."""
    for a in range(5):
        for b in range(a, 5):
            if holds(state.bank, one(a) + one(b)):
                out[count] = PLAY_YEAR_OF_PLENTY + 5 * a + b
                count += 1
    for a in range(5):
        if may_take_one(game, state, a):
            out[count] = PLAY_YEAR_OF_PLENTY + 25 + a
            count += 1
    return count


@njit
def may_take_one(game: Any, state: Any, resource: Any) -> bool:
    """Tell whether year of plenty may take a single card of a resource."""
    if count_of(state.bank, resource) == 0:
        return False
    left, short = 0, False
    for other in range(5):
        left += count_of(state.bank, other)
        short = short or count_of(state.bank, other) < (2 if other == resource else 1)  # a pair with it is not there
    return left == 1 or (game.rules.year_of_plenty_one and short)


@njit
def holds_card_to_play(state: Any) -> bool:
    """Tell whether the player on turn has a development card other than a victory point that is not new."""
    mover = state.mover
    for card in range(VICTORY_POINT):  # noqa: SIM110 (Numba compiles no generator expression)
        if state.cards[mover, card] > state.fresh[card]:
            return True
    return False


@njit
def sample_cards(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Deal the development cards that `player` can't see anew to the others and the deck.

    All ways are equally likely but those in which somebody would have won already: on its turn, a player has too few
    victory point cards for that, and had too few at the end of each turn before. Who has won has shown enough of them.
    Where hidden points decide whom the friendly robber spares, the legal moves show it, and it stays as it is.

    A state that contradicts itself, which the rules never lead to, keeps what was dealt last.
    """
    telling = game.rules.friendly_robber and game.rules.friendly_counts_hidden
    spared = NONE
    for seat in range(game.rules.players):
        if telling and all_points(state, seat) < FRIENDLY_POINTS:
            spared |= bit(seat)
    for _ in range(DEALS):
        shuffle_cards(game, state, player, rng)
        plausible = True
        for seat in range(game.rules.players):
            if seat == player:
                continue
            if telling:
                plausible = plausible and (spared & bit(seat) != NONE) == (all_points(state, seat) < FRIENDLY_POINTS)
            if seat == state.winner:
                plausible = plausible and all_points(state, seat) >= game.rules.points
            else:
                now = game.rules.win_on_any_turn or (seat == state.mover and state.winner != DRAW)
                shown = np.int64(state.points_before[seat])
                if now:
                    shown = max(shown, np.int64(state.points[seat]))
                plausible = plausible and shown + np.int64(state.cards[seat, VICTORY_POINT]) < game.rules.points
        if plausible:
            return


@njit
def shuffle_cards(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Deal the unseen development cards to the other players; what is left is the deck."""
    bought = np.int64(0)
    for card in range(5):
        bought += np.int64(state.fresh[card])
        if state.mover != player:
            state.fresh[card] = 0
    for seat in range(game.rules.players):
        if seat != player:
            size = np.int64(0)
            for card in range(5):
                size += np.int64(state.cards[seat, card])
                state.deck[card] += state.cards[seat, card]
                state.cards[seat, card] = 0
            state.cards[seat, 0] = size  # as a note of how many to deal
    for seat in range(game.rules.players):
        if seat != player:
            size = np.int64(state.cards[seat, 0])
            state.cards[seat, 0] = 0
            for i in range(size):
                dealt = sample_deck(state, rng)
                state.deck[dealt] -= 1
                state.cards[seat, dealt] += 1
                if seat == state.mover and i < bought:
                    state.fresh[dealt] += 1
