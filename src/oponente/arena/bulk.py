"""Inserting and reading many rows at once, without what SQLAlchemy does anew for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any

import sqlalchemy as sa


class BulkInsert:
    """An insert into all columns of a table, made ready once for a database.

    Args:
        table: the table.
        dialect: of the database; it says how the statement is written, and how values are given to the driver.
    """

    def __init__(self, table: sa.Table, dialect: sa.Dialect) -> None:
        compiled: Any = table.insert().compile(dialect=dialect)
        self._statement: str = compiled.string
        self._positional: bool = compiled.positiontup is not None
        names = list(compiled.positiontup) if self._positional else [column.name for column in table.columns]
        self._names: list[str] = names
        self._take = itemgetter(*names)
        self._processes: list[tuple[int, Callable[[Any], Any]]] = []
        """What the driver is given in place of a value, by the position of its column; others are given as they are."""
        for position, name in enumerate(names):
            kind = table.c[name].type
            process = kind.dialect_impl(dialect).bind_processor(dialect)
            if process is not None:
                # The games of a transaction have one time of their end.
                self._processes.append((position, _remembered(process) if isinstance(kind, sa.DateTime) else process))

    def run(self, connection: sa.Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Insert rows, each with a value for every column by name; all or none of them."""
        given: list[Any] = []
        for row in rows:
            values = list(self._take(row))
            for position, process in self._processes:
                values[position] = process(values[position])
            given.append(tuple(values) if self._positional else dict(zip(self._names, values, strict=True)))
        connection.exec_driver_sql(self._statement, given)


class BulkSelect:
    """A query, made ready once for a database, whose rows come as the driver gives them: tuples.

    Args:
        query: with a parameter for each value that is given when it is run.
        dialect: of the database.
    """

    def __init__(self, query: sa.Select[Any], dialect: sa.Dialect) -> None:
        self._compiled: Any = query.compile(dialect=dialect)
        self._error: type[Exception] = dialect.loaded_dbapi.Error

    def run(self, connection: sa.Connection, **values: Any) -> list[tuple[Any, ...]]:
        """Return all rows.

        Args:
            connection: to the database.
            values: of the query's parameters.

        Raises:
            sqlalchemy.exc.DBAPIError: the database can't be read.
        """
        given = self._compiled.construct_params(values)
        if self._compiled.positiontup is not None:
            given = tuple(given[name] for name in self._compiled.positiontup)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(self._compiled.string, given)
            return list(cursor.fetchall())
        except self._error as error:
            raise sa.exc.DBAPIError(self._compiled.string, given, error) from error
        finally:
            cursor.close()


def _remembered(process: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that calls another one once for the same object given again and again."""
    last: Any = None
    result: Any = None

    def call(value: Any) -> Any:
        nonlocal last, result
        if value is None:
            return process(value)
        if value is not last:
            last, result = value, process(value)
        return result

    return call
