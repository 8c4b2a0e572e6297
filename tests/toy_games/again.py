"""Again: nim with dice that are thrown again, and again.

Who begins is rolled for; a tie is rolled again. From a heap players take in turn one, two or three stones; who takes
the last one wins. After each move a die is thrown: two of its three faces mean that it is thrown again, after the third
the other player moves. So nothing bounds how many chance events follow one another.

Actions: the number of stones. Chance outcomes: who begins, 0 a tie, 1 and 2 the players; the faces, 0, 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from oponente.kernel import CHANCE, TERMINAL, Token, njit, record
from oponente.kernel.options import option

NAME = "again"
PLAYERS = 2
MAX_ACTIONS = 3
MAX_CHANCE = 3
TIE, HAND_OVER = 0, 2


@dataclass(frozen=True)
class Options:
    """How long it lasts."""

    stones: int = option(5, low=1, high=1000, meaning="stones at the start")
    tie: float = option(1 / 6, low=0.0, high=0.9, meaning="probability of a tie")


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    stones: int
    tie: float


State = record(
    ("stones", "i4"),
    ("turn", "i1"),  # -1: not yet decided
    ("thrown", "u1"),  # whether the die decides what comes
)


def tables(options: Options) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__), options.stones, options.tie)


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Nobody has begun."""
    state.stones, state.turn = game.stones, -1


@njit
def player(game: Any, state: Any) -> int:
    """Dice first, then the players in turn until the heap is gone."""
    if state.turn < 0 or state.thrown:
        return CHANCE
    return TERMINAL if state.stones == 0 else state.turn


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """One to three, as far as there are stones."""
    count = min(3, state.stones)
    for i in range(count):
        out[i] = i + 1
    return count


@njit
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    """Who begins, or the face of the die."""
    for i in range(3):
        out_actions[i] = i
        out_probs[i] = 1.0 / 3.0
    if state.turn < 0:
        out_probs[TIE] = game.tie
        out_probs[1] = out_probs[2] = (1.0 - game.tie) / 2.0
    return 3


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Decide who begins, throw, or take stones."""
    if state.turn < 0:
        state.turn = action - 1
    elif state.thrown:
        state.thrown = action != HAND_OVER
    else:
        state.stones -= action
        state.turn = 1 - state.turn
        state.thrown = 1


class Due(NamedTuple):
    """Evaluator: 1 for both where a player decides, 0 where chance does."""

    token: Token


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Look whether a die is to be thrown."""
    out[0] = out[1] = 1.0 - state.thrown


EVALUATORS = {"due": Due(Token(__name__))}


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """Whose turn it would be has lost."""
    out[state.turn] = -1.0
    out[1 - state.turn] = 1.0
