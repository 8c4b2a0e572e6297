"""Risk: attacks, dice, conquests."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at, get_territory, room_at, smaller
from oponente.games.risk.moves import ATTACK, FEWER_DICE, LOSSES, OCCUPYING, THROWING
from oponente.games.risk.state import NEUTRAL
from oponente.kernel import CHANCE, njit
from oponente.kernel.bits import lowest_bit, popcount

ATTACK_DICE = 3


@njit
def enemies_beside(game: Any, state: Any, territory: Any) -> Any:
    """Return the territories of others that border on one of the player on turn."""
    return game.rules.neighbours[territory] & ~state.held[state.mover]


@njit
def may_attack(game: Any, state: Any) -> bool:
    """Tell whether the player on turn can attack."""
    left = state.held[state.mover]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if armies_at(state, territory) >= 2 and enemies_beside(game, state, territory):
            return True
    return False


@njit
def count_attacks(game: Any, state: Any) -> int:
    """Return how many pairs of territories the player on turn can attack from and to."""
    count, left = 0, state.held[state.mover]
    while left:
        territory = lowest_bit(left)
        left &= left - ONE
        if armies_at(state, territory) >= 2:
            count += popcount(enemies_beside(game, state, territory))
    return count


@njit
def list_attacks(game: Any, state: Any, out: Any, count: Any) -> int:
    """List attacks with the most dice, by territory of origin, then by target."""
    left = state.held[state.mover]
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        if armies_at(state, origin) >= 2:
            targets = enemies_beside(game, state, origin)
            while targets:
                out[count] = ATTACK + 64 * origin + lowest_bit(targets)
                targets &= targets - ONE
                count += 1
    return count


@njit
def nth_attack(game: Any, state: Any, n: Any) -> int:
    """Return the n-th of the listed attacks, from 0."""
    left = state.held[state.mover]
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        if armies_at(state, origin) >= 2:
            targets = enemies_beside(game, state, origin)
            here = popcount(targets)
            if n < here:
                for _ in range(n):
                    targets &= targets - ONE
                return ATTACK + 64 * origin + lowest_bit(targets)
            n -= here
    return 0


@njit
def most_dice(state: Any, origin: Any) -> int:
    """Return how many dice an attacker may throw at most: fewer than there are armies, and three at most."""
    return smaller(armies_at(state, origin) - 1, np.int64(ATTACK_DICE))


@njit
def attack_legal(game: Any, state: Any, action: Any) -> bool:
    """Tell whether an attack is allowed; one with fewer than the most dice is not listed."""
    dice, origin, target = (action - ATTACK) // FEWER_DICE, (action - ATTACK) // 64 % 64, (action - ATTACK) % 64
    territories = game.rules.territories
    if origin >= territories or target >= territories or dice > 2 or state.owner[origin] != state.mover:
        return False
    most = most_dice(state, origin)
    if most < 1 or dice >= most:
        return False
    return enemies_beside(game, state, origin) >> np.uint64(target) & ONE != NO_TERRITORIES


@njit
def begin_attack(state: Any, action: Any) -> None:
    """Attack; chance decides the losses."""
    dice = (action - ATTACK) // FEWER_DICE
    state.origin, state.target = (action - ATTACK) // 64 % 64, (action - ATTACK) % 64
    state.dice = dice if dice > 0 else most_dice(state, state.origin)
    state.phase = THROWING
    state.actor = CHANCE


@njit
def defence_dice(game: Any, state: Any) -> int:
    """Return how many dice the defender throws: as many as allowed."""
    return smaller(armies_at(state, state.target), np.int64(game.rules.defence_dice))


@njit
def list_losses(game: Any, state: Any, out: Any, probs: Any) -> int:
    """List what the defender may lose in the throw that is due, with the probabilities."""
    attack, defence = np.int64(state.dice), defence_dice(game, state)
    most = smaller(attack, defence)
    for lost in range(most + 1):
        out[lost] = LOSSES + lost
        probs[lost] = game.rules.throw[attack - 1, defence - 1, lost]
    return most + 1


@njit
def sample_losses(game: Any, state: Any, unit: Any) -> int:
    """Return what the defender loses in the throw that is due, by a number drawn evenly from 0 to 1."""
    attack, defence = np.int64(state.dice), defence_dice(game, state)
    most = smaller(attack, defence)
    for lost in range(most):
        unit -= game.rules.throw[attack - 1, defence - 1, lost]
        if unit < 0.0:
            return lost
    return most


@njit
def throw(game: Any, state: Any, lost: Any) -> bool:
    """Take the losses of a throw from both sides; tell whether the territory falls."""
    at_stake = smaller(np.int64(state.dice), defence_dice(game, state))
    state.armies[state.target] -= np.uint16(lost)
    state.armies[state.origin] -= np.uint16(at_stake - lost)
    return state.armies[state.target] == 0


@njit
def conquer(game: Any, state: Any) -> None:
    """Take the territory that has fallen; as many armies as dice were thrown move in at once, in War one.

    The last territory of a player brings all the cards of that player.
    """
    origin, target, mover = np.int64(state.origin), np.int64(state.target), np.int64(state.mover)
    loser = np.int64(state.owner[target])
    get_territory(game, state, mover, target)
    moved = 1 if game.rules.up_to_dice else np.int64(state.dice)
    state.armies[origin] -= np.uint16(moved)
    state.armies[target] = np.uint16(moved)
    state.conquered = 1
    if loser != NEUTRAL and state.held[loser] == NO_TERRITORIES:
        state.killer[loser] = mover
        if state.hand[loser]:
            state.hand[mover] |= state.hand[loser]
            state.hand[loser] = NO_TERRITORIES
            state.capturing = 1
    state.phase = OCCUPYING
    state.actor = mover


@njit
def most_to_occupy(game: Any, state: Any) -> int:
    """Return how many more armies may move into the conquered territory."""
    origin, target = np.int64(state.origin), np.int64(state.target)
    most = smaller(armies_at(state, origin) - 1, room_at(game, state, target))
    return smaller(most, np.int64(state.dice) - 1) if game.rules.up_to_dice else most


@njit
def occupy(state: Any, count: Any) -> None:
    """Move more armies into the conquered territory."""
    state.armies[state.origin] -= np.uint16(count)
    state.armies[state.target] += np.uint16(count)
