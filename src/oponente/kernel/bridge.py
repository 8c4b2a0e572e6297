"""The two entries through which Python code calls a game's rules, one state at a time.

Each top-level kernel compiles the game that it calls once more, so all everyday rules share one entry, chosen by an
operation code, and the ones that only games with hidden information or learning need share another.

A call costs Python far more than most rules cost, so a whole ply, with all that is checked and noted of it, is one
operation (TAKE, DRAW).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from oponente.kernel.compilation import bind, entry, njit
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
    max_actions,
    max_chance,
    observed,
    player,
    reseed,
    returns,
    sample_action,
    sample_chance,
)

INITIAL, LOOK, LEGAL, APPLY, SAMPLE_CHANCE, SAMPLE_ACTION, RETURNS, TAKE, DRAW = range(9)
OBSERVED, DETERMINIZE, RESEED, ENCODE = range(4)

DRAWN, MASKED, SEEN = range(3)
"""Where TAKE and DRAW write: the outcome drawn; whether a seat does not see the action as it is; and, from `SEEN` on,
the action as each seat sees it."""
REFUSED = -9
"""In place of the player: the action is not legal, and nothing has changed."""
SPARE = 256
"""By how much buffers are longer than the rules say, so that a game that lists too many is told before it does harm."""


@njit
def look(game: Any, state: Any, ints: Any, floats: Any) -> Any:
    """List the actions or outcomes; return the player and how many they are."""
    mover = int(player(game, state))
    if mover == TERMINAL:
        return mover, 0
    if mover == CHANCE:
        return mover, int(chance(game, state, ints, floats))
    return mover, int(actions(game, state, ints))


@njit
def allowed(game: Any, state: Any, action: Any, listed: Any, probs: Any) -> bool:
    """Tell whether the player to move, or chance, may take an action, listed or open."""
    mover = player(game, state)
    if mover >= 0:
        if action < 0:
            return False
        if legal(game, state, action):
            return True
    _, count = look(game, state, listed, probs)
    for i in range(count):  # noqa: SIM110 (Numba compiles no generator expression)
        if listed[i] == action and (mover >= 0 or probs[i] > 0.0):
            return True
    return False


@njit
def take(game: Any, state: Any, action: Any, told: Any) -> Any:
    """Apply an action or outcome if it is legal; return what `look` returns then.

    `told` receives how each seat sees the action, as far as it is long enough.
    """
    size = max(max_actions(game), max_chance(game)) + SPARE
    listed, probs = np.empty(size, np.int32), np.empty(size, np.float64)
    if not allowed(game, state, action, listed, probs):
        return REFUSED, 0
    if told.size > SEEN:
        told[MASKED] = 0
    for seat in range(told.size - SEEN):
        seen = observed(game, state, action, seat)
        told[SEEN + seat] = seen
        if seen != action:
            told[MASKED] = 1
    apply(game, state, action)
    return look(game, state, listed, probs)


@entry
def operate(game: Any, operation: Any, states: Any, action: Any, rng: Any, ints: Any, floats: Any) -> Any:
    """Carry out one everyday operation on ``states[0]``.

    Args:
        game: tables with a token.
        operation: one of the codes above.
        states: array of one record.
        action: int; for LEGAL, APPLY (which believes that it is legal) and TAKE (which sees to it).
        rng: stream; for INITIAL, DRAW and the samples.
        ints: int32. LOOK writes actions or chance outcomes, so that it must be as long as MAX_ACTIONS and MAX_CHANCE
            allow. TAKE and DRAW, which takes the outcome that it draws, write how the seats see the action: for none if
            it is 3 long, for each seat if it is longer by the number of seats.
        floats: float64, likewise and one per player: LOOK writes probabilities, RETURNS utilities.

    Returns:
        Two integers: LOOK, TAKE and DRAW give the player and the number of actions or outcomes (REFUSED and 0 if the
        action is not legal); LEGAL 0 or 1; the samples an action; the others 0.
    """
    state = states[0]
    if operation in (TAKE, DRAW):
        if operation == DRAW:
            ints[DRAWN] = action = int(sample_chance(game, state, rng))
        return take(game, state, action, ints)
    if operation == LOOK:
        return look(game, state, ints, floats)
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


def bind_operate(tables: Any, states: Any) -> Callable[..., Any]:
    """Return :func:`operate` for one game, the first argument left out; `states` is an array of one record."""
    stream, ints, floats = np.zeros(4, np.uint64), np.zeros(SEEN, np.int32), np.zeros(1)
    return bind(operate, (tables,), LOOK, states, 0, stream, ints, floats)


def bind_operate_hidden(tables: Any, states: Any) -> Callable[..., Any]:
    """Return :func:`operate_hidden` for one game, as :func:`bind_operate` does."""
    return bind(operate_hidden, (tables,), OBSERVED, states, 0, 0, np.zeros(4, np.uint64), np.zeros(1, np.float32))
