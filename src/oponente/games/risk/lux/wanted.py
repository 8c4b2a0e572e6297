"""Risk: the routines of attacks of Pixie and its kin, which are about continents. Each finds the next attack anew."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at
from oponente.games.risk.income import holds_continent
from oponente.games.risk.lux.common import WANTED, around, begin
from oponente.games.risk.lux.profiles import FREELY
from oponente.games.risk.moves import DONE
from oponente.games.risk.thesis.common import enemies, sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import lowest_bit, popcount


@njit
def wanted_territories(game: Any, memory: Any) -> Any:
    """Return the territories of all continents that are wanted."""
    found = NO_TERRITORIES
    for continent in range(game.rules.continents):
        if memory[WANTED] >> continent & 1:
            found |= game.rules.continent[continent]
    return found


@njit
def take_wanted(game: Any, state: Any, profile: Any, memory: Any, sure: Any) -> int:
    """Return an attack in a wanted continent from any stronger neighbour.

    If it must be sure: where armies suffice, first from territories with one hostile neighbour in wanted continents.
    """
    own, wanted = state.held[state.mover], wanted_territories(game, memory)
    action = np.int64(DONE)
    for continent in range(game.rules.continents):
        whole = game.rules.continent[continent]
        if action != DONE or not memory[WANTED] >> continent & 1:
            continue
        if not sure:
            action = stronger_on(game, state, memory, whole & ~own, own, 1.0)
        elif strong_enough(game, state, profile, continent):
            action = stronger_on(game, state, memory, whole & ~own, with_one_way(game, state, own, wanted), 1.0)
            if action == DONE:
                action = stronger_on(game, state, memory, whole & ~own, own, 1.0)
    return action


@njit
def with_one_way(game: Any, state: Any, own: Any, wanted: Any) -> Any:
    """Return those of the own territories with one hostile neighbour among those wanted."""
    found = NO_TERRITORIES
    while own:
        if popcount(enemies(game, state, lowest_bit(own)) & wanted) == 1:
            found |= own & ~(own - ONE)
        own &= own - ONE
    return found


@njit
def strong_enough(game: Any, state: Any, profile: Any, continent: Any) -> bool:
    """Tell whether own armies in and next to a continent suffice for all others in it."""
    own, whole = state.held[state.mover], game.rules.continent[continent]
    theirs = profile.factor * sum_armies(state, whole & ~own) + popcount(whole & ~own)
    return sum_armies(state, around(game, continent) & own) >= theirs


@njit
def break_continents(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return an attack on another player's continent, from a neighbour so many times as strong as its border."""
    for continent in range(game.rules.continents):
        whole = game.rules.continent[continent]
        holder = np.int64(state.owner[lowest_bit(whole)])
        if holder < game.rules.players and holder != state.mover and holds_continent(game, state, holder, continent):
            action = stronger_on(game, state, memory, whole, state.held[state.mover], profile.breaks)
            if action != DONE:
                return action
    return np.int64(DONE)


@njit
def prey(game: Any, state: Any, memory: Any) -> int:
    """Return an attack on a player with less than a fifth of the own armies, from any stronger neighbour."""
    own = state.held[state.mover]
    for seat in range(game.rules.players):
        others = state.held[seat] if seat != state.mover else NO_TERRITORIES
        if others and 5 * sum_armies(state, others) < sum_armies(state, own):
            action = stronger_on(game, state, memory, others, own, 1.0)
            if action != DONE:
                return action
    return np.int64(DONE)


@njit
def stronger_on(game: Any, state: Any, memory: Any, targets: Any, origins: Any, ratio: Any) -> int:
    """Return the attack on one of some territories from a neighbour so many times as strong, among some own ones."""
    while targets:
        target = lowest_bit(targets)
        targets &= targets - ONE
        beside = game.rules.neighbours[target] & origins
        while beside:
            origin = lowest_bit(beside)
            beside &= beside - ONE
            armies = armies_at(state, origin)
            if armies >= 2 and armies > ratio * armies_at(state, target):
                return begin(memory, origin, target, FREELY)
    return np.int64(DONE)
