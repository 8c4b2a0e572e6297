"""The page of the repeated Connect Four report: verdicts, matches, curves, and every measurement as a table."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from oponente.arena.provenance import study_made
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.charts import Interval, Series, interval_chart, line_chart
from oponente.arena.studies.connect4_report import (
    LABELS,
    MCTS2,
    MCTS5,
    REPEAT_BELOW_MS,
    REPEATS,
    Decision,
    MeasuredGame,
)
from oponente.arena.studies.connect4_verdicts import time_slope
from oponente.arena.studies.document import Figure, Page, Section, Table, Verdict

SHOWN_GAMES = 2
"""Games whose curves are shown one by one, as many as the report shows of each search."""
_MOVE = "move of the game (both players counted)"
_CPU = "processor time of a decision (ms)"
_NODES = "expanded nodes of a decision"


def make_page(data: Mapping[str, Any]) -> Page:
    """Return the page for what :func:`~oponente.arena.studies.study.run_study` returned."""
    games = [MeasuredGame.from_json(game) for game in data["games"]]
    return Page(
        title=f"{data['title']}: a repeated study",
        lead=f"The findings of {data['source']}, measured again with the agents of oponente {data['version']}. Each"
        " finding is judged by the criterion that stands below it. This command repeats the measurement:",
        command=data["command"],
        facts=study_made(data),
        sections=[
            Section("Findings", verdicts=[Verdict(**verdict) for verdict in data["verdicts"]]),
            Section("What was measured", _method(data), tables=[_searches_table(data["searches"])]),
            Section(
                "Matches",
                figures=[_match_figure(data["matches"])],
                tables=[_match_table(data["matches"])],
            ),
            Section("All measured games together", figures=_common_figures(games), tables=[_means_table(games)]),
            Section(
                "Game by game",
                paragraphs=[
                    f"The first {min(SHOWN_GAMES, len(games))} of the measured games as figures, all of them as tables."
                ],
                figures=[figure for game in games[:SHOWN_GAMES] for figure in _game_figures(game)],
                tables=[_game_table(game) for game in games],
            ),
        ],
        data=dict(data),
    )


# --- texts ---------------------------------------------------------------------------------------------------------


def _method(data: Mapping[str, Any]) -> list[str]:
    sizes = data["sizes"]
    board = ", ".join(f"{key} = {value}" for key, value in data["options"].items()) or "7 columns, 6 rows, 4 to connect"
    return [
        f"Board: {board}. {sizes['games']} measured games: two of the searches play, in changing pairings, and at every"
        " position all four are asked, so that all are measured on the same positions. The first six games start from"
        " the empty board, later ones after one to four random moves.",
        "Expanded nodes are the positions in a search's tree whose legal moves it listed. Positions at the depth limit"
        " and finished games are valued and not expanded. For MCTS they are the tree's nodes that have children (here a"
        " leaf gets them at its second visit); positions that only random play-outs pass are not counted. MCTS runs a"
        " fixed number of simulations, one play-out each.",
        "Processor time is that of the thread that decides (`time.thread_time`), after compilation and a warm-up; wall"
        f" time is in the data. A decision of less than {REPEAT_BELOW_MS:g} ms is measured {REPEATS} times and the"
        " median counts. Times of different machines or implementations can't be compared, their order may.",
        "As in the report, minimax and alpha-beta play the centre as the game's first move without a search, then look"
        " 3, 3, 6 and from then on 8 plies ahead; the first player's rule move replaces one of the 3. Decisions by that"
        " rule are shown as 0 nodes and left out of all comparisons.",
    ]


# --- tables --------------------------------------------------------------------------------------------------------


def _searches_table(searches: Mapping[str, str]) -> Table:
    return Table("The searches", ("search", "agent"), [(LABELS[name], f"`{spec}`") for name, spec in searches.items()])


def _match_table(matches: Sequence[Mapping[str, Any]]) -> Table:
    rows = []
    for match in matches:
        a = match["agents"][0]
        decided = a["wins"] + a["losses"]
        low, high = wilson_interval(a["wins"], decided)
        first, second = a["by_seat"]
        rows.append(
            (
                LABELS[match["searches"][0]],
                LABELS[match["searches"][1]],
                f"{match['games']:,}",
                f"{a['wins']:,}",
                f"{a['draws']:,}",
                f"{a['losses']:,}",
                f"{100 * a['wins'] / decided:.1f} %" if decided else "",
                f"{100 * low:.1f} to {100 * high:.1f} %",
                f"{first['wins']:,} of {first['games']:,}",
                f"{second['wins']:,} of {second['games']:,}",
            )
        )
    header = (
        "A", "B", "games", "A won", "drawn", "B won", "A's share", "95 %", "A won as first", "A won as second",
    )  # fmt: skip
    return Table(
        "Matches",
        header,
        rows,
        note="A's share: of the games that one of them won, with the Wilson interval. Seats change from game to game.",
    )


def _means_table(games: Sequence[MeasuredGame]) -> Table:
    positions = [position for game in games for position in game.searched]
    rows = []
    for name, label in LABELS.items():
        decisions = [position.of(name) for position in positions]
        if decisions:
            cpu = [decision.cpu_ms for decision in decisions]
            rows.append(
                (
                    label,
                    f"{len(decisions):,}",
                    f"{statistics.fmean(cpu):,.3f}",
                    f"{statistics.median(cpu):,.3f}",
                    f"{max(cpu):,.3f}",
                    f"{statistics.fmean(d.wall_ms for d in decisions):,.3f}",
                    f"{statistics.fmean(d.expanded for d in decisions):,.0f}",
                    f"{statistics.median(d.expanded for d in decisions):,.0f}",
                )
            )
    header = (
        "search", "decisions", "mean CPU ms", "median CPU ms", "greatest CPU ms", "mean wall ms", "mean nodes",
        "median nodes",
    )  # fmt: skip
    return Table("A decision on average, over all positions where all searches search", header, rows)


def _game_table(game: MeasuredGame) -> Table:
    header = ["move", "player", "played"]
    header += [f"{label}: {what}" for what in ("column", "CPU ms", "nodes") for label in LABELS.values()]
    rows = []
    for position in game.positions:
        decisions = [position.of(name) for name in LABELS]
        row = [str(position.ply + 1), "XO"[position.ply % 2], str(position.played + 1)]
        row += [str(d.action + 1) for d in decisions]
        row += [f"{d.cpu_ms:,.2f}" for d in decisions]
        row += [f"{d.expanded:,}" for d in decisions]
        rows.append(row)
    result = "drawn" if game.winner is None else f"{'XO'[game.winner]} wins"
    opening = " ".join(str(action + 1) for action in game.opening)
    return Table(
        f"{_game_title(game)}; {result}",
        header,
        rows,
        note=(f"Random opening: {opening}. " if opening else "") + "Columns are counted from 1 on the left.",
        folded=True,
    )


def _game_title(game: MeasuredGame) -> str:
    return f"Game {game.index + 1}: {LABELS[game.players[0]]} (X) v {LABELS[game.players[1]]} (O)"


# --- figures -------------------------------------------------------------------------------------------------------


def _match_figure(matches: Sequence[Mapping[str, Any]]) -> Figure:
    rows = []
    for match in matches:
        a = match["agents"][0]
        decided = a["wins"] + a["losses"]
        low, high = wilson_interval(a["wins"], decided)
        label = f"{LABELS[match['searches'][0]]}  v  {LABELS[match['searches'][1]]}"
        rows.append(Interval(label, a["wins"] / decided if decided else 0.5, low, high))
    said = "; ".join(
        f"{row.label}: {100 * row.value:.0f} % ({100 * row.low:.0f} to {100 * row.high:.0f})" for row in rows
    )
    return interval_chart(
        "matches",
        "Who wins the matches",
        rows,
        x_label="share of the first-named in decided games",
        reference=0.5,
        caption="Points with 95 % Wilson intervals; at the dashed line both win equally often.",
        alt=f"Shares of the first-named in decided games with 95 % intervals. {said}.",
    )


def _common_figures(games: Sequence[MeasuredGame]) -> list[Figure]:
    return [
        line_chart(
            "time-by-move",
            "Time of a decision, all games",
            _bands(games, "cpu_ms"),
            x_label=_MOVE,
            y_label=_CPU,
            log=True,
            caption="Median over the measured games; the bands hold the middle 80 % of them.",
            alt=_alt("Median processor time by move", games, "cpu_ms", "ms"),
        ),
        line_chart(
            "nodes-by-move",
            "Expanded nodes of a decision, all games",
            _bands(games, "expanded"),
            x_label=_MOVE,
            y_label=_NODES,
            log=True,
            caption="Median over the measured games; the bands hold the middle 80 % of them.",
            alt=_alt("Median expanded nodes by move", games, "expanded", "nodes"),
        ),
        _mcts_figure(games),
    ]


def _mcts_figure(games: Sequence[MeasuredGame]) -> Figure:
    slopes = {name: time_slope(games, name) for name in (MCTS2, MCTS5)}
    said = ", ".join(f"{LABELS[name]} {e.value * 1e3:+.0f} µs a move" for name, e in slopes.items() if e.count)
    return line_chart(
        "mcts-time",
        "Time of MCTS as the game goes on",
        [series for series in _bands(games, "cpu_ms") if series.label in (LABELS[MCTS2], LABELS[MCTS5])],
        x_label=_MOVE,
        y_label=_CPU,
        caption=f"Median over the measured games, with the middle 80 %. Mean slope: {said or 'none'}.",
        alt=f"Median processor time of both MCTS by move, on a linear axis. Mean slope: {said or 'none'}.",
    )


def _bands(games: Sequence[MeasuredGame], what: str) -> list[Series]:
    """Return a line of medians and a band of deciles for each search."""
    by_ply: dict[int, list[Any]] = {}
    for game in games:
        for position in game.searched:
            by_ply.setdefault(position.ply, []).append(position)
    plies = sorted(by_ply)
    result = []
    for style, (name, label) in enumerate(LABELS.items()):
        columns = [sorted(getattr(p.of(name), what) for p in by_ply[ply]) for ply in plies]
        result.append(
            Series(
                label,
                [ply + 1 for ply in plies],
                [statistics.median(column) for column in columns],
                [_quantile(column, 0.1) for column in columns],
                [_quantile(column, 0.9) for column in columns],
                style,
            )
        )
    return result


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile by linear interpolation."""
    place = share * (len(ordered) - 1)
    index = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
    following = ordered[min(index + 1, len(ordered) - 1)]
    return ordered[index] + (place - index) * (following - ordered[index])


def _game_figures(game: MeasuredGame) -> list[Figure]:
    title, number = _game_title(game), game.index + 1
    figures = []
    for name, what, label in (("time", "cpu_ms", _CPU), ("nodes", "expanded", _NODES)):
        figures.append(
            line_chart(
                f"game-{number}-{name}",
                f"{title}: {'time' if name == 'time' else 'expanded nodes'}",
                [
                    Series(
                        LABELS[search],
                        [p.ply + 1 for p in game.searched],
                        [_value(p.of(search), what) for p in game.searched],
                        style=style,
                    )
                    for style, search in enumerate(LABELS)
                ],
                x_label=_MOVE,
                y_label=label,
                log=True,
                alt=_alt(f"{title}, {label}", [game], what, "ms" if what == "cpu_ms" else "nodes"),
            )
        )
    return figures


def _value(decision: Decision, what: str) -> float:
    return float(getattr(decision, what))


def _alt(what: str, games: Sequence[MeasuredGame], field: str, unit: str) -> str:
    """Return in words what a figure of all searches shows."""
    positions = [position for game in games for position in game.searched]
    if not positions:
        return f"{what}: no position was searched."
    parts = [
        f"{label} from {min(values):,.3g} to {max(values):,.3g}, median {statistics.median(values):,.3g} {unit}"
        for name, label in LABELS.items()
        for values in [[_value(position.of(name), field) for position in positions]]
    ]
    return f"{what}, on a logarithmic axis: {'; '.join(parts)}."
