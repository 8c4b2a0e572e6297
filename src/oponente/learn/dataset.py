"""Datasets of positions as Parquet: what seats know, and what came of it.

Columns: ``features`` (float32, fixed length), ``outcome`` (the utility that the seat got in the end), ``value`` (what
an evaluator says of the position for the seat), ``game``, ``seat``, ``ply`` (actions and chance outcomes before),
``agent`` (the number of the agent in the seat). The agents, the seed and all settings are the metadata of the file, and
the bounds of utilities. In datasets of self-play (:mod:`oponente.learn.self_play`) ``value`` is what the search at the
root expected, NaN where it told nothing, and ``agent`` the generation whose network the seat's agent had, 0 for none.

Games are played in parts, each kept in a file of its own in a folder beside the dataset as soon as it is played: so a
dataset whose making was interrupted, even killed, is gone on with. The folder is a training's
(:mod:`oponente.learn.training`), of which nothing is kept but what it is.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from oponente import __version__
from oponente.arena import MatchSpec, Table
from oponente.arena.record import FORFEIT
from oponente.kernel import Control, Game, derive_seed, in_one_step
from oponente.learn.contest import crew
from oponente.learn.features import features_of, sample_positions
from oponente.learn.training import STATE, Training, TrainingError, digests_of_files

METADATA = b"oponente"
PARTS, LARGEST_PART = 128, 64
"""Into about how many parts games are divided, and games of a part at most: one for each worker is lost by a kill."""


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
    workers: int = 1,
    resume: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Play a match and write positions of its games; return how many rows there are: one for each player of each.

    Args:
        spec: the match; its seed decides also which positions are taken.
        path: of the Parquet file, which is not there yet. Until it is whole, parts of it are in a folder beside it.
        kind: name of the features.
        evaluation: name of the evaluator that gives the column ``value``.
        positions: taken from each game at most, at random.
        workers: games at a time; the dataset is the same on any number.
        resume: go on with the same dataset where its making was interrupted.
        progress: called with games done, and how many there are.

    Raises:
        ValueError: the game has no such features or evaluator, or other players.
        TrainingError: the file is there already, or parts of another dataset, or of this one without `resume`.
        RuntimeError: an agent has failed; the message is one line.
    """
    game = spec.game.load()
    spec.check_players(game)
    features_of(game, kind)
    if evaluation not in game.evaluators:
        raise ValueError(f"{game.name} has no evaluator {evaluation!r}; it has {', '.join(game.evaluators)}")
    about = {
        **spec.values(),
        **digests_of_files(spec.game, spec.agent_files),
        "features": kind,
        "evaluation": evaluation,
        "positions": positions,
        "utility": list(game.utility),
    }
    target = Path(path)
    folder = target.with_name(f"{target.name}.parts")
    if target.exists():
        rows = _rows_of(target, about) if resume else None
        if rows is None:
            raise TrainingError(f"{path} is there already: give another file, or move it away")
        shutil.rmtree(folder, ignore_errors=True)
        return rows
    if (folder / STATE).exists() and not resume:
        raise TrainingError(f"{folder} holds parts of a dataset: go on with --resume, or give another file")
    Training(folder, {"kind": "data", "version": __version__, **_identity(about)}, resume=resume)
    size = min(LARGEST_PART, -(-spec.games // PARTS))
    tasks = [
        _Part(spec, kind, evaluation, positions, range(begin, min(begin + size, spec.games)), folder, about)
        for begin in range(0, spec.games, size)
    ]
    missing = [task for task in tasks if not task.file.exists()]
    done = spec.games - sum(len(task.games) for task in missing)
    progress(done, spec.games)
    if missing:
        with crew(spec.game, spec.agents, workers, spec.agent_files) as playing:
            for task, _ in zip(missing, playing(_play_part, missing), strict=True):
                done += len(task.games)
                progress(done, spec.games)
    written = _join([task.file for task in tasks], target)
    shutil.rmtree(folder, ignore_errors=True)
    return written


@dataclass(frozen=True)
class _Part:
    """Some games of a dataset, as a task for a worker."""

    spec: MatchSpec
    kind: str
    evaluation: str
    positions: int
    games: range
    folder: Path
    about: dict[str, Any]

    @property
    def file(self) -> Path:
        """Where its rows are kept."""
        return self.folder / f"{self.games.start:09}.parquet"


def _play_part(part: _Part, control: Control | None = None) -> None:
    """Play some games and write their rows."""
    table = Table(part.spec, control)
    game = table.game
    features, width = features_of(game, part.kind)
    evaluator = game.evaluators[part.evaluation]
    found = []
    try:
        for index in part.games:
            record = table.play(index)
            if record.status == FORFEIT:
                raise RuntimeError(f"an agent has failed: {record.reason}")
            found.append(_positions_of(record, game, features, width, evaluator, part.positions, part.spec.seed))
    finally:
        table.close()
    write_rows(part.file, Rows.joined(found), part.about)


def _join(parts: Sequence[Path], target: Path) -> int:
    """Write the rows of some datasets as one, in their order; return how many there are."""
    written = 0
    with in_one_step(target) as file, pq.ParquetWriter(file, pq.read_schema(parts[0])) as writer:
        for part in parts:
            table = pq.read_table(part)
            writer.write_table(table)
            written += table.num_rows
    return written


def _rows_of(path: Path, about: Mapping[str, Any]) -> int | None:
    """Return how many rows a dataset has; None if the file is none, or another one."""
    try:
        found = pq.read_metadata(path)
    except (OSError, pa.ArrowException):
        return None
    try:
        kept = json.loads((found.metadata or {}).get(METADATA, b"null"))
    except (ValueError, RecursionError):
        return None
    same = isinstance(kept, dict) and _identity(kept) == _identity(json.loads(json.dumps(about)))
    return found.num_rows if same else None


def _identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells apart datasets: all metadata but where the user's files are."""
    return {name: value for name, value in about.items() if name not in ("game_file", "agent_files")}


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
        about = json.loads((table.schema.metadata or {}).get(METADATA, b"null"))
    except (OSError, pa.ArrowException, ValueError, RecursionError) as error:
        raise DatasetError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(about, dict) or "features" not in table.column_names:
        raise DatasetError(f"{path} is no dataset of oponente: make one with oponente train data")
    if not _fits(about):
        raise DatasetError(f"{path} is damaged: its metadata are not those of a dataset")
    kind = table.schema.field("features").type
    width = kind.list_size if pa.types.is_fixed_size_list(kind) else 0
    if width < 1 or not table.schema.remove_metadata().equals(_schema(width)):
        raise DatasetError(f"{path} has other columns than datasets of oponente: make one with oponente train data")
    features = table["features"].combine_chunks().flatten()
    if features.null_count or any(column.null_count for column in table.columns):
        raise DatasetError(f"{path} is damaged: numbers are missing")
    columns = {name: table[name].combine_chunks().to_numpy() for name in table.column_names if name != "features"}
    columns["features"] = features.to_numpy().reshape(-1, width)
    return columns, about


def digest_of(columns: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return 32 hexadecimal digits that tell apart the rows of datasets, whatever their metadata say."""
    digest = hashlib.blake2b(digest_size=16)
    for name, column in sorted(columns.items()):
        digest.update(f"{name} {column.dtype.str} {column.shape}\0".encode())
        digest.update(np.ascontiguousarray(column).data)
    return digest.hexdigest()


def _fits(about: Mapping[str, Any]) -> bool:
    """Tell whether metadata have the agents and the bounds of utilities as datasets have them, if any."""
    agents, utility = about.get("agents", []), about.get("utility", [0.0, 1.0])
    numbers = isinstance(utility, list) and all(type(value) in (int, float) for value in utility)
    return isinstance(agents, list) and numbers and len(utility) == 2 and -1e300 < utility[0] < utility[1] < 1e300
