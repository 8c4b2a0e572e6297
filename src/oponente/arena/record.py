"""What is kept of a played game: plain values, so that it crosses process borders and fits into any database."""

from __future__ import annotations

import array
import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

PLAYED, FORFEIT, LIMIT = "played", "forfeit", "limit"
"""How a game ended: by its rules; because an agent failed; at the limit of plies."""
STATUSES = (PLAYED, FORFEIT, LIMIT)


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of one game."""

    agent: int
    """Which agent of the match sat here, from 0."""
    decision_ms: array.array[float]
    """Wall-clock milliseconds of each decision, in order (array of C floats)."""
    nodes: int | None
    """Nodes or simulations of all decisions together; None if the agent does not tell."""
    facts: dict[str, float] | None = None
    """Facts about the seat in the last position (:mod:`oponente.arena.facts`); None if none were noted."""

    @property
    def decisions(self) -> int:
        """How many decisions were asked of the agent."""
        return len(self.decision_ms)

    @property
    def total_ms(self) -> float:
        """Milliseconds of all decisions together."""
        return float(np.add.reduce(np.frombuffer(self.decision_ms, np.float32), dtype=np.float64))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a match. The same match and index give the same record, times apart, wherever it was played."""

    index: int
    """Which game of the match, from 0."""
    block: int
    """The games of a block share their start position, opening and chance; only the seats differ."""
    seats: tuple[SeatRecord, ...]
    start_seed: int
    """``game.start(start_seed)`` is the start position."""
    opening: int
    """How many of the `actions`, at the beginning, were drawn at random and not chosen by agents."""
    actions: tuple[int, ...]
    """All actions and chance outcomes from the start position on."""
    returns: tuple[float, ...]
    """The utility of each seat."""
    status: str
    """`PLAYED`, `FORFEIT` or `LIMIT`."""
    reason: str = ""
    """Why the game ended, if not by its rules."""
    forfeited_by: int | None = None
    """The seat whose agent failed."""
    reproducible: bool = True
    """Whether every agent decides from seeds alone, not from the clock or a person."""

    def values(self) -> dict[str, Any]:
        """Return what is stored of the game as such, as plain values by name: not of its seats, nor the utilities."""
        return {
            "number": self.index,
            "block": self.block,
            "start_seed": self.start_seed,
            "opening": self.opening,
            "length": self.length,
            "status": self.status,
            "reason": self.reason,
            "forfeited_by": self.forfeited_by,
            "reproducible": self.reproducible,
            "actions": list(self.actions),
        }

    @property
    def length(self) -> int:
        """How many actions and chance outcomes there were."""
        return len(self.actions)

    @property
    def agents(self) -> tuple[int, ...]:
        """The agent in each seat."""
        return tuple(seat.agent for seat in self.seats)

    def without_times(self) -> GameRecord:
        """Return the record with all times 0: what must be equal whenever the same game is played again."""
        seats = tuple(
            dataclasses.replace(seat, decision_ms=array.array("f", bytes(4 * seat.decisions))) for seat in self.seats
        )
        return dataclasses.replace(self, seats=seats)
