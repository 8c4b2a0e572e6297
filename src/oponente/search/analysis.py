"""What a search thinks of a position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MoveAnalysis:
    """What a search thinks of one action at the root."""

    action: int
    value: float | None
    """For the player to move, in the search's own unit (see :class:`Analysis`); None: not known exactly."""
    visits: int = 0
    prior: float | None = None


@dataclass(frozen=True)
class Analysis:
    """What a search thinks of a position."""

    action: int
    """The action that it chooses."""
    values: tuple[float, ...] = ()
    """What each player can expect, in the unit of the evaluation (Monte Carlo searches: of the reward)."""
    moves: tuple[MoveAnalysis, ...] = ()
    """The actions at the root, in the game's order."""
    principal_variation: tuple[int, ...] = ()
    """The expected course of play, the chosen action first."""
    nodes: int = 0
    """Nodes expanded (searches with an evaluation) or simulations run (Monte Carlo)."""
    depth: int = 0
    """Plies looked ahead: the last depth completed, or the deepest node of the tree."""
    seconds: float = 0.0
