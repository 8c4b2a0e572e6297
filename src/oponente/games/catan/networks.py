"""Catan: files of networks, and the agent's parameter that names one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from oponente.games.catan.network import SHAPES
from oponente.kernel import option
from oponente.kernel.arrays import ArrayFileError, Arrays, read_arrays

SHIPPED = {"shipped": "network.safetensors"}
"""Files of the networks that come with the package, by name: one, trained on the linear evaluation."""
_DIGITS = 16


def network_text(text: str) -> str:
    """Return what is kept of a network that a user names: its absolute path, and a digest of its content.

    Raises:
        ValueError: there is no such network.
    """
    if text in SHIPPED:
        return text
    path, _, digest = text.rpartition("@")
    if path and len(digest) == _DIGITS and Path(path).exists():
        read_network(text)
        return text
    path = str(Path(text).expanduser().absolute())
    read_network(path)
    return f"{path}@{_digest(path)}"


def read_network(text: str) -> Arrays:
    """Return the arrays of a network, by what :func:`network_text` returned.

    Raises:
        ValueError: there is no such network, or its file has been changed.
    """
    if text in SHIPPED:
        path = str(resources.files("oponente.games.catan") / "data" / SHIPPED[text])
    else:
        path, _, digest = text.rpartition("@")
        if not path or len(digest) != _DIGITS:
            path = text
        elif _digest(path) != digest:
            raise ValueError(f"network {path} is not what it was when it was given: give it anew")
    arrays = read_arrays(path)
    for name, shape in SHAPES.items():
        if name not in arrays:
            raise ArrayFileError(f"network {path} lacks {name}; expected {', '.join(SHAPES)}")
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise ArrayFileError(f"network {path}: {name} has shape {arrays[name].shape}; expected {shape}, finite")
    if (arrays["scale"] == 0).any():
        raise ArrayFileError(f"network {path}: a scale is 0")
    return arrays


def _digest(path: str) -> str:
    try:
        return hashlib.blake2b(Path(path).read_bytes(), digest_size=_DIGITS // 2).hexdigest()
    except OSError as error:
        raise ArrayFileError(f"{path}: {error.strerror}") from None


@dataclass(frozen=True)
class NeuralParameters:
    """Which network."""

    network: str = option(
        "shipped",
        given=network_text,
        meaning=f"network 48-32-16-1: {', '.join(SHIPPED)}, or a .safetensors or .npz file",
    )
