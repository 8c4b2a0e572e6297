"""Risk: what is noted of every finished game, as Ferrari (UFSM 2022) tabulates it."""

from __future__ import annotations

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
    record = state.record
    territories = len(state.game.options.world.territories)
    owners, armies = record.owner[:territories], record.armies[:territories]
    return [
        {
            "armies": int(armies[owners == seat].sum()),
            "territories": int((owners == seat).sum()),
            "turns": int(record.turn),
            "sets": int(record.sets),
        }
        for seat in range(state.game.num_players)
    ]
