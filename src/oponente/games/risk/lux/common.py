"""What the Lux agents have in common: how they look at the board, and what they remember."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, larger, neighbours_of
from oponente.games.risk.income import holds_continent
from oponente.games.risk.state import MAX_TERRITORIES, NONE
from oponente.games.risk.thesis.common import attack_with, enemies, sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

(
    TURN,  # the turn that the rest belongs to, plus 1
    LOOKED,  # whether the board was looked at for this turn: `BEFORE_PLACING`, `ATTACKS_BEGUN`
    GOAL,  # continent to take, plus 1; 0: none
    WANTED,  # continents wanted, as a mask
    NEXT,  # continent that gets the next army
    NEXT_BORDER,  # border that gets the next army
    FORCE,  # armies with which a border of an own continent needs no more
    COUNT,  # how many armies are placed at a time
    FOE,  # the player who dominates, plus 1; 0: none
    HUNTING,  # whether there was a path through a player's territories
    ROOT,  # territory around which attacks are made, plus 1
    STEP,  # of the agent's attacks
    CURSOR,  # first territory that this step has yet to look at
    JOINED,  # whether the attack goes on from, or on, the territory at the cursor
    WON,  # whether this step has taken anything
    RESTLESS,  # whether this step is repeated
    LOOP_AT,  # step to which a loop goes back
    CHANGED,  # whether this loop has taken anything
    EVERYWHERE,  # from where attacks are made: `CLUSTER_ONLY`, `ANYWHERE`, `NOWHERE`
    EXPANDED,  # whether one easy expansion was found
    ORIGIN,  # the attack that goes on, plus 1; 0: none
    TARGET,
    MOVE_IN,  # what moves into the next conquest
    MOVED,  # territories from which armies have moved, as a mask
    PATH_SIZE,  # territories of a path to follow
    PATH_AT,  # how many of them are taken
) = range(26)
"""What an agent remembers within a turn; the set-up is one turn."""
PATH = 26
MEMORY = PATH + MAX_TERRITORIES + 1
BEFORE_PLACING, ATTACKS_BEGUN = 1, 2
CLUSTER_ONLY, ANYWHERE, NOWHERE = range(3)
VERY_MANY = 1 << 30


@njit
def begin(memory: Any, origin: Any, target: Any, moves: Any) -> int:
    """Begin an attack to the end, and remember what is to move in."""
    memory[ORIGIN], memory[TARGET], memory[MOVE_IN] = origin + 1, target + 1, moves
    return attack_with(origin, target)


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
    """Tell whether the player on turn has more armies than all others together."""
    return 2 * own_armies(state) > all_armies(game, state)


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
def most_beset(game: Any, state: Any, territories: Any, within: Any) -> int:
    """Return the one of some own territories with the most hostile neighbours among others; NONE: there is none."""
    best, most = np.int64(NONE), np.int64(-1)
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        count = popcount(enemies(game, state, territory) & within)
        if count > most:
            best, most = territory, count
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
def cluster_root(game: Any, state: Any) -> int:
    """Return a territory of the most valuable continent held, or else the one with the largest stack."""
    continent = most_valuable(game, state, state.mover)
    if continent == NONE:
        return strongest(state, state.held[state.mover])
    return lowest_bit(game.rules.continent[continent])


@njit
def root_cluster(game: Any, state: Any) -> Any:
    """Return what hangs together with the most valuable continent held, or else with the largest stack."""
    return connected(game, state.held[state.mover], cluster_root(game, state))


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
def around(game: Any, continent: Any) -> Any:
    """Return the territories of a continent and those next to it."""
    whole = game.rules.continent[continent]
    return whole | neighbours_of(game, whole)


@njit
def unwrapped(game: Any, state: Any, continent: Any) -> Any:
    """Return the territories of a continent next to one that is in no continent of the player on turn."""
    outside, own = ~game.rules.continent[continent], state.held[state.mover]
    for other in range(game.rules.continents):
        if game.rules.continent[other] & ~own == NO_TERRITORIES:
            outside &= ~game.rules.continent[other]
    found, left = NO_TERRITORIES, game.rules.continent[continent]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if game.rules.neighbours[territory] & outside:
            found |= bit(territory)
    return found


@njit
def weakest_beside(game: Any, state: Any, territory: Any, within: Any) -> int:
    """Return the armies of the weakest hostile neighbour among some territories; very many if there is none."""
    found = weakest(state, enemies(game, state, territory) & within)
    return np.int64(VERY_MANY) if found == NONE else armies_at(state, found)


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
