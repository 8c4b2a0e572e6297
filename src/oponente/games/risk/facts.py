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
    record, players = state.array[0], state.game.num_players
    territories = len(state.game.options.world.territories)
    owners = record["owner"][:territories]
    held = np.bincount(owners, minlength=players).tolist()
    armies = np.bincount(owners, record["armies"][:territories], players).tolist()
    turns, sets = int(record["turn"]), int(record["sets"])
    return [
        {"armies": armies[seat], "territories": held[seat], "turns": turns, "sets": sets} for seat in range(players)
    ]
