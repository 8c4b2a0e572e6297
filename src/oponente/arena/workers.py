"""Crews: the workers that play the games of a match, behind one interface.

`InlineCrew` plays in the calling thread (for people, who need the terminal), `ThreadCrew` in threads (for agents that
work without the interpreter lock), `ProcessCrew` in processes (for all others). Which worker plays a game, and when,
makes no difference to the game.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from multiprocessing import connection
from typing import Any

from oponente.agents.basic import Resigned
from oponente.arena.match import MatchSpec
from oponente.arena.missing import Todo
from oponente.arena.play import StoppedError, Table
from oponente.arena.processes import interrupts_held
from oponente.arena.record import GameRecord
from oponente.kernel import Control

STOP_SECONDS = 2.0
"""How long a stopped worker may take to end; native searches obey within milliseconds."""
MAX_DEATHS = 3
"""How many worker processes may die over the same game, or before they play any, until the match is given up."""
_GATHER_SECONDS = 0.02
"""For so long a thread's results are gathered: being woken by each costs more than a short game."""
_AHEAD = 2  # games that a worker process knows of, so that it need not wait for the next one


class MatchError(Exception):
    """The match can't go on; the message is one line. What was finished before is kept."""


_SIDE_BY_SIDE = 64
"""How many games a thread plays side by side at most, and"""
_SIDE_BY_SIDE_SECONDS = 0.03
"""for how long: each time it comes back to Python it may wait for another thread to let go of the interpreter."""


def _fitting(games_per_second: float) -> int:
    """Return how many games to play side by side at such a speed."""
    return max(1, min(_SIDE_BY_SIDE, int(games_per_second * _SIDE_BY_SIDE_SECONDS)))


class Crew(ABC):
    """Workers that play some games of a match.

    Created, they begin at once. :meth:`take` is called until all games are there, then :meth:`stop`.
    """

    began: float | None = None
    """When the first worker was prepared and began to play (:func:`time.perf_counter`)."""

    def _begin(self) -> None:
        if self.began is None:
            self.began = time.perf_counter()

    @abstractmethod
    def take(self, timeout: float) -> list[GameRecord]:
        """Return the games that have finished since the last call; none after `timeout` seconds without one.

        Raises:
            Resigned: a person has left.
            MatchError: the match can't go on. A later call still returns games that finished before.
        """

    @abstractmethod
    def stop(self) -> None:
        """End the workers. Games that are being played are discarded, finished ones wait for :meth:`take`."""


Workers = int | Callable[[MatchSpec, Collection[int]], Crew]
"""Who plays the games of a match: so many workers on this machine, or the crew that is returned for some games."""


class InlineCrew(Crew):
    """Plays in the calling thread, one game per call of :meth:`take`."""

    def __init__(self, table: Table, indices: Collection[int]) -> None:
        self._table = table
        self._todo = Todo(indices)

    def take(self, timeout: float) -> list[GameRecord]:
        """Play the next game."""
        if not self._todo:
            return []
        try:
            if self.began is None:
                self._table.prepare()
                self._begin()
            return [self._table.play(index) for index in self._todo.take(1)]
        except Resigned:
            raise
        except Exception as error:
            raise _failure(error) from error

    def stop(self) -> None:
        """Close the agents."""
        self._todo.clear()
        self._table.close()


class ThreadCrew(Crew):
    """Plays in threads of this process.

    Args:
        table: where the first thread plays; the others make their own.
        indices: of the games to play.
        workers: how many threads.
    """

    def __init__(self, table: Table, indices: Collection[int], workers: int) -> None:
        self._spec = table.spec
        self._todo = Todo(indices)
        # Not SimpleQueue: with CPython 3.11, Ctrl-C was seen to turn its timeout into a wait without end.
        self._messages: queue.Queue[list[GameRecord] | Exception] = queue.Queue()
        self._errors: list[Exception] = []
        # Compiling holds a global lock anyway; one after the other, the second finds what the first has compiled.
        self._preparing = threading.Lock()
        self._controls = [table.budget.control, *(Control() for _ in range(workers - 1))]
        self._threads = [
            threading.Thread(target=self._work, args=(control, table if number == 0 else None), daemon=True)
            for number, control in enumerate(self._controls)
        ]
        for thread in self._threads:
            thread.start()

    def take(self, timeout: float) -> list[GameRecord]:
        """Return what has finished."""
        if self._errors:
            raise self._errors.pop()
        records: list[GameRecord] = []
        try:
            message = self._messages.get(timeout=timeout)
            time.sleep(_GATHER_SECONDS)
            while True:
                if isinstance(message, list):
                    records += message
                else:
                    self._errors.append(message)
                message = self._messages.get_nowait()
        except queue.Empty:
            pass
        if self._errors and not records:
            raise self._errors.pop()
        return records

    def stop(self) -> None:
        """Set the stop flags and wait for the threads, but not long for an agent that ignores its flag."""
        self._todo.clear()
        for control in self._controls:
            control.stop()
        end = time.monotonic() + STOP_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self, control: Control, table: Table | None) -> None:
        try:
            with self._preparing:
                if control.stopped:
                    return
                table = table or Table(self._spec, control)
                table.prepare()
            self._begin()
            try:
                games = 1
                while indices := self._next(games if table.together else 1):
                    begun = time.perf_counter()
                    self._messages.put(table.play_all(indices))
                    games = _fitting(len(indices) / (time.perf_counter() - begun))
            finally:
                table.close()
        except StoppedError:
            pass
        except Resigned as resigned:
            self._messages.put(resigned)
        except BaseException as error:
            self._messages.put(_failure(error))

    def _next(self, games: int) -> list[int]:
        """Take so many games, but leave as many for each other thread; none: there are no more."""
        return self._todo.take(max(1, min(games, len(self._todo) // len(self._controls))))


class ProcessCrew(Crew):
    """Plays in processes of their own. One that dies is replaced, and its games are played again.

    Args:
        spec: the match.
        indices: of the games to play.
        workers: how many processes.
    """

    def __init__(self, spec: MatchSpec, indices: Collection[int], workers: int) -> None:
        self._spec = spec
        self._todo = Todo(indices)
        self._errors: list[Exception] = []
        self._late: list[GameRecord] = []
        self._deaths: Counter[int | None] = Counter()
        self._workers: list[_Worker] = []
        for _ in range(workers):
            self._workers.append(_Worker(spec))

    def take(self, timeout: float) -> list[GameRecord]:
        """Return what has finished; hand out games, and replace workers that died."""
        if self._errors:
            raise self._errors.pop()
        if self._late:
            records, self._late = self._late, []
            return records
        connection.wait([worker.connection for worker in self._workers], timeout)
        records = self._receive()
        for worker in self._workers:
            worker.hand_out(self._todo)
        if self._errors and not records:
            raise self._errors.pop()
        return records

    def stop(self) -> None:
        """Tell the workers to stop; kill those that do not."""
        self._todo.clear()
        for worker in self._workers:
            worker.send(None)
        end = time.monotonic() + STOP_SECONDS
        while self._workers and time.monotonic() < end:
            connection.wait([worker.connection for worker in self._workers], end - time.monotonic())
            self._late += self._receive(replace=False)
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def _receive(self, replace: bool = True) -> list[GameRecord]:
        records: list[GameRecord] = []
        for worker in list(self._workers):
            for message in worker.messages():
                if message is None:
                    worker.ready = True
                    self._begin()
                elif isinstance(message, GameRecord):
                    worker.games.remove(message.index)
                    records.append(message)
                    self._deaths[None] = 0
                else:
                    self._errors.append(message)
            if worker.dead:
                self._workers.remove(worker)
                worker.end()
                if replace:
                    self._replace(worker)
        return records

    def _replace(self, worker: _Worker) -> None:
        """Give the games of a dead worker to a new one, unless that has been tried often enough."""
        self._todo.give_back(worker.games)
        game = worker.games[0] if worker.games else None
        self._deaths[game] += 1
        if self._deaths[game] < MAX_DEATHS:
            if self._todo:
                self._workers.append(_Worker(self._spec))
            return
        code = worker.process.exitcode
        how = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        if game is None:
            hint = "a script that runs a match must do so under if __name__ == '__main__'"
            self._errors.append(MatchError(f"worker processes end before they play a game ({how}); {hint}"))
        else:
            agents = ", ".join(self._spec.agents)
            self._errors.append(
                MatchError(f"{MAX_DEATHS} worker processes died while playing game {game} ({how}): look at {agents}")
            )


class _Worker:
    """One worker process, as the main process sees it."""

    def __init__(self, spec: MatchSpec) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(spec, theirs), daemon=True)
        with interrupts_held():
            self.process.start()
        theirs.close()  # so that the death of the process closes the pipe
        self.games: list[int] = []
        self.dead = False
        self.ready = False

    def messages(self) -> Iterator[Any]:
        """Yield what the process has sent; notice whether it is dead."""
        try:
            while self.connection.poll():
                yield self.connection.recv()
        except (EOFError, OSError):
            self.dead = True

    def hand_out(self, todo: Todo) -> None:
        """Send the process the next games, if it is ready and has too few."""
        if self.ready:
            for game in todo.take(_AHEAD - len(self.games)):
                self.games.append(game)
                self.send(game)

    def send(self, message: int | None) -> None:
        """Send the index of a game, or None to end the process."""
        with contextlib.suppress(OSError):  # a dead process is noticed when its messages are read
            self.connection.send(message)

    def end(self) -> None:
        """Make sure that the process is gone."""
        self.connection.close()
        self.process.join(0.2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


# --- inside a worker process ---------------------------------------------------------------------------------------


def _serve(spec: MatchSpec, pipe: Any) -> None:
    """Play the games whose indices come through the pipe, until None comes."""
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what agents print must not mix with results on standard output
    control = Control()
    orders: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, orders, control), daemon=True).start()
    try:
        table = Table(spec, control)
        table.prepare()
        pipe.send(None)
        try:
            while (index := orders.get()) is not None:
                pipe.send(table.play(index))
        finally:
            table.close()
    except StoppedError:
        pass
    except Resigned as resigned:
        pipe.send(resigned)
    except BaseException as error:
        pipe.send(_failure(error))


def _listen(pipe: Any, orders: queue.SimpleQueue[int | None], control: Control) -> None:
    """Receive orders, also while a game is played."""
    try:
        while (order := pipe.recv()) is not None:
            orders.put(order)
    except (EOFError, OSError):
        os._exit(1)  # the main process is gone, and nobody is left to play for
    control.stop()
    orders.put(None)


def _failure(error: BaseException) -> MatchError:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return error if isinstance(error, MatchError) else MatchError(f"the match can't go on: {text}")
