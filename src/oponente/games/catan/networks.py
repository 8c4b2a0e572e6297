"""Catan: files of networks, and the agent's parameter that names one."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import numpy as np

from oponente.games.catan.network import SHAPES
from oponente.kernel import option
from oponente.kernel.arrays import ArrayFileError, Arrays, pinned, pinned_path, read_arrays, read_pinned

SHIPPED = {"shipped": "network.safetensors"}
"""Files of the networks that come with the package, by name: one, trained on the linear evaluation with its start
weights, and not evolved further."""


def network_text(text: str) -> str:
    """Return what is kept of a network that a user names: its absolute path, and a digest of its content.

    Raises:
        ValueError: there is no such network.
    """
    if text in SHIPPED:
        return text
    kept = pinned(text)
    read_network(kept)
    return kept


def read_network(text: str) -> Arrays:
    """Return the arrays of a network, by what :func:`network_text` returned.

    Raises:
        ValueError: there is no such network, or its file has been changed.
    """
    path = pinned_path(text)
    if text in SHIPPED:
        arrays = read_arrays(str(resources.files("oponente.games.catan") / "data" / SHIPPED[text]))
    else:
        arrays = read_pinned(text)
    for name, shape in SHAPES.items():
        if name not in arrays:
            raise ArrayFileError(f"network {path} lacks {name}; expected {', '.join(SHAPES)}")
        if arrays[name].shape != shape:
            raise ArrayFileError(f"network {path}: {name} has shape {arrays[name].shape}; expected {shape}")
        if arrays[name].dtype.kind not in "fiu":
            raise ArrayFileError(f"network {path}: {name} holds no real numbers")
        if not np.isfinite(arrays[name]).all():
            raise ArrayFileError(f"network {path}: {name} has numbers that are not finite")
    if (arrays["scale"] == 0).any():
        raise ArrayFileError(f"network {path}: a scale is 0")
    return arrays


@dataclass(frozen=True)
class NeuralParameters:
    """Which network."""

    network: str = option(
        "shipped",
        given=network_text,
        meaning=f"network 48-32-16-1: {', '.join(SHIPPED)}, or a .safetensors or .npz file",
    )
