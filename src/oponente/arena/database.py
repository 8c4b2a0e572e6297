"""The database that games are kept in: what it is called, how it is opened, and what its complaints mean.

It is an SQLite file, or any database that SQLAlchemy reaches.
"""

from __future__ import annotations

import os
import re
import urllib.parse
from pathlib import Path
from typing import Any

import msgspec
import platformdirs
import sqlalchemy as sa
from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

from oponente.kernel import home_path

BUSY_TIMEOUT_MS = 30_000
"""How long a writer to an SQLite file waits for another one."""
_TABLES_LOCK = 0x6F706F6E656E7465
"""Number of a lock in PostgreSQL, which knows them by number alone: "oponente" in ASCII."""


class StorageError(Exception):
    """The database can't be used as asked; the message is one line that says why and what would be right."""


def default_records() -> str:
    """Return the path or URL of the database that is used when none is given; its folder is made if need be.

    It is ``$OPONENTE_RECORDS``, or ``records.db`` in the user's data directory.
    """
    chosen = os.environ.get("OPONENTE_RECORDS")
    if chosen and "://" in chosen:
        return chosen
    path = home_path(chosen) if chosen else Path(platformdirs.user_data_dir("oponente")) / "records.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    return str(path)


def shown_name(where: str | Path) -> str:
    """Return what a database is called where people read it: its path, or its URL without passwords.

    A text that is no URL after all loses what looks like one.
    """
    text = str(where)
    if "://" not in text:
        return text
    # Up to the last @: of a password that should have been quoted nothing must stay.
    text = re.sub(r"(://[^:/@]*:).*@", r"\1***@", text, flags=re.DOTALL)
    return re.sub(r"([?&][^=&]*pass[^=&]*=)[^&]*", r"\1***", text, flags=re.IGNORECASE)


def open_engine(where: str | Path) -> sa.Engine:
    """Return a connection to a database, for those who keep other tables in it; an SQLite file is made if missing.

    Raises:
        StorageError: there can be no such database.
    """
    return connected(database_url(where, create=True))


def alone(connection: sa.Connection) -> None:
    """Let no other program make or change tables of ours until the transaction ends; what they made before is seen.

    To be called first in a transaction that writes. SQLite has one writer at a time anyhow; PostgreSQL would let two
    programs make the same table at a time, and one of them fail.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_TABLES_LOCK)))


def needed(error: ImportError) -> str:
    """Return a line about a package that a database needs and that is not installed."""
    extra = " (pip install 'oponente[postgresql]')" if error.name and error.name.startswith("psycopg") else ""
    return f"the Python package {error.name} is needed: install it{extra}"


DAMAGED = ": the file is damaged; export what can be read, and give another --out"
"""What ends a message about rows that can't be right."""


def advice(cause: str) -> str:
    """Return what would be right, for the commonest complaints of databases, most of them SQLite's."""
    if "not a database" in cause:
        return ": expected an SQLite file that a match has written, or a new path"
    # Rows that contradict others, such as seats without their game: nothing of ours writes them.
    if "malformed" in cause or "Could not decode" in cause or "constraint" in cause:
        return DAMAGED
    if "locked" in cause:
        return ": another program holds it; wait for it, or give another --out"
    if "readonly" in cause:
        return ": it must be writable, its folder too"
    return ""


def database_url(where: str | Path, create: bool, name: str | None = None) -> sa.URL:
    """Return the URL of a database.

    Args:
        where: its path, or its URL.
        create: whether an SQLite file may be missing; if not, it is opened to be read alone.
        name: what it is called in messages; None: see :func:`shown_name`.

    Raises:
        StorageError: there can be no such database.
    """
    text, shown = str(where), name or shown_name(where)
    if "://" in text:
        try:
            url = sa.make_url(text)
            if url.drivername == "postgresql":  # the driver of the extra `postgresql`, whichever SQLAlchemy prefers
                url = url.set(drivername="postgresql+psycopg")
            url.get_dialect()
        except (SQLAlchemyError, ValueError) as error:
            # What can't be read may have parts of a password where nobody looks for them.
            reason = str(error).split("\n")[0] if isinstance(error, NoSuchModuleError) else "it can't be read as one"
            raise StorageError(
                f"{shown} is no database URL ({reason}): expected a path, or dialect://user:password@host/name"
            ) from None
        except ImportError as error:
            raise StorageError(f"{shown}: {needed(error)}") from error
        if not url.drivername.startswith("sqlite") or not url.database or url.database == ":memory:":
            return url
        if url.database.startswith("file:"):
            return url  # a URI of SQLite's own, which says itself how the file is opened
        text = url.database
    else:
        url = sa.URL.create("sqlite")
    path, shown = home_path(text), name or text
    if path.is_dir():
        raise StorageError(f"{shown} is a folder: expected the path of an SQLite file")
    if not path.parent.is_dir():
        folder = "for it" if name else path.parent
        raise StorageError(f"{shown}: there is no folder {folder}: make it, or give another path")
    if not create and not path.exists():
        raise StorageError(f"there is no file {shown}: expected a database that a match has written")
    return url.set(database=str(path)) if create else _read_only(url, path)


def _read_only(url: sa.URL, path: Path) -> sa.URL:
    """Return the URL of an SQLite file that is not to be changed."""
    query: dict[str, Any] = {"mode": "ro", "uri": "true"}
    log = path.with_name(f"{path.name}-wal")
    if not os.access(path.parent, os.W_OK) and not (log.exists() and log.stat().st_size):
        # Without this SQLite wants to put its files for readers beside the database.
        query["immutable"] = "1"
    return url.set(database=f"file:{urllib.parse.quote(str(path.resolve()))}", query={**query, **url.query})


def _json(value: Any) -> str:
    """Write JSON: the actions of a game are many numbers, and this takes a tenth of the standard library's time."""
    return msgspec.json.encode(value).decode()


def _from_json(text: str | bytes) -> Any:
    """Read JSON, likewise; ValueError if it is none."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise ValueError(f"JSON: {error}") from None


def connected(url: sa.URL) -> sa.Engine:
    """Return what makes connections to a database as we want them."""
    if not url.drivername.startswith("sqlite"):
        return sa.create_engine(url, pool_pre_ping=True, json_serializer=_json, json_deserializer=_from_json)
    engine = sa.create_engine(url, json_serializer=_json, json_deserializer=_from_json)

    @sa.event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        # The driver's own transactions begin too late and leave out DDL; SQLAlchemy begins them below.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA foreign_keys = ON")
        # With a write-ahead log a commit need not wait for the disk: after a power cut the last games may be missing,
        # the file is whole; after a killed process nothing is missing.
        connection.execute("PRAGMA synchronous = NORMAL")
        # For new files. A game is some thousand bytes of actions and times: in larger pages these are fewer pieces.
        connection.execute("PRAGMA page_size = 32768")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("oponente_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
