import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import pytest

from oponente.arena import MatchError, Store, Tally, run_match, summary_json

from .helpers import CONNECT4, HERE, a_match, timeless, without_times

SOURCE = str(HERE.parents[1] / "src")


def test_any_number_of_threads_plays_the_same_games():
    spec = a_match("random", "uct:iterations=20", game=CONNECT4, games=12)
    one, two, three = (run_match(spec, workers=workers) for workers in (1, 2, 3))
    assert [record.index for record in one.records] == list(range(12))
    assert timeless(one.records) == timeless(two.records) == timeless(three.records)
    assert without_times(one.summary()) == without_times(two.summary()) == without_times(three.summary())
    assert one.summary()["games_per_s"] > 0
    assert one.complete


def test_a_match_can_be_resumed_and_prolonged(tmp_path):
    path = tmp_path / "games.db"
    short, long = (a_match("random", "first", games=games) for games in (4, 10))
    run_match(short, store=path)
    again = run_match(short, store=path, resume=True)
    assert again.played == 0
    assert again.summary()["games_per_s"] is None
    result = run_match(long, store=path, resume=True)
    assert result.played == 6
    with Store(path) as store:
        assert timeless(store.records(1)) == timeless(run_match(long).records)
    assert run_match(short, store=path, resume=True).tally.games == 4


@pytest.mark.parametrize(
    ("agents", "values"),
    [
        (("random", "random"), {"workers": 2}),
        (("random", "first"), {"workers": 2}),
        (("random", "first"), {"inline": True}),
    ],
    ids=["threads", "processes", "inline"],
)
def test_a_thousand_million_games_take_memory_as_they_are_played(tmp_path, agents, values):
    """Of a match that is ended, and gone on with, long before."""
    spec = a_match(*agents, games=10**9)
    seen = set()

    def enough(games):
        seen.update(games.index.tolist())
        return len(seen) > 20

    tracemalloc.start()
    try:
        first = run_match(spec, store=tmp_path / "games.db", enough=enough, **values)
        again = run_match(spec, store=tmp_path / "games.db", resume=True, enough=enough, **values)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(first.results) == first.played == len(seen) > 20
    assert again.played == 0, "there were enough in the database"
    assert peak < 50 * 2**20


def test_progress_tells_how_far_the_match_is():
    calls = []
    result = run_match(
        a_match("slow:ms=2", "random", games=6),
        progress=lambda now: calls.append((now.done, now.games, now.played, now.tally.games)),
    )
    assert calls[0] == (0, 6, 0, 0)
    assert calls[-1] == (6, 6, 6, 6)
    assert [call[0] for call in calls] == sorted({call[0] for call in calls})
    assert all(done == played == counted and wanted == 6 for done, wanted, played, counted in calls)
    assert result.seconds > 0


def test_who_leaves_ends_the_match_and_games_are_kept(tmp_path):
    path = tmp_path / "games.db"
    result = run_match(a_match("leaves", "leaves", games=100), store=path)
    assert result.left == "the guest has left"
    assert not result.complete
    with Store(path) as store:
        assert store.match(1).finished == result.tally.games


def test_a_person_plays_in_the_main_thread_and_may_leave(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n2\nquit\n"))
    result = run_match(a_match("human", "counting", games=4))
    assert result.left == "player 1 has left"
    assert result.tally.games == 0
    assert "".join(capsys.readouterr()).count("your move") == 3


def test_broken_rules_end_the_match_with_one_line():
    with pytest.raises(MatchError, match=r"always over within 9 random opening plies.*\(0 of 4 games are finished\)$"):
        run_match(a_match("random", "random", games=4, opening_plies=9))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"workers": 0}, "at least 1"),
        ({"resume": True}, "which database"),
    ],
)
def test_wrong_arguments(values, message):
    with pytest.raises(ValueError, match=message):
        run_match(a_match("random", "random"), **values)


def test_wrong_agents_are_told_before_anything_is_stored(tmp_path):
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        run_match(a_match("random", "nobody"), store=tmp_path / "games.db")
    with pytest.raises(ValueError, match="played by 2 agents"):
        run_match(a_match("random"), store=tmp_path / "games.db")
    assert not (tmp_path / "games.db").exists()


# --- in a process of its own, to be killed or interrupted ----------------------------------------------------------


class Driver:
    """A running match, in its own process group, as a terminal would start it."""

    def __init__(self, path, **values):
        command = [sys.executable, "-m", "arena.driver", str(path), json.dumps(values)]
        environment = dict(os.environ, PYTHONPATH=f"{SOURCE}:{HERE.parent}")
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            start_new_session=True,
        )
        self.lines = []

    def wait_for(self, done):
        """Read until so many games are done; tell whether the match is still running."""
        for line in self.process.stdout:
            self.lines.append(line.strip())
            word, _, number = line.strip().partition(" ")
            if word == "complete":
                return False
            if word == "done" and int(number) >= done:
                return True
        raise AssertionError("\n".join(self.lines))

    def send(self, number):
        """Send a signal to all processes of the match."""
        os.killpg(self.process.pid, number)

    def end(self):
        """Return the exit status and the last line."""
        rest, _ = self.process.communicate(timeout=300)
        self.lines += rest.strip().split("\n")
        return self.process.returncode, self.lines[-1]


@pytest.fixture
def drive(tmp_path):
    started = []

    def start(**values):
        started.append(Driver(tmp_path / "games.db", **values))
        return started[-1]

    yield start
    for driver in started:
        if driver.process.poll() is None:
            driver.process.kill()
        driver.process.stdout.close()
        driver.process.wait()


@pytest.mark.parametrize(("workers", "kills"), [(1, 2), (2, 1)])
def test_a_killed_match_resumes_with_nothing_lost_and_nothing_twice(drive, tmp_path, workers, kills):
    values = {"agents": ["slow:ms=1", "first"], "games": 150}
    rng = random.Random()  # any moment will do
    for kill in range(kills):
        driver = drive(workers=workers, **values)
        if not driver.wait_for(40 * kill + rng.randrange(1, 20)):
            break
        time.sleep(rng.random() * 0.03)
        # Only the main process: its workers have to notice by themselves.
        driver.process.kill()
        driver.process.wait()
        with Store(tmp_path / "games.db") as store:
            assert store.match(1).finished >= max(int(line[5:]) for line in driver.lines if line.startswith("done"))
    driver = drive(workers=workers, **values)
    assert driver.end() == (0, "complete")
    spec = a_match(*values["agents"], games=150)
    expected = run_match(spec)
    with Store(tmp_path / "games.db") as store:
        kept = store.records(1)
        assert len(store.matches()) == 1
    assert timeless(kept) == timeless(expected.records)
    assert without_times(summary_json(spec, Tally(2, kept))) == without_times(summary_json(spec, expected.tally))


@pytest.mark.parametrize("agents", [["slow:ms=2", "first"], ["random", "uct:iterations=1000"]])
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(drive, tmp_path, agents):
    driver = drive(workers=2, agents=agents, games=5000)
    assert driver.wait_for(3)
    driver.send(signal.SIGINT)
    code, line = driver.end()
    assert code == 130, driver.lines
    with Store(tmp_path / "games.db") as store:
        kept = store.records(1)
    path = tmp_path / "games.db"
    assert line == f"interrupted: {len(kept)} of 5000 games are finished and kept in {path}; give --resume to go on"
    assert 3 <= len(kept) < 5000
    assert not any("Traceback" in line for line in driver.lines)
    spec = a_match(*agents, games=max(record.index for record in kept[:5]) + 1)
    played = {record.index: record for record in timeless(run_match(spec).records)}
    assert timeless(kept[:5]) == [played[record.index] for record in kept[:5]]


def test_ctrl_c_after_the_last_game_leaves_the_match_whole_and_is_told():
    def late(now):
        if now.done == now.games:
            signal.raise_signal(signal.SIGINT)

    result = run_match(a_match("random", "random", games=4), progress=late)
    assert result.complete
    assert result.interrupted
    assert not run_match(a_match("random", "random", games=4)).interrupted


def test_ctrl_c_stops_an_agent_that_thinks(drive, tmp_path):
    driver = drive(workers=2, agents=["endless", "endless"], games=10)
    assert driver.wait_for(0)
    time.sleep(0.3)
    began = time.monotonic()
    driver.send(signal.SIGINT)
    code, line = driver.end()
    assert (code, line.partition(" games")[0]) == (130, "interrupted: 0 of 10")
    assert time.monotonic() - began < 60


def test_a_match_may_be_played_in_the_calling_thread():
    spec = a_match("counting", "random", games=4)
    threads = threading.active_count()
    seen = []
    result = run_match(spec, workers=3, inline=True, progress=lambda _: seen.append(threading.active_count()))
    assert set(seen) == {threads}
    assert timeless(result.records) == timeless(run_match(spec).records)
