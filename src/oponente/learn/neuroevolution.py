"""Neuroevolution: the weights of an agent's network evolve by paired matches, without gradients.

A separable CMA-ES (R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and space complexity",
2008) by pycma: each weight has a step size of its own, and there are no correlations, which thousands of weights would
not allow. All candidates of a generation play the same games, by default against the network in the middle of the
distribution, so that half of the utility is what an equal one gets at any time; what counts is how the candidates
rank. The result is the middle of the last distribution.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from oponente.kernel import in_one_step
from oponente.kernel.arrays import write_arrays
from oponente.learn.evolution_strategy import new_strategy, outcome, told_again
from oponente.learn.fitness import Fitness
from oponente.learn.gate import Verdict
from oponente.learn.network_space import NetworkSpace
from oponente.learn.training import Training

NETWORK = "network.safetensors"
"""What is kept of the network that was reached."""


def run_neuroevolution(
    space: NetworkSpace,
    fitness: Fitness,
    training: Training,
    *,
    generations: int,
    sigma: float,
    population: int | None,
    opponent: str | None,
    gauge: int,
    compared: Callable[[str, int], Verdict],
    seed: int,
    progress: Callable[[int, int, str], None],
) -> list[Any]:
    """Go on with a training to its last generation; return the weights found.

    As in :func:`~oponente.learn.evolution_strategy.run_cma`, what is kept of a generation is how its candidates fared.

    Args:
        space: of the weights.
        fitness: of candidates.
        training: where it is kept, with the network that was reached.
        generations: how many.
        sigma: first standard deviation, in units of the weights.
        population: candidates of a generation; None: 4 + 3 ln(number of weights).
        opponent: spec of the agent that candidates play against; None: the network in the middle of the distribution.
        gauge: after so many generations the network reached is compared with the start; 0: never.
        compared: gives how an agent does against the start, in the games of a number.
        seed: of all that is random.
        progress: called after each generation.

    Raises:
        RuntimeError: pycma is not installed.
    """
    units = np.array([parameter.unit for parameter in space.parameters])
    start = np.array(space.start) / units
    strategy = new_strategy(start.tolist(), sigma, population, seed, CMA_diagonal=True)
    history = told_again(strategy, training)
    began = time.perf_counter() - training.seconds

    def middle() -> list[Any]:
        return space.fitted(np.asarray(strategy.mean) * units)

    while len(history) < generations:
        number = len(history) + 1
        points = strategy.ask()
        specs = [space.spec(space.fitted(np.asarray(point) * units)) for point in points]
        against = space.spec(middle()) if opponent is None else opponent
        losses = [1.0 - worth for worth in fitness.utilities(specs, against, number)]
        strategy.tell(points, losses)
        history.append(outcome(points, losses))
        found = compared(space.spec(middle()), number) if gauge and number % gauge == 0 else None
        space.tidy()
        row = {
            "generation": number,
            "best": 1.0 - min(losses),
            "mean": 1.0 - statistics.fmean(losses),
            "sigma": float(strategy.sigma),
            "distance": float(np.sqrt(np.mean((np.asarray(strategy.mean) - start) ** 2))),
            "gauge": found and found.score,
            "gauge_low": found and found.low,
            "gauge_high": found and found.high,
            "seconds": time.perf_counter() - began,
        }
        training.keep({"history": history}, row)
        with in_one_step(training.folder / NETWORK) as part:
            write_arrays(part, space.arrays(middle()))
        progress(number, generations, f"against the start {found.score:.3f}" if found else "")
    return middle()
