"""Risk: how the Lux agents attack: the routines, and which of them each agent tries in which order."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, larger
from oponente.games.risk.income import holds_continent
from oponente.games.risk.lux.common import (
    ALL,
    ATTACKS,
    EXPANDED,
    HALF,
    LEAST,
    MOVE_IN,
    ORIGIN,
    PART,
    PATH,
    PATH_AT,
    PATH_SIZE,
    SHARE,
    SWEEPING,
    TARGET,
    WANTED,
    borders,
    cheapest_path,
    count_enemies,
    dominant,
    first_step,
    income_of,
    most_valuable,
    outnumbers_all,
    prize,
    root_cluster,
    strongest,
    weakest,
)
from oponente.games.risk.lux.profiles import (
    ATTACK_ANGRY,
    ATTACK_CLUSTER,
    ATTACK_ONE,
    ATTACK_SHAFT,
    ATTACK_WEAK,
    CARD_HALF,
    CARD_LEAST,
    SPLIT_ALWAYS,
    SPLIT_SOMETIMES,
)
from oponente.games.risk.moves import DONE
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import attack_with, enemies, is_own, sum_armies
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

SPLIT_RATIO = 1.2
MANY_ARMIES = 300
"""With more Stinky attacks with everything."""


@njit
def attack_step(game: Any, state: Any, profile: Any, memory: Any, work: Any) -> int:
    """Return the attack that goes on, or else the first that a routine finds; or the end of attacks."""
    origin, target = np.int64(memory[ORIGIN]) - 1, np.int64(memory[TARGET]) - 1
    if origin != NONE and is_own(state, origin) and not is_own(state, target) and armies_at(state, origin) >= 2:
        return attack_with(origin, target)
    memory[ORIGIN] = memory[TARGET] = 0
    action = special(game, state, profile, memory, work)
    if action == DONE:
        action = routine(game, state, profile, memory)
    if action == DONE and profile.card and game.rules.cards and not state.conquered:
        action = for_a_card(game, state, profile, memory)
    if action == DONE and outnumbers_all(game, state):
        own = state.held[state.mover]
        action = triple(game, state, memory, own)
        if action == DONE:
            action = split_up(game, state, memory, own, 0.01)
    memory[ATTACKS] += action != DONE
    return action


@njit
def begin(memory: Any, origin: Any, target: Any, moves: Any) -> int:
    """Begin an attack to the end, and remember what is to move in."""
    memory[ORIGIN], memory[TARGET], memory[MOVE_IN] = origin + 1, target + 1, moves
    return attack_with(origin, target)


@njit
def special(game: Any, state: Any, profile: Any, memory: Any, work: Any) -> int:
    """Return an attack on the player to eliminate, or on the one who dominates."""
    if profile.kills and memory[PATH_SIZE] > memory[PATH_AT] + 1:
        here, following = np.int64(memory[PATH + memory[PATH_AT]]), np.int64(memory[PATH + memory[PATH_AT] + 1])
        if is_own(state, following):
            memory[PATH_AT] += 1
            if memory[PATH_SIZE] > memory[PATH_AT] + 1:
                here, following = following, np.int64(memory[PATH + memory[PATH_AT] + 1])
        if is_own(state, here) and not is_own(state, following) and armies_at(state, here) >= 2:
            return begin(memory, here, following, ALL)
        memory[PATH_SIZE] = 0
    if profile.dominant:
        seat = dominant(game, state)
        if seat != NONE:
            goal = prize(game, state, seat)
            if goal:
                start = cheapest_path(game, state, goal, work[0], work[1])
                if start != NONE:
                    target, armies = first_step(state, goal, work[0], work[1])
                    if target != NONE:
                        origin = np.int64(work[1, target])
                        if armies_at(state, origin) > armies:
                            return begin(memory, origin, target, ALL)
    return np.int64(DONE)


@njit
def routine(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return the next attack of the agent's own routine."""
    attack = profile.attack
    own = state.held[state.mover]
    if attack == ATTACK_ANGRY:
        return weakest_beside(game, state, memory, own, 1.0)
    if attack == ATTACK_WEAK:
        ratio = 0.0 if sum_armies(state, own) > MANY_ARMIES else 1.5
        return weakest_beside(game, state, memory, own, ratio)
    if attack == ATTACK_ONE:
        return one_attack(game, state, memory, own) if memory[ATTACKS] == 0 else np.int64(DONE)
    if attack == ATTACK_CLUSTER:
        action = triple(game, state, memory, root_cluster(game, state))
        if action == DONE and may_split(game, state, profile):
            action = split_up(game, state, memory, root_cluster(game, state), SPLIT_RATIO)
        return action
    if attack == ATTACK_SHAFT:
        return shaft(game, state, memory)
    return pixie(game, state, profile, memory)


@njit
def weakest_beside(game: Any, state: Any, memory: Any, own: Any, ratio: Any) -> int:
    """Return the attack of the first own territory on its weakest neighbour that is so many times weaker."""
    while own:
        origin = lowest_bit(own)
        own &= own - ONE
        target = weakest(state, enemies(game, state, origin))
        armies = armies_at(state, origin)
        if target != NONE and armies >= 2 and armies > ratio * armies_at(state, target):
            return begin(memory, origin, target, ALL)
    return np.int64(DONE)


@njit
def one_attack(game: Any, state: Any, memory: Any, own: Any) -> int:
    """Return the attack on the weakest of all hostile neighbours, if a neighbour of it is stronger."""
    near = NO_TERRITORIES
    left = own
    while left:
        near |= enemies(game, state, lowest_bit(left))
        left &= left - ONE
    target = weakest(state, near)
    if target == NONE:
        return np.int64(DONE)
    origin = strongest(state, game.rules.neighbours[target] & own)
    if armies_at(state, origin) <= larger(armies_at(state, target), 1):
        return np.int64(DONE)
    return begin(memory, origin, target, HALF)


# --- routines of Cluster and its kin -------------------------------------------------------------------------------


@njit
def triple(game: Any, state: Any, memory: Any, area: Any) -> int:
    """Return an easy expansion, or one that fills a hole, or one that shortens the front."""
    action = easy_expand(game, state, memory, area)
    if action == DONE:
        action = fill_out(game, state, memory, area)
    if action == DONE:
        action = consolidate(game, state, memory, area)
    return action


@njit
def easy_expand(game: Any, state: Any, memory: Any, area: Any) -> int:
    """Return the attack of a border on its only hostile neighbour, if that is weaker."""
    left = area
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        hostile = enemies(game, state, origin)
        if popcount(hostile) == 1 and armies_at(state, origin) > armies_at(state, lowest_bit(hostile)):
            return begin(memory, origin, lowest_bit(hostile), ALL)
    return np.int64(DONE)


@njit
def fill_out(game: Any, state: Any, memory: Any, area: Any) -> int:
    """Return the attack on a territory all of whose neighbours are own, if one of them is stronger."""
    own = state.held[state.mover]
    left = area
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        hostile = enemies(game, state, origin)
        while hostile:
            target = lowest_bit(hostile)
            hostile &= hostile - ONE
            alone = game.rules.neighbours[target] & ~own == NO_TERRITORIES
            if alone and armies_at(state, origin) > armies_at(state, target):
                return begin(memory, origin, target, LEAST)
    return np.int64(DONE)


@njit
def consolidate(game: Any, state: Any, memory: Any, area: Any) -> int:
    """Return the attack on the only hostile neighbour of two or more borders, if these together are stronger."""
    left = area
    while left:
        first = lowest_bit(left)
        left &= left - ONE
        hostile = enemies(game, state, first)
        if popcount(hostile) != 1:
            continue
        target = lowest_bit(hostile)
        together, count, best = np.int64(0), 0, np.int64(NONE)
        beside = game.rules.neighbours[target] & state.held[state.mover]
        while beside:
            other = lowest_bit(beside)
            beside &= beside - ONE
            if enemies(game, state, other) == hostile:
                together += armies_at(state, other)
                count += 1
                if best == NONE or armies_at(state, other) > armies_at(state, best):
                    best = other
        if count >= 2 and together > armies_at(state, target) and armies_at(state, best) >= 2:
            return begin(memory, best, target, ALL)
    return np.int64(DONE)


@njit
def split_up(game: Any, state: Any, memory: Any, area: Any, ratio: Any) -> int:
    """Return the attack of a border that is so many times stronger than all its hostile neighbours on one of them."""
    left = area
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        hostile = enemies(game, state, origin)
        if hostile and armies_at(state, origin) >= 2 and armies_at(state, origin) > ratio * sum_armies(state, hostile):
            memory[SHARE] = popcount(hostile)
            return begin(memory, origin, weakest(state, hostile), PART)
    return np.int64(DONE)


@njit
def may_split(game: Any, state: Any, profile: Any) -> bool:
    """Tell whether a stack may be divided: Yakool does so only if it owns no continent, or is behind or far ahead."""
    if profile.split != SPLIT_SOMETIMES:
        return profile.split == SPLIT_ALWAYS
    mover = np.int64(state.mover)
    own, total, alive, most = income_of(game, state, mover), np.int64(0), 0, np.int64(0)
    for seat in range(game.rules.players):
        income = income_of(game, state, seat)
        total += income
        alive += income > 0
        most = larger(most, income)
    return (
        most_valuable(game, state, mover) == NONE or own * alive < total or own == most or outnumbers_all(game, state)
    )


@njit
def shaft(game: Any, state: Any, memory: Any) -> int:
    """Return one easy expansion, or one that fills a hole; what shortens the front; or a sweep if nothing was taken."""
    area = root_cluster(game, state)
    action = np.int64(DONE)
    if memory[EXPANDED] == 0:
        action = easy_expand(game, state, memory, area)
        if action == DONE:
            action = fill_out(game, state, memory, area)
        memory[EXPANDED] = action != DONE
    if action == DONE:
        action = consolidate(game, state, memory, area)
    if action == DONE and (memory[SWEEPING] or not state.conquered):
        action = sweep(game, state, memory, area)
        memory[SWEEPING] = action != DONE
    return action


@njit
def sweep(game: Any, state: Any, memory: Any, area: Any) -> int:
    """Return the first attack of an advance along territories with one way on, if it leaves a front of one territory.

    The advance takes the weakest neighbour that has one hostile neighbour at most that is not seen yet, and goes on
    from there.
    """
    left = borders(game, state, area)
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        own, here, first, armies = state.held[state.mover], origin, np.int64(NONE), armies_at(state, origin)
        while armies > 1:
            following = np.int64(NONE)
            choices = game.rules.neighbours[here] & ~own
            while choices:
                target = lowest_bit(choices)
                choices &= choices - ONE
                unseen = popcount(game.rules.neighbours[target] & ~own & ~bit(target))
                weaker = following == NONE or armies_at(state, target) < armies_at(state, following)
                if unseen <= 1 and weaker:
                    following = target
            if following == NONE or armies <= armies_at(state, following) + 1:
                break
            armies -= armies_at(state, following) + 1
            first = following if first == NONE else first
            own |= bit(following)
            here = following
            if front_size(game, own, area | own & ~state.held[state.mover]) <= 1:
                return begin(memory, origin, first, ALL)
    return np.int64(DONE)


@njit
def front_size(game: Any, own: Any, area: Any) -> int:
    """Return how many of some territories would have hostile neighbours if `own` were the player's."""
    count = 0
    while area:
        count += game.rules.neighbours[lowest_bit(area)] & ~own != NO_TERRITORIES
        area &= area - ONE
    return count


@njit
def for_a_card(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return the attack with the best ratio of armies, if the player is stronger by the agent's factor."""
    best, best_target, best_ratio = np.int64(NONE), np.int64(NONE), profile.card_ratio
    left = state.held[state.mover]
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        target = weakest(state, enemies(game, state, origin))
        if target != NONE and armies_at(state, origin) >= 2:
            ratio = armies_at(state, origin) / armies_at(state, target)
            if ratio > best_ratio:
                best, best_target, best_ratio = origin, target, ratio
    if best == NONE:
        return np.int64(DONE)
    moves = profile.card_moves
    return begin(memory, best, best_target, HALF if moves == CARD_HALF else LEAST if moves == CARD_LEAST else ALL)


# --- routines of Pixie and its kin ---------------------------------------------------------------------------------


@njit
def pixie(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return an attack in a wanted continent, or one that breaks another's continent, or one on the very weak."""
    own = state.held[state.mover]
    for continent in range(game.rules.continents):
        if memory[WANTED] >> continent & 1:
            whole = game.rules.continent[continent]
            if profile.factor > 1.0 and not strong_enough(game, state, profile, whole):
                continue
            action = stronger_on(game, state, memory, whole & ~own, 1.0)
            if action != DONE:
                return action
    if profile.breaks > 0.0:
        for continent in range(game.rules.continents):
            whole = game.rules.continent[continent]
            holder = np.int64(state.owner[lowest_bit(whole)])
            if (
                holder < game.rules.players
                and holder != state.mover
                and holds_continent(game, state, holder, continent)
            ):
                action = stronger_on(game, state, memory, whole, profile.breaks)
                if action != DONE:
                    return action
    if profile.preys:
        for seat in range(game.rules.players):
            others = state.held[seat] if seat != state.mover else NO_TERRITORIES
            if others and 5 * sum_armies(state, others) < sum_armies(state, own):
                action = stronger_on(game, state, memory, others, 1.0)
                if action != DONE:
                    return action
    return np.int64(DONE)


@njit
def strong_enough(game: Any, state: Any, profile: Any, whole: Any) -> bool:
    """Tell whether own armies in and next to a continent suffice for all others in it."""
    own = state.held[state.mover]
    around, left = whole, whole
    while left:
        around |= game.rules.neighbours[lowest_bit(left)]
        left &= left - ONE
    theirs = profile.factor * sum_armies(state, whole & ~own) + popcount(whole & ~own)
    return sum_armies(state, around & own) >= theirs


@njit
def stronger_on(game: Any, state: Any, memory: Any, targets: Any, ratio: Any) -> int:
    """Return the attack on one of some territories from a neighbour that is so many times stronger; those with one
    hostile neighbour first.
    """
    own = state.held[state.mover]
    for limit in (1, 64):
        left = targets
        while left:
            target = lowest_bit(left)
            left &= left - ONE
            beside = game.rules.neighbours[target] & own
            while beside:
                origin = lowest_bit(beside)
                beside &= beside - ONE
                armies = armies_at(state, origin)
                if (
                    armies >= 2
                    and armies > ratio * armies_at(state, target)
                    and count_enemies(game, state, origin) <= limit
                ):
                    return begin(memory, origin, target, ALL)
    return np.int64(DONE)
