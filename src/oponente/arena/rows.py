"""The rows of the database of played games: how they are made of matches and games, and how they are read back."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from oponente import __version__
from oponente.arena.columns import GameColumns, columns_of
from oponente.arena.match import MatchSpec
from oponente.arena.record import GameRecord, SeatRecord
from oponente.arena.schema import games_table, matches_table, seats_table
from oponente.games.catalogue import GameSpec

T = TypeVar("T")


@dataclass(frozen=True)
class StoredMatch:
    """A match in the database."""

    id: int
    spec: MatchSpec
    finished: int
    """How many of its games are stored."""
    package_version: str
    created: datetime


def match_values(spec: MatchSpec) -> dict[str, Any]:
    """Return the row of a match."""
    return {
        "digest": spec.digest,
        **spec.values(),
        "package_version": __version__,
        "created": datetime.now(UTC).replace(tzinfo=None),
    }


def stored_match(row: Any, finished: int) -> StoredMatch:
    """Return the match that a row holds.

    Args:
        row: all columns of the match; others may follow.
        finished: how many of its games are stored.

    Raises:
        ValueError, TypeError, AttributeError: the row is damaged.
    """
    _check(row[: len(matches_table.columns)], matches_table)
    spec = MatchSpec(
        game=GameSpec(row.game, tuple(sorted(row.options.items())), row.game_file),
        agents=tuple(row.agents),
        games=row.games,
        seed=row.seed,
        agent_files=tuple(row.agent_files),
        opening_plies=row.opening_plies,
        seconds=row.seconds,
        max_plies=row.max_plies,
        rotate=True if row.rotate is None else row.rotate,
    )
    return StoredMatch(row.id, spec, finished, row.package_version, row.created)


def game_values(match_id: int, record: GameRecord, now: datetime) -> dict[str, Any]:
    """Return the row of a game that finished at a time, in UTC."""
    return {
        "match_id": match_id,
        **record.values(),
        "returns": list(record.returns),
        "finished": now,
    }


def seat_values(match_id: int, record: GameRecord) -> Iterator[dict[str, Any]]:
    """Yield the rows of the seats of a game."""
    for number, seat in enumerate(record.seats):
        yield {
            "match_id": match_id,
            "number": record.index,
            "seat": number,
            "agent": seat.agent,
            "decisions": seat.decisions,
            "total_ms": seat.total_ms,
            "decision_ms": times_to_bytes(seat.decision_ms),
            "nodes": seat.nodes,
            "facts": seat.facts,
        }


def seat_record(row: Any) -> SeatRecord:
    """Return the seat that a row holds; ValueError, TypeError: it is damaged."""
    _check(row, seats_table)
    if not isinstance(row.facts, dict | None):
        raise TypeError(f"facts {row.facts!r} of match {row.match_id}, game {row.number}")
    return SeatRecord(row.agent, times_from_bytes(row.decision_ms), row.nodes, row.facts)


def game_record(row: Any, seats: Sequence[SeatRecord]) -> GameRecord:
    """Return the game that a row holds, with the seats of that game; ValueError, TypeError: it is damaged."""
    _check(row, games_table)
    where = f"of match {row.match_id}, game {row.number}"
    if sorted([seat.agent for seat in seats]) != list(range(len(seats))):
        raise ValueError(f"agents {', '.join(str(seat.agent) for seat in seats)} in the seats {where}")
    for name, values, kinds in (("actions", row.actions, _WHOLE), ("returns", row.returns, _NUMBERS)):
        if not kinds.issuperset(map(type, values)):
            raise TypeError(f"{name} {where} that are no numbers")
    return GameRecord(
        index=row.number,
        block=row.block,
        seats=tuple(seats),
        start_seed=row.start_seed,
        opening=row.opening,
        actions=tuple(row.actions),
        returns=tuple(row.returns),
        status=row.status,
        reason=row.reason,
        forfeited_by=row.forfeited_by,
        reproducible=row.reproducible,
    )


def match_columns(games: Sequence[Any], seats: Sequence[Any]) -> GameColumns:
    """Return the games that rows hold, at least one, as columns; ValueError, TypeError: they are damaged.

    Args:
        games: ``number``, ``block``, ``length``, ``status``, ``forfeited_by``, ``reproducible`` and ``returns`` of each
            game, by number; the last one as the text that it is in the database.
        seats: ``number``, ``seat``, ``agent``, ``decision_ms``, ``nodes`` and ``facts``, as text, of each seat of these
            games, by number and seat. Those of other games are left out.
    """
    number, block, length, status, forfeited_by, reproducible, returns = zip(*games, strict=True)
    where = f"of games {number[0]} to {number[-1]}"
    utilities = _utilities(returns)
    players = utilities.shape[1]
    if len(seats) > utilities.size:  # of a game that was stored meanwhile
        there = set(number)
        seats = [row for row in seats if row[0] in there]
    if len(seats) != utilities.size:
        raise ValueError(f"{len(seats)} seats {where}, with {utilities.size} utilities")
    of_game, seat, agents, times, nodes, facts = zip(*seats, strict=True)
    if any(of_game[one::players] != number or set(seat[one::players]) != {one} for one in range(players)):
        raise ValueError(f"missing seats {where}")
    sizes = np.array(list(map(len, times)), np.int64)
    if (sizes % _TIME.itemsize).any():
        raise ValueError(f"times of decisions {where} that are cut off")
    return columns_of(
        index=number,
        block=block,
        length=length,
        status=status,
        forfeited_by=forfeited_by,
        reproducible=reproducible,
        returns=utilities,
        agents=agents,
        nodes=nodes,
        decisions=sizes // _TIME.itemsize,
        decision_ms=np.frombuffer(b"".join(times), _TIME).astype(np.float32),
        facts=_decoded([text or "null" for text in facts], list[dict[str, float] | None]) if any(facts) else [],
    )


_TIME = np.dtype("<f4")


def _utilities(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return the utilities in texts of JSON, float64, (games, players); few of these texts are different."""
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    values = np.array(_decoded(list(places), list[list[float]]), np.float64, ndmin=2)
    return values[[places[text] for text in texts]]


def _decoded(texts: Sequence[str], kind: type[T]) -> T:
    """Return the values in texts of JSON as a list of that kind; ValueError if they hold something else."""
    try:
        return msgspec.json.decode(f"[{','.join(texts)}]", type=kind)
    except msgspec.DecodeError as error:
        raise ValueError(f"JSON: {error}") from None


_WHOLE, _NUMBERS = frozenset({int}), frozenset({int, float})


def _check(row: Any, table: sa.Table) -> None:
    """Raise TypeError if a column holds something of another kind, as SQLite lets it.

    What JSON holds is not looked at.

    Args:
        row: all columns of the table, in its order.
        table: the table.
    """
    for value, (name, kinds) in zip(row, _kinds(table), strict=True):
        if not isinstance(value, kinds):
            raise TypeError(f"{table.name}.{name} is {value!r}")


@cache
def _kinds(table: sa.Table) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """Return the name of each column, and the types that its values may have."""
    return tuple((column.name, _types(column)) for column in table.columns)


def _types(column: sa.Column[Any]) -> tuple[type, ...]:
    if isinstance(column.type, sa.JSON):
        return (object,)
    kind = column.type.python_type
    return (kind, *([int] if kind is float else []), *([NoneType] if column.nullable else []))


def times_to_bytes(times: array[float]) -> bytes:
    """Return times as little-endian floats of 32 bits."""
    if sys.byteorder == "little":
        return times.tobytes()
    swapped = array("f", times)
    swapped.byteswap()
    return swapped.tobytes()


def times_from_bytes(data: bytes) -> array[float]:
    """Return the times in what :func:`times_to_bytes` wrote; ValueError if that is damaged."""
    times = array("f")
    times.frombytes(data)
    if sys.byteorder != "little":
        times.byteswap()
    return times
