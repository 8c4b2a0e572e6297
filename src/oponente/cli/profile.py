"""``--profile``: where the time goes, in kernels and in Python."""

from __future__ import annotations

import cProfile
import io
import pstats
from collections.abc import Iterator
from contextlib import contextmanager

import click
from tqdm import tqdm

from oponente.cli.common import table
from oponente.kernel.compilation import KernelProfile, profile_kernels

FUNCTIONS_SHOWN = 20


@contextmanager
def profiled(wanted: bool) -> Iterator[None]:
    """Within the context, measure this thread; then print two tables.

    From Python 3.12 on a process has one profiler, and that hears of all threads: what is to be measured must run in
    this thread, and no other may run beside it.
    """
    if not wanted:
        yield
        return
    monitor_interval, tqdm.monitor_interval = tqdm.monitor_interval, 0  # else bars start a thread
    profiler = cProfile.Profile()
    try:
        profiler.enable()
    except ValueError as error:  # a debugger, or a profiler around us
        raise click.UsageError(f"--profile: {error}") from error
    try:
        with profile_kernels() as kernels:
            yield
    finally:
        profiler.disable()
        tqdm.monitor_interval = monitor_interval
        click.echo(_kernel_table(kernels), err=True)
        click.echo(_python_table(profiler), err=True)


def _kernel_table(profile: KernelProfile) -> str:
    total = sum(profile.seconds.values()) or 1.0
    rows = [
        (
            name.removeprefix("oponente."),
            f"{profile.calls[name]:,}",
            f"{seconds:.3f}",
            f"{1e6 * seconds / profile.calls[name]:,.1f}",
            f"{100 * seconds / total:.1f} %",
        )
        for name, seconds in sorted(profile.seconds.items(), key=lambda item: -item[1])
    ]
    return "\nKernels (processor time)\n" + table(rows, ("kernel", "calls", "seconds", "µs a call", "share"))


def _python_table(profiler: cProfile.Profile) -> str:
    out = io.StringIO()
    stats = pstats.Stats(profiler, stream=out)
    stats.strip_dirs().sort_stats("tottime").print_stats(FUNCTIONS_SHOWN)
    lines = [line for line in out.getvalue().splitlines() if line.strip()]
    return "\nPython (its own time; kernels appear under the function that calls them)\n" + "\n".join(lines)
