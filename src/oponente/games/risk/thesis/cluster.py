"""Risk: the thesis's agent Cluster.

Its *root* is the first territory of the most valuable continent that it holds, or else its strongest territory; its
*cluster* is all that own paths lead to from there, of which the *border* has hostile neighbours and the *inner* part
has none. It strengthens the border, or a continent that it may win, and attacks along the border.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import most_to_occupy
from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, connected, neighbours_of
from oponente.games.risk.fortify import most_to_move
from oponente.games.risk.income import holds_continent, placeable_at
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACKING,
    DONE,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_TO,
    OCCUPYING,
    PLACE,
    PLACING,
    PLACING_AMOUNT,
)
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.angry import weakest_enemy
from oponente.games.risk.thesis.common import (
    BORDER,
    FRONT,
    PLANNED,
    TARGET,
    attack_with,
    enemies,
    first_owned,
    is_own,
    strongest_of,
    sum_armies,
    weakest_of,
)
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

HALF = np.uint64(30)
LOW_HALF = (ONE << HALF) - ONE
ENOUGH = 4
"""Armies on one territory at least without which it does not attack."""


@njit
def cluster_step(game: Any, state: Any, memory: Any) -> int:
    """Return what Cluster does."""
    if state.phase == ATTACKING:
        return cluster_attack(game, state, memory)
    return cluster_other_step(game, state, memory)


@njit
def cluster_other_step(game: Any, state: Any, memory: Any) -> int:
    """Return what Cluster does when it does not attack."""
    phase = state.phase
    if phase == PLACING:
        return cluster_placing(game, state, memory)
    if phase == PLACING_AMOUNT:
        return np.int64(AMOUNT + 1)
    if phase == OCCUPYING:
        return AMOUNT + armies_to_occupy(game, state)
    if phase in (MOVING, MOVING_TO):
        own = cluster(game, state)
        border = border_of(game, state, own)
        inner = own & ~border
        if phase == MOVING_TO:
            return MOVE_TO + weakest_of(state, border)
        return MOVE_FROM + strongest_of(state, inner) if inner else np.int64(DONE)
    return AMOUNT + most_to_move(game, state)


# --- the cluster -----------------------------------------------------------------------------------------------------


@njit
def best_continent(game: Any, state: Any) -> int:
    """Return the most valuable continent of the player on turn, the first of equals; NONE if it holds none."""
    best, most = np.int64(NONE), np.int64(-1)
    for continent in range(game.rules.continents):
        bonus = np.int64(game.rules.bonus[continent])
        if bonus > most and holds_continent(game, state, state.mover, continent):
            best, most = np.int64(continent), bonus
    return best


@njit
def cluster(game: Any, state: Any) -> Any:
    """Return the territories of the cluster."""
    own = state.held[state.mover]
    continent = best_continent(game, state)
    root = strongest_of(state, own) if continent == NONE else lowest_bit(game.rules.continent[continent])
    return connected(game, own, root)


@njit
def border_of(game: Any, state: Any, territories: Any) -> Any:
    """Return those of some own territories that have hostile neighbours."""
    found = NO_TERRITORIES
    while territories:
        territory = lowest_bit(territories)
        territories &= territories - ONE
        if enemies(game, state, territory):
            found |= bit(territory)
    return found


@njit
def easiest_continent(game: Any, state: Any) -> int:
    """Return the continent not held in which own armies by hostile ones are most, the last of equals."""
    best, own_best, enemy_best = np.int64(NONE), np.int64(-1), np.int64(1)
    for continent in range(game.rules.continents):
        whole = game.rules.continent[continent]
        if holds_continent(game, state, state.mover, continent):
            continue
        own = sum_armies(state, whole & state.held[state.mover])
        enemy = sum_armies(state, whole & ~state.held[state.mover])
        if own * enemy_best >= own_best * enemy:
            best, own_best, enemy_best = np.int64(continent), own, enemy
    return best


# --- placing ---------------------------------------------------------------------------------------------------------


@njit
def cluster_placing(game: Any, state: Any, memory: Any) -> int:
    """Return where the next army goes; in the end the target is forgotten."""
    if state.pool[state.mover] > 0:
        if memory[PLANNED] != np.int64(state.turn):
            plan_placing(game, state, memory)
        territory = np.int64(memory[FRONT]) - 1
        if territory == NONE:
            territory = weakest_of(state, planned_border(memory))
        if territory != NONE and placeable_at(game, state, territory) > 0:
            return PLACE + territory
    memory[TARGET] = 0
    return np.int64(DONE)


@njit
def plan_placing(game: Any, state: Any, memory: Any) -> None:
    """Find out, once a turn, where armies go: each on the weakest of a border, or all on one territory.

    Armies that are placed change neither the border nor which of the other player's armies are beside a territory, and
    the continent that is easiest becomes still easier.
    """
    border, front = NO_TERRITORIES, np.int64(NONE)
    if best_continent(game, state) != NONE:
        border = border_of(game, state, cluster(game, state))
    else:
        front = front_of(game, state, game.rules.continent[easiest_continent(game, state)])
    memory[PLANNED], memory[FRONT] = state.turn, front + 1
    memory[BORDER], memory[BORDER + 1] = border & LOW_HALF, border >> HALF


@njit
def planned_border(memory: Any) -> Any:
    """Return the border that was planned for, none if armies go to one territory."""
    return np.uint64(memory[BORDER]) | np.uint64(memory[BORDER + 1]) << HALF


@njit
def front_of(game: Any, state: Any, whole: Any) -> int:
    """Return the own territory of a continent with the most hostile armies beside it there, the first by number."""
    best, most = np.int64(NONE), np.int64(-1)
    own = whole & state.held[state.mover]
    while own:
        territory = lowest_bit(own)
        own &= own - ONE
        against = sum_armies(state, enemies(game, state, territory) & whole)
        if against > most:
            best, most = territory, against
    return best


# --- attacking -------------------------------------------------------------------------------------------------------


@njit
def cluster_attack(game: Any, state: Any, memory: Any) -> int:
    """Return the attack on the target that is remembered, or an easy one, or one on what is isolated, or one on a new
    target; or the end of attacks.
    """
    if not any_has(state, state.held[state.mover], ENOUGH):
        return np.int64(DONE)
    if memory[TARGET] > 0 and not is_own(state, memory[TARGET] - 1):
        action = attack_target(game, state, memory)
        if action != DONE:
            return action
    border = border_of(game, state, cluster(game, state))
    hostile = neighbours_of(game, border) & ~state.held[state.mover]
    action = easy_attack(game, state, border, hostile)
    if action == DONE:
        action = isolated_attack(game, state, border, hostile)
    if action == DONE:
        memory[TARGET] = 1 + consolidation(game, state, border, hostile)
        action = attack_target(game, state, memory)
    return action


@njit
def any_has(state: Any, territories: Any, least: Any) -> bool:
    """Tell whether on one of some territories so many armies stand, or more."""
    while territories:
        if armies_at(state, lowest_bit(territories)) >= least:
            return True
        territories &= territories - ONE
    return False


@njit
def attack_target(game: Any, state: Any, memory: Any) -> int:
    """Return the attack of the strongest neighbour on the target; DONE, and it is forgotten, if that has one army."""
    target = np.int64(memory[TARGET]) - 1
    if target != NONE:
        origin = strongest_beside(game, state, target)
        if origin != NONE and armies_at(state, origin) > 1:
            return attack_with(origin, target)
    memory[TARGET] = 0
    return np.int64(DONE)


@njit
def strongest_beside(game: Any, state: Any, target: Any) -> int:
    """Return the own neighbour of a territory with the most armies, the first in the order of its neighbours; NONE:
    there is none.
    """
    best, most = np.int64(NONE), np.int64(0)
    for i in range(game.rules.degree[target]):
        neighbour = np.int64(game.rules.neighbour[target, i])
        if is_own(state, neighbour) and armies_at(state, neighbour) > most:
            best, most = neighbour, armies_at(state, neighbour)
    return best


@njit
def easy_attack(game: Any, state: Any, border: Any, hostile: Any) -> int:
    """Return the attack of the strongest border territory that has more than two armies beside a hostile one that has
    one; DONE: there is none. `hostile` are all that are beside the border.
    """
    easy = NO_TERRITORIES
    while hostile:
        territory = lowest_bit(hostile)
        hostile &= hostile - ONE
        if armies_at(state, territory) == 1:
            easy |= bit(territory)
    best = strongest_of(state, beside(game, border, easy))
    if best == NONE or armies_at(state, best) <= 2:
        return np.int64(DONE)
    return attack_with(best, first_with_one(game, state, best))


@njit
def beside(game: Any, border: Any, hostile: Any) -> Any:
    """Return those of a border that are beside some hostile territories."""
    return border & neighbours_of(game, hostile)


@njit
def first_with_one(game: Any, state: Any, territory: Any) -> int:
    """Return the first hostile neighbour that has one army, NONE if there is none."""
    hostile = enemies(game, state, territory)
    for i in range(game.rules.degree[territory]):
        neighbour = np.int64(game.rules.neighbour[territory, i])
        if hostile & bit(neighbour) and armies_at(state, neighbour) == 1:
            return neighbour
    return np.int64(NONE)


@njit
def isolated_attack(game: Any, state: Any, border: Any, hostile: Any) -> int:
    """Return the attack of the strongest border territory beside a hostile one whose first neighbour is own; DONE:
    there is none, or the strongest has one army. `hostile` are all that are beside the border.
    """
    isolated = NO_TERRITORIES
    while hostile:
        territory = lowest_bit(hostile)
        hostile &= hostile - ONE
        if is_own(state, np.int64(game.rules.neighbour[territory, 0])):
            isolated |= bit(territory)
    best = strongest_of(state, beside(game, border, isolated))
    if best == NONE or armies_at(state, best) <= 1:
        return np.int64(DONE)
    return attack_with(best, first_isolated(game, state, best))


@njit
def first_isolated(game: Any, state: Any, territory: Any) -> int:
    """Return the first hostile neighbour whose own first neighbour is the player's, NONE if there is none."""
    hostile = enemies(game, state, territory)
    for i in range(game.rules.degree[territory]):
        neighbour = np.int64(game.rules.neighbour[territory, i])
        if hostile & bit(neighbour) and is_own(state, np.int64(game.rules.neighbour[neighbour, 0])):
            return neighbour
    return np.int64(NONE)


@njit
def consolidation(game: Any, state: Any, border: Any, hostile: Any) -> int:
    """Return the hostile neighbour of the border with the most own armies beside it by its armies, the first of equals:
    by border territory in owned order, then in the order of its neighbours. NONE: there is none.
    """
    equal, own_best, enemy_best = NO_TERRITORIES, np.int64(0), np.int64(1)
    while hostile:
        territory = lowest_bit(hostile)
        hostile &= hostile - ONE
        own = sum_armies(state, game.rules.neighbours[territory] & state.held[state.mover])
        enemy = armies_at(state, territory)
        if own * enemy_best > own_best * enemy:
            equal, own_best, enemy_best = bit(territory), own, enemy
        elif own * enemy_best == own_best * enemy:
            equal |= bit(territory)
    if equal & (equal - ONE) == NO_TERRITORIES:
        return np.int64(NONE) if equal == NO_TERRITORIES else lowest_bit(equal)
    first = first_owned(state, beside(game, border, equal))
    place = 0
    while equal & bit(game.rules.neighbour[first, place]) == NO_TERRITORIES:
        place += 1
    return np.int64(game.rules.neighbour[first, place])


# --- occupying -------------------------------------------------------------------------------------------------------


@njit
def armies_to_occupy(game: Any, state: Any) -> int:
    """Return how many armies move into the conquered territory: all, or none."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    every = most_to_occupy(game, state)
    if popcount(enemies(game, state, origin)) == 1:
        return every
    continent = easiest_continent(game, state)
    whole = game.rules.continent[continent] if continent != NONE else NO_TERRITORIES
    from_target = enemies(game, state, target) & whole
    if from_target == NO_TERRITORIES:
        return np.int64(0)
    from_origin = enemies(game, state, origin) & whole
    if from_origin:
        weakest = armies_at(state, weakest_enemy(game, state, origin, from_origin))
        if weakest < armies_at(state, weakest_enemy(game, state, target, from_target)):
            return np.int64(0)
    return every
