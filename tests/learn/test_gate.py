"""The gate: paired matches, what their blocks say, and the same answer on any number of workers."""

from __future__ import annotations

import numpy as np
import pytest

from oponente.games.catalogue import GameSpec
from oponente.learn.contest import crew, layouts
from oponente.learn.gate import compare, verdict

TICTACTOE = GameSpec("tictactoe")


def test_equal_blocks_are_even_and_few_are_not_certain():
    even = verdict([0.5] * 100, 2)
    assert (even.games, even.score, even.even, even.superiority) == (200, 0.5, 0.5, pytest.approx(0.5))
    assert even.low < 0.5 < even.high
    won = verdict([1.0] * 3, 2)
    assert won.score == won.high == 1.0
    assert won.low > 0.5
    assert 0.95 < won.superiority < 0.999
    lost = verdict([0.0] * 3, 2)
    assert lost.superiority == pytest.approx(1.0 - won.superiority)


@pytest.mark.parametrize(("players", "even"), [(2, 1 / 2), (3, 1 / 3), (4, 1 / 2), (5, 2 / 5)])
def test_what_an_equal_agent_gets_speaks_for_nobody(players, even):
    found = verdict([even] * 4, players)
    assert (found.even, found.superiority) == (pytest.approx(even), pytest.approx(0.5))
    assert found.low < even < found.high


def test_intervals_hold_what_is_true_as_often_as_they_say():
    chance = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        scores = chance.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=60, p=[0.1, 0.2, 0.3, 0.2, 0.2])
        found = verdict(scores.tolist(), 2)
        held += found.low <= 0.55 <= found.high
    assert 0.92 < held / 400 < 0.98


def test_both_kinds_have_each_seat_as_often():
    assert layouts(2) == [[True, False]]
    assert layouts(6) == [[True] * 3 + [False] * 3, [True, False] * 3]
    assert [[sum(layout) for layout in layouts(players)] for players in (3, 4, 5)] == [[1], [2, 2], [2, 2]]


@pytest.mark.compiled
def test_the_better_one_is_told_whoever_is_asked_and_however_many_work():
    with crew(TICTACTOE, ["random", "one-step"], 1) as one:
        better = compare(TICTACTOE, "one-step", "random", 100, 5, one)
        worse = compare(TICTACTOE, "random", "one-step", 100, 5, one)
        alike = compare(TICTACTOE, "random", "random", 100, 5, one)
    assert (better.games, worse.games) == (100, 100)
    assert better.superiority > 0.99
    assert worse.superiority < 0.01
    assert better.low > 0.5 > worse.high
    assert alike.low < 0.5 < alike.high
    with crew(TICTACTOE, ["random", "one-step"], 2) as two:
        assert compare(TICTACTOE, "one-step", "random", 100, 5, two) == better


def test_games_for_one_have_nobody_to_compare():
    with pytest.raises(ValueError, match="has one player here"):
        compare(GameSpec("vgdl", (("game", "ferryman"),)), "random", "random", 10, 1, map)
