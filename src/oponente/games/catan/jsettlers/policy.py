"""The robots' turn: set-up, cards, robber, discards, plans, trade, in the order in which they think of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.board import (
    DOWN,
    ONE,
    TILE_NODES,
    across_at,
    down_at,
    nth_node,
    tiles_at,
)
from oponente.games.catan.building import (
    ROADS,
    buildings,
    free_across,
    free_down,
    network,
    roads_built,
    settlement_places,
)
from oponente.games.catan.cards import (
    CARD_COST,
    CITY_COST,
    DESERT,
    EMPTY,
    KNIGHT,
    MONOPOLY,
    ROAD_BUILDING,
    ROAD_COST,
    SETTLEMENT_COST,
    YEAR_OF_PLENTY,
    count_of,
    holds,
    lacking,
    nth_card,
    total,
)
from oponente.games.catan.development import deck_size, playable
from oponente.games.catan.jsettlers.opening import any_road_at, opening_road, opening_settlement
from oponente.games.catan.jsettlers.places import lengthening_road
from oponente.games.catan.jsettlers.planning import plan_for
from oponente.games.catan.jsettlers.speed import PERCENT, interval, speed, weights_of
from oponente.games.catan.jsettlers.trading import (
    answer_offer,
    bank_trade,
    begin_turn,
    best_offer,
    choose_partner,
    remember_offer,
)
from oponente.games.catan.jsettlers.winning import knights_to_buy
from oponente.games.catan.knowledge import hand, hand_size
from oponente.games.catan.moves import (
    ANSWERING,
    BEFORE_ROLL,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRMING,
    DISCARD,
    DISCARDING,
    END_TURN,
    FREE_ROADS,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    ROBBING,
    ROLL,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
)
from oponente.games.catan.robber import robber_tiles, tiles_to_rob
from oponente.games.catan.trade import rate
from oponente.kernel import Token, njit, random_below
from oponente.kernel.bits import bit, lowest_bit, popcount

OWN_KNOWLEDGE = True

MONOPOLY_WORTH = 3
"""Cards, counted at the bank's rate, for which a monopoly is played."""
TRIES = 30
"""Random hexes that the robber looks at for one without own buildings."""


class JSettlers(NamedTuple):
    """A robot."""

    token: Token
    memory: Any
    """See :data:`oponente.games.catan.jsettlers.memory.MEMORY`: an array of one record."""


def new_policy(memory: Any) -> JSettlers:
    """Return a robot with a memory."""
    return JSettlers(Token(__name__), memory)


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return what the robot does."""
    memory = policy.memory[0]
    phase = state.phase
    if phase == SETTING_SETTLEMENT:
        return opening_settlement(game, state, memory)
    if phase == SETTING_ROAD:
        return opening_road(game, state, memory)
    seat = np.int64(state.actor)
    begin_turn(game, state, seat, memory, rng)
    goal = plan_for(game, state, seat, memory)
    if phase == BEFORE_ROLL:
        return PLAY_KNIGHT if robbed_itself(state, seat) and playable(state, KNIGHT) else ROLL
    if phase == DISCARDING:
        return DISCARD + to_discard(state, seat, memory, price_of_action(goal))
    if phase == ROBBING:
        return rob(game, state, seat, memory, rng)
    if phase == FREE_ROADS:
        return free_road(state, seat, goal)
    if phase == ANSWERING:
        return answer_offer(game, state, seat, memory, price_of_action(goal), rng)
    if phase == CONFIRMING:
        return choose_partner(game, state, seat, memory, price_of_action(goal))
    return main_action(game, state, seat, memory, goal)


@njit
def price_of_action(action: Any) -> Any:
    """Return what a planned action costs."""
    if action == BUY_CARD:
        return CARD_COST
    if action >= BUILD_CITY:
        return CITY_COST
    if action >= BUILD_SETTLEMENT:
        return SETTLEMENT_COST
    return ROAD_COST if action >= BUILD_ROAD else EMPTY


# --- the main phase ----------------------------------------------------------------------------------------------


@njit
def main_action(game: Any, state: Any, seat: Any, memory: Any, goal: Any) -> int:
    """Return what to do after the roll."""
    missing = knights_to_buy(state, seat, 0)
    if missing == 0 and playable(state, KNIGHT):
        return PLAY_KNIGHT
    if goal < 0 or hand_size(state, seat) < 2:
        return END_TURN
    price = price_of_action(goal)
    cards = hand(state, seat)
    if (
        memory.length > 1
        and is_road(memory.plan[0])
        and is_road(memory.plan[1])
        and playable(state, ROAD_BUILDING)
        and ROADS - roads_built(state, seat) >= 2
    ):
        return PLAY_ROAD_BUILDING
    lacked = lacking(cards, price)
    if total(lacked) == 2 and playable(state, YEAR_OF_PLENTY) and holds(state.bank, lacked):
        return PLAY_YEAR_OF_PLENTY + 5 * nth_card(lacked, 0) + nth_card(lacked, 1)
    if playable(state, MONOPOLY):
        resource = monopoly_target(game, state, seat)
        if resource >= 0:
            return PLAY_MONOPOLY + resource
    if lacked == EMPTY:
        return goal if can_do(state, seat, goal) else END_TURN
    if memory.trades and game.rules.trade and state.offers < game.rules.offers:
        offer = best_offer(game, state, seat, memory, price, -1)
        if offer >= 0:
            remember_offer(memory, offer)
            return offer
    trade = bank_trade(game, state, seat, memory, price)
    if trade < 0:
        return END_TURN
    memory.trades = 0  # Who has been to the bank makes no more offers in the turn.
    return trade


@njit
def is_road(action: Any) -> bool:
    """Tell whether an action builds a road."""
    return BUILD_ROAD <= action < BUILD_SETTLEMENT


@njit
def can_do(state: Any, seat: Any, action: Any) -> bool:
    """Tell whether a planned action is possible, if it can be paid."""
    if action == BUY_CARD:
        return deck_size(state) > 0
    if action >= BUILD_CITY:
        return state.settlements[seat] & bit(action - BUILD_CITY) != 0
    if action >= BUILD_SETTLEMENT:
        return settlement_places(state, seat) & bit(action - BUILD_SETTLEMENT) != 0
    return may_lay(state, seat, action - BUILD_ROAD)


@njit
def may_lay(state: Any, seat: Any, edge: Any) -> bool:
    """Tell whether a player may place a road."""
    ends = network(state, seat)
    if edge < 0 or roads_built(state, seat) >= ROADS:
        return False
    if edge < DOWN:
        return across_at(ends) & free_across(state) & bit(edge) != 0
    return down_at(ends) & free_down(state) & bit(edge - DOWN) != 0


@njit
def free_road(state: Any, seat: Any, goal: Any) -> int:
    """Return a road of road building: the planned one, or that which makes the longest road longest."""
    if is_road(goal) and may_lay(state, seat, goal - BUILD_ROAD):
        return np.int64(goal)
    edge = lengthening_road(state, seat)
    return BUILD_ROAD + (edge if edge >= 0 else any_road_at(state, network(state, seat)))


@njit
def monopoly_target(game: Any, state: Any, seat: Any) -> int:
    """Return the resource of which the others are known to have most, at the bank's rate; -1 if that is too little."""
    best, found = MONOPOLY_WORTH - 1, -1
    for resource in range(5):
        count = 0
        for other in range(game.rules.players):
            if other != seat:
                count += count_of(state.known[other, seat], resource)
        worth = count // rate(state, seat, resource)
        if worth > best:
            best, found = worth, resource
    return found


# --- discards and the robber -------------------------------------------------------------------------------------


@njit
def to_discard(state: Any, seat: Any, memory: Any, price: Any) -> int:
    """Return the resource of a card to discard: what the next piece does not need first, the most frequent first."""
    cards = hand(state, seat)
    weights = weights_of(memory, state.settlements[seat], state.cities[seat])
    best, found = 1 << 60, -1
    for resource in range(5):
        if count_of(cards, resource) == 0:
            continue
        rolls = interval(weights, resource)
        if count_of(cards, resource) <= count_of(price, resource):
            rolls += 1 << 40
        if rolls < best:
            best, found = rolls, resource
    return found


@njit
def robbed_itself(state: Any, seat: Any) -> bool:
    """Tell whether the robber stands at a building of the player."""
    return TILE_NODES[state.robber] & buildings(state, seat) != 0


@njit
def rob(game: Any, state: Any, seat: Any, memory: Any, rng: Any) -> int:
    """Return where the robber goes, and whom it robs: what hurts the player most who is nearest to winning."""
    victim = nearest_to_win(game, state, seat, memory, ALL_SEATS)
    tiles = robber_tiles(game, state)
    own = tiles_at(buildings(state, seat))
    best, tile = -1, -1
    if victim >= 0:
        settlements, cities = state.settlements[victim], state.cities[victim]
        left = tiles & tiles_at(buildings(state, victim)) & ~own
        before = speed(memory, weights_of(memory, settlements, cities), np.int64(state.reach[victim]))
        while left:
            candidate = np.int64(lowest_bit(left))
            left &= left - ONE
            weights = weights_of(memory, settlements, cities) - yielded(state, candidate, settlements, cities)
            slower = speed(memory, weights, np.int64(state.reach[victim])) - before
            if slower > best:
                best, tile = slower, candidate
    if tile < 0:
        tile = random_tile(tiles, own, rng)
    robbed = 0
    for other in range(game.rules.players):
        if tiles_to_rob(game, state, other) & bit(tile):
            robbed |= 1 << other
    chosen = nearest_to_win(game, state, seat, memory, robbed) if robbed else NOBODY_ROBBED
    return MOVE_ROBBER + 5 * tile + chosen


ALL_SEATS = 15


@njit
def nearest_to_win(game: Any, state: Any, seat: Any, memory: Any, among: Any) -> int:
    """Return the opponent, of some seats as bits, that is nearest to winning; -1 if there is none."""
    best, found = 1 << 30, -1
    for other in range(game.rules.players):
        if other != seat and among >> other & 1 and memory.winning[other] < best:
            best, found = np.int64(memory.winning[other]), other
    return found


@njit
def yielded(state: Any, tile: Any, settlements: Any, cities: Any) -> int:
    """Return what a hex yields to buildings, packed as weights."""
    if state.terrain[tile] == DESERT:
        return 0
    corners = TILE_NODES[tile]
    number = popcount(settlements & corners) + 2 * popcount(cities & corners)
    return number * PERCENT[state.number[tile]] << 12 * np.int64(state.terrain[tile])


@njit
def random_tile(tiles: Any, own: Any, rng: Any) -> int:
    """Return a random hex, without own buildings if one is found in some tries."""
    tile = nth_node(tiles, random_below(rng, popcount(tiles)))
    for _ in range(TRIES):
        if not own & bit(tile):
            break
        tile = nth_node(tiles, random_below(rng, popcount(tiles)))
    return tile
