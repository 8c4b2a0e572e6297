"""The two entries through which Python code calls a game's rules, one state at a time.

Each top-level kernel compiles the game that it calls once more, so all everyday rules share one entry, chosen by an
operation code, and the ones that only games with hidden information or learning need share another.
"""

from __future__ import annotations

from typing import Any

from oponente.kernel.compilation import entry
from oponente.kernel.rules import (
    CHANCE,
    TERMINAL,
    actions,
    apply,
    chance,
    determinize,
    encode,
    initial,
    legal,
    observed,
    player,
    reseed,
    returns,
    sample_action,
    sample_chance,
)

INITIAL, LOOK, LEGAL, APPLY, SAMPLE_CHANCE, SAMPLE_ACTION, RETURNS = range(7)
OBSERVED, DETERMINIZE, RESEED, ENCODE = range(4)


@entry
def operate(game: Any, operation: Any, states: Any, action: Any, rng: Any, ints: Any, floats: Any) -> Any:
    """Carry out one everyday operation on ``states[0]``.

    Args:
        game: tables with a token.
        operation: one of the codes above.
        states: array of one record.
        action: int; for LEGAL and APPLY.
        rng: stream; for INITIAL and the samples.
        ints: int32, as long as MAX_ACTIONS and MAX_CHANCE allow: LOOK writes actions or chance outcomes.
        floats: float64, likewise and one per player: LOOK writes probabilities, RETURNS utilities.

    Returns:
        Two integers: LOOK gives the player and the number of actions or outcomes; LEGAL 0 or 1; the samples an
        action; the others 0.
    """
    state = states[0]
    if operation == LOOK:
        mover = player(game, state)
        if mover == TERMINAL:
            return mover, 0
        if mover == CHANCE:
            return mover, chance(game, state, ints, floats)
        return mover, actions(game, state, ints)
    if operation == APPLY:
        apply(game, state, action)
    elif operation == LEGAL:
        return int(legal(game, state, action)), 0
    elif operation == INITIAL:
        initial(game, state, rng)
    elif operation == SAMPLE_CHANCE:
        return int(sample_chance(game, state, rng)), 0
    elif operation == SAMPLE_ACTION:
        return int(sample_action(game, state, rng, ints)), 0
    elif operation == RETURNS:
        returns(game, state, floats)
    return 0, 0


@entry
def operate_hidden(game: Any, operation: Any, states: Any, action: Any, seat: Any, rng: Any, features: Any) -> Any:
    """Carry out one operation that concerns what a seat knows of ``states[0]``.

    Args:
        game: tables with a token.
        operation: OBSERVED returns `action` as `seat` sees it; DETERMINIZE and RESEED draw from `rng`; ENCODE fills
            `features` (float32, ENCODING long).
        states: array of one record.
        action, seat: int.
        rng: stream.
        features: float32.
    """
    state = states[0]
    if operation == OBSERVED:
        return int(observed(game, state, action, seat))
    if operation == DETERMINIZE:
        determinize(game, state, seat, rng)
    elif operation == RESEED:
        reseed(game, state, rng)
    elif operation == ENCODE:
        encode(game, state, seat, features)
    return 0
