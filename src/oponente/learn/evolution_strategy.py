"""CMA-ES (N. Hansen, A. Ostermeier, "Completely derandomized self-adaptation in evolution strategies", 2001) by pycma.

Minimises one minus the share of games won against an opponent. All candidates of a generation play the same games,
others in each generation; the result is the mean of the last distribution, which is less noisy than any candidate.
The package ``cma`` comes with the extra ``oponente[learn]``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from oponente.kernel import derive_seed
from oponente.learn.fitness import Fitness
from oponente.learn.training import Training

MISSING = "CMA-ES needs the package cma: pip install 'oponente[learn]'"


def pycma() -> Any:
    """Return the module.

    Raises:
        RuntimeError: pycma is not installed.
    """
    try:
        import cma
    except ImportError:
        raise RuntimeError(MISSING) from None
    return cma


def told_again(strategy: Any, training: Training) -> list[list[float]]:
    """Tell a new strategy all that was kept of a training, so that it stands where that stood; return the losses."""
    with training.restoring():
        history = list(training.state["history"]) if training.state is not None else []
        for losses in history:
            strategy.tell(strategy.ask(), losses)
    return history


def run_cma(
    fitness: Fitness,
    training: Training,
    *,
    generations: int,
    sigma: float,
    population: int | None,
    seed: int,
    progress: Callable[[int, int, str], None],
) -> list[Any]:
    """Go on with a training to its last generation; return the parameters found.

    What is kept of a generation are its candidates and how they fared: a run that goes on tells them to a new strategy
    one after the other, which then stands where the old one stood.

    Args:
        fitness: of candidates.
        training: where it is kept.
        generations: how many.
        sigma: first standard deviation, in units of the parameters.
        population: candidates of a generation; None: 4 + 3 ln(number of parameters).
        seed: of all that is random.
        progress: called after each generation.

    Raises:
        RuntimeError: pycma is not installed.
    """
    cma = pycma()
    space = fitness.space
    units = [parameter.unit for parameter in space.parameters]
    options: dict[str, Any] = {"seed": derive_seed(seed, "cma") % (2**31 - 2) + 1, "verbose": -9}
    if population is not None:
        options["popsize"] = population
    start = [float(value) / unit for value, unit in zip(space.start, units, strict=True)]
    strategy = cma.CMAEvolutionStrategy(start, sigma, options)
    history = told_again(strategy, training)
    began = time.perf_counter() - training.seconds
    while len(history) < generations:
        number = len(history)
        points = strategy.ask()
        candidates = [space.fitted([x * unit for x, unit in zip(point, units, strict=True)]) for point in points]
        losses = [1.0 - share for share in fitness.measure(candidates, number)]
        strategy.tell(points, losses)
        history.append(losses)
        mean = [x * unit for x, unit in zip(strategy.mean, units, strict=True)]
        row = {
            "generation": number + 1,
            "best": 1.0 - min(losses),
            "mean": 1.0 - statistics.fmean(losses),
            "sigma": float(strategy.sigma),
            **{f"{name}_mean": float(value) for name, value in zip(space.names, mean, strict=True)},
            "seconds": time.perf_counter() - began,
        }
        training.keep({"history": history}, row)
        progress(number + 1, generations, f"win rate {row['mean']:.3f}")
    return space.fitted([x * unit for x, unit in zip(strategy.mean, units, strict=True)])
