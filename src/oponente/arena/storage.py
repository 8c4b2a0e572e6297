"""The database of played games: what is kept of them, and how it is read (:mod:`oponente.arena.database`: where).

Each game is committed as it finishes, so that a killed match loses only the games that were being played; the primary
key of ``games`` guarantees that none is kept twice. The tables are described in :mod:`oponente.arena.schema`.
"""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from oponente import __version__
from oponente.arena.bulk import BulkInsert, BulkSelect
from oponente.arena.columns import GameColumns
from oponente.arena.database import DAMAGED, StorageError, advice, alone, connected, database_url, needed, shown_name
from oponente.arena.match import MatchSpec
from oponente.arena.record import GameRecord, SeatRecord
from oponente.arena.rows import (
    StoredMatch,
    game_record,
    game_values,
    match_columns,
    match_values,
    seat_record,
    seat_values,
    stored_match,
)
from oponente.arena.schema import (
    ADDED,
    SCHEMA_VERSION,
    games_table,
    matches_table,
    metadata,
    schema_table,
    seats_table,
)

__all__ = [
    "Begun",
    "Store",
    "StoredMatch",
    "Unfinished",
    "other_version",
]

_AT_A_TIME = 500
"""Values in one query: SQLite takes no more than some thousands."""
_GAMES_AT_ONCE = 1_000
"""Games that are read as columns at a time: what is in memory as rows."""
_LISTED = 10
"""Matches that are named where one is missing: there may be thousands."""
_KEPT = (
    sa.select(sa.func.count())
    .where(games_table.c.match_id == matches_table.c.id)
    .correlate(matches_table)
    .scalar_subquery()
    .label("kept")
)
"""How many games of each match are there, as a column of a query of matches: one statement, however many they are."""


class Begun(NamedTuple):
    """What a database holds of a match."""

    match_id: int = 0
    """Of its latest entry, 0: there is none."""
    games: int = 0
    """Wanted when it was entered, or prolonged."""
    kept: int = 0
    """Games that are there."""
    version: str = __version__
    """Of the package that entered it."""

    def of(self, least: int, most: int | None = None) -> int:
        """Return how many games belong to a match of so many: at most `most`, if that is given.

        An entry of fewer than `least` games, all of which were played, is another, shorter match: none do.
        """
        return 0 if self.kept >= self.games < least else min(self.kept, least if most is None else most)


class Unfinished(NamedTuple):
    """Games that a database holds of what an earlier run has begun and not finished."""

    games: int = 0
    """How many; 0: there are none, or nothing is missing."""
    version: str = __version__
    """Of the package that began it; if that of a part is another one than this, which does not go on with it, that."""


def other_version(begun: Iterable[Begun]) -> str:
    """Return the version of the package that entered a match which this one does not go on with; if none is, this."""
    return next((one.version for one in begun if one.match_id and one.version != __version__), __version__)


def listed_matches(numbers: Sequence[int]) -> str:
    """Return the numbers of the matches of a file in words, the last ones of many."""
    more = f"{len(numbers):,} others, the latest " if len(numbers) > _LISTED else ""
    return more + (", ".join(map(str, numbers[-_LISTED:])) or "none")


class Store:
    """An open database. Use it as a context manager, or call :meth:`close`.

    Args:
        where: path of an SQLite file, or a database URL of SQLAlchemy (``postgresql://user:password@host/name``).
        create: whether a missing SQLite file, or the tables in an empty database, may be made. If not, the database is
            for reading only, and an SQLite file is left as it is.
        name: what it is called in messages, for those who are not to know where it is; None: :func:`shown_name`.

    Raises:
        StorageError: it can't be opened, is damaged, or is the database of another program.
    """

    def __init__(self, where: str | Path, *, create: bool = True, name: str | None = None) -> None:
        self.name = shown_name(where) if name is None else name
        url = database_url(where, create, name)
        with self._translated():
            self._engine = connected(url)
        # SQLite locks the file as a writer from the start: a reader that turns into a writer can't wait for others.
        self._writing = self._engine.execution_options(oponente_writes=True)
        self._insert_games = BulkInsert(games_table, self._engine.dialect)
        self._insert_seats = BulkInsert(seats_table, self._engine.dialect)
        self._version = SCHEMA_VERSION
        try:
            with self._translated(), self._damage():
                self._open(create)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    # --- matches ---------------------------------------------------------------------------------------------------

    def begin(self, spec: MatchSpec, *, resume: bool = False) -> StoredMatch:
        """Enter a match, or find it again.

        Args:
            spec: the match.
            resume: go on with the latest entry of this match, if there is one; it is prolonged if more games are wanted
                now. Otherwise the match is entered anew, beside what is there.

        Raises:
            StorageError: another version of the package began the match that is to be resumed.
        """
        digest = spec.digest  # of files, which may be what is missing
        with self._translated(), self._writing.begin() as connection:
            with self._damage():
                row = self._latest(connection, digest) if resume else None
            if row is None:
                result = connection.execute(matches_table.insert().values(match_values(spec)))
                match_id = int(result.inserted_primary_key[0])  # type: ignore[index]
            else:
                match_id = row.id
                if row.package_version != __version__:
                    raise StorageError(
                        f"{self.name}: oponente {row.package_version} began this match and this is {__version__}: go on"
                        " with that version, or leave out --resume to begin anew"
                    )
                if spec.games > row.games:
                    update = matches_table.update().where(matches_table.c.id == match_id)
                    connection.execute(update.values(games=spec.games))
        return self.match(match_id)

    def unfinished(self, spec: MatchSpec) -> Unfinished:
        """Return what the latest entry of a match holds, unless it is complete."""
        digest = spec.digest
        with self._reading() as connection:
            row = self._latest(connection, digest)
            missing = row is not None and row.kept < row.games
            return Unfinished(row.kept, row.package_version) if missing else Unfinished()

    def begun(self, specs: Sequence[MatchSpec]) -> list[Begun]:
        """Return for each match what there is of it, by its latest entry."""
        digests = [spec.digest for spec in specs]
        found: dict[str, Begun] = {}
        with self._reading() as connection:
            for at in range(0, len(digests), _AT_A_TIME):
                latest = (
                    sa.select(sa.func.max(matches_table.c.id))
                    .where(matches_table.c.digest.in_(digests[at : at + _AT_A_TIME]))
                    .group_by(matches_table.c.digest)
                )
                match = matches_table.c
                columns = (match.digest, match.id, match.games, _KEPT, match.package_version)
                for digest, *entry in connection.execute(sa.select(*columns).where(match.id.in_(latest))):
                    found[digest] = Begun(*entry)
        return [found.get(digest, Begun()) for digest in digests]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """Give a connection to read with; what can't be read, by the database or by us, is one line."""
        with self._translated(), self._engine.begin() as connection, self._damage():
            yield connection

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Turn what damaged rows lead to into one line."""
        try:
            yield
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            # Texts, dates, JSON and numbers that are none, and games without their seats.
            cause = " ".join(f"{type(error).__name__}: {error}".split())
            raise StorageError(f"{self.name}: {cause[:300]}{DAMAGED}") from error

    @staticmethod
    def _latest(connection: sa.Connection, digest: str) -> Any:
        same = sa.select(matches_table, _KEPT).where(matches_table.c.digest == digest)
        return connection.execute(same.order_by(matches_table.c.id.desc()).limit(1)).one_or_none()

    def match(self, match_id: int) -> StoredMatch:
        """Return the match with a number; StorageError if there is none."""
        for match in self._matches(self._select(matches_table).where(matches_table.c.id == match_id)):
            return match
        raise StorageError(f"{self.name} holds no match {match_id}; it holds {listed_matches(self.match_numbers())}")

    def match_numbers(self) -> list[int]:
        """Return the numbers of all matches, oldest first: without a look at their games, which may be millions."""
        with self._reading() as connection:
            return list(connection.execute(sa.select(matches_table.c.id).order_by(matches_table.c.id)).scalars())

    def matches(self, newest: int | None = None) -> list[StoredMatch]:
        """Return the matches, oldest first: all, or so many of the newest."""
        query = self._select(matches_table).order_by(matches_table.c.id.desc()).limit(newest)
        return self._matches(query)[::-1]

    def _matches(self, query: sa.Select[Any]) -> list[StoredMatch]:
        with self._reading() as connection:
            return [stored_match(row, row.kept) for row in connection.execute(query.add_columns(_KEPT)).all()]

    # --- games -----------------------------------------------------------------------------------------------------

    def add(self, match_id: int, records: Sequence[GameRecord]) -> None:
        """Keep finished games, all or none of them.

        Raises:
            StorageError: one of them is stored already, or the database can't be written.
        """
        if not records:
            return
        now = datetime.now(UTC).replace(tzinfo=None)
        with self._translated():
            try:
                with self._writing.begin() as connection, _no_garbage_collection():
                    self._insert_games.run(connection, (game_values(match_id, record, now) for record in records))
                    seats = (values for record in records for values in seat_values(match_id, record))
                    self._insert_seats.run(connection, seats)
            except IntegrityError:
                # Each database says in words of its own that a key is there already; none of these games was kept.
                if self.finished(match_id).isdisjoint(record.index for record in records):
                    raise
                raise StorageError(
                    f"{self.name}: a game of this match was stored by another run at the same time; nothing is there"
                    " twice: wait until that run has ended, then give --resume"
                ) from None

    def finished(self, match_id: int) -> set[int]:
        """Return the indices of the stored games of a match."""
        with self._reading() as connection:
            query = sa.select(games_table.c.number).where(games_table.c.match_id == match_id)
            return set(connection.execute(query).scalars())

    def records(self, match_id: int, indices: Iterable[int] | None = None) -> list[GameRecord]:
        """Return the stored games of a match by index, all or those with the given indices that are there."""
        conditions_games = [games_table.c.match_id == match_id]
        conditions_seats = [seats_table.c.match_id == match_id]
        if indices is not None:
            wanted = sorted(set(indices))
            conditions_games.append(games_table.c.number.in_(wanted))
            conditions_seats.append(seats_table.c.number.in_(wanted))
        with self._reading() as connection:
            games = connection.execute(
                sa.select(games_table).where(*conditions_games).order_by(games_table.c.number)
            ).all()
            seats: dict[int, list[SeatRecord]] = {}
            for row in connection.execute(
                self._select(seats_table).where(*conditions_seats).order_by(seats_table.c.number, seats_table.c.seat)
            ):
                seats.setdefault(row.number, []).append(seat_record(row))
            return [game_record(row, seats[row.number]) for row in games]

    def columns(self, match_id: int, games: int) -> Iterator[GameColumns]:
        """Yield the stored games of a match whose index is less than `games`, a thousand at a time, by index.

        Their actions are not read: this takes a tenth of the time of :meth:`records`.
        """
        last = -1
        with self._reading() as connection:
            while True:
                with _no_garbage_collection():
                    found = self._select_games.run(connection, match=match_id, after=last, games=games)
                    if not found:
                        return
                    first, last = found[0][0], found[-1][0]
                    seats = self._select_seats.run(connection, match=match_id, first=first, last=last)
                    columns = match_columns(found, seats)
                    del found, seats
                yield columns

    @functools.cached_property
    def _select_games(self) -> BulkSelect:
        """The next games of a match, with what :func:`~oponente.arena.rows.match_columns` wants of them."""
        game = games_table.c
        columns = (game.number, game.block, game.length, game.status, game.forfeited_by, game.reproducible)
        query = (
            sa.select(*columns, sa.cast(game.returns, sa.Text))
            .where(
                game.match_id == sa.bindparam("match"),
                game.number > sa.bindparam("after"),
                game.number < sa.bindparam("games"),
            )
            .order_by(game.number)
            .limit(_GAMES_AT_ONCE)
        )
        return BulkSelect(query, self._engine.dialect)

    @functools.cached_property
    def _select_seats(self) -> BulkSelect:
        """The seats of some games of a match, likewise."""
        seat = seats_table.c
        columns = (seat.number, seat.seat, seat.agent, seat.decision_ms, seat.nodes)
        query = (
            sa.select(*columns, sa.cast(self._there(seat.facts), sa.Text))
            .where(
                seat.match_id == sa.bindparam("match"),
                seat.number.between(sa.bindparam("first"), sa.bindparam("last")),
            )
            .order_by(seat.number, seat.seat)
        )
        return BulkSelect(query, self._engine.dialect)

    def forfeits(self, match_id: int, agent: int, games: int, most: int) -> list[tuple[int, str]]:
        """Return the index of each game that an agent of a match forfeited, and why: the first ones, at most `most`.

        Args:
            match_id: of the match.
            agent: which of its agents, from 0.
            games: only those whose index is less count; more may be stored, if more were wanted the last time.
            most: how many are returned at most.
        """
        game, seat = games_table.c, seats_table.c
        its_seat = sa.and_(seat.match_id == game.match_id, seat.number == game.number, seat.seat == game.forfeited_by)
        query = (
            sa.select(game.number, game.reason)
            .join(seats_table, its_seat)
            .where(
                game.match_id == match_id,
                game.number < games,
                game.forfeited_by.is_not(None),
                seat.agent == agent,
            )
            .order_by(game.number)
            .limit(most)
        )
        with self._reading() as connection:
            return [(row.number, row.reason) for row in connection.execute(query)]

    # --- opening and errors ----------------------------------------------------------------------------------------

    def _open(self, create: bool) -> None:
        """Check that the database is ours; only then change anything in it."""
        with self._engine.begin() as connection:
            empty = not sa.inspect(connection).get_table_names()
            if not (empty and create):
                self._version = self._check_schema(connection)
        if not create:
            return
        if self._engine.dialect.name == "sqlite":
            # Readers don't wait for the writer. The file remembers it; it can't be set within a transaction.
            raw = self._engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL")
            finally:
                raw.close()
        if empty:
            with self._writing.begin() as connection:
                alone(connection)
                # Another program may have made the tables meanwhile.
                if not sa.inspect(connection).get_table_names():
                    metadata.create_all(connection)
                    connection.execute(schema_table.insert().values(version=SCHEMA_VERSION))
                self._version = self._check_schema(connection)
        if self._version < SCHEMA_VERSION:
            with self._writing.begin() as connection:
                alone(connection)
                # Another program may have done it meanwhile.
                self._upgrade(connection, self._check_schema(connection))
                self._version = self._check_schema(connection)

    def _upgrade(self, connection: sa.Connection, version: int) -> None:
        """Add what later versions brought; what is there stays as it is."""
        dialect = self._engine.dialect
        for later in range(version + 1, SCHEMA_VERSION + 1):
            for column in ADDED[later]:
                names = dialect.identifier_preparer
                kind = column.type.compile(dialect=dialect)
                added = f"{names.format_column(column)} {kind}"
                connection.execute(sa.text(f"ALTER TABLE {names.format_table(column.table)} ADD COLUMN {added}"))
        connection.execute(schema_table.update().values(version=SCHEMA_VERSION))

    def _select(self, table: sa.Table) -> sa.Select[Any]:
        """Return a query of all columns of a table; those that the database does not have yet are null."""
        return sa.select(*map(self._there, table.columns))

    def _there(self, column: sa.Column[Any]) -> sa.ColumnElement[Any]:
        """Return a column; one that the database does not have yet is null."""
        later = any(column is one for one in _columns_after(self._version))
        return sa.null().label(column.name) if later else column

    def _check_schema(self, connection: sa.Connection) -> int:
        """Return the version of the schema; StorageError if it can't be read or is damaged."""
        tables = set(sa.inspect(connection).get_table_names())
        if not tables:
            raise StorageError(f"{self.name} is empty: expected a database that a match has written")
        if schema_table.name not in tables:
            shown = ", ".join(sorted(tables)[:5])
            raise StorageError(
                f"{self.name} is the database of another program (its tables: {shown}): give a new file, or an"
                " empty database"
            )
        versions = connection.execute(sa.select(schema_table.c.version)).scalars().all()
        if len(versions) != 1 or not 1 <= versions[0] <= SCHEMA_VERSION:
            found = ", ".join(map(str, versions)) or "none"
            raise StorageError(
                f"{self.name} has schema version {found}, this oponente reads and writes 1 to"
                f" {SCHEMA_VERSION}: give another file, or use the oponente that wrote it"
            )
        for table in metadata.sorted_tables:
            columns = (
                {c["name"] for c in sa.inspect(connection).get_columns(table.name)} if table.name in tables else set()
            )
            later = {column.name for column in _columns_after(versions[0]) if column.table is table}
            missing = [column.name for column in table.columns if column.name not in columns | later]
            if missing:
                raise StorageError(
                    f"{self.name} is damaged: its table {table.name} lacks {', '.join(missing)}; give another file"
                )
        return int(versions[0])

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn the errors of SQLAlchemy and of database drivers into one line."""
        try:
            yield
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
            raise StorageError(f"{self.name}: {cause}{advice(cause)}") from error
        except ImportError as error:
            raise StorageError(f"{self.name}: {needed(error)}") from error


@contextlib.contextmanager
def opened(store: Store | str | Path | None) -> Iterator[Store | None]:
    """Open the store at a path or URL within the context. A store, or None, is passed on as it is."""
    if isinstance(store, str | Path):
        with Store(store) as own:
            yield own
    else:
        yield store


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Collect no cyclic garbage within the context.

    Thousands of rows set off collection after collection, which find nothing: half of the time of reading, and a
    fifth of that of writing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _columns_after(version: int) -> list[sa.Column[Any]]:
    """Return the columns that a database of that version lacks."""
    return [column for later, columns in ADDED.items() if later > version for column in columns]
