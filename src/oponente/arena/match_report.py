"""The page of one match: who won from which seat, how long games were, how long decisions took, facts of the game."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from oponente.arena.cells import bounds, elo, mean_and_sd, number, percent, reproducibility
from oponente.arena.copies import copies_note
from oponente.arena.facts import fact_meanings
from oponente.arena.match import MatchSpec
from oponente.arena.provenance import how_made, provenance
from oponente.arena.record import STATUSES
from oponente.arena.statistics import Tally, describe, summary_json
from oponente.arena.studies.charts import STYLES, Interval, Series, interval_chart, line_chart
from oponente.arena.studies.document import Figure, Page, Section, Table
from oponente.arena.studies.estimates import student_t95
from oponente.kernel import Game

BINS = 30
"""Into at most so many bins games are sorted by length, and facts with many values."""


def match_page(spec: MatchSpec, tally: Tally, game: Game, command: str, *, copies: bool) -> Page:
    """Return the page of a match.

    Args:
        spec: the match.
        tally: of the games to be told of, at least one; their order makes no difference.
        game: what was played.
        command: the command line that does it again.
        copies: whether all blocks are the same games (:attr:`~oponente.arena.runner.MatchResult.copies`).
    """
    summary = summary_json(spec, tally, copies=copies)
    labels = agent_labels(spec.agents)
    meanings = fact_meanings(game)
    sections = [
        Section(
            "Who won",
            [f"Note: {copies_note(spec.opening_plies)}."] if copies else [],
            figures=_win_figures(summary, labels),
            tables=[_agent_table(summary, labels), *_elo_tables(summary, labels, rotate=spec.rotate)],
        ),
        Section("Seat by seat", tables=[_seat_table(summary, labels)]),
        Section("Length of the games", figures=[_length_figure(tally)], tables=[_length_table(tally)]),
        Section("Time of decisions", figures=_time_figures(tally, labels), tables=[_time_table(tally, labels)]),
    ]
    if any("facts" in agent for agent in summary["agents"]):
        sections.append(_facts_section(summary, labels, meanings))
    made = provenance(command)
    return Page(
        title=f"{spec.game.name}: {' v '.join(labels)}",
        lead=f"A match of {summary['games']:,} games. This command repeats it:",
        command=command,
        facts=_how(spec.game.shown_options, spec.seed, spec.rotate, made, reproducible=summary["reproducible"]),
        sections=sections,
        data={**made, "match": summary},
    )


def agent_labels(agents: Sequence[str]) -> list[str]:
    """Return a name for each agent; those of the same spec are told apart by their place in the match, from 1.

    >>> agent_labels(["uct", "simple", "simple"])
    ['uct', 'simple (agent 2)', 'simple (agent 3)']
    """
    counts = Counter(agents)
    return [text if counts[text] == 1 else f"{text} (agent {place})" for place, text in enumerate(agents, 1)]


def _how(
    options: Mapping[str, str], seed: int, rotate: bool, made: Mapping[str, Any], *, reproducible: bool
) -> list[tuple[str, str]]:
    return how_made(
        made,
        [
            ("Options", ", ".join(map("=".join, options.items())) or "as by default"),
            ("Seed", f"{seed}{reproducibility(reproducible)}"),
            ("Seats", "change from game to game" if rotate else "fixed: agents sit in the order given"),
        ],
    )


# --- results -------------------------------------------------------------------------------------------------------


def _agent_table(summary: Mapping[str, Any], labels: Sequence[str]) -> Table:
    rows = [
        (
            label,
            f"{sum(seat['games'] for seat in agent['by_seat']):,}",
            f"{agent['wins']:,}",
            f"{agent['draws']:,}",
            f"{agent['losses']:,}",
            percent(agent["win_rate"]),
            bounds(agent["ci95"]),
            number(agent["mean_score"], "+.3f"),
            str(agent["forfeits"]),
        )
        for label, agent in zip(labels, summary["agents"], strict=True)
    ]
    header = ("agent", "games", "won", "drawn", "lost", "win rate", "95 %", "mean score", "forfeits")
    return Table("Results by agent", header, rows, note="Win rates with the 95 % interval of Wilson.")


def _elo_tables(summary: Mapping[str, Any], labels: Sequence[str], *, rotate: bool) -> list[Table]:
    if not summary.get("blocks"):
        return []
    unit = "pairs of games" if rotate else "games"
    counted = ", ".join(f"{one['score']:g}: {one['blocks']:,}" for one in summary["block_scores"])
    row = (
        f"{labels[0]} beside {labels[1]}",
        f"{summary['blocks']:,}",
        counted,
        elo(summary["elo"]),
        " .. ".join(map(elo, summary["elo_ci95"])),
        percent(summary["los"]),
    )
    header = ("", unit, f"{unit} by mean score", "Elo", "95 %", "likelihood that it is better")
    return [Table("Difference in Elo", header, [row], note="A dash stands for a difference without bound.")]


def _seat_table(summary: Mapping[str, Any], labels: Sequence[str]) -> Table:
    rows = [
        (
            label,
            str(seat["seat"] + 1),
            f"{seat['games']:,}",
            f"{seat['wins']:,}",
            f"{seat['draws']:,}",
            percent(seat["wins"] / seat["games"]),
            bounds(seat["ci95"]),
        )
        for label, agent in zip(labels, summary["agents"], strict=True)
        for seat in agent["by_seat"]
        if seat["games"]
    ]
    return Table("Results by agent and seat", ("agent", "seat", "games", "won", "drawn", "win rate", "95 %"), rows)


def _win_figures(summary: Mapping[str, Any], labels: Sequence[str]) -> list[Figure]:
    by_agent, by_seat = [], []
    for label, agent in zip(labels, summary["agents"], strict=True):
        if agent["win_rate"] is not None:
            by_agent.append(Interval(label, agent["win_rate"], *agent["ci95"]))
        for seat in agent["by_seat"]:
            if seat["games"]:
                name = f"{label}, seat {seat['seat'] + 1}"
                by_seat.append(Interval(name, seat["wins"] / seat["games"], *seat["ci95"]))
    return [_intervals("wins", "Win rate of each agent", by_agent, len(labels)),
            _intervals("wins-by-seat", "Win rate of each agent in each seat", by_seat, len(labels))]  # fmt: skip


def _intervals(name: str, title: str, rows: Sequence[Interval], players: int) -> Figure:
    said = "; ".join(f"{r.label}: {100 * r.value:.1f} % ({100 * r.low:.1f} to {100 * r.high:.1f})" for r in rows)
    return interval_chart(
        name,
        title,
        rows,
        x_label="share of the games won",
        reference=1 / players,
        caption="Points with 95 % Wilson intervals; at the dashed line all agents win equally often.",
        alt=f"{title}, with 95 % intervals. {said}.",
    )


# --- lengths and times ---------------------------------------------------------------------------------------------


def _length_figure(tally: Tally) -> Figure:
    counts = {float(length): count for length, count in tally.lengths.items()}
    x, y = distribution(counts)
    return line_chart(
        "lengths",
        "Length of the games",
        [Series("all games", x, y)],
        x_label="actions and chance outcomes",
        y_label="share of the games (%)",
        alt=f"Distribution of the length of the games. {_range(counts)}",
    )


def _length_table(tally: Tally) -> Table:
    lengths = np.array(list(tally.lengths.elements()))
    stats = describe({float(length): count for length, count in tally.lengths.items()})
    row = (
        f"{tally.games:,}",
        number(stats["mean"], ",.1f"),
        number(stats["sd"], ",.1f"),
        *(f"{np.percentile(lengths, share):,.0f}" for share in (0, 50, 100)),
        *(f"{tally.endings[status]:,}" for status in STATUSES),
    )
    header = ("games", "mean", "sd", "least", "median", "greatest", "by the rules", "by forfeit", "at the limit")
    return Table("Actions and chance outcomes of a game, and how games ended", header, [row])


def _time_figures(tally: Tally, labels: Sequence[str]) -> list[Figure]:
    shares = list(range(1, 100))
    series = []
    for place, (label, agent) in enumerate(zip(labels, tally.agents, strict=True)):
        times = np.frombuffer(agent.decision_ms, np.float32) if agent.decision_ms else np.zeros(0, np.float32)
        if times.size and times.min() > 0:
            values = [float(value) for value in np.percentile(times, shares)]
            series.append(Series(label, shares, values, style=place % len(STYLES), marked=False))
    if not series:
        return []
    said = "; ".join(f"{one.label}: median {one.y[49]:.3g} ms, 95 % within {one.y[94]:.3g} ms" for one in series)
    return [
        line_chart(
            "times",
            "Time of a decision",
            series,
            x_label="share of the decisions that took no longer (%)",
            y_label="wall-clock time (ms)",
            log=True,
            alt=f"Percentiles of the time of a decision, on a logarithmic axis. {said}.",
        )
    ]


def _time_table(tally: Tally, labels: Sequence[str]) -> Table:
    rows = []
    for label, agent in zip(labels, tally.agents, strict=True):
        if not agent.decision_ms:
            continue
        times = np.frombuffer(agent.decision_ms, np.float32)
        nodes = agent.nodes / agent.decisions_with_nodes if agent.decisions_with_nodes else None
        rows.append(
            (
                label,
                f"{times.size:,}",
                f"{times.mean(dtype=np.float64):,.3f}",
                *(f"{np.percentile(times, share):,.3f}" for share in (50, 95, 100)),
                number(nodes, ",.0f"),
            )
        )
    header = ("agent", "decisions", "mean ms", "median ms", "95 % within ms", "greatest ms", "mean nodes")
    return Table("Wall-clock time of a decision", header, rows)


# --- facts ---------------------------------------------------------------------------------------------------------


def _facts_section(summary: Mapping[str, Any], labels: Sequence[str], meanings: Mapping[str, str]) -> Section:
    named = list(zip(labels, summary["agents"], strict=True))
    agents = [(label, agent["facts"]) for label, agent in named if "facts" in agent]
    seats = [
        (f"{label}, seat {seat['seat'] + 1}", seat["facts"])
        for label, agent in named
        for seat in agent["by_seat"]
        if seat.get("facts")
    ]
    names = list(meanings)
    return Section(
        "Facts of the game",
        ["Of the last position of each game: " + "; ".join(f"`{name}`: {meanings[name]}" for name in names) + "."],
        figures=[_fact_figure(name, meanings[name], agents) for name in names],
        tables=[
            facts_table("Mean and standard deviation, all games", agents, names),
            facts_table("Mean and standard deviation, games won", [(a, _won(f)) for a, f in agents], names),
            facts_table("Mean and standard deviation by seat, all games", seats, names),
            facts_table("Mean and standard deviation by seat, games won", [(a, _won(f)) for a, f in seats], names),
            *(_histogram_table(name, agents) for name in names if _few_values(name, agents)),
        ],
    )


def _won(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact["won"] for name, fact in facts.items()}


def facts_table(title: str, rows: Sequence[tuple[str, Mapping[str, Any]]], names: Sequence[str]) -> Table:
    """Return a table with a row per agent, or per agent and seat, and the mean and deviation of each fact."""
    cells = [(label, *(mean_and_sd(facts[name]) for name in names)) for label, facts in rows]
    return Table(title, ("agent", *names), cells, note="Standard deviation of the sample after ±.")


def _few_values(name: str, agents: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
    histograms = [facts[name]["histogram"] for _, facts in agents]
    return None not in histograms and len({value for one in histograms for value in one}) <= BINS


def _histogram_table(name: str, agents: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    values = sorted({int(value) for _, facts in agents for value in facts[name]["histogram"]})
    rows = [(label, *(f"{facts[name]['histogram'].get(str(v), 0):,}" for v in values)) for label, facts in agents]
    return Table(f"Games with each value of {name}", ("agent", *map(str, values)), rows, folded=True)


def _fact_figure(name: str, meaning: str, agents: Sequence[tuple[str, Mapping[str, Any]]]) -> Figure:
    series, bars = [], []
    for place, (label, facts) in enumerate(agents):
        fact = facts[name]
        low, high = (fact["mean"], fact["mean"]) if fact["sd"] is None else _reach(fact)
        bars.append(f"{label}: mean {fact['mean']:.2f}, 95 % interval {low:.2f} to {high:.2f}")
        if fact["histogram"] is not None:
            x, y = distribution({float(value): count for value, count in fact["histogram"].items()})
            series.append(Series(label, x, y, style=place % len(STYLES)))
    if not series:  # no integers: the means, agent by agent
        places = list(range(1, len(agents) + 1))
        series.append(Series("mean", places, [facts[name]["mean"] for _, facts in agents]))
    return line_chart(
        f"fact-{name}",
        f"{name}: {meaning}",
        series,
        x_label=name if series[0].label != "mean" else "agent",
        y_label="share of the games (%)" if series[0].label != "mean" else f"mean {name}",
        caption="; ".join(bars) + ".",
        alt=f"Distribution of {name}. {'; '.join(bars)}.",
    )


def _reach(fact: Mapping[str, Any]) -> tuple[float, float]:
    reach = student_t95(fact["games"] - 1) * fact["sd"] / math.sqrt(fact["games"])
    return fact["mean"] - reach, fact["mean"] + reach


def distribution(counts: Mapping[float, int]) -> tuple[list[float], list[float]]:
    """Return values and the percentage of games that have each; of many integers, the middles of `BINS` equal bins."""
    low, high, total = math.floor(min(counts)), math.ceil(max(counts)), sum(counts.values())
    width = max(1, math.ceil((high - low + 1) / BINS))
    bins = [0] * ((high - low) // width + 1)
    for value, count in counts.items():
        bins[int((value - low) // width)] += count
    middles = [low + place * width + (width - 1) / 2 for place in range(len(bins))]
    return middles, [100 * count / total for count in bins]


def _range(counts: Mapping[float, int]) -> str:
    stats = describe(counts)
    return f"From {min(counts):,.0f} to {max(counts):,.0f}, mean {stats['mean']:,.1f}."
