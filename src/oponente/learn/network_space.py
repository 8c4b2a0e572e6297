"""The weights of an agent's network as a space: for the evolution of networks (neuroevolution).

An agent whose parameter names a file of a network has ``tuning_network``, the name of that parameter, and
``network_arrays()``, which returns the network's arrays. Every number of them is tuned, but for those in
``fixed_arrays`` (as the scales of inputs). A step of 1 is the standard deviation of the array that the number is in.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from oponente.agents.base import Agent
from oponente.kernel.arrays import Arrays, write_arrays
from oponente.learn.space import Parameter, Space


class NetworkSpace(Space):
    """The weights of an agent's network.

    Args:
        agent: with ``tuning_network``; its network is the start.
        folder: where networks of individuals are written, since agents read them from files.
    """

    def __init__(self, agent: Agent, folder: Path) -> None:
        own: Any = agent
        self.agent = agent
        self.folder = folder
        self.parameter: str = own.tuning_network
        """The parameter that names the file."""
        self._arrays: Arrays = own.network_arrays()
        self._tuned = [name for name in self._arrays if name not in own.fixed_arrays]
        self.parameters = [
            Parameter(
                f"{name}[{i}]",
                "float",
                float("-inf"),
                float("inf"),
                (),
                float(value),
                float(self._arrays[name].std()) or 1.0,
            )
            for name in self._tuned
            for i, value in enumerate(self._arrays[name].ravel())
        ]

    def fitted(self, values: Sequence[float]) -> list[Any]:
        """Return the numbers as files hold them: in single precision."""
        numbers: list[float] = np.asarray(values, np.float32).tolist()
        return numbers

    def arrays(self, values: Sequence[Any]) -> Arrays:
        """Return the network with some values."""
        arrays, at = dict(self._arrays), 0
        for name in self._tuned:
            old = self._arrays[name]
            arrays[name] = np.asarray(values[at : at + old.size], np.float32).reshape(old.shape)
            at += old.size
        return arrays

    def spec(self, values: Sequence[Any]) -> str:
        """Return the spec of the agent with a network, which is written to the folder."""
        name = hashlib.blake2b(np.asarray(values, np.float32).tobytes(), digest_size=12).hexdigest()
        path = self.folder / f"{name}.safetensors"
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_arrays(path, self.arrays(values))
        changes = {self.parameter: f"{path.absolute()}"}
        return type(self.agent)(dataclasses.replace(self.agent.parameters, **changes)).spec

    def summary(self, people: Sequence[Sequence[Any]]) -> dict[str, float]:
        """Return the norm of the mean and the mean deviation, in units."""
        units = np.array([parameter.unit for parameter in self.parameters])
        scaled = np.asarray(people, np.float64) / units
        return {"norm": float(np.linalg.norm(scaled.mean(axis=0))), "deviation": float(scaled.std(axis=0).mean())}

    def lines(self) -> list[str]:
        """Return the columns of :meth:`summary` that are drawn."""
        return ["norm", "deviation"]

    def tidy(self) -> None:
        """Remove the files of individuals, which are written again where they are needed."""
        for path in self.folder.glob("*.safetensors"):
            path.unlink()
