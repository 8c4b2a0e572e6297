import multiprocessing
import os
import signal
import time

import pytest

from oponente.agents.basic import Resigned
from oponente.arena import MatchError, Store, Table, Tally, run_match, summary_json
from oponente.arena.workers import InlineCrew, ProcessCrew, ThreadCrew

from .helpers import TRIO, a_match, timeless, without_times


def test_processes_play_the_same_games_as_threads_even_if_some_are_killed(tmp_path):
    spec = a_match("slow:ms=5", "first", "raises:ply=3", game=TRIO, games=60)
    killed = []

    def kill_one(progress):
        if progress.done >= 20 and not killed:
            victim = multiprocessing.active_children()[0]
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)

    with Store(tmp_path / "games.db") as store:
        run_match(spec, workers=2, store=store, progress=kill_one)
        kept = store.records(1)
    alone = run_match(spec)
    assert killed
    assert timeless(kept) == timeless(alone.records)
    assert without_times(summary_json(spec, Tally(3, kept))) == without_times(summary_json(spec, alone.tally))
    assert alone.tally.agents[2].forfeits > 0
    assert multiprocessing.active_children() == []


def test_a_game_in_which_a_worker_died_is_played_again(tmp_path):
    spec = a_match(f'deadly:file="{tmp_path / "trace"}"', "first", games=6)
    crew = ProcessCrew(spec, range(6), 1)
    records = _take_all(crew, 6)
    crew.stop()
    assert (tmp_path / "trace").exists()
    assert timeless(records) == timeless(run_match(spec).records)


def test_a_game_in_which_all_workers_die_ends_the_match(monkeypatch):
    monkeypatch.setattr("oponente.arena.workers.MAX_DEATHS", 2)
    spec = a_match("deadly", "random", games=6)
    crew = ProcessCrew(spec, range(6), 1)
    with pytest.raises(
        MatchError, match=r"2 worker processes died while playing game 0 \(signal SIGKILL\): look at deadly"
    ):
        _take_all(crew, 6)
    crew.stop()
    assert multiprocessing.active_children() == []


def test_departures_cross_from_processes():
    spec = a_match("leaves", "slow:ms=0", games=40)
    crew = ProcessCrew(spec, range(40), 1)
    with pytest.raises(Resigned, match="the guest has left"):
        _take_all(crew, 40)
    crew.stop()


def _take_all(crew, count):
    records = []
    end = time.monotonic() + 300
    while len(records) < count and time.monotonic() < end:
        records += crew.take(0.1)
    return records


@pytest.mark.parametrize("kind", ["inline", "threads", "processes"])
def test_a_stopped_crew_gives_up_unfinished_games_and_keeps_finished_ones(kind):
    spec = a_match("slow:ms=1", "first", games=100_000)
    if kind == "processes":
        crew = ProcessCrew(spec, range(spec.games), 1)
    else:
        crew = (
            InlineCrew(Table(spec), range(spec.games)) if kind == "inline" else ThreadCrew(Table(spec), range(100), 2)
        )
    records = _take_all(crew, 3)
    time.sleep(0.1)
    crew.stop()
    while more := crew.take(0.0):
        records += more
    assert 3 <= len(records) < 1000
    assert len({record.index for record in records}) == len(records)
    assert crew.began is not None
