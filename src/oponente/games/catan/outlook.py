"""Catan: the outcome that a small network expects, as an evaluator: for searches that cut games off.

A network 48-32-16-1 over the inputs of each seat (:mod:`oponente.games.catan.network`), trained to predict the utility
that the seat has in the end. So its values are utilities: between -1 and 1, 1 for a sure win.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.games.catan.inputs import INPUTS, fill_inputs
from oponente.games.catan.network import judge
from oponente.kernel import TERMINAL, Token, local_floats, njit, returns


class Outlook(NamedTuple):
    """An evaluation."""

    token: Token
    layers: Any
    """As of :class:`oponente.games.catan.network.Network`."""


def outlook(layers: Any) -> Outlook:
    """Return the evaluation by a network."""
    return Outlook(Token(__name__), layers)


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player the outcome that the network expects, or the one that there is."""
    if state.actor == TERMINAL:
        returns(game, state, out)
        return
    inputs = local_floats(INPUTS)
    for seat in range(game.rules.players):
        fill_inputs(game, state, seat, inputs)
        out[seat] = min(1.0, max(-1.0, judge(evaluator, seat, inputs)))
