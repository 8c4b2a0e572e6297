"""CMA-ES (N. Hansen, A. Ostermeier, "Completely derandomized self-adaptation in evolution strategies", 2001) by pycma.

Minimises one minus the fitness (:mod:`oponente.learn.fitness`). All candidates of a generation play the same games,
others in each generation, and one whose values don't go together has a fitness of 0; the result is the mean of the last
distribution, which is less noisy than any candidate, or where an agent refuses it, what is allowed next to it on the
way to the start values.
The package ``cma`` comes with the extra ``oponente[learn]``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from oponente.kernel import derive_seed
from oponente.learn.fitness import Fitness
from oponente.learn.training import Training, TrainingError

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


def new_strategy(start: Sequence[float], sigma: float, population: int | None, seed: int, **options: Any) -> Any:
    """Return a strategy of pycma that draws from a stream of its own.

    By default pycma seeds NumPy's global stream and draws from it, which games and agents in this process may do, too.

    Args:
        start: middle of the first distribution.
        sigma: first standard deviation.
        population: candidates of a generation; None: 4 + 3 ln(number of parameters).
        seed: of all that is random.
        options: more of pycma's.

    Raises:
        RuntimeError: pycma is not installed.
    """
    stream = np.random.RandomState(derive_seed(seed, "cma") % (2**31 - 2) + 1)
    # A seed that is no number is how pycma is told to seed nothing.
    given = {"randn": stream.randn, "seed": float("nan"), "verbose": -9, **options}
    if population is not None:
        given["popsize"] = population
    return pycma().CMAEvolutionStrategy(list(start), sigma, given)


def outcome(points: Sequence[Any], losses: Sequence[float]) -> dict[str, list[float]]:
    """Return what is kept of a generation: how its candidates fared, and by what they are known again."""
    return {"losses": list(losses), "norms": [float(np.linalg.norm(point)) for point in points]}


def told_again(strategy: Any, training: Training) -> list[dict[str, list[float]]]:
    """Tell a new strategy all that was kept of a training, so that it stands where that stood; return what was kept.

    Raises:
        TrainingError: the file of the state is damaged, or candidates are others than those that were measured.
    """
    with training.restoring():
        history = list(training.state["history"]) if training.state is not None else []
        for kept in history:
            points = strategy.ask()
            # Not to the last digit, which may be another one with another library for linear algebra.
            if not np.allclose(outcome(points, [])["norms"], kept["norms"], rtol=1e-6, atol=0.0):
                raise TrainingError(
                    f"{training.folder} can't be gone on with: the candidates drawn now are not those that were"
                    " measured (of another version of pycma or NumPy?)"
                )
            strategy.tell(points, kept["losses"])
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

    What is kept of a generation is how its candidates fared: a run that goes on tells it to a new strategy, which draws
    the same candidates again, one generation after the other, and then stands where the old one stood.

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
    space = fitness.space
    start = [parameter.place(value) for parameter, value in zip(space.parameters, space.start, strict=True)]
    strategy = new_strategy(start, sigma, population, seed)
    history = told_again(strategy, training)
    began = time.perf_counter() - training.seconds
    while len(history) < generations:
        number = len(history)
        points = strategy.ask()
        candidates = [space.fitted(space.numbers(point)) for point in points]
        losses = [1.0 - worth for worth in fitness.measure(candidates, number)]
        strategy.tell(points, losses)
        history.append(outcome(points, losses))
        mean = space.numbers(strategy.mean)
        row = {
            "generation": number + 1,
            "best": 1.0 - min(losses),
            "mean": 1.0 - statistics.fmean(losses),
            "sigma": float(strategy.sigma),
            **{f"{name}_mean": float(value) for name, value in zip(space.names, mean, strict=True)},
            "seconds": time.perf_counter() - began,
        }
        training.keep({"history": history}, row)
        progress(number + 1, generations, f"fitness {row['mean']:.3f}")
    # The start values go together, even where the mean does not.
    parts = [[a + far * (b - a) for a, b in zip(start, strategy.mean, strict=True)] for far in (1.0, 0.75, 0.5, 0.25)]
    fitted = (space.fitted(space.numbers(part)) for part in parts)
    return next((values for values in fitted if fitness.allows(values)), space.start)
