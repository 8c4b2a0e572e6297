"""Catan: the action after which an evaluation of what the seat knows is greatest, chance by its mean.

The choice of Skoric (FER 2022): one step ahead, the outcomes of dice, thefts and drawn cards averaged. It is exact and
honest at the same time: the evaluation reads only what the seat knows (:mod:`oponente.games.catan.inputs`), thefts and
draws are weighted with what the seat can tell of hands and deck, and so no sample of what is hidden is needed.

An evaluation is a module with ``judge``; its tables are what chooses here, and its policy in playouts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.cards import MONOPOLY, VICTORY_POINT, YEAR_OF_PLENTY, count_of, one, some, total
from oponente.games.catan.choices import list_choices
from oponente.games.catan.inputs import CARDS, DECK, HAND_, INPUTS, POINTS, fill_hand, fill_inputs
from oponente.games.catan.knowledge import hand, pool, share, share_weight, unknown_cards
from oponente.games.catan.moves import (
    ANSWERING,
    BANK_TRADE,
    BUY_CARD,
    CONFIRMING,
    DICE,
    DISCARD,
    DISCARDING,
    DRAWING,
    END_TURN,
    OFFER,
    PLAY_MONOPOLY,
    PLAY_YEAR_OF_PLENTY,
    REJECT,
    ROLLING,
    STEALING,
    WITHDRAW,
)
from oponente.games.catan.state import State
from oponente.games.catan.trade import rate
from oponente.kernel import apply, entry, local_floats, njit, random_below, subroutine
from oponente.kernel.tokens import generic

MOST_ACTIONS = 256
"""As many as the rules list at most."""
WON = 1e5
"""What a won game counts above all evaluations."""


@generic(required=True)
def judge(evaluator: Any, seat: Any, inputs: Any) -> float:
    """Return how good a position is for a seat, given its inputs (float64, `INPUTS` long)."""


@generic(required=False)
def chosen_of(policy: Any, game: Any, state: Any, actions: Any, count: Any, values: Any, rng: Any) -> int:
    """Return what is done, given the listed actions and how good they are: the best one, and no trade with players."""
    return best_of(state, actions, count, values, rng)


@subroutine
def tried(game: Any, state: Any, action: Any) -> None:
    """Apply an action: the rules are large, and needed here in several places."""
    apply(game, state, action)


@subroutine
def worth_of(evaluator: Any, game: Any, state: Any, seat: Any, inputs: Any) -> float:
    """Return how good a state is for a seat; its inputs are written to `inputs`."""
    fill_inputs(game, state, seat, inputs)
    return judge(evaluator, seat, inputs) + (WON if state.winner == seat else 0.0)


@njit
def best_action(evaluator: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Return the listed action after which the evaluation is greatest, one of equals at random; or see `chosen_of`."""
    values = local_floats(MOST_ACTIONS)
    count = list_choices(game, state, buffer)
    if count > 1 or state.phase == ANSWERING:  # a counter-offer is not listed
        weigh(evaluator, game, state, buffer, count, values)
        return chosen_of(evaluator, game, state, buffer, count, values, rng)
    return np.int64(buffer[0])


@njit
def weigh(evaluator: Any, game: Any, state: Any, actions: Any, count: Any, values: Any) -> None:
    """Write how good each action is; NaN for offers, and for answers to them, which are all rejected."""
    seat = state.actor
    now, inputs = local_floats(INPUTS), local_floats(INPUTS)
    fill_inputs(game, state, seat, now)
    trial = np.empty(2, State)
    answering = state.phase in (ANSWERING, CONFIRMING)
    for i in range(count):
        action = np.int64(actions[i])
        if action >= OFFER or answering:
            values[i] = np.nan
        else:
            values[i] = worth_after(evaluator, game, state, action, now, inputs, trial)


@njit
def best_of(state: Any, actions: Any, count: Any, values: Any, rng: Any) -> int:
    """Return the best of the actions that were weighed."""
    if state.phase == ANSWERING:
        return REJECT
    if state.phase == CONFIRMING:
        return WITHDRAW
    best, chosen, equals = -np.inf, np.int64(actions[0]), 0
    for i in range(count):
        if values[i] > best:
            best, chosen, equals = values[i], np.int64(actions[i]), 1
        elif values[i] == best:
            equals += 1
            if random_below(rng, equals) == 0:
                chosen = np.int64(actions[i])
    return chosen


@njit
def worth_after(evaluator: Any, game: Any, state: Any, action: Any, now: Any, inputs: Any, trial: Any) -> float:
    """Return how good the state after an action is for who takes it.

    Args:
        evaluator, game: tables with tokens.
        state: the state before.
        action: a listed one, no offer.
        now: inputs of the state before.
        inputs: work space for inputs.
        trial: two records for work.
    """
    seat = np.int64(state.actor)
    cards = hand(state, seat)
    # What changes nothing but cards in hands: no need to do it.
    if action == END_TURN:
        return judge(evaluator, seat, now)
    if action >= BANK_TRADE:
        given, taken = (action - BANK_TRADE) // 5, (action - BANK_TRADE) % 5
        changed = cards - some(given, rate(state, seat, given)) + one(taken)
        return worth_with_hand(evaluator, game, seat, now, inputs, changed)
    if DISCARD <= action < DISCARD + 5 and state.phase == DISCARDING:
        return worth_with_hand(evaluator, game, seat, now, inputs, cards - one(action - DISCARD))
    if PLAY_YEAR_OF_PLENTY <= action < DISCARD:
        return worth_with_hand(evaluator, game, seat, now, inputs, cards + plenty(action), YEAR_OF_PLENTY)
    if PLAY_MONOPOLY <= action < PLAY_MONOPOLY + 5:
        expected = expected_cards(game, state, seat, action - PLAY_MONOPOLY)
        return worth_with_hand(evaluator, game, seat, now, inputs, cards + expected, MONOPOLY, total(expected))
    trial[0] = state
    tried(game, trial[0], action)
    phase = trial[0].phase
    if phase == ROLLING:
        return worth_of_roll(evaluator, game, seat, inputs, trial)
    worth = worth_of(evaluator, game, trial[0], seat, inputs)
    if phase == STEALING:
        return worth_of_theft(evaluator, game, trial[0], seat, inputs)
    if phase == DRAWING and action == BUY_CARD:
        return worth_of_draw(evaluator, game, trial[0], seat, inputs)
    return worth


@njit
def worth_with_hand(
    evaluator: Any, game: Any, seat: Any, now: Any, inputs: Any, cards: Any, played: Any = -1, taken: Any = 0
) -> float:
    """Return how good the state is with other resource cards in the own hand.

    Args:
        evaluator, game: tables with tokens.
        seat: whose hand it is.
        now: inputs of the state.
        inputs: work space for inputs.
        cards: in the own hand, packed.
        played: a development card that is played; -1: none.
        taken: how many cards fewer the opponents have.
    """
    for i in range(INPUTS):
        inputs[i] = now[i]
    fill_hand(game, cards, inputs)
    inputs[HAND_] -= taken
    if played >= 0:
        inputs[CARDS + played] -= 1.0
    return judge(evaluator, seat, inputs)


@njit
def plenty(action: Any) -> Any:
    """Return the cards that an action of year of plenty takes."""
    pair = action - PLAY_YEAR_OF_PLENTY
    return one(pair - 25) if pair >= 25 else one(pair // 5) + one(pair % 5)


@njit
def expected_share(game: Any, state: Any, holder: Any, observer: Any, resource: Any) -> float:
    """Return how many cards of a resource an observer expects in another's hand."""
    cards = pool(game, state, observer)
    certain = np.float64(count_of(state.known[holder, observer], resource))
    unknown = unknown_cards(state, holder, observer)
    if unknown == 0 or count_of(cards, resource) == 0:
        return certain
    return certain + unknown * share_weight(state, holder, observer, cards) * share(state, holder, observer, resource)


@njit
def expected_cards(game: Any, state: Any, seat: Any, resource: Any) -> Any:
    """Return the cards of a resource that a seat expects all others to have, rounded."""
    expected = 0.5
    for other in range(game.rules.players):
        if other != seat:
            expected += expected_share(game, state, other, seat, resource)
    return some(resource, np.int64(expected))


@njit
def worth_of_roll(evaluator: Any, game: Any, seat: Any, inputs: Any, trial: Any) -> float:
    """Return the mean over what the dice may show."""
    mean = 0.0
    for number in range(2, 13):
        trial[1] = trial[0]
        tried(game, trial[1], DICE + number)
        ways = number - 1 if number <= 7 else 13 - number
        mean += ways / 36.0 * worth_of(evaluator, game, trial[1], seat, inputs)
    return mean


@njit
def worth_of_theft(evaluator: Any, game: Any, state: Any, seat: Any, inputs: Any) -> float:
    """Return the mean over the cards that a thief may get, by what it can tell of the victim's hand.

    The inputs are those of the state before.
    """
    victim = np.int64(state.victim)
    cards, theirs = hand(state, seat), inputs[HAND_]
    mean, whole = 0.0, 0.0
    for resource in range(5):
        expected = expected_share(game, state, victim, seat, resource)
        if expected > 0.0:
            fill_hand(game, cards + one(resource), inputs)
            inputs[HAND_] = theirs - 1.0
            mean += expected * judge(evaluator, seat, inputs)
            whole += expected
    return mean / whole if whole > 0.0 else judge(evaluator, seat, inputs)


@njit
def worth_of_draw(evaluator: Any, game: Any, state: Any, seat: Any, inputs: Any) -> float:
    """Return the mean over the development cards that the buyer has not seen: those left, and those in other hands."""
    mean, whole = 0.0, 0.0
    inputs[DECK] -= 1.0
    for card in range(5):
        unseen = np.float64(state.deck[card])
        for other in range(game.rules.players):
            if other != seat:
                unseen += np.float64(state.cards[other, card])
        if unseen > 0.0:
            point = 1.0 if card == VICTORY_POINT else 0.0
            inputs[CARDS + card] += 1.0
            inputs[POINTS] += point
            worth = judge(evaluator, seat, inputs)
            if inputs[POINTS] >= game.rules.points:
                worth += WON
            mean += unseen * worth
            whole += unseen
            inputs[CARDS + card] -= 1.0
            inputs[POINTS] -= point
    return mean / whole


@entry
def choose_action(game: Any, evaluator: Any, states: Any, rng: Any, actions: Any, values: Any) -> Any:
    """Return how many actions are listed, and the best one, as :func:`best_action` does.

    Args:
        game, evaluator: tables with tokens.
        states: array of one record.
        rng: stream that decides between equals.
        actions: int32, `MAX_ACTIONS` long: the listed actions are written here,
        values: float64, likewise: and here how good each is (NaN for offers and answers).
    """
    state = states[0]
    count = list_choices(game, state, actions)
    if count == 1 and state.phase != ANSWERING:
        values[0] = np.nan
        return count, np.int64(actions[0])
    weigh(evaluator, game, state, actions, count, values)
    return count, chosen_of(evaluator, game, state, actions, count, values, rng)
