"""Work space of one thread, as one record: kernels pass it on as a pointer."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from oponente.kernel import MAX_PLAYERS, Game, record

MAX_DEPTH = 1 << 12
"""Plies below the root that the tree may reach."""
MAX_TRACE = 1 << 13
"""Actions of a simulation that are noted; later ones count nowhere."""

SLOTS = 1 << 10
"""Nodes of which a thread can keep what it has found to itself."""

Kept = record(
    ("node", "i4"),
    ("visits", "i4"),
    ("squares", "f8"),
    ("totals", "f8", MAX_PLAYERS),
)
"""What a thread keeps to itself of a node, see :mod:`~oponente.search.mcts.sharing`: nothing if there are no visits."""


SMALLEST = 64
"""Listed actions or outcomes that there is room for in any case."""


def work_type(game: Game) -> np.dtype[Any]:
    """Return the record of the work space for a game.

    Games that list similar numbers of actions have the same, so that what does not depend on the game itself need not
    be compiled for each.
    """
    return _work_type(max(SMALLEST, 1 << (max(game.max_actions, game.max_chance) - 1).bit_length()))


@cache
def _work_type(size: int) -> np.dtype[Any]:
    """Return the record of the work space for a game that lists up to `size` actions or outcomes.

    ``buffer``: listed actions or outcomes; ``candidates``: children; ``scores``: of either; ``places``: finds actions
    in the buffer; ``path``: the nodes of a simulation; ``decisions``: own decisions of the simulation; ``redundant``:
    actions of playouts that undid one's last; ``usual``: the child of an opponent's first action, for best-reply
    backups; ``current``, ``reached``: one a tree, the nodes where it is and goes to;
    ``announced``, ``kept``: see :mod:`~oponente.search.mcts.sharing`; ``squares``, ``low``, ``high``: one a
    player.

    The *trace* is what was played in a simulation, in the tree and in the playout: ``length``, ``movers``, ``actions``,
    ``before`` (where the same player took the same action before, -1 if nowhere), ``latest`` (finds it), ``begins``
    (how long it was at each node of the path, in a single tree), and ``last`` (each player's last action, -1 before the
    first).
    """
    return record(
        ("length", "i8"),
        ("decisions", "i8"),
        ("redundant", "i8"),
        ("usual", "i8"),
        ("scores", "f8", size),
        ("places", "i8", 1 << (4 * size).bit_length()),
        ("current", "i8", MAX_PLAYERS),
        ("reached", "i8", MAX_PLAYERS),
        ("squares", "f8", MAX_PLAYERS),
        ("low", "f8", MAX_PLAYERS),
        ("high", "f8", MAX_PLAYERS),
        ("last", "i8", MAX_PLAYERS),
        ("latest", "i8", 2 * MAX_TRACE),
        ("kept", Kept, SLOTS),
        ("buffer", "i4", size),
        ("candidates", "i4", size),
        ("path", "i4", (MAX_DEPTH + 1) * MAX_PLAYERS),
        ("announced", "i1", (MAX_DEPTH + 1) * MAX_PLAYERS),
        ("actions", "i4", MAX_TRACE),
        ("before", "i4", MAX_TRACE),
        ("begins", "i4", MAX_DEPTH + 1),
        ("movers", "i1", MAX_TRACE),
    )
