"""Risk: what the player to move may do, listed or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.attack import attack_legal, count_attacks, list_attacks, most_to_occupy, nth_attack
from oponente.games.risk.board import NO_TERRITORIES, ONE, smaller, with_room
from oponente.games.risk.cards import list_bonus, list_sets, must_trade, trade_legal
from oponente.games.risk.fortify import (
    destinations,
    list_destinations,
    list_origins,
    list_territories,
    most_to_move,
    movable_from,
)
from oponente.games.risk.income import list_placing, nothing_to_place, placeable_at
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    ATTACKING,
    BONUS,
    CAPITAL,
    CHOOSING_CAPITAL,
    CLAIM,
    CLAIMING,
    DEPLOYING,
    DEPLOYING_NEUTRAL,
    DONE,
    FEWER_DICE,
    GETTING_BONUS,
    LISTED_AMOUNTS,
    LOSSES,
    MOST_ARMIES,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_AMOUNT,
    MOVING_TO,
    OCCUPYING,
    PLACE,
    PLACING,
    PLACING_AMOUNT,
    TRADE,
    TRADING,
)
from oponente.games.risk.state import FREE, NEUTRAL
from oponente.kernel import njit, random_below


@njit
def least_amount(state: Any) -> int:
    """Return the least amount that is listed in the decision that is due."""
    return np.int64(0) if state.phase == OCCUPYING else np.int64(1)


@njit
def most_amount(game: Any, state: Any) -> int:
    """Return the greatest amount that is allowed in the decision that is due."""
    if state.phase == OCCUPYING:
        return most_to_occupy(game, state)
    if state.phase == MOVING_AMOUNT:
        return most_to_move(game, state)
    return placeable_at(game, state, np.int64(state.target))


@njit
def nth_amount(least: Any, most: Any, n: Any) -> int:
    """Return the n-th of the listed amounts: all of few, else evenly spread ones, the least and the most among them."""
    if most - least < LISTED_AMOUNTS:
        return least + n
    return least + (most - least) * n // (LISTED_AMOUNTS - 1)


@njit
def count_amounts(least: Any, most: Any) -> int:
    """Return how many amounts are listed."""
    return smaller(most - least + 1, np.int64(LISTED_AMOUNTS))


@njit
def may_be_done(game: Any, state: Any) -> bool:
    """Tell whether the player on turn may end the phase."""
    phase = state.phase
    if phase == TRADING:
        return not must_trade(game, state)
    if phase == PLACING:
        return game.rules.keep_armies or (game.rules.explicit and nothing_to_place(game, state))
    return phase in (ATTACKING, MOVING)


@njit
def claimable(game: Any, state: Any) -> Any:
    """Return the territories from which one is chosen in the set-up."""
    if state.phase == CLAIMING:
        return state.held[FREE]
    if state.phase == CHOOSING_CAPITAL:
        return state.held[state.mover]
    owner = np.int64(NEUTRAL) if state.phase == DEPLOYING_NEUTRAL else np.int64(state.mover)
    return with_room(game, state, state.held[owner])


@njit
def list_choices(game: Any, state: Any, out: Any) -> int:
    """List the actions of the phase; the one that ends it is first."""
    phase = state.phase
    if phase in (PLACING_AMOUNT, OCCUPYING, MOVING_AMOUNT):
        least, most = least_amount(state), most_amount(game, state)
        if most < least:  # an army that may stay behind is the only choice
            out[0] = AMOUNT + most
            return 1
        count = count_amounts(least, most)
        for n in range(count):
            out[n] = AMOUNT + nth_amount(least, most, n)
        return count
    if phase == PLACING:
        if may_be_done(game, state):
            out[0] = DONE
            return 1 + list_placing(game, state, out[1:])
        return list_placing(game, state, out)
    if phase == ATTACKING:
        out[0] = DONE
        return list_attacks(game, state, out, 1)
    if phase == MOVING:
        out[0] = DONE
        return list_origins(game, state, out, 1)
    if phase == MOVING_TO:
        return list_destinations(game, state, out)
    if phase == TRADING:
        if may_be_done(game, state):
            out[0] = DONE
            return list_sets(game, state, out, 1)
        return list_sets(game, state, out, 0)
    if phase == GETTING_BONUS:
        return list_bonus(state, out)
    kind = CLAIM if phase == CLAIMING else CAPITAL if phase == CHOOSING_CAPITAL else PLACE
    return list_territories(claimable(game, state), kind, out, 0)


@njit
def sample_choice(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw one of the listed actions without making the list, where that is the common case."""
    phase = state.phase
    if phase == ATTACKING:
        n = random_below(rng, 1 + count_attacks(game, state))
        return nth_attack(game, state, n - 1) if n > 0 else np.int64(DONE)
    if phase in (PLACING_AMOUNT, OCCUPYING, MOVING_AMOUNT):
        least, most = least_amount(state), most_amount(game, state)
        if most < least:
            return AMOUNT + most
        return AMOUNT + nth_amount(least, most, random_below(rng, count_amounts(least, most)))
    return np.int64(buffer[random_below(rng, list_choices(game, state, buffer))])


@njit
def has(territories: Any, territory: Any) -> bool:
    """Tell whether a territory is among some."""
    return 0 <= territory < 64 and territories >> np.uint64(territory) & ONE != NO_TERRITORIES


@njit
def is_legal(game: Any, state: Any, action: Any) -> bool:
    """Tell whether an action is allowed, listed or open.

    Open are attacks with fewer dice than possible, amounts that are not listed because there are many, and, where
    phases end explicitly, moves of no army.
    """
    phase = state.phase
    if action == DONE:
        return may_be_done(game, state)
    if phase == ATTACKING:
        return ATTACK <= action < ATTACK + 3 * FEWER_DICE and attack_legal(game, state, action)
    if phase in (PLACING_AMOUNT, OCCUPYING, MOVING_AMOUNT):
        if not AMOUNT <= action <= AMOUNT + MOST_ARMIES:
            return False
        nothing = phase == MOVING_AMOUNT and game.rules.explicit
        least = np.int64(0) if nothing else least_amount(state)
        return least <= action - AMOUNT <= most_amount(game, state)
    if phase == PLACING:
        territory = action - PLACE
        return has(state.held[state.mover], territory) and placeable_at(game, state, territory) > 0
    if phase == MOVING:
        origin = action - MOVE_FROM
        if not has(state.held[state.mover], origin):
            return False
        enough = movable_from(game, state, origin) >= 1 or game.rules.explicit
        return enough and destinations(game, state, origin) != NO_TERRITORIES
    if phase == MOVING_TO:
        return has(destinations(game, state, np.int64(state.origin)), action - MOVE_TO)
    if phase == TRADING:
        return TRADE <= action < LOSSES and trade_legal(game, state, action)
    if phase == GETTING_BONUS:
        return has(state.shown, action - BONUS)
    kind = CLAIM if phase == CLAIMING else CAPITAL if phase == CHOOSING_CAPITAL else PLACE
    allowed = phase in (CLAIMING, CHOOSING_CAPITAL, DEPLOYING, DEPLOYING_NEUTRAL)
    return allowed and has(claimable(game, state), action - kind)
