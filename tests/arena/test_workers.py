import multiprocessing
import os
import signal
import time

import pytest

from oponente.agents.basic import Resigned
from oponente.arena import MatchError, Store, Table, run_match
from oponente.arena.workers import InlineCrew, ProcessCrew, ThreadCrew

from .helpers import a_match, timeless


def test_a_killed_worker_process_is_replaced_and_its_games_are_played(tmp_path):
    spec = a_match("slow:ms=1", "random", games=60)
    killed = []

    def kill_one(progress):
        if progress.done >= 20 * (len(killed) + 1) and len(killed) < 2:
            victim = multiprocessing.active_children()[0]
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)

    with Store(tmp_path / "games.db") as store:
        run_match(spec, workers=2, store=store, progress=kill_one)
        kept = store.records(1)
    assert len(killed) == 2
    assert timeless(kept) == timeless(run_match(spec).records)
    assert multiprocessing.active_children() == []


def test_an_agent_that_kills_its_process_once_is_played_again(tmp_path):
    agents = (f'deadly:file="{tmp_path / "trace"}"', "random")
    result = run_match(a_match(*agents, games=6), workers=2)
    assert (tmp_path / "trace").exists()
    assert timeless(result.records) == timeless(run_match(a_match(*agents, games=6)).records)


def test_an_agent_that_always_kills_its_process_ends_the_match():
    with pytest.raises(MatchError, match=r"3 worker processes died while playing game \d \(signal SIGKILL\): look at"):
        run_match(a_match("deadly", "random", games=6), workers=2)
    assert multiprocessing.active_children() == []


def test_errors_and_departures_cross_from_processes():
    for spec, error in (
        (a_match("slow:ms=0", "random", games=4, opening_plies=9), MatchError),
        (a_match("leaves", "slow:ms=0", games=40), Resigned),
    ):
        crew = ProcessCrew(spec, range(spec.games), 1)
        try:
            with pytest.raises(error):
                _take_all(crew, spec.games)
        finally:
            crew.stop()


def _take_all(crew, count):
    records = []
    end = time.monotonic() + 60
    while len(records) < count and time.monotonic() < end:
        records += crew.take(0.1)
    return records


@pytest.mark.parametrize("kind", ["inline", "threads", "processes"])
def test_a_stopped_crew_gives_up_unfinished_games_and_keeps_finished_ones(kind):
    spec = a_match("slow:ms=1", "random", games=100_000)
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
