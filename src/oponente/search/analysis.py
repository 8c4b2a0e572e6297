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
class TreeShape:
    """How much of a search tree is shown."""

    depth: int = 3
    """Plies below the root."""
    width: int = 4
    """Children of each node: the best ones, by what the search goes by (value, visits)."""


@dataclass(frozen=True)
class TreeNode:
    """A node in the top of a search tree, as it is shown: plain values, whatever the search keeps itself.

    A search makes it while it still has a state at hand, so that actions are texts here, also where another seat would
    not see them so.
    """

    label: str
    """The action or chance outcome that leads here, in the game's notation; empty at the root."""
    player: int | None
    """Who is to move: a player's number, ``CHANCE`` or ``TERMINAL``; None where that differs between the simulations
    of an open-loop search, or was not looked at."""
    value: float | None = None
    """What the player who moves at the root can expect, in the unit of the analysis; None: not known."""
    values: tuple[float, ...] = ()
    """What each player can expect; empty: not known."""
    visits: int = 0
    """Simulations through the node (Monte Carlo), nodes expanded at and below it (depth-first searches)."""
    bound: str = ""
    """How `value` is to be read: ``=`` exact (proven, or what a full search to the horizon gives), ``<=`` and ``>=`` a
    bound (depth-first searches leave the rest out then), empty: an estimate."""
    probability: float | None = None
    """Of the chance outcome that leads here; None: it is an action."""
    prior: float | None = None
    """What was thought of the action before any search; None: nothing."""
    best: bool = False
    """Whether the node is on the principal variation. The root is."""
    hidden: int = 0
    """How many children there are that are not shown."""
    children: tuple[TreeNode, ...] = ()
    """Those shown, the best first."""


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
    tree: TreeNode | None = None
    """The top of the tree, if it was asked for (:attr:`oponente.agents.base.SearchAgent.tree_shape`)."""
