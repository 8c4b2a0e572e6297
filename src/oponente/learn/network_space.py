"""The weights of an agent's network as a space: for the evolution of networks (neuroevolution).

An agent that plays by a network of its own form has ``tuning_network``, the name of the parameter that names the file,
and ``network_arrays()``, which returns the network's arrays. For any other it is ``evaluation``
(:mod:`oponente.search.network_files`). All weights and biases are tuned; what else a file holds, as the scales of
inputs, stays. A step of 1 is the standard deviation of the array that the number is in; of a bias where all are equal,
that of the layer's weights.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from oponente.agents.base import Agent
from oponente.kernel import Game, in_one_step
from oponente.kernel.arrays import Arrays, read_pinned, write_arrays
from oponente.learn.features import feature_scales
from oponente.learn.space import Parameter, Space
from oponente.learn.supervised import NAMES, random_network
from oponente.search.network import layers_in
from oponente.search.network_files import names_network


def has_network(agent: Agent) -> bool:
    """Tell whether an agent plays by a network."""
    return hasattr(agent, "tuning_network") or names_network(str(getattr(agent.parameters, "evaluation", "")))


def network_of(agent: Agent) -> Arrays:
    """Return the network by which an agent plays.

    Raises:
        ValueError: its file can't be read.
    """
    own: Any = agent
    return own.network_arrays() if hasattr(agent, "tuning_network") else read_pinned(own.parameters.evaluation)


def tuned_names(arrays: Arrays) -> list[str]:
    """Return the names of the weights and biases of a network's layers, in the order of its arrays.

    >>> import numpy as np
    >>> tuned_names({"mean": np.zeros(1), "bias1": np.zeros(1), "weight1": np.zeros((1, 1)), "weight9": np.zeros(1)})
    ['bias1', 'weight1']
    """
    layers = range(1, layers_in(arrays) + 1)
    found = {f"{name}{number}" for number in layers for name in NAMES}
    return [name for name in arrays if name in found]


def fresh_network(agent: Agent, game: Game, kind: str, layers: Sequence[int], seed: int) -> Arrays:
    """Return a network with random weights for an agent.

    One of an agent that has a network keeps its form and its scales of inputs. Another looks at the features of some
    games at random first, to scale them.

    Args:
        agent: that will play by it.
        game: that is played.
        kind: name of the features.
        layers: neurons of the hidden layers.
        seed: of the weights, and of the games.
    """
    if has_network(agent):
        old = network_of(agent)
        sizes = [old[f"bias{number}"].size for number in range(1, layers_in(old))]
        new = random_network(old["mean"].size, sizes, game.utility, seed)
        return {**old, **{name: new[name] for name in tuned_names(old)}}
    mean, scale = feature_scales(game, kind, seed)
    return {**random_network(mean.size, layers, game.utility, seed), "mean": mean, "scale": scale}


class NetworkSpace(Space):
    """The weights of an agent's network.

    Args:
        agent: whose network it is.
        folder: where networks of individuals are written, since agents read them from files.
        start: the network to begin with; None: the agent's own.
    """

    def __init__(self, agent: Agent, folder: Path, start: Arrays | None = None) -> None:
        self.agent = agent
        self.folder = folder
        self.parameter: str = getattr(agent, "tuning_network", "evaluation")
        """The parameter that names the file."""
        self._arrays: Arrays = network_of(agent) if start is None else start
        self._tuned = tuned_names(self._arrays)
        self.parameters = [
            Parameter(
                f"{name}[{i}]",
                "float",
                float("-inf"),
                float("inf"),
                (),
                float(value),
                self._unit(name),
            )
            for name in self._tuned
            for i, value in enumerate(self._arrays[name].ravel())
        ]

    def _unit(self, name: str) -> float:
        """Return the step for the numbers of an array."""
        weights = self._arrays.get(name.replace("bias", "weight"), self._arrays[name])
        return float(self._arrays[name].std()) or float(weights.std()) or 1.0

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

    def allows(self, values: Sequence[Any], game: Game) -> bool:
        """Return True: any weights go together."""
        return True

    def spec(self, values: Sequence[Any]) -> str:
        """Return the spec of the agent with a network, which is written to the folder."""
        name = hashlib.blake2b(np.asarray(values, np.float32).tobytes(), digest_size=12).hexdigest()
        path = self.folder / f"{name}.safetensors"
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            with in_one_step(path) as part:
                write_arrays(part, self.arrays(values))
        return self.spec_with(str(path.absolute()))

    def spec_with(self, path: str) -> str:
        """Return the spec of the agent with the network in a file, all its other parameters as they are."""
        return type(self.agent)(dataclasses.replace(self.agent.parameters, **{self.parameter: path})).spec

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
