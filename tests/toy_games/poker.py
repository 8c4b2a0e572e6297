"""A poker of one card each: hidden cards, and knowledge that is part of the state.

The deck has one card more than players. Each is dealt a card that only they see. Then each in turn stays or folds, for
a stake of 2 or 1. Before that, one may pay 1 to peek at the next player's card; all see that one peeks, but not what is
seen. The highest card among those who stayed takes all stakes; if nobody stayed, all stakes go back.

Actions: 0 folds, 1 stays, 2 peeks. Chance outcomes: the cards, 0 upwards; a card that a seat can't see is `HIDDEN`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, Token, njit, random_below, record
from oponente.kernel import State as GameState
from oponente.kernel.options import option

NAME = "poker"
MAX_ACTIONS = 3
MAX_CHANCE = 4
ENCODING = 3 * 4 + 3 * 2
UTILITY = (-3.0, 6.0)
HIDDEN_INFORMATION = True
FOLD, STAY, PEEK = 0, 1, 2
HIDDEN = 9


@dataclass(frozen=True)
class Options:
    """How many play."""

    players: int = option(2, low=2, high=3, meaning="players")


class Tables(NamedTuple):
    """What the options decide."""

    token: Token
    players: int


State = record(
    ("card", "i1", 3),
    ("peeked", "i1", 3),  # whether each has seen the next one's card: what a seat knows is in the state
    ("stake", "i1", 3),
    ("stayed", "i1", 3),
    ("dealt", "i1"),
    ("turn", "i1"),
)


def tables(options: Options) -> Tables:
    """Return the tables."""
    return Tables(Token(__name__), options.players)


def players(options: Options) -> int:
    """Return how many play."""
    return options.players


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """No card is dealt yet."""
    for seat in range(3):
        state.card[seat] = -1


@njit
def player(game: Any, state: Any) -> int:
    """Cards are dealt first; then each has one turn."""
    if state.dealt < game.players:
        return CHANCE
    return state.turn if state.turn < game.players else TERMINAL


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """Fold, stay, or peek once."""
    out[0], out[1], out[2] = FOLD, STAY, PEEK
    return 2 if state.peeked[state.turn] else 3


@njit
def holds(game: Any, state: Any, card: Any) -> bool:
    """Tell whether somebody holds a card."""
    for seat in range(game.players):  # noqa: SIM110
        if state.card[seat] == card:
            return True
    return False


@njit
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    """Any card left is dealt next, each equally likely."""
    left = game.players + 1 - state.dealt
    count = 0
    for card in range(game.players + 1):
        if not holds(game, state, card):
            out_actions[count] = card
            out_probs[count] = 1.0 / left
            count += 1
    return count


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Deal a card, or let a player fold, stay or peek."""
    if state.dealt < game.players:
        state.card[state.dealt] = action
        state.dealt += 1
    elif action == PEEK:
        state.peeked[state.turn] = 1
        state.stake[state.turn] += 1
    else:
        state.stayed[state.turn] = action
        state.stake[state.turn] += 1 + action
        state.turn += 1


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """The winner takes the stakes of the others."""
    best, pot = -1, 0
    for seat in range(game.players):
        pot += state.stake[seat]
        if state.stayed[seat] and (best < 0 or state.card[seat] > state.card[best]):
            best = seat
    for seat in range(game.players):
        out[seat] = 0.0 if best < 0 else -state.stake[seat]
    if best >= 0:
        out[best] += pot


@njit
def sees(game: Any, state: Any, seat: Any, other: Any) -> bool:
    """Tell whether `seat` knows the card of `other`."""
    return other == seat or (state.peeked[seat] != 0 and other == (seat + 1) % game.players)


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """Only the receiver sees a dealt card."""
    if state.dealt < game.players and state.dealt != player:
        return HIDDEN
    return action


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Deal the unseen cards anew from all that `player` does not see."""
    for seat in range(state.dealt):
        if not sees(game, state, player, seat):
            state.card[seat] = -1
    for seat in range(state.dealt):
        if not sees(game, state, player, seat):
            while True:
                card = random_below(rng, game.players + 1)
                if not holds(game, state, card):
                    state.card[seat] = card
                    break


@njit
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """The cards that `player` sees, one by one, and everybody's stake and decision."""
    out[:] = np.float32(0.0)
    for seat in range(game.players):
        if sees(game, state, player, seat) and state.card[seat] >= 0:
            out[seat * 4 + state.card[seat]] = 1.0
        out[12 + 2 * seat] = state.stake[seat]
        out[13 + 2 * seat] = state.stayed[seat]


def invariant(state: GameState) -> None:
    """Require that each card is dealt at most once and is in the deck."""
    cards = [int(card) for card in state.record.card[: state.record.dealt]]
    assert len(set(cards)) == len(cards), f"a card is dealt twice: {cards}"
    assert all(0 <= card <= state.game.num_players for card in cards), f"there is no such card: {cards}"
