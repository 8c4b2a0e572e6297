"""NTBEA, the n-tuple bandit evolutionary algorithm (S. Lucas, J. Liu, D. Perez-Liebana, "The N-Tuple Bandit
Evolutionary Algorithm for Automatic Game Improvement", 2018): noisy search over mixed parameters.

Each parameter has a few values to choose from. A model keeps the mean and the number of measurements for every value,
every pair of values, and the whole combination. In each step the current point is measured once; then, of some of its
neighbours, the one with the greatest upper confidence bound is the next point:

    mean over the tuples of  m(t) + k sqrt(ln(N + 1) / (n(t) + e))

The result is the point whose model mean is greatest, of those that were measured. Ours is that parameters need not go
together: neighbours that make no agent are drawn anew, and the first point is the allowed one next to the start values.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from oponente.kernel import derive_seed
from oponente.learn.fitness import Fitness
from oponente.learn.space import Parameter
from oponente.learn.training import Training

EXPLORATION, EPSILON = 0.5, 0.5
"""k and e of the bound."""
TRIES = 100
"""How often a neighbour is drawn anew that makes no agent."""
BEGINNINGS = 10_000
"""How many points are looked at to find one to begin with that makes an agent."""

Point = tuple[int, ...]
"""The number of the value chosen for each parameter."""


class TupleModel:
    """What measurements of points say of other points that have values in common with them.

    Args:
        sizes: how many values each parameter has.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        places = range(len(sizes))
        tuples: list[tuple[int, ...]] = [(i,) for i in places]
        if len(sizes) > 1:
            tuples += itertools.combinations(places, 2)
        if len(sizes) > 2:
            tuples.append(tuple(places))
        self._tuples = tuples
        self._sums: list[dict[Point, tuple[float, int]]] = [{} for _ in tuples]
        self._count = 0

    def add(self, point: Point, value: float) -> None:
        """Take in a measurement."""
        self._count += 1
        for places, sums in zip(self._tuples, self._sums, strict=True):
            key = tuple(point[i] for i in places)
            total, count = sums.get(key, (0.0, 0))
            sums[key] = total + value, count + 1

    def mean(self, point: Point) -> float:
        """Return what the point is worth: the mean over the tuples of which anything is known."""
        known = [total / count for total, count in self._entries(point) if count]
        return sum(known) / len(known) if known else 0.0

    def bound(self, point: Point) -> float:
        """Return the upper confidence bound."""
        reach = sum(math.sqrt(math.log(self._count + 1) / (count + EPSILON)) for _, count in self._entries(point))
        return self.mean(point) + EXPLORATION * reach / len(self._tuples)

    def _entries(self, point: Point) -> list[tuple[float, int]]:
        return [
            sums.get(tuple(point[i] for i in places), (0.0, 0))
            for places, sums in zip(self._tuples, self._sums, strict=True)
        ]


def values_of(parameter: Parameter, count: int, reach: float) -> list[Any]:
    """Return the values of a parameter to choose from: of a number ascending, and its start value among them.

    Args:
        parameter: numbers get `count` values at even distances on their scale, as many below the start value as above
            it, or fewer where they would be outside its range or whole numbers are the same; others, and those whose
            values are named, have their `choices`.
        count: of a number; odd.
        reach: how far the first and the last one are from the start value, in units of the parameter.

    Raises:
        ValueError: the count is even.
    """
    if count % 2 == 0:
        raise ValueError(f"{count} values: expected an odd number, for the start value and as many on each side")
    if parameter.choices or not parameter.numeric:
        return list(parameter.choices)
    half = count // 2
    steps = [reach * i / half for i in range(1, half + 1)]
    if parameter.kind == "int" and parameter.shift is None:  # rounded here, so that both sides are
        steps = [math.floor(step * parameter.unit + 0.5) / parameter.unit for step in steps]
    both = (*steps, *(-step for step in steps))
    return sorted({parameter.start, *(parameter.fitted(parameter.moved(parameter.start, step)) for step in both)})


def run_ntbea(
    fitness: Fitness,
    training: Training,
    *,
    steps: int,
    values: int,
    reach: float,
    neighbours: int,
    seed: int,
    progress: Callable[[int, int, str], None],
) -> list[Any]:
    """Go on with a training to its last step; return the parameters found.

    Args:
        fitness: of a point.
        training: where it is kept.
        steps: how many measurements.
        values: of each number to choose from; odd.
        reach: see :func:`values_of`.
        neighbours: looked at in each step.
        seed: of all that is random.
        progress: called after each step.

    Raises:
        ValueError: no values are found that go together.
    """
    space = fitness.space
    known: dict[Point, bool] = {}

    def allowed(at: Point) -> bool:
        if at not in known:
            known[at] = fitness.allows(chosen(grid, at))
        return known[at]

    grid = [values_of(parameter, values, reach) for parameter in space.parameters]
    model = TupleModel([len(row) for row in grid])
    measured: list[tuple[Point, float]] = []
    if training.state is not None:
        with training.restoring():
            measured = [(tuple(at), worth) for at, worth in training.state["measured"]]
            for at, worth in measured:
                model.add(at, worth)
            point = tuple(training.state["next"])
            for at in (point, *(at for at, _ in measured)):
                chosen(grid, at)
    else:
        point = beginning(grid, space.start, allowed)
    began = time.perf_counter() - training.seconds
    while len(measured) < steps:
        number = len(measured)
        worth = fitness.measure([chosen(grid, point)], number)[0]
        model.add(point, worth)
        measured.append((point, worth))
        chance = random.Random(derive_seed(seed, "neighbours", number))
        around = [neighbour(point, grid, chance, allowed) for _ in range(neighbours)]
        row = {"step": number + 1, "fitness": worth, "model": model.mean(point), "seconds": time.perf_counter() - began}
        point = max(around, key=model.bound)
        training.keep({"measured": measured, "next": point}, row)
        progress(number + 1, steps, f"fitness {worth:.3f}")
    best = max(dict.fromkeys(at for at, _ in measured), key=model.mean)
    return chosen(grid, best)


def beginning(grid: Sequence[Sequence[Any]], start: Sequence[Any], allowed: Callable[[Point], bool]) -> Point:
    """Return the allowed point that has the most values in common with the start.

    Where values are named, the agent's own need not be among them; then the first one takes its place.

    Raises:
        ValueError: none is found.
    """
    near: Point = tuple(row.index(value) if value in row else 0 for row, value in zip(grid, start, strict=True))
    for at in itertools.islice(_by_distance(near, grid), BEGINNINGS):
        if allowed(at):
            return at
    raise ValueError("no values to try were found that go together: name others, or tune fewer parameters")


def _by_distance(near: Point, grid: Sequence[Sequence[Any]]) -> Iterator[Point]:
    """Yield all points, those first that differ in the fewest values."""
    for count in range(len(grid) + 1):
        for places in itertools.combinations(range(len(grid)), count):
            others = ([k for k in range(len(grid[i])) if k != near[i]] for i in places)
            for changed in itertools.product(*others):
                at = list(near)
                for i, k in zip(places, changed, strict=True):
                    at[i] = k
                yield tuple(at)


def chosen(grid: Sequence[Sequence[Any]], point: Point) -> list[Any]:
    """Return the values that a point stands for."""
    return [row[i] for row, i in zip(grid, point, strict=True)]


def neighbour(
    point: Point, grid: Sequence[Sequence[Any]], chance: random.Random, allowed: Callable[[Point], bool]
) -> Point:
    """Return the point with one value drawn anew, and each other one with a probability of one over their number.

    It is drawn until it is allowed; where that takes too long, the point itself is returned.
    """
    places = [i for i, row in enumerate(grid) if len(row) > 1]
    for _ in range(TRIES if places else 0):
        surely = chance.choice(places)
        changed = list(point)
        for i in places:
            if i == surely or chance.random() < 1.0 / len(places):
                changed[i] = chance.choice([k for k in range(len(grid[i])) if k != point[i]])
        if allowed(tuple(changed)):
            return tuple(changed)
    return point
