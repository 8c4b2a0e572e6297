"""VGDL: what is noted of every finished game."""

from __future__ import annotations

from oponente.games.vgdl.observation import DISQUALIFIED_SCORE
from oponente.kernel import State

FACTS = {
    "score": "points at the end; at least 1 for who has won; -1000 for who was disqualified, or failed otherwise",
    "ticks": "ticks that the game lasted",
}
"""The meaning of each fact."""


def facts(state: State) -> list[dict[str, float]]:
    """Return the facts of each seat.

    Like the framework, and so the tables of who used it, this gives a winner without points one; the state, which
    searches and recordings go by, has the score of the rules.
    """
    record = state.record
    ticks = float(record.tick) + 1.0
    found = []
    for seat in range(state.game.num_players):
        score = float(record.score[seat])
        if int(record.win[seat]) == 1 and score <= 0:
            score = 1.0
        found.append({"score": score, "ticks": ticks})
    return found


def forfeited(state: State, seat: int) -> list[dict[str, float]]:
    """Return the facts of each seat where the agent in `seat` was disqualified, or has failed otherwise."""
    found = facts(state)
    found[seat]["score"] = DISQUALIFIED_SCORE
    return found
