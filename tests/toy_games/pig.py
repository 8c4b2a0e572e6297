"""Pig: dice, any number of players.

On a turn a player rolls a die as often as they like. The faces add up; a one loses the turn's sum and ends the turn.
Who holds banks the sum. The first to bank 10 points wins.

Actions: 0 holds, 1 rolls. Chance outcomes: the faces, 1 to 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from oponente.kernel import CHANCE, TERMINAL, IllegalActionError, Token, njit, random_below, record
from oponente.kernel import State as GameState
from oponente.kernel.options import option

NAME = "pig"
MAX_ACTIONS = 2
MAX_CHANCE = 6
ENCODING = 2 + 6
TARGET = 10
HOLD, ROLL = 0, 1


@dataclass(frozen=True)
class Options:
    """How many play."""

    players: int = option(2, low=1, high=6, meaning="players")


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    players: int


State = record(
    ("banked", "i2", 6),
    ("kitty", "i2"),  # the sum of the turn
    ("turn", "i1"),
    ("rolling", "u1"),
    ("winner", "i1"),  # -1: none yet
)


def tables(options: Options) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__), options.players)


def players(options: Options) -> int:
    """Return how many play."""
    return options.players


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """A random player begins."""
    state.winner = -1
    state.turn = random_below(rng, game.players)


@njit
def player(game: Any, state: Any) -> int:
    """The die decides after a roll."""
    if state.winner >= 0:
        return TERMINAL
    return CHANCE if state.rolling else state.turn


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """Hold if there is something to bank, or roll."""
    count = 0
    if state.kitty > 0:
        out[count] = HOLD
        count += 1
    out[count] = ROLL
    return count + 1


@njit
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    """Six faces."""
    for i in range(6):
        out_actions[i] = i + 1
        out_probs[i] = 1.0 / 6.0
    return 6


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Roll, see the face, or bank."""
    if state.rolling:
        state.rolling = 0
        if action == 1:
            state.kitty = 0
            state.turn = (state.turn + 1) % game.players
        else:
            state.kitty += action
    elif action == ROLL:
        state.rolling = 1
    else:
        state.banked[state.turn] += state.kitty
        state.kitty = 0
        if state.banked[state.turn] >= TARGET:
            state.winner = state.turn
        else:
            state.turn = (state.turn + 1) % game.players


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """1 for the winner, -1 for the others."""
    for seat in range(game.players):
        out[seat] = 1.0 if seat == state.winner else -1.0


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """The turn's sum, whether it is the own turn, and the points, one's own first."""
    out[0] = state.kitty
    out[1] = state.turn == player
    for i in range(6):
        out[2 + i] = state.banked[(player + i) % game.players] if i < game.players else 0


def action_text(state: GameState, action: int) -> str:
    """Return a word, or a face."""
    return str(action) if state.is_chance else ("hold", "roll")[action]


def parse_action(state: GameState, text: str) -> int:
    """Return the action of a word, or the outcome of a face."""
    words = {str(face): face for face in range(1, 7)} if state.is_chance else {"hold": HOLD, "roll": ROLL}
    if text not in words:
        raise IllegalActionError(f"{text!r} is none of {', '.join(words)}")
    return words[text]
