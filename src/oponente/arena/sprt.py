"""Is one agent better than another? A sequential test that plays no more games than the answer takes.

Two hypotheses about the strength of agent A beside agent B are compared: H0, a difference of `elo0`, and H1, of `elo1`.
After every block (:mod:`oponente.arena.match`: all seats once, with the same luck) the *log-likelihood ratio* of both,
each with the distribution of block scores that fits the games best under it, is held against two bounds; the first one
that it crosses decides. Blocks, not games, are what is counted: the games of a block are not independent of each other.
With two players that is the pentanomial test of chess engines (a pair of games is worth 0, 1/2, 1, 3/2 or 2 points);
with more players a block has as many games as players, A plays one seat and B all others.

Sources: A. Wald, "Sequential tests of statistical hypotheses" (1945); M. Van den Bergh, "A practical introduction to
the GSPRT" (2020), and the generalised likelihood ratio of X. Li, J. Liu, Z. Ying, "Generalized sequential probability
ratio test for separate families of hypotheses" (2014).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.arena.columns import GameResults
from oponente.arena.elo import BlockScores, WholeBlocks, expected_score, finite
from oponente.arena.match import MatchSpec
from oponente.arena.runner import MatchResult, Progress, run_match
from oponente.arena.storage import Store
from oponente.arena.workers import Workers

__all__ = ["H0", "H1", "Sprt", "SprtResult", "log_likelihood_ratio", "run_sprt"]

H0, H1 = "H0", "H1"
"""What is accepted: that A is no better than `elo0`, that it is at least `elo1` better."""

_UNSEEN = 5e-3
"""How often all scores together count that a block can have, shared alike, where they never occurred: so that no
distribution is ruled out by chance alone, and no number of scores outweighs what did occur. With two players a
thousandth each."""
FEWEST_BLOCKS = 10
"""Blocks before which nothing is decided: how much luck there is in a game must show first."""
_HALVINGS = 60
"""Steps of the search for a distribution: as many as a double has room for."""
_AT_ONCE = 1 << 18
"""Numbers in the table of counts after each block that are looked at in one go."""
_NEVER = 1e-9
"""How far a score must stay from what is impossible."""


def log_likelihood_ratio(
    values: npt.NDArray[np.float64], counts: npt.NDArray[np.float64], score0: float, score1: float
) -> npt.NDArray[np.float64]:
    """Return the log-likelihood of the best distribution with mean `score1` less that of the best with `score0`.

    Args:
        values: float64, (k,): the scores that a block can have, from 0 to 1.
        counts: float64, (..., k): how often each occurred; each leading index is a test of its own.
        score0, score1: the means under H0 and H1, between 0 and 1.

    Returns:
        float64, (...).
    """
    total = counts.sum(axis=-1, keepdims=True)
    seen = np.maximum(counts, _UNSEEN / values.size)
    observed = seen / seen.sum(axis=-1, keepdims=True)
    fitted = [_with_mean(values, observed, mean) for mean in (score0, score1)]
    ratio: npt.NDArray[np.float64] = total[..., 0] * (observed * np.log(fitted[1] / fitted[0])).sum(axis=-1)
    return ratio


def _with_mean(
    values: npt.NDArray[np.float64], observed: npt.NDArray[np.float64], mean: float
) -> npt.NDArray[np.float64]:
    """Return the likeliest distribution with a mean, given the observed shares (Van den Bergh 2020, section 2).

    It is ``observed / (1 + t (values - mean))`` with the t for which the mean comes out: the only zero of a function
    that falls between two poles.
    """
    away = values - mean
    low = np.full(observed.shape[:-1], -1.0 / away[-1])
    high = np.full(observed.shape[:-1], -1.0 / away[0])
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        above = (observed * away / (1.0 + middle[..., None] * away)).sum(axis=-1) > 0.0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    t = (0.5 * (low + high))[..., None]
    fitted: Any = observed / (1.0 + t * away)
    result: npt.NDArray[np.float64] = fitted / fitted.sum(axis=-1, keepdims=True)
    return result


class Sprt:
    """The test, game by game.

    Blocks are counted in the order of the match, whatever the order in which games finish, and none after the one that
    decides: so the answer does not depend on how many workers play.

    Args:
        players: of the game.
        elo0, elo1: the hypotheses.
        alpha: how often, at most, H1 may be accepted though H0 holds.
        beta: how often, at most, H0 may be accepted though H1 holds.
        agent: which agent of the match is A.

    Raises:
        ValueError: the hypotheses or probabilities make no test.
    """

    def __init__(
        self, players: int, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05, agent: int = 0
    ) -> None:
        if players < 2:
            raise ValueError("a test of two agents needs a game of at least two players")
        if not elo0 < elo1:
            raise ValueError(f"elo0 = {elo0:g} and elo1 = {elo1:g}: the first must be less than the second")
        for name, value in (("alpha", alpha), ("beta", beta)):
            if not 0.0 < value < 0.5:
                raise ValueError(f"{name} = {value:g}: expected more than 0 and less than 0.5")
        self.players, self.agent = players, agent
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.score0, self.score1 = expected_score(elo0, players), expected_score(elo1, players)
        if min(self.score0, 1.0 - self.score1) < _NEVER:
            raise ValueError(f"elo0 = {elo0:g} and elo1 = {elo1:g}: expected differences that games can show")
        self.scores = BlockScores(players)
        """Of the blocks that count."""
        self.lower, self.upper = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
        """The bounds of the ratio: below the first H0 is accepted, above the second H1."""
        self.ratio = 0.0
        """The log-likelihood ratio after the last block that counts."""
        self.decision: str | None = None
        """`H0`, `H1`, or None as long as neither is accepted."""
        self._whole = WholeBlocks(players, agent)
        self._waiting: dict[int, float] = {}
        """The scores of whole blocks before which others are missing, by number."""
        self._next = 0

    @property
    def blocks(self) -> int:
        """How many blocks count."""
        return self.scores.blocks

    def add(self, games: GameResults) -> None:
        """Count finished games."""
        self._waiting.update(zip(*(found.tolist() for found in self._whole.add(games)), strict=True))
        following: list[float] = []
        while self._next in self._waiting:
            following.append(self._waiting.pop(self._next))
            self._next += 1
        self.add_blocks(following)

    def add_blocks(self, scores: npt.ArrayLike) -> None:
        """Count the blocks that come next, none after the one that decides.

        Args:
            scores: (blocks,): A's mean share in each of them, in the order of the match.
        """
        places = self.scores.places(scores)
        size = self.scores.values.size
        for first in range(0, places.size, max(1, _AT_ONCE // size)):
            if self.decision is not None:
                return
            part = places[first : first + max(1, _AT_ONCE // size)]
            counts = self.scores.counts + np.cumsum(np.eye(size)[part], axis=0)
            ratios = log_likelihood_ratio(self.scores.values, counts, self.score0, self.score1)
            blocks = self.blocks + np.arange(1, part.size + 1)
            decides = (blocks >= FEWEST_BLOCKS) & ((ratios <= self.lower) | (ratios >= self.upper))
            last = int(decides.argmax()) if decides.any() else part.size - 1
            self.scores.counts = counts[last]
            self.ratio = float(ratios[last])
            if decides[last]:
                self.decision = H0 if self.ratio <= self.lower else H1

    def estimate(self) -> tuple[float, float, float]:
        """Return A's difference in Elo as the games show it, and the bounds of its 95 % interval.

        The interval is that of the mean block score, and takes no account of when the test stopped.
        """
        return self.scores.elo()


@dataclass(frozen=True)
class SprtResult:
    """What came of a test."""

    test: Sprt
    match: MatchResult

    def summary(self) -> dict[str, Any]:
        """Return the result as an object for JSON.

        ``decision`` is ``H0``, ``H1`` or null; ``llr`` the log-likelihood ratio and ``bounds`` what it is held against;
        ``blocks`` how many count and ``block_scores`` how often each score occurred; ``elo`` the difference that the
        games show, with ``ci95`` (null where infinite); ``games`` how many are in the blocks that count; ``copies``
        whether all blocks are the same games, by which nothing is decided. Only ``extra_games``, those of other blocks
        that were finished or stored as well, depends on how many workers play.
        """
        test = self.test
        elo, low, high = test.estimate()
        return {
            "game": self.match.spec.game.name,
            "options": dict(self.match.spec.game.options),
            "agents": list(self.match.spec.agents[:2]),
            "seed": self.match.spec.seed,
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "decision": test.decision,
            "llr": test.ratio,
            "bounds": [test.lower, test.upper],
            "blocks": test.blocks,
            "block_scores": test.scores.listed(),
            "elo": finite(elo),
            "ci95": [finite(low), finite(high)],
            "games": test.blocks * test.players,
            "copies": self.match.copies,
            "extra_games": self.match.tally.games - test.blocks * test.players,
        }


def run_sprt(
    spec: MatchSpec,
    test: Sprt,
    *,
    workers: Workers = 1,
    store: Store | str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> SprtResult:
    """Play a match until the test decides, or all its games are played.

    Where all blocks are the same games (:mod:`oponente.arena.copies`), however many, they decide nothing.

    Args:
        spec: the match: A first, then B for each other player; its games are the most that are played.
        test: a new test.
        workers: see :func:`~oponente.arena.runner.run_match`, as for all others.
        store: keeps the games.
        resume: go on with the games that the store holds.
        progress: called with a :class:`~oponente.arena.runner.Progress`.

    Raises:
        MatchInterrupted, MatchError, StorageError, ValueError: as `run_match` does.
    """
    if not spec.rotate:
        raise ValueError("a test needs agents that change seats")

    def enough(games: GameResults) -> bool:
        test.add(games)
        return test.decision is not None

    match = run_match(spec, workers=workers, store=store, resume=resume, progress=progress, enough=enough)
    if match.copies:
        test.decision = None
    return SprtResult(test, match)
