"""Risk in plans: the rules of the game with composite actions, for the generic searches.

A player chooses a plan (:mod:`oponente.games.risk.plans`), and goes on with it through all chance events until it is
carried out, or the turn is over. The raw actions that a plan is made of are the game's own; one of them is a plan, too,
so that playout policies, which choose raw actions, play here as they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.risk import rules
from oponente.games.risk.board import NO_TERRITORIES
from oponente.games.risk.choices import is_legal
from oponente.games.risk.encoding import ENCODING, encode  # noqa: F401 (part of the contract)
from oponente.games.risk.fortify import destinations
from oponente.games.risk.knowledge import masked, sample_hidden
from oponente.games.risk.moves import LOSSES
from oponente.games.risk.options import Options, rules_of
from oponente.games.risk.plans import DONE_WITH, MOVE, PLACE, list_plans, next_step
from oponente.games.risk.rollouts import plan_text
from oponente.games.risk.rules import hidden_information, players
from oponente.games.risk.setup import begin
from oponente.games.risk.state import FIELDS
from oponente.games.risk.turn import settle
from oponente.kernel import CHANCE, TERMINAL, Token, njit, record
from oponente.kernel import State as Position
from oponente.kernel.bits import bit

NAME = "risk in plans"
MAX_ACTIONS = rules.MAX_ACTIONS
"""Two plans for each of at most 240 borders, or sets among at most 15 cards, and the end of the phase."""
MAX_CHANCE = rules.MAX_CHANCE
HIDDEN_INFORMATION = True
OPEN_ACTIONS = True

State = record(
    *FIELDS,
    ("plan", "i4"),  # that is being carried out, plus 1; 0: none
    ("plan_turn", "u4"),  # in which turn
    ("begun", "i1"),  # whether a raw action of it has been taken
)


class Tables(NamedTuple):
    """As those of the game."""

    token: Token
    rules: Any


def tables(options: Options) -> Tables:
    """Return the tables of a game."""
    return Tables(Token(__name__), rules_of(options))


def action_text(position: Position, action: int) -> str:
    """Return what a plan or chance outcome means."""
    return plan_text(position, action)


# --- the rules -------------------------------------------------------------------------------------------------------


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Set up the board."""
    begin(game, state, rng)
    settle(game, state)


@njit
def player(game: Any, state: Any) -> int:
    """The player on turn decides."""
    return state.actor


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List the plans."""
    return list_plans(game, state, out, out)


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """Tell whether a raw action is allowed, or a plan that begins with one and can go on, worth while or not."""
    if action < LOSSES:
        return rules.legal(game, state, action)
    origin, target, territories = action // 64 % 64, action % 64, np.int64(game.rules.territories)
    if state.actor < 0 or action < PLACE or action >= MOVE + 64 * 64 or max(origin, target) >= territories:
        return False
    if action >= MOVE and destinations(game, state, origin) & bit(target) == NO_TERRITORIES:
        return False
    return is_legal(game, state, np.int64(next_step(game, state, action, False)))


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Begin a plan, or take a chance outcome; go on with the plan as long as no chance event is due."""
    if LOSSES <= action < PLACE:
        rules.apply(game, state, action)
    else:
        state.plan = action + 1
        state.plan_turn = state.turn
        state.begun = 0
    while state.plan != 0 and state.actor != CHANCE:
        step = np.int64(DONE_WITH)
        if state.actor != TERMINAL and state.turn == state.plan_turn:
            step = np.int64(next_step(game, state, np.int64(state.plan) - 1, state.begun))
        if step == DONE_WITH:
            state.plan = 0
        else:
            state.begun = 1
            rules.apply(game, state, step)


chance, sample_chance, returns = rules.chance, rules.sample_chance, rules.returns


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """Mask drawn cards and chosen capitals."""
    return masked(state, action, player)


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Draw anew what a player can't know."""
    sample_hidden(game, state, player, rng)


__all__ = ["Options", "hidden_information", "players"]
