"""What a failed check raises."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import State


class ConformanceError(AssertionError):
    """A game breaks a rule of the contract.

    Args:
        rule: name of the check, one of :data:`oponente.testing.CHECKS`.
        found: what is wrong, and what was expected.
        where: the position, see :func:`describe`.
    """

    def __init__(self, rule: str, found: str, where: str = "") -> None:
        self.rule = rule
        self.found = found
        self.where = where
        super().__init__(f"[{rule}] {found}" + (f"\n  position: {where}" if where else ""))


def describe(state: State, seed: int | None) -> str:
    """Return how to reach a position: the seed of the start and the actions since, in the game's notation."""
    start = "" if seed is None else f"start(seed={seed}), "
    if not state.history:
        return f"{start}no action yet"
    return f"{start}then {' '.join(_texts(state, seed))} (actions {state.history})"


def difference(first: Any, second: Any) -> str:
    """Return the fields in which two records differ."""
    names = [
        name
        for name in first.dtype.names or ()
        if np.ascontiguousarray(first[name]).tobytes() != np.ascontiguousarray(second[name]).tobytes()
    ]
    if not names:
        return " (in the padding between fields)" if first.tobytes() != second.tobytes() else ""
    shown = ", ".join(f"{name} ({first[name][0]} or {second[name][0]})" for name in names[:4])
    return f", in {shown}"


def _texts(state: State, seed: int | None) -> list[str]:
    """Return the notation of the history; numbers from the first action that the notation fails on."""
    texts: list[str] = []
    try:
        replay = state.game.start(seed or 0)
        for action in state.history:
            text = replay.action_text(action)
            replay.apply(action)
            texts.append(text)
    except Exception:
        # A broken game may fail anywhere; the message must come out all the same.
        texts += [str(action) for action in state.history[len(texts) :]]
    return texts
