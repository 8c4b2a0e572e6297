"""A training: a folder in which it keeps what it has reached, so that one that was killed goes on where it was.

=================  ==================================================================================================
``state.json``     what the training is, the last complete iteration, and all that the next one depends on; there from
                   the beginning, so that a folder tells whether it is a training's
``metrics.csv``    a row for each iteration, also as ``metrics.parquet``
``best.json``      the parameters found, by name (for `value` a file of all weights; what else was tuned is in the spec)
``result.json``    all about the training: settings, seed, times, the agent's spec, what it was measured to be worth
``progress.png``   the course of the training, also as ``progress.svg``
=================  ==================================================================================================
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from oponente.arena.match import file_digest
from oponente.games.catalogue import GameSpec
from oponente.kernel import claim, in_one_step
from oponente.kernel.notation import quoted

STATE, METRICS, BEST, RESULT, PROGRESS = "state.json", "metrics", "best.json", "result.json", "progress"
LOCK = ".lock"
"""Claimed by the process that trains in the folder."""


class TrainingError(Exception):
    """A training can't begin or go on; the message is one line."""


class Training:
    """The folder of a training.

    Args:
        folder: is made if it is not there.
        identity: plain values that decide the course of the training. The user's files are in it by content
            (:func:`digests_of_files`), not by path.
        resume: whether to go on with what is in the folder.

    Raises:
        TrainingError: the folder can't be used, holds another training, or one although `resume` is false, or files
            but no training; or another process trains there just now.
    """

    def __init__(self, folder: str | Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self.folder = Path(folder)
        self._identity = json.loads(json.dumps(identity))
        #: What :meth:`keep` was given last; None at the beginning.
        self.state: dict[str, Any] | None = None
        #: Rows of metrics, one for each iteration.
        self.metrics: list[dict[str, Any]] = []
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if claim(self.folder / LOCK, self) is None:
                raise TrainingError(f"another process trains in {folder}: wait for it, or give another folder")
            begun = (self.folder / STATE).exists()
            # A part is what a kill has left of a file that is written in one step.
            strangers = [file.name for file in self.folder.iterdir() if not file.name.startswith((".", "part-"))]
        except OSError as error:
            raise TrainingError(f"{folder}: {error.strerror}") from error
        if begun:
            self._go_on(resume)
        elif strangers:
            raise TrainingError(
                f"{folder} holds no training, but other files ({quoted(min(strangers))}): give another folder"
            )
        else:
            self._keep()

    def _go_on(self, resume: bool) -> None:
        """Take over what the folder holds."""
        if not resume:
            raise TrainingError(f"{self.folder} holds a training already: go on with --resume, or give another folder")
        with self.restoring():
            kept = json.loads((self.folder / STATE).read_text(encoding="utf-8"))
            identity, state, metrics = kept["identity"], kept["state"], kept["metrics"]
            expect(isinstance(identity, dict), "the identity of a training")
            expect(state is None or isinstance(state, dict), "a state")
            expect(isinstance(metrics, list) and all(isinstance(row, dict) for row in metrics), "rows of metrics")
            expect((state is None) == (not metrics), "a state and rows of metrics")
        if identity != self._identity:
            raise TrainingError(f"{self.folder} holds another training ({_difference(identity, self._identity)})")
        self.state, self.metrics = state, metrics

    @contextmanager
    def restoring(self) -> Iterator[None]:
        """Within the context what was kept is read: whatever fails is that the file of the state is damaged."""
        try:
            yield
        except OSError as error:
            raise TrainingError(f"{self.folder / STATE}: {error.strerror}") from error
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            raise TrainingError(
                f"{self.folder / STATE} is damaged ({type(error).__name__}: {' '.join(str(error).split())}):"
                " begin anew in another folder"
            ) from error

    @property
    def seconds(self) -> float:
        """How long all has taken that was kept."""
        with self.restoring():
            return float(self.metrics[-1]["seconds"]) if self.metrics else 0.0

    def keep(self, state: Mapping[str, Any], metrics: Mapping[str, Any]) -> None:
        """Keep what the next iteration depends on, and add a row of metrics."""
        self.metrics.append(dict(metrics))
        self.state = dict(state)
        self._keep()
        self._write_text(f"{METRICS}.csv", csv_text(self.metrics))

    def _keep(self) -> None:
        self.write(STATE, {"identity": self._identity, "state": self.state, "metrics": self.metrics})

    def write(self, name: str, value: Any) -> None:
        """Write a JSON file in one step, so that it is whole whenever the machine stops."""
        self._write_text(name, json.dumps(value, indent=1))

    def finish(self, best: Mapping[str, Any], result: Mapping[str, Any], lines: Mapping[str, Sequence[float]]) -> None:
        """Write what was found, the metrics as Parquet, and pictures of `lines`: values by iteration, by name."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.write(BEST, dict(best))
        self.write(RESULT, dict(result))
        with in_one_step(self.folder / f"{METRICS}.parquet") as part:
            pq.write_table(pa.Table.from_pylist(self.metrics), part)
        draw_lines(self.folder / PROGRESS, lines)

    def _write_text(self, name: str, text: str) -> None:
        file = self.folder / name
        try:
            with in_one_step(file) as part, part.open("w", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise TrainingError(f"{file}: {error.strerror}") from error


def digests_of_files(game: GameSpec, agent_files: Sequence[str]) -> dict[str, Any]:
    """Return what an identity holds of the user's files: an edited one plays other games, a moved one does not.

    Raises:
        ValueError: a file can't be read.
        UserFileError, RulesError: it can't be loaded.
    """
    return {
        "game_file_digest": None if game.file is None else file_digest(game.file),
        "agent_file_digests": [file_digest(file) for file in agent_files],
    }


def expect(fits: bool, what: str) -> None:
    """Raise ValueError, which says what was expected, unless something fits."""
    if not fits:
        raise ValueError(f"expected {what}")


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV, their names in the order in which they first appear."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def draw_lines(path: Path, lines: Mapping[str, Sequence[float]]) -> None:
    """Draw each of some lines over the iterations in a panel of its own, as a PNG and an SVG file."""
    import matplotlib

    matplotlib.use("Agg", force=False)
    from matplotlib.figure import Figure

    columns = min(5, max(1, len(lines)))
    rows = -(-len(lines) // columns) or 1
    figure = Figure(figsize=(3.0 * columns, 2.0 * rows), layout="constrained")
    for number, (name, values) in enumerate(lines.items()):
        axes = figure.add_subplot(rows, columns, number + 1)
        axes.plot(range(1, len(values) + 1), values, linewidth=1)
        axes.set_title(name, fontsize=8)
        axes.tick_params(labelsize=7)
    for suffix in (".png", ".svg"):
        figure.savefig(path.with_suffix(suffix))


def _difference(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Return in words the first thing in which two trainings differ."""
    for name in dict.fromkeys([*kept, *wanted]):
        one, other = kept.get(name), wanted.get(name)
        if isinstance(one, dict) and isinstance(other, dict) and one != other:
            return f"{name}: {_difference(one, other)}"
        if one != other:
            return f"{name} {quoted(one)}, not {quoted(other)}"
    return "in nothing"
