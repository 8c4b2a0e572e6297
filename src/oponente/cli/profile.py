"""``--profile`` and ``--flame``: where the time goes, in kernels and in Python."""

from __future__ import annotations

import cProfile
import io
import pstats
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from oponente.cli.common import check_file, table
from oponente.kernel.compilation import KernelProfile, profile_kernels

if TYPE_CHECKING:
    from oponente.arena.sampling import Sampler

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


class Parts:
    """What a sampler finds, by parts of the work."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.samples: Counter[tuple[str, ...]] = Counter()

    def begin(self) -> None:
        """Forget what was found since the last part: it belongs to none."""
        self.sampler.take()

    def end(self, *names: str, besides: str) -> None:
        """End a part; its stacks begin with the names. What kernel `besides` did is not part of it."""
        found = self.sampler.take()
        self.samples.update({(*names, *stack): count for stack, count in found.items() if stack[0] != besides})


def check_flame(file: str) -> None:
    """Raise ValueError if no flame graph can be written to that file; to be asked before the work begins."""
    if Path(file).suffix not in {".svg", ".txt"}:
        raise ValueError(f"--flame: {file} should end in .svg, for a picture, or in .txt, for lines of stacks")
    check_file("--flame", Path(file))


@contextmanager
def sampled(file: str | None) -> Iterator[Parts | None]:
    """Within the context, sample this thread; then write a file of the parts that were noted. None: do nothing.

    The file is one that :func:`check_flame` has found right.

    Raises:
        click.ClickException: samples can't be taken, or there are none.
    """
    if file is None:
        yield None
        return
    from oponente.arena.flame_graph import collapsed, svg
    from oponente.arena.sampling import Sampler, SamplingError

    sampler = Sampler()
    parts = Parts(sampler)
    try:
        with sampler.running():
            yield parts
    except SamplingError as error:
        raise click.UsageError(f"--flame: {error}") from error
    samples = parts.samples
    if not samples:
        raise click.ClickException("--flame: no samples, since too little was measured; make --seconds larger")
    title = f"{', '.join(dict.fromkeys(stack[0] for stack in samples))}: {samples.total():,} samples of processor time"
    Path(file).write_text(svg(samples, title) if file.endswith(".svg") else collapsed(samples), encoding="utf-8")
    click.echo(f"Flame graph written to {file}", err=True)


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
