"""Whether one agent is better than another: paired matches in blocks, with an interval.

The games of a block share their start position, their random opening and their chance, and the agents move on by one
seat from game to game (:mod:`oponente.arena.match`), so that over a block both have the same luck. Half of the seats,
rounded down but at least one, are the first agent's. With four players or more the two kinds sit side by side in half
of the blocks and by turns in the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from oponente.arena import MatchSpec, Table
from oponente.arena.elo import Z95, shares
from oponente.arena.record import FORFEIT
from oponente.games.catalogue import GameSpec
from oponente.kernel import Control, derive_seed
from oponente.learn.contest import Crew, layouts, own_seats

ROUNDS, PARTS = 4, 4
"""Rounds of a match, and parts of a round for each layout, so that workers have something each."""


@dataclass(frozen=True)
class Verdict:
    """What came of a match between two kinds of agents."""

    games: int
    score: float
    """Mean share of the games that the first kind has won (draws are shared)."""
    low: float
    """Bounds of its 95 % interval, from the means of blocks taken for normally distributed."""
    high: float
    even: float
    """The share that an equal agent would have."""
    superiority: float
    """How likely the first kind is better, likewise."""

    def values(self) -> dict[str, Any]:
        """Return all as plain values."""
        return {
            "games": self.games,
            "score": self.score,
            "ci95": [self.low, self.high],
            "even": self.even,
            "superiority": self.superiority,
        }


def verdict(scores: Sequence[float], players: int) -> Verdict:
    """Return what the mean shares of the first kind in some blocks say.

    As in :mod:`oponente.arena.elo`, one more block, shared between the ends of the scale, keeps a few equal blocks from
    seeming certain. Its mean is what an equal agent gets, so that it speaks for nobody: with two players it is half a
    block at each end.

    >>> found = verdict([0.5, 1.0, 0.5, 0.75], 2)
    >>> found.games, found.score, round(found.superiority, 2)
    (8, 0.6875, 0.87)
    """
    even, total = own_seats(players) / players, len(scores) + 1.0
    centre = (math.fsum(scores) + even) / total
    ends = even * (1.0 - centre) ** 2 + (1.0 - even) * centre**2
    error = math.sqrt(math.fsum((score - centre) ** 2 for score in scores) + ends) / total
    mean = math.fsum(scores) / len(scores)
    return Verdict(
        len(scores) * players,
        mean,
        max(0.0, min(centre - Z95 * error, mean)),
        min(1.0, max(centre + Z95 * error, mean)),
        even,
        NormalDist().cdf((centre - even) / error),
    )


@dataclass(frozen=True)
class _Part:
    """Some blocks of a match."""

    spec: MatchSpec
    own: tuple[bool, ...]
    blocks: tuple[int, ...]


def compare(
    game: GameSpec,
    one: str,
    other: str,
    games: int,
    seed: int,
    crew: Crew[Any, Any],
    *,
    files: tuple[str, ...] = (),
    opening: int = 0,
    max_plies: int | None = None,
    hopeless: float = 0.0,
) -> Verdict:
    """Return how agents of one kind do against agents of another.

    Args:
        game: that is played.
        one: spec of the first kind.
        other: spec of the second kind.
        games: how many; rounded up to whole blocks.
        seed: of all games.
        crew: plays.
        files: the user's files with agents.
        opening: random plies that open each game: games without chance would be the same ones again and again.
        max_plies: after which a game ends as a draw; None: never.
        hopeless: the match ends after a quarter of its blocks, or a half, or three, if the first kind is not even so
            likely to be better.

    Raises:
        RuntimeError: an agent has failed.
        ValueError: the game is for one.
    """
    players = game.load().num_players
    if players < 2:
        raise ValueError(f"{game.name} has one player here: there is nobody to compare with")
    kinds = layouts(players)
    blocks = max(len(kinds), -(-games // players))
    parts = []
    for number, layout in enumerate(kinds):
        count = blocks // len(kinds) + (number < blocks % len(kinds))
        agents = tuple(one if first else other for first in layout)
        match = derive_seed(seed, "layout", number) >> 1
        spec = MatchSpec(game, agents, count * players, match, files, opening, max_plies=max_plies)
        size = max(1, math.ceil(count / (ROUNDS * PARTS)))
        parts += [
            _Part(spec, tuple(layout), tuple(range(begin, min(begin + size, count)))) for begin in range(0, count, size)
        ]
    parts.sort(key=lambda part: part.blocks)  # the layouts by turns
    scores: list[float] = []
    size = math.ceil(len(parts) / ROUNDS)
    for begin in range(0, len(parts), size):
        scores += [score for part in crew(_play_part, parts[begin : begin + size]) for score in part]
        if verdict(scores, players).superiority < hopeless:
            break
    return verdict(scores, players)


def _play_part(part: _Part, control: Control | None = None) -> list[float]:
    """Play some blocks and return the first kind's mean share of each."""
    table = Table(part.spec, control)
    scores = []
    try:
        for block in part.blocks:
            players, total = len(part.own), 0.0
            for index in range(block * players, (block + 1) * players):
                record = table.play(index)
                if record.status == FORFEIT:
                    raise RuntimeError(f"an agent has failed: {record.reason}")
                found = zip(record.seats, shares(record.returns).tolist(), strict=True)
                total += math.fsum(share for seat, share in found if part.own[seat.agent])
            scores.append(total / players)
    finally:
        table.close()
    return scores
