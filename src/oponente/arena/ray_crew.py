"""A crew on a Ray cluster: actors on many machines play the games of a match.

Each actor has a table of its own and plays the games that it is told, several a call if they are short: a call costs
about a millisecond. Which actor plays a game makes no difference to the game, and what an actor that dies was told is
played by others. Actors outlive a match: those of the next one, as in a tournament, have loaded what they need.

Source: P. Moritz et al., "Ray: a distributed framework for emerging AI applications" (OSDI 2018).
"""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from oponente.arena.match import MatchSpec
from oponente.arena.missing import Todo
from oponente.arena.play import Table
from oponente.arena.record import GameRecord
from oponente.arena.workers import MAX_DEATHS, Crew, MatchError
from oponente.kernel import Control

AHEAD = 2
"""Calls that an actor knows of, so that it need not wait for the next one."""
LEAST_CALL_SECONDS, MOST_CALL_SECONDS = 0.25, 2.0
"""For about so long an actor plays a call: at first the one, so that results are soon there; later the other."""
_CALL_SHARE = 0.05
"""A call lasts so much of the time since the first one at most, within those limits: what an actor that dies or a match
that ends early loses is then a small part of all."""
MOST_GAMES = 1000
"""Games of a call at most."""
_KNOCK_SECONDS = 5.0
"""How long the head of a cluster may take to answer."""

Played = tuple[list[GameRecord], float]
"""Games, and the seconds that they took."""


class RayCrew(Crew):
    """Plays on a Ray cluster.

    Args:
        cluster: Ray, connected.
        spec: the match. Files with agents must be there under the same path on all machines.
        indices: of the games to play.
        actors: how many play at a time; each takes a CPU of the cluster.
        idle: actors of earlier matches. Some are taken; at the end those are put there that have nothing to do.
    """

    def __init__(
        self, cluster: Any, spec: MatchSpec, indices: Collection[int], actors: int, idle: list[Any] | None = None
    ) -> None:
        self._ray, self._spec = cluster, spec
        self._idle = [] if idle is None else idle
        self._todo = Todo(indices)
        self._deaths: Counter[int] = Counter()
        """How many actors died over each game."""
        self._rehired: set[Any] = set()
        """Actors of earlier matches that are not ready for this one yet: who of them is dead shows only now."""
        self._dead_before: dict[Any, int] = {}
        """By an actor that is not ready yet: how many died one after the other in its place, none of them ready."""
        self._errors: list[Exception] = []
        self._games_per_call = 1
        self._actor = cluster.remote(num_cpus=1, max_restarts=0)(RemoteTable)
        self._wanted = actors
        self._ready: list[Any] = []
        """Actors that are prepared and alive."""
        self._calls: dict[Any, tuple[Any, list[int]]] = {}
        """By what a call will return: the actor, and the games that it was told; none if it was told to get ready."""
        for _ in range(actors):
            self._hire()

    def take(self, timeout: float) -> list[GameRecord]:
        """Return what has finished; hand out games, and replace actors that died."""
        if self._errors:
            raise self._errors.pop()
        records: list[GameRecord] = []
        ready, _ = self._ray.wait(list(self._calls), num_returns=1, timeout=timeout) if self._calls else ([], [])
        if ready:
            ready, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
        for reference in ready:
            if reference in self._calls:  # the death of an actor takes all its calls
                records += self._finish(reference)
        # Counted once for all: with a thousand actors, a count for each would take longer than all else.
        known = Counter(owner for owner, _ in self._calls.values())
        for actor in self._ready:
            self._hand_out(actor, known[actor])
        if self._errors and not records:
            raise self._errors.pop()
        return records

    def stop(self) -> None:
        """End the actors that are busy, leave the others for the next match; finished games wait for :meth:`take`."""
        self._todo.clear()
        ready, _ = (
            self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0) if self._calls else ([], [])
        )
        busy = {actor for reference, (actor, games) in self._calls.items() if games and reference not in ready}
        dismiss(self._ray, busy)
        # Those that are still getting ready do so first, then they are there for the next match.
        known = {*self._ready, *(actor for actor, _ in self._calls.values())}
        self._idle += [actor for actor in known if actor not in busy]
        self._ready = []
        self._calls = {reference: self._calls[reference] for reference in ready}

    def _hire(self, dead_before: int = 0) -> None:
        """Get an actor ready, in whose place so many have died before they were."""
        if self._idle:
            actor = self._idle.pop()
            self._rehired.add(actor)
        else:
            actor = self._actor.remote(list(sys.path))
        self._dead_before[actor] = dead_before
        self._calls[actor.begin.remote(self._spec)] = actor, []

    def _finish(self, reference: Any) -> list[GameRecord]:
        """Return the games of a call that has ended."""
        actor, games = self._calls.pop(reference)
        try:
            records, seconds = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause or error
            text = " ".join(f"{type(cause).__name__}: {cause}".split())
            self._errors.append(
                cause if isinstance(cause, MatchError) else MatchError(f"the match can't go on: {text}")
            )
            return []
        except self._ray.exceptions.RayError as error:
            self._replace(actor, games, error)
            return []
        if not games:
            self._ready.append(actor)
            self._rehired.discard(actor)
            del self._dead_before[actor]
        self._begin()
        if records:
            each = seconds / len(records)
            self._games_per_call = max(1, min(MOST_GAMES, int(self._call_seconds() / max(each, 1e-6))))
        found: list[GameRecord] = records
        return found

    def _call_seconds(self) -> float:
        """Return how long a call is to last."""
        since = 0.0 if self.began is None else time.perf_counter() - self.began
        return min(MOST_CALL_SECONDS, max(LEAST_CALL_SECONDS, _CALL_SHARE * since))

    def _hand_out(self, actor: Any, known: int) -> None:
        """Tell an actor the next games, if it knows of too few calls."""
        while self._todo and known < AHEAD:
            fair = -(-len(self._todo) // (self._wanted * AHEAD))  # near the end all are to be busy
            games = self._todo.take(min(self._games_per_call, fair))
            self._calls[actor.play.remote(games)] = actor, games
            known += 1

    def _replace(self, actor: Any, games: list[int], error: Exception) -> None:
        """Give the games of a dead actor to others, unless that has been tried often enough.

        Of those that die before they play a game, only how many died one after the other counts: with a machine many
        may go at once. An actor that was dead before it was hired says nothing of this match.
        """
        lost = [games]
        for reference, (owner, told) in list(self._calls.items()):
            if owner is actor:
                del self._calls[reference]
                lost.append(told)
        self._todo.give_back([game for told in lost for game in told])
        if actor in self._ready:
            self._ready.remove(actor)
        before = self._dead_before.pop(actor, 0)
        if games:
            self._deaths[games[0]] += 1
            dead, again = self._deaths[games[0]], 0
        else:
            dead = again = before + (actor not in self._rehired)
        self._rehired.discard(actor)
        if dead < MAX_DEATHS:
            if self._todo:
                self._hire(again)
            return
        what = f"while playing game {games[0]}" if games else "before they play a game"
        text = " ".join(str(error).split())[:200]
        self._errors.append(MatchError(f"{MAX_DEATHS} workers of the cluster died {what}: {text}"))


def dismiss(cluster: Any, actors: Iterable[Any]) -> None:
    """End actors, whatever they do."""
    for actor in actors:
        with contextlib.suppress(Exception):  # one that is dead already
            cluster.kill(actor)


class RemoteTable:
    """A table on a machine of the cluster, for one match after the other.

    Args:
        path: where modules are found.
    """

    def __init__(self, path: list[str]) -> None:
        sys.path += [entry for entry in path if entry not in sys.path]
        self._table: Table | None = None

    def begin(self, spec: MatchSpec) -> Played:
        """Seat the agents of a match and compile, so that games are played at full speed; no games."""
        if self._table is not None:
            self._table.close()
        self._table = Table(spec, Control())
        self._table.prepare()
        return [], 0.0

    def play(self, games: list[int]) -> Played:
        """Play games of the match."""
        assert self._table is not None, "a match begins before it is played"
        begin = time.perf_counter()
        return [self._table.play(index) for index in games], time.perf_counter() - begin


def _knock(address: str) -> None:
    """Raise OSError if nobody listens at an address ``host:port``: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK_SECONDS).close()


class RayCluster:
    """A connection to a Ray cluster: a crew for each match. Actors hold their CPUs until :meth:`close`.

    Args:
        address: of the head (``host:port`` or ``ray://host:port``), ``auto`` for the cluster that this machine belongs
            to, ``local`` to start one here.
        actors: how many games are played at a time; None: one for each CPU of the cluster.

    Raises:
        ValueError: Ray is not installed, or there is no cluster at the address; with one line.
    """

    def __init__(self, address: str, actors: int | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError("to play on a Ray cluster, install the extra: pip install 'oponente[ray]'") from None
        self._ray = ray
        self._own = not ray.is_initialized()
        if self._own:
            try:
                _knock(address)
                ray.init(address=address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
            except Exception as error:
                text = " ".join(str(error).split())[:160]
                raise ValueError(f"no Ray cluster answers at {address} ({text}): start one, or give local") from None
        self._actors = actors
        self._idle: list[Any] = []
        """Actors that no match has now."""

    @property
    def actors(self) -> int:
        """How many games are played at a time."""
        return self._actors or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def __call__(self, spec: MatchSpec, indices: Collection[int]) -> RayCrew:
        """Return a crew for games of a match."""
        return RayCrew(self._ray, spec, indices, min(self.actors, len(indices)), self._idle)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        dismiss(self._ray, self._idle)
        self._idle.clear()
        if self._own:
            self._ray.shutdown()
