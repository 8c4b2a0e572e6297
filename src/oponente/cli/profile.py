"""``--profile``: where the time goes, in kernels and in Python."""

from __future__ import annotations

import cProfile
import io
import pstats
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

from oponente.cli.common import table
from oponente.kernel.compilation import KernelProfile, profile_kernels

FUNCTIONS_SHOWN = 20


@contextmanager
def profiled(wanted: bool) -> Iterator[None]:
    """Within the context, measure all threads of this process that start in it; then print two tables."""
    if not wanted:
        yield
        return
    profilers: list[cProfile.Profile] = []
    lock = threading.Lock()
    run = threading.Thread.run

    def profiled_run(thread: threading.Thread) -> None:
        profiler = cProfile.Profile()
        with lock:
            profilers.append(profiler)
        profiler.runcall(run, thread)

    threading.Thread.run = profiled_run  # type: ignore[assignment]
    try:
        with profile_kernels() as kernels:
            yield
    finally:
        threading.Thread.run = run  # type: ignore[method-assign]
        click.echo(_kernel_table(kernels), err=True)
        click.echo(_python_table(profilers), err=True)


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


def _python_table(profilers: list[cProfile.Profile]) -> str:
    usable = [profiler for profiler in profilers if profiler.getstats()]
    if not usable:
        return ""
    out = io.StringIO()
    stats = pstats.Stats(usable[0], stream=out)
    for profiler in usable[1:]:
        stats.add(profiler)
    stats.strip_dirs().sort_stats("tottime").print_stats(FUNCTIONS_SHOWN)
    lines = [line for line in out.getvalue().splitlines() if line.strip()]
    return "\nPython (its own time; kernels appear under the function that calls them)\n" + "\n".join(lines)
