"""Catan: an evaluation by a small neural network, of the form that Skoric (FER 2022) uses: 48-32-16-1.

A multilayer perceptron over the inputs of :mod:`oponente.games.catan.inputs`: two hidden layers with rectifiers
(max(0, x)), one output without. Inputs are shifted and scaled first, by numbers that belong to the network. Evaluated
here, in the kernel, so that playing needs no library for networks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.catan.inputs import INPUTS
from oponente.games.catan.onestep import WON, best_action, worth_of
from oponente.kernel import Token, local_floats, njit
from oponente.search.network import flat as flat_network
from oponente.search.network import output

OWN_KNOWLEDGE = True

FIRST, SECOND = 32, 16
"""Neurons of the hidden layers."""
SHAPES: dict[str, tuple[int, ...]] = {
    "mean": (INPUTS,),
    "scale": (INPUTS,),
    "weight1": (FIRST, INPUTS),
    "bias1": (FIRST,),
    "weight2": (SECOND, FIRST),
    "bias2": (SECOND,),
    "weight3": (1, SECOND),
    "bias3": (1,),
}
"""The arrays of a network, as a file holds them. Input i enters as (i - mean) / scale."""
SIZES = np.array([INPUTS, FIRST, SECOND, 1])
"""As :func:`oponente.search.network.output` takes them."""


class Network(NamedTuple):
    """An evaluation."""

    token: Token
    layers: Any
    """float64, a row for each seat: its network's weights as :class:`oponente.search.network.Network` has them."""


_TOKEN = Token(__name__)


def network(*nets: dict[str, npt.NDArray[Any]]) -> Network:
    """Return the evaluation by one network for all seats, or one for each; arrays as in `SHAPES`."""
    rows = [flat(net) for net in nets]
    return Network(_TOKEN, np.array(rows * 4 if len(rows) == 1 else rows, np.float64))


def flat(net: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
    """Return a network as a row of numbers, see :class:`Network`."""
    return flat_network({name: net[name] for name in SHAPES})[1]


@njit
def judge(evaluator: Any, seat: Any, inputs: Any) -> float:
    """Return the output of the seat's network."""
    return output(SIZES, evaluator.layers[seat], inputs, local_floats(FIRST), local_floats(FIRST))


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player the network's output, and much more or less where the game is over."""
    inputs = local_floats(INPUTS)
    for seat in range(game.rules.players):
        out[seat] = worth_of(evaluator, game, state, seat, inputs)
        if state.winner >= 0 and state.winner != seat:
            out[seat] -= WON


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Look one step ahead."""
    return best_action(policy, game, state, rng, buffer)
