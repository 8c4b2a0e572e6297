"""Tournaments: who meets whom, and what all games together say about the entrants.

A tournament is made of matches (:mod:`oponente.arena.match`), each in whole *blocks*: all seats once, with the same
luck. Its seed and the agents of a match give the seed of that match, so a match is the same in whatever order, and by
however many workers, the matches are played; and since every game is stored as it finishes, a tournament that was
killed goes on where it was.

Formats:

``round-robin``
    Everybody against everybody: all groups of as many entrants as the game has players. Are there fewer entrants than
    players, all take part in every match, and the seats that are left are given to every combination of them.
``gauntlet``
    The first entrant against each other one, who has all other seats.
``swiss``
    In each round those meet who have done equally well so far; with two players as few as can be meet again
    (:mod:`oponente.arena.pairing`). Who is left over has a bye, worth a win, once before anybody has it twice.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.arena.alpha_rank import alpha_rank
from oponente.arena.columns import GameResults, all_results, no_results
from oponente.arena.elo import shares
from oponente.arena.match import SEED_RANGE, MatchSpec
from oponente.arena.online import SYSTEMS, OnlineRating, Seated
from oponente.arena.pairing import neighbour_pairs, who_rests
from oponente.arena.plackett_luce import Games, Ratings, fit
from oponente.arena.play import seat_agent
from oponente.arena.runner import PersonLeft, PlayInterrupted, Progress, run_match, why_ended
from oponente.arena.statistics import outcomes
from oponente.arena.storage import Begun, Store, Unfinished, opened, other_version
from oponente.arena.workers import Workers
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed

__all__ = [
    "FORMATS",
    "Curve",
    "Ladders",
    "Standing",
    "TournamentInterrupted",
    "TournamentResult",
    "TournamentSpec",
    "run_tournament",
    "unfinished_tournament",
]

FORMATS = ("round-robin", "gauntlet", "swiss")
MOST_GROUPS = 20_000
"""Matches that a round robin may have; larger fields are for ``swiss``."""


@dataclass(frozen=True)
class TournamentSpec:
    """A tournament, as plain values.

    Raises:
        ValueError: a number is out of range, or the entrants make no tournament.
    """

    game: GameSpec
    entrants: tuple[str, ...]
    """Agent specs, each once."""
    blocks: int = 50
    """Blocks of each match, of as many games as the game has players."""
    form: str = "round-robin"
    """One of `FORMATS`."""
    rounds: int | None = None
    """Of ``swiss``; None: as many as single out the best of so many, with certain results."""
    seed: int = 0
    agent_files: tuple[str, ...] = ()
    opening_plies: int = 0
    seconds: float | None = None
    max_plies: int | None = None

    def __post_init__(self) -> None:
        if self.form not in FORMATS:
            raise ValueError(f"there is no format {self.form!r}; there are {', '.join(FORMATS)}")
        if len(self.entrants) < 2:
            raise ValueError("a tournament needs at least two entrants")
        twice = next((text for text in self.entrants if self.entrants.count(text) > 1), None)
        if twice is not None:
            raise ValueError(f"{twice} is entered twice: nothing could tell the two apart")
        if self.blocks < 1:
            raise ValueError(f"{self.blocks} blocks: at least 1 is needed")
        if self.rounds is not None and (self.form != "swiss" or self.rounds < 1):
            raise ValueError("rounds are for format swiss, at least 1")

    def match(self, group: Sequence[int], players: int, round_: int = 0) -> MatchSpec:
        """Return the match of a group of entrants, by number."""
        agents = tuple(self.entrants[entrant] for entrant in group)
        place = (round_,) if self.form == "swiss" else ()
        return MatchSpec(
            self.game,
            agents,
            self.blocks * players,
            derive_seed(self.seed, "match", *place, *agents) % SEED_RANGE,
            self.agent_files,
            self.opening_plies,
            self.seconds,
            self.max_plies,
        )

    def groups(self, players: int) -> list[tuple[int, ...]]:
        """Return who meets whom where that does not depend on results.

        Raises:
            ValueError: there would be too many matches.
        """
        field_ = range(len(self.entrants))
        if self.form == "gauntlet":
            return [(0, *[other] * (players - 1)) for other in field_[1:]]
        if len(field_) < players:
            rest = itertools.combinations_with_replacement(field_, players - len(field_))
            return [tuple(sorted((*field_, *more))) for more in rest]
        number = math.comb(len(field_), players)
        if number > MOST_GROUPS:
            raise ValueError(
                f"a round robin of {len(field_)} entrants has {number:,} matches: choose format swiss, or enter fewer"
            )
        return list(itertools.combinations(field_, players))

    def swiss_rounds(self) -> int:
        """Return how many rounds there are in format ``swiss``."""
        return self.rounds or max(1, math.ceil(math.log2(len(self.entrants))))


class TournamentInterrupted(PlayInterrupted):
    """Ctrl-C ended the tournament; finished games are kept if there is a database."""


@dataclass(frozen=True)
class Standing:
    """How an entrant has done."""

    entrant: int
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    """Sum of its shares: 1 for a win, of a draw its part."""
    byes: int
    rating: float
    interval: tuple[float, float]
    """95 %."""
    superiority: float | None
    """How likely it is stronger than the next one, None for the last."""
    mass: float | None
    """Of alpha-Rank; None where the game is not for two, or not all have met."""

    @property
    def score(self) -> float | None:
        """Points by games."""
        return self.points / self.games if self.games else None


Ladders = Mapping[str, Sequence[tuple[float, str]]]
"""By name, agents that were entered once for each budget: budget and spec of each entrant."""


@dataclass(frozen=True)
class Curve:
    """How an agent's strength grows with its budget."""

    agent: str
    """Its name in the ladders."""
    steps: list[tuple[float, Standing]]
    """Budget and standing of each of its entrants, the least budget first."""

    @property
    def gain(self) -> float | None:
        """Points of rating that a doubling of the budget brings, from the least to the greatest; None: there is one."""
        (least, low), (most, high) = self.steps[0], self.steps[-1]
        return (high.rating - low.rating) / math.log2(most / least) if most > least else None


@dataclass
class TournamentResult:
    """What came of a tournament, or of the part of it that was played."""

    spec: TournamentSpec
    players: int
    matches: list[tuple[tuple[int, ...], int, GameResults]] = field(default_factory=list)
    """For each match the entrants by number, its number in the database, and its games by index."""
    byes: list[int] = field(default_factory=list)
    """Entrants that had a bye, once for each."""
    games: int = 0
    """Games that the tournament has as far as is known: the later rounds of ``swiss`` count as well."""
    kept_in: str | None = None
    playing: tuple[int, ...] = ()
    """The entrants, by number, of the match that is played now; empty: none is."""
    copies: int = 0
    """Matches in which all blocks are the same games, so that intervals say too much."""
    _ratings: tuple[tuple[int, int], Ratings] | None = field(default=None, repr=False, compare=False)
    """Those asked for last, after how many matches and samples they were: a page and its data ask again."""

    @property
    def finished(self) -> int:
        """Games that were finished."""
        return sum(len(games) for _, _, games in self.matches)

    def so_far(self, match: Progress) -> TournamentResult:
        """Return the result with the games, as far as they are finished, of the match that is played."""
        return dataclasses.replace(self, matches=[*self.matches, (self.playing, 0, match.results())], _ratings=None)

    @property
    def reproducible(self) -> bool:
        """Whether the same tournament gives the same games again."""
        return all(games.reproducible.all() for _, _, games in self.matches)

    def played(self) -> Games:
        """Return all games, match by match."""
        counts = [len(games) for _, _, games in self.matches]
        results = all_results([no_results(self.players), *(games for _, _, games in self.matches)])
        match = np.repeat(np.arange(len(counts)), counts)
        groups = np.array([group for group, _, _ in self.matches], np.int64).reshape(-1, self.players)
        return Games(match, results.block, groups[match[:, None], results.agents], results.returns)

    def ratings(self, samples: int = 1000) -> Ratings:
        """Return the ratings of Plackett and Luce, with as many samples for intervals."""
        asked = len(self.matches), samples
        if self._ratings is None or self._ratings[0] != asked:
            self._ratings = asked, fit(self.played(), len(self.spec.entrants), samples=samples, seed=self.spec.seed)
        return self._ratings[1]

    def online_ratings(self, system: str) -> list[OnlineRating]:
        """Return the rating of each entrant by one of :data:`~oponente.arena.online.SYSTEMS`.

        All matches count as played at once, block by block: the blocks of one number are a rating period.
        """
        games = self.played()
        periods: dict[int, list[Seated]] = {}
        for block, *seated in zip(games.block.tolist(), games.agents.tolist(), games.returns.tolist(), strict=True):
            periods.setdefault(block, []).append((seated[0], seated[1]))
        return SYSTEMS[system]((periods[block] for block in sorted(periods)), len(self.spec.entrants))

    def points(self) -> list[float]:
        """Return the points of each entrant, byes included."""
        total = self._points(self.played())
        for entrant in self.byes:
            total[entrant] += self.spec.blocks * self.players
        return total

    def _points(self, games: Games) -> list[float]:
        """Return the points of each entrant, byes left out."""
        total = np.zeros(len(self.spec.entrants))
        np.add.at(total, games.agents.ravel(), shares(games.returns).ravel())  # one after the other, game by game
        return total.tolist()

    def standings(self, samples: int = 1000) -> list[Standing]:
        """Return how each entrant has done, the best first: by rating."""
        count = len(self.spec.entrants)
        played = self.played()
        outcome = outcomes(played.returns)
        games, wins, draws = (
            np.bincount(played.agents[which], minlength=count).tolist()
            for which in (np.ones(outcome.shape, np.bool_), outcome > 0, outcome == 0)
        )
        points = self._points(played)
        ratings = self.ratings(samples)
        masses = self.masses()
        order = sorted(range(count), key=lambda entrant: (-ratings.ratings[entrant], entrant))
        return [
            Standing(
                entrant=entrant,
                games=games[entrant],
                wins=wins[entrant],
                draws=draws[entrant],
                losses=games[entrant] - wins[entrant] - draws[entrant],
                points=points[entrant],
                byes=self.byes.count(entrant),
                rating=float(ratings.ratings[entrant]),
                interval=ratings.interval(entrant),
                superiority=ratings.superiority(entrant, after) if after is not None else None,
                mass=None if masses is None else float(masses[entrant]),
            )
            for entrant, after in itertools.zip_longest(order, order[1:])
        ]

    def curves(self, ladders: Ladders, standings: Sequence[Standing]) -> list[Curve]:
        """Return the curve of each ladder."""
        known = {self.spec.entrants[one.entrant]: one for one in standings}
        return [
            Curve(name, [(budget, known[agent]) for budget, agent in sorted(steps)]) for name, steps in ladders.items()
        ]

    def masses(self) -> npt.NDArray[np.float64] | None:
        """Return the mass of each entrant in :mod:`~oponente.arena.alpha_rank`.

        None where the game is not for two, or not all have met.
        """
        shares, met = self.cross_table()
        if self.players != 2 or (met + np.eye(len(met), dtype=np.int64) == 0).any():
            return None
        return alpha_rank(shares)

    def cross_table(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return how often each entrant did better than each other one where both played, and in how many games.

        Equal results count half. A share of nothing is not a number. Copies of an entrant in a game are compared each.
        """
        count = len(self.spec.entrants)
        games = self.played()
        better, met = np.zeros((count, count)), np.zeros((count, count), np.int64)
        for one, other in itertools.permutations(range(self.players), 2):
            pairs = games.agents[:, one], games.agents[:, other]
            mine, its = games.returns[:, one], games.returns[:, other]
            np.add.at(met, pairs, 1)
            np.add.at(better, pairs, np.where(mine > its, 1.0, np.where(mine == its, 0.5, 0.0)))
        for table in (better, met):
            np.fill_diagonal(table, 0)  # copies of an entrant
        with np.errstate(invalid="ignore"):
            return better / met, met

    def summary(self, systems: Sequence[str] = (), ladders: Ladders | None = None) -> dict[str, Any]:
        """Return the result as an object for JSON.

        Args:
            systems: of online ratings that each entrant gets, too, by name (``rating``, ``ci95``, null of points).
            ladders: agents that were entered once for each budget.

        It has ``game``, ``options``, ``format``, ``seed``, ``games`` (finished), ``reproducible``, ``copies`` (in how
        many matches all blocks are the same games, so that intervals say too much); ``entrants``, the best first:
        ``agent``, ``rating``, ``ci95``, ``superiority`` (over the next one), ``alpha_rank`` (mass, or null), ``games``,
        ``wins``, ``draws``, ``losses``, ``score``, ``byes``; ``cross``: one row an entrant, in that order, with its
        share of better results against each (null where they never met). With ladders also ``ladders``: for each its
        ``agent``, ``gain`` (points of rating that a doubling of the budget brings; null of one budget) and ``steps``,
        the least budget first: ``budget``, ``agent``, ``rating``, ``ci95``.
        """
        standings = self.standings()
        order = [standing.entrant for standing in standings]
        shares, _ = self.cross_table()
        online = {system: self.online_ratings(system) for system in systems}
        return {
            "game": self.spec.game.name,
            "options": dict(self.spec.game.options),
            "format": self.spec.form,
            "seed": self.spec.seed,
            "games": self.finished,
            "reproducible": self.reproducible,
            "copies": self.copies,
            "entrants": [
                {
                    "agent": self.spec.entrants[one.entrant],
                    "rating": one.rating,
                    "ci95": list(one.interval),
                    "superiority": one.superiority,
                    "alpha_rank": one.mass,
                    "games": one.games,
                    "wins": one.wins,
                    "draws": one.draws,
                    "losses": one.losses,
                    "score": one.score,
                    "byes": one.byes,
                    **{
                        system: {
                            "rating": found[one.entrant].rating,
                            "ci95": None if (interval := found[one.entrant].interval) is None else list(interval),
                        }
                        for system, found in online.items()
                    },
                }
                for one in standings
            ],
            "cross": [[None if math.isnan(shares[a, b]) else float(shares[a, b]) for b in order] for a in order],
            **({"ladders": [self._curve_json(one) for one in self.curves(ladders, standings)]} if ladders else {}),
        }

    def _curve_json(self, curve: Curve) -> dict[str, Any]:
        return {
            "agent": curve.agent,
            "gain": curve.gain,
            "steps": [
                {
                    "budget": budget,
                    "agent": self.spec.entrants[one.entrant],
                    "rating": one.rating,
                    "ci95": list(one.interval),
                }
                for budget, one in curve.steps
            ],
        }


# --- who meets whom in a Swiss tournament --------------------------------------------------------------------------


def swiss_round(result: TournamentResult) -> tuple[Sequence[tuple[int, ...]], list[int]]:
    """Return the groups of the next round of a Swiss tournament, and who has a bye.

    Two players a game: see :mod:`~oponente.arena.pairing`. More: neighbours in the ranking, whoever has met.
    """
    points = result.points()
    order = sorted(range(len(points)), key=lambda entrant: (-points[entrant], entrant))
    spare = len(order) % result.players
    place = {entrant: i for i, entrant in enumerate(order)}
    # From the bottom, those who had fewest byes.
    resting = sorted(order, key=lambda entrant: (result.byes.count(entrant), -place[entrant]))
    if result.players == 2:
        met = Counter(frozenset(group) for group, _, _ in result.matches)
        if not spare:
            return neighbour_pairs(order, met), []
        fewest = result.byes.count(resting[0])
        out = who_rests(order, met, [entrant for entrant in resting if result.byes.count(entrant) == fewest])
        return neighbour_pairs([entrant for entrant in order if entrant != out], met), [out]
    resting = resting[:spare]
    playing = [entrant for entrant in order if entrant not in resting]
    return [tuple(playing[i : i + result.players]) for i in range(0, len(playing), result.players)], resting


# --- what was played before ----------------------------------------------------------------------------------------


def unfinished_tournament(spec: TournamentSpec, store: Store) -> Unfinished:
    """Return what a database holds of this tournament, unless it is complete."""
    players = spec.game.load().num_players
    if spec.form != "swiss":
        matches = [spec.match(group, players) for group in spec.groups(players)]
        begun = store.begun(matches)
        kept = sum(one.of(match.games) for one, match in zip(begun, matches, strict=True))
        missing = kept < sum(match.games for match in matches)
        return Unfinished(kept, other_version(begun)) if missing else Unfinished()
    result, kept = TournamentResult(spec, players), 0
    entered: list[Begun] = []
    for round_ in range(spec.swiss_rounds()):
        groups, out = swiss_round(result)
        matches = [spec.match(group, players, round_) for group in groups]
        begun = store.begun(matches)
        counts = [one.of(match.games) for one, match in zip(begun, matches, strict=True)]
        kept += sum(counts)
        entered += begun
        if sum(counts) < sum(match.games for match in matches):
            return Unfinished(kept, other_version(entered))
        # Who meets in the next round depends on the results of this one.
        for group, one, match in zip(groups, begun, matches, strict=True):
            kept_games = [part.results for part in store.columns(one.match_id, match.games)]
            result.matches.append((group, one.match_id, all_results(kept_games)))
        result.byes += out
    return Unfinished()


# --- running -------------------------------------------------------------------------------------------------------


def run_tournament(
    spec: TournamentSpec,
    *,
    workers: Workers = 1,
    store: Store | str | Path | None = None,
    resume: bool = False,
    progress: Callable[[TournamentResult, Progress], None] | None = None,
) -> TournamentResult:
    """Play a tournament.

    Args:
        spec: the tournament.
        workers: games of a match played at a time; the result does not depend on it.
        store: database that keeps each game as it finishes; a path or URL is opened and closed here. None: the games
            are in the result.
        resume: keep the games of this tournament that the store holds.
        progress: called in this thread with the matches that are over and the progress of the one that is played.

    Raises:
        TournamentInterrupted: on Ctrl-C.
        MatchError, StorageError, ValueError: see :func:`~oponente.arena.runner.run_match`.
    """
    with opened(store) as kept:
        return _run(spec, workers, kept, resume, progress)


def _run(
    spec: TournamentSpec,
    workers: Workers,
    store: Store | None,
    resume: bool,
    progress: Callable[[TournamentResult, Progress], None] | None,
) -> TournamentResult:
    game = spec.game.load()
    players = game.num_players
    if players < 2:
        raise ValueError("a tournament is for games of at least two players")
    for text in spec.entrants:
        seat_agent(text, game, spec.agent_files)  # what is wrong with one shows before the first game
    result = TournamentResult(spec, players, kept_in=store.name if store else None)
    told: dict[int, int] = {}

    def tell(match: Progress) -> None:
        told[len(result.matches)] = match.done
        if progress is not None:
            progress(result, match)

    try:
        if spec.form == "swiss":
            if len(spec.entrants) < players:
                raise ValueError(f"format swiss needs at least {players} entrants, one per player")
            per_round = len(spec.entrants) // players
            result.games = spec.swiss_rounds() * per_round * spec.blocks * players
            for round_ in range(spec.swiss_rounds()):
                groups, out = swiss_round(result)
                _play(result, groups, round_, workers, store, resume, tell)
                result.byes += out
        else:
            groups = spec.groups(players)
            result.games = len(groups) * spec.blocks * players
            _play(result, groups, 0, workers, store, resume, tell)
    except KeyboardInterrupt as interrupted:  # in a match, or between two
        done = result.finished + told.get(len(result.matches), 0)
        if resume and store is not None:  # matches that come later have games as well
            done = max(done, unfinished_tournament(spec, store).games)
        kept = f" and kept in {result.kept_in}; give --resume to go on" if result.kept_in else ""
        raise TournamentInterrupted(
            f"{why_ended(interrupted)}: {done:,} of {result.games:,} games are finished{kept}"
        ) from interrupted
    return result


def _play(
    result: TournamentResult,
    groups: Sequence[tuple[int, ...]],
    round_: int,
    workers: Workers,
    store: Store | None,
    resume: bool,
    tell: Callable[[Progress], None],
) -> None:
    """Play the matches of some groups.

    Raises:
        KeyboardInterrupt: on Ctrl-C, unless all games of the tournament are played.
        PersonLeft: a person has left.
    """
    for group in groups:
        match = result.spec.match(group, result.players, round_)
        result.playing = group
        played = run_match(match, workers=workers, store=store, resume=resume and store is not None, progress=tell)
        result.matches.append((group, played.match_id, played.results))
        result.playing = ()
        result.copies += played.copies
        if played.left:
            raise PersonLeft(played.left)
        if played.interrupted and result.finished < result.games:
            raise KeyboardInterrupt
