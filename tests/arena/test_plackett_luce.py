import itertools
import math

import numpy as np
import pytest

from oponente.arena.plackett_luce import POINTS, Games, fit


def games_of(*blocks):
    """Return the games of a match, block by block: the agents in their seats, and the utilities."""
    flat = [(number, *game) for number, games in enumerate(blocks) for game in games]
    numbers, agents, returns = (np.array(column) for column in zip(*flat, strict=True))
    return Games(np.zeros(len(flat), np.int64), numbers, agents, returns.astype(np.float64))


def blocks(*games):
    """Return blocks of one game each: the agents in the order of their places."""
    return games_of(*([(order, tuple(range(len(order), 0, -1)))] for order in games))


def test_two_agents_are_elo():
    """Of 100 games 76 are won: odds of 76 to 24."""
    games = blocks(*[(0, 1)] * 76, *[(1, 0)] * 24)
    ratings = fit(games, 2, samples=50, prior=0.0).ratings
    assert ratings[0] - ratings[1] == pytest.approx(400 * math.log10(76 / 24))
    assert ratings.sum() == pytest.approx(0)


def test_a_draw_is_half_a_win():
    drawn, won = [((0, 1), (0.0, 0.0))], [((0, 1), (1.0, -1.0))]
    both = fit(games_of(*[drawn] * 40, *[won] * 60), 2, samples=1, prior=0.0).ratings
    same = fit(blocks(*[(0, 1)] * 80, *[(1, 0)] * 20), 2, samples=1, prior=0.0).ratings
    assert both == pytest.approx(same)


def test_what_a_cycle_says():
    """A beats B, B beats C, C beats A, as often each: all are equal."""
    games = blocks(*[(0, 1)] * 10, *[(1, 2)] * 10, *[(2, 0)] * 10)
    assert fit(games, 3, samples=1).ratings == pytest.approx([0, 0, 0], abs=1e-6)


def test_rankings_of_three_against_the_formula():
    """The slope of the likelihood, worked out for each ranking by the definition, is 0 at the result."""
    games = [(0, 1, 2)] * 7 + [(0, 2, 1)] * 4 + [(1, 0, 2)] * 3 + [(2, 1, 0)] * 2 + [(2, 0, 1)]
    theta = fit(blocks(*games), 3, samples=1, prior=0.0).ratings / POINTS

    def log_likelihood(theta):
        strength = np.exp(theta)
        return sum(
            math.log(strength[a] / strength.sum()) + math.log(strength[b] / (strength[b] + strength[c]))
            for a, b, c in games
        )

    for direction in np.eye(3):
        ahead, behind = log_likelihood(theta + 1e-5 * direction), log_likelihood(theta - 1e-5 * direction)
        assert (ahead - behind) / 2e-5 == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("players", [2, 4])
def test_ratings_that_games_were_drawn_from_are_found(players):
    rng = np.random.default_rng(1)
    true = np.array([0.0, 0.3, 0.9, -0.7, -0.5])
    true -= true.mean()
    games = []
    for _ in range(4000):
        seats = rng.choice(5, players, replace=False)
        # Adding Gumbel noise to the logarithms gives a ranking of the model.
        order = seats[np.argsort(-(true[seats] + rng.gumbel(size=players)))]
        games.append(tuple(int(agent) for agent in order))
    result = fit(blocks(*games), 5, samples=200)
    assert result.ratings == pytest.approx(POINTS * true, abs=35)
    covered = 0
    for agent in range(5):
        low, high = result.interval(agent)
        covered += low <= POINTS * true[agent] <= high
        assert 5 < high - low < 80
    assert covered >= 4
    assert result.superiority(2, 3) == 1.0
    assert 0.5 < result.superiority(1, 0) <= 1.0


def test_copies_of_an_agent_in_a_game():
    """One against three copies of another: winning 1 of 4 games is no more than equal strength gives."""
    games = [[((0, 1, 1, 1), (1, -1, -1, -1))]] * 25
    games += [[((0, 1, 1, 1), (-1, 1, -1, -1))]] * 75
    ratings = fit(games_of(*games), 2, samples=1, prior=0.0).ratings
    assert ratings[0] == pytest.approx(ratings[1], abs=1e-6)


def test_where_only_the_winner_counts_strengths_are_odds():
    """Of four agents that win 50, 25, 15 and 10 of 100 games the strengths are as these numbers."""
    games = []
    for winner, count in enumerate((50, 25, 15, 10)):
        returns = tuple(1.0 if seat == winner else -1.0 for seat in range(4))
        games += [[((0, 1, 2, 3), returns)]] * count
    ratings = fit(games_of(*games), 4, samples=1, prior=0.0).ratings
    assert ratings[0] - ratings[3] == pytest.approx(400 * math.log10(5))
    assert ratings[1] - ratings[2] == pytest.approx(400 * math.log10(25 / 15))


def test_an_agent_that_always_wins_has_a_finite_rating():
    few, many = (fit(blocks(*[(0, 1)] * n), 2, samples=20).ratings[0] for n in (10, 1000))
    assert 0 < few < many < 4000


def test_intervals_are_of_blocks():
    """Games that always end alike within a block say no more than one of them does."""
    rng = np.random.default_rng(2)
    won = rng.random(200) < 0.6
    single = [[((0, 1), (1, 0) if w else (0, 1))] for w in won]
    fourfold = [block * 4 for block in single]
    widths = []
    for games in (single, fourfold):
        low, high = fit(games_of(*games), 2, samples=400).interval(0)
        widths.append(high - low)
    assert widths[0] == pytest.approx(widths[1], rel=0.15)


WON = [((0, 1), (1, -1)), ((1, 0), (-1, 1))]
"""A block in which the first agent wins from both seats."""
DRAWN = [((0, 1), (0, 0)), ((1, 0), (0, 0))]


def test_a_few_equal_blocks_are_not_certain():
    """Where all were won, the interval begins about where that of Clopper and Pearson does, of blocks or of games."""
    for count, superiority in ((1, 0.9), (2, 0.95), (3, 0.97)):
        result = fit(games_of(*[WON] * count), 2)
        low, high = result.interval(0)
        assert low < 0 < result.ratings[0] < high
        assert 0.5 < result.superiority(0, 1) < superiority
    widths = []
    for count in (10, 50):
        result = fit(games_of(*[WON] * count), 2)
        low, high = result.interval(0)
        least, most = (
            200 * math.log10(share / (1 - share)) for share in (0.025 ** (1 / count), 0.025 ** (0.5 / count))
        )
        assert least - 20 < low < most + 20
        assert result.ratings[0] + 300 < high
        widths.append(high - low)
    assert widths[1] > 0.5 * widths[0], "how much better who always wins is remains unknown"


def test_equal_blocks_say_the_more_the_more_there_are():
    lows, highs = zip(*(fit(games_of(*[DRAWN] * count), 2).interval(0) for count in (1, 5, 50)), strict=True)
    assert -800 < lows[0] < -300 < lows[1] < -20 < lows[2] < -2
    assert highs == pytest.approx([-low for low in lows], rel=0.25)


def test_who_has_not_played_may_be_of_any_strength():
    nothing = Games(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 2), np.int64), np.zeros((0, 2)))
    for result, agent in ((fit(nothing, 2), 0), (fit(games_of(*[WON] * 50), 3), 2)):
        low, high = result.interval(agent)
        assert low < -400
        assert high > 400


def test_the_same_games_of_four_in_one_block():
    """One block of a game of four: the winner is not known to be better."""
    games = [((0, 1, 2, 3), (1, -1, -1, -1))] * 4
    result = fit(games_of(games), 4)
    assert 0.5 < result.superiority(0, 1) < 0.95
    low, high = result.interval(0)
    assert low < 0 < high


def drawn_blocks(rng, strengths, groups, count, alike):
    """Return games of the model: `count` blocks of each group; so many of the games are as the first of their block."""
    columns = []
    for match, group in enumerate(groups):
        for block in range(count):
            shared = strengths[list(group)] + rng.gumbel(size=len(group))
            for _ in group:
                own = strengths[list(group)] + rng.gumbel(size=len(group))
                columns.append((match, block, group, np.argsort(np.argsort(shared if rng.random() < alike else own))))
    match, block, agents, returns = (np.array(column) for column in zip(*columns, strict=True))
    return Games(match, block, agents, returns.astype(np.float64))


@pytest.mark.parametrize(
    ("agents", "players", "count", "spread", "alike", "times", "least", "most"),
    [
        (2, 2, 1, 400, 0.5, 30, 0.9, 1.0),
        (2, 2, 3, 0, 1.0, 40, 0.9, 1.0),
        (2, 2, 5, 200, 0.5, 40, 0.9, 1.0),
        (4, 2, 1, 300, 0.5, 30, 0.9, 1.0),
        (4, 3, 2, 300, 0.5, 20, 0.9, 1.0),
        (2, 2, 100, 100, 0.0, 60, 0.91, 0.99),
        (4, 2, 40, 300, 0.5, 40, 0.91, 0.98),
    ],
)
def test_intervals_hold_what_games_were_drawn_from(agents, players, count, spread, alike, times, least, most):
    rng = np.random.default_rng(11)
    points = np.linspace(-spread / 2, spread / 2, agents)
    covered = []
    for seed in range(times):
        groups = list(itertools.combinations(range(agents), players))
        games = drawn_blocks(rng, points / POINTS, groups, count, alike)
        result = fit(games, agents, samples=120, seed=seed)
        intervals = [result.interval(agent) for agent in range(agents)]
        covered += [low <= true <= high for true, (low, high) in zip(points, intervals, strict=True)]
    assert least <= np.mean(covered) <= most


def test_many_blocks_are_as_by_the_formula():
    """Of n games of independent luck: the deviation of a difference is that of the logarithm of the odds."""
    rng = np.random.default_rng(5)
    count, chance = 400, 0.7
    won = rng.random(count) < chance
    result = fit(games_of(*([((0, 1), (1, 0) if w else (0, 1))] for w in won)), 2, samples=2000)
    share = won.mean()
    deviation = POINTS / math.sqrt(count * share * (1.0 - share))
    difference = result.samples[:, 0] - result.samples[:, 1]
    assert np.std(difference) == pytest.approx(deviation, rel=0.06)
    assert np.mean(difference) == pytest.approx(result.ratings[0] - result.ratings[1], abs=0.1 * deviation)


def test_same_seed_same_samples():
    games = blocks(*[(0, 1), (1, 2), (2, 0), (0, 2)] * 5)
    first, second = (fit(games, 3, samples=20, seed=5) for _ in range(2))
    assert (first.samples == second.samples).all()
    assert (first.samples != fit(games, 3, samples=20, seed=6).samples).any()


def test_unknown_agents_are_refused():
    with pytest.raises(ValueError, match="there are 2 agents"):
        fit(blocks((0, 2)), 2)
