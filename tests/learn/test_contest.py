"""Contests and duels: whole blocks, everyone in every seat and after everyone; agents that fail are told."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from learn.test_commands import run
from oponente.arena.play import StoppedError
from oponente.games.catalogue import GameSpec
from oponente.kernel import Control
from oponente.learn.contest import Contest, Standing, crew, duel, hold, holder

CATAN, TICTACTOE = GameSpec("catan", (("trade", "false"),)), GameSpec("tictactoe")
COINS = GameSpec("coins", (), str(Path(__file__).parents[1] / "toy_games" / "coins.py"))
PLAYERS = str(Path(__file__).parents[1] / "arena" / "players.py")
FIXED = str(Path(__file__).parent / "players.py")


def seatings(matches):
    """Return the number of the agent in each seat, for all games of some matches."""
    return [
        tuple(chosen[agent] for agent in spec.seating(index)) for chosen, spec in matches for index in range(spec.games)
    ]


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 10])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("games", [1, 20, 37])
def test_everyone_sits_in_every_seat_equally_often(agents, players, games):
    if agents < players:
        return
    names = tuple("abcdefghij"[:agents])
    matches = Contest(TICTACTOE, names, games, 3).matches(players)
    assert all(spec.games % players == 0 for _, spec in matches)
    assert len({spec.seed for _, spec in matches}) == len(matches)
    seated = seatings(matches)
    assert games <= len(seated) < games + players
    counts = [Counter(row[seat] for row in seated) for seat in range(players)]
    assert all(count == counts[0] for count in counts)
    assert max(counts[0].values()) - min(counts[0][one] for one in range(agents)) <= 1
    assert all(spec.agents == tuple(names[one] for one in chosen) for chosen, spec in matches)


def test_of_more_agents_than_seats_all_meet_equally_often():
    met = Counter(frozenset(row) for row in seatings(Contest(TICTACTOE, ("a", "b", "c", "d"), 24, 1).matches(2)))
    assert len(met) == 6
    assert set(met.values()) == {4}


def test_who_sits_after_whom_changes_from_block_to_block():
    matches = Contest(CATAN, ("a", "b", "c", "d"), 240, 5).matches(4)
    assert len({chosen for chosen, _ in matches}) == 6
    after = Counter(pair for row in seatings(matches) for pair in zip(row, (*row[1:], row[0]), strict=True))
    assert set(after) == set(itertools.permutations(range(4), 2))
    assert min(after.values()) > 40  # of 80 on average
    assert matches == Contest(CATAN, ("a", "b", "c", "d"), 240, 5).matches(4)
    assert matches != Contest(CATAN, ("a", "b", "c", "d"), 240, 6).matches(4)


# --- crews ---------------------------------------------------------------------------------------------------------


def wait_until_stopped(begun, control):
    """Do nothing until the crew is told to stop."""
    begun.set()
    while not control.stopped:
        time.sleep(0.001)
    raise StoppedError


def test_what_a_crew_of_threads_does_is_stopped_when_it_is_left():
    tasks = [threading.Event() for _ in range(3)]
    with crew(TICTACTOE, ["random"], 2) as playing:
        playing(wait_until_stopped, tasks)
        assert tasks[0].wait(60)
        assert tasks[1].wait(60)
    assert not tasks[2].is_set()


def test_a_contest_heeds_its_stop_flag():
    control = Control()
    assert hold(Contest(TICTACTOE, ("random", "random"), 2, 1), control)[0].games == 2
    control.stop()
    with pytest.raises(StoppedError):
        hold(Contest(TICTACTOE, ("random", "random"), 2, 1), control)


# --- duels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "games", "played"),
    [("tictactoe", 4, 4), ("tictactoe", 1, 2), ("tictactoe", 99, 100), ("catan", 80, 80), ("catan", 81, 88)],
)
def test_both_sides_of_a_duel_have_each_seat_and_layout_equally_often(game, games, played):
    seated = []

    def held(contests):
        for contest in contests:
            for row in seatings(contest.matches(len(contest.agents))):
                seated.append(tuple(contest.agents[one] for one in row))
        return [[Standing(contest.games, 0.0, 0.0)] * len(contest.agents) for contest in contests]

    assert duel(GameSpec(game), "one", "other", games, 1, held).games == played == len(seated)
    for column in zip(*seated, strict=True):
        assert column.count("one") == column.count("other")
    layouts = Counter("by turns" if row[0] == row[len(row) // 2] else "side by side" for row in seated)
    assert len(set(layouts.values())) == 1
    assert len(layouts) == (2 if game == "catan" else 1)


def test_duels_count_both_sides():
    def held(contests):
        return [[Standing(c.games, (c.games if i == 0 else 0), 0.0) for i, _ in enumerate(c.agents)] for c in contests]

    result = duel(CATAN, "value", "random", 104, 1, held)
    assert (result.games, result.won, result.score) == (104, 104.0, 1.0)
    assert result.interval[0] > 0.96
    alike = duel(CATAN, "value", "value", 64, 1, lambda cs: [[Standing(c.games, c.games / 4, 0.0)] * 4 for c in cs])
    assert alike.score == 0.5
    with pytest.raises(ValueError, match="an even number"):
        duel(GameSpec("catan", (("players", "3"),)), "value", "random", 10, 1, held)


def test_a_drawn_game_is_won_in_parts():
    draws = ("fixed:plan=level", "fixed")
    assert [standing.won for standing in hold(Contest(TICTACTOE, draws, 4, 1, (FIXED,)))] == [2.0, 2.0]
    drawn = duel(TICTACTOE, *draws, 40, 1, lambda contests: [hold(contest) for contest in contests], (FIXED,))
    assert (drawn.games, drawn.won, drawn.score) == (40, 20.0, 0.5)
    assert 0.3 < drawn.interval[0] < 0.5 < drawn.interval[1] < 0.7


def test_agents_of_a_game_for_one_play_the_same_games():
    matches = Contest(COINS, ("random", "random", "random"), 12, 7).matches(1)
    assert [(order, spec.games) for order, spec in matches] == [((0,), 4), ((1,), 4), ((2,), 4)]
    assert len({spec.start_seed(0) for _, spec in matches}) == 1
    standings = hold(Contest(COINS, ("fixed:plan=jump", "fixed:plan=walk"), 40, 7, (FIXED,)))
    assert [(standing.games, standing.won) for standing in standings] == [(20, 20.0), (20, 20.0)]
    assert standings[0].rank < standings[1].rank


@pytest.mark.compiled
def test_contests_are_the_same_on_any_number_of_workers():
    contests = [Contest(TICTACTOE, ("random", "one-step", "random"), 9, seed) for seed in range(4)]
    with holder(TICTACTOE, ["random", "one-step"], 2) as held:
        assert held(contests) == [hold(contest) for contest in contests]
    assert [sum(standing.games for standing in hold(contest)) for contest in contests] == [20] * 4


# --- agents that fail ----------------------------------------------------------------------------------------------


def test_an_agent_that_fails_ends_a_contest():
    with pytest.raises(RuntimeError, match=r"an agent has failed: raises raised RuntimeError: no idea$"):
        hold(Contest(TICTACTOE, ("raises", "random"), 4, 1, (PLAYERS,)))


@pytest.mark.parametrize(
    "method", [("ntbea", "--steps", 1), ("ga", "--iterations", 1, "--population", 4, "--tournaments", 1)]
)
def test_an_agent_that_fails_ends_a_training_in_one_line(tmp_path, capsys, method):
    command = ("train", method[0], "tictactoe", "raises", "--agent-file", PLAYERS, *method[1:])
    status, out, err = run(capsys, *command, "--out", tmp_path / "out")
    assert (status, out) == (2, "")
    assert "oponente: an agent has failed: raises raised RuntimeError: no idea" in err
    assert err.count("\n") == 0
