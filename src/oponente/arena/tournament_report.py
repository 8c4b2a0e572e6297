"""The page of a tournament: ratings, who did what against whom, and how strength grows with the budget."""

from __future__ import annotations

from collections.abc import Sequence

from oponente.arena.cells import reproducibility
from oponente.arena.copies import copies_note
from oponente.arena.provenance import how_made, provenance
from oponente.arena.studies.charts import Interval, Series, heat_map, interval_chart, line_chart
from oponente.arena.studies.document import Figure, Page, Section, Table
from oponente.arena.tournament import Curve, Ladders, Standing, TournamentResult
from oponente.arena.tournament_tables import HEADER, cross_rows, online_header, online_rows, standing_rows


def tournament_page(
    result: TournamentResult,
    command: str,
    ladders: Ladders,
    systems: Sequence[str] = (),
) -> Page:
    """Return the page of a tournament.

    Args:
        result: the tournament, or the part of it that was played.
        command: the command line that does it again.
        ladders: by name, agents that differ in their budget alone: budget and spec of each.
        systems: of online ratings to show, too.
    """
    spec, made = result.spec, provenance(command)
    standings = result.standings()
    where = f"in {result.copies} of {len(result.matches)} matches "
    sections = [
        Section(
            "Ratings",
            paragraphs=[
                "Ratings of Plackett and Luce, their mean 0; 400 points stand for odds of ten to one. The intervals are"
                " from drawing blocks of games again, 1,000 times; so is how likely each is stronger than the next.",
                *([f"Note: {copies_note(spec.opening_plies, where)}."] if result.copies else []),
            ],
            figures=[_rating_figure(result, standings)],
            tables=[
                Table("Standings", HEADER, standing_rows(result, standings)),
                *(
                    [
                        Table(
                            "Online ratings",
                            online_header(systems),
                            online_rows(result, standings, systems),
                            note="Brought up to date block by block; the intervals are the systems' own, and points"
                            " have none.",
                        )
                    ]
                    if systems
                    else []
                ),
            ],
        ),
        Section(
            "Against each other",
            figures=[_cross_figure(result, standings)],
            tables=[
                Table(
                    "Cross table: results better than the other's, %",
                    ("", "agent", *(str(place) for place in range(1, len(standings) + 1))),
                    cross_rows(result, standings),
                    note="Equal results count half.",
                )
            ],
        ),
    ]
    if ladders:
        sections.insert(1, Section("Strength by budget", figures=[_ladder_figure(result.curves(ladders, standings))]))
    return Page(
        title=f"{spec.game.name}: {spec.form} of {len(spec.entrants)}",
        lead=f"A tournament of {result.finished:,} games. This command repeats it:",
        command=command,
        facts=how_made(
            made,
            [
                (
                    "Options",
                    ", ".join(map("=".join, spec.game.shown_options.items())) or "as by default",
                ),
                ("Seed", f"{spec.seed}{reproducibility(result.reproducible)}"),
            ],
        ),
        sections=sections,
        data={**made, "tournament": result.summary(systems, ladders)},
    )


def _rating_figure(result: TournamentResult, standings: Sequence[Standing]) -> Figure:
    rows = [Interval(result.spec.entrants[one.entrant], one.rating, *one.interval) for one in standings]
    said = "; ".join(f"{r.label}: {r.value:+.0f} ({r.low:+.0f} to {r.high:+.0f})" for r in rows)
    return interval_chart(
        "ratings",
        "Ratings",
        rows,
        x_label="rating",
        reference=0.0,
        limits=None,
        caption="Points with 95 % intervals; the mean is at the dashed line.",
        alt=f"Ratings with 95 % intervals. {said}.",
    )


def _cross_figure(result: TournamentResult, standings: Sequence[Standing]) -> Figure:
    shares, met = result.cross_table()
    order = [one.entrant for one in standings]
    values = [[None if a == b or not met[a, b] else float(shares[a, b]) for b in order] for a in order]
    names = [result.spec.entrants[entrant] for entrant in order]
    places = [str(place) for place in range(1, len(order) + 1)]
    return heat_map(
        "cross",
        "Who does better than whom",
        [f"{name}  {place}" for name, place in zip(names, places, strict=True)],
        places,
        values,
        caption="In each row how often, of 100 games with both, that agent did better than the one of the column.",
        alt="A square for each two entrants with the share of games in which the first did better.",
    )


def _ladder_figure(curves: Sequence[Curve]) -> Figure:
    series = [
        Series(
            curve.agent,
            [budget for budget, _ in curve.steps],
            [one.rating for _, one in curve.steps],
            [one.interval[0] for _, one in curve.steps],
            [one.interval[1] for _, one in curve.steps],
            style % 6,
        )
        for style, curve in enumerate(curves)
    ]
    gains = [
        f"{curve.agent}: {'of one budget' if curve.gain is None else f'{curve.gain:+.0f} points a doubling'}"
        for curve in curves
    ]
    return line_chart(
        "skill",
        "Rating by budget",
        series,
        x_label="budget",
        y_label="rating",
        caption="; ".join(gains) + ". Bands are 95 % intervals.",
        alt=f"Rating by budget. {'; '.join(gains)}.",
        log_x=True,
        from_zero=False,
    )
