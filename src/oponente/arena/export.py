"""Writing played games to files: CSV for spreadsheets, Parquet for data frames, JSON for everything.

CSV and Parquet have one row per game, with these columns:

``match``, ``game``, ``options`` (``key=value`` separated by blanks), ``seed``: which match;
``number``, ``block``, ``start_seed``, ``opening``, ``length``, ``status``, ``reason``, ``forfeited_by``,
``reproducible``, ``actions``: the game, as in the table ``games`` of :mod:`oponente.arena.schema`;
``seat0_agent``, ``seat0_spec``, ``seat0_return``, ``seat0_decisions``, ``seat0_total_ms``, ``seat0_nodes``,
``seat0_decision_ms``, and the same for each further seat: who sat there, its utility, what it took; where games have
facts (:mod:`oponente.arena.facts`), also ``seat0_fact_NAME`` for each.

In Parquet the actions and the times of decisions are lists, in CSV numbers separated by blanks. A JSON file holds
the matches in full, and :func:`oponente.arena.replay.load_recording` reads it.
"""

from __future__ import annotations

import csv
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, overload

from oponente import __version__
from oponente.arena.match import MatchSpec
from oponente.arena.record import GameRecord
from oponente.arena.storage import Store
from oponente.kernel import in_one_step

JSON_FORMAT = "oponente-games"
JSON_VERSION = 1
ROWS_PER_GROUP = 5_000
"""Games of a row group of a Parquet file: what is in memory at a time."""
_READ_AT_ONCE = 1_000
"""Games that are read from a database at a time."""


@dataclass(frozen=True)
class PlayedMatch:
    """A match with games that were played."""

    number: int
    """Of the match in its database, or 1."""
    spec: MatchSpec
    records: Sequence[GameRecord]


class StoredGames(Sequence[GameRecord]):
    """The games of a stored match by index, read from the database a few at a time whenever they are gone through.

    Games that are stored later don't show.

    Args:
        store: the database, open as long as games are read.
        match: the number of the match.
        games: only those whose index is less; None: all.
    """

    def __init__(self, store: Store, match: int, games: int | None = None) -> None:
        self._store, self._match = store, match
        self._indices = sorted(index for index in store.finished(match) if games is None or index < games)

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self) -> Iterator[GameRecord]:
        for first in range(0, len(self._indices), _READ_AT_ONCE):
            yield from self[first : first + _READ_AT_ONCE]

    @overload
    def __getitem__(self, place: int) -> GameRecord: ...

    @overload
    def __getitem__(self, place: slice) -> list[GameRecord]: ...

    def __getitem__(self, place: int | slice) -> GameRecord | list[GameRecord]:
        if isinstance(place, slice):
            return self._store.records(self._match, self._indices[place])
        return self._store.records(self._match, [self._indices[place]])[0]


def stored_matches(store: Store, *chosen: int) -> list[PlayedMatch]:
    """Return what a database holds: the matches with the given numbers, in that order, or all if none is given.

    Their games are read when they are gone through (:class:`StoredGames`), so the database must stay open.

    Raises:
        StorageError: there is no such match.
    """
    found = [store.match(number) for number in chosen] if chosen else store.matches()
    return [PlayedMatch(stored.id, stored.spec, StoredGames(store, stored.id)) for stored in found]


def export_games(matches: Sequence[PlayedMatch], path: str | Path) -> int:
    """Write games to a file whose name ends in ``.csv``, ``.parquet`` or ``.json``; return how many.

    An existing file is replaced when the new one is complete.

    Raises:
        ValueError: the name ends otherwise, or there is no such folder, or it may not be changed.
        OSError: the file can't be written.
    """
    check_export(path)
    path = Path(path)
    with in_one_step(path) as part:
        _WRITERS[path.suffix.lower()](matches, part)
    return sum(len(match.records) for match in matches)


def check_export(path: str | Path) -> None:
    """Raise ValueError if games can't be exported to a file of that name; to be asked before they are played."""
    path = Path(path)
    if path.suffix.lower() not in _WRITERS:
        raise ValueError(f"{path}: expected a name that ends in {', '.join(_WRITERS)}")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: give the path of a file")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):  # also where the file is there: a new one takes its place
        raise ValueError(f"{path} can't be written: {path.parent} may not be changed")


# --- one row per game ----------------------------------------------------------------------------------------------


def _rows(matches: Iterable[PlayedMatch]) -> Iterator[dict[str, Any]]:
    for match in matches:
        options = " ".join(f"{key}={value}" for key, value in match.spec.game.options)
        for record in match.records:
            row = {
                "match": match.number,
                "game": match.spec.game.name,
                "options": options,
                "seed": match.spec.seed,
                **record.values(),
            }
            for number, seat in enumerate(_seat_values(match.spec, record)):
                facts = seat.pop("facts") or {}
                row |= {f"seat{number}_{key}": value for key, value in seat.items()}
                row |= {f"seat{number}_fact_{name}": value for name, value in facts.items()}
            yield row


def _seat_values(spec: MatchSpec, record: GameRecord) -> list[dict[str, Any]]:
    return [
        {
            "agent": seat.agent,
            "spec": spec.agents[seat.agent],
            "return": value,
            "decisions": seat.decisions,
            "total_ms": seat.total_ms,
            "nodes": seat.nodes,
            "decision_ms": seat.decision_ms.tolist(),
            "facts": seat.facts,
        }
        for seat, value in zip(record.seats, record.returns, strict=True)
    ]


def _write_csv(matches: Sequence[PlayedMatch], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _columns(matches), restval="")
        writer.writeheader()
        for row in _rows(matches):
            writer.writerow({key: _cell(value) for key, value in row.items()})


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(f"{item:.6g}" if isinstance(item, float) else str(item) for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def _columns(matches: Sequence[PlayedMatch]) -> list[str]:
    return [name for name, _ in _typed_columns(matches)]


def _typed_columns(matches: Sequence[PlayedMatch]) -> list[tuple[str, str]]:
    """Return all columns with the name of their Arrow type; ``list:`` stands before the type of its elements."""
    columns = [
        ("match", "int64"),
        ("game", "string"),
        ("options", "string"),
        ("seed", "int64"),
        ("number", "int64"),
        ("block", "int64"),
        ("start_seed", "int64"),
        ("opening", "int32"),
        ("length", "int32"),
        ("status", "string"),
        ("reason", "string"),
        ("forfeited_by", "int32"),
        ("reproducible", "bool"),
        ("actions", "list:int32"),
    ]
    facts = {name: None for m in matches for r in m.records for seat in r.seats for name in seat.facts or ()}
    for seat in range(max((len(match.spec.agents) for match in matches), default=0)):
        columns += [
            (f"seat{seat}_agent", "int32"),
            (f"seat{seat}_spec", "string"),
            (f"seat{seat}_return", "double"),
            (f"seat{seat}_decisions", "int32"),
            (f"seat{seat}_total_ms", "double"),
            (f"seat{seat}_nodes", "int64"),
            (f"seat{seat}_decision_ms", "list:float"),
            *((f"seat{seat}_fact_{name}", "double") for name in facts),
        ]
    return columns


def _write_parquet(matches: Sequence[PlayedMatch], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def arrow_type(name: str) -> Any:
        kind, _, element = name.partition(":")
        return pa.list_(pa.type_for_alias(element)) if kind == "list" else pa.type_for_alias(name)

    schema = pa.schema([(name, arrow_type(kind)) for name, kind in _typed_columns(matches)])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        rows = _rows(matches)
        while group := list(itertools.islice(rows, ROWS_PER_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


# --- everything ----------------------------------------------------------------------------------------------------


def _write_json(matches: Sequence[PlayedMatch], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        _dump(matches, file)


def _dump(matches: Sequence[PlayedMatch], file: TextIO) -> None:
    # One game a line: easy to compare, and no second copy of a large match in memory.
    head = {"format": JSON_FORMAT, "version": JSON_VERSION, "package_version": __version__}
    file.write(json.dumps(head)[:-1] + ', "matches": [')
    for position, match in enumerate(matches):
        spec = match.spec
        values = {"match": match.number, **spec.values()}
        file.write(",\n" if position else "\n")
        file.write(json.dumps(values)[:-1] + ', "records": [')
        for number, record in enumerate(match.records):
            game = {**record.values(), "seats": _seat_values(spec, record)}
            file.write((",\n" if number else "\n") + json.dumps(game))
        file.write("\n]}")
    file.write("\n]}\n")


_WRITERS: dict[str, Callable[[Sequence[PlayedMatch], Path], None]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".json": _write_json,
}
