import dataclasses
import sqlite3
from array import array
from contextlib import closing
from datetime import timedelta

import pytest
import sqlalchemy as sa

from oponente import __version__
from oponente.arena import StorageError, Store, Table
from oponente.arena.storage import Begun, Unfinished, other_version
from oponente.games.catalogue import GameSpec

from .helpers import TRIO, a_match


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


def _played(spec, *indices):
    table = Table(spec)
    return [table.play(index) for index in indices]


def test_games_come_back_as_they_were(path):
    spec = a_match("first", "counting", games=3)
    records = _played(spec, 2, 0, 1)
    with Store(path) as store:
        match = store.begin(spec)
        store.add(match.id, records)
    with Store(str(path), create=False) as store:
        again = store.match(match.id)
        assert again.spec == spec
        assert again.finished == 3
        assert store.finished(match.id) == {0, 1, 2}
        assert store.records(match.id) == sorted(records, key=lambda record: record.index)
        assert store.records(match.id, [2, 7]) == records[:1]
        assert store.matches() == [again]


def test_all_that_a_match_is_comes_back(path):
    spec = dataclasses.replace(
        a_match("random", "random", "random", game=TRIO, seconds=0.25, opening_plies=1, max_plies=3, seed=-(1 << 63)),
        games=7,
    )
    other = a_match("random", "random", game=GameSpec("connect4", (("columns", "6"), ("rows", "5"))))
    with Store(path) as store:
        store.begin(spec)
        store.begin(other)
        assert [match.spec for match in store.matches()] == [spec, other]


def test_forfeits_come_back(path):
    spec = a_match("random", "raises")
    records = _played(spec, 0, 1)
    with Store(path) as store:
        match = store.begin(spec)
        store.add(match.id, records)
        assert store.records(match.id) == records


def test_the_first_forfeits_of_an_agent_are_told(path):
    spec = a_match("random", "raises", games=6)
    with Store(path) as store:
        match = store.begin(spec).id
        store.add(match, _played(spec, 5, 4, 3, 2, 1, 0))
        found = store.forfeits(match, 1, 6, 3)
        assert [index for index, _ in found] == [0, 1, 2]
        assert found[0][1] == store.records(match, [0])[0].reason
        assert store.forfeits(match, 0, 6, 3) == []
        assert store.forfeits(match, 1, 2, 3) == found[:2], "only those of so many games"


def test_a_match_is_entered_anew_or_resumed(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        assert store.unfinished(spec).games == 0
        first = store.begin(spec)
        store.add(first.id, _played(spec, 0, 1))
        assert store.unfinished(spec).games == 2
        second = store.begin(spec)
        assert second.id != first.id
        store.add(second.id, _played(spec, 0))
        resumed = store.begin(spec, resume=True)
        assert (resumed.id, resumed.finished) == (second.id, 1)
        assert store.begin(dataclasses.replace(spec, games=20), resume=True).spec.games == 20
        assert store.begin(spec, resume=True).spec.games == 20
        assert [match.finished for match in store.matches()] == [2, 1]


def test_a_complete_match_is_not_unfinished(path):
    spec = a_match("random", "random", games=2)
    with Store(path) as store:
        store.add(store.begin(spec).id, _played(spec, 0, 1))
        assert store.unfinished(spec).games == 0
        assert store.begin(spec, resume=True).finished == 2


def test_what_another_version_has_begun_is_known(path, monkeypatch):
    """It is not gone on with, so nobody is to be told that it would be."""
    specs = [a_match("random", "random", seed=seed) for seed in range(3)]
    with Store(path) as store:
        monkeypatch.setattr("oponente.arena.rows.__version__", "0.0.1")
        store.add(store.begin(specs[0]).id, _played(specs[0], 0))
        monkeypatch.undo()
        store.add(store.begin(specs[1]).id, _played(specs[1], 0, 1))
        assert store.unfinished(specs[0]) == Unfinished(1, "0.0.1")
        assert store.unfinished(specs[1]) == Unfinished(2, __version__)
        begun = store.begun(specs)
        assert [one.version for one in begun] == ["0.0.1", __version__, __version__]
        assert (other_version(begun), other_version(begun[1:])) == ("0.0.1", __version__)


def test_what_is_begun_of_several_matches(path):
    specs = [a_match("random", "random", games=games, seed=seed) for seed, games in ((1, 2), (2, 4), (3, 4))]
    with Store(path) as store:
        store.add(store.begin(specs[0]).id, _played(specs[0], 0, 1))
        first, second = (store.begin(specs[1]) for _ in range(2))
        store.add(first.id, _played(specs[1], 0, 1, 2, 3))
        store.add(second.id, _played(specs[1], 0))
        begun = store.begun([*specs] * 400)
        assert begun[:3] == [Begun(1, 2, 2), Begun(second.id, 4, 1), Begun()]
        assert begun[3:] == begun[:3] * 399


def test_games_of_a_shorter_match_that_is_complete_are_not_of_the_longer_one():
    assert Begun(1, 2, 2).of(4) == 0
    assert Begun(1, 2, 1).of(4) == 1
    assert Begun(1, 4, 3).of(4) == 3
    assert Begun(1, 9, 9).of(4) == 4
    assert Begun(1, 9, 9).of(4, 6) == 6
    assert Begun().of(4) == 0


def test_matches_are_listed_in_one_statement_however_many_they_are(path):
    specs = [a_match("random", "random", seed=seed) for seed in range(50)]
    with Store(path) as store:
        for spec in specs:
            store.begin(spec)
        store.add(50, _played(specs[49], 0, 3))
        statements = []
        sa.event.listen(store._engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
        assert [match.spec.seed for match in store.matches()] == list(range(50))
        assert [match.finished for match in store.matches()] == [0] * 49 + [2]
        assert [match.id for match in store.matches(newest=3)] == [48, 49, 50]
        assert store.match_numbers() == list(range(1, 51))
        assert store.match(50).finished == 2
        counting = ["FROM games" in text for text in statements if text.startswith("SELECT")]
        assert counting == [True, True, True, False, True], "the numbers alone need no look at the games"
        with pytest.raises(StorageError, match=r"no match 51; it holds 50 others, the latest 41, 42, .*, 50$"):
            store.match(51)


def test_a_missing_match_is_told_with_those_that_are_there(path):
    with Store(path) as store:
        with pytest.raises(StorageError, match=r"holds no match 1; it holds none$"):
            store.match(1)
        store.begin(a_match("random", "random"))
        store.begin(a_match("random", "random"))
        with pytest.raises(StorageError, match=r"holds no match 7; it holds 1, 2$"):
            store.match(7)


def test_another_version_does_not_go_on(path, monkeypatch):
    spec = a_match("random", "random")
    with Store(path) as store:
        store.add(store.begin(spec).id, _played(spec, 0))
        monkeypatch.setattr("oponente.arena.storage.__version__", "99.0")
        with pytest.raises(StorageError, match=r"began this match and this is 99\.0"):
            store.begin(spec, resume=True)


def test_a_game_that_is_there_is_known_by_its_key_not_by_the_words_of_a_database(path, monkeypatch):
    spec = a_match("random", "random")
    records = _played(spec, 0, 1)
    with Store(path) as store:
        match = store.begin(spec)
        store.add(match.id, records[:1])

        def refuse(*_):
            raise sa.exc.IntegrityError("INSERT", {}, Exception("Duplicate entry '1-0' for key 'PRIMARY'"))

        monkeypatch.setattr(store._insert_games, "run", refuse)
        with pytest.raises(StorageError, match="stored by another run"):
            store.add(match.id, records)
        with pytest.raises(StorageError, match="Duplicate entry"):
            store.add(match.id, records[1:])


def test_no_game_is_kept_twice(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        match = store.begin(spec)
        store.add(match.id, _played(spec, 0, 1))
        with pytest.raises(StorageError, match="stored by another run"):
            store.add(match.id, _played(spec, 2, 1))
        assert store.finished(match.id) == {0, 1}  # all or none


def test_two_programs_may_write_at_a_time(path):
    specs = [a_match("random", "random", seed=seed) for seed in (1, 2)]
    with Store(path) as one, Store(path) as two:
        for store, spec in zip((one, two), specs, strict=True):
            store.add(store.begin(spec).id, _played(spec, 0))
        assert [match.finished for match in one.matches()] == [1, 1]
        assert one.matches()[0].created - two.matches()[0].created == timedelta(0)


def test_times_are_kept_as_little_endian_floats(path):
    spec = a_match("first", "first")
    (record,) = _played(spec, 0)
    with Store(path) as store:
        store.add(store.begin(spec).id, [record])
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT decisions, decision_ms, total_ms FROM seats ORDER BY seat").fetchall()
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    for (decisions, blob, total), seat in zip(rows, record.seats, strict=True):
        assert len(blob) == 4 * decisions
        assert array("f", blob) == seat.decision_ms
        assert total == pytest.approx(sum(seat.decision_ms))


# --- what can't be used --------------------------------------------------------------------------------------------


def test_a_file_that_is_no_database(path):
    path.write_bytes(b"no database, but long enough to be taken for one" * 100)
    with pytest.raises(StorageError, match=r"games\.db: file is not a database: expected an SQLite file"):
        Store(path)
    assert path.read_bytes().startswith(b"no database")


def test_a_damaged_database(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        store.add(store.begin(spec).id, _played(spec, *range(10)))
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StorageError, match="malformed: the file is damaged"):
        Store(path).matches()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        *(("matches", name, b"\xff\xfe") for name in ("digest", "game", "package_version")),
        *(("games", name, b"\xff\xfe") for name in ("status", "reason")),
        *(("matches", name, text) for name in ("options", "agents", "agent_files") for text in (b"\xff", b"{[", b"7")),
        *(("games", name, text) for name in ("actions", "returns") for text in (b"\xff", b"{[", b"7", b'["a"]')),
        *(("seats", "facts", text) for text in (b"\xff", b"{[", b"7")),
        *(("seats", name, b"x") for name in ("agent", "decision_ms", "nodes")),
        *(("games", name, b"x") for name in ("start_seed", "opening", "forfeited_by")),
        *(("matches", name, b"x") for name in ("created", "games", "seed", "opening_plies", "seconds")),
        ("seats", "agent", 5),
        ("matches", "games", -1),
        ("oponente_schema", "version", b"x"),
    ],
)
def test_damage_in_a_column(path, table, column, value):
    spec = a_match("random", "random")
    with Store(path) as store:
        store.add(store.begin(spec).id, _played(spec, 0))
    with closing(sqlite3.connect(path)) as connection, connection:
        text = "?" if isinstance(value, int) else "CAST(? AS TEXT)"
        connection.execute(f"UPDATE {table} SET {column} = {text}", (value,))
    with pytest.raises(StorageError, match=r"games\.db: .*the file is damaged; export what can be read") as caught:
        _read_all(path)
    assert "\n" not in str(caught.value)


def _read_all(path):
    with Store(path, create=False) as store:
        store.matches()
        store.records(1)


def test_damage_in_the_rows_of_a_match_that_is_gone_on_with(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        store.begin(spec)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE matches SET options = '{['")
        for read in (store.unfinished, lambda spec: store.begin(spec, resume=True), lambda _: store.match(1)):
            with pytest.raises(StorageError, match="the file is damaged"):
                read(spec)


def test_a_game_without_its_seats(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        store.add(store.begin(spec).id, _played(spec, 0))
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DELETE FROM seats")
        with pytest.raises(StorageError, match="the file is damaged"):
            store.records(1)


def test_seats_without_their_game(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        match, records = store.begin(spec).id, _played(spec, 0, 1)
        store.add(match, records[:1])
        _change(path, "UPDATE seats SET number = 1")
        with pytest.raises(StorageError, match=r"UNIQUE .*seats.*: the file is damaged; export what can be read"):
            store.add(match, records[1:])
        assert store.finished(match) == {0}, "a game is kept with its seats or not at all"


def test_games_without_their_match(path):
    spec = a_match("random", "random")
    with Store(path) as store:
        match = store.begin(spec).id
        _change(path, "DELETE FROM matches")
        with pytest.raises(StorageError, match=r"FOREIGN KEY .*: the file is damaged"):
            store.add(match, _played(spec, 0))


def _change(path, statement):
    """Change a database as none of our programs does."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize("table", ["customers", "games"])
def test_the_database_of_another_program(path, table):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {table} (name TEXT)")
    with pytest.raises(StorageError, match=rf"the database of another program \(its tables: {table}\): give a new"):
        Store(path)


@pytest.mark.parametrize("create", [True, False])
def test_the_database_of_another_program_is_left_as_it_is(path, create):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE customers (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        Store(path, create=create)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_database_for_reading_only(path, monkeypatch):
    spec = a_match("random", "random")
    with Store(path) as store:
        store.add(store.begin(spec).id, _played(spec, 0))
    before = path.read_bytes()
    with Store(path, create=False) as store:
        assert store.match(1).finished == 1
        with pytest.raises(StorageError, match="readonly"):
            store.begin(spec)
    # As in a folder in which nothing can be made (which this test may be too mighty to have).
    monkeypatch.setattr("oponente.arena.database.os.access", lambda *_: False)
    for left in path.parent.glob("*-wal"), path.parent.glob("*-shm"):
        for file in left:
            file.unlink()
    with Store(path, create=False) as store:
        assert store.match(1).finished == 1
        assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == before


def test_another_version_of_the_schema(path):
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE oponente_schema SET version = 7")
    with pytest.raises(StorageError, match="schema version 7, this oponente reads and writes 1"):
        Store(path)


def test_a_missing_column(path):
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE games DROP COLUMN reason")
    with pytest.raises(StorageError, match="its table games lacks reason"):
        Store(path)
