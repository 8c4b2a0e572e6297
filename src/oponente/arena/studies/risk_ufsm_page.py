"""The page of the repeated experiments of Ferrari (2022): verdicts, tables beside the thesis's, training curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oponente.arena.provenance import study_made
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.charts import Series, line_chart
from oponente.arena.studies.document import Figure, Page, Section, Table, Verdict
from oponente.arena.studies.estimates import mean_rate_interval
from oponente.arena.studies.risk_ufsm_tables import (
    AGENTS,
    ARMIES_FIRST,
    ARMIES_SECOND,
    LABELS,
    MESSAGES,
    SEARCHER,
    SECONDS,
    WINS_FIRST,
    WINS_SECOND,
)

Row = Mapping[str, Any]


def make_page(data: Mapping[str, Any]) -> Page:
    """Return the page for what :func:`~oponente.arena.studies.study.run_study` returned."""
    table = {(row["first"], row["second"]): row for row in data["pairings"]}
    names = list(dict.fromkeys(row["first"] for row in data["pairings"]))
    return Page(
        title=f"{data['title']}: a repeated study",
        lead=f"The experiments of {data['source']}, played again with the agents of oponente {data['version']}. Each"
        " finding is judged by the criterion that stands below it. This command repeats the measurement:",
        command=data["command"],
        facts=study_made(data),
        sections=[
            Section("Findings", verdicts=[Verdict(**verdict) for verdict in data["verdicts"]]),
            Section(
                "What was played",
                [
                    f"{data['sizes']['games']:,} games a pairing, {data['sizes']['searched']:,} with the search"
                    f" {SEARCHER}, by the rules and with the dice of the thesis's program:"
                    " random starts, no cards, a draw after 150 turns. Monte Carlo begins each game without a tree."
                    " Where two figures stand in a cell, the second is the thesis's. Wins are in per cent of all games,"
                    " in the thesis of those that were decided."
                ],
            ),
            Section(
                "Wins",
                tables=[
                    _table("Wins as first player (table 5.1)", names, table, _wins(0), WINS_FIRST, second=False),
                    _table("Wins as second player (table 5.2)", names, table, _wins(1), WINS_SECOND, second=True),
                    _means(names, table),
                ],
            ),
            Section(
                "Armies at the end, where the game is won",
                tables=[
                    _table("As first player (table 5.5)", names, table, _armies(0), ARMIES_FIRST, second=False),
                    _table("As second player (table 5.6)", names, table, _armies(1), ARMIES_SECOND, second=True),
                ],
            ),
            Section(
                "Length of games",
                tables=[
                    _table(
                        "Milliseconds a game; thesis: seconds (table 5.7)", names, table, _milliseconds, SECONDS, False
                    ),
                    _table("Messages a game: commands (table 5.8)", names, table, _messages, MESSAGES, False),
                    _table("Turns a game", names, table, lambda row: _mean(row["turns"], 1), None, False),
                ],
            ),
            Section("Training of Monte Carlo against Cluster", figures=[_figure(data["training"])]),
        ],
        data=dict(data),
    )


_THESIS = {f"thesis-{name}": place for place, name in enumerate(AGENTS)}
"""The thesis's agents, and their place in its tables."""


def _label(name: str) -> str:
    return LABELS[AGENTS[_THESIS[name]]] if name in _THESIS else name


def _wins(seat: int) -> Callable[[Row], str]:
    def text(row: Row) -> str:
        return _rate(row["wins"][seat] / row["games"], wilson_interval(row["wins"][seat], row["games"]))

    return text


def _rate(rate: float, interval: tuple[float, float]) -> str:
    return f"{100 * rate:.1f} ({100 * interval[0]:.0f} .. {100 * interval[1]:.0f})"


def _armies(seat: int) -> Callable[[Row], str]:
    def text(row: Row) -> str:
        return _mean(row["armies"][seat], 1)

    return text


def _milliseconds(row: Row) -> str:
    return _mean(row["milliseconds"], 2)


def _messages(row: Row) -> str:
    return _mean(row["messages"], 1)


def _mean(found: Sequence[float | None], digits: int) -> str:
    """Return a mean and how far its 95 % interval reaches."""
    mean, reach = found
    if mean is None:
        return "-"
    return f"{mean:.{digits}f}" if reach is None else f"{mean:.{digits}f} ± {reach:.{digits}f}"


def _table(
    title: str,
    names: Sequence[str],
    table: Mapping[tuple[str, str], Row],
    text: Callable[[Row], str],
    published: Sequence[Sequence[float]] | None,
    second: bool,
) -> Table:
    """Return a table of all pairings, with the thesis's figure behind ours where there is one.

    Args:
        title: of the table.
        names: of the agents.
        table: results by first and second player.
        text: what stands in a cell.
        published: the thesis's figures.
        second: whether the rows are the second players.
    """
    rows = []
    for own in names:
        cells = []
        for other in names:
            cell = text(table[other, own] if second else table[own, other])
            places = [_THESIS[name] for name in (own, other) if name in _THESIS]
            both = published is not None and len(places) == 2
            cells.append(f"{cell} / {published[places[0]][places[1]]:g}" if both and published else cell)
        rows.append((_label(own), *cells))
    role = "second" if second else "first"
    return Table(title, (f"{role} player \\ against", *map(_label, names)), rows)


def _mean_rate(cells: Sequence[tuple[float, int]]) -> str:
    """Return the mean of several rates, given as wins and games, with its interval."""
    return _rate(sum(wins / games for wins, games in cells) / len(cells), mean_rate_interval(cells))


def _means(names: Sequence[str], table: Mapping[tuple[str, str], Row]) -> Table:
    """Return the table of each agent's mean rate against the thesis's agents, with its interval."""
    rows = []
    for name in names:
        four = [f"thesis-{other}" for other in AGENTS]
        seats = ([table[name, other] for other in four], [table[other, name] for other in four])
        cells = [[(row["wins"][seat], row["games"]) for row in seats[seat]] for seat in (0, 1)]
        rows.append((_label(name), *map(_mean_rate, cells)))
    note = "The thesis: 24.5, 92, 72, 71.25 as first and 23.5, 49.5, 36.25, 29.75 as second player."
    return Table(
        "Means over the thesis's four agents (tables 5.3, 5.4)", ("agent", "as first", "as second"), rows, note
    )


def _figure(training: Sequence[Row]) -> Figure:
    series = []
    for style, curve in enumerate(training):
        done, x = 0, []
        for count in curve["of"]:
            done += count
            x.append(float(done))
        bounds = [wilson_interval(won, of) for won, of in zip(curve["wins"], curve["of"], strict=True)]
        series.append(
            Series(
                f"{curve['start']} starts, player {curve['player']}",
                x,
                [100 * won / of for won, of in zip(curve["wins"], curve["of"], strict=True)],
                [100 * low for low, _ in bounds],
                [100 * high for _, high in bounds],
                style,
            )
        )
    said = "; ".join(f"{s.label}: {s.y[0]:.0f} % at first, {s.y[-1]:.0f} % at last" for s in series)
    return line_chart(
        "training",
        "Win rate of Monte Carlo while it learns",
        series,
        x_label="games played",
        y_label="wins in per cent",
        caption="Of each twentieth of the games, with 95 % Wilson intervals (figures 5.1 and 5.2).",
        alt=f"Win rates during training. {said}.",
    )
