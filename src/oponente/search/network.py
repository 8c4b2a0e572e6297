"""An evaluation by a neural network over the features of a game, for any search and any game that has features.

A multilayer perceptron with rectifiers (max(0, x)) in any number of hidden layers, and one output, which a hyperbolic
tangent takes between the least and the greatest utility of the game: what the seat that looks on can expect in the end.
Or, where the network was trained so, the outputs for all seats compete: their softmax is how likely each is to win
(the model of Plackett and Luce), for games that one player wins and all others lose alike.
Each seat's output comes from what that seat knows. Evaluated here, in the kernel, so that playing needs no library for
networks; files of networks are read by :mod:`oponente.search.network_files`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.kernel import TERMINAL, Token, features, local_floats, njit, player, returns

MOST_FEATURES, MOST_NEURONS = 4096, 256
"""Room for the inputs, and for the outputs of a layer, on the stack."""
HUGE = 1e300
"""Outputs beyond count as this."""


class Network(NamedTuple):
    """An evaluation."""

    token: Token
    kind: Any
    """Tables of the features that the network looks at."""
    sizes: npt.NDArray[np.int64]
    """How many features there are, then how many neurons in each layer; the last layer has one."""
    weights: npt.NDArray[np.float64]
    """Layer by layer the biases of its neurons, then what they make of each input."""
    low: float
    """The least utility,"""
    high: float
    """and the greatest."""
    players: int
    """How many seats' outputs compete; 0: each stands for itself."""


_TOKEN = Token(__name__)


def network(kind: Any, arrays: Mapping[str, npt.NDArray[Any]]) -> Network:
    """Return the evaluation by a network.

    Args:
        kind: tables of the features.
        arrays: ``mean`` and ``scale`` of the features, ``weight1``, ``bias1``, ``weight2``, ... of the layers,
            ``range``, the least and the greatest utility, and, only where the seats' outputs compete, ``players``, how
            many there are.
    """
    sizes, weights = flat(arrays)
    low, high = map(float, arrays["range"])
    return Network(_TOKEN, kind, sizes, weights, low, high, int(arrays["players"][0]) if "players" in arrays else 0)


def flat(arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return sizes and weights of a network, see :class:`Network`."""
    mean, scale = (np.asarray(arrays[name], np.float64) for name in ("mean", "scale"))
    sizes, parts = [mean.size], []
    for number in range(1, layers_in(arrays) + 1):
        weight, bias = (np.asarray(arrays[f"{name}{number}"], np.float64) for name in ("weight", "bias"))
        if number == 1:  # worked into the first layer, so that features that are 0 stay so
            weight = weight / scale
            bias = bias - weight @ mean
        sizes.append(bias.size)
        parts += [bias, weight.T.ravel()]
    return np.array(sizes, np.int64), np.concatenate(parts)


def layers_in(arrays: Mapping[str, npt.NDArray[Any]]) -> int:
    """Return how many layers the arrays of a network have, the one with the output included.

    >>> layers_in({"weight1": np.zeros((3, 2)), "bias1": np.zeros(3), "weight2": np.zeros((1, 3))})
    2
    """
    count = 0
    while f"weight{count + 1}" in arrays:
        count += 1
    return count


def value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:
    """Return the bounds of the values: those of utilities. What the seats get need not add up where a game is over."""
    return float(evaluator.low), float(evaluator.high), math.inf


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player what the network expects for it, and its utility where the game is over."""
    if player(game, state) == TERMINAL:
        returns(game, state, out)
        return
    inputs, sums, values = local_floats(MOST_FEATURES), local_floats(MOST_NEURONS), local_floats(MOST_NEURONS)
    count = evaluator.sizes[0]
    half = (evaluator.high - evaluator.low) / 2.0
    for seat in range(out.size):
        for i in range(count):
            inputs[i] = 0.0
        features(evaluator.kind, game, state, seat, inputs[:count])
        out[seat] = output(evaluator.sizes, evaluator.weights, inputs, sums, values)
        if evaluator.players == 0:
            out[seat] = evaluator.low + half * (1.0 + math.tanh(out[seat]))
    if evaluator.players > 0:
        compete(out, evaluator.low, evaluator.high)


@njit
def compete(out: Any, low: Any, high: Any) -> None:
    """Turn the seats' outputs, in place, into what each can expect: `high` for the one who wins, `low` for others.

    >>> values = np.array([0.0, math.log(3.0)])
    >>> compete(values, -1.0, 1.0)
    >>> [round(float(value), 6) for value in values]
    [-0.5, 0.5]
    """
    most = -np.inf
    for seat in range(out.size):
        out[seat] = min(max(out[seat], -HUGE), HUGE)
        most = max(most, out[seat])
    whole = 0.0
    for seat in range(out.size):
        out[seat] = math.exp(out[seat] - most)
        whole += out[seat]
    for seat in range(out.size):
        out[seat] = low + (high - low) * out[seat] / whole


@njit
def output(sizes: Any, weights: Any, inputs: Any, sums: Any, values: Any) -> float:
    """Return the output of a network as it is, before anything is made of it.

    Args:
        sizes: see :class:`Network`.
        weights: see there.
        inputs: the features.
        sums: float64, as long as the widest layer; overwritten.
        values: the same.
    """
    width = sizes[1]
    at = width
    for i in range(width):
        sums[i] = weights[i]
    for k in range(sizes[0]):
        x = inputs[k]
        if x != 0.0:  # most are 0
            for i in range(width):
                sums[i] += weights[at + i] * x
        at += width
    for layer in range(2, sizes.size):
        before, width = width, sizes[layer]
        for k in range(before):
            values[k] = sums[k]
        for i in range(width):
            sums[i] = weights[at + i]
        at += width
        for k in range(before):
            x = values[k]
            if x > 0.0:  # the rectifier
                for i in range(width):
                    sums[i] += weights[at + i] * x
            at += width
    return sums[0]
