"""Datasets of positions as Parquet: what seats know, and what came of it.

Columns: ``features`` (float32, fixed length), ``outcome`` (the utility that the seat got in the end), ``value`` (what
an evaluator says of the position for the seat), ``game``, ``seat``, ``ply`` (actions and chance outcomes before),
``agent`` (the number of the agent in the seat). The agents, the seed and all settings are the metadata of the file, and
the bounds of utilities. In datasets of self-play (:mod:`oponente.learn.self_play`) ``value`` is what the search at the
root expected, NaN where it told nothing, and ``agent`` the generation whose network the seat's agent had, 0 for none.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from oponente.arena import MatchSpec, Table
from oponente.kernel import Game, derive_seed, in_one_step
from oponente.learn.features import features_of, sample_positions

METADATA = b"oponente"


@dataclass
class Rows:
    """Rows of a dataset: its columns, in the order of the file."""

    features: npt.NDArray[np.float32]
    """(rows, features)."""
    outcome: npt.NDArray[np.float32]
    value: npt.NDArray[np.float64]
    game: npt.NDArray[np.int32]
    seat: npt.NDArray[np.int8]
    ply: npt.NDArray[np.int32]
    agent: npt.NDArray[np.int16]

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Return the rows of all parts."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def columns(self) -> list[pa.Array]:
        """Return the columns as Arrow has them."""
        flat = pa.array(self.features.ravel())
        rest = [pa.array(getattr(self, field.name)) for field in fields(self)[1:]]
        return [pa.FixedSizeListArray.from_arrays(flat, self.features.shape[1]), *rest]


def write_rows(path: Path, rows: Rows, about: Mapping[str, Any]) -> None:
    """Write rows as a dataset in one step, so that the file is whole whenever the machine stops.

    Args:
        path: of the file.
        rows: its rows.
        about: its metadata.
    """
    schema = _schema(rows.features.shape[1]).with_metadata({METADATA: json.dumps(about).encode()})
    with in_one_step(path) as part:
        pq.write_table(pa.Table.from_arrays(rows.columns(), schema=schema), part)


class DatasetError(ValueError):
    """A file is no such dataset; the message is one line."""


def make_dataset(
    spec: MatchSpec,
    path: str | Path,
    *,
    kind: str,
    evaluation: str,
    positions: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Play a match and write positions of its games; return how many rows there are: one for each player of each.

    Args:
        spec: the match; its seed decides also which positions are taken.
        path: of the Parquet file.
        kind: name of the features.
        evaluation: name of the evaluator that gives the column ``value``.
        positions: taken from each game at most, at random.
        progress: called with games done, and how many there are.

    Raises:
        ValueError: the game has no such features or evaluator.
    """
    table = Table(spec)
    game = table.game
    features, width = features_of(game, kind)
    if evaluation not in game.evaluators:
        raise ValueError(f"{game.name} has no evaluator {evaluation!r}; it has {', '.join(game.evaluators)}")
    evaluator = game.evaluators[evaluation]
    table.prepare()
    about = {
        **spec.values(),
        "features": kind,
        "evaluation": evaluation,
        "positions": positions,
        "utility": list(game.utility),
    }
    schema = _schema(width).with_metadata({METADATA: json.dumps(about).encode()})
    written = 0
    try:
        with pq.ParquetWriter(path, schema) as writer:
            for index in range(spec.games):
                rows = _positions_of(table.play(index), game, features, width, evaluator, positions, spec.seed)
                writer.write_batch(pa.record_batch(rows.columns(), schema=schema))
                written += len(rows.value)
                progress(index + 1, spec.games)
    finally:
        table.close()
    return written


def _schema(width: int) -> pa.Schema:
    return pa.schema(
        [
            ("features", pa.list_(pa.float32(), width)),
            ("outcome", pa.float32()),
            ("value", pa.float64()),
            ("game", pa.int32()),
            ("seat", pa.int8()),
            ("ply", pa.int32()),
            ("agent", pa.int16()),
        ]
    )


def _positions_of(
    record: Any, game: Game, features: Any, width: int, evaluator: Any, positions: int, seed: int
) -> Rows:
    """Return the rows for some positions of a game."""
    players = game.num_players
    actions = np.array(record.actions, np.int32)
    deciders = _decisions(game, record)
    chance = random.Random(derive_seed(seed, "positions", record.index))
    wanted = sorted(chance.sample(deciders, min(positions, len(deciders))))
    chosen = np.zeros(actions.size, np.bool_)
    chosen[wanted] = True
    rows = np.zeros((len(wanted) * players, width), np.float32)
    values = np.zeros(len(rows))
    start = game.start(record.start_seed)
    sample_positions(game.tables, features, evaluator, start.array, actions, chosen, rows, np.zeros(players), values)
    seats = np.tile(np.arange(players, dtype=np.int8), len(wanted))
    return Rows(
        rows,
        np.array(record.returns, np.float32)[seats],
        values,
        np.full(len(rows), record.index, np.int32),
        seats,
        np.repeat(np.array(wanted, np.int32), players),
        np.array([seat.agent for seat in record.seats], np.int16)[seats],
    )


def _decisions(game: Game, record: Any) -> list[int]:
    """Return the numbers of the actions that were decisions of players, those of the opening left out."""
    state = game.start(record.start_seed)
    state.undoable = False
    found = []
    for number, action in enumerate(record.actions):
        if number >= record.opening and state.player >= 0:
            found.append(number)
        state.apply(action)
    return found


def read_dataset(path: str | Path) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the columns of a dataset, features as a matrix, and what its metadata say.

    Raises:
        DatasetError: it is none.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise DatasetError(f"{path}: {' '.join(str(error).split())}") from None
    about = (table.schema.metadata or {}).get(METADATA)
    if about is None or "features" not in table.column_names:
        raise DatasetError(f"{path} is no dataset of oponente: make one with oponente train data")
    columns = {name: table[name].combine_chunks().to_numpy() for name in table.column_names if name != "features"}
    width = table.schema.field("features").type.list_size
    features = table["features"].combine_chunks().flatten().to_numpy()
    columns["features"] = features.reshape(-1, width)
    return columns, json.loads(about)
