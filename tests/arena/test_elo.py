"""Scores of blocks and differences in Elo, beside numbers that were computed by hand."""

import math
import random
from array import array

import numpy as np
import pytest

from oponente.arena.columns import game_columns
from oponente.arena.elo import BlockScores, WholeBlocks, block_scores, elo_of_score, expected_score, shares
from oponente.arena.record import GameRecord, SeatRecord


def test_scores_of_blocks():
    assert list(block_scores(2)) == [0, 0.25, 0.5, 0.75, 1]
    assert {0, 1, 0.25, 0.125} <= set(block_scores(4))
    assert block_scores(3).size == 15
    assert all(np.diff(block_scores(players)).min() > 1e-3 for players in range(1, 7)), "none is there twice"
    assert shares([(1.0, -1.0), (0.0, 0.0), (2.0, 3.0)]).tolist() == [[1, 0], [0.5, 0.5], [0, 1]]
    assert shares((3.0, 3.0, 3.0, 1.0)).tolist() == [1 / 3, 1 / 3, 1 / 3, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_elo_and_score_are_inverse(players):
    assert expected_score(0, players) == pytest.approx(1 / players)
    for elo in (-300, -10, 0, 5, 250):
        assert elo_of_score(expected_score(elo, players), players) == pytest.approx(elo)
    assert elo_of_score(1) == math.inf
    assert elo_of_score(0) == -math.inf


def record(index, block, agents, returns):
    seats = tuple(SeatRecord(agent, array("f"), None) for agent in agents)
    return GameRecord(index, block, seats, 0, 0, (), returns, "played")


def test_blocks_are_whole_in_any_order():
    games = [
        record(0, 0, (0, 1, 2), (1.0, 0.0, 0.0)),  # 1
        record(1, 0, (1, 2, 0), (1.0, 0.0, 1.0)),  # 1/2
        record(2, 0, (2, 0, 1), (1.0, 0.0, 0.0)),  # 0
        record(3, 1, (0, 1, 2), (1.0, 1.0, 1.0)),
    ]
    for seed in range(6):
        random.Random(seed).shuffle(games)
        for parts in ([games], [games[:2], games[2:]], [[game] for game in games]):
            whole = WholeBlocks(3)
            found = [whole.add(game_columns(part).results) for part in parts]
            assert [(number, score) for one in found for number, score in zip(*one, strict=True)] == [(0, 0.5)]
    assert WholeBlocks(1, agent=2).add(game_columns(games).results)[0].size > 0


def scores(*blocks, players=2):
    found = BlockScores(players)
    for block in blocks:
        found.add(block)
    return found


def test_mean_and_superiority_by_hand():
    """Counts 0, 1, 1, 0, 2; with half a block at each end 0.5, 1, 1, 0, 2.5.

    Then the mean is 3.25 / 5 = 0.65, the sum of squares 0.21125 + 0.16 + 0.0225 + 0.30625 = 0.7, and the standard
    error sqrt(0.7) / 5 = 0.167332; 0.15 is 0.896421 of it, and of a normal distribution 0.814987 lie below that.
    """
    found = scores(1.0, 0.25, 0.5, 1.0)
    assert found.blocks == 4
    assert found.listed() == [{"score": 0.25, "blocks": 1}, {"score": 0.5, "blocks": 1}, {"score": 1.0, "blocks": 2}]
    assert found.mean() == pytest.approx((0.6875, 0.65 - 1.959964 * 0.1673320, 0.65 + 1.959964 * 0.1673320))
    # 400 log10(0.6875 / 0.3125), and of 0.322035 and 0.977965.
    assert found.elo() == pytest.approx((136.969, -129.325, 658.886), abs=0.01)
    assert found.superiority() == pytest.approx(0.81499, abs=1e-5)


def test_who_wins_all_is_infinitely_better_but_not_for_certain():
    """Ten pairs won: padded 0.5 and 10.5 of 11; mean 10.5 / 11, standard error sqrt(0.477273) / 11 = 0.0628047."""
    won, lost = scores(*[1.0] * 10), scores(*[0.0] * 10)
    elo, low, high = won.elo()
    assert (elo, high) == (math.inf, math.inf)
    assert low == pytest.approx(400 * math.log10(0.831450 / 0.168550), abs=0.01)
    assert lost.elo() == (-math.inf, -math.inf, pytest.approx(-low))
    assert 1 > won.superiority() > 0.999
    assert 0 < lost.superiority() < 0.001


def test_equal_results_tell_nothing_and_no_result_less():
    assert scores(0.5, 0.5).superiority() == pytest.approx(0.5)
    assert scores(0.25, 0.75).elo()[0] == pytest.approx(0)
    nothing = scores()
    assert nothing.superiority() is None
    assert math.isnan(nothing.elo()[0])
    assert nothing.elo()[1:] == (-math.inf, math.inf)


@pytest.mark.parametrize("won", range(1, 40))
def test_superiority_and_interval_say_the_same(won):
    found = scores(*[1.0] * won, *[0.0] * (40 - won))
    assert (found.superiority() > 0.975) == (found.elo()[1] > 0)
