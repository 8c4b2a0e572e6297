"""The page of the repeated games of Paz and Rubin (2016): verdicts, win rates beside theirs, facts, times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oponente.arena.cells import bounds, number, percent
from oponente.arena.match_report import facts_table
from oponente.arena.provenance import study_made
from oponente.arena.studies.catan_pucrs_matches import FOUR, LABELS
from oponente.arena.studies.catan_pucrs_verdicts import PUBLISHED
from oponente.arena.studies.charts import Interval, interval_chart
from oponente.arena.studies.document import Figure, Page, Section, Table, Verdict
from oponente.games.catan.facts import FACTS


def make_page(data: Mapping[str, Any]) -> Page:
    """Return the page for what :func:`~oponente.arena.studies.study.run_study` returned."""
    matches = data["matches"]
    return Page(
        title=f"{data['title']}: a repeated study",
        lead=f"The local games of {data['source']}, played again with the agents of oponente {data['version']}. Each"
        " finding is judged by the criterion that stands below it. This command repeats the measurement:",
        command=data["command"],
        facts=study_made(data),
        sections=[
            Section("Findings", verdicts=[Verdict(**verdict) for verdict in data["verdicts"]]),
            Section("What was played", _method(data), tables=[_agents_table(matches)]),
            Section("Win rates", figures=[_figure(matches)], tables=[_rates_table(matches)]),
            Section(
                "Facts of the games",
                [
                    "Of the last position of each game: "
                    + "; ".join(f"`{n}`: {text}" for n, text in FACTS.items())
                    + "."
                ],
                tables=[
                    facts_table("All games", _fact_rows(matches, won=False), list(FACTS)),
                    facts_table("Games won", _fact_rows(matches, won=True), list(FACTS)),
                ],
            ),
            Section("Time of decisions", tables=[_times_table(matches)]),
        ],
        data=dict(data),
    )


def _method(data: Mapping[str, Any]) -> list[str]:
    options = ", ".join(f"{key} = {value}" for key, value in data["options"].items())
    return [
        f"Options of the game: {options}. Four simple agents keep their seats; in the other matches the agents move on"
        " by one seat from game to game, and each four games share their luck. Such four are not independent of each"
        " other, though the intervals count them as if they were.",
        "With the true state an agent searches on the position as it is, hidden cards included, as the thesis's agents"
        " did. An honest one searches on positions drawn from what it may know.",
    ]


def _agents_table(matches: Mapping[str, Any]) -> Table:
    rows = [
        (LABELS[name], ", ".join(f"`{agent['agent']}`" for agent in match["agents"]), f"{match['games']:,}")
        for name, match in matches.items()
    ]
    return Table("The matches", ("match", "agents", "games"), rows)


def _judged(matches: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], float]]:
    """Return each agent whose win rate the thesis gives: its label, its results and the published rate."""
    rows = [(f"simple, seat {seat}", agent, 0.25) for seat, agent in enumerate(matches[FOUR]["agents"], 1)]
    for name, (won, games) in PUBLISHED.items():
        rows.append((LABELS[name], matches[name]["agents"][0], won / games))
    return rows


def _rates_table(matches: Mapping[str, Any]) -> Table:
    rows = [
        (label, f"{agent['wins']:,}", percent(agent["win_rate"]), bounds(agent["ci95"]), f"{100 * published:.0f} %")
        for label, agent, published in _judged(matches)
    ]
    return Table(
        "Win rates",
        ("agent", "won", "win rate", "95 %", "thesis, about"),
        rows,
        note="With the 95 % interval of Wilson. For the honest agents the thesis's figure with the true state.",
    )


def _figure(matches: Mapping[str, Any]) -> Figure:
    rows = [Interval(label, agent["win_rate"], *agent["ci95"]) for label, agent, _ in _judged(matches)]
    said = "; ".join(f"{r.label}: {100 * r.value:.0f} % ({100 * r.low:.0f} to {100 * r.high:.0f})" for r in rows)
    return interval_chart(
        "win-rates",
        "Win rates",
        rows,
        x_label="share of the games won",
        reference=0.25,
        caption="Points with 95 % Wilson intervals; at the dashed line all four players win equally often.",
        alt=f"Win rates with 95 % intervals. {said}.",
    )


def _fact_rows(matches: Mapping[str, Any], *, won: bool) -> list[tuple[str, dict[str, Any]]]:
    rows = []
    for name, match in matches.items():
        for place, agent in enumerate(match["agents"], 1):
            facts = {key: fact["won"] if won else fact for key, fact in agent["facts"].items()}
            rows.append((f"{LABELS[name]}: agent {place}, {agent['agent'].partition(':')[0]}", facts))
    return rows


def _times_table(matches: Mapping[str, Any]) -> Table:
    rows = [
        (
            LABELS[name],
            number(match["agents"][0]["mean_decision_ms"], ",.2f"),
            number(match["agents"][0]["p95_decision_ms"], ",.2f"),
            number(match["agents"][0]["mean_nodes"], ",.0f"),
        )
        for name, match in matches.items()
    ]
    note = (
        "Of the first agent, wall-clock time. The thesis states about 40 s a decision at 1,000 simulations (i7-4790K)."
    )
    return Table("A decision on average", ("match", "mean ms", "95 % within ms", "mean nodes"), rows, note=note)
