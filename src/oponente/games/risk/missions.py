"""Risk: victory by capitals and by secret missions."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import with_armies
from oponente.games.risk.income import holds_continent
from oponente.games.risk.moves import CAPITALS, DESTROY, HOLD_CONTINENTS
from oponente.games.risk.state import NONE
from oponente.games.risk.world import INSTEAD
from oponente.kernel import njit
from oponente.kernel.bits import popcount


@njit
def check_secret(game: Any, state: Any) -> bool:
    """Tell whether the player on turn has won by capitals or by the secret mission.

    What missions the player can't have, since the game would be over, is noted.
    """
    if game.rules.victory == CAPITALS:
        return capitals_taken(game, state)
    mover = np.int64(state.mover)
    for mission in range(game.rules.missions):
        if fulfilled(game, state, mission, mover):
            if state.mission[mover] == mission:
                return True
            state.ruled_out[mover] |= np.uint32(1) << np.uint32(mission)
    return False


@njit
def capitals_taken(game: Any, state: Any) -> bool:
    """Tell whether the player on turn holds the own capital and enough of the others'."""
    mover = np.int64(state.mover)
    if state.owner[state.capital[mover]] != mover:
        return False
    taken = 0
    for seat in range(game.rules.players):
        taken += seat != mover and state.owner[state.capital[seat]] == mover
    return taken >= game.rules.capitals


@njit
def fulfilled(game: Any, state: Any, mission: Any, seat: Any) -> bool:
    """Tell whether a player has done what a mission asks."""
    kind, count = game.rules.mission_kind[mission], np.int64(game.rules.mission_count[mission])
    own = state.held[seat]
    if kind == HOLD_CONTINENTS:
        held, named = 0, 0
        for continent in range(game.rules.continents):
            wanted = game.rules.mission_continents[mission] >> np.uint32(continent) & np.uint32(1)
            if holds_continent(game, state, seat, continent):
                held += 1
                named += wanted != 0
            elif wanted:
                return False
        return held - named >= count
    if kind == DESTROY:
        destroyed = count < game.rules.players and state.killer[count] != NONE
        if destroyed and state.killer[count] == seat:
            return True
        return (count == seat or count >= game.rules.players or destroyed) and popcount(own) >= INSTEAD
    return popcount(with_armies(state, own, np.int64(game.rules.mission_armies[mission]))) >= count
