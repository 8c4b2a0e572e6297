"""The page of the repeated experiments of Santos (2017): verdicts, and tables 6.2 to 6.5 beside the thesis's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oponente.arena.provenance import study_made
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.document import Page, Section, Table, Verdict
from oponente.arena.studies.estimates import mean_interval
from oponente.arena.studies.gvgp_ufjf import score_sample
from oponente.arena.studies.gvgp_ufjf_tables import (
    CONTROLLERS,
    LABELS,
    REDUNDANT,
    RESULTS,
    RESULTS_2P,
    SIMULATIONS,
    TWO_PLAYERS,
)


def make_page(data: Mapping[str, Any]) -> Page:
    """Return the page for what :func:`~oponente.arena.studies.study.run_study` returned."""
    sizes = data["sizes"]
    return Page(
        title=f"{data['title']}: a repeated study",
        lead=f"The experiments of {data['source']}, played again with the controllers of oponente {data['version']}."
        " Each finding is judged by the criterion that stands below it. This command repeats the measurement:",
        command=data["command"],
        facts=study_made(data),
        sections=[
            Section("Findings", verdicts=[Verdict(**verdict) for verdict in data["verdicts"]]),
            Section(
                "What was played",
                [
                    f"{sizes['runs']} games of each controller on each of 5 levels; {2 * sizes['pairs']} games of each"
                    " pairing on each level of the games for two, seats exchanged. A decision has as many simulations"
                    " as in the thesis's table 6.3. In brackets stand the thesis's figures.",
                ],
            ),
            Section("One player", tables=[_wins(data), _scores(data), _simulations(data), _redundant(data)]),
            Section("Two players", tables=[_two_players(data), _ranking(data)]),
        ],
        data=dict(data),
    )


def rate(cell: Mapping[str, Any]) -> str:
    """Return a win rate in per cent with its interval."""
    low, high = wilson_interval(cell["wins"], cell["games"])
    return f"{100 * cell['wins'] / cell['games']:.0f} ({100 * low:.0f} .. {100 * high:.0f})"


def _spread(cell: Mapping[str, Any]) -> str:
    """Return a mean score with its standard deviation and interval."""
    if cell["score_sd"] is None:
        return f"{cell['score']:.2f}"
    low, high = mean_interval(score_sample(cell))
    return f"{cell['score']:.2f} ± {cell['score_sd']:.2f} ({low:.2f} .. {high:.2f})"


def _header(names: tuple[str, ...]) -> list[str]:
    return ["game", *(LABELS[name] for name in names)]


def _wins(data: Mapping[str, Any]) -> Table:
    rows = [
        [game, *(f"{rate(data['one_player'][game][n])} [{row[i][0]:.0f}]" for i, n in enumerate(CONTROLLERS))]
        for game, row in RESULTS.items()
    ]
    return Table("Win rates in per cent, 95 % interval (table 6.2)", _header(CONTROLLERS), rows)


def _scores(data: Mapping[str, Any]) -> Table:
    rows = [
        [
            game,
            *(
                f"{_spread(data['one_player'][game][name])} [{row[i][1]:.2f} ± {row[i][2]:.2f}]"
                for i, name in enumerate(CONTROLLERS)
            ),
        ]
        for game, row in RESULTS.items()
    ]
    return Table("Mean scores ± standard deviations, 95 % interval of the mean (table 6.2)", _header(CONTROLLERS), rows)


def _simulations(data: Mapping[str, Any]) -> Table:
    rows = [
        [
            game,
            *(
                f"{data['one_player'][game][name]['simulations']:.1f} [{row[i]:.1f}]"
                for i, name in enumerate(CONTROLLERS)
            ),
        ]
        for game, row in SIMULATIONS.items()
    ]
    return Table("Simulations a tick (table 6.3)", _header(CONTROLLERS), rows, "Ours are set to the thesis's.")


def _redundant(data: Mapping[str, Any]) -> Table:
    names = ("mcts", "mr")
    rows = []
    for game, row in REDUNDANT.items():
        cells = data["one_player"][game]
        theirs = ["-", "-"] if row is None else [f"{value:.2f}" for value in row]
        rows.append([game, *(f"{cells[n]['redundant']:.2f} [{theirs[i]}]" for i, n in enumerate(names))])
    return Table("Redundant actions a simulation (table 6.4)", _header(names), rows)


def _two_players(data: Mapping[str, Any]) -> Table:
    rows = []
    for game, row in RESULTS_2P.items():
        cells = data["two_players"][game]
        rows.append(
            [
                game,
                *(
                    f"{rate(cells[name])}, {_spread(cells[name])} [{row[i][0]:.0f}, {row[i][1]:.2f} ± {row[i][2]:.2f}]"
                    for i, name in enumerate(TWO_PLAYERS)
                ),
            ]
        )
    return Table("Win rates in per cent, scores, 95 % intervals (table 6.5)", _header(TWO_PLAYERS), rows)


def _ranking(data: Mapping[str, Any]) -> Table:
    ranking = data["ranking"]
    rows = [[game, *(f"{points[name]:g}" for name in TWO_PLAYERS)] for game, points in ranking["points"].items()]
    rows.append(["all", *(f"{ranking['sums'][name]:g}" for name in TWO_PLAYERS)])
    rows.append(
        [
            "Glicko-2",
            *(
                f"{ranking['ratings'][name]['rating']:.0f} ± {1.96 * ranking['ratings'][name]['deviation']:.0f}"
                for name in TWO_PLAYERS
            ),
        ]
    )
    return Table("Formula-1 points of the round robin, and ratings", _header(TWO_PLAYERS), rows)
