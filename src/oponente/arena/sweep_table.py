"""The table of a sweep, the same at the terminal and on its page."""

from __future__ import annotations

from oponente.arena.cells import number
from oponente.arena.sweep import SweepResult


def header(result: SweepResult) -> tuple[str, ...]:
    """Return the columns of the table of points."""
    return (*result.spec.grid, "rounds", "games", "won", "drawn", "lost", "score", "95 %")


def rows(result: SweepResult) -> list[tuple[str, ...]]:
    """Return the rows of the table of points, the best first."""
    return [
        (
            *point.setting,
            str(point.rounds),
            f"{point.games:,}",
            f"{point.wins:,}",
            f"{point.draws:,}",
            f"{point.losses:,}",
            number(point.score, ".3f"),
            "{:.3f} .. {:.3f}".format(*point.interval),
        )
        for point in result.ranked()
    ]
