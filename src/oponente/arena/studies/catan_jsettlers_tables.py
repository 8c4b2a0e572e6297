"""The tables of the study ``catan-jsettlers`` about games on a real server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oponente.arena.cells import bounds, number, percent
from oponente.arena.studies.document import Table

TROUBLES = ("refused", "late", "forced", "unanswered", "differences", "lost")
"""What statistics count that should not have been."""
ROBOTS = 3
"""Opponents in a game at most."""


def wins_table(matches: Mapping[str, Any]) -> Table:
    """Return who won how many games on a server, and what did not go as it should."""
    rows = [
        (
            name,
            f"{match['games']:,}",
            f"{match['agent']['wins']:,}",
            percent(match["agent"]["win_rate"]),
            bounds(match["agent"]["ci95"]),
            *_robots(match),
            number(match["agent"]["turns_to_win"], ".1f"),
            number(match["agent"]["points"], ".2f"),
            number(match["agent"]["points_sd"], ".2f"),
        )
        for name, match in matches.items()
    ]
    header = ("agent", "games", "won", "rate", "95 %", "robot 1", "robot 2", "robot 3", "turns to win", "points", "sd")
    return Table("Games on the server, against three of its robots", header, rows)


def _robots(match: Mapping[str, Any]) -> list[str]:
    """Return the win rates of three robots; a seat that nobody sat on in any game has none."""
    rates = [percent(seat["win_rate"]) for seat in match["opponent_seats"]]
    return rates + ["-"] * (ROBOTS - len(rates))


def facts_table(matches: Mapping[str, Any], facts: Sequence[str]) -> Table:
    """Return what the agents had built in the end."""
    header = ("agent", *(name.replace("_", " ") for name in facts))
    rows = [(name, *(number(match["agent"][fact], ".2f") for fact in facts)) for name, match in matches.items()]
    return Table("The agents' means on the server; awards as shares", header, rows)


def troubles_table(matches: Mapping[str, Any]) -> Table:
    """Return what did not go as it should."""
    return Table(
        "What did not go as it should",
        ("agent", *TROUBLES),
        [(name, *(f"{match[trouble]:,}" for trouble in TROUBLES)) for name, match in matches.items()],
        note="Requests that were refused, answers to offers that another had taken already, turns that the server"
        " ended, requests without an answer, what the server told otherwise than our rules have it, games that were"
        " lost with the connection.",
    )
