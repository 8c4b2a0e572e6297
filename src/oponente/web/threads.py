"""Calls in threads that do not keep the program from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads(Executor):
    """Runs each call in a thread of its own.

    Unlike those of a pool of :mod:`concurrent.futures` these threads are daemons: the interpreter does not wait at its
    end for a user's agent that never answers.

    Args:
        name: of the threads.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin a call, and return what becomes of it."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()

        def run() -> None:
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        threading.Thread(target=run, name=self._name, daemon=True).start()
        return future
