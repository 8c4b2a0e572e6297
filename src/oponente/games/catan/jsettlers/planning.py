"""What to build next.

The *fast* strategy takes what it can have soonest; the *smart* one what brings its own win nearest and that of others
further away, by :mod:`oponente.games.catan.jsettlers.winning`, for each roll that it takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import DOWN, ONE, across_at, down_at
from oponente.games.catan.building import (
    CITIES,
    ROADS,
    SETTLEMENTS,
    free_across,
    free_down,
    free_nodes,
    network,
    roads_built,
    settlement_places,
)
from oponente.games.catan.cards import (
    CARD_COST,
    CITY_COST,
    EMPTY,
    ROAD_BUILDING,
    ROAD_COST,
    SETTLEMENT_COST,
    VICTORY_POINT,
)
from oponente.games.catan.development import deck_size
from oponente.games.catan.jsettlers.memory import FAST, PLAN
from oponente.games.catan.jsettlers.places import (
    FAR,
    first_road,
    harbours_at,
    lengthening_road,
    reachable,
    road_goal,
    roads_to,
    roads_to_longest,
    with_road,
)
from oponente.games.catan.jsettlers.speed import CUTOFF, rolls_until, speed, weigh_nodes, weights_of
from oponente.games.catan.jsettlers.winning import best_city, knights_to_buy, rolls_to_win
from oponente.games.catan.knowledge import hand
from oponente.games.catan.moves import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_CARD
from oponente.games.catan.roads import NOBODY
from oponente.kernel import njit
from oponente.kernel.bits import bit, lowest_bit, popcount

EARLY = 5
"""Points from which the fast strategy thinks of the awards."""
LATEST = 500
CARDS_CUTOFF = 100
ETA_BONUS = 1.13
"""By which what a piece brings is divided for every roll that it takes."""
SHARE = 25.0
"""What winning at once is worth: a quarter of 100."""
KNIGHT_SHARE, POINT_SHARE = 0.58, 0.21
"""How often a development card is a knight, or a victory point, as the robots have it."""


@njit
def plan_for(game: Any, state: Any, seat: Any, memory: Any) -> int:
    """Return the next action of the seat's plan, made anew if something has been built or a turn begun; -1 for none."""
    pieces = pieces_of(state, seat)
    if memory.planned != state.turn or memory.pieces != pieces:
        memory.planned, memory.pieces = state.turn, pieces
        memory.length = 0
        weigh_nodes(state, memory)
        for other in range(game.rules.players):
            memory.winning[other] = rolls_to_win(memory, state, other, other == seat, 0, 0, game.rules.points)
        if memory.strategy == FAST:
            plan_fast(game, state, seat, memory)
        else:
            plan_smart(game, state, seat, memory)
    return np.int64(memory.plan[0]) if memory.length > 0 else -1


@njit
def pieces_of(state: Any, seat: Any) -> int:
    """Return a number that changes whenever anybody builds, or the seat buys or plays a card."""
    count = 0
    for other in range(4):
        count += roads_built(state, other) + 2 * popcount(state.settlements[other]) + 5 * popcount(state.cities[other])
    for card in range(5):
        count += 100 * np.int64(state.cards[seat, card]) + 201 * np.int64(state.played[seat, card])
    return count


@njit
def add_to_plan(memory: Any, action: Any) -> None:
    """Add an action at the end of the plan."""
    if memory.length < PLAN:
        memory.plan[memory.length] = action
        memory.length += 1


@njit
def own_points(state: Any, seat: Any) -> int:
    """Return a player's points, hidden ones included."""
    return np.int64(state.points[seat]) + np.int64(state.cards[seat, VICTORY_POINT])


@njit
def price_of_roads(roads: Any) -> Any:
    """Return what some roads cost."""
    price = EMPTY
    for _ in range(roads):
        price += ROAD_COST
    return price


# --- fast ----------------------------------------------------------------------------------------------------------


@njit
def plan_fast(game: Any, state: Any, seat: Any, memory: Any) -> None:
    """Plan what can be had soonest."""
    cards = hand(state, seat)
    settlements, cities = state.settlements[seat], state.cities[seat]
    weights, reach = weights_of(memory, settlements, cities), np.int64(state.reach[seat])
    late = own_points(state, seat) >= EARLY
    bar, choice = LATEST, -1
    knights = knights_to_buy(state, seat, 0)
    roads = roads_to_longest(state, seat)
    if late:
        if 0 < knights < FAR and knights <= deck_size(state):
            price = EMPTY
            for _ in range(knights):
                price += CARD_COST
            rolls = rolls_until(cards, price, weights, reach, CARDS_CUTOFF)
            if rolls < bar:
                bar, choice = rolls, 0
        if roads < FAR and lengthening_road(state, seat) >= 0:
            rolls = rolls_until(cards, price_of_roads(roads), weights, reach, CARDS_CUTOFF)
            if rolls < bar:
                bar, choice = rolls, 1
    upgrade = best_city(memory, settlements, weights, reach) if popcount(cities) < CITIES else -1
    if upgrade >= 0:
        rolls = rolls_until(cards, CITY_COST, weights, reach, LATEST)
        if rolls <= bar:
            bar, choice = rolls, 2
    site, quickest, gain = -1, bar, -1
    if popcount(settlements) < SETTLEMENTS:
        places = free_nodes(state) & reachable(state, seat, 2)
        now = speed(memory, weights, reach)
        while places:
            node = np.int64(lowest_bit(places))
            places &= places - ONE
            needed = roads_to(state, seat, node)
            if needed > ROADS - roads_built(state, seat):
                continue
            price = SETTLEMENT_COST + price_of_roads(needed)
            rolls = rolls_until(cards, price, weights, reach, bar)
            faster = now - speed(memory, weights + memory.weights[node], reach | harbours_at(state, bit(node)))
            if rolls < quickest or (rolls == quickest and rolls < bar and faster > gain):
                site, quickest, gain = node, rolls, faster
    if site >= 0:
        plan_settlement(state, seat, memory, site)
    elif choice == 2:
        add_to_plan(memory, BUILD_CITY + upgrade)
    elif choice == 1:
        add_to_plan(memory, BUILD_ROAD + lengthening_road(state, seat))
    elif deck_size(state) > 0:
        add_to_plan(memory, BUY_CARD)


@njit
def plan_settlement(state: Any, seat: Any, memory: Any, node: Any) -> None:
    """Plan a settlement with the roads that lead there."""
    needed = roads_to(state, seat, node)
    if needed > 0:
        edge = first_road(state, seat, node)
        add_to_plan(memory, BUILD_ROAD + edge)
        if needed > 1:
            # The second road follows from the first; only its kind counts until then.
            across, down = state.across[seat], state.down[seat]
            lay(state, seat, edge)
            add_to_plan(memory, BUILD_ROAD + first_road(state, seat, node))
            state.across[seat], state.down[seat] = across, down
    add_to_plan(memory, BUILD_SETTLEMENT + node)


@njit
def lay(state: Any, seat: Any, edge: Any) -> None:
    """Place a road, to see what it would bring; the caller takes it back."""
    if edge < DOWN:
        state.across[seat] |= bit(edge)
    else:
        state.down[seat] |= bit(edge - DOWN)


# --- smart ---------------------------------------------------------------------------------------------------------


@njit
def plan_smart(game: Any, state: Any, seat: Any, memory: Any) -> None:
    """Plan the piece with the best score."""
    cards = hand(state, seat)
    settlements, cities = state.settlements[seat], state.cities[seat]
    weights, reach = weights_of(memory, settlements, cities), np.int64(state.reach[seat])
    road_rolls = rolls_until(cards, ROAD_COST, weights, reach, CUTOFF)
    edge, road_score = best_road(game, state, seat, memory, -1, road_rolls)
    if (
        edge >= 0
        and state.cards[seat, ROAD_BUILDING] > (state.fresh[ROAD_BUILDING] if seat == state.mover else 0)
        and ROADS - roads_built(state, seat) >= 2
    ):
        across, down = state.across[seat], state.down[seat]
        lay(state, seat, edge)
        second, _ = best_road(game, state, seat, memory, edge, road_rolls)
        state.across[seat], state.down[seat] = across, down
        if second >= 0:
            add_to_plan(memory, BUILD_ROAD + edge)
            add_to_plan(memory, BUILD_ROAD + second)
            return
    city_rolls = rolls_until(cards, CITY_COST, weights, reach, CUTOFF)
    settlement_rolls = rolls_until(cards, SETTLEMENT_COST, weights, reach, CUTOFF)
    upgrade, city_score = -1, 0.0
    if popcount(cities) < CITIES:
        left = settlements
        while left:
            node = np.int64(lowest_bit(left))
            left &= left - ONE
            score = city_bonus(game, state, seat, memory, node) / ETA_BONUS**city_rolls
            if upgrade < 0 or score > city_score:
                upgrade, city_score = node, score
    site, site_score = -1, 0.0
    if popcount(settlements) < SETTLEMENTS:
        left = settlement_places(state, seat)
        while left:
            node = np.int64(lowest_bit(left))
            left &= left - ONE
            score = settlement_bonus(game, state, seat, memory, node) / ETA_BONUS**settlement_rolls
            if site < 0 or score > site_score:
                site, site_score = node, score
    pick, best = -1, 0.0
    if (
        upgrade >= 0
        and city_score > 0.0
        and (site < 0 or city_score > site_score or (city_score == site_score and city_rolls < settlement_rolls))
        and (edge < 0 or city_score > road_score or (city_score == road_score and city_rolls < road_rolls))
    ):
        pick, best = BUILD_CITY + upgrade, city_score
    elif edge >= 0 and road_score > 0.0 and (site < 0 or road_score > site_score):
        pick, best = BUILD_ROAD + edge, road_score
    elif site >= 0:
        pick, best = BUILD_SETTLEMENT + site, site_score
    if deck_size(state) > 0:
        card_rolls = rolls_until(cards, CARD_COST, weights, reach, CUTOFF)
        score = card_bonus(game, state, seat, memory) / ETA_BONUS**card_rolls
        if pick < 0 or score > best:
            pick = BUY_CARD
    if pick >= 0:
        add_to_plan(memory, pick)


@njit
def best_road(game: Any, state: Any, seat: Any, memory: Any, but: Any, rolls: Any) -> Any:
    """Return the road that scores best, -1 if there is no place, and its score."""
    best, found = 0.0, -1
    if roads_built(state, seat) >= ROADS:
        return found, best
    ends = network(state, seat)
    across, down = free_across(state) & across_at(ends), free_down(state) & down_at(ends)
    while across or down:
        if across:
            edge = np.int64(lowest_bit(across))
            across &= across - ONE
        else:
            edge = DOWN + np.int64(lowest_bit(down))
            down &= down - ONE
        if edge == but:
            continue
        score = road_bonus(game, state, seat, memory, edge) / ETA_BONUS**rolls
        if found < 0 or score > best:
            best, found = score, edge
    return found, best


@njit
def bonus(game: Any, state: Any, seat: Any, memory: Any, knights: Any, points: Any, others: Any) -> float:
    """Return what a change, which is made in the state, brings.

    Args:
        knights, points: cards that the player is taken to have besides.
        others: whether the change may concern the other players.
    """
    goal = game.rules.points
    if own_points(state, seat) + points >= goal:
        return SHARE
    before = np.float64(memory.winning[seat])
    after = rolls_to_win(memory, state, seat, True, knights, points, goal)
    value = SHARE * (before - after) / before if before > 0.0 else 0.0
    if not others:
        return value
    leader = 1 << 30
    for other in range(game.rules.players):
        if other != seat and memory.winning[other] < leader:
            leader = np.int64(memory.winning[other])
    for other in range(game.rules.players):
        if other == seat or memory.winning[other] == 0:
            continue
        was = np.float64(memory.winning[other])
        change = was - rolls_to_win(memory, state, other, False, 0, 0, goal)
        if change != 0.0:
            value -= SHARE * (change / was) * (1.0 if was == leader else leader / was)
    return value


@njit
def city_bonus(game: Any, state: Any, seat: Any, memory: Any, node: Any) -> float:
    """Return what a city brings."""
    place = bit(node)
    state.settlements[seat] &= ~place
    state.cities[seat] |= place
    state.points[seat] += 1
    value = bonus(game, state, seat, memory, 0, 0, False)
    state.points[seat] -= 1
    state.cities[seat] &= ~place
    state.settlements[seat] |= place
    return value


@njit
def settlement_bonus(game: Any, state: Any, seat: Any, memory: Any, node: Any) -> float:
    """Return what a settlement brings, and takes from others."""
    place = bit(node)
    state.settlements[seat] |= place
    state.points[seat] += 1
    value = bonus(game, state, seat, memory, 0, 0, True)
    state.points[seat] -= 1
    state.settlements[seat] &= ~place
    return value


@njit
def road_bonus(game: Any, state: Any, seat: Any, memory: Any, edge: Any) -> float:
    """Return what a road brings, and takes from others."""
    across, down, length = state.across[seat], state.down[seat], state.road_length[seat]
    holder = state.road_holder
    longer, goal = with_road(state, seat, edge), road_goal(state, seat)
    lay(state, seat, edge)
    state.road_length[seat] = longer
    takes = goal > 0 and longer >= goal
    if takes:
        if holder != NOBODY:
            state.points[holder] -= 2
        state.points[seat] += 2
        state.road_holder = seat
    value = bonus(game, state, seat, memory, 0, 0, True)
    if takes:
        state.road_holder = holder
        state.points[seat] -= 2
        if holder != NOBODY:
            state.points[holder] += 2
    state.across[seat], state.down[seat], state.road_length[seat] = across, down, length
    return value


@njit
def card_bonus(game: Any, state: Any, seat: Any, memory: Any) -> float:
    """Return what a development card brings in the mean."""
    knight = bonus(game, state, seat, memory, 1, 0, False)
    point = bonus(game, state, seat, memory, 0, 1, False)
    return KNIGHT_SHARE * knight + POINT_SHARE * point + memory.card
