"""Actors that die before they play a game, with a cluster that is none: who is dead is as the test says."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from oponente.arena import MatchError, run_match
from oponente.arena.ray_crew import RayCrew, RemoteTable
from oponente.arena.workers import MAX_DEATHS

from .helpers import a_match, timeless


class DeathError(Exception):
    """Stands for all errors of Ray."""


class Actor:
    """Does what it is told at once, unless it is dead."""

    def __init__(self, path: list[str], dead: bool) -> None:
        self.dead, self._table = dead, RemoteTable(path)
        self.begin, self.play = self._method(self._table.begin), self._method(self._table.play)

    def _method(self, method: Callable[[Any], Any]) -> Any:
        return SimpleNamespace(remote=lambda told: Call(None if self.dead else method(told)))


class Call:
    """What a call will return; None: its actor is dead."""

    def __init__(self, result: Any) -> None:
        self.result = result


class Cluster:
    """Has as much of Ray's interface as a crew uses. The actors of the numbers in `born_dead` die as they begin."""

    exceptions = SimpleNamespace(RayTaskError=ZeroDivisionError, RayError=DeathError)

    def __init__(self, born_dead: set[int] | range = range(0)) -> None:
        self.actors: list[Actor] = []
        self._born_dead = born_dead

    def remote(self, **_: Any) -> Any:
        def made(_cls: type) -> Any:
            return SimpleNamespace(remote=self._add)

        return made

    def _add(self, path: list[str]) -> Actor:
        self.actors.append(Actor(path, len(self.actors) in self._born_dead))
        return self.actors[-1]

    def wait(self, calls: list[Call], num_returns: int, timeout: float) -> tuple[list[Call], list[Call]]:
        return calls[:num_returns], calls[num_returns:]

    def get(self, call: Call) -> Any:
        if call.result is None:
            raise DeathError("the actor died")
        return call.result

    def kill(self, actor: Actor) -> None:
        actor.dead = True


SPEC = a_match("random", "random", games=24)
FOUR = 4


def played(cluster: Cluster, idle: list[Any] | None = None) -> Any:
    return timeless(run_match(SPEC, workers=lambda spec, games: RayCrew(cluster, spec, games, FOUR, idle)).records)


def test_actors_that_died_between_two_matches_are_replaced_however_many_they_are():
    cluster, idle = Cluster(), []
    expected = timeless(run_match(SPEC).records)
    assert played(cluster, idle) == expected
    assert len(idle) == FOUR > MAX_DEATHS
    for actor in idle:
        cluster.kill(actor)
    assert played(cluster, idle) == expected
    assert len(cluster.actors) == 2 * FOUR


def test_actors_that_go_at_once_are_replaced_however_many_they_are():
    """As those of one machine do."""
    assert played(Cluster(born_dead=range(FOUR))) == timeless(run_match(SPEC).records)


def test_actors_that_die_again_and_again_end_the_match():
    cluster = Cluster(born_dead=range(1000))
    with pytest.raises(MatchError, match=r"^3 workers of the cluster died before they play a game: the actor died"):
        played(cluster)
    assert len(cluster.actors) <= MAX_DEATHS * FOUR
    idle = [cluster.remote()(RemoteTable).remote([]) for _ in range(FOUR)]
    with pytest.raises(MatchError, match=r"^3 workers of the cluster died before"):
        played(cluster, idle)
