"""How many rolls of the dice until a player wins (*win game ETA*).

The player is taken to make its points two at a time, each time in the quickest way there is: two settlements, two
cities, one of each, the largest army or the longest road; the last single point in the quickest of these that gives
one. Each building makes the next ones faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import NONE, ONE, neighbours
from oponente.games.catan.building import CITIES, SETTLEMENTS, free_nodes
from oponente.games.catan.cards import KNIGHT, VICTORY_POINT
from oponente.games.catan.development import LARGEST_ARMY_MINIMUM
from oponente.games.catan.jsettlers.places import AHEAD, FAR, harbours_at, reachable, roads_to_longest
from oponente.games.catan.jsettlers.speed import CARD, CITY, ROAD, SETTLEMENT, estimates, weights_of
from oponente.games.catan.roads import NOBODY
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

MAX_ROLLS = 500


@njit
def knights_to_army(state: Any, seat: Any) -> int:
    """Return how many knights a player lacks for the largest army, `FAR` if it has it.

    Those in its hand count as far as it is the player to move that asks, for which see :func:`knights_to_buy`.
    """
    holder = state.army_holder
    if holder == seat:
        return FAR
    goal = LARGEST_ARMY_MINIMUM if holder == NOBODY else np.int64(state.played[holder, KNIGHT]) + 1
    missing = goal - np.int64(state.played[seat, KNIGHT])
    return missing if missing > 0 else 0


@njit
def knights_to_buy(state: Any, seat: Any, extra: Any) -> int:
    """Return how many knights the player who asks must buy for the largest army, `FAR` if it has it."""
    missing = knights_to_army(state, seat)
    if missing == FAR:
        return FAR
    missing -= np.int64(state.cards[seat, KNIGHT]) + extra
    return missing if missing > 0 else 0


@njit
def best_city(memory: Any, settlements: Any, weights: Any, reach: Any) -> int:
    """Return the settlement whose upgrade speeds up most, -1 if there is none."""
    best, found = -1, -1
    now = estimates(memory, weights, reach)
    before = value_sum(memory, now)
    left = settlements
    while left:
        node = np.int64(lowest_bit(left))
        left &= left - ONE
        after = value_sum(memory, estimates(memory, weights + memory.weights[node], reach))
        if before - after > best:
            best, found = before - after, node
    return found


@njit
def value_sum(memory: Any, place: Any) -> int:
    """Return the rolls of all kinds of building of an estimate together."""
    whole = 0
    for build in range(5):
        whole += np.int64(memory.value[place, build])
    return whole


@njit
def best_settlement(memory: Any, state: Any, near: Any, middle: Any, far: Any, weights: Any, reach: Any) -> int:
    """Return the place for a settlement that takes fewest roads, and of these that which speeds up most; -1 if none."""
    for nodes in (near, middle, far):
        best, found = -100000, -1
        left = nodes
        while left:
            node = np.int64(lowest_bit(left))
            left &= left - ONE
            rolls = value_sum(
                memory, estimates(memory, weights + memory.weights[node], reach | harbours_at(state, bit(node)))
            )
            if -rolls > best:
                best, found = -rolls, node
        if found >= 0:
            return found
    return -1


@njit
def rolls_to_win(memory: Any, state: Any, seat: Any, own: Any, extra_knights: Any, extra_points: Any, goal: Any) -> int:
    """Return how many rolls a player needs until it wins.

    Args:
        own: whether it is the player who asks, and so knows its hidden cards.
        extra_knights, extra_points: cards that it is taken to have besides.
        goal: points that win.
    """
    settlements, cities = state.settlements[seat], state.cities[seat]
    points = np.int64(state.points[seat]) + extra_points
    if own:
        points += np.int64(state.cards[seat, VICTORY_POINT])
    free = free_nodes(state)
    return race(
        memory,
        state,
        seat,
        settlements,
        cities,
        points,
        free & reachable(state, seat, 0),
        free & reachable(state, seat, 1),
        free & reachable(state, seat, AHEAD),
        knights_to_buy(state, seat, extra_knights) if own else knights_to_army(state, seat),
        roads_to_longest(state, seat),
        goal,
    )


@njit
def race(
    memory: Any,
    state: Any,
    seat: Any,
    settlements: Any,
    cities: Any,
    points: Any,
    near: Any,
    middle: Any,
    far: Any,
    knights: Any,
    roads: Any,
    goal: Any,
) -> int:
    """Return the rolls until somebody with these buildings, points and prospects wins.

    Args:
        near, middle, far: places for settlements that take no road, one at most, two at most.
        knights, roads: what is lacking for the largest army and the longest road, `FAR` if there is no way.
    """
    weights = weights_of(memory, settlements, cities)
    reach = harbours_at(state, settlements | cities)
    pieces, upgrades = SETTLEMENTS - popcount(settlements), CITIES - popcount(cities)
    rolls = 0
    while points < goal:
        place = estimates(memory, weights, reach)
        road, settle = np.int64(memory.value[place, ROAD]), np.int64(memory.value[place, SETTLEMENT])
        city, card = np.int64(memory.value[place, CITY]), np.int64(memory.value[place, CARD])
        army = (card + 1) * knights if knights < FAR else MAX_ROLLS
        longest = road * roads if roads < FAR else MAX_ROLLS
        site = best_settlement(memory, state, near, middle, far, weights, reach) if pieces > 0 else -1
        upgrade = best_city(memory, settlements, weights, reach) if upgrades > 0 else -1
        one_settlement = settle + road * ways(near, middle, site) if site >= 0 else MAX_ROLLS
        one_city = city if upgrade >= 0 else MAX_ROLLS
        best, choice = MAX_ROLLS, -1
        if goal - points == 1:
            for option in range(4):
                value = one_settlement if option == 0 else one_city if option == 1 else army if option == 2 else longest
                if value < best:
                    best, choice = value, option
            return rolls + best if rolls + best < MAX_ROLLS else MAX_ROLLS
        # Two points: pairs of buildings, or an award.
        second = -1
        if site >= 0:
            more = weights + memory.weights[site]
            after = estimates(memory, more, reach | harbours_at(state, bit(site)))
            gone = bit(site) | neighbours(bit(site))
            if pieces > 1:
                other = best_settlement(
                    memory,
                    state,
                    near & ~gone,
                    middle & ~gone,
                    far & ~gone,
                    more,
                    reach | harbours_at(state, bit(site)),
                )
                if other >= 0:
                    value = (
                        one_settlement
                        + np.int64(memory.value[after, SETTLEMENT])
                        + np.int64(memory.value[after, ROAD]) * ways(near, middle, other)
                    )
                    if value < best:
                        best, choice, second = value, 0, other
            if upgrades > 0:  # a settlement, then a city: the new one at the least
                value = one_settlement + np.int64(memory.value[after, CITY])
                if value < best:
                    best, choice = value, 1
        if upgrade >= 0:
            after = estimates(memory, weights + memory.weights[upgrade], reach)
            if upgrades > 1 and popcount(settlements) > 1:
                value = one_city + np.int64(memory.value[after, CITY])
                if value < best:
                    best, choice = value, 2
            if site >= 0 or (pieces == 0 and near != NONE):
                target = site if site >= 0 else np.int64(lowest_bit(near))
                value = (
                    one_city
                    + np.int64(memory.value[after, SETTLEMENT])
                    + np.int64(memory.value[after, ROAD]) * ways(near, middle, target)
                )
                if value < best:
                    best, choice, second = value, 3, target
        if army < best:
            best, choice = army, 4
        if longest < best:
            best, choice = longest, 5
        if choice < 0:
            return MAX_ROLLS
        rolls += best
        if rolls >= MAX_ROLLS:
            return MAX_ROLLS
        points += 2
        if choice == 4:
            knights = FAR
        elif choice == 5:
            roads = FAR
        else:
            if choice in (0, 1):
                weights += memory.weights[site]
                reach |= harbours_at(state, bit(site))
                settlements |= bit(site)
                pieces -= 1
                gone = bit(site) | neighbours(bit(site))
                near, middle, far = near & ~gone, middle & ~gone, far & ~gone
            if choice in (0, 3):
                weights += memory.weights[second]
                reach |= harbours_at(state, bit(second))
                settlements |= bit(second)
                pieces -= 1
                gone = bit(second) | neighbours(bit(second))
                near, middle, far = near & ~gone, middle & ~gone, far & ~gone
            if choice in (1, 2, 3):
                for _ in range(2 if choice == 2 else 1):
                    node = best_city(memory, settlements, weights, reach)
                    weights += memory.weights[node]
                    settlements &= ~bit(node)
                    upgrades -= 1
                    pieces += 1
    return rolls


@njit
def ways(near: Any, middle: Any, node: Any) -> int:
    """Return how many roads a place for a settlement takes."""
    return 0 if near & bit(node) else 1 if middle & bit(node) else 2
