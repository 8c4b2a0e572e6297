"""Where games are kept: what a database is called, and what is told where there can be none."""

import pytest

from oponente.arena import StorageError, Store, Table, default_records, shown_name

from .helpers import a_match, timeless


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


def test_default_records(monkeypatch, tmp_path):
    monkeypatch.setenv("OPONENTE_RECORDS", str(tmp_path / "folder" / "games.db"))
    with Store(default_records()) as store:
        assert store.name == str(tmp_path / "folder" / "games.db")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPONENTE_RECORDS", "~/records/games.db")
    with Store(default_records()) as store:
        assert store.name == str(tmp_path / "home" / "records" / "games.db")
    monkeypatch.setenv("OPONENTE_RECORDS", "postgresql://user:secret@host/games")
    assert default_records() == "postgresql://user:secret@host/games"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "home"]


def test_places_where_no_file_can_be(tmp_path):
    with pytest.raises(StorageError, match="is a folder"):
        Store(tmp_path)
    with pytest.raises(StorageError, match="there is no folder"):
        Store(tmp_path / "missing" / "games.db")
    with pytest.raises(StorageError, match="there is no file"):
        Store(tmp_path / "missing.db", create=False)
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgres-ish://here/there", "is no database URL"),
        ("mysql+pymysql://user:secret@127.0.0.1:1/x", "the Python package pymysql is needed|Can't connect"),
        ("postgresql+psycopg2://user:secret@127.0.0.1:1/x", "the Python package psycopg2 is needed|refused"),
    ],
)
def test_urls_that_lead_nowhere(url, message):
    with pytest.raises(StorageError, match=message) as caught:
        Store(url)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("games.db", "games.db"),
        ("~/a:b@c.db", "~/a:b@c.db"),
        ("sqlite:///games.db", "sqlite:///games.db"),
        ("postgresql://bob@host:5432/db", "postgresql://bob@host:5432/db"),
        ("postgresql://bob:secret@host/db", "postgresql://bob:***@host/db"),
        ("postgresql://bob:se/cr?e@t@host:xx/db", "postgresql://bob:***@host:xx/db"),
        ("postgresql://:secret@host/db", "postgresql://:***@host/db"),
        ("sqlite+pysqlcipher://:secret@/games.db", "sqlite+pysqlcipher://:***@/games.db"),
        ("postgresql:///db?user=bob&password=secret&x=1", "postgresql:///db?user=bob&password=***&x=1"),
        ("postgresql:///db?sslpassword=secret", "postgresql:///db?sslpassword=***"),
    ],
)
def test_passwords_are_not_shown(where, shown):
    assert shown_name(where) == shown


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://bob:secret@host:xx/d",
        "postgresql+nothing://bob:secret@host/d",
        "nothing://bob:secret@host/d",
        "mysql://bob:secret@host/d",
    ],
)
def test_a_url_that_is_none_is_told_without_its_password(url):
    with pytest.raises(StorageError, match=r"bob:\*\*\*@") as caught:
        Store(url)
    assert "secret" not in str(caught.value)


def test_where_a_database_is_can_be_left_out(tmp_path):
    path = tmp_path / "games.db"
    for place, message in (
        (path, "there is no file the games: expected"),
        (tmp_path, "the games is a folder: expected"),
        (tmp_path / "none" / "games.db", "the games: there is no folder for it: make it"),
        (f"sqlite:///{path}", "there is no file the games: expected"),
        ("nothing://host/secret", "the games is no database URL"),
    ):
        with pytest.raises(StorageError, match=f"^{message}") as caught:
            Store(place, create=False, name="the games")
        assert str(tmp_path) not in str(caught.value)
    Store(path).close()
    with Store(path, name="the games") as store, pytest.raises(StorageError, match=r"^the games holds no match 1"):
        store.match(1)


def test_a_url_may_name_a_file(path):
    spec = a_match("random", "random")
    records = [Table(spec).play(0)]
    with Store(f"sqlite:///{path}") as store:
        store.add(store.begin(spec).id, records)
    with Store(path, create=False) as store:
        assert timeless(store.records(1)) == timeless(records)


def test_the_parameters_of_a_url_are_kept(path):
    Store(path).close()
    with pytest.raises(StorageError, match="readonly"), Store(f"sqlite:///file:{path}?mode=ro&uri=true") as store:
        store.begin(a_match("random", "random"))
    with Store(f"sqlite:///{path}?cached_statements=7") as store:
        assert store._engine.url.query == {"cached_statements": "7"}
    with Store(f"sqlite:///{path}?cached_statements=7", create=False) as store:
        assert store._engine.url.query["cached_statements"] == "7"
        assert store._engine.url.query["mode"] == "ro"
