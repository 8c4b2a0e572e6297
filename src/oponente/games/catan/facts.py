"""Catan: what is noted of every finished game, as Paz and Rubin (2016) tabulate it."""

from __future__ import annotations

from oponente.games.catan.cards import KNIGHT, VICTORY_POINT
from oponente.kernel import State

FACTS = {
    "points": "victory points at the end, hidden cards included",
    "roads": "roads on the board",
    "settlements": "settlements on the board, those that became cities left out",
    "cities": "cities on the board",
    "knights": "knight cards played",
    "longest_road": "1 if the player holds the longest road, else 0",
    "largest_army": "1 if the player holds the largest army, else 0",
    "card_points": "victory points by development cards",
    "turns": "turns of all players together until the game ended",
}
"""The meaning of each fact."""


def facts(state: State) -> list[dict[str, float]]:
    """Return the facts of each seat."""
    record = state.record
    return [
        {
            "points": int(record.points[seat]) + int(record.cards[seat, VICTORY_POINT]),
            "roads": int(record.across[seat]).bit_count() + int(record.down[seat]).bit_count(),
            "settlements": int(record.settlements[seat]).bit_count(),
            "cities": int(record.cities[seat]).bit_count(),
            "knights": int(record.played[seat, KNIGHT]),
            "longest_road": int(record.road_holder == seat),
            "largest_army": int(record.army_holder == seat),
            "card_points": int(record.cards[seat, VICTORY_POINT]),
            "turns": int(record.turn),
        }
        for seat in range(state.game.num_players)
    ]
