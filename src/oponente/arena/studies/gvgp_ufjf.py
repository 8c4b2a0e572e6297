"""The experiments of Santos (UFJF, 2017) in general video game playing, repeated.

Four controllers play 20 games for one player on 5 levels each: plain Monte Carlo tree search, that with less likely
redundant actions in playouts (MR), with loss avoidance (ND), and with both. Three play 10 games for two against each
other.

The thesis gave each decision 40 ms. Here a decision has as many simulations as the thesis's program had in that time
(table 6.3), so that the results depend on no machine.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from oponente import __version__
from oponente.arena import MatchError, MatchSpec
from oponente.arena.elo import Z95
from oponente.arena.play import Table as Board
from oponente.arena.processes import process_pool
from oponente.arena.ratings import formula1_points, glicko2
from oponente.arena.record import FORFEIT
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED, Page, Verdict
from oponente.arena.studies.estimates import Sample, difference_interval
from oponente.arena.studies.gvgp_ufjf_tables import (
    CONTROLLERS,
    GAMES,
    LABELS,
    REDUNDANT,
    RESULTS,
    RESULTS_2P,
    SIMULATIONS,
    TWO_PLAYERS,
)
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.means import FEWEST, Cell
from oponente.arena.studies.study import Progress, Settings, Study
from oponente.games.catalogue import GameSpec
from oponente.games.vgdl.loading import texts
from oponente.games.vgdl.rules import Options
from oponente.kernel import derive_seed

LEVELS = 5
FOLDERS = {"single": RESULTS, "two-player": RESULTS_2P}
"""The games by the folders that they are looked for in; see :func:`oponente.games.vgdl.loading.find`."""
SIMULATIONS_2P = 50
"""Of the games for two the thesis gives no number."""
PAIRS: tuple[tuple[str, ...], ...] = tuple(combinations(TWO_PLAYERS, 2))
CLEAR_ND = ("waitforbreakfast",)
"""Where the thesis's table shows that loss avoidance helps beyond chance."""
EASIER = "chopper"
"""Much easier in the framework of 2021, which ours follows, than in the thesis's of 2017."""


@dataclass(frozen=True)
class Sizes:
    """How much is played."""

    runs: int
    """Games of each controller on each level of a game for one player."""
    pairs: int
    """Pairs of games, with seats exchanged, of each pairing on each level of a game for two."""


SCALES: dict[str, Sizes] = {"quick": Sizes(1, 1), "standard": Sizes(20, 10), "full": Sizes(200, 100)}
"""The thesis played 20 games a level."""


@dataclass(frozen=True)
class Task:
    """Games of the same agents on one level, as plain values."""

    game: str
    level: int
    agents: tuple[str, ...]
    """Names of the controllers."""
    games: int
    seed: int

    @property
    def key(self) -> list[Any]:
        """By which its result is kept."""
        return [self.game, self.level, list(self.agents), self.games]

    def spec(self) -> MatchSpec:
        """Return the match."""
        two = len(self.agents) == 2
        simulations = SIMULATIONS_2P if two else None
        texts = []
        for name in self.agents:
            count = simulations or round(SIMULATIONS[self.game][CONTROLLERS.index(name)])
            texts.append(name if name == "random" else f"{name}:iterations={count},count_redundant=true")
        folder = "two-player" if two else "single"
        options = (("game", f"{folder}/{self.game}"), ("level", str(self.level)))
        return MatchSpec(GameSpec("vgdl", options), tuple(texts), self.games, self.seed)


Sums = dict[str, float]
"""Sums over the games of one controller: ``games``, ``wins``, ``score``, ``squares`` (of the score), ``ticks``,
``decisions``, ``simulations`` and ``redundant`` (actions in playouts)."""


def play(task: Task) -> list[Sums]:
    """Play the games of a task; return the sums of each of its agents, in their order.

    With two agents each has ``better``, too: how many games it has won and the other has not.
    """
    board = Board(task.spec())
    try:
        board.prepare()
        return added([play_one(board, index) for index in range(task.games)])
    finally:
        board.close()


def play_one(board: Board, index: int) -> list[Sums]:
    """Play a game; return the sums of each agent of the match.

    Raises:
        MatchError: an agent has failed.
    """
    record = board.play(index)
    if record.status == FORFEIT:
        raise MatchError(f"{dict(board.spec.game.options)['game']}, game {index}: {record.reason}")
    found: list[Sums] = [{} for _ in record.seats]
    for number, seat in enumerate(record.seats):
        facts, won = seat.facts or {}, [utility > 0 for utility in record.returns]
        found[seat.agent] = {
            "games": 1,
            "wins": won[number],
            "better": won[number] and sum(won) == 1,
            "score": facts["score"],
            "squares": facts["score"] ** 2,
            "ticks": facts["ticks"],
            "decisions": seat.decisions,
            "simulations": seat.nodes or 0,
            "redundant": getattr(board.agents[seat.agent], "redundant", 0),
        }
    return found


def added(results: Sequence[Sequence[Sums]]) -> list[Sums]:
    """Return the sums of several games or tasks of the same agents."""
    return [{key: math.fsum(part[key] for part in parts) for key in parts[0]} for parts in zip(*results, strict=True)]


class GvgpUfjf(Study):
    """The study; see the module."""

    def missing(self) -> str | None:
        """Return what is missing of the framework's games and how they are had, if they are not all there."""
        wanted = ((folder, game) for folder, games in FOLDERS.items() for game in games)
        try:
            for folder, game in wanted:
                for level in range(LEVELS):
                    texts(Options(game=f"{folder}/{game}", level=level))
        except ValueError as error:
            return str(error)
        return None

    name = "gvgp-ufjf"
    of_matches = False
    title = "Monte Carlo tree search in general video game playing"
    source = "Santos: thesis, Universidade Federal de Juiz de Fora (UFJF), 2017"

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            name: f"{s.runs} games a controller and level, {2 * s.pairs} a pairing and level of the games for two"
            for name, s in SCALES.items()
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal."""
        return {
            "study": self.name,
            "version": __version__,
            "seed": settings.seed,
            "sizes": dataclasses.asdict(self.sizes(settings)),
        }

    def sizes(self, settings: Settings) -> Sizes:
        """Return how much is played: `games` a level for one player, `match_games` pairs a level for two."""
        sizes = SCALES[settings.scale]
        if settings.games is not None:
            sizes = dataclasses.replace(sizes, runs=settings.games)
        if settings.match_games is not None:
            sizes = dataclasses.replace(sizes, pairs=settings.match_games)
        return sizes

    def tasks(self, settings: Settings) -> list[Task]:
        """Return all that is to be played."""
        sizes = self.sizes(settings)
        found = [
            Task(game, level, (name,), sizes.runs, derive_seed(settings.seed, game, level) >> 1)
            for game in RESULTS
            for level in range(LEVELS)
            for name in CONTROLLERS
        ]
        found += [
            Task(game, level, pair, 2 * sizes.pairs, derive_seed(settings.seed, game, level, *pair) >> 1)
            for game in RESULTS_2P
            for level in range(LEVELS)
            for pair in PAIRS
        ]
        return found

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play all games, then judge."""
        keep.touch()
        tasks = self.tasks(settings)
        done: dict[Key, list[Sums]] = {_hashable(item["key"]): item["sums"] for item in keep.items}
        left = [task for task in tasks if _hashable(task.key) not in done]

        def finished(task: Task, sums: list[Sums]) -> None:
            keep.add({"key": task.key, "sums": sums})
            done[_hashable(task.key)] = sums
            progress("levels", len(done), len(tasks))

        # A cluster plays matches; these are levels, and stay here.
        _play_all(left, settings.workers if isinstance(settings.workers, int) else 1, finished)

        def levels(game: str, *agents: str) -> list[Sums]:
            return added([done[_hashable(t.key)] for t in tasks if t.game == game and t.agents == agents])

        pairs = {game: {pair: levels(game, *pair) for pair in PAIRS} for game in RESULTS_2P}
        data_1p = {game: {name: cell(levels(game, name)[0]) for name in CONTROLLERS} for game in RESULTS}
        data_2p = {game: round_robin(row) for game, row in pairs.items()}
        ranking = rank(data_2p, pairs)
        return {
            "sizes": dataclasses.asdict(self.sizes(settings)),
            "one_player": data_1p,
            "two_players": data_2p,
            "ranking": ranking,
            "verdicts": [dataclasses.asdict(verdict) for verdict in judge(data_1p, data_2p, ranking)],
        }

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows the data."""
        from oponente.arena.studies.gvgp_ufjf_page import make_page

        return make_page(data)


def _play_all(tasks: Sequence[Task], workers: int, finished: Callable[[Task, list[Sums]], None]) -> None:
    """Play tasks, with several workers in processes of their own; tell of each as it is finished."""
    if workers == 1:
        for task in tasks:
            finished(task, play(task))
        return
    with process_pool(workers) as pool:
        futures = {pool.submit(play, task): task for task in tasks}
        for future in as_completed(futures):
            finished(futures[future], future.result())


Key = tuple[str, int, tuple[str, ...], int]


def _hashable(key: Sequence[Any]) -> Key:
    game, level, agents, games = key
    return game, level, tuple(agents), games


# --- summaries -------------------------------------------------------------------------------------------------------


def cell(sums: Sums) -> dict[str, Any]:
    """Return what the tables show of the games of one controller in one game."""
    games = sums["games"]
    mean = sums["score"] / games
    variance = (sums["squares"] - games * mean * mean) / (games - 1) if games > 1 else None
    return {
        "games": int(games),
        "wins": int(sums["wins"]),
        "score": mean,
        "score_sd": None if variance is None else math.sqrt(max(variance, 0.0)),
        "ticks": sums["ticks"] / games,
        "simulations": sums["simulations"] / max(1.0, sums["decisions"]),
        "redundant": sums["redundant"] / max(1.0, sums["simulations"]),
    }


def round_robin(pairs: Mapping[tuple[str, ...], Sequence[Sums]]) -> dict[str, Any]:
    """Return the same of each controller in the round robin of a game for two."""
    found: dict[str, list[Sequence[Sums]]] = {name: [] for name in TWO_PLAYERS}
    for agents, sums in pairs.items():
        for name, own in zip(agents, sums, strict=True):
            found[name].append([own])
    return {name: cell(added(parts)[0]) for name, parts in found.items()}


def rank(
    cells: Mapping[str, Mapping[str, Any]], pairs: Mapping[str, Mapping[tuple[str, ...], Sequence[Sums]]]
) -> dict[str, Any]:
    """Return Formula-1 points by game and their sums, and ratings of all games together by Glicko-2.

    In each game those rank first who win more often, then who have more points, then who take less time.
    """
    points = {
        game: formula1_points({name: (c["wins"] / c["games"], c["score"], -c["ticks"]) for name, c in row.items()})
        for game, row in cells.items()
    }
    results: list[tuple[str, str, float]] = []
    for row in pairs.values():
        for (first, second), (one, other) in row.items():
            won, lost = int(one["better"]), int(other["better"])
            equal = int(one["games"]) - won - lost
            results += [(first, second, 1.0)] * won + [(first, second, 0.5)] * equal + [(first, second, 0.0)] * lost
    ratings = glicko2(TWO_PLAYERS, results)
    return {
        "points": points,
        "sums": {name: sum(row[name] for row in points.values()) for name in TWO_PLAYERS},
        "ratings": {name: dataclasses.asdict(rating) for name, rating in ratings.items()},
    }


# --- verdicts --------------------------------------------------------------------------------------------------------


def judge(
    cells: Mapping[str, Mapping[str, Any]], pairs: Mapping[str, Mapping[str, Any]], ranking: Mapping[str, Any]
) -> list[Verdict]:
    """Return what became of the thesis's findings.

    Args:
        cells: of the games for one player, by game and controller.
        pairs: of those for two, likewise.
        ranking: of the games for two.
    """
    return [
        _agreement("win-rates", "The win rates of table 6.2", _rate_cells(cells, RESULTS, CONTROLLERS), "Newcombe's"),
        _agreement("scores", "The mean scores of table 6.2", _score_cells(cells, RESULTS, CONTROLLERS), "Welch's"),
        *(_mean(cells, name) for name in CONTROLLERS),
        _redundant(cells),
        _avoids(cells),
        _two(ranking),
        _agreement(
            "win-rates-of-two", "The win rates of table 6.5", _rate_cells(pairs, RESULTS_2P, TWO_PLAYERS), "Newcombe's"
        ),
        _agreement(
            "scores-of-two", "The mean scores of table 6.5", _score_cells(pairs, RESULTS_2P, TWO_PLAYERS), "Welch's"
        ),
    ]


def _rate_cells(
    cells: Mapping[str, Mapping[str, Any]], published: Mapping[str, Any], names: Sequence[str]
) -> list[Cell]:
    """Return the win rates of controllers in games beside the thesis's, a row of each game being theirs by name."""
    return [
        Cell(
            f"{game} {LABELS[name]}",
            Sample(cells[game][name]["wins"] / cells[game][name]["games"], 0.0, cells[game][name]["games"]),
            Sample(rate / 100, 0.0, GAMES),
            share=True,
        )
        for game, row in published.items()
        for name, (rate, _, _) in zip(names, row, strict=True)
    ]


def _score_cells(
    cells: Mapping[str, Mapping[str, Any]], published: Mapping[str, Any], names: Sequence[str]
) -> list[Cell]:
    """Return the mean scores likewise."""
    return [
        Cell(f"{game} {LABELS[name]}", score_sample(cells[game][name]), Sample(mean, sd, GAMES))
        for game, row in published.items()
        for name, (_, mean, sd) in zip(names, row, strict=True)
    ]


def score_sample(cell: Mapping[str, Any]) -> Sample:
    """Return what is known of the scores of a controller in a game."""
    return Sample(cell["score"], cell["score_sd"] or 0.0, cell["games"])


def _agreement(key: str, claim: str, cells: Sequence[Cell], interval: str) -> Verdict:
    """Judge a table of the thesis by how many of its cells agree."""
    far = [f"{c.label} {c.shown()[0]} (thesis {c.shown()[2]})" for c in cells if not c.agrees]
    share = len(far) / len(cells)
    few = min(c.ours.count for c in cells) < FEWEST
    return Verdict(
        key=key,
        claim=claim,
        finding=DIFFERS if share > 0.5 else UNDECIDED if few or share > 0.1 else REPRODUCED,
        criterion=f"A cell agrees if 0 lies in the 95 % interval ({interval}) of ours less the thesis's. Reproduced"
        f" if at most a tenth of the {len(cells)} cells do not agree, each of {FEWEST} games at least; differs if more"
        " than half do not",
        evidence=f"{len(cells) - len(far)} of {len(cells)} cells agree"
        + (f"; others: {'; '.join(far)}." if far else "."),
        remark=f"The thesis's framework is of 2017, ours follows that of 2021, where {EASIER}, for one, is much"
        " easier.",
        numbers={"far": far, "cells": len(cells)},
    )


def _mean(cells: Mapping[str, Mapping[str, Any]], name: str) -> Verdict:
    ours, theirs, low, high = _mean_rates(cells, name, list(RESULTS))
    _, _, other_low, other_high = _mean_rates(cells, name, [game for game in RESULTS if game != EASIER])
    return Verdict(
        key=f"mean-{name}",
        claim=f"{LABELS[name]} wins {100 * theirs:.1f} % of the games, in the mean over the 20",
        finding=DIFFERS if low > 0.0 or high < 0.0 else REPRODUCED if high - low <= 0.1 else UNDECIDED,
        criterion="The 95 % interval of our mean less the thesis's: differs if 0 lies outside; else reproduced if it is"
        " no wider than 10 points, undecided if it is",
        evidence=f"Ours {100 * ours:.1f} %; difference {100 * low:+.1f} to {100 * high:+.1f} points.",
        remark=f"Without {EASIER}, which is much easier in the framework of 2021 than in the thesis's of 2017, the"
        f" difference is {100 * other_low:+.1f} to {100 * other_high:+.1f} points.",
        numbers={"ours": ours, "theirs": theirs, "ci95": [low, high], "ci95_without": [other_low, other_high]},
    )


def _mean_rates(
    cells: Mapping[str, Mapping[str, Any]], name: str, games: Sequence[str]
) -> tuple[float, float, float, float]:
    """Return our mean win rate in games, the thesis's, and the 95 % interval of the difference."""
    column = CONTROLLERS.index(name)
    results = [
        ((cells[game][name]["wins"], cells[game][name]["games"]), (RESULTS[game][column][0], GAMES)) for game in games
    ]
    ours, theirs = (statistics.fmean(pair[side][0] / pair[side][1] for pair in results) for side in (0, 1))
    # With Laplace's estimate, so that a cell of one result is not taken for certain.
    shares = [((wins + 1) / (count + 2), count) for pair in results for wins, count in pair]
    reach = Z95 * math.sqrt(math.fsum(p * (1 - p) / count for p, count in shares)) / len(games)
    return ours, theirs, ours - theirs - reach, ours - theirs + reach


def _redundant(cells: Mapping[str, Mapping[str, Any]]) -> Verdict:
    games = [game for game, row in REDUNDANT.items() if row is not None and cells[game]["mcts"]["redundant"] > 0.0]
    fewer = [game for game in games if cells[game]["mr"]["redundant"] < cells[game]["mcts"]["redundant"]]
    means = [statistics.fmean(cells[game][name]["redundant"] for game in games) for name in ("mcts", "mr") if games]
    share = len(fewer) / max(1, len(games))
    found = "MCTS plays none in any game"
    if games:
        found = f"{len(fewer)} of {len(games)} games; in the mean {means[1]:.2f} in place of {means[0]:.2f}"
    return Verdict(
        key="redundant",
        claim="MR plays fewer redundant actions in a simulation than MCTS (table 6.4)",
        finding=UNDECIDED if not games else REPRODUCED if share >= 0.9 else DIFFERS if share < 0.5 else UNDECIDED,
        criterion="Reproduced if that is so in nine tenths of the games in which MCTS plays any, differs if in less"
        " than half",
        evidence=f"{found}.",
        numbers={"fewer": fewer, "games": games, "means": means},
    )


def _avoids(cells: Mapping[str, Mapping[str, Any]]) -> Verdict:
    game = CLEAR_ND[0]
    plain, avoiding = ((cells[game][name]["wins"], cells[game][name]["games"]) for name in ("mcts", "nd"))
    low, high = difference_interval(*avoiding, *plain)
    return Verdict(
        key="loss-avoidance",
        claim="ND wins Wait for Breakfast far more often than MCTS (52 % and 9 %)",
        finding=REPRODUCED if low > 0.0 else DIFFERS if high < 0.0 else UNDECIDED,
        criterion="The 95 % interval (Newcombe's) of the difference: reproduced if it lies above 0, differs if below",
        evidence=f"{avoiding[0]} and {plain[0]} of {plain[1]}; difference {100 * low:+.0f} to {100 * high:+.0f}"
        " points.",
        numbers={"nd": list(avoiding), "mcts": list(plain)},
    )


def _two(ranking: Mapping[str, Any]) -> Verdict:
    ratings, sums = ranking["ratings"], ranking["sums"]
    low = {name: r["rating"] - Z95 * r["deviation"] for name, r in ratings.items()}
    high = {name: r["rating"] + Z95 * r["deviation"] for name, r in ratings.items()}
    above = all(low[name] > high["random"] for name in ("mcts", "mr+nd"))
    below = any(high[name] < low["random"] for name in ("mcts", "mr+nd"))
    said = "; ".join(f"{LABELS[n]} {ratings[n]['rating']:.0f} ({sums[n]:.0f} points)" for n in TWO_PLAYERS)
    return Verdict(
        key="two-players",
        claim="With two players MCTS and MR+ND are better than random (table 6.5)",
        finding=REPRODUCED if above else DIFFERS if below else UNDECIDED,
        criterion="Ratings by Glicko-2 in the round robin: reproduced if the 95 % intervals of both lie above that of"
        " random, differs if one lies below",
        evidence=f"Ratings, and Formula-1 points of 10 games: {said}.",
        numbers={"ratings": ratings, "sums": sums},
    )


STUDY = GvgpUfjf()
