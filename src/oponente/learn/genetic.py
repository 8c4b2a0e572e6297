"""A genetic algorithm that tunes an agent by tournaments among its individuals (Skoric, FER 2022).

Each iteration holds some tournaments. In a tournament a few individuals, drawn from the population, play games with
each other; the two that win least are replaced by children of the two that win most, where games that are drawn count
in parts: one by *arithmetic crossover*, a random point between the parents, one by *heuristic crossover*, a random
point on the line from the second through the best and beyond (Z. Michalewicz, "Genetic Algorithms + Data Structures =
Evolution Programs", 1992). Lines and means are those of the parameters' scales (:mod:`oponente.learn.space`): of counts
they go by factors. Children mutate: each value with a probability, by a normal deviate, until their values go
together: an agent may refuse some.

The tournaments of an iteration come in waves. Within a wave no individual is in two of them, so they can be held at the
same time, and the course of the training does not depend on how many are.

At the end some candidates play duels against the start values (:meth:`Genetic.best`). The mean of all populations of
the second half is the first of them: contests of few games say little about one individual, but their luck averages
out. Others are the mean of the last population, and points on the line from the start values through the first mean
and beyond, since a population moves on as long as the training goes on, and its mean over time lags behind. The last
one is an individual, narrowed down by the same kind of contest as in the training, half of the population after each
round: as it owes its place to luck as well, it must be better by more than luck explains.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed
from oponente.learn.contest import Contest, Duel, Holder, Standing, duel, whole
from oponente.learn.space import Space
from oponente.learn.training import Training, expect

BEYOND = (1.25, 1.5)
"""Candidates on the line from the start values through the mean, which is at 1."""
ROUNDS = ((8, 3), (8, 2), (16, 1))
"""Of the last choice: the games of each candidate, in units of `final_games`, and how many candidates are left then."""
TRIES = 100
"""How often an individual deviates anew while its values don't go together; after that it is a parent, or the start."""
MARGIN = 2.0
"""By so many standard errors of the difference an individual must be better than the best of the other candidates."""
Progress = Callable[[int, int, str], None]
"""Called with the iterations done, how many there are, and a word about the last one."""


@dataclass(frozen=True)
class GeneticSettings:
    """What the thesis used, but for `final_games`, `gauge` and `opening`, which are ours."""

    iterations: int = 200
    population: int = 60
    tournaments: int = 20
    """In an iteration."""
    size: int = 4
    """Individuals in a tournament: at least four, and as many as play."""
    games: int = 20
    """In a tournament."""
    spread: float = 100.0
    """Standard deviation of the first population around the start values."""
    mutation: float = 50.0
    """Standard deviation of a mutation."""
    rate: float = 0.3
    """How likely a value of a child mutates."""
    final_games: int = 100
    """In each group of the last selection; the last candidates play up to 32 times as many."""
    gauge: int = 10
    """After so many iterations the mean of the population is measured against the start values; 0: never."""
    gauge_games: int = 80
    opening: int = 0
    """Random plies that open each game."""

    def __post_init__(self) -> None:
        if self.size < 4 or self.population < self.size:
            raise ValueError(
                f"tournaments of {self.size} in a population of {self.population}: at least 4 are needed, and as many"
            )


@dataclass(frozen=True)
class Evolved:
    """What a training has come to."""

    population: list[list[Any]]
    """The last one."""
    course: list[float]
    """The mean of the populations of all iterations of the second half, in coordinates of the parameters' scales."""


@dataclass
class Genetic:
    """The algorithm for one agent and game.

    Args:
        space: what is tuned.
        game: that is played.
        settings: see there.
        seed: of all that is random.
        held: holds contests.
        files: the user's files with agents.
    """

    space: Space
    game: GameSpec
    settings: GeneticSettings
    seed: int
    held: Holder
    files: tuple[str, ...] = ()
    _began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self._loaded = self.game.load()

    def run(self, training: Training, progress: Progress) -> Evolved:
        """Go on with a training to its last iteration; return what came of it."""
        done, population, total = 0, self.first_population(), [0.0] * len(self.space.start)
        if training.state is not None:
            with training.restoring():
                done, population, total = (training.state[name] for name in ("iteration", "population", "total"))
                expect(len(population) == self.settings.population, f"{self.settings.population} individuals")
                for values in (total, *population):
                    expect(len(self.space.fitted(values)) == len(self.space.start), "individuals of the agent")
        half = self.settings.iterations // 2
        self._began = time.perf_counter() - training.seconds
        while done < self.settings.iterations:
            population, row = self.iteration(done, population)
            if done >= half:
                total = [a + b for a, b in zip(total, self.space.mean(population), strict=True)]
            done += 1
            training.keep({"iteration": done, "population": population, "total": total}, row)
            self.space.tidy()
            progress(done, self.settings.iterations, _word(row["gauge"]))
        return Evolved(population, [value / (self.settings.iterations - half) for value in total])

    def first_population(self) -> list[list[Any]]:
        """Return individuals around the start values, which are the first one."""
        chance = random.Random(derive_seed(self.seed, "population"))
        start = self.space.start
        others = [
            self._deviated(start, self.settings.spread, 1.0, chance, start) for _ in range(self.settings.population - 1)
        ]
        return [self._fitted(start), *others]

    def iteration(self, number: int, population: Sequence[Sequence[Any]]) -> tuple[list[list[Any]], dict[str, Any]]:
        """Return the population after one more iteration, and a row of metrics."""
        chance = random.Random(derive_seed(self.seed, "iteration", number))
        people = [list(one) for one in population]
        left = self.settings.tournaments
        wave = 0
        while left > 0:
            order = list(range(len(people)))
            chance.shuffle(order)
            groups = [order[i : i + self.settings.size] for i in range(0, len(order), self.settings.size)]
            groups = [group for group in groups if len(group) == self.settings.size][:left]
            left -= len(groups)
            results = self.held(self._contests(groups, people, self.settings.games, number, wave))
            for group, standings in zip(groups, results, strict=True):
                self._replace(people, _ranked(group, standings), chance)
            wave += 1
        return people, self._metrics(number, people)

    def best(self, evolved: Evolved) -> list[Any]:
        """Return the one of some candidates that does best against the start values, by successive halving.

        All that are left of the candidates play the same games in each round, and what counts are all games since the
        first round. With the default settings that is 9,600 games, besides those that narrow the population down. With
        an odd number of players, who can't meet in duels, it is the mean of the second half.
        """
        mean, start = evolved.course, self.space.coordinates(self.space.start)
        points = [mean, self.space.mean(evolved.population)]
        points += [arithmetic(start, mean, far) for far in BEYOND]
        candidates = [values for point in points if self._allows(values := self._fitted(self.space.at(point)))]
        if not self._even():
            return candidates[0] if candidates else self._narrowed(evolved.population)
        candidates.append(self._narrowed(evolved.population))
        individual = len(candidates) - 1
        left = [(i, Duel(0, 0.0)) for i, values in enumerate(candidates) if values not in candidates[:i]]
        for number, (games, kept) in enumerate(ROUNDS):
            if len(left) == 1:
                break
            games *= self.settings.final_games
            left = [(i, before + self.against_start(candidates[i], games, "last", number)) for i, before in left]
            left = sorted(left, key=lambda pair: pair[1].score, reverse=True)
            if kept == 1 and left[0][0] == individual and not _surely_better(left[0][1], left[1][1]):
                del left[0]
            left = left[:kept]
        return candidates[left[0][0]]

    def _narrowed(self, population: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the individual that is left when groups have played, the better half of each going on."""
        left = list(range(len(population)))
        chance = random.Random(derive_seed(self.seed, "final"))
        round_ = 0
        while len(left) > 1:
            chance.shuffle(left)
            size = self.settings.size
            groups = [left[i : i + size] for i in range(0, len(left), size)]
            full = [group for group in groups if len(group) == size]
            rest = [number for group in groups if len(group) < size for number in group]
            if rest:  # filled up with the first ones, who play once more
                full.append((rest + [number for number in left if number not in rest] + left)[:size])
            last = len(full) == 1
            games = self.settings.final_games * (4 if last else 1)
            results = self.held(self._contests(full, population, games, -1, round_))
            kept: dict[int, tuple[float, float]] = {}
            for group, standings in zip(full, results, strict=True):
                ranked = sorted(zip(standings, group, strict=True), key=lambda pair: pair[0].rank, reverse=True)
                for standing, number in ranked[: 1 if last else size // 2]:
                    kept[number] = max(kept.get(number, (-1.0, -1e300)), standing.rank)
            left = list(kept)
            round_ += 1
        return list(population[left[0]])

    def against_start(self, values: Sequence[Any], games: int, *path: int | str) -> Duel:
        """Return how an individual does against the start values."""
        return duel(
            self.game,
            self.space.spec(values),
            self.space.spec(self.space.start),
            games,
            derive_seed(self.seed, *path) >> 1,
            self.held,
            self.files,
            self.settings.opening,
        )

    def _contests(
        self, groups: Sequence[Sequence[int]], people: Sequence[Sequence[Any]], games: int, number: int, wave: int
    ) -> list[Contest]:
        return [
            Contest(
                self.game,
                tuple(self.space.spec(people[i]) for i in group),
                games,
                derive_seed(self.seed, "contest", number, wave, place) >> 1,
                self.files,
                self.settings.opening,
            )
            for place, group in enumerate(groups)
        ]

    def _replace(self, people: list[list[Any]], ranked: Sequence[int], chance: random.Random) -> None:
        """Replace the two worst of a tournament by children of the two best."""
        best = people[ranked[0]]
        parents = self.space.coordinates(best), self.space.coordinates(people[ranked[1]])
        children = arithmetic(*parents, chance.random()), heuristic(*parents, chance.random())
        for loser, child in zip(ranked[-2:], map(self.space.at, children), strict=True):
            people[loser] = self._deviated(child, self.settings.mutation, self.settings.rate, chance, best)

    def _deviated(
        self, values: Sequence[float], deviation: float, rate: float, chance: random.Random, otherwise: Sequence[Any]
    ) -> list[Any]:
        """Return an individual around some values, or `otherwise` if none is found whose values go together."""
        for _ in range(TRIES):
            found = self._fitted(
                [
                    parameter.moved(value, chance.gauss(0.0, deviation)) if chance.random() < rate else value
                    for value, parameter in zip(values, self.space.parameters, strict=True)
                ]
            )
            if self._allows(found):
                return found
        return list(otherwise)

    def _allows(self, values: Sequence[Any]) -> bool:
        return self.space.allows(values, self._loaded)

    def _fitted(self, values: Sequence[float]) -> list[Any]:
        return self.space.fitted(values)

    def _metrics(self, number: int, people: Sequence[Sequence[Any]]) -> dict[str, Any]:
        row: dict[str, Any] = {
            "iteration": number + 1,
            "games": self.settings.tournaments * whole(self.settings.games, self._loaded.num_players),
        }
        gauge = self.settings.gauge
        row["gauge"] = None
        mean = self._fitted(self.space.at(self.space.mean(people)))
        if gauge and (number + 1) % gauge == 0 and self._even() and self._allows(mean):
            row["gauge"] = self.against_start(mean, self.settings.gauge_games, "gauge", number).score
        row |= self.space.summary(people)
        row["seconds"] = time.perf_counter() - self._began
        return row

    def _even(self) -> bool:
        return self._loaded.num_players % 2 == 0


def _word(score: float | None) -> str:
    """Return what is told of a score against the start values, if it was measured."""
    return "" if score is None else f"against the start {score:.3f}"


def _surely_better(one: Duel, other: Duel) -> bool:
    """Tell whether a score is greater by more than luck explains; of the same games, where luck is rather less."""
    return one.score - other.score > MARGIN * math.hypot(one.error, other.error)


def arithmetic(best: Sequence[float], second: Sequence[float], share: float) -> list[float]:
    """Return the point between two parents at a share of the way.

    >>> arithmetic([0.0, 10.0], [4.0, 20.0], 0.25)
    [1.0, 12.5]
    """
    return [a + share * (b - a) for a, b in zip(best, second, strict=True)]


def heuristic(best: Sequence[float], second: Sequence[float], share: float) -> list[float]:
    """Return the point beyond the better parent, seen from the other one, by a share of their distance.

    >>> heuristic([0.0, 10.0], [4.0, 20.0], 0.5)
    [-2.0, 5.0]
    """
    return [a + share * (a - b) for a, b in zip(best, second, strict=True)]


def _ranked(group: Sequence[int], standings: Sequence[Standing]) -> list[int]:
    """Return the individuals of a group, the best first; equals stay in the order in which they were drawn."""
    pairs = sorted(zip(standings, group, strict=True), key=lambda pair: pair[0].rank, reverse=True)
    return [number for _, number in pairs]
