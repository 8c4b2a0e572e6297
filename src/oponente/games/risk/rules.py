"""Risk: conquer the world, for two to six players (US rules of 1993), with the variants that are played.

A turn: trade cards, place armies, attack as often as one likes, move armies, and draw a card if anything was conquered.

Actions are small steps, numbered by kind (:mod:`oponente.games.risk.moves`): what and where first, then how many, where
more than one number is possible. `actions` lists the end of the phase first, where the player may end it, then actions
by territory. *Open*, that is legal and not listed, are attacks with fewer than the most dice, and amounts other than
sixteen evenly spread ones where more are possible.

Chance decides what both sides lose in a throw of dice (one event, with the exact probabilities), and which card is
drawn: there is no order of the deck.

Hidden are the cards of other players, missions, and capitals until all have chosen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.risk.attack import begin_attack, conquer, list_losses, most_to_occupy, occupy, sample_losses, throw
from oponente.games.risk.cards import (
    draw_card,
    get_bonus,
    hand_size,
    list_draws,
    random_card,
    trade,
)
from oponente.games.risk.choices import is_legal, list_choices, sample_choice
from oponente.games.risk.encoding import ENCODING, encode  # noqa: F401 (part of the contract)
from oponente.games.risk.fortify import most_to_move, move
from oponente.games.risk.income import begin_amount, place, placeable_at
from oponente.games.risk.knowledge import masked, sample_hidden
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    ATTACKING,
    BONUS,
    CAPITAL,
    CLAIM,
    CLAIMING,
    DEPLOYING,
    DEPLOYING_NEUTRAL,
    DONE,
    DRAW_CARD,
    ENDING,
    GETTING_BONUS,
    LOSSES,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_AMOUNT,
    MOVING_TO,
    OCCUPYING,
    PLACE,
    PLACING,
    PLACING_AMOUNT,
    THROWING,
    TRADE,
    TRADING,
)
from oponente.games.risk.options import Options, rules_of
from oponente.games.risk.setup import begin, choose_capital, claim, deploy
from oponente.games.risk.state import DRAW, NONE, State  # noqa: F401 (part of the contract)
from oponente.games.risk.turn import check_victory, end_attacks, end_placing, pass_turn, settle, trade_or_place
from oponente.kernel import Token, njit, random_unit

NAME = "risk"
MAX_ACTIONS = 512
"""Attacks over at most 240 borders, or sets among at most 15 cards (455), and the end of the phase."""
MAX_CHANCE = 64
HIDDEN_INFORMATION = True
OPEN_ACTIONS = True
BENCHMARK = {"players": "4"}


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    rules: Any
    """A record, see :data:`oponente.games.risk.options.RULES`."""


def tables(options: Options) -> Tables:
    """Return the tables of a game."""
    return Tables(Token(__name__), rules_of(options))


def players(options: Options) -> int:
    """Return how many play."""
    return options.num_players


def hidden_information(options: Options) -> bool:
    """Tell whether anything is hidden: cards, missions, or capitals before all have chosen."""
    return bool(options.rule("cards")) or options.rule("victory") != "domination"


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Set up the board."""
    begin(game, state, rng)
    settle(game, state)


# --- what is possible ------------------------------------------------------------------------------------------------


@njit
def player(game: Any, state: Any) -> int:
    """The player on turn decides."""
    return state.actor


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List what the player to move may do; see :mod:`oponente.games.risk.choices`."""
    return list_choices(game, state, out)


@njit
def sample_action(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw one of the listed actions, each equally likely."""
    return sample_choice(game, state, rng, buffer)


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """Tell whether an action is allowed, listed or open."""
    return state.actor >= 0 and is_legal(game, state, action)


# --- what happens ----------------------------------------------------------------------------------------------------


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Do what the action says, see whether the player on turn has won, and go on to what is to be decided next."""
    phase = state.phase
    if action >= LOSSES:
        if phase == THROWING:
            take_losses(game, state, action - LOSSES)
        else:
            draw_card(state, action - DRAW_CARD)
            pass_turn(game, state)
    elif action >= TRADE:
        trade(game, state, action)
        if state.phase != GETTING_BONUS:
            trade_or_place(game, state)
    elif action >= ATTACK:
        begin_attack(state, action)
        return
    elif action >= AMOUNT:
        take_amount(game, state, action - AMOUNT)
    elif action == DONE:
        end_phase(game, state)
    elif action >= MOVE_TO:
        state.target = action - MOVE_TO
        state.phase = MOVING_AMOUNT
        if most_to_move(game, state) <= 1 - game.rules.explicit:
            take_amount(game, state, most_to_move(game, state))
    elif action >= MOVE_FROM:
        state.origin = action - MOVE_FROM
        state.phase = MOVING_TO
    elif action >= BONUS:
        get_bonus(game, state, action - BONUS)
        trade_or_place(game, state)
    elif action >= CAPITAL:
        choose_capital(game, state, action - CAPITAL)
    elif action >= PLACE:
        if phase in (DEPLOYING, DEPLOYING_NEUTRAL):
            deploy(game, state, action - PLACE)
        else:
            begin_amount(state, action - PLACE)
            if placeable_at(game, state, action - PLACE) == 1:
                take_amount(game, state, 1)
    elif phase == CLAIMING:
        claim(game, state, action - CLAIM)
    check_victory(game, state)
    settle(game, state)


@njit
def end_phase(game: Any, state: Any) -> None:
    """Go on to the next phase of the turn."""
    phase = state.phase
    if phase == TRADING:
        state.phase = PLACING
    elif phase == PLACING:
        end_placing(game, state)
    elif phase == ATTACKING:
        end_attacks(game, state)
    else:
        state.phase = ENDING


@njit
def take_losses(game: Any, state: Any, lost: Any) -> None:
    """Take the losses of a throw; the attacker occupies a territory that falls."""
    state.actor = state.mover
    if throw(game, state, lost):
        conquer(game, state)
        check_victory(game, state)
        if state.phase == OCCUPYING and not game.rules.explicit and most_to_occupy(game, state) <= 0:
            take_amount(game, state, 0)
    else:
        state.phase = ATTACKING


@njit
def take_amount(game: Any, state: Any, count: Any) -> None:
    """Do what was chosen with so many armies."""
    phase = state.phase
    if phase == PLACING_AMOUNT:
        place(game, state, np.int64(state.target), np.int64(count))
        state.target = NONE
        state.phase = PLACING
    elif phase == MOVING_AMOUNT:
        move(game, state, count)
        state.origin = state.target = NONE
        state.phase = MOVING
    else:
        occupy(state, count)
        state.origin = state.target = NONE
        if state.capturing and hand_size(state, state.mover) >= game.rules.capture_limit:
            trade_or_place(game, state)
        else:
            state.capturing = 0
            state.phase = ATTACKING


@njit
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    """List what the dice may cost the defender, or the cards that may be drawn."""
    if state.phase == THROWING:
        return list_losses(game, state, out_actions, out_probs)
    return list_draws(state, out_actions, out_probs)


@njit
def sample_chance(game: Any, state: Any, rng: Any) -> int:
    """Draw an outcome."""
    if state.phase == THROWING:
        return LOSSES + sample_losses(game, state, random_unit(rng))
    return DRAW_CARD + random_card(state.deck, rng)


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """A win is worth 1, a loss -1, a draw the mean of these over all players."""
    players = out.size
    for seat in range(players):
        if state.winner == DRAW:
            out[seat] = (2.0 - players) / players
        else:
            out[seat] = 1.0 if state.winner == seat else -1.0


# --- what is hidden --------------------------------------------------------------------------------------------------


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """Mask drawn cards and chosen capitals."""
    return masked(state, action, player)


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Draw anew others' cards, missions, and capitals while they are secret."""
    sample_hidden(game, state, player, rng)
