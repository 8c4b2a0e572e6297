"""Catan: what a search that trades does beyond what it found: it helps nobody to win, and may counter offers.

A search sees what an offer leads to as far as its simulations go, and few of them go where a rival wins by the card
that it was given. And counter-offers are too many to be tried one by one: where a search rejects, a trader that looks
one step ahead (:mod:`oponente.games.catan.trader`) says whether there is one by which both sides gain.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from oponente.agents.view import View
from oponente.games.catan.bargaining import find_helping
from oponente.games.catan.linear import LEARNED, linear
from oponente.games.catan.moves import ACCEPT, ANSWERING, CONFIRM, MOVE_ROBBER, OFFER, REJECT
from oponente.games.catan.trader import trader
from oponente.kernel import State, Stream
from oponente.search.analysis import Analysis, MoveAnalysis
from oponente.search.greedy import play_policy

_TRADER = trader(linear(LEARNED), [True] * 4)


def tactful(analysis: Analysis, view: View) -> Analysis:
    """Return the analysis with the best action that helps nobody to win: of all others the one visited most."""
    if not trades(analysis.action):
        return analysis
    state = view.determinize(view.stream("tact"))
    if not helping(state, [analysis.action])[0]:
        return analysis
    helps = helping(state, [move.action for move in analysis.moves])
    others = [move for move, helped in zip(analysis.moves, helps, strict=True) if not helped]
    return _changed(analysis, max(others, key=_merit).action)


def countering(analysis: Analysis, view: View) -> Analysis:
    """Return the analysis with a counter-offer in place of a rejection, where a trader would make one."""
    if analysis.action != REJECT:
        return analysis
    state = view.determinize(view.stream("counter"))
    if state.record.phase != ANSWERING:
        return analysis
    answer = answer_as_trader(state, view.stream("answer"))
    return _changed(analysis, answer) if answer >= OFFER else analysis


def trades(action: int) -> bool:
    """Tell whether an action offers, accepts or confirms a trade with players."""
    return action >= OFFER or action == ACCEPT or CONFIRM <= action < MOVE_ROBBER


def answer_as_trader(state: State, rng: Stream) -> int:
    """Return what a trader does in a position."""
    return play_policy(state, _TRADER, rng)


def helping(state: State, actions: Sequence[int]) -> list[bool]:
    """Tell which actions of a position help a player near to winning.

    See :func:`oponente.games.catan.bargaining.helps_winner`.
    """
    found = np.zeros(len(actions), np.bool_)
    find_helping(state.game.tables, state.array, np.array(actions, np.int32), found)
    return [bool(value) for value in found]


def _merit(move: MoveAnalysis) -> tuple[int, float]:
    return move.visits or 0, -np.inf if move.value is None else move.value


def _changed(analysis: Analysis, action: int) -> Analysis:
    return dataclasses.replace(analysis, action=action, principal_variation=(action,))
