"""Risk: how the Lux agents claim territories, choose capitals, and trade cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, nth_bit
from oponente.games.risk.cards import has_set, is_set, must_trade
from oponente.games.risk.lux.common import gates, strongest
from oponente.games.risk.lux.profiles import PICK_FEW_BORDERS, PICK_MANAGEABLE, PICK_RANDOM
from oponente.games.risk.moves import CAPITAL, CLAIM, DONE, TRADE
from oponente.games.risk.state import FREE, NONE
from oponente.games.risk.thesis.common import nth_owned
from oponente.kernel import njit, random_below
from oponente.kernel.bits import bit, lowest_bit, popcount


@njit
def claim_step(game: Any, state: Any, profile: Any, rng: Any) -> int:
    """Return the territory that is claimed: in the best continent, beside own ones there if possible."""
    free = state.held[FREE]
    if profile.picks == PICK_RANDOM:
        return CLAIM + nth_bit(free, random_below(rng, popcount(free)))
    continent = np.int64(NONE)
    if profile.keeps and state.held[state.mover]:
        continent = np.int64(game.rules.continent_of[nth_owned(game, state, 0)])
        if continent != NONE and game.rules.continent[continent] & free == NO_TERRITORIES:
            continent = np.int64(NONE)
    for empty in (True, False):
        if continent == NONE:
            continent = best_continent(game, state, profile.picks, empty)
    return CLAIM + handiest(game, state, free if continent == NONE else free & game.rules.continent[continent])


@njit
def best_continent(game: Any, state: Any, picks: Any, empty: Any) -> int:
    """Return the continent to settle in: one in which nobody is, or one with free territories; NONE: there is none."""
    best, least = np.int64(NONE), np.int64(1 << 30)
    free = state.held[FREE]
    for continent in range(game.rules.continents):
        whole = game.rules.continent[continent]
        if whole & free == NO_TERRITORIES or (empty and whole & ~free):
            continue
        value = size = popcount(whole)
        if picks == PICK_FEW_BORDERS:
            value = popcount(gates(game, continent))
        elif picks == PICK_MANAGEABLE:
            if 4 * np.int64(game.rules.players) * size >= 5 * np.int64(game.rules.territories):
                continue
            value = -size
        if value < least:
            best, least = np.int64(continent), value
    return best


@njit
def handiest(game: Any, state: Any, territories: Any) -> int:
    """Return the one of some territories with the most own neighbours, of equals the one with the fewest neighbours."""
    best, most = np.int64(NONE), np.int64(-(1 << 30))
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        value = 100 * popcount(game.rules.neighbours[territory] & state.held[state.mover])
        value -= np.int64(game.rules.degree[territory])
        if value > most:
            best, most = territory, value
    return best


@njit
def capital_step(state: Any) -> int:
    """Return the strongest territory as the capital."""
    return CAPITAL + strongest(state, state.held[state.mover])


@njit
def trade_step(game: Any, state: Any, profile: Any) -> int:
    """Return the best set, if one is due or wanted."""
    if not has_set(game, state.hand[state.mover]) or not (profile.trades or must_trade(game, state)):
        return np.int64(DONE)
    return best_set(game, state)


@njit
def best_set(game: Any, state: Any) -> int:
    """Return the trade of the best set in hand: with most own territories, wild cards saved. `DONE`: there is none."""
    hand = state.hand[state.mover]
    best, most = np.int64(DONE), np.int64(-100)
    territories = np.int64(game.rules.territories)
    firsts = hand
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
                    shown = bit(first) | bit(second) | bit(third)
                    wilds = (first >= territories) + (second >= territories) + (third >= territories)
                    value = popcount(shown & state.held[state.mover]) - 10 * wilds
                    if value > most:
                        best, most = TRADE + 4096 * first + 64 * second + third, value
    return best
