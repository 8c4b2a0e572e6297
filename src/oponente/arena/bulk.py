"""Inserting many rows at once, without what SQLAlchemy does anew for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
        names: Iterable[str] = compiled.positiontup if self._positional else [column.name for column in table.columns]
        self._columns: list[tuple[str, Callable[[Any], Any] | None]] = [
            (name, table.c[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in names
        ]

    def run(self, connection: sa.Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Insert rows, each with a value for every column by name; all or none of them."""
        columns = self._columns
        values = ([row[name] if process is None else process(row[name]) for name, process in columns] for row in rows)
        given: list[Any]
        if self._positional:
            given = [tuple(row) for row in values]
        else:
            names = [name for name, _ in columns]
            given = [dict(zip(names, row, strict=True)) for row in values]
        connection.exec_driver_sql(self._statement, given)
