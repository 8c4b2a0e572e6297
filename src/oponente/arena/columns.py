"""Games of a match as columns: arrays with a row a game, of which results and statistics are made.

A million games are a few arrays of a million rows, and no objects of their own. What was done in a game, its actions,
is not among them: who wants that asks for records (:mod:`oponente.arena.record`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from oponente.arena.record import STATUSES, GameRecord

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class GameResults:
    """Who sat where, and how it ended."""

    index: Integers
    """int64, (games,): which games of the match."""
    block: Integers
    """int64, (games,): the block of each."""
    agents: npt.NDArray[np.int32]
    """int32, (games, players): the agent in each seat."""
    returns: Floats
    """float64, (games, players): the utility of each seat."""
    reproducible: Booleans
    """bool, (games,): whether every agent decided from seeds alone."""

    def __len__(self) -> int:
        return self.index.size

    def by_index(self) -> GameResults:
        """Return the same games, the least index first."""
        order = np.argsort(self.index, kind="stable")
        return GameResults(*(getattr(self, field.name)[order] for field in fields(self)))


def no_results(players: int) -> GameResults:
    """Return no games of so many players."""
    none = np.zeros(0, np.int64)
    return GameResults(none, none, np.zeros((0, players), np.int32), np.zeros((0, players)), np.zeros(0, np.bool_))


def all_results(parts: Sequence[GameResults]) -> GameResults:
    """Return the games of several parts, at least one, as one."""
    columns = [field.name for field in fields(GameResults)]
    return GameResults(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))


class ResultsCollector:
    """Collects the results of a match as its games finish.

    Args:
        players: how many agents, and seats, there are.
    """

    def __init__(self, players: int) -> None:
        # Each part has more than twice the games of the next but one: few parts, and no game is copied often.
        self._parts = [no_results(players)]

    def add(self, games: GameResults) -> None:
        """Take in games."""
        self._parts.append(games)
        while len(self._parts) > 1 and len(self._parts[-2]) <= len(self._parts[-1]):
            self._parts[-2:] = [all_results(self._parts[-2:])]

    def results(self) -> GameResults:
        """Return all games so far, the least index first."""
        self._parts = [all_results(self._parts).by_index()]
        return self._parts[0]


@dataclass(frozen=True)
class GameColumns:
    """All that statistics are made of."""

    results: GameResults
    length: Integers
    """int64, (games,): how many actions and chance outcomes there were."""
    status: npt.NDArray[np.int8]
    """int8, (games,): how each ended, a place in :data:`~oponente.arena.record.STATUSES`."""
    forfeited_by: Integers
    """int64, (games,): the seat whose agent failed, -1: none."""
    nodes: Integers
    """int64, (games, players): nodes or simulations of all decisions of a seat, -1: the agent does not tell."""
    decisions: Integers
    """int64, (games, players): how many decisions each seat took."""
    decision_ms: npt.NDArray[np.float32]
    """float32, (all decisions,): milliseconds of each, game by game and in it seat by seat."""
    facts: Mapping[str, Floats]
    """float64, (games, players), of each fact: about the seat at the end of the game; not a number: not noted."""

    def __len__(self) -> int:
        return len(self.results)


def game_columns(records: Sequence[GameRecord]) -> GameColumns:
    """Return games of a match, at least one, as columns, in the same order."""
    seats = [seat for record in records for seat in record.seats]
    return columns_of(
        index=[record.index for record in records],
        block=[record.block for record in records],
        length=[record.length for record in records],
        status=[record.status for record in records],
        forfeited_by=[record.forfeited_by for record in records],
        reproducible=[record.reproducible for record in records],
        returns=[record.returns for record in records],
        agents=[seat.agent for seat in seats],
        nodes=[seat.nodes for seat in seats],
        decisions=np.array([seat.decisions for seat in seats], np.int64),
        decision_ms=np.frombuffer(b"".join(seat.decision_ms for seat in seats), np.float32),
        facts=[seat.facts for seat in seats],
    )


def columns_of(
    *,
    index: Sequence[int],
    block: Sequence[int],
    length: Sequence[int],
    status: Sequence[str],
    forfeited_by: Sequence[int | None],
    reproducible: Sequence[bool | int],
    returns: Sequence[Sequence[float]] | Floats,
    agents: Sequence[int],
    nodes: Sequence[int | None],
    decisions: Integers,
    decision_ms: npt.NDArray[np.float32],
    facts: Sequence[Mapping[str, float] | None] = (),
) -> GameColumns:
    """Return games, at least one, whose values are given: of each game, or of each seat, game by game.

    Without `facts` none were noted.

    Raises:
        ValueError, TypeError, KeyError: a value is of another kind, or there are too few or too many.
    """
    values = np.asarray(returns, np.float64)
    if values.ndim != 2 or len(agents) != values.size:
        raise ValueError(f"{len(agents)} seats of games with utilities of shape {values.shape}")
    shape = values.shape
    seated = _integers(agents).reshape(shape)
    if (np.sort(seated, axis=1) != np.arange(shape[1])).any():
        raise ValueError("seats of a game that do not hold each agent once")
    if {len(one) for one in (index, block, length, status, forfeited_by, reproducible)} != {shape[0]}:
        raise ValueError(f"values of more or fewer games than {shape[0]}")
    losers = _integers_or_none(forfeited_by)
    if (losers >= shape[1]).any():
        raise ValueError(f"a game forfeited by seat {losers.max()}, of {shape[1]} seats")
    if int(decisions.sum()) != decision_ms.size:
        raise ValueError(f"times of {decision_ms.size} decisions, of {decisions.sum()}")
    results = GameResults(
        index=_integers(index),
        block=_integers(block),
        agents=seated.astype(np.int32),
        returns=values,
        reproducible=_integers(reproducible) != 0,
    )
    return GameColumns(
        results=results,
        length=_integers(length),
        status=np.array([_STATUS[one] for one in status], np.int8),
        forfeited_by=losers,
        nodes=_integers_or_none(nodes).reshape(shape),
        decisions=decisions.reshape(shape),
        decision_ms=decision_ms,
        facts=_fact_columns(facts, shape),
    )


_STATUS = {status: place for place, status in enumerate(STATUSES)}


def _integers(values: Sequence[int]) -> Integers:
    """Return whole numbers as an array; TypeError if one is none: NumPy alone would take 1.5, or a text, for one."""
    return np.frombuffer(array("q", values), np.int64)


def _integers_or_none(values: Sequence[int | None]) -> Integers:
    """Return whole numbers as an array, with -1 for None."""
    return _integers([-1 if value is None else value for value in values])


def _fact_columns(facts: Sequence[Mapping[str, float] | None], shape: tuple[int, ...]) -> dict[str, Floats]:
    """Return facts, given seat by seat, by their name; the names in the order in which they first occur."""
    size = math.prod(shape)
    if facts and len(facts) != size:
        raise ValueError(f"facts of {len(facts)} seats, of {size}")
    noted = [(place, one) for place, one in enumerate(facts) if one]
    names = dict.fromkeys(name for _, one in noted for name in one)
    columns = {}
    for name in names:
        found = [(place, one[name]) for place, one in noted if name in one]
        column = np.full(size, np.nan)
        column[[place for place, _ in found]] = [value for _, value in found]
        columns[name] = column.reshape(shape)
    return columns
