import json
import math
import random
from array import array
from dataclasses import replace

import pytest

from oponente.arena import (
    FORFEIT,
    PLAYED,
    GameRecord,
    SeatRecord,
    Table,
    Tally,
    outcomes,
    summary_json,
    wilson_interval,
)

from .helpers import TRIO, a_match


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_intervals_are_the_published_ones(successes, trials, low, high):
    assert wilson_interval(successes, trials) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_wilson_interval_of_nothing_is_everything():
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_wilson_intervals_hold_the_rate():
    for trials in range(1, 40):
        for successes in range(trials + 1):
            low, high = wilson_interval(successes, trials)
            assert 0 <= low <= successes / trials <= high <= 1


@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        ((1.0, -1.0), (1, -1)),
        ((0.0, 0.0), (0, 0)),
        ((0.5, 1.0, 0.0), (-1, 1, -1)),
        ((1.0, 0.0, 1.0), (0, -1, 0)),
        ((0.2, 0.2, 0.2), (0, 0, 0)),
        ((3.0,), (1,)),
        ((0.0,), (0,)),
        ((-1.0,), (-1,)),
    ],
)
def test_the_greatest_utility_wins_and_a_shared_one_draws(returns, expected):
    assert tuple(outcomes(returns)) == expected
    assert outcomes([returns, returns]).tolist() == [list(expected)] * 2


def _record(index, agents, returns, *, nodes=None, times=(1.0, 3.0), loser=None):
    seats = tuple(SeatRecord(agent, array("f", times), nodes) for agent in agents)
    status = PLAYED if loser is None else FORFEIT
    return GameRecord(index, index // len(agents), seats, 0, 0, (1, 2, 3), returns, status, "", loser)


def test_three_players_are_counted_by_agent_and_seat():
    records = [
        _record(0, (0, 1, 2), (1.0, 0.0, 0.5)),
        _record(1, (1, 2, 0), (1.0, 0.0, 1.0)),
        _record(2, (2, 0, 1), (0.0, 0.5, 0.5), loser=0),
    ]
    spec = a_match("first", "random", "first", game=TRIO, games=3)
    summary = summary_json(spec, Tally(3, records), 5.0)
    first, second, third = summary["agents"]
    assert [first[key] for key in ("agent", "wins", "draws", "losses", "forfeits")] == ["first", 1, 2, 0, 0]
    assert [second[key] for key in ("wins", "draws", "losses")] == [0, 2, 1]
    assert [third[key] for key in ("wins", "draws", "losses", "forfeits")] == [0, 0, 3, 1]
    assert first["win_rate"] == pytest.approx(1 / 3)
    assert first["ci95"] == list(wilson_interval(1, 3))
    assert first["mean_score"] == pytest.approx(2.5 / 3)
    assert [(seat["seat"], seat["games"], seat["wins"], seat["draws"]) for seat in first["by_seat"]] == [
        (0, 1, 1, 0),
        (1, 1, 0, 1),
        (2, 1, 0, 1),
    ]
    assert first["mean_decision_ms"] == pytest.approx(2.0)
    assert first["p95_decision_ms"] == pytest.approx(3.0)
    assert first["mean_nodes"] is None
    assert (summary["games"], summary["mean_length"], summary["games_per_s"]) == (3, 3.0, 5.0)
    assert summary["copies"] is None


def test_nodes_are_counted_per_decision():
    tally = Tally(2, [_record(0, (0, 1), (1.0, -1.0), nodes=30), _record(1, (1, 0), (1.0, -1.0), nodes=10)])
    assert summary_json(a_match("first", "first"), tally)["agents"][0]["mean_nodes"] == 10.0


def test_elo_of_two_agents_counts_pairs_or_with_fixed_seats_games():
    """The first agent wins two games and loses two: of a pair 1 and of a pair 0, or each game by itself."""
    games = [((0, 1), (1.0, -1.0)), ((1, 0), (-1.0, 1.0)), ((0, 1), (-1.0, 1.0)), ((1, 0), (1.0, -1.0))]
    spec = a_match("first", "random", games=5)
    paired = summary_json(spec, Tally(2, [_record(i, *game) for i, game in enumerate(games)]))
    assert (paired["blocks"], paired["elo"], paired["los"]) == (2, 0.0, 0.5)
    assert paired["block_scores"] == [{"score": 0.0, "blocks": 1}, {"score": 1.0, "blocks": 1}]
    # Padded to 1.5 and 1.5: standard error sqrt(0.75) / 3 = 0.288675, so the interval reaches beyond 0 and 1.
    assert paired["elo_ci95"] == [None, None]
    half = summary_json(spec, Tally(2, [_record(i, *game) for i, game in enumerate(games[:3])]))
    assert (half["games"], half["blocks"]) == (3, 1)
    assert half["elo"] is None
    fixed = [replace(_record(i, (0, 1), (1.0, -1.0) if i < 3 else (-1.0, 1.0)), block=i) for i in range(4)]
    single = summary_json(replace(spec, rotate=False), Tally(2, fixed, rotate=False))
    assert single["blocks"] == 4
    assert single["elo"] == pytest.approx(400 * math.log10(3))
    # Padded to 1.5 and 3.5: mean 0.7, standard error sqrt(1.05) / 5 = 0.204939, and 0.2 is 0.975900 of it.
    assert single["los"] == pytest.approx(0.835443, abs=1e-5)
    assert single["elo_ci95"] == [pytest.approx(400 * math.log10(0.298327 / 0.701673), abs=0.01), None]


def test_elo_is_for_two_agents():
    assert "elo" not in summary_json(a_match("first", "random", "first", game=TRIO), Tally(3))
    nothing = summary_json(a_match("first", "random"), Tally(2))
    assert (nothing["elo"], nothing["elo_ci95"], nothing["los"], nothing["blocks"]) == (None, [None, None], None, 0)


def test_the_order_of_games_makes_no_difference():
    records = [_record(i, (i % 2, 1 - i % 2), (0.1 * i, 0.7), times=()) for i in range(50)]
    spec = a_match("random", "random")
    expected = summary_json(spec, Tally(2, records))
    for seed in range(5):
        random.Random(seed).shuffle(records)
        assert summary_json(spec, Tally(2, records)) == expected


def test_a_summary_is_json_with_the_fixed_keys():
    spec = a_match("first", "first", games=4)
    table = Table(spec)
    for games in (0, 4):
        summary = json.loads(json.dumps(summary_json(spec, Tally(2, map(table.play, range(games)))), allow_nan=False))
        assert {"game", "options", "seed", "games", "games_per_s", "agents"} <= set(summary)
        assert [agent["agent"] for agent in summary["agents"]] == ["first", "first"]
        for agent in summary["agents"]:
            keys = {"wins", "draws", "losses", "win_rate", "ci95", "mean_score", "mean_decision_ms", "by_seat"}
            assert keys <= set(agent)
            assert [set(seat) for seat in agent["by_seat"]] == [{"seat", "games", "wins", "draws", "ci95"}] * 2
