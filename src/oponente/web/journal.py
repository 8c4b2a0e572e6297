"""Games of the page in the database: those that go on, so that a restart loses no move, and those that are over.

``page_rooms``: one row per game that was begun
    ``id``; ``game``, ``options`` (JSON object of texts), ``agents`` (JSON list: the spec of the agent in each seat,
    ``human`` for persons), ``seed``, ``start_seed``, ``pace``; ``match``: the number of the match that it is kept as
    among all that were played, once it is over.

``page_links``: one row per link to such a game
    ``token``: primary key; ``room``; ``seat``: which the link opens, null for those who only watch.

``page_actions``: one row per action or chance outcome of a game that goes on
    ``room``, ``ply``: primary key; ``action``.

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

from oponente.arena.database import StorageError, alone, open_engine, shown_name
from oponente.arena.match import MatchSpec
from oponente.arena.record import GameRecord
from oponente.arena.storage import Store

DATABASE = "the database"
"""What it is called in what browsers are told, which are not to know where it is."""

_metadata = sa.MetaData()
_rooms = sa.Table(
    "page_rooms",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(200), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("agents", sa.JSON, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("start_seed", sa.BigInteger, nullable=False),
    sa.Column("pace", sa.Double, nullable=False),
    sa.Column("match", sa.Integer),
)
_links = sa.Table(
    "page_links",
    _metadata,
    sa.Column("token", sa.String(100), primary_key=True),
    sa.Column("room", sa.Integer, sa.ForeignKey("page_rooms.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer),
)
_actions = sa.Table(
    "page_actions",
    _metadata,
    sa.Column("room", sa.Integer, sa.ForeignKey("page_rooms.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("action", sa.BigInteger, nullable=False),
)


@dataclass(frozen=True)
class Begun:
    """A game that was begun, as it is kept."""

    id: int
    game: str
    options: dict[str, str]
    agents: tuple[str, ...]
    seed: int
    start_seed: int
    pace: float
    tokens: tuple[str, ...]
    """The token of each seat; empty for agents."""
    watch: str
    """The token of those who only watch."""
    actions: tuple[int, ...] = ()
    """What was done in it so far; empty once it is over."""
    match: int | None = None
    """The number of the match that it is kept as, once it is over."""

    @property
    def links(self) -> dict[str, int | None]:
        """The seat that each token opens."""
        seats: dict[str, int | None] = {key: seat for seat, key in enumerate(self.tokens) if key}
        return seats | {self.watch: None}


class Journal:
    """Writes the games of the page to a database.

    Args:
        where: path of an SQLite file, or a database URL of SQLAlchemy.

    Raises:
        StorageError: it can't be opened.
    """

    def __init__(self, where: str) -> None:
        self._store = Store(where)
        self._engine = open_engine(where)
        with _translated(shown_name(where)), self._engine.begin() as connection:
            alone(connection)
            _metadata.create_all(connection)
        self._store.name = DATABASE  # until here whoever starts the server was told
        self._broken: set[int] = set()  # games of which an action was not kept; for the thread alone
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
        }

        def write(connection: sa.Connection) -> int:
            result = connection.execute(_rooms.insert().values(row))
            number = int(result.inserted_primary_key[0])  # type: ignore[index]
            links = [{"token": key, "room": number, "seat": seat} for key, seat in begun.links.items()]
            connection.execute(_links.insert(), links)
            _add_actions(connection, number, 0, begun.actions)
            return number

        return self._do(write)

    def add(self, number: int, ply: int, action: int) -> Future[None]:
        """Keep an action that was taken in the position after `ply` others.

        Once that has failed no later one of the game is kept: what is kept is the game from its start on. The game
        goes on from there when it is looked for again (:meth:`find`).
        """

        def write(connection: sa.Connection) -> None:
            if number in self._broken:
                raise StorageError(f"{DATABASE}: an earlier action of this game was not kept")
            _add_actions(connection, number, ply, (action,))

        def note(future: Future[None]) -> None:
            if future.exception() is not None:
                self._broken.add(number)

        future = _future()
        future.add_done_callback(note)
        return self._do(write, future)

    def cut(self, number: int, ply: int) -> Future[None]:
        """Forget the actions of a game after the first `ply`."""

        def write(connection: sa.Connection) -> None:
            connection.execute(_actions.delete().where(_actions.c.room == number, _actions.c.ply >= ply))

        return self._do(write)

    def set_pace(self, number: int, seconds: float) -> Future[None]:
        """Keep another pace of a game."""

        def write(connection: sa.Connection) -> None:
            connection.execute(_rooms.update().where(_rooms.c.id == number).values(pace=seconds))

        return self._do(write)

    def finish(self, number: int, spec: MatchSpec, record: GameRecord) -> Future[int]:
        """Keep a game that is over; the result is the number of its match."""

        def keep(_: Future[Any]) -> None:
            try:
                stored = self._store.begin(spec)
                self._store.add(stored.id, [record])

                def write(connection: sa.Connection) -> None:
                    connection.execute(_actions.delete().where(_actions.c.room == number))
                    connection.execute(_rooms.update().where(_rooms.c.id == number).values(match=stored.id))

                self._write_now(write)
                kept.set_result(stored.id)
            except Exception as error:
                kept.set_exception(error)

        kept = _future()
        # After all of its actions; in the writing thread, which waits for no lock of its own.
        self._do(lambda connection: None).add_done_callback(keep)
        return kept

    def find(self, token: str) -> Future[Begun | None]:
        """Look for the game that a token opens, with all that was given to be written before; None: there is none.

        What is kept may be damaged; then the future raises StorageError.
        """

        def read(connection: sa.Connection) -> Begun | None:
            row = connection.execute(
                sa.select(_rooms).join(_links, _links.c.room == _rooms.c.id).where(_links.c.token == token)
            ).one_or_none()
            if row is None:
                return None
            links = connection.execute(sa.select(_links.c.seat, _links.c.token).where(_links.c.room == row.id)).all()
            query = sa.select(_actions.c.ply, _actions.c.action).where(_actions.c.room == row.id)
            actions = connection.execute(query.order_by(_actions.c.ply)).all()
            missing = next((number for number, one in enumerate(actions) if one.ply != number), None)
            if missing is not None:
                raise StorageError(f"{DATABASE}: page_rooms {row.id} is damaged: its action {missing + 1} is missing")
            self._broken.discard(row.id)
            try:
                seats = {link.seat: link.token for link in links}
                return Begun(
                    row.id,
                    row.game,
                    dict(row.options),
                    tuple(row.agents),
                    row.seed,
                    row.start_seed,
                    row.pace,
                    tuple(seats.get(seat, "") for seat in range(len(row.agents))),
                    seats[None],
                    tuple(one.action for one in actions),
                    row.match,
                )
            except (KeyError, TypeError, ValueError) as error:
                raise StorageError(f"{DATABASE}: page_rooms {row.id} is damaged: {error}") from error

        return self._do(read)

    def _do(self, write: Callable[[sa.Connection], Any], future: Future[Any] | None = None) -> Future[Any]:
        future = future or _future()
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
        with _translated(DATABASE), self._engine.execution_options(oponente_writes=True).begin() as connection:
            return write(connection)


_BATCH = 500


def _future() -> Future[Any]:
    """Return a future that nobody can cancel: what was given to be written is written, whoever waits for it."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


def _add_actions(connection: sa.Connection, number: int, ply: int, actions: tuple[int, ...]) -> None:
    if actions:
        rows = [{"room": number, "ply": ply + i, "action": action} for i, action in enumerate(actions)]
        connection.execute(_actions.insert(), rows)


@contextlib.contextmanager
def _translated(name: str) -> Any:
    """Turn the errors of SQLAlchemy and of database drivers into one line that gives the database that name."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        raise StorageError(f"{name}: {cause}") from error
