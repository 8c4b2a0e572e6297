"""Risk: cards. A card is a territory's, with its number, or a wild one, with a number behind all territories'."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, larger, nth_bit, room_at, smaller
from oponente.games.risk.moves import (
    BONUS,
    BY_KIND,
    DRAW_CARD,
    GETTING_BONUS,
    INCREMENTAL,
    TRADE,
    WILD,
)
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, lowest_bit, popcount

LEFT_CARDS = 4
"""After an elimination sets must be traded until so many cards are left, or fewer."""
_ESCALATION = np.array([4, 6, 8, 10, 12, 15], np.int64)
_BY_KIND = np.array([6, 8, 4, 10], np.int64)
"""Sets of infantry, cavalry, artillery, one of each."""


@njit
def hand_size(state: Any, seat: Any) -> int:
    """Return how many cards a player has."""
    return popcount(state.hand[seat])


@njit
def symbol_of(game: Any, card: Any) -> int:
    """Return the symbol of a card."""
    for symbol in range(WILD):
        if game.rules.symbols[symbol] & bit(card):
            return symbol
    return WILD


@njit
def is_set(game: Any, first: Any, second: Any, third: Any) -> bool:
    """Tell whether three cards are a set: three equal symbols, one of each, or any two and a wild card."""
    a, b, c = symbol_of(game, first), symbol_of(game, second), symbol_of(game, third)
    if WILD in (a, b, c):
        return True
    return (a == b and b == c) or (a != b and c not in (a, b))


@njit
def has_set(game: Any, cards: Any) -> bool:
    """Tell whether there is a set among some cards."""
    if popcount(cards) < 3:
        return False
    if cards & game.rules.symbols[WILD]:
        return True
    kinds = 0
    for symbol in range(WILD):
        count = popcount(cards & game.rules.symbols[symbol])
        if count >= 3:
            return True
        kinds += count > 0
    return kinds == WILD


@njit
def set_value(game: Any, state: Any, cards: Any) -> int:
    """Return the armies that a set brings."""
    traded = np.int64(state.sets)
    if game.rules.set_values == INCREMENTAL:
        return 4 + traded
    if game.rules.set_values == BY_KIND:
        return kind_value(game, cards)
    return _ESCALATION[traded] if traded < 6 else 5 * (traded - 2)


@njit
def next_set_value(game: Any, state: Any) -> int:
    """Return the armies that the next set brings; where that depends on its symbols, one of each, the likeliest set."""
    if game.rules.set_values == BY_KIND:
        return _BY_KIND[WILD]
    return set_value(game, state, np.uint64(0))


@njit
def kind_value(game: Any, cards: Any) -> int:
    """Return what a set is worth by its symbols: wild cards stand for what is worth most."""
    kinds, best = 0, np.int64(0)
    for symbol in range(WILD):
        if cards & game.rules.symbols[symbol]:
            kinds += 1
            best = larger(best, _BY_KIND[symbol])
    wilds = popcount(cards & game.rules.symbols[WILD])
    if kinds + wilds >= 3 or wilds == 3:
        return _BY_KIND[WILD]
    return best


@njit
def must_trade(game: Any, state: Any) -> bool:
    """Tell whether the player on turn has too many cards to go on."""
    size = hand_size(state, state.mover)
    limit = np.int64(LEFT_CARDS + 1) if state.capturing else np.int64(game.rules.hand_limit)
    return size >= limit and has_set(game, state.hand[state.mover])


@njit
def list_sets(game: Any, state: Any, out: Any, count: Any) -> int:
    """List the sets in the hand of the player on turn."""
    firsts = state.hand[state.mover]
    while firsts:
        first = lowest_bit(firsts)
        firsts &= firsts - ONE
        seconds = firsts
        while seconds:
            second = lowest_bit(seconds)
            seconds &= seconds - ONE
            thirds = seconds
            while thirds:
                third = lowest_bit(thirds)
                thirds &= thirds - ONE
                if is_set(game, first, second, third):
                    out[count] = TRADE + 4096 * first + 64 * second + third
                    count += 1
    return count


@njit
def trade_legal(game: Any, state: Any, action: Any) -> bool:
    """Tell whether a set may be traded."""
    first, second, third = (action - TRADE) // 4096, (action - TRADE) // 64 % 64, (action - TRADE) % 64
    if not first < second < third:
        return False
    cards = bit(first) | bit(second) | bit(third)
    return cards & ~state.hand[state.mover] == NO_TERRITORIES and is_set(game, first, second, third)


@njit
def trade(game: Any, state: Any, action: Any) -> None:
    """Trade a set for armies, and get the bonus if it shows an own territory: one is chosen if there are several."""
    mover = np.int64(state.mover)
    shown = bit((action - TRADE) // 4096) | bit((action - TRADE) // 64 % 64) | bit((action - TRADE) % 64)
    state.hand[mover] &= ~shown
    state.discard |= shown
    state.pool[mover] += set_value(game, state, shown)
    state.sets += 1
    state.shown = NO_TERRITORIES
    if game.rules.territory_bonus > 0:
        state.shown = with_room_for_bonus(game, state, shown & state.held[mover])
    if popcount(state.shown) == 1:
        get_bonus(game, state, lowest_bit(state.shown))
    elif state.shown:
        state.phase = GETTING_BONUS


@njit
def with_room_for_bonus(game: Any, state: Any, territories: Any) -> Any:
    """Return those of some territories on which another army may stand."""
    found = NO_TERRITORIES
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        if room_at(game, state, territory) > 0:
            found |= bit(territory)
    return found


@njit
def list_bonus(state: Any, out: Any) -> int:
    """List the own territories on the cards that were traded."""
    count, left = 0, state.shown
    while left:
        out[count] = BONUS + lowest_bit(left)
        left &= left - ONE
        count += 1
    return count


@njit
def get_bonus(game: Any, state: Any, territory: Any) -> None:
    """Place the bonus of a set on a territory."""
    bonus = smaller(np.int64(game.rules.territory_bonus), room_at(game, state, territory))
    state.armies[territory] += np.uint16(bonus)
    state.shown = NO_TERRITORIES


@njit
def list_draws(state: Any, out: Any, probs: Any) -> int:
    """List the cards that may be drawn."""
    count, left = 0, state.deck
    share = 1.0 / popcount(left)
    while left:
        out[count] = DRAW_CARD + lowest_bit(left)
        probs[count] = share
        left &= left - ONE
        count += 1
    return count


@njit
def draw_card(state: Any, card: Any) -> None:
    """Take a card from the deck."""
    state.deck &= ~bit(card)
    state.hand[state.mover] |= bit(card)


@njit
def random_card(cards: Any, rng: Any) -> int:
    """Return one of some cards, each equally likely."""
    return nth_bit(cards, random_below(rng, popcount(cards)))
