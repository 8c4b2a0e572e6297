"""alpha-Rank: who holds out in a field without a best one, where ratings on one line say little.

Agents are the types of a population that plays itself. Now and then a single mutant of another type comes up; it takes
the population over with a probability that grows with how much better it does against the others than they against it.
How much of the time each type holds the population is its mass: all of it for an agent that beats all others, equal
parts for rock, paper and scissors.

Source: S. Omidshafiei et al., "alpha-Rank: multi-agent evaluation by evolution" (Scientific Reports 2019), for
symmetric games of two players. That a mutant takes over is never less likely than :data:`ACCIDENT`, so that masses are
well defined however strongly success decides.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["ACCIDENT", "alpha_rank"]

ACCIDENT = 1e-12
"""Least probability that a mutant takes over."""


def alpha_rank(shares: npt.NDArray[np.float64], alpha: float = 20.0, population: int = 50) -> npt.NDArray[np.float64]:
    """Return the mass of each agent; the masses sum to 1.

    Args:
        shares: float64, (agents, agents): the mean share of the row's agent against the column's, from 0 to 1; the
            diagonal does not matter.
        alpha: how strongly success decides: 0 for not at all.
        population: its size.

    Raises:
        ValueError: two agents have never met (not a number), or the table is not square.
    """
    count = len(shares)
    if shares.shape != (count, count):
        raise ValueError(f"a table of shares of shape {shares.shape}: expected a square one")
    others = ~np.eye(count, dtype=bool)
    if not np.isfinite(shares[others]).all():
        raise ValueError("alpha-Rank needs results of each agent against each other one")
    if count == 1:
        return np.ones(1)
    # advantage[i, j]: of a mutant j among i.
    advantage = np.where(others, shares.T - shares, 0.0) * alpha
    taken = np.maximum(_fixation(advantage, population), ACCIDENT) / (count - 1)
    np.fill_diagonal(taken, 0.0)
    np.fill_diagonal(taken, 1.0 - taken.sum(axis=1))
    return _stationary(taken)


def _fixation(advantage: npt.NDArray[np.float64], population: int) -> npt.NDArray[np.float64]:
    """Return ``(1 - exp(-a)) / (1 - exp(-m a))``, which is 1 / m at 0, without overflow."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # For a < 0 both are divided by exp(-m a), which may be beyond a double.
        below = np.exp((population - 1) * advantage) * np.expm1(advantage) / np.expm1(population * advantage)
        above = np.expm1(-advantage) / np.expm1(-population * advantage)
    found = np.where(advantage < 0.0, below, above)
    result: npt.NDArray[np.float64] = np.where(np.abs(advantage) < 1e-12, 1.0 / population, found)
    return result


def _stationary(chain: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the stationary distribution of a Markov chain.

    It is found by elimination without subtractions, which keeps small probabilities exact (W. Grassmann, M. Taksar, D.
    Heyman 1985).
    """
    rest = chain.copy()
    count = len(rest)
    for last in range(count - 1, 0, -1):
        rest[:last, last] /= rest[last, :last].sum()
        rest[:last, :last] += np.outer(rest[:last, last], rest[last, :last])
    mass = np.ones(count)
    for state in range(1, count):
        mass[state] = mass[:state] @ rest[:state, state]
        mass[: state + 1] /= mass[: state + 1].sum()
    return mass
