import math
from array import array

import numpy as np
import pytest

from oponente.arena.columns import game_columns
from oponente.arena.elo import block_scores, elo_of_score, expected_score, shares
from oponente.arena.match import MatchSpec
from oponente.arena.record import GameRecord, SeatRecord
from oponente.arena.runner import run_match
from oponente.arena.sprt import (
    FEWEST_BLOCKS,
    H0,
    H1,
    Sprt,
    log_likelihood_ratio,
    run_sprt,
)
from oponente.arena.storage import Store
from oponente.games.catalogue import GameSpec

from .helpers import TRIO

PENTANOMIAL = block_scores(2)


def test_two_scores_give_the_ratio_of_bernoulli():
    """With scores 0 and 1 alone the distribution is given by its mean."""
    ratio = log_likelihood_ratio(np.array([0.0, 1.0]), np.array([40.0, 60.0]), 0.5, 0.55)
    assert ratio == pytest.approx(60 * math.log(0.55 / 0.5) + 40 * math.log(0.45 / 0.5), rel=1e-9)


def test_ratio_is_that_of_the_best_distributions():
    """No distribution with the mean is likelier than the fitted one: moves along both free directions lose."""
    counts = np.array([12.0, 30, 55, 41, 9])
    shares, log = counts / counts.sum(), np.log
    fits = []
    for mean in (0.5, 0.52):
        # Lagrange: the best is shares / (1 + t (values - mean)); here by scanning t instead of halving.
        away = PENTANOMIAL - mean
        ts = np.linspace(-0.999 / away[-1], -0.999 / away[0], 400_001)
        sums = (shares * away / (1 + ts[:, None] * away)).sum(1)
        t = ts[np.abs(sums).argmin()]
        fits.append(shares / (1 + t * away))
        assert fits[-1].sum() == pytest.approx(1, abs=1e-4)
    expected = (counts * log(fits[1] / fits[0])).sum()
    assert log_likelihood_ratio(PENTANOMIAL, counts, 0.5, 0.52) == pytest.approx(expected, abs=1e-3)


def test_ratio_is_near_the_normal_one():
    """For many blocks and a small difference it is ``n (s1 - s0) (2 m - s0 - s1) / (2 variance)``."""
    counts = np.array([200.0, 900, 2100, 1000, 260])
    n, s0, s1 = counts.sum(), 0.5, expected_score(5)
    mean = counts @ PENTANOMIAL / n
    variance = counts @ (PENTANOMIAL - mean) ** 2 / n
    normal = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(PENTANOMIAL, counts, s0, s1) == pytest.approx(normal, rel=0.02)


def simulate(players, elo, elo1, draws, seed, runs=1000):
    """Return how many of the runs accept H1 of `elo1` against H0 of 0 where the difference is `elo`, and mean blocks.

    A share of the games is drawn; the others are won as often as makes the mean right.
    """
    rng = np.random.default_rng(seed)
    values, test = block_scores(players), Sprt(players, 0.0, elo1)
    drawn = 1 / players
    won = (expected_score(elo, players) - draws * drawn) / (1 - draws)
    counts, ratios = np.zeros((runs, values.size)), np.zeros(runs)
    accepted, open_, blocks = np.zeros(runs, bool), np.ones(runs, bool), np.zeros(runs)
    while open_.any():
        which = np.flatnonzero(open_)
        shape = which.size, players
        scores = np.where(rng.random(shape) < draws, drawn, rng.random(shape) < won).mean(1)
        counts[which, np.abs(values - scores[:, None]).argmin(1)] += 1
        blocks[which] += 1
        if blocks.max() >= FEWEST_BLOCKS:
            ratios[which] = log_likelihood_ratio(values, counts[which], test.score0, test.score1)
            accepted |= open_ & (ratios >= test.upper)
            open_ &= (ratios > test.lower) & (ratios < test.upper)
    return int(accepted.sum()), blocks.mean()


@pytest.mark.parametrize(("players", "elo1", "draws"), [(2, 60.0, 0.0), (2, 60.0, 0.3), (4, 100.0, 0.05)])
def test_error_rates(players, elo1, draws):
    """With alpha = beta = 0.05, of 1,000 runs at most 67 are wrong: 50, and what luck may add (97.5 %)."""
    wrong, blocks = simulate(players, 0.0, elo1, draws, seed=1)
    assert 10 <= wrong <= 67
    assert blocks < 200
    right, _ = simulate(players, elo1, elo1, draws, seed=2)
    assert 10 <= 1000 - right <= 67


def record(index, returns, agents):
    seats = tuple(SeatRecord(agent, array("f"), None) for agent in agents)
    return GameRecord(index, index // 2, seats, 0, 0, (), returns, "played")


def test_blocks_count_in_order_and_none_after_the_decision():
    """The answer is that of the blocks in order, whatever the order in which games finish."""
    rng = np.random.default_rng(4)
    games = []
    for index in range(400):
        agents = (index % 2, 1 - index % 2)
        win = rng.random() < 0.62
        first = 1.0 if win == (agents[0] == 0) else -1.0
        games.append(record(index, (first, -first), agents))
    in_order, shuffled = Sprt(2, 0, 50), Sprt(2, 0, 50)
    for game in games:
        in_order.add(game_columns([game]).results)
    for game in rng.permutation(np.array(games, dtype=object)):
        shuffled.add(game_columns([game]).results)
    assert in_order.decision == H1
    assert in_order.blocks < 200
    assert (in_order.ratio, in_order.blocks, list(in_order.scores.counts)) == (
        shuffled.ratio,
        shuffled.blocks,
        list(shuffled.scores.counts),
    )


@pytest.mark.parametrize(
    ("players", "share", "blocks", "decision"),
    [(2, 0.5, 800, H0), (2, 0.56, 800, H1), (2, 0.5, 60, None), (3, 0.39, 800, H1)],
)
def test_blocks_that_come_together_count_as_those_that_come_one_by_one(players, share, blocks, decision, monkeypatch):
    """So the answer does not depend on when games are looked at, nor on how many counts are looked at in one go."""
    scores = (np.random.default_rng(4).random((blocks, players)) < share).mean(axis=1)
    single, together, pieces = (Sprt(players, 0, 40) for _ in range(3))
    for score in scores:
        single.add_blocks([score])
    together.add_blocks(scores)
    monkeypatch.setattr("oponente.arena.sprt._AT_ONCE", 100)
    pieces.add_blocks(scores)
    assert single.decision == decision
    assert single.blocks == blocks if decision is None else 10 < single.blocks < blocks
    for other in (together, pieces):
        assert (other.decision, other.ratio, other.blocks) == (single.decision, single.ratio, single.blocks)
        assert other.scores.counts.tolist() == single.scores.counts.tolist()


@pytest.mark.parametrize("players", range(2, 7))
def test_equal_blocks_speak_for_equal_strength(players):
    """Scores that never occurred, of which there are more the more players, don't outweigh them."""
    for blocks in (10, 50, 1000):
        test = Sprt(players, 0, 10)
        test.add_blocks([1 / players] * blocks)
        assert test.ratio < 0


def test_estimate():
    test = Sprt(2, 0, 1000)
    test.scores.add([0.75] * 60 + [0.5] * 30 + [0.25] * 10)
    elo, low, high = test.estimate()
    assert elo == pytest.approx(elo_of_score(0.625))
    assert low < elo < high
    assert 20 < high - low < 120
    assert Sprt(2, 0, 10).estimate()[1:] == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((1, 0, 10), "two players"),
        ((2, 10, 10), "less than the second"),
        ((2, 0, 10, 0.0), "alpha"),
        ((2, 0, 10, 0.05, 0.5), "beta"),
        ((2, 0, 1e6), "differences that games can show"),
    ],
)
def test_no_test(arguments, says):
    with pytest.raises(ValueError, match=says):
        Sprt(*arguments)


SPEC = MatchSpec(GameSpec("tictactoe"), ("one-step", "random"), games=400, seed=3)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_match_ends_when_it_is_clear(tmp_path, workers):
    with Store(tmp_path / "games.db") as store:
        result = run_sprt(SPEC, Sprt(2, 0, 50), workers=workers, store=store)
        assert result.test.decision == H1
        assert 2 * result.test.blocks <= result.match.tally.games < 400
        # What is stored decides without a game, and with the same numbers.
        again = run_sprt(SPEC, Sprt(2, 0, 50), store=store, resume=True)
        assert again.match.played == 0
        assert again.summary()["llr"] == result.summary()["llr"]
    alone = run_sprt(SPEC, Sprt(2, 0, 50))
    summary = result.summary()
    assert {**alone.summary(), "extra_games": 0} == {**summary, "extra_games": 0}
    assert summary["games"] == 2 * summary["blocks"] == 2 * sum(score["blocks"] for score in summary["block_scores"])
    assert summary["games"] + summary["extra_games"] == result.match.tally.games


def test_equal_agents_are_not_told_apart():
    spec = MatchSpec(GameSpec("tictactoe"), ("random", "random"), games=4000, seed=1)
    result = run_sprt(spec, Sprt(2, 0, 80))
    assert result.test.decision == H0
    assert result.summary()["decision"] == "H0"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_block_of_three_players(workers):
    """A in each seat once, B in both others; what counts is A's mean share over the block."""
    spec = MatchSpec(TRIO, ("flat-mc:20", "random", "random"), games=600, seed=3)
    result = run_sprt(spec, Sprt(3, 0, 150), workers=workers)
    assert result.test.decision == H1
    assert FEWEST_BLOCKS <= result.test.blocks < 200
    assert 3 * result.test.blocks <= result.match.tally.games < 600
    records = result.match.records
    scores = []
    for block in range(result.test.blocks):
        games = [record for record in records if record.block == block]
        assert sorted(record.agents.index(0) for record in games) == [0, 1, 2]
        scores.append(sum(shares(record.returns)[record.agents.index(0)] for record in games) / 3)
    counted = result.summary()["block_scores"]
    assert sum(one["blocks"] for one in counted) == result.test.blocks
    mean = sum(scores) / len(scores)
    assert sum(one["score"] * one["blocks"] for one in counted) / len(scores) == pytest.approx(mean)
    assert result.summary()["elo"] == pytest.approx(elo_of_score(mean, 3))


def test_games_may_run_out():
    result = run_sprt(MatchSpec(GameSpec("tictactoe"), ("random", "random"), games=7), Sprt(2, 0, 1))
    assert result.test.decision is None
    assert result.match.complete
    summary = result.summary()
    assert (summary["blocks"], summary["games"], summary["extra_games"]) == (3, 6, 1), "half a block does not count"


def test_enough_ends_any_match():
    seen = []
    result = run_match(SPEC, enough=lambda games: bool(seen.extend(games.index.tolist())) or len(seen) >= 20)
    assert 20 <= result.tally.games < 400
    assert sorted(seen) == result.results.index.tolist() == [r.index for r in result.records]
