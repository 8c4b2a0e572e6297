"""Symmetries of features: a network that has seen a position has seen what is symmetric to it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from oponente.kernel import ENCODED, Game


def feature_symmetries(game: Game, kind: str) -> list[npt.NDArray[np.int64]]:
    """Return where features come from in each symmetry of a game, the one that moves nothing first.

    Other features than the game's encoding are sums that depend on no place (in Catan a test sees to that): nothing
    moves them.
    """
    nothing = np.arange(game.feature_count(kind), dtype=np.int64)
    if game.features[kind] is not ENCODED:
        return [nothing]
    return [nothing, *(symmetry.features for symmetry in game.symmetries)]
