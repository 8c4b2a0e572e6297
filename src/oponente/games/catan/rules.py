"""Catan: the rules of the base game for two to four players (5th edition of the rule book, with its almanac).

Who first has 10 victory points on the own turn wins. A settlement is worth 1 point, a city 2, the longest road and the
largest army 2 each, a victory point card 1.

Actions are numbered by kind (:mod:`oponente.games.catan.moves`). After the roll, `actions` lists buying a development
card, playing one, roads, settlements, cities, trades with the bank, offers, and ending the turn, in this order. Offers
and counter-offers of trade between players are *open*: any that follows the rules is legal, `actions` lists the offers
of one card for one other card, and no counter-offers.

Chance decides the dice, which card is stolen, and which development card is drawn: there is no order of the deck, a
draw is a chance event over the cards that are left.

Hidden are the cards in other players' hands as far as they can't be deduced (:mod:`oponente.games.catan.knowledge`),
and the identity of their development cards.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.board import HARBOURS, TILE_NODES, TILES
from oponente.games.catan.building import build_city, build_road, build_settlement, settle
from oponente.games.catan.cards import DECK, DESERT, count_of, nth_card, one, total
from oponente.games.catan.choices import list_choices, sample_choice
from oponente.games.catan.development import (
    buy_card,
    deck_size,
    draw_card,
    next_free_road,
    play_knight,
    play_monopoly,
    play_road_building,
    play_year_of_plenty,
    sample_cards,
    sample_deck,
)
from oponente.games.catan.encoding import ENCODING, encode  # noqa: F401 (part of the contract)
from oponente.games.catan.knowledge import full_bank, gain, hand, steal
from oponente.games.catan.layout import lay_harbours, lay_tiles, lay_tokens
from oponente.games.catan.moves import (
    ANSWERING,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    DICE,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    DRAWING,
    END_TURN,
    FREE_ROADS,
    MAIN,
    MOVE_ROBBER,
    OFFER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    ROLL,
    ROLLING,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
    STEAL,
    STEALING,
    UNSEEN,
    WITHDRAW,
    offer_id,
)
from oponente.games.catan.options import Options, rules_of
from oponente.games.catan.posterior import sample_hands
from oponente.games.catan.production import roll
from oponente.games.catan.roads import NOBODY
from oponente.games.catan.robber import discard, move_robber
from oponente.games.catan.state import DRAW, State  # noqa: F401 (part of the contract)
from oponente.games.catan.symmetry import symmetries as island_symmetries
from oponente.games.catan.trade import answer, close_offer, confirm, make_offer, may_offer, trade_with_bank
from oponente.games.catan.turn import begin_turn, check_victory, end_turn, go_on
from oponente.kernel import CHANCE, Symmetry, Token, njit, random_below
from oponente.kernel.bits import bit

NAME = "catan"
MAX_ACTIONS = 256
MAX_CHANCE = 11
HIDDEN_INFORMATION = True
OPEN_ACTIONS = True
ACTION_NUMBERS = np.array(
    [*range(DICE), *sorted(offer_id(give, want) for give, want in permutations(np.eye(5, dtype=int).tolist(), 2))],
    np.int32,
)
"""All that `actions` ever lists."""
BENCHMARK = {"trade": "false", "turn_limit": "0"}

_DECK = np.array(DECK, np.uint8)


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    rules: Any
    """A record, see :data:`oponente.games.catan.options.RULES`."""


def tables(options: Options) -> Tables:
    """Return the tables of a game."""
    return Tables(Token(__name__), rules_of(options))


def players(options: Options) -> int:
    """Return how many play."""
    return options.players


# --- set-up ----------------------------------------------------------------------------------------------------------


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Lay out the board; the first player places a settlement."""
    if game.rules.fixed:
        for tile in range(TILES):
            state.terrain[tile] = game.rules.terrain[tile]
            state.number[tile] = game.rules.number[tile]
        for i in range(HARBOURS):
            state.harbour[i] = game.rules.harbour[i]
        state.robber = game.rules.robber
    else:
        state.robber = lay_tiles(state.terrain, rng)
        lay_tokens(state.terrain, state.number, game.rules.way, rng)
        lay_harbours(state.harbour, game.rules.shuffled, rng)
    for tile in range(TILES):
        if state.number[tile] > 0:
            state.tiles_with[state.number[tile]] |= np.uint32(1) << np.uint32(tile)
    state.bank = full_bank(game)
    for card in range(5):
        state.deck[card] = _DECK[card]
    state.road_holder = state.army_holder = state.winner = NOBODY
    state.phase = SETTING_SETTLEMENT


@njit
def place_first(game: Any, state: Any, node: Any) -> None:
    """Place a settlement in the set-up; the second one brings a card of each of its hexes."""
    mover = state.mover
    settle(state, mover, node)
    if state.placed >= game.rules.players:
        for tile in range(TILES):
            if TILE_NODES[tile] & bit(node) and state.terrain[tile] != DESERT:
                card = one(state.terrain[tile])
                state.bank -= card  # twelve cards at most
                gain(state, mover, card)
    state.home = node
    state.phase = SETTING_ROAD


@njit
def next_to_place(game: Any, state: Any) -> None:
    """Pass on the set-up: once around, then back in reverse order; then the first player's turn begins."""
    state.placed += 1
    if state.placed == 2 * game.rules.players:
        state.mover = 0
        begin_turn(game, state)
    else:
        back = 2 * game.rules.players - 1 - state.placed
        state.mover = state.placed if state.placed < back else back
        state.actor = state.mover
        state.phase = SETTING_SETTLEMENT


# --- what is possible ------------------------------------------------------------------------------------------------


@njit
def player(game: Any, state: Any) -> int:
    """The player on turn decides, but others discard and answer offers."""
    return state.actor


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List what the player to move may do; see :mod:`oponente.games.catan.choices`."""
    return list_choices(game, state, out)


@njit
def sample_action(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw one of the listed actions, each equally likely."""
    return sample_choice(game, state, rng, buffer)


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """Any offer that follows the rules is legal, listed or not; of all else, what is listed."""
    if action >= OFFER:
        return may_offer(game, state, action)
    listed = np.empty(MAX_ACTIONS, np.int32)
    for i in range(actions(game, state, listed)):  # noqa: SIM110 (Numba compiles no generator expression)
        if listed[i] == action:
            return True
    return False


# --- what happens ----------------------------------------------------------------------------------------------------


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Do what the action says, then see whether the player on turn has won."""
    phase = state.phase
    if action >= DICE:
        if action >= OFFER:
            if phase == MAIN:
                make_offer(game, state, action)
            else:
                answer(game, state, action)
        elif phase == ROLLING:
            roll(game, state, action - DICE)
        elif phase == STEALING:
            steal(game, state, state.mover, state.victim, action - STEAL)
            go_on(state)
        else:
            draw_card(state, action - DRAW_CARD)
    elif action == ROLL:
        state.phase = ROLLING
        state.actor = CHANCE
    elif action == END_TURN:
        end_turn(game, state)
    elif action >= BANK_TRADE:
        trade_with_bank(game, state, (action - BANK_TRADE) // 5, (action - BANK_TRADE) % 5)
    elif action >= BUILD_CITY:
        build_city(game, state, action - BUILD_CITY)
    elif action >= BUILD_SETTLEMENT:
        if phase == SETTING_SETTLEMENT:
            place_first(game, state, action - BUILD_SETTLEMENT)
        else:
            build_settlement(game, state, action - BUILD_SETTLEMENT)
    elif action >= BUILD_ROAD:
        build_road(game, state, action - BUILD_ROAD)
        if phase == SETTING_ROAD:
            next_to_place(game, state)
        elif phase == FREE_ROADS:
            next_free_road(state)
    elif action >= MOVE_ROBBER:
        move_robber(game, state, (action - MOVE_ROBBER) // 5, (action - MOVE_ROBBER) % 5)
    elif action >= DISCARD:
        if phase == DISCARDING:
            discard(game, state, action - DISCARD)
        elif phase == ANSWERING:
            answer(game, state, action)
        elif action == WITHDRAW:
            close_offer(state)
        else:
            confirm(game, state, action - CONFIRM)
    else:
        apply_card(game, state, action)
    check_victory(game, state)


@njit
def apply_card(game: Any, state: Any, action: Any) -> None:
    """Buy or play a development card."""
    if action == BUY_CARD:
        buy_card(game, state)
    elif action == PLAY_KNIGHT:
        play_knight(game, state)
    elif action == PLAY_ROAD_BUILDING:
        play_road_building(game, state)
    elif action >= PLAY_YEAR_OF_PLENTY + 25:
        play_year_of_plenty(game, state, one(action - PLAY_YEAR_OF_PLENTY - 25))
    elif action >= PLAY_YEAR_OF_PLENTY:
        pair = action - PLAY_YEAR_OF_PLENTY
        play_year_of_plenty(game, state, one(pair // 5) + one(pair % 5))
    else:
        play_monopoly(game, state, action - PLAY_MONOPOLY)


# --- chance ----------------------------------------------------------------------------------------------------------


@njit
def ways_to_roll(number: Any) -> int:
    """Return how many of the 36 results of two dice have this sum."""
    return number - 1 if number <= 7 else 13 - number


@njit
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    """The sum of two dice, the stolen card, or the card drawn from the deck."""
    count = 0
    if state.phase == ROLLING:
        for number in range(2, 13):
            out_actions[count] = DICE + number
            out_probs[count] = ways_to_roll(number) / 36.0
            count += 1
    elif state.phase == STEALING:
        cards = hand(state, state.victim)
        for resource in range(5):
            if count_of(cards, resource) > 0:
                out_actions[count] = STEAL + resource
                out_probs[count] = count_of(cards, resource) / total(cards)
                count += 1
    else:
        size = deck_size(state)
        for card in range(5):
            if state.deck[card] > 0:
                out_actions[count] = DRAW_CARD + card
                out_probs[count] = state.deck[card] / size
                count += 1
    return count


@njit
def sample_chance(game: Any, state: Any, rng: Any) -> int:
    """Roll the dice, or draw a card."""
    if state.phase == ROLLING:
        both = random_below(rng, 36)
        return DICE + 2 + both // 6 + both % 6
    if state.phase == STEALING:
        cards = hand(state, state.victim)
        return STEAL + nth_card(cards, random_below(rng, total(cards)))
    return DRAW_CARD + sample_deck(state, rng)


# --- the end, and what a seat knows ----------------------------------------------------------------------------------


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """1 for the winner, -1 for the others; a draw shares the same sum."""
    for seat in range(game.rules.players):
        if state.winner == DRAW:
            out[seat] = (2.0 - game.rules.players) / game.rules.players
        else:
            out[seat] = 1.0 if state.winner == seat else -1.0


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """Only thief and victim see which card is stolen, only the buyer which development card is drawn."""
    if state.phase == STEALING and player not in (state.mover, state.victim):
        return STEAL + UNSEEN
    if state.phase == DRAWING and player != state.mover:
        return DRAW_CARD + UNSEEN
    return action


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Draw the others' hands and development cards anew, from what `player` knows."""
    sample_hands(game, state, player, rng)
    sample_cards(game, state, player, rng)


def symmetries(tables: Tables) -> list[Symmetry]:
    """Turn and mirror the island: what takes harbours to harbours."""
    return island_symmetries()
