"""Catan: what the player to move may do."""

from __future__ import annotations

from typing import Any

from oponente.games.catan.board import DOWN, ONE, nth_node
from oponente.games.catan.building import (
    cities_to_build,
    free_nodes,
    nth_road,
    road_places,
    roads_to_build,
    settlements_to_build,
)
from oponente.games.catan.cards import EMPTY, kinds, nth_kind
from oponente.games.catan.development import holds_card_to_play, list_cards, may_buy_card
from oponente.games.catan.knowledge import hand
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
    MAIN,
    ROBBING,
    ROLL,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
)
from oponente.games.catan.robber import list_discards, list_robber, sample_robber
from oponente.games.catan.trade import (
    count_bank_trades,
    list_answers,
    list_bank_trades,
    list_offers,
    list_partners,
    nth_bank_trade,
    nth_offer,
)
from oponente.kernel import njit, random_below
from oponente.kernel.bits import lowest_bit, popcount


@njit
def list_choices(game: Any, state: Any, out: Any) -> int:
    """List the actions of the phase."""
    phase = state.phase
    if phase == MAIN:
        return list_main(game, state, out)
    if phase == BEFORE_ROLL:
        out[0] = ROLL
        return list_cards(game, state, out, 1)
    if phase == SETTING_SETTLEMENT:
        return list_nodes(free_nodes(state), BUILD_SETTLEMENT, out, 0)
    if phase in (SETTING_ROAD, FREE_ROADS):
        across, down = road_places(state, state.mover)
        return list_roads(across, down, out, 0)
    if phase == DISCARDING:
        return list_discards(state, out)
    if phase == ROBBING:
        return list_robber(game, state, out)
    if phase == ANSWERING:
        return list_answers(state, out)
    if phase == CONFIRMING:
        return list_partners(game, state, out)
    return 0


@njit
def list_main(game: Any, state: Any, out: Any) -> int:
    """List what a player may do after the roll: buy, play a card, build, trade, end the turn."""
    mover = state.mover
    cards = hand(state, mover)
    count = 0
    if may_buy_card(state, cards):
        out[0] = BUY_CARD
        count = 1
    count = list_cards(game, state, out, count)
    across, down = roads_to_build(state, mover, cards)
    count = list_roads(across, down, out, count)
    count = list_nodes(settlements_to_build(state, mover, cards), BUILD_SETTLEMENT, out, count)
    count = list_nodes(cities_to_build(state, mover, cards), BUILD_CITY, out, count)
    if cards != EMPTY:
        count = list_bank_trades(state, out, count)
        if game.rules.trade and state.offers < game.rules.offers:
            count = list_offers(state, out, count)
    out[count] = END_TURN
    return count + 1


@njit
def list_nodes(nodes: Any, kind: Any, out: Any, count: Any) -> int:
    """List an action for each node of a set."""
    while nodes:
        out[count] = kind + lowest_bit(nodes)
        nodes &= nodes - ONE
        count += 1
    return count


@njit
def list_roads(across: Any, down: Any, out: Any, count: Any) -> int:
    """List an action for each edge of a set."""
    count = list_nodes(across, BUILD_ROAD, out, count)
    return list_nodes(down, BUILD_ROAD + DOWN, out, count)


@njit
def sample_choice(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw one of the listed actions without making the list, where that is the common case."""
    phase = state.phase
    if phase == MAIN:
        if state.card_played or not holds_card_to_play(state):
            return sample_main(game, state, rng)
    elif phase == BEFORE_ROLL:
        if state.card_played or not holds_card_to_play(state):
            return ROLL
    elif phase == DISCARDING:
        cards = hand(state, state.actor)
        return DISCARD + nth_kind(cards, random_below(rng, kinds(cards)))
    elif phase == ROBBING:
        return sample_robber(game, state, rng)
    return buffer[random_below(rng, list_choices(game, state, buffer))]


@njit
def sample_main(game: Any, state: Any, rng: Any) -> int:
    """Draw what to do after the roll, development cards to play left out: each listed action equally likely."""
    mover = state.mover
    cards = hand(state, mover)
    if cards == EMPTY:
        return END_TURN
    across, down = roads_to_build(state, mover, cards)
    places = settlements_to_build(state, mover, cards)
    upgrades = cities_to_build(state, mover, cards)
    buys = 1 if may_buy_card(state, cards) else 0
    trades = count_bank_trades(state)
    offers = 4 * kinds(cards) if game.rules.trade and state.offers < game.rules.offers else 0
    roads = popcount(across) + popcount(down)
    n = random_below(rng, 1 + trades + roads + popcount(places) + popcount(upgrades) + buys + offers)
    if n == 0:
        return END_TURN
    n -= 1
    if n < trades:
        return nth_bank_trade(state, n)
    n -= trades
    if n < roads:
        return BUILD_ROAD + nth_road(across, down, n)
    n -= roads
    if n < popcount(places):
        return BUILD_SETTLEMENT + nth_node(places, n)
    n -= popcount(places)
    if n < popcount(upgrades):
        return BUILD_CITY + nth_node(upgrades, n)
    n -= popcount(upgrades)
    if n < buys:
        return BUY_CARD
    return nth_offer(state, n - buys)
