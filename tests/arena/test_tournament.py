import dataclasses
import itertools
import random
import signal
import sqlite3
import subprocess
import sys
import time
from array import array
from collections import Counter
from contextlib import closing

import numpy as np
import pytest

from oponente.arena import MatchInterrupted, run_match
from oponente.arena import tournament as tournaments
from oponente.arena.columns import game_columns
from oponente.arena.ratings import Glicko2
from oponente.arena.record import GameRecord, SeatRecord
from oponente.arena.storage import Store
from oponente.arena.tournament import (
    TournamentInterrupted,
    TournamentResult,
    TournamentSpec,
    run_tournament,
    swiss_round,
    unfinished_tournament,
)
from oponente.arena.tournament_report import tournament_page
from oponente.arena.tournament_tables import cross_rows, standing_rows
from oponente.games.catalogue import GameSpec

from .helpers import PLAYERS, TRIO

GAME = GameSpec("tictactoe")
FIRST = '''
from oponente import Agent


class First(Agent):
    """Plays the first legal action."""

    name = "first"

    def choose(self, view, budget):
        return view.legal_actions[0]
'''


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    file = tmp_path_factory.mktemp("agents") / "first.py"
    file.write_text(FIRST)
    return TournamentSpec(GAME, ("random", "one-step", "first"), blocks=10, seed=7, agent_files=(str(file),))


def test_round_robin_groups():
    five = TournamentSpec(GAME, tuple("abcde"))
    assert five.groups(2) == list(itertools.combinations(range(5), 2))
    assert len(five.groups(3)) == 10
    two = TournamentSpec(GAME, ("a", "b"))
    assert two.groups(4) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    assert TournamentSpec(GAME, ("a", "b", "c"), form="gauntlet").groups(4) == [(0, 1, 1, 1), (0, 2, 2, 2)]
    with pytest.raises(ValueError, match="swiss"):
        TournamentSpec(GAME, tuple(map(str, range(300)))).groups(4)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"entrants": ("a",)}, "two entrants"),
        ({"entrants": ("a", "a")}, "twice"),
        ({"form": "knockout"}, "round-robin, gauntlet, swiss"),
        ({"blocks": 0}, "at least 1"),
        ({"rounds": 3}, "for format swiss"),
    ],
)
def test_no_tournament(arguments, says):
    with pytest.raises(ValueError, match=says):
        TournamentSpec(**{"game": GAME, "entrants": ("a", "b"), **arguments})


def test_results_do_not_depend_on_workers_or_order(spec, tmp_path):
    first = run_tournament(spec, store=tmp_path / "first.db")
    second = run_tournament(spec, workers=2, store=tmp_path / "second.db")
    assert first.summary() == second.summary()
    assert first.finished == first.games == 3 * 20
    # Entered in another order the same agents play the same games.
    run_tournament(
        TournamentSpec(GAME, ("first", "random", "one-step"), 10, seed=7, agent_files=spec.agent_files),
        store=tmp_path / "other.db",
    )
    games = []
    for name in ("first.db", "other.db"):
        with Store(tmp_path / name) as store:
            games.append(
                {(m.spec.agents, tuple(record.actions for record in store.records(m.id))) for m in store.matches()}
            )
    assert len(games[0] & games[1]) == 1  # only one pair is in the same order, which is who sits first


def test_standings_count_every_game(spec):
    result = run_tournament(spec)
    standings = result.standings(samples=50)
    assert [one.rating for one in standings] == sorted((one.rating for one in standings), reverse=True)
    assert sum(one.games for one in standings) == 2 * result.finished
    assert sum(one.wins for one in standings) == sum(one.losses for one in standings)
    assert sum(one.points for one in standings) == pytest.approx(result.finished)
    shares, met = result.cross_table()
    assert (met + np.eye(3, dtype=int) * 20 == 20).all()
    off = ~np.eye(3, dtype=bool)
    assert (shares + shares.T)[off] == pytest.approx(1.0)
    assert len(standing_rows(result, standings)) == len(cross_rows(result, standings)) == 3
    assert standings[-1].superiority is None
    assert sum(one.mass for one in standings) == pytest.approx(1)
    page = tournament_page(result, "oponente tournament", {})
    assert [section.title for section in page.sections] == ["Ratings", "Against each other"]


def test_online_ratings_take_blocks_of_all_matches_together(spec):
    result = run_tournament(spec)
    found = result.online_ratings("glicko-2")
    players = [Glicko2()] * 3
    for block in range(spec.blocks):
        met = [[] for _ in range(3)]
        games = result.played()
        for number, (first, second), (one, other) in zip(games.block, games.agents, games.returns, strict=True):
            if number == block:
                score = 0.5 + 0.5 * (one > other) - 0.5 * (one < other)
                met[first].append((players[second], score))
                met[second].append((players[first], 1.0 - score))
        assert [len(games) for games in met] == [4, 4, 4]
        players = [player.updated(games) for player, games in zip(players, met, strict=True)]
    assert [rating.rating for rating in found] == [pytest.approx(player.rating) for player in players]


# --- Swiss ---------------------------------------------------------------------------------------------------------


def played(group, winner):
    """Return the games of a match that one entrant, by place in the group, wins."""
    count = len(group)
    records = []
    for index in range(count):
        agents = tuple((seat + index) % count for seat in range(count))
        returns = tuple(1.0 if agent == winner else -1.0 for agent in agents)
        seats = tuple(SeatRecord(agent, array("f"), None) for agent in agents)
        records.append(GameRecord(index, 0, seats, 0, 0, (), returns, "played"))
    return tuple(group), 0, game_columns(records).results


@pytest.mark.parametrize(("entrants", "players"), [(8, 2), (7, 2), (11, 2), (9, 4), (12, 3)])
def test_swiss(entrants, players):
    """The stronger entrant (by number) wins: neighbours meet, nobody twice, byes go round, the best comes first."""
    spec = TournamentSpec(GAME, tuple(f"a{i}" for i in range(entrants)), blocks=1, form="swiss")
    result = TournamentResult(spec, players)
    rounds = spec.swiss_rounds()
    for _ in range(rounds):
        groups, out = swiss_round(result)
        assert sorted([e for group in groups for e in group] + out) == list(range(entrants))
        assert all(len(group) == players for group in groups)
        assert len(out) == entrants % players
        result.matches += [played(group, group.index(min(group))) for group in groups]
        result.byes += out
    points = result.points()
    assert points[0] == max(points)
    assert max(Counter(result.byes).values(), default=0) <= 1
    if players == 2:
        met = [frozenset(group) for group, _, _ in result.matches]
        assert len(set(met)) == len(met)


def test_a_large_swiss_field_in_many_rounds():
    """More pairs than Python allows calls within each other."""
    spec = TournamentSpec(GAME, tuple(f"a{i}" for i in range(2101)), blocks=1, form="swiss", rounds=3)
    result = TournamentResult(spec, 2)
    begin = time.monotonic()
    for _ in range(3):
        groups, out = swiss_round(result)
        result.matches += [played(group, group.index(min(group))) for group in groups]
        result.byes += out
    met = {frozenset(group) for group, _, _ in result.matches}
    assert len(met) == 3 * 1050
    assert len(set(result.byes)) == 3
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize(("entrants", "rounds"), [(32, 31), (33, 24)])
def test_swiss_without_repeats_where_that_can_be(entrants, rounds):
    """A search from the top alone gave up in round 13 of 32, and repeated 10 of 16 pairs."""
    spec = TournamentSpec(GAME, tuple(f"a{i}" for i in range(entrants)), blocks=1, form="swiss", rounds=rounds)
    result = TournamentResult(spec, 2)
    for _ in range(rounds):
        groups, out = swiss_round(result)
        result.matches += [played(group, group.index(min(group))) for group in groups]
        result.byes += out
    assert len({frozenset(group) for group, _, _ in result.matches}) == len(result.matches) == entrants // 2 * rounds
    assert len(set(result.byes)) == entrants % 2 * rounds


def test_swiss_goes_on_when_all_have_met():
    spec = TournamentSpec(GAME, ("a", "b"), blocks=1, form="swiss", rounds=3)
    result = TournamentResult(spec, 2)
    for _ in range(3):
        groups, _ = swiss_round(result)
        result.matches.append(played(groups[0], 0))
    assert result.finished == 6


def test_swiss_is_played(spec):
    swiss = TournamentSpec(GAME, spec.entrants, 5, "swiss", 3, seed=2, agent_files=spec.agent_files)
    result = run_tournament(swiss, workers=2)
    assert result.finished == result.games == 3 * 10
    assert sorted(result.byes) == [0, 1, 2]
    assert result.summary() == run_tournament(swiss).summary()


# --- more than two players ----------------------------------------------------------------------------------------


TRIO_ENTRANTS = ("random", "first", "flat-mc:10", "flat-mc:2")


def of_three(entrants=TRIO_ENTRANTS, blocks=4, **values):
    return TournamentSpec(TRIO, entrants, blocks, agent_files=(PLAYERS,), seed=3, **values)


def test_round_robin_of_three_players(tmp_path):
    spec = of_three()
    result = run_tournament(spec, workers=2, store=tmp_path / "games.db")
    assert result.summary() == run_tournament(spec).summary()
    assert [group for group, _, _ in result.matches] == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert result.finished == result.games == 4 * 4 * 3
    for group, _, games in result.matches:
        # All seats once in each block.
        for block in range(4):
            seatings = [tuple(seats) for seats in games.agents[games.block == block].tolist()]
            assert sorted(seatings) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
        assert len(group) == 3
    standings = result.standings(samples=50)
    assert [one.games for one in standings] == [3 * 4 * 3] * 4
    assert sum(one.points for one in standings) == pytest.approx(result.finished)
    assert {one.mass for one in standings} == {None}, "alpha-Rank is for games of two"
    assert spec.entrants[standings[0].entrant] == "flat-mc:10"
    _, met = result.cross_table()
    assert (met == 24 * (1 - np.eye(4, dtype=int))).all(), "two of the four matches, 12 games each"
    page = tournament_page(result, "oponente tournament", {"flat-mc:{}": [(10.0, "flat-mc:10"), (2.0, "flat-mc:2")]})
    assert [section.title for section in page.sections] == ["Ratings", "Strength by budget", "Against each other"]


def test_gauntlet_of_three_players():
    result = run_tournament(of_three(("flat-mc:10", "random", "first"), form="gauntlet"))
    assert [group for group, _, _ in result.matches] == [(0, 1, 1), (0, 2, 2)]
    _, met = result.cross_table()
    assert met[0].tolist() == [0, 24, 24], "each game compares the first entrant with two copies"
    assert met[1, 2] == 0
    assert [one.games for one in sorted(result.standings(50), key=lambda one: one.entrant)] == [24, 24, 24]
    assert result.standings(50)[0].entrant == 0


def test_what_has_come_so_far_of_the_match_that_is_played(spec):
    told = []

    def note(result, match):
        so_far = result.so_far(match)
        told.append((so_far.finished, result.finished + match.done))
        assert [len(games) for _, _, games in so_far.matches[-1:]] == [match.done]
        assert so_far.matches[-1][0] == spec.groups(2)[len(result.matches)]
        assert sum(one.games for one in so_far.standings(10)) == 2 * so_far.finished

    result = run_tournament(spec, progress=note)
    assert all(one == other for one, other in told)
    assert told[-1][0] == result.games == 60
    assert result.playing == ()


def break_off(spec, store):
    """Play until the second match has 5 games; return how many games are kept."""

    def stop(result, progress):
        if len(result.matches) == 1 and progress.done >= 5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run_tournament(spec, store=store, progress=stop)
    return sum(match.finished for match in store.matches())


def test_swiss_of_three_players_goes_on(tmp_path):
    spec = of_three(form="swiss", rounds=3)
    whole = run_tournament(spec)
    assert whole.finished == whole.games == 3 * 1 * 4 * 3
    assert len(set(whole.byes)) == 3, "who is left over changes"
    for (group, _, _), out in zip(whole.matches, whole.byes, strict=True):
        assert sorted((*group, out)) == [0, 1, 2, 3]

    with Store(tmp_path / "games.db") as store:
        kept = break_off(spec, store)
        assert 12 < kept < 36
        played_ = {}
        result = run_tournament(
            spec, store=store, resume=True, progress=lambda r, p: played_.update({len(r.matches): p.played})
        )
        # Nothing of the first round, of the second what is missing: nothing if all its games were kept at once.
        assert Counter(played_) == Counter({1: 24 - kept, 2: 12})
        assert sum(match.finished for match in store.matches()) == 36
    assert result.summary() == whole.summary()


# --- interrupted ---------------------------------------------------------------------------------------------------


def test_a_tournament_goes_on(spec, tmp_path):
    whole = run_tournament(spec)

    with Store(tmp_path / "games.db") as store:
        kept = break_off(spec, store)
        assert 20 < kept < 60
        assert unfinished_tournament(spec, store).games == kept
        played_ = []
        result = run_tournament(spec, store=store, resume=True, progress=lambda r, p: played_.append(p.played))
        assert result.summary() == whole.summary()
        assert sum(match.finished for match in store.matches()) == 60
        assert unfinished_tournament(spec, store).games == 0
        assert unfinished_tournament(dataclasses.replace(spec, blocks=20), store).games == 0, "a longer one"
        assert run_tournament(spec, store=store, resume=True).summary() == whole.summary()


def test_an_interrupted_tournament_tells_what_is_kept(spec, tmp_path, monkeypatch):
    """Also of matches that a run which goes on has not come to."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        kept = break_off(spec, store)

    def interrupted(*arguments, **named):
        raise MatchInterrupted(run_match(*arguments, **named))

    monkeypatch.setattr(tournaments, "run_match", interrupted)
    with pytest.raises(TournamentInterrupted, match=rf"^interrupted: {kept} of 60 games .* kept in {path}; give --res"):
        run_tournament(spec, store=path, resume=True)
    with pytest.raises(TournamentInterrupted, match=r"^interrupted: 20 of 60 games are finished$"):
        run_tournament(spec)


def interrupts(result, match):
    """Press Ctrl-C as the last games of the first match are kept."""
    if not result.matches and match.done == match.games:
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_as_a_match_ends_ends_the_tournament(spec):
    with pytest.raises(TournamentInterrupted, match=r"^interrupted: 20 of 60 games are finished$"):
        run_tournament(spec, progress=interrupts)
    assert len(run_tournament(dataclasses.replace(spec, entrants=spec.entrants[:2]), progress=interrupts).matches) == 1


def test_ctrl_c_between_two_matches_ends_the_tournament(spec, tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    begin, entered = Store.begin, []

    def interrupted(*arguments, **named):
        entered.append(1)
        if len(entered) == 3:
            signal.raise_signal(signal.SIGINT)
        return begin(*arguments, **named)

    monkeypatch.setattr(Store, "begin", interrupted)
    with pytest.raises(TournamentInterrupted, match=rf"^interrupted: 40 of 60 .* kept in {path}; give --resume"):
        run_tournament(spec, store=path)


def test_how_much_of_a_swiss_tournament_is_kept(spec, tmp_path):
    swiss = dataclasses.replace(spec, blocks=2, form="swiss", rounds=3)

    def stop(result, progress):
        if len(result.matches) == 2 and progress.done >= 1:
            raise RuntimeError("enough")

    with Store(tmp_path / "games.db") as store:
        assert unfinished_tournament(swiss, store).games == 0
        with pytest.raises(RuntimeError, match="enough"):
            run_tournament(swiss, store=store, progress=stop)
        kept = sum(match.finished for match in store.matches())
        assert 8 < kept <= 12
        assert unfinished_tournament(swiss, store).games == (kept if kept < 12 else 0)
        run_tournament(swiss, store=store, resume=True)
        assert unfinished_tournament(swiss, store).games == 0


def test_killed_ten_times(tmp_path):
    """No game of 1,000 is lost or played twice, and the table is that of a tournament that nobody killed."""
    # So many iterations that all games take much longer than what ten processes play before they are killed.
    command = [
        sys.executable,
        "-m",
        "oponente",
        "tournament",
        "tictactoe",
        "random",
        "one-step",
        "uct:1000",
        "uct:2000",
    ]
    command += ["uct:4000", "--games", "100", "--seed", "5", "--json", "--resume", "--out"]
    database, other = tmp_path / "games.db", tmp_path / "other.db"
    rng = random.Random(1)
    # Where there is a second processor, nobody waits for the tournament that nobody kills.
    with subprocess.Popen([*command, str(other)], stdout=subprocess.PIPE, text=True) as whole:
        try:
            for _ in range(10):
                before = games_in(database)
                process = subprocess.Popen(
                    [*command, str(database)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                try:
                    wait_for(lambda before=before: games_in(database) > before, process)
                    time.sleep(rng.uniform(0.0, 0.2))
                finally:
                    process.kill()
                assert process.wait() == -signal.SIGKILL, "it had ended by itself"
            assert games_in(database) < 1000
            done = subprocess.run([*command, str(database)], stdout=subprocess.PIPE, text=True, check=True).stdout
            assert whole.communicate()[0] == done
            assert whole.returncode == 0
        finally:
            whole.kill()
    with Store(database) as store:
        assert sum(match.finished for match in store.matches()) == 1000
        assert len(store.matches()) == 10
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute(
            "SELECT count(*), count(DISTINCT match_id * 1000 + number) FROM games"
        ).fetchone() == (1000, 1000)


def games_in(database):
    """Return how many games are stored, by whomever."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:  # no database, or no table, as yet
        return 0


def wait_for(happened, process, seconds=120):
    """Wait until something has happened while the process lives."""
    end = time.monotonic() + seconds
    while not happened():
        assert process.poll() is None, "it has ended"
        assert time.monotonic() < end, "it does nothing"
        time.sleep(0.02)
