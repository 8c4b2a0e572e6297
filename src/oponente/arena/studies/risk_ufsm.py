"""The experiments of Ferrari (UFSM, 2022) in Risk, repeated: four agents against each other, Monte Carlo in training.

All games are by the rules and with the dice of the thesis's program. Each pair of agents plays with either as first
player; Monte Carlo begins each game without a tree. In training it plays Cluster with a tree that it keeps, first as
first player, then, with a new tree, as second player, from random starts and from the thesis's fixed start.
"""

from __future__ import annotations

import dataclasses
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from oponente import __version__
from oponente.arena import MatchError, MatchSpec, Store
from oponente.arena.elo import finite
from oponente.arena.play import Table as Board
from oponente.arena.record import FORFEIT, GameRecord
from oponente.arena.studies.document import Page
from oponente.arena.studies.estimates import mean_estimate
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.risk_ufsm_tables import AGENTS, OURS, SEARCHER
from oponente.arena.studies.risk_ufsm_verdicts import judge
from oponente.arena.studies.study import Progress, Settings, Study, play_match
from oponente.games.catalogue import GameSpec
from oponente.games.risk.moves import AMOUNT, ATTACK, BONUS, DONE, LOSSES, MOVE_FROM, MOVE_TO, PLACE, TRADE
from oponente.kernel import derive_seed

OPTIONS: tuple[tuple[str, str], ...] = (("dice", "thesis"), ("rules", "thesis-2022"))
STARTS = {"random": (), "fixed": (("start", "thesis"),)}
BINS = 20
"""Points of a training curve."""


@dataclass(frozen=True)
class Sizes:
    """How much is played."""

    games: int
    """Games of each pairing."""
    searched: int
    """Games of each pairing in which the search plays."""
    random_training: int
    """Training games from random starts, in each seat."""
    fixed_training: int
    """Training games from the fixed start, in each seat."""


SCALES: dict[str, Sizes] = {
    "quick": Sizes(20, 4, 100, 100),
    "standard": Sizes(1000, 100, 2000, 4000),
    "full": Sizes(10000, 1000, 20000, 40000),
}
"""The thesis played 50 games a pairing, and trained in 1,000 and about 4,000 games a seat."""


class RiskUfsm(Study):
    """The study; see the module."""

    name = "risk-ufsm"
    title = "Agents for Risk, among them Monte Carlo tree search"
    source = "Ferrari: thesis, Universidade Federal de Santa Maria (UFSM), 2022"

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            name: f"{s.games} games a pairing, {s.searched} with strong, {s.random_training} and {s.fixed_training}"
            " training games a seat"
            for name, s in SCALES.items()
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal: a run with more games may go on with those of a smaller one."""
        return {"study": self.name, "version": __version__, "seed": settings.seed, "options": dict(OPTIONS)}

    def sizes(self, settings: Settings) -> Sizes:
        """Return how much is played: `match_games` a pairing (the search no more than usual), `games` in training."""
        sizes = SCALES[settings.scale]
        if settings.match_games is not None:
            few = min(sizes.searched, settings.match_games)
            sizes = dataclasses.replace(sizes, games=settings.match_games, searched=few)
        if settings.games is not None:
            sizes = dataclasses.replace(sizes, random_training=settings.games, fixed_training=settings.games)
        return sizes

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play the pairings and the training games, then judge."""
        sizes = self.sizes(settings)
        keep.touch()
        names = [f"thesis-{name}" for name in AGENTS] + [*OURS, SEARCHER]
        pairings = [self._pairing(pair, sizes, settings, keep, progress) for pair in product(names, names)]
        training = [
            self._training(start, seat, sizes, settings, keep, progress) for start, seat in product(STARTS, range(2))
        ]
        return {
            "sizes": dataclasses.asdict(sizes),
            "options": dict(OPTIONS),
            "pairings": pairings,
            "training": training,
            "verdicts": [dataclasses.asdict(verdict) for verdict in judge(pairings, training)],
        }

    def _pairing(
        self, pair: tuple[str, str], sizes: Sizes, settings: Settings, keep: Keep, progress: Progress
    ) -> dict[str, Any]:
        """Play a pairing, and return what the tables show of it."""
        games = sizes.searched if SEARCHER in pair else sizes.games
        spec = MatchSpec(
            GameSpec("risk", OPTIONS),
            pair,
            games,
            derive_seed(settings.seed, "pairing", *pair) >> 1,
            rotate=False,
        )
        result = play_match(spec, " v ".join(pair), settings, keep, progress)
        with Store(keep.database) as store:
            records = store.records(result.match_id, range(games))
        return {"first": pair[0], "second": pair[1], **summary(records)}

    def _training(
        self, start: str, seat: int, sizes: Sizes, settings: Settings, keep: Keep, progress: Progress
    ) -> dict[str, Any]:
        """Let Monte Carlo learn against Cluster, and return its win rate along the way; as a whole it is kept."""
        games = sizes.random_training if start == "random" else sizes.fixed_training
        for item in keep.items:
            if (item["start"], item["player"], item["games"]) == (start, seat + 1, games):
                return dict(item)
        with tempfile.TemporaryDirectory() as folder:
            learner = f'thesis-montecarlo:tree="{Path(folder) / "tree.json"}"'
            agents = (learner, "thesis-cluster") if seat == 0 else ("thesis-cluster", learner)
            seed = derive_seed(settings.seed, "training", start, seat) >> 1
            spec = MatchSpec(GameSpec("risk", (*OPTIONS, *STARTS[start])), agents, games, seed, rotate=False)
            board = Board(spec)
            won = []
            try:
                board.prepare()
                for index in range(games):
                    record = board.play(index)
                    if record.status == FORFEIT:
                        raise MatchError(f"training, game {index}: {record.reason}")
                    won.append(record.returns[seat] > 0)
                    if index % 100 == 0:
                        progress(f"training, {start} starts, player {seat + 1}", index, games)
            finally:
                board.close()
            nodes = len(board.agents[seat].tree)  # type: ignore[attr-defined]
        size = math.ceil(games / BINS)
        parts = [won[i : i + size] for i in range(0, games, size)]
        keep.add(
            {
                "start": start,
                "player": seat + 1,
                "games": games,
                "nodes": nodes,
                "wins": [sum(part) for part in parts],
                "of": [len(part) for part in parts],
            }
        )
        return dict(keep.items[-1])

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows the data."""
        from oponente.arena.studies.risk_ufsm_page import make_page

        return make_page(data)


def commands(actions: Sequence[int]) -> int:
    """Return how many commands of the thesis's program the actions of a game are: amounts belong to the step before,
    but for those that follow a conquest.
    """
    total, before = 0, -1
    for action in actions:
        if action >= LOSSES:
            pass
        elif ATTACK <= action < TRADE or PLACE <= action < BONUS or MOVE_FROM <= action < MOVE_TO or action == DONE:
            total += 1
        elif AMOUNT <= action < ATTACK:
            total += LOSSES <= before < LOSSES + 4
        before = action
    return total


def summary(records: Sequence[GameRecord]) -> dict[str, Any]:
    """Return what the tables show of the games of a pairing: of each mean also how far its 95 % interval reaches."""
    armies: list[list[float]] = [[], []]
    wins = [0, 0]
    for record in records:
        for seat in range(2):
            if record.returns[seat] > 0:
                wins[seat] += 1
                armies[seat].append((record.seats[seat].facts or {})["armies"])
    return {
        "games": len(records),
        "wins": wins,
        "armies": [mean_of(values) for values in armies],
        "turns": mean_of([(record.seats[0].facts or {})["turns"] for record in records]),
        "messages": mean_of([commands(record.actions) for record in records]),
        "milliseconds": mean_of(
            [math.fsum(ms for seat in record.seats for ms in seat.decision_ms) for record in records]
        ),
    }


def mean_of(values: Sequence[float]) -> list[float | None]:
    """Return the mean of some values, None of none, and how far its 95 % interval reaches, None of fewer than two.

    >>> mean_of([1.0, 3.0]), mean_of([2.0]), mean_of([])
    ([2.0, 12.706...], [2.0, None], [None, None])
    """
    found = mean_estimate(values)
    return [finite(found.value), finite((found.high - found.low) / 2)]


STUDY = RiskUfsm()
