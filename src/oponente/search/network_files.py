"""Files of networks as searches are given them: ``evaluation=FILE``, a ``.safetensors`` or ``.npz`` file.

What is kept of a file is its absolute path and a digest of its content, so that a game that was recorded is never
played again by another network under the same name.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import Game
from oponente.kernel.arrays import ENDINGS, ArrayFileError, Arrays, pinned, pinned_path, read_pinned
from oponente.search.network import MOST_FEATURES, MOST_NEURONS, Network, layers_in, network

KEPT = 256
"""So many files stay in memory, those asked for last."""


def names_network(text: str) -> bool:
    """Tell whether what is given as the name of an evaluator is a file.

    >>> names_network("linear"), names_network("best.npz"), names_network("/x/best.safetensors@0123456789abcdef")
    (False, True, True)
    """
    return pinned_path(text).endswith(ENDINGS)


def evaluation_text(text: str) -> str:
    """Return what is kept of an evaluator that a user names: a name as it is, of a file its path and a digest.

    Raises:
        ValueError: there is no such file.
    """
    return pinned(text) if names_network(text) else text


def network_evaluator(text: str, game: Game) -> Network:
    """Return the evaluation of a game by a network, by what :func:`evaluation_text` returned.

    The features are the first of the game of which there are as many as the network has inputs.

    Raises:
        ValueError: there is no such network, its file has been changed, or it is not for this game.
    """
    arrays = _read(text)
    path = pinned_path(text)
    low, high = map(float, arrays["range"])
    if (low, high) != tuple(map(float, game.utility)):
        raise ValueError(f"network {path} expects utilities of {low:g} to {high:g}, which are not those of {game.name}")
    if "players" in arrays and arrays["players"][0] != game.num_players:
        raise ValueError(f"network {path} is for games of {arrays['players'][0]} players, not {game.num_players}")
    for name in game.features:
        if game.feature_count(name) == arrays["mean"].size:
            return _evaluator(text, game.features[name])
    known = ", ".join(f"{game.feature_count(name)} ({name})" for name in game.features) or "none"
    raise ValueError(f"network {path} has {arrays['mean'].size} inputs; {game.name} has so many features: {known}")


_evaluators: OrderedDict[tuple[str, int], tuple[Any, Network]] = OrderedDict()
"""Networks by the file and the identity of the features' tables, which are kept with them: tables that hold arrays are
no keys themselves. Those asked for last are at the end."""
_lock = Lock()


def _evaluator(text: str, kind: Any) -> Network:
    """Return the same tables for the same file and features, since kernels are bound to them."""
    with _lock:
        found = _evaluators.pop((text, id(kind)), None) or (kind, network(kind, _read(text)))
        _evaluators[text, id(kind)] = found
        if len(_evaluators) > KEPT:
            _evaluators.popitem(last=False)
    return found[1]


@lru_cache(maxsize=KEPT)
def _read(text: str) -> Arrays:
    arrays = read_pinned(text)
    check_network(arrays, pinned_path(text))
    return arrays


def check_network(arrays: Mapping[str, npt.NDArray[Any]], path: str) -> None:
    """Raise ArrayFileError unless arrays are those of a network that :mod:`oponente.search.network` evaluates."""
    layers = layers_in(arrays)
    wanted = ["mean", "scale", *(f"{name}{i}" for i in range(1, max(1, layers) + 1) for name in ("weight", "bias"))]
    for name in (*wanted, "range"):
        if name not in arrays:
            hint = ", which networks have that predict outcomes" if name == "range" else ""
            raise ArrayFileError(f"network {path} lacks {name}{hint}")
        if arrays[name].dtype.kind not in "fiu":
            raise ArrayFileError(f"network {path}: {name} holds no real numbers")
        if not np.isfinite(arrays[name]).all():
            raise ArrayFileError(f"network {path}: {name} has numbers that are not finite")
    width = arrays["mean"].size
    shapes: dict[str, tuple[int, ...]] = {"mean": (width,), "scale": (width,), "range": (2,)}
    for number in range(1, layers + 1):
        neurons = 1 if number == layers else arrays[f"bias{number}"].size
        shapes[f"weight{number}"], shapes[f"bias{number}"] = (neurons, width), (neurons,)
        width = neurons
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ArrayFileError(f"network {path}: {name} has shape {arrays[name].shape}; expected {shape}")
    if (arrays["scale"] == 0).any():
        raise ArrayFileError(f"network {path}: a scale is 0")
    if not arrays["range"][0] < arrays["range"][1]:
        raise ArrayFileError(f"network {path}: its range {arrays['range'].tolist()} is empty")
    if "players" in arrays and not (
        arrays["players"].shape == (1,) and arrays["players"].dtype.kind in "iu" and 2 <= arrays["players"][0] <= 255
    ):
        raise ArrayFileError(f"network {path}: players is no number of players")
    if arrays["mean"].size > MOST_FEATURES:
        raise ArrayFileError(f"network {path} has more than {MOST_FEATURES} inputs")
    if any(arrays[f"bias{number}"].size > MOST_NEURONS for number in range(1, layers + 1)):
        raise ArrayFileError(f"network {path} has a layer of more than {MOST_NEURONS} neurons")
