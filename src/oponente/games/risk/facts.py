"""Risk: what is noted of every finished game, as Ferrari (UFSM 2022) tabulates it."""

from __future__ import annotations

import numpy as np

from oponente.kernel import State

FACTS = {
    "armies": "armies on the board at the end",
    "territories": "territories at the end",
    "turns": "turns of all players together until the game ended",
    "sets": "sets of cards traded by all players together",
}
"""The meaning of each fact."""


def facts(state: State) -> list[dict[str, float]]:
    """Return the facts of each seat."""
    # A field of the array, not of its record, which NumPy would make an object of for each.
    array, players = state.array, state.game.num_players
    territories = len(state.game.options.world.territories)
    owners = array["owner"][0, :territories]
    armies = np.bincount(owners, array["armies"][0, :territories], players).tolist()
    turns, sets, held = int(array["turn"][0]), int(array["sets"][0]), owners.tolist()
    return [
        {"armies": armies[seat], "territories": held.count(seat), "turns": turns, "sets": sets}
        for seat in range(players)
    ]
