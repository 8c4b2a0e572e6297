"""Worker processes that leave Ctrl-C to the process that began them, and end when it is gone."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection


@contextlib.contextmanager
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of so many processes, which know nothing of this one's threads.

    They end at once where an exception leaves the block, or where this process ends without a word (is killed, say):
    else each would finish what it does, and in the second case then wait for ever.
    """
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _obey, (theirs,))
    with interrupts_held():
        for _ in range(workers):
            pool.submit(int)  # starts a process each, since none has been idle yet
    try:
        yield pool
    except BaseException:
        ours.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        ours.close()
        theirs.close()


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C in this thread, and for good in processes that are started meanwhile.

    The terminal sends it to all processes; only the main one is to act on it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else `start` would do it, and open the mask again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _obey(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_pipe, args=(pipe,), daemon=True).start()


def _end_with_pipe(pipe: Connection) -> None:
    """End the process when the other end of a pipe is closed, by who has it or by the end of that process."""
    with contextlib.suppress(EOFError, OSError):
        pipe.recv()
    os._exit(1)
