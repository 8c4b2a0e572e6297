"""VGDL: what is noted of every finished game."""

from __future__ import annotations

from oponente.games.vgdl.observation import DISQUALIFIED_SCORE
from oponente.kernel import State

FACTS = {
    "score": "points at the end; -1000 for who was disqualified, or failed otherwise",
    "ticks": "ticks that the game lasted",
}
"""The meaning of each fact."""


def facts(state: State) -> list[dict[str, float]]:
    """Return the facts of each seat."""
    record = state.record
    ticks = float(record.tick) + 1.0
    return [{"score": float(record.score[seat]), "ticks": ticks} for seat in range(state.game.num_players)]


def forfeited(state: State, seat: int) -> list[dict[str, float]]:
    """Return the facts of each seat where the agent in `seat` was disqualified, or has failed otherwise."""
    found = facts(state)
    found[seat]["score"] = DISQUALIFIED_SCORE
    return found
