"""Nim with facts: take 1 to 3 of nine stones in turn; whoever takes the last one wins."""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.kernel import TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS = "factual", 2, 3
State = record(("stones", "i4"), ("mover", "i4"), ("taken", "i4", 2))
FACTS = {"taken": "stones taken", "share": "share of all stones"}


def facts(state: Any) -> list[dict[str, float]]:
    return [{"taken": int(taken), "share": int(taken) / 9} for taken in state.record.taken]


class Tables(NamedTuple):
    token: Token


def tables(options: Any) -> Tables:
    return Tables(Token(__name__))


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    state.stones = 9


@njit
def player(game: Any, state: Any) -> int:
    return state.mover if state.stones > 0 else TERMINAL


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    count = min(3, state.stones)
    for i in range(count):
        out[i] = i + 1
    return count


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    state.stones -= action
    state.taken[state.mover] += action
    state.mover = 1 - state.mover


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    out[state.mover], out[1 - state.mover] = -1.0, 1.0
