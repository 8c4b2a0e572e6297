"""Features of the toy game of poker, right ones and wrong ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import Token, njit

FEATURES = 2
FAULTS = ("none", "unwritten", "no number", "too many", "changes", "peeks")
NONE, UNWRITTEN, NO_NUMBER, TOO_MANY, CHANGES, PEEKS = range(6)


class Features(NamedTuple):
    """Features, and what is wrong with them."""

    token: Token
    fault: int


def with_fault(name: str) -> Features:
    """Return the features with a fault: one of `FAULTS`."""
    return Features(Token(__name__), FAULTS.index(name))


@njit
def features(kind: Any, game: Any, state: Any, seat: Any, out: Any) -> None:
    """Write whose turn it is, and the seat's own card if it was dealt."""
    out[0] = state.turn
    if kind.fault != UNWRITTEN:  # nor need they be: `out` holds zeros
        out[1] = state.card[seat] if seat < state.dealt else -1
    if kind.fault == NO_NUMBER:
        out[1] = np.nan
    elif kind.fault == TOO_MANY:
        out[2] = 1.0
    elif kind.fault == CHANGES:
        state.turn += 1
    elif kind.fault == PEEKS:
        out[1] = state.card[(seat + 1) % game.players]
