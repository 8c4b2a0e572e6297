"""Atomics, clock and stop flag: what kernels that run without the interpreter lock rely on."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

from oponente.kernel import (
    COMPILED,
    Control,
    atomic_add,
    entry,
    expired,
    monotonic_ns,
    observe,
    publish,
    volatile_load,
    wait_turn,
)

compiled_only = pytest.mark.skipif(not COMPILED, reason="interpreted code holds the interpreter lock")


@entry
def add_often(counts, floats, times):
    """Add to shared cells."""
    for i in range(times):
        atomic_add(counts, i & 1, 1)
        atomic_add(floats, 0, 0.5)
    return volatile_load(counts, 0)


@entry
def clock():
    """Return the kernel's clock."""
    return monotonic_ns()


@entry
def spin(control, turns, work):
    """Count until told to stop; return the count and the last time seen."""
    done = 0
    x = 1
    while done < turns and not expired(control):
        for _ in range(work):
            x = x * 3 + 1
        done += 1
    return done, x


@compiled_only
def test_concurrent_additions_are_all_counted() -> None:
    counts, floats = np.zeros(2, np.int64), np.zeros(1)
    add_often(counts, floats, 0)
    threads = [threading.Thread(target=add_often, args=(counts, floats, 300_000)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts.tolist() == [600_000, 600_000]
    assert floats[0] == 600_000.0


def test_addition_returns_the_old_value() -> None:
    cells = np.array([5, 6], np.int64)
    assert atomic_add(cells, 1, 3) == 6
    assert cells.tolist() == [5, 9]


def test_kernel_clock_is_pythons() -> None:
    clock()
    before = time.monotonic_ns()
    inside = clock()
    assert before <= inside <= time.monotonic_ns()


def test_no_deadline_runs_to_the_end() -> None:
    assert spin(Control().array, 1000, 1)[0] == 1000


def test_a_set_flag_stops_at_once() -> None:
    control = Control()
    control.stop()
    assert control.stopped
    assert spin(control.array, 1000, 1)[0] == 0


@compiled_only
@pytest.mark.parametrize("work", [0, 10, 1000, 30_000])
def test_deadline_is_kept(work: int) -> None:
    spin(Control().array, 1, work)
    late = []
    give_up = time.monotonic() + 20
    # On a busy machine most runs lose their processor at some time; the best one tells what the kernel does.
    while len(late) < 5 or (min(late) >= 1.0 and time.monotonic() < give_up):
        start = time.monotonic_ns()
        control = Control(0.005)
        done, _ = spin(control.array, 1 << 60, work)
        late.append((time.monotonic_ns() - start) / 1e6 - 5)
        assert done > 0
    assert 0 <= min(late) < 1.0


@compiled_only
def test_stop_from_another_thread() -> None:
    spin(Control().array, 1, 10)
    late: list[float] = []
    give_up = time.monotonic() + 20
    while len(late) < 3 or (min(late) >= 10 and time.monotonic() < give_up):
        control = Control(60)
        ended = []
        thread = threading.Thread(target=lambda: ended.append((spin(control.array, 1 << 60, 10), time.monotonic_ns())))  # noqa: B023
        thread.start()
        time.sleep(0.02)
        asked = time.monotonic_ns()
        control.stop()
        thread.join()
        late.append((ended[0][1] - asked) / 1e6)
    assert min(late) < 10


def test_start_again_moves_the_deadline() -> None:
    control = Control(0.0)
    time.sleep(0.001)
    assert spin(control.array, 10, 1)[0] == 0
    control.start(None)
    assert spin(control.array, 10, 1)[0] == 10


@entry
def pass_on(ball, who, players, rounds):
    """Wait for the ball and pass it on, so many times."""
    for i in range(rounds):
        turns = 0
        while observe(ball, 0) != i * players + who:
            turns = wait_turn(turns)
        publish(ball, 0, i * players + who + 1)


@compiled_only
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads can't be bound to a processor here")
def test_who_waits_gives_the_processor_to_whom_it_waits_for():
    """On one processor a loop that only looks would use up its slice, a millisecond or more, for each pass."""
    players, rounds = 2, 2000
    ball, used = np.zeros(1, np.int64), [0.0] * players
    pass_on(np.zeros(1, np.int64), 0, 1, 1)

    def play(who):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # 0: this thread
        pass_on(ball, who, players, rounds)
        used[who] = time.thread_time()

    threads = [threading.Thread(target=play, args=(who,)) for who in range(players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ball[0] == players * rounds
    assert sum(used) < 1.0
