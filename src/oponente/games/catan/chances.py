"""Catan: how likely each player is to win, by a small network: an evaluation for searches that add up and compare.

A network 48-32-16-1 gives each seat a number from what that seat knows; the softmax of all seats' numbers is how likely
each is to win (the model of Plackett and Luce). So chances depend on all hands: in a search, those of the sample. There
is a network for each number of players, since the inputs add opponents up. The networks that come with the package were
trained on who won games among ``value:weights=learned`` (docs/games/catan.md has the commands), so they are good for
positions that such players reach: at the end of a playout, not one arbitrary action ahead.
"""

from __future__ import annotations

from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.inputs import INPUTS, fill_inputs
from oponente.games.catan.network import FIRST, SIZES, flat
from oponente.kernel import Token, local_floats, njit, returns
from oponente.kernel.arrays import read_arrays
from oponente.search.network import compete, output

FEWEST, MOST = 2, 4
"""Players of a game."""


class Chances(NamedTuple):
    """An evaluation."""

    token: Token
    layers: Any
    """float64, a network in each row (:func:`oponente.games.catan.network.flat`): for `FEWEST` players, and more."""


_TOKEN = Token(__name__)


def shipped_chances() -> Chances:
    """Return the evaluation that comes with the package."""
    data = resources.files("oponente.games.catan") / "data"
    nets = [read_arrays(str(data / f"chances{players}.safetensors")) for players in range(FEWEST, MOST + 1)]
    return Chances(_TOKEN, np.array([flat(net) for net in nets]))


def value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:
    """Return the bounds of the values: utilities, which add up."""
    return -1.0, 1.0, 2.0 - int(game.rules["players"])


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player 2 p - 1, where p is how likely it is to win, and its utility where the game is over."""
    players = game.rules.players
    if state.winner >= 0:
        returns(game, state, out)
        return
    inputs, sums, values = local_floats(INPUTS), local_floats(FIRST), local_floats(FIRST)
    for seat in range(players):
        fill_inputs(game, state, seat, inputs)
        out[seat] = output(SIZES, evaluator.layers[players - FEWEST], inputs, sums, values)
    compete(out, -1.0, 1.0)
