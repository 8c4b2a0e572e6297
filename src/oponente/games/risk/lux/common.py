"""What the Lux agents have in common: how they look at the board, and what they remember."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, larger
from oponente.games.risk.income import holds_continent
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import enemies, sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

(
    TURN,  # the turn that the rest belongs to
    EXPANDED,  # territories taken by easy expansion
    SWEEPING,  # whether a sweep is on
    MOVE_IN,  # what moves into the next conquest
    SHARE,  # parts that a stack is divided into
    ORIGIN,  # the attack that goes on, plus 1; 0: none
    TARGET,
    WANTED,  # continents wanted, as a mask
    NEXT,  # continent that gets the next army
    ATTACKS,  # attacks begun
    PATH_SIZE,  # territories of a path to follow
    PATH_AT,  # how many of them are taken
) = range(12)
PATH = 12
LONGEST_PATH = 24
MEMORY = PATH + LONGEST_PATH
ALL, LEAST, PART, HALF = range(4)
"""What moves in."""


@njit
def all_armies(game: Any, state: Any) -> int:
    """Return how many armies stand on the board."""
    total = np.int64(0)
    for territory in range(game.rules.territories):
        total += armies_at(state, territory)
    return total


@njit
def own_armies(state: Any) -> int:
    """Return how many armies the player on turn has on the board."""
    return sum_armies(state, state.held[state.mover])


@njit
def outnumbers_all(game: Any, state: Any) -> bool:
    """Tell whether the player on turn has more armies than all others together, or so many that nothing else helps."""
    own = own_armies(state)
    return 2 * own > all_armies(game, state) or own > 1500


@njit
def borders(game: Any, state: Any, territories: Any) -> Any:
    """Return those of some own territories that have neighbours of others."""
    found = NO_TERRITORIES
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        if enemies(game, state, territory):
            found |= bit(territory)
    return found


@njit
def count_enemies(game: Any, state: Any, territory: Any) -> int:
    """Return how many neighbours of a territory belong to others."""
    return popcount(enemies(game, state, territory))


@njit
def weakest(state: Any, territories: Any) -> int:
    """Return the one of some territories with the fewest armies, the first by number; NONE: there is none."""
    best, fewest = np.int64(NONE), np.int64(1 << 30)
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        if armies_at(state, territory) < fewest:
            best, fewest = territory, armies_at(state, territory)
    return best


@njit
def strongest(state: Any, territories: Any) -> int:
    """Return the one of some territories with the most armies, the first by number; NONE: there is none."""
    best, most = np.int64(NONE), np.int64(-1)
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        if armies_at(state, territory) > most:
            best, most = territory, armies_at(state, territory)
    return best


@njit
def most_beset(game: Any, state: Any, territories: Any) -> int:
    """Return the one of some own territories with the most hostile neighbours; NONE: there is none."""
    best, most = np.int64(NONE), np.int64(-1)
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        if count_enemies(game, state, territory) > most:
            best, most = territory, count_enemies(game, state, territory)
    return best


@njit
def most_valuable(game: Any, state: Any, seat: Any) -> int:
    """Return the continent with the greatest bonus that a player holds, NONE if it holds none."""
    best, most = np.int64(NONE), np.int64(0)
    for continent in range(game.rules.continents):
        if game.rules.bonus[continent] > most and holds_continent(game, state, seat, continent):
            best, most = np.int64(continent), np.int64(game.rules.bonus[continent])
    return best


@njit
def root_cluster(game: Any, state: Any) -> Any:
    """Return what hangs together with the most valuable continent held, or else with the largest stack."""
    own = state.held[state.mover]
    continent = most_valuable(game, state, state.mover)
    root = strongest(state, own) if continent == NONE else lowest_bit(game.rules.continent[continent])
    return connected(game, own, root)


@njit
def easiest(game: Any, state: Any) -> int:
    """Return the continent with a bonus, not held, in which own armies by others' are most; NONE: there is none."""
    best, best_own, best_enemy = np.int64(NONE), np.int64(-1), np.int64(1)
    own = state.held[state.mover]
    for continent in range(game.rules.continents):
        whole = game.rules.continent[continent]
        if game.rules.bonus[continent] <= 0 or whole & ~own == NO_TERRITORIES:
            continue
        ours, theirs = sum_armies(state, whole & own), sum_armies(state, whole & ~own)
        if ours * best_enemy > best_own * theirs:
            best, best_own, best_enemy = np.int64(continent), ours, theirs
    return best


@njit
def gates(game: Any, continent: Any) -> Any:
    """Return the territories of a continent that have neighbours outside."""
    whole = game.rules.continent[continent]
    found, left = NO_TERRITORIES, whole
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if game.rules.neighbours[territory] & ~whole:
            found |= bit(territory)
    return found


@njit
def cheapest_path(game: Any, state: Any, goal: Any, cost: Any, step: Any) -> int:
    """Return the own territory from which the fewest hostile armies stand on the way to one of the goals; NONE: none.

    Args:
        goal: territories of others.
        cost: int64 work space: gets the armies on the way to each territory, itself included.
        step: int64 work space: gets from where each is reached.
    """
    far = np.int64(1 << 40)
    for territory in range(game.rules.territories):
        cost[territory], step[territory] = far, NONE
    own = state.held[state.mover]
    waiting = borders(game, state, own)
    left = waiting
    while left:
        cost[lowest_bit(left)] = 0
        left &= left - ONE
    while waiting:
        here, least = np.int64(NONE), far
        left = waiting
        while left:
            territory = lowest_bit(left)
            left &= left - ONE
            if cost[territory] < least or here == NONE:
                here, least = territory, cost[territory]
        waiting &= ~bit(here)
        if goal & bit(here):
            while not own & bit(here):
                goal = bit(here)
                here = step[here]
            return here
        left = enemies(game, state, here)
        while left:
            territory = lowest_bit(left)
            left &= left - ONE
            through = least + armies_at(state, territory)
            if through < cost[territory]:
                cost[territory], step[territory] = through, here
                waiting |= bit(territory)
    return np.int64(NONE)


@njit
def first_step(state: Any, goal: Any, cost: Any, step: Any) -> Any:
    """Return the first territory, and the armies, on the way to the cheapest goal by what `cheapest_path` has found."""
    best, least = np.int64(NONE), np.int64(1 << 40)
    while goal:
        territory = lowest_bit(goal)
        goal &= goal - ONE
        if cost[territory] < least and step[territory] != NONE:
            best, least = territory, cost[territory]
    if best == NONE:
        return best, least
    own = state.held[state.mover]
    while not own & bit(step[best]):
        best = step[best]
    return best, least


@njit
def dominant(game: Any, state: Any) -> int:
    """Return another player who has half of all armies, territories or income, or more; NONE: there is none."""
    armies, territories = all_armies(game, state), np.int64(game.rules.territories)
    incomes = np.int64(0)
    for seat in range(game.rules.players):
        incomes += income_of(game, state, seat)
    for seat in range(game.rules.players):
        if seat == state.mover:
            continue
        held = state.held[seat]
        if (
            2 * sum_armies(state, held) >= armies
            or 2 * popcount(held) >= territories
            or 2 * income_of(game, state, seat) >= incomes
        ):
            return np.int64(seat)
    return np.int64(NONE)


@njit
def income_of(game: Any, state: Any, seat: Any) -> int:
    """Return what a player gets for territories and continents; 0 if out."""
    if state.held[seat] == NO_TERRITORIES:
        return np.int64(0)
    total = larger(popcount(state.held[seat]) // np.int64(game.rules.divisor), np.int64(3))
    for continent in range(game.rules.continents):
        if holds_continent(game, state, seat, continent):
            total += np.int64(game.rules.bonus[continent])
    return total


@njit
def prize(game: Any, state: Any, seat: Any) -> Any:
    """Return the most valuable continents that a player holds as territories: all of them together, or none."""
    found = NO_TERRITORIES
    for continent in range(game.rules.continents):
        if holds_continent(game, state, seat, continent):
            found |= game.rules.continent[continent]
    return found
