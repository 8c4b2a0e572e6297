"""Matches in which the same block is played again and again.

Agents that decide alike whatever their seed play a game without chance alike each time. Then all blocks of a match are
copies of one (:mod:`oponente.arena.match`), and intervals and tests, which take blocks for independent of each other,
say nothing. Random opening plies tell the blocks apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from oponente.arena.columns import GameResults
from oponente.arena.record import GameRecord
from oponente.kernel import Game

__all__ = ["FEWEST", "are_copies", "copies_note"]

FEWEST = 5
"""Blocks that may be alike by luck, and are not called copies if there are no more of them."""
_FIRST, _MOST = 2, 100
"""Blocks whose actions are looked at first, as two that differ are enough to know, and at most."""


def are_copies(
    game: Game, results: GameResults, block: int, records: Callable[[Sequence[int]], Sequence[GameRecord]]
) -> bool:
    """Tell whether all whole blocks of a match, more than :data:`FEWEST`, are the same games.

    Args:
        game: that was played.
        results: of the games, by index.
        block: how many games each block has.
        records: gives the games with some indices, by index. Of matches of many blocks only the first
            hundred are asked for: results are compared of all.
    """
    if not game.repeats or not results.reproducible.all():
        return False
    _, which, counts = np.unique(results.block, return_inverse=True, return_counts=True)
    whole = np.flatnonzero(counts == block)
    if whole.size <= FEWEST:
        return False
    kept = (counts == block)[which]
    rows = results.returns[kept].reshape(whole.size, block, -1)
    if (rows != rows[0]).any():
        return False
    indices = results.index[kept].reshape(whole.size, block)
    first: list[tuple[int, ...]] = []
    for begin, end in ((0, _FIRST), (_FIRST, _MOST)):
        played = [record.actions for record in records(indices[begin:end].ravel().tolist())]
        first = first or played[:block]
        if any(actions != first[number % block] for number, actions in enumerate(played)):
            return False
    return True


def copies_note(opening_plies: int, where: str = "") -> str:
    """Return what readers of a result are told if all blocks are copies; it ends without a full stop.

    Args:
        opening_plies: of the matches.
        where: words before it, with a space behind, where not all matches are such.
    """
    return (
        f"{where}all blocks are the same games: this game has no chance, and these agents play it alike each time."
        f" Intervals say nothing then; --opening-plies {opening_plies + 4} tells the blocks apart"
    )
