"""Records in a real PostgreSQL server, started for these tests: all that SQLite does, and what only a server can do."""

from __future__ import annotations

import dataclasses
import getpass
import glob
import itertools
import json
import os
import pwd
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from oponente.arena import (
    StorageError,
    Store,
    Table,
    export_games,
    load_recording,
    run_match,
    stored_matches,
)
from oponente.arena.columns import game_columns
from oponente.arena.schema import ADDED, SCHEMA_VERSION
from oponente.web.journal import Journal
from tests.cli.conftest import run  # noqa: F401 (a fixture)

from .folding import folded, made_up, same
from .helpers import a_match, timeless


def _programs() -> Path:
    """Return the folder of the server's programs: the one that the environment names, or where they are installed.

    With the variable the test fails if there are none, without it it is skipped.
    """
    named = os.environ.get("OPONENTE_POSTGRESQL")
    installed = [Path(named)] if named else [Path(path) for path in glob.glob("/usr/lib/postgresql/*/bin")]
    on_path = shutil.which("initdb")
    folders = [*installed, *([Path(on_path).resolve().parent] if on_path and not named else [])]
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    problem = "needs PostgreSQL's initdb and postgres (Debian: apt-get install postgresql)"
    if named:
        pytest.fail(f"{problem}; OPONENTE_POSTGRESQL={named} has none")
    pytest.skip(problem)


@pytest.fixture(scope="module")
def server():
    """Start a server that listens on a socket in a new folder; yield the address of its databases."""
    programs = _programs()
    # Not pytest's folders: a path of a socket is short, and the server doesn't run as root, who alone may enter those.
    folder = Path(tempfile.mkdtemp(prefix="opg"))
    other = {}
    if os.geteuid() == 0:
        user = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
        os.chown(folder, user.pw_uid, user.pw_gid)
        other = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    try:
        initdb = [
            programs / "initdb",
            "-D",
            folder / "data",
            "-U",
            "oponente",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        subprocess.run(initdb, cwd=folder, check=True, capture_output=True, **other)
        command = [
            programs / "postgres",
            "-D",
            folder / "data",
            "-k",
            folder,
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
        ]
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **other
        ) as process:
            try:
                engine = sa.create_engine(f"postgresql+psycopg://oponente@/postgres?host={folder}")
                for _ in range(300):
                    try:
                        engine.connect().close()
                        break
                    except sa.exc.OperationalError:
                        assert process.poll() is None, "the server has ended"
                        time.sleep(0.1)
                engine.dispose()
                yield f"postgresql://oponente:secret@/{{}}?host={folder}"
            finally:
                process.send_signal(2)  # a fast shutdown
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_numbers = itertools.count(1)


@pytest.fixture
def url(server):
    """Make a new database; return its URL, as a user writes it."""
    name = f"d{next(_numbers)}"
    engine = sa.create_engine(server.format("postgres").replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.format(name)


def execute(url: str, *statements: str) -> None:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    engine.dispose()


def test_games_come_back_as_they_were(url):
    spec = a_match("first", "counting", games=3, seconds=0.25, seed=-(1 << 63))
    table = Table(spec)
    records = [table.play(index) for index in (2, 0, 1)]
    with Store(url) as store:
        match = store.begin(spec)
        store.add(match.id, records)
    with Store(url, create=False) as store:
        again = store.match(match.id)
        assert again.spec == spec
        assert again.created == match.created
        assert store.finished(match.id) == {0, 1, 2}
        assert store.records(match.id) == sorted(records, key=lambda record: record.index)
        assert store.records(match.id, [2, 7]) == records[:1]
        assert "secret" not in store.name


def test_forfeits_come_back(url):
    spec = a_match("random", "raises")
    records = [Table(spec).play(0)]
    with Store(url) as store:
        match = store.begin(spec)
        store.add(match.id, records)
        assert store.records(match.id) == records


def test_a_match_is_the_same_as_in_a_file(url, tmp_path):
    spec = a_match("random", "first", games=10, seed=3)
    results = [run_match(spec, store=where) for where in (url, tmp_path / "games.db")]
    summaries = [result.summary() for result in results]
    for summary in summaries:
        summary.pop("games_per_s")
        for agent in summary["agents"]:
            del agent["mean_decision_ms"], agent["p95_decision_ms"]
    assert summaries[0] == summaries[1]
    with Store(url) as one, Store(tmp_path / "games.db") as two:
        assert timeless(one.records(1)) == timeless(two.records(1))
        files = [tmp_path / "1.json", tmp_path / "2.json"]
        for store, file in zip((one, two), files, strict=True):
            export_games(stored_matches(store), file)
    for game in range(10):
        one, two = (load_recording(file, game) for file in files)
        assert one.final_state() == two.final_state()
        assert one.final_state().is_terminal


def test_columns_are_those_of_the_records(url, monkeypatch):
    monkeypatch.setattr("oponente.arena.storage._GAMES_AT_ONCE", 7)
    spec = a_match("random", "first", games=20)
    records = made_up(spec)
    with Store(url) as store:
        match = store.begin(spec).id
        store.add(match, records)
        records.sort(key=lambda record: record.index)
        parts = list(store.columns(match, 18))
        assert [len(part) for part in parts] == [7, 7, 4]
        assert same(parts[0], game_columns(records[:7]))
        assert same(parts[2], game_columns(records[14:18]))
        summary = run_match(spec, store=store, resume=True).summary()
        expected = folded(spec, records)
        assert {key: value for key, value in summary.items() if key in expected} == expected
        forfeits = [record for record in records if record.forfeited_by is not None]
        of_first = [record.index for record in forfeits if record.agents[record.forfeited_by] == 0]
        assert store.forfeits(match, 0, len(records), 2) == [(index, "because") for index in of_first[:2]]


def test_a_match_goes_on_with_more_workers(url):
    spec = a_match("random", "first", games=40, seed=4)
    run_match(dataclasses.replace(spec, games=8), store=url)
    result = run_match(spec, store=url, workers=2, resume=True)
    assert result.tally.games == 40
    assert result.played == 32
    with Store(url) as store:
        assert timeless(store.records(result.match_id)) == timeless(run_match(spec).records)


def test_no_game_is_kept_twice(url):
    spec = a_match("random", "random")
    table = Table(spec)
    with Store(url) as store:
        match = store.begin(spec)
        store.add(match.id, [table.play(0), table.play(1)])
        with pytest.raises(StorageError, match="stored by another run"):
            store.add(match.id, [table.play(2), table.play(1)])
        assert store.finished(match.id) == {0, 1}  # all or none


def at_a_time(times, work):
    """Call `work` so many times at a time, each with a number; return what went wrong."""
    errors, start = [], threading.Barrier(times)

    def call(number):
        try:
            start.wait()
            work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_many_programs_open_an_empty_database_at_a_time(url):
    assert at_a_time(8, lambda _: Store(url).close()) == []
    assert Store(url, create=False).matches() == []


def test_many_servers_of_the_page_open_an_empty_database_at_a_time(url):
    assert at_a_time(8, lambda _: Journal(url).close()) == []


def test_many_programs_upgrade_a_database_at_a_time(url):
    Store(url).close()
    drops = [f"ALTER TABLE {c.table.name} DROP COLUMN {c.name}" for columns in ADDED.values() for c in columns]
    execute(url, *drops, "UPDATE oponente_schema SET version = 1")
    assert at_a_time(8, lambda _: Store(url).close()) == []
    assert Store(url, create=False).matches() == []


def test_many_programs_write_at_a_time(url):
    def write(seed):
        spec = a_match("random", "random", seed=seed, games=5)
        table = Table(spec)
        with Store(url) as store:
            match = store.begin(spec)
            for index in range(5):
                store.add(match.id, [table.play(index)])

    assert at_a_time(6, write) == []
    with Store(url) as store:
        assert [match.finished for match in store.matches()] == [5] * 6
        assert sorted(match.spec.seed for match in store.matches()) == list(range(6))


def test_a_database_of_the_first_version_is_upgraded_when_it_is_written_to(url):
    spec = a_match("random", "first", games=2)
    with Store(url) as store:
        store.add(store.begin(spec).id, [Table(spec).play(0)])
    drops = [f"ALTER TABLE {c.table.name} DROP COLUMN {c.name}" for columns in ADDED.values() for c in columns]
    execute(url, *drops, "UPDATE oponente_schema SET version = 1")
    with Store(url, create=False) as store:
        assert store.match(1).spec == spec
        assert store.records(1)[0].seats[0].facts is None
    with Store(url) as store:
        store.add(1, [Table(spec).play(1)])
        assert [record.seats[0].facts is None for record in store.records(1)] == [True, True]
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version FROM oponente_schema")).scalar_one() == SCHEMA_VERSION
    engine.dispose()


def test_the_database_of_another_program_is_left_as_it_is(url):
    execute(url, "CREATE TABLE customers (id INTEGER)")
    for create in (True, False):
        with pytest.raises(StorageError, match=r"database of another program .*customers"):
            Store(url, create=create)


def test_an_empty_database_is_not_made_by_reading(url):
    with pytest.raises(StorageError, match="is empty: expected a database that a match has written"):
        Store(url, create=False)


def test_what_the_server_refuses_is_one_line_without_the_password(server):
    with pytest.raises(StorageError, match='database "nowhere" does not exist') as caught:
        Store(server.format("nowhere"))
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_the_commands_take_a_url(url, run):  # noqa: F811
    arguments = ("match", "tictactoe", "random", "one-step", "--out", url, "--json")
    assert run(*arguments, "--games", 3)[0] == 0
    status, out, _ = run(*arguments, "--games", 6, "--resume")
    assert status == 0
    assert json.loads(out)["games"] == 6
    status, out, _ = run("replay", url)
    assert status == 0
    assert "one-step" in out
    status, out, _ = run("replay", url, "--match", 1, "--game", 5)
    assert status == 0
    assert getpass.getuser() not in out
