"""Games of the page in the database: those that go on, so that a restart loses no move, and those that are over.

``page_games``: one row per game that was begun
    ``id``; ``game``, ``options`` (JSON object of texts), ``agents`` (JSON list: the spec of the agent in each seat,
    ``human`` for persons), ``seed``, ``start_seed``, ``pace``; ``tokens`` (JSON list: that of each seat),
    ``watch`` (token of those who only watch); ``over``: whether it is kept among the finished games.

``page_moves``: one row per action or chance outcome of a game that goes on
    ``game``, ``ply``: primary key; ``action``.

Everything is written by one thread, in the order in which it was given. What is finished goes where all played games
are (:mod:`oponente.arena.storage`).
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from oponente.arena.match import MatchSpec
from oponente.arena.record import GameRecord
from oponente.arena.storage import StorageError, Store, open_engine

_metadata = sa.MetaData()
_games = sa.Table(
    "page_games",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(200), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("agents", sa.JSON, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("start_seed", sa.BigInteger, nullable=False),
    sa.Column("pace", sa.Double, nullable=False),
    sa.Column("tokens", sa.JSON, nullable=False),
    sa.Column("watch", sa.String(100), nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
)
_moves = sa.Table(
    "page_moves",
    _metadata,
    sa.Column("game", sa.Integer, sa.ForeignKey("page_games.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("action", sa.BigInteger, nullable=False),
)


@dataclass(frozen=True)
class Begun:
    """A game that goes on, as it is kept."""

    id: int
    game: str
    options: dict[str, str]
    agents: tuple[str, ...]
    seed: int
    start_seed: int
    pace: float
    tokens: tuple[str, ...]
    watch: str
    actions: tuple[int, ...] = ()


class Journal:
    """Writes the games of the page to a database.

    Args:
        where: path of an SQLite file, or a database URL of SQLAlchemy.

    Raises:
        StorageError: it can't be opened.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self._store = Store(where)
        self._engine = open_engine(where)
        with _translated(where):
            _metadata.create_all(self._engine)
        self._work: queue.SimpleQueue[tuple[Callable[[sa.Connection], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is still to be written, and let go of the database."""
        self._work.put(None)
        self._thread.join()
        self._engine.dispose()
        self._store.close()

    def begin(self, begun: Begun) -> Future[int]:
        """Keep a new game; the result is its number."""
        row = {
            "game": begun.game,
            "options": begun.options,
            "agents": list(begun.agents),
            "seed": begun.seed,
            "start_seed": begun.start_seed,
            "pace": begun.pace,
            "tokens": list(begun.tokens),
            "watch": begun.watch,
            "over": False,
        }

        def write(connection: sa.Connection) -> int:
            result = connection.execute(_games.insert().values(row))
            number = int(result.inserted_primary_key[0])  # type: ignore[index]
            _add_moves(connection, number, 0, begun.actions)
            return number

        return self._do(write)

    def add(self, number: int, ply: int, action: int) -> Future[None]:
        """Keep an action that was taken in the position after `ply` others."""
        return self._do(lambda connection: _add_moves(connection, number, ply, (action,)))

    def cut(self, number: int, ply: int) -> Future[None]:
        """Forget the actions of a game after the first `ply`."""

        def write(connection: sa.Connection) -> None:
            connection.execute(_moves.delete().where(_moves.c.game == number, _moves.c.ply >= ply))

        return self._do(write)

    def finish(self, number: int, spec: MatchSpec, record: GameRecord) -> Future[int]:
        """Keep a game that is over; the result is the number of its match."""

        def write(connection: sa.Connection) -> None:
            connection.execute(_moves.delete().where(_moves.c.game == number))
            connection.execute(_games.update().where(_games.c.id == number).values(over=True))

        def keep(_: Future[Any]) -> None:
            try:
                stored = self._store.begin(spec)
                self._store.add(stored.id, [record])
                self._write_now(write)
                kept.set_result(stored.id)
            except Exception as error:
                kept.set_exception(error)

        kept: Future[int] = Future()
        # After all of its moves; in the writing thread, which waits for no lock of its own.
        self._do(lambda connection: None).add_done_callback(keep)
        return kept

    def drop(self, number: int) -> Future[None]:
        """Forget a game that was broken off."""

        def write(connection: sa.Connection) -> None:
            connection.execute(_moves.delete().where(_moves.c.game == number))
            connection.execute(_games.delete().where(_games.c.id == number))

        return self._do(write)

    def going_on(self) -> list[Begun]:
        """Return the games that were begun and are not over, oldest first."""
        with _translated(self.where), self._engine.begin() as connection:
            rows = connection.execute(sa.select(_games).where(sa.not_(_games.c.over)).order_by(_games.c.id)).all()
            found = []
            for row in rows:
                query = sa.select(_moves.c.action).where(_moves.c.game == row.id).order_by(_moves.c.ply)
                actions = tuple(connection.execute(query).scalars())
                found.append(
                    Begun(
                        row.id,
                        row.game,
                        dict(row.options),
                        tuple(row.agents),
                        row.seed,
                        row.start_seed,
                        row.pace,
                        tuple(row.tokens),
                        row.watch,
                        actions,
                    )
                )
            return found

    def _do(self, write: Callable[[sa.Connection], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        self._work.put((write, future))
        return future

    def _write(self) -> None:
        """Work through what is to be written: all that waits, in one transaction."""
        while (first := self._work.get()) is not None:
            batch = [first]
            last = False
            while not self._work.empty() and len(batch) < _BATCH:
                following = self._work.get()
                if following is None:
                    last = True
                    break
                batch.append(following)
            self._write_batch(batch)
            if last:
                return

    def _write_batch(self, batch: list[tuple[Callable[[sa.Connection], Any], Future[Any]]]) -> None:
        try:
            results = self._write_now(lambda connection: [write(connection) for write, _ in batch])
        except Exception as error:
            if len(batch) > 1:  # one of them is wrong: the others must not suffer
                for one in batch:
                    self._write_batch([one])
                return
            batch[0][1].set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)

    def _write_now(self, write: Callable[[sa.Connection], Any]) -> Any:
        with _translated(self.where), self._engine.execution_options(oponente_writes=True).begin() as connection:
            return write(connection)


_BATCH = 500


def _add_moves(connection: sa.Connection, number: int, ply: int, actions: tuple[int, ...]) -> None:
    if actions:
        rows = [{"game": number, "ply": ply + i, "action": action} for i, action in enumerate(actions)]
        connection.execute(_moves.insert(), rows)


@contextlib.contextmanager
def _translated(where: str) -> Any:
    try:
        yield
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        raise StorageError(f"{where}: {cause}") from error
