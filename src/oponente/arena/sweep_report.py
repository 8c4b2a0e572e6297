"""The page of a sweep: the score at each combination of values."""

from __future__ import annotations

from collections.abc import Sequence

from oponente.arena.cells import reproducibility
from oponente.arena.copies import copies_note
from oponente.arena.provenance import how_made, provenance
from oponente.arena.studies.charts import Interval, Series, heat_map, interval_chart, line_chart
from oponente.arena.studies.document import Figure, Page, Section, Table
from oponente.arena.sweep import Point, SweepResult
from oponente.arena.sweep_table import header, rows

MOST_ROWS = 40
"""Points that the figure of intervals shows at most."""


def sweep_page(result: SweepResult, command: str) -> Page:
    """Return the page of a sweep; `command` is the command line that does it again."""
    spec, made = result.spec, provenance(command)
    where = f"with {result.copies} of {spec.size} combinations "
    return Page(
        title=f"{spec.game.name}: {spec.agent} by {', '.join(spec.grid)}",
        lead=f"A sweep of {spec.size:,} combinations and {result.finished:,} games. This command repeats it:",
        command=command,
        facts=how_made(
            made,
            [
                ("Against", spec.against),
                (
                    "Options",
                    ", ".join(map("=".join, spec.game.shown_options.items())) or "as by default",
                ),
                ("Seed", f"{spec.seed}{reproducibility(result.reproducible)}"),
            ],
        ),
        sections=[
            Section(
                "Score by parameter",
                paragraphs=[
                    f"The score is the mean share of a game; {result.even:.3g} means as good as the opponent. All"
                    " combinations played the same starts with the same luck. The best of many is in part the luckiest:"
                    " oponente sprt, with another seed, tells whether it is better.",
                    *([f"Note: {copies_note(spec.opening_plies, where)}."] if result.copies else []),
                ],
                figures=_figures(result),
                tables=[Table("All combinations, the best first", header(result), rows(result))],
            )
        ],
        data={**made, "sweep": result.summary()},
    )


def _figures(result: SweepResult) -> list[Figure]:
    grid = result.spec.grid
    names = list(grid)
    if len(names) == 1 and (numbers := _numbers(grid[names[0]])) is not None:
        return [_line(result, names[0], numbers)]
    figures = [_map(result, *names)] if len(names) == 2 else []
    return [*figures, _intervals(result)]


def _numbers(values: Sequence[str]) -> list[float] | None:
    try:
        return [float(value) for value in values]
    except ValueError:
        return None


def _line(result: SweepResult, name: str, numbers: Sequence[float]) -> Figure:
    found: list[tuple[float, Point]] = sorted(zip(numbers, result.points, strict=True), key=lambda pair: pair[0])
    series = Series(
        "score",
        [x for x, _ in found],
        [point.score for _, point in found],
        [point.interval[0] for _, point in found],
        [point.interval[1] for _, point in found],
    )
    said = "; ".join(f"{x:g}: {point.score:.3f}" for x, point in found)
    return line_chart(
        "sweep",
        f"Score by {name}",
        [series],
        x_label=name,
        y_label="score",
        caption=f"With 95 % intervals; {result.even:.3g} is as good as {result.spec.against}.",
        alt=f"Score by {name}. {said}.",
        log_x=min(numbers) > 0 and max(numbers) >= 30 * min(numbers),
    )


def _map(result: SweepResult, first: str, second: str) -> Figure:
    grid = result.spec.grid
    by_setting = {point.setting: point.score for point in result.points}
    # The map's middle colour stands for a half: scores are shown as how often the agent would beat one opponent.
    values = [[_against_one(by_setting[a, b], result.players) for b in grid[second]] for a in grid[first]]
    best = result.ranked()[0]
    return heat_map(
        "map",
        f"Score by {first} (rows) and {second} (columns), %",
        [f"{first}={value}" for value in grid[first]],
        [f"{second}={value}" for value in grid[second]],
        values,
        caption="" if result.players == 2 else "As a share against a single opponent: 50 is as good.",
        alt=f"Scores of {result.spec.size} combinations of {first} and {second}; the best is {best.agent}.",
    )


def _against_one(score: float, players: int) -> float:
    """Return the share of a game for two with the same odds against each opponent."""
    strength = score * (players - 1)
    return strength / (strength + 1.0 - score)


def _intervals(result: SweepResult) -> Figure:
    best = result.ranked()[:MOST_ROWS]
    intervals = [
        Interval(
            ", ".join(f"{key}={value}" for key, value in zip(result.spec.grid, point.setting, strict=True)),
            point.score,
            *point.interval,
        )
        for point in best
    ]
    said = "; ".join(f"{one.label}: {one.value:.3f}" for one in intervals)
    left_out = "" if len(best) == result.spec.size else f" The best {len(best)} of {result.spec.size}."
    return interval_chart(
        "points",
        "Scores",
        intervals,
        x_label="score",
        reference=result.even,
        caption=f"Points with 95 % intervals; as good as the opponent at the dashed line.{left_out}",
        alt=f"Scores with 95 % intervals. {said}.",
    )
