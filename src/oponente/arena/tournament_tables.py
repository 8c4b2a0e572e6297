"""The tables of a tournament, the same at the terminal and on its page."""

from __future__ import annotations

from collections.abc import Sequence

from oponente.arena.cells import number, percent
from oponente.arena.online import COUNTED
from oponente.arena.tournament import Standing, TournamentResult

HEADER = (
    "",
    "agent",
    "rating",
    "95 %",
    "stronger than the next",
    "alpha-Rank",
    "games",
    "won",
    "drawn",
    "lost",
    "score",
    "byes",
)
"""Of the table of standings, at the terminal and on the page."""


def standing_rows(result: TournamentResult, standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """Return the rows of the table of standings, one for each entrant, with the columns of `HEADER`."""
    return [
        (
            str(place),
            result.spec.entrants[one.entrant],
            f"{one.rating:+.0f}",
            f"{one.interval[0]:+.0f} .. {one.interval[1]:+.0f}",
            percent(one.superiority),
            number(one.mass, ".3f"),
            f"{one.games:,}",
            f"{one.wins:,}",
            f"{one.draws:,}",
            f"{one.losses:,}",
            number(one.score, ".3f"),
            str(one.byes or ""),
        )
        for place, one in enumerate(standings, 1)
    ]


def online_header(systems: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the table of online ratings."""
    return ("", "agent", *(column for system in systems for column in (system, "95 %")[: 1 + (system not in COUNTED)]))


def online_rows(
    result: TournamentResult, standings: Sequence[Standing], systems: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return the rows of the table of online ratings, in the order of the standings."""
    ratings = [result.online_ratings(system) for system in systems]
    return [
        (
            str(place),
            result.spec.entrants[one.entrant],
            *(
                cell
                for found in (rating[one.entrant] for rating in ratings)
                for cell in (f"{found.rating:.1f}", found.interval and "{:.1f} .. {:.1f}".format(*found.interval))
                if cell is not None
            ),
        )
        for place, one in enumerate(standings, 1)
    ]


def cross_rows(result: TournamentResult, standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """Return the rows of the cross table, in the order of the standings: an entrant, then its share against each."""
    shares, met = result.cross_table()
    order = [one.entrant for one in standings]
    return [
        (
            str(place),
            result.spec.entrants[a],
            *("" if a == b or not met[a, b] else f"{100 * shares[a, b]:.1f}" for b in order),
        )
        for place, a in enumerate(order, 1)
    ]
